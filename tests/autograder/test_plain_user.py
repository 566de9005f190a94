"""The sandbox holds for a plain user as it does for root, whoever runs the tests."""

import os
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from tests.autograder.plain_user import UID
from tests.notebooks import ROOT

pytestmark = pytest.mark.skipif(
    os.getuid() != 0, reason="the sandbox tests themselves already run as a plain user"
)

GUARDS = "tests/attacks/test_guards.py"
TESTS = (
    "tests/autograder/test_sandbox.py",
    # What the watch sees of processes that are not its own.
    f"{GUARDS}::test_a_process_without_its_first_thread_shows_no_memory",
    f"{GUARDS}::test_full_sockets_are_memory_that_no_process_shows",
)
# Seconds of work, stopped as that of threads is.
SLOW = "loop"


def run_plain(home, *arguments):
    """Run Python as a plain user with a home of its own, and return what it put out."""
    python = [sys.executable, "-m", "tests.autograder.plain_user", str(home), sys.executable]
    done = subprocess.run(
        [*python, *arguments], cwd=ROOT, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-5000:]
    return done.stdout


def test_the_user_is_plain(tmp_path):
    script = """
import os
print(os.getresuid(), os.getresgid(), os.getgroups())
status = dict(line.split(":") for line in open("/proc/self/status"))
print({int(status[kind], 16) for kind in ("CapPrm", "CapEff", "CapAmb")})
try:
    os.setuid(0)
except PermissionError:
    print("no way back")
"""
    who, capabilities, back = run_plain(tmp_path, "-c", script).splitlines()
    assert who == f"{(UID,) * 3} {(UID,) * 3} []"
    assert capabilities == "{0}"
    assert back == "no way back"


def test_the_sandbox_holds(tmp_path):
    report = tmp_path / "report.xml"
    inner = ("-m", "pytest", "-p", "no:cacheprovider", f"--junitxml={report}")
    run_plain(tmp_path, *inner, "-k", f"not {SLOW}", *TESTS)
    (suite,) = ElementTree.parse(report).getroot()
    assert int(suite.get("skipped")) == 0
    assert int(suite.get("tests")) >= 60
