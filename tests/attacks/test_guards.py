"""What attacks do where the one guard that stops them is off, in a contained way."""

import itertools
import math
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from tests.attacks import leaks, stops
from tests.attacks.collection import ALL
from tests.attacks.entry import INPUT, MINI, PS1, SECRET, Attack, assignment
from tests.attacks.grading import SHORT
from tests.attacks.leaks import SEED, TRACE
from tests.attacks.stock import StockCourse
from tests.attacks.test_attacks import DAEMON, listening, processes
from tests.attacks.unguarded import NO_BOUNDS, NO_FILTER, NO_PLACES, one, sandbox_without
from tests.notebooks import ROOT

from autograder import matching
from autograder.limits import MIB
from autograder.model import Step
from autograder.sandbox import Sandbox, Stopped, Unusable, failures, host, watch
from autograder.sandbox.guest import Output
from autograder.session import Session
from autograder.wire import Frame, WireError, values
from autograder.wire.values import Decoder
from tutor.secret import secret_seed

HONEST = Attack("honest", "Is right.", solved=True)


def named(name):
    """Return the attack of a name."""
    return next(attack for attack in ALL if attack.name == name)


@pytest.fixture(scope="module")
def unprotected(secret):
    """A sandbox that is none."""
    with Sandbox(SHORT, ["numpy"], ["sdpa", "tutor"], isolated=False) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def open_house(secret):
    """A sandbox whose guests share their places, and may make any socket."""
    with sandbox_without(NO_PLACES + NO_FILTER, SHORT) as sandbox:
        yield sandbox


def said(sandbox, *sources):
    """Run cells in a new guest, and return what they put out."""
    with one(sandbox) as guest:
        return "".join(guest.run_cell(source).text for source in sources)


# Gains


def run_beside(attack, test):
    """Run an answer and a test in this process, as nbgrader does; True where it passes."""
    names = {"np": np}
    exec(attack.answers["f"], names)
    try:
        exec(test, names)
    except AssertionError as error:
        return error
    return True


def test_a_test_can_be_traced_where_it_runs_beside_the_answer():
    attack = named("jump over the assert")
    assert "f_lineno" in attack.answers["f"]
    # Our own tests may be traced, too.
    before = __import__("sys").gettrace()
    try:
        assert run_beside(attack, "result = f(2); end = 1\nassert result == 3\nend = 1") is True
    finally:
        __import__("sys").settrace(before)


def test_an_error_keeps_its_words_where_it_does_not_cross_the_wire():
    attack = named("AssertionError with feedback")
    assert run_beside(attack, "f(1)").feedback in attack.untold


def test_known_cases_pass_the_visible_check(graders):
    cells = {cell.grade_id: cell.source for cell in assignment(PS1).cells}
    answer = named("known cases only").answers["softmax"]
    with one(graders.sandbox) as guest:
        for source in (cells["imports"], answer, cells["softmax-check"]):
            output = guest.run_cell(source)
            assert not output.error, output.text
    assert "every visible check passes" in output.text


def test_a_function_that_changes_is_right_where_it_is_called_once():
    names = {"np": np}
    exec(named("other numbers in the second call").answers["softmax"], names)
    assert names["softmax"]([0.0, 0.0]).tolist() == [0.5, 0.5]
    assert names["softmax"]([0.0, 0.0]).tolist() == [0.0, 0.0]


# Leaks


@pytest.mark.parametrize("name", ["names a result after its arguments"])
def test_a_class_of_any_name_reached_the_page_before(name, graders, monkeypatch):
    monkeypatch.setattr(values, "known_type", lambda name, otherwise: name)
    with one(graders.sandbox) as guest:
        guest.run_cell(named(name).answers["softmax"])
        assert type(guest.call("softmax", ([5, 6],), {})).__name__ == "It was [5, 6]"


def test_an_error_of_any_name_reached_the_page_before(graders, monkeypatch):
    monkeypatch.setattr(failures, "known_type", lambda name, otherwise: name)
    with one(graders.sandbox) as guest:
        guest.run_cell(named("names an error after its arguments").answers["f"])
        with pytest.raises(Exception, match="It was") as error:
            guest.call("f", (5,), {})
    assert type(error.value).__name__ == "It was 5"


def test_a_reply_may_say_anything(graders):
    with one(graders.sandbox) as guest:
        guest.run_cell(named("forged reply that a name is missing").answers["f"])
        calls = [[{"t": [INPUT]}, {"d": []}, 0]]
        guest._ask(Frame({"do": "call", "name": "f", "calls": calls, "times": 1}))
        assert str(INPUT) in guest._reply().header["missing"]


def test_a_later_cell_of_the_same_process_knows_the_calls(graders):
    for name in ("keeps its arguments for a later cell", "keeps its arguments in files"):
        attack = named(name)
        with one(graders.sandbox) as guest:
            guest.run_cell(attack.answers["f"])
            guest.call("f", (INPUT,), {})
            assert str(INPUT) in guest.run_cell(attack.last[0]).text


def test_hidden_texts_of_the_secret_are_the_judges(secret):
    assert secret.read_bytes() == SECRET
    assert secret_seed("softmax-plain") == SEED


def test_the_secret_is_not_where_students_run(graders):
    source = named("secret seed").first[0]
    assert "seed" in said(graders.sandbox, source)
    assert str(SEED) not in said(graders.sandbox, source)
    assert secret_seed("softmax-plain") == SEED


def test_files_are_there_without_a_sandbox(unprotected, secret):
    for path in (ROOT / "solutions", secret):
        assert said(unprotected, f"import os\nprint(os.path.exists({str(path)!r}))") == "True\n"


def test_other_processes_are_seen_without_a_sandbox(unprotected):
    assert "pytest" in said(unprotected, *named("environment of all processes").first)


def test_traces_stay_without_namespaces(open_house):
    said(open_house, "import numpy as np", *leaks.LEAVES.first)
    found = said(open_house, "import numpy as np", *leaks.FINDS.first)
    assert TRACE in found
    # The port of a connection that is over.
    assert ":128B" in found


# Harms


@pytest.mark.parametrize("name", ["writes outside", "symbolic links", "gradebook"])
def test_harm_is_done_without_a_sandbox(name, unprotected, tmp_path):
    said(unprotected, *named(name).placed(outside=tmp_path).first)
    assert list(tmp_path.iterdir())


def test_the_network_is_there_without_a_sandbox(unprotected):
    with listening() as (port, met):
        said(unprotected, *named("connects").placed(port=port).first)
        assert met.wait(5)


def test_a_daemon_stays_without_a_sandbox(unprotected):
    said(unprotected, *named("daemon").placed(daemon=DAEMON).first)
    left = processes(DAEMON)
    for process in left:
        os.kill(process, signal.SIGKILL)
    assert left


def test_a_killed_parent_ends_the_stock_grader(tmp_path):
    course = StockCourse(tmp_path, MINI)
    killer = replace(HONEST, first=["import os\nos.kill(os.getppid(), 9)"])
    course.hand_in([("a", killer), ("b", HONEST)])
    assert course.autograde() != 0
    assert "b" not in course.scores()


def test_a_copied_test_stops_the_stock_grader(tmp_path):
    course = StockCourse(tmp_path, MINI)
    course.hand_in([("a", named("copied test")), ("b", HONEST)])
    assert course.autograde() != 0
    assert course.scores().get("b", {}).get("equal", 0.0) == 0.0


# What is of a size that this machine can bear.
LITTLE = replace(SHORT, memory=100 * MIB, call_cpu=0.2, call_wall=0.4)
WATCHED = [
    attack for attack in ALL if attack.by == "test_what_is_watched_goes_on_without_the_watch"
]


@pytest.fixture(scope="module")
def little(secret):
    """A sandbox with low limits, and as much as one likes of what the kernel bounds itself."""
    with sandbox_without(NO_BOUNDS, LITTLE) as sandbox:
        yield sandbox


@pytest.mark.parametrize("attack", WATCHED, ids=lambda attack: attack.id)
def test_what_is_watched_goes_on_without_the_watch(attack, little, monkeypatch):
    monkeypatch.setattr(watch.Watched, "_excess", lambda *seen: "")
    source = attack.answers["f"].replace("4 * 2**30", "200 * 2**20").replace("300 *", "20 *")
    with one(little) as guest:
        guest.run_cell("import numpy as np\n" + source)
        caller = threading.Thread(target=call_and_be_stopped, args=[guest])
        caller.start()
        pid = watch.outer_pid(guest._watched.handle)
        if "memory" in attack.name:
            wait_for(lambda: memory(pid) > LITTLE.memory)
        else:
            caller.join(4 * LITTLE.call_wall)
            assert caller.is_alive()
        guest._watched.kill()
        caller.join()


def call_and_be_stopped(guest):
    """Call what never returns by itself."""
    with pytest.raises(Stopped):
        guest.call("f", (INPUT,), {})


def memory(pid):
    """Return how much memory a process and its descendants have, pages shared or not."""
    return sum(usage.memory for p in watch._tree(pid) if (usage := watch._usage(p)))


def wait_for(happens):
    """Wait until something is so, half a minute at most."""
    end = time.monotonic() + 30
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_process_without_its_first_thread_shows_no_memory(little, monkeypatch):
    monkeypatch.setattr(watch.Watched, "_excess", lambda *seen: "")
    attack = named("memory behind a dead thread")
    with one(little) as guest:
        guest.run_cell(attack.answers["f"].replace("300 *", "20 *"))
        caller = threading.Thread(target=call_and_be_stopped, args=[guest])
        caller.start()
        pid = watch.outer_pid(guest._watched.handle)
        wait_for(
            lambda: (
                len(silent := without_memory(pid)) == 12
                and all(watch._usage(process).memory > 15 * MIB for process in silent)
            )
        )
        guest._watched.kill()
        caller.join()


def without_memory(pid):
    """Return the descendants of a process whose status shows no memory."""
    descendants = [process for process in watch._tree(pid) if process != pid]
    return [p for p in descendants if "RssAnon" not in watch._read(f"/proc/{p}/status")]


def test_forks_go_on_without_limits(little, monkeypatch):
    many = LITTLE.processes + 20
    forks = (
        f"import os, signal\nchildren = []\nfor _ in range({many}):\n    child = os.fork()\n"
        "    if not child: signal.pause()\n    children.append(child)\nprint(len(children))"
    )
    monkeypatch.setattr(watch.Watched, "_excess", lambda *seen: "")
    assert said(little, forks) == f"{many}\n"


def test_full_sockets_are_memory_that_no_process_shows(open_house):
    """Of what the kernel keeps for sockets, nothing is any process's."""
    fill = (
        "import socket\nleft, right = socket.socketpair()\nleft.setblocking(False)\n"
        "left.setsockopt(1, 7, 2**21)\nsent = 0\ntry:\n"
        "    while True: sent += left.send(bytes(2**14))\nexcept BlockingIOError: print(sent)"
    )
    with one(open_house) as guest:
        pid = watch.outer_pid(guest._watched.handle)
        guest.run_cell("import socket")
        before, sockets = memory(pid), watch._in_sockets(pid)
        sent = int(guest.run_cell(fill).text)
        assert sent > 200_000
        assert watch._in_sockets(pid) - sockets >= 200_000
        assert memory(pid) - before < 2_000_000


def test_output_is_as_long_as_it_is_where_nothing_cuts():
    output = Output(replace(SHORT, output=10**12))
    output.write("x" * 10**7)
    assert output.size == 10**7


def test_files_have_no_bound_without_a_place_of_their_own(open_house):
    assert "No space left" not in said(
        open_house,
        f"for i in range(3): print(open(str(i), 'wb').write(bytes({SHORT.disk // 2})))",
    )


def test_a_signal_ends_a_process_that_is_not_the_first_of_its_own(unprotected):
    with one(unprotected) as guest, pytest.raises(Stopped):
        guest.run_cell(named("signals").first[0])


# Stops


def header_of(attack):
    """Return what a forging guest sends, and its buffers."""
    names, buffers = {}, []
    source = attack.answers["f"].partition("\nforge(make)")[0].partition("def make")
    exec(source[1] + source[2], names)
    return names["make"]({}, buffers), buffers


def cost(node, buffers, seen):
    """Return how many bytes a node becomes where nothing but its form is looked at."""
    if isinstance(node, list):
        seen.append(0)
        place = len(seen) - 1
        longest = max((len(item) for item in node if isinstance(item, str)), default=0)
        total = sum(cost(item, buffers, seen) for item in node) + 4 * longest * len(node)
        seen[place] = total
        return total
    if not isinstance(node, dict):
        return 8
    ((tag, content),) = node.items()
    if tag in "aT":
        return 8 * math.prod(content[2])
    if tag == "r":
        return seen[content]
    if tag == "o":
        return 1000
    if tag == "d":
        collisions = len(content) - len({hash(key) for key, _ in content})
        return 8 * collisions**2
    return sum(cost(item, buffers, seen) for item in content)


REFUSED = [a for a in stops.RESULTS if a.by == "test_what_the_judge_refuses_would_cost_it"]


@pytest.mark.parametrize("attack", REFUSED, ids=lambda attack: attack.id)
def test_what_the_judge_refuses_would_cost_it(attack):
    header, buffers = header_of(attack)
    node = header["after"][0] if "after" in header else header["result"]
    assert cost(node, buffers, []) > 200 * 10**6
    try:
        value = Decoder(buffers, dense=True).value(node)
    except WireError:
        return
    # Objects of no use, all of one class.
    assert len({type(item) for item in value}) == 1


def test_all_results_together_are_bounded(graders, monkeypatch):
    for elements, fails in ((10, True), (10**9, False)):
        monkeypatch.setattr(graders.sandbox, "limits", replace(SHORT, elements=elements))
        with one(graders.sandbox) as guest:
            guest.run_cell("import numpy as np\ndef f(): return np.zeros(6)")
            guest.call("f", (), {})
            if fails:
                with pytest.raises(Unusable, match="together"):
                    guest.call("f", (), {})
            else:
                guest.call("f", (), {})


def test_a_number_tells_forged_answers(graders, monkeypatch):
    numbers = itertools.count(1)
    real = host.receive

    def receive(channel):
        reply = real(channel)
        reply.header["n"] = next(numbers)
        return reply

    monkeypatch.setattr(host, "receive", receive)
    with one(graders.sandbox) as guest:
        guest.run_cell(named("answer to the next call").answers["f"])
        assert 0 in (guest.call("f", (5,), {}), guest.call("f", (6,), {}))


def test_outputs_of_all_cells_are_bounded_together(graders, monkeypatch):
    sizes = []
    for room in (10**6, 10**9):
        monkeypatch.setattr(graders.sandbox, "limits", replace(SHORT, all_output=room))
        with Session(graders.sandbox) as session:
            for i in range(4):
                session.run(Step("added", f"added-{i}", "print('x' * 400_000)"))
            sizes.append(sum(len(output.text) for output in session.outputs().values()))
    assert sizes[0] < 10**6 < sizes[1]


def test_flags_of_large_notebooks_once_took_minutes():
    """Each name that a cell defines was looked for in all code before it, read anew."""
    cells = [cell["source"] for cell in stops._definitions([])["cells"]]
    read = sum(20 * len("\n".join(cells[: i + 1])) for i in range(len(cells)))
    assert read > 100_000_000  # characters, of which Python reads a million in seconds
    chain = stops._chains([])["cells"][0]["source"]
    lengths = [line.count(".") for line in chain.splitlines()]
    assert sum(length**2 / 2 for length in lengths) > 50_000_000


def test_long_prose_is_not_read_as_code(monkeypatch):
    cells = [cell["source"] for cell in stops._prose([])["cells"]]
    assert len(cells[0]) > 20 * matching._LONG
    read = []
    monkeypatch.setattr(matching, "parsed", lambda source: read.append(source))
    prose = [replace(assignment(MINI).cells[0], kind="markdown", source=cells[0], grade_id="")]
    assert matching.match_cells(assignment(MINI), prose).defined == [frozenset()]
    assert cells[0] not in read
    monkeypatch.setattr(matching, "_LONG", 10**9)
    monkeypatch.setattr(matching, "_PROSE", 10**9)
    assert matching.match_cells(assignment(MINI), prose).defined == [frozenset()]
    assert cells[0] in read


UNREAD = """
import os, socket, sys
from autograder.sandbox import parent
if sys.argv[1] == "unguarded":
    socket.MSG_DONTWAIT = 0
theirs, ours = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
ours.setblocking(False)
try:
    while True:
        ours.send(b"a report that nobody reads")
except BlockingIOError:
    ours.setblocking(True)
nursery = parent._Nursery(None, {})
pid = os.fork() or os._exit(0)
nursery.guests[pid] = ours, 1
while nursery.guests:
    nursery._reap()
"""


def test_a_parent_that_nobody_listens_to_stands_still():
    """It tells of every guest's end, and would wait where the socket is full."""
    for how in ("guarded", "unguarded"):
        command = [sys.executable, "-c", UNREAD, how]
        if how == "guarded":
            subprocess.run(command, check=True, timeout=60)
        else:
            with pytest.raises(subprocess.TimeoutExpired):
                subprocess.run(command, check=True, timeout=5)
