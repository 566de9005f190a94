"""One warm sandbox and the course's secret, for all attacks."""

import faulthandler

import pytest
from tests.attacks.entry import SECRET
from tests.attacks.grading import Graders

# No attack may hold up the grader for longer than this, on the busiest machine.
_PATIENCE = 150


@pytest.fixture(scope="session")
def secret(tmp_path_factory):
    """The course's secret, in a file that only the judge reads."""
    path = tmp_path_factory.mktemp("secret") / "secret"
    path.write_bytes(SECRET)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COURSE_SECRET_FILE", str(path))
        yield path


@pytest.fixture(scope="session")
def graders(secret):
    """Our graders."""
    running = Graders()
    yield running
    running.sandbox.close()


@pytest.fixture(autouse=True)
def patience():
    """End all tests, and say where, if one of them never comes back."""
    faulthandler.dump_traceback_later(_PATIENCE, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()
