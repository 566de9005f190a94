"""Every attack, graded by our grader in the real sandbox."""

import os
import socket
import threading
from pathlib import Path

import pytest
from tests.attacks import harms, leaks
from tests.attacks.collection import ALL, BY_AIM
from tests.attacks.entry import INPUT

DAEMON = "86399.25"

placed = [attack for attack in ALL if attack not in harms.FILES_AND_PROCESSES]
each = pytest.mark.parametrize("attack", placed, ids=lambda attack: attack.id)
each_harm = pytest.mark.parametrize(
    "attack", harms.FILES_AND_PROCESSES, ids=lambda attack: attack.id
)


def require(attack, graded):
    """Require of a verdict what the attack says must come of it."""
    verdict, page = graded
    said = {test.test_id: (test.outcome, test.score, test.hint) for test in verdict.tests}
    shown = {name: output.error for name, output in verdict.outputs.items() if output.error}
    assert verdict.status == attack.status, verdict.reason
    assert sum(test.score or 0 for test in verdict.tests) == attack.score, (said, shown)
    for test_id, outcome in attack.outcomes.items():
        assert said[test_id][0] == outcome, said
    noted = "\n".join(verdict.flags + verdict.mended)
    for flag in attack.flags:
        assert flag in noted
    for text in attack.told:
        assert text in page
    for text in attack.untold:
        assert text not in page
        assert text.encode() not in b"".join(test.hint.encode() for test in verdict.tests)
    assert len(page) < 2_000_000
    assert len(verdict.to_bytes()) < 25_000_000


@each
def test_an_attack_comes_to_what_it_must(attack, graders):
    graded = graders.grade(attack)
    require(attack, (graded.verdict, graded.page))


@each_harm
def test_no_harm_is_done(attack, graders, tmp_path):
    tmp_path.chmod(0o777)
    with listening() as (port, met):
        harmful = attack.placed(outside=tmp_path, port=port, daemon=DAEMON, judge=os.getpid())
        graded = graders.grade(harmful)
        assert not met.is_set()
    require(attack, (graded.verdict, graded.page))
    assert list(tmp_path.iterdir()) == []
    assert processes(DAEMON) == []


def test_one_student_finds_nothing_of_another(graders):
    graders.grade(leaks.LEAVES)
    found = graders.grade(leaks.FINDS)
    require(leaks.FINDS, (found.verdict, found.page))


def test_nobody_reads_the_inputs_of_hidden_tests(graders):
    for attack in ALL:
        if attack in placed and str(INPUT) not in attack.content().decode("utf-8", "replace"):
            assert str(INPUT) not in graders.grade(attack).page, attack.name


def test_there_are_attacks_of_every_aim_and_names_tell_them_apart():
    assert all(len(attacks) >= 8 for attacks in BY_AIM.values())
    assert len(ALL) >= 60
    assert len({attack.name for attack in ALL}) == len(ALL)
    assert all(attack.tries.endswith(".") for attack in ALL)


class listening:
    """A socket on this machine, and whether somebody has connected to it."""

    def __enter__(self):
        self.server = socket.create_server(("127.0.0.1", 0))
        self.met = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()
        return self.server.getsockname()[1], self.met

    def _accept(self):
        try:
            connection, _ = self.server.accept()
        except OSError:
            return
        connection.close()
        self.met.set()

    def __exit__(self, *error):
        self.server.close()


def processes(argument):
    """Return the ids of processes with an argument in their command."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if argument.encode() in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found
