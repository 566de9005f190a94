"""Student code runs, sees nothing, takes no more than it may, and leaves nothing."""

import contextlib
import os
import subprocess
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from autograder.sandbox import (
    Missing,
    Parent,
    Sandbox,
    SandboxError,
    Stopped,
    Unusable,
    launch,
    watch,
)
from autograder.sandbox.watch import outer_pid

from .conftest import SHORT


def printed(guest, source):
    """Run a cell that must not fail, and return what it printed."""
    output = guest.run_cell(source)
    assert not output.error, output.text
    return output.text


def test_cells_share_names_and_show_results(guest):
    guest.run_cell("import numpy as np\nx = np.arange(3)")
    assert printed(guest, "print('a')\nx + 1") == "a\narray([1, 2, 3])\n"


def test_an_error_says_what_and_where(guest):
    output = guest.run_cell("def f():\n    return 1 / 0\nf()")
    assert output.error == "ZeroDivisionError"
    assert "return 1 / 0" in output.text
    assert guest.run_cell("def g(:").error == "SyntaxError"


def test_magics_and_shell_lines_work(guest):
    assert printed(guest, "!echo from a shell").strip() == "from a shell"
    assert not guest.run_cell("%matplotlib inline").error
    assert "per loop" in printed(guest, "%timeit -n1 -r1 1 + 1")


def test_figures_come_as_pictures(guest):
    (image,) = guest.run_cell("import matplotlib.pyplot as plt\nplt.plot([1, 2])").images
    assert image.startswith(b"\x89PNG")


def test_calls_return_plain_data_and_change_arguments(guest):
    guest.run_cell("def f(x, y=1):\n    x[0] = 9\n    return x * y, [1, (2.5, None)]")
    x = np.arange(3.0)
    result = guest.call("f", (x,), {"y": 2})
    assert np.array_equal(result[0], [18, 2, 4])
    assert result[1] == [1, (2.5, None)]
    assert x[0] == 9


def test_a_generator_is_advanced_by_a_call(guest):
    guest.run_cell("def f(rng):\n    return rng.normal(size=3)")
    rng, expected = np.random.default_rng(3), np.random.default_rng(3)
    assert np.array_equal(guest.call("f", (rng,), {}), expected.normal(size=3))
    assert rng.random() == expected.random()


RESULTS = {
    "subclass": "class A(np.ndarray):\n    def __eq__(self, other): return True\n"
    "def f(): return np.ones(2).view(A)",
    "masked": "def f(): return np.ma.masked_array([1.0, 1.0])",
    "tensor": "import torch\ndef f(): return torch.ones(2, requires_grad=True)",
    "object with numbers": "class B:\n    def __array__(self, dtype=None, copy=None):\n"
    "        return np.ones(2)\ndef f(): return B()",
    "not in one piece": "def f(): return np.ones((2, 2))[:, 0]",
}


@pytest.mark.parametrize("source", RESULTS.values(), ids=RESULTS)
def test_results_lose_what_is_not_numbers(guest, source):
    guest.run_cell("import numpy as np\n" + source)
    result = np.asarray(guest.call("f", (), {}))
    assert type(result) is np.ndarray
    assert np.array_equal(result, [1.0, 1.0])


STRANGE = {
    "equal to all": "class X:\n    def __eq__(self, other): return True\nf = X",
    "function": "def f(): return print",
    "lying array": "class X:\n    def __array__(self, *a, **k): return 'no'\nf = X",
    "raising": "class X:\n    def __array__(self, *a, **k): raise SystemExit\nf = X",
    "objects": "import numpy as np\ndef f(): return np.array([print])",
    "sparse": "import torch\ndef f(): return torch.ones(2).to_sparse()",
    "texts": "import numpy as np\ndef f(): return np.array(['a'])",
    "itself": "def f():\n    a = []\n    a.append(a)\n    return a",
    "coroutine": "async def f(): return 1",
    "large": "import numpy as np\ndef f(): return np.zeros(2**24)",
    "huge view": "import numpy as np\ndef f(): return np.broadcast_to(1.0, (2**40,))",
}


@pytest.mark.parametrize("source", STRANGE.values(), ids=STRANGE)
def test_strange_results_are_never_numbers(guest, source):
    guest.run_cell(source)
    try:
        result = guest.call("f", (), {})
    except (Unusable, SystemExit):
        return
    with pytest.raises((TypeError, ValueError)):
        np.asarray(result).astype(float) + 0.0


@pytest.mark.parametrize(
    ("raised", "caught"),
    [
        ("ValueError('no')", ValueError),
        ("type('Own', (KeyError,), {})('no')", KeyError),
        ("np.linalg.LinAlgError('no')", ValueError),
        ("UnicodeDecodeError('utf-8', b'', 0, 1, 'no')", UnicodeDecodeError),
        ("KeyboardInterrupt", Exception),
        ("SystemExit", Exception),
        ("GeneratorExit", Exception),
        ("type('\\ud800', (Exception,), {})", Exception),
    ],
)
def test_exceptions_arrive_as_the_nearest_built_in(guest, raised, caught):
    guest.run_cell(f"import numpy as np\ndef f(): raise {raised}")
    with pytest.raises(caught):
        guest.call("f", (), {})


def test_a_missing_name_is_told_apart(guest):
    with pytest.raises(Missing, match="nothing_here"):
        guest.call("nothing_here", (), {})


def test_prints_of_calls_are_kept_from_the_outputs(guest):
    guest.run_cell("def f(x):\n    print('secret', x)\n    return x")
    guest.call("f", (7,), {})
    assert printed(guest, "print('own')") == "own\n"


ENDS = {
    "loop": ("while True: pass", "time"),
    "loop that catches all": (
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        "time",
    ),
    "sleep": ("import time\ntime.sleep(1000)", "time"),
    "work in threads": (
        "import hashlib, threading\ndef f():\n    while True: hashlib.sha256(bytes(10**7))\n"
        "for _ in range(3): threading.Thread(target=f).start()\nf()",
        "time",
    ),
    "work in another process": (
        "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'while True: pass'])",
        "time",
    ),
    "exit": ("import os\nos._exit(0)", "crash"),
    "crash": ("import ctypes\nctypes.string_at(0)", "crash"),
    "memory in many processes": (
        "import os, time\nfor _ in range(8):\n    if not os.fork():\n"
        "        x = os.urandom(1) * (400 * 2**20)\n        time.sleep(100)\ntime.sleep(100)",
        "memory",
    ),
    "shared memory": (
        "import mmap, time\nm = mmap.mmap(-1, 3 * 2**30)\n"
        "for i in range(0, 3 * 2**30, 4096): m[i] = 1\ntime.sleep(100)",
        "memory",
    ),
}


@pytest.mark.parametrize(("source", "cause"), ENDS.values(), ids=ENDS)
def test_what_takes_too_much_is_stopped(sandbox, source, cause):
    with sandbox.guest(sandbox.new_budget()) as guest:
        with pytest.raises(Stopped) as stopped:
            guest.run_cell(source)
        assert stopped.value.cause == cause
        assert "it " in str(stopped.value)
    with sandbox.guest(sandbox.new_budget()) as guest:
        assert printed(guest, "print(1)") == "1\n"


def test_a_memory_bomb_is_an_error_the_notebook_survives(guest):
    assert guest.run_cell("x = [bytearray(10**8) for _ in range(100)]").error == "MemoryError"
    assert printed(guest, "print(1)") == "1\n"


def test_pages_that_forks_share_are_counted_once(guest):
    # They end at one moment, while the watch looks at one after another.
    source = """
import os, time
x = os.urandom(1) * (500 * 2**20)
for _ in range(3):
    end = time.time() + 0.2
    for _ in range(7):
        if not os.fork():
            time.sleep(max(0, end - time.time()))
            os._exit(0)
    for _ in range(7):
        os.wait()
print(1)
"""
    assert printed(guest, source) == "1\n"


def test_a_process_that_ended_holds_no_memory_and_one_whose_thread_ended_does():
    with subprocess.Popen(["sleep", "100"]) as process:
        usage = watch._usage(process.pid)
        process.kill()
    assert usage.memory > 0
    assert watch._private(usage) == 0
    own = watch._usage(os.getpid())
    assert watch._private(replace(own, thread=usage.thread)) > 0


def test_a_fork_bomb_ends_and_takes_nobody_with_it(sandbox):
    with sandbox.guest(sandbox.new_budget()) as guest:
        output = guest.run_cell("import os\nfor _ in range(10_000): os.fork()")
        assert output.error in ("BlockingIOError", "OSError")
        assert printed(guest, "print(1)") == "1\n"


def test_output_is_cut_and_the_cut_is_told(guest):
    output = guest.run_cell("for _ in range(200): print('x' * 10**6)")
    assert output.cut
    assert len(output.text) == SHORT.output
    output = guest.run_cell("import sys\nsys.__stdout__.write('x' * 10**8)\nprint('on')")
    assert output.text == "on\n" or "on" in output.text


def test_files_are_bounded_and_gone_afterwards(sandbox):
    fill = (
        "import os\nsize = 0\ntry:\n    for i in range(100):\n"
        "        size += open(f'{place}/{i}', 'wb').write(bytes(10 * 2**20))\n"
        "except OSError as error: print(error.errno)\nprint(size)"
    )
    for place in (".", "/dev/shm"):
        with sandbox.guest(sandbox.new_budget()) as guest:
            guest.run_cell(f"place = {place!r}")
            errno, size = printed(guest, fill).split()
            assert errno == "28"  # no space left
            assert int(size) <= SHORT.disk
        with sandbox.guest(sandbox.new_budget()) as guest:
            assert printed(guest, f"import os\nprint(os.listdir({place!r}))") == "[]\n"


def test_one_file_is_bounded(guest):
    output = guest.run_cell("open('a', 'wb').write(bytes(100 * 2**20))")
    assert output.error == "OSError"


def test_only_its_own_processes_are_seen(guest):
    seen = "import os\nprint(os.getpid(), [p for p in os.listdir('/proc') if p.isdigit()])"
    assert printed(guest, seen) == "1 ['1']\n"


def test_secrets_and_the_course_are_not_there(guest, monkeypatch):
    root = Path(__file__).parents[2]
    for path in (root / "solutions", root / "tests", root / "nbgrader_config.py", Path.home()):
        listing = f"import os\nprint(os.path.exists({str(path)!r}))"
        if path != Path.home():
            assert printed(guest, listing) == "False\n", path
    environment = printed(guest, "import os\nprint(sorted(os.environ))")
    assert "SECRET" not in environment
    assert "USER" not in environment


def test_nothing_outside_its_own_places_can_be_written(guest):
    script = """
import contextlib
import os
for place in ("/", "/usr", "/etc", "/dev", "/proc", "/proc/sys/kernel", "/home", "/run", "/var"):
    try:
        open(os.path.join(place, "x"), "w")
    except OSError:
        continue
    print(place)
"""
    assert printed(guest, script) == ""


def test_what_it_is_shown_cannot_be_written(guest):
    # Whoever grades may own these files, and no permission protects them then.
    for folder in launch._shown(["autograder", "sdpa", "tutor"]):
        flags = f"import os\nprint(os.statvfs({folder!r}).f_flag & os.ST_RDONLY)"
        assert printed(guest, flags) == f"{os.ST_RDONLY}\n", folder


def test_there_is_no_network(guest):
    script = """
import socket
for family in range(1, 50):
    for make in (socket.socket, socket.socketpair):
        try:
            make(family, socket.SOCK_STREAM)
            print(make.__name__, family)
        except OSError:
            pass
"""
    assert printed(guest, script).split("\n") == ["socket 1", "socketpair 1", ""]


def test_system_calls_that_lead_out_fail(guest):
    script = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
calls = {
    "unshare": lambda: libc.unshare(0x10000000),
    "mount": lambda: libc.mount(b"none", b"/tmp", b"tmpfs", 0, None),
    "umount": lambda: libc.umount2(b"/proc", 2),
    "chroot": lambda: libc.chroot(b"/tmp"),
    "ptrace": lambda: libc.ptrace(0, 0, 0, 0),
    "memfd": lambda: libc.memfd_create(b"x", 0),
    "shmget": lambda: libc.shmget(0, 4096, 0o1600),
    "setuid": lambda: libc.setuid(0),
    "clone": lambda: libc.syscall(56 if os.uname().machine == "x86_64" else 220,
                                  0x10000000 | 17, 0, 0, 0, 0),
    "capset": lambda: libc.prctl(47, 2, 0, 0, 0),
}
print([name for name, call in calls.items() if call() >= 0])
print(open("/proc/self/status").read().split("CapEff:")[1].split()[0])
"""
    done, capabilities = printed(guest, script).splitlines()
    assert done == "[]"
    assert int(capabilities, 16) == 0


def test_limits_cannot_be_raised(guest):
    script = """
import resource
for which in (resource.RLIMIT_DATA, resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE):
    try:
        resource.setrlimit(which, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        print(which)
    except ValueError:
        pass
"""
    assert printed(guest, script) == ""


def test_nothing_survives(sandbox):
    with sandbox.guest(sandbox.new_budget()) as guest:
        pid = outer_pid(guest._watched.handle)
        guest.run_cell(
            "import subprocess\nfor _ in range(3):\n"
            "    subprocess.Popen(['setsid', 'sleep', '1000'], start_new_session=True)"
        )
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        assert children
    time.sleep(0.1)
    for process in (str(pid), *children):
        assert not Path(f"/proc/{process}").exists()


def test_a_forged_answer_ends_the_guest(sandbox):
    forge = (
        "import os, socket, struct\n"
        "def f(x):\n"
        '    text = b\'{"n": 99, "result": 1}\'\n'
        "    for fd in range(3, 20):\n"
        "        try: os.write(fd, struct.pack('!III', len(text), 0, 0) + text)\n"
        "        except OSError: pass\n"
        "    return x\n"
    )
    with sandbox.guest(sandbox.new_budget()) as guest:
        guest.run_cell(forge)
        with pytest.raises(Stopped) as stopped:
            guest.call("f", (1,), {})
        assert stopped.value.cause == "protocol"


def test_a_copy_of_the_process_does_not_answer(guest):
    guest.run_cell("import os\ndef f():\n    os.fork()\n    return os.getpid()")
    assert guest.call("f", (), {}) == 1
    assert guest.call("f", (), {}) == 1


def test_time_adds_up_over_guests(sandbox):
    budget = sandbox.new_budget()
    with sandbox.guest(budget) as guest:
        guest.run_cell(
            "import time\nend = time.process_time() + 0.5\nwhile time.process_time() < end: pass"
        )
    assert budget.cpu >= 0.4
    budget.cpu = SHORT.total_cpu
    with sandbox.guest(budget) as guest, pytest.raises(Stopped):
        guest.run_cell("while True: pass")


def test_two_runs_draw_the_same_numbers(sandbox):
    draw = "import random, numpy, torch\nprint(random.random(), numpy.random.rand(), torch.rand(1))"
    texts = []
    for _ in range(2):
        with sandbox.guest(sandbox.new_budget()) as guest:
            texts.append(printed(guest, draw))
    assert texts[0] == texts[1]


def test_without_bubblewrap_it_refuses_and_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(launch.shutil, "which", lambda name: None)
    with pytest.raises(SandboxError, match="apt install bubblewrap"):
        Sandbox(SHORT, [], [])


def test_unprotected_code_leaves_no_folder_behind():
    unprotected = Sandbox(SHORT, [], [], isolated=False)
    with unprotected as sandbox, sandbox.guest(sandbox.new_budget()) as guest:
        place = printed(guest, "import os\nopen('a', 'w').write('b')\nprint(os.getcwd())").strip()
        assert Path(place, "a").is_file()
    assert not Path(place).parent.exists()


def test_a_sandbox_that_does_not_start_says_why(monkeypatch, tmp_path):
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho setting up uid map: Permission denied >&2\nexit 1\n")
    broken.chmod(0o755)
    tmp_path.chmod(0o755)
    monkeypatch.setattr(launch, "find_bubblewrap", lambda: str(broken))
    monkeypatch.setattr(os, "getuid", lambda: 1000)
    with pytest.raises(SandboxError, match=r"uid map: Permission denied"):
        Sandbox(SHORT, [], [])


def test_it_ends_with_the_process_that_started_it():
    with Sandbox(SHORT, [], []) as sandbox:
        pid = sandbox._parent.process.pid
        with sandbox.guest(sandbox.new_budget()) as guest:
            inner = outer_pid(guest._watched.handle)
            sandbox._parent.process.kill()
            sandbox._parent.process.wait()
            time.sleep(0.2)
            assert not Path(f"/proc/{inner}").exists()
    assert not Path(f"/proc/{pid}").exists()


def test_a_parent_that_is_gone_is_replaced():
    with Sandbox(SHORT, [], []) as sandbox:
        for _ in range(2):
            sandbox._parent.process.kill()
            sandbox._parent.process.wait()
            with sandbox.guest(sandbox.new_budget()) as guest:
                assert printed(guest, "print(1)") == "1\n"


def test_a_parent_that_cannot_be_replaced_is_told(monkeypatch):
    with Sandbox(SHORT, [], []) as sandbox:
        sandbox._parent.process.kill()
        sandbox._parent.process.wait()
        monkeypatch.setattr(launch.shutil, "which", lambda name: None)
        with pytest.raises(SandboxError, match="bubblewrap"), sandbox.guest(sandbox.new_budget()):
            pass


def test_a_parent_that_ends_is_no_failure_of_the_student(sandbox):
    with Sandbox(SHORT, [], []) as own, own.guest(own.new_budget()) as guest:
        guest.run_cell("import time\ndef f(): time.sleep(5)")
        threading.Timer(0.3, own._parent.process.kill).start()
        with pytest.raises(SandboxError, match="gone"):
            guest.call("f", (), {})


def test_a_thread_that_vanishes_hides_no_process(monkeypatch):
    threads = watch._threads
    monkeypatch.setattr(watch, "_threads", lambda pid: ["999999999", *threads(pid)])
    with subprocess.Popen(["sleep", "60"]) as child:
        try:
            assert child.pid in watch._children(os.getpid())
        finally:
            child.kill()


def test_several_take_guests_from_one_parent():
    with Parent(SHORT, ["numpy"], []) as parent:
        ways = [Sandbox(SHORT, ["numpy"], [], address=parent.address) for _ in range(2)]
        with contextlib.ExitStack() as stack:
            guests = []
            for way in ways:
                stack.callback(way.close)
                guests.append(stack.enter_context(way.guest(way.new_budget())))
            for number, guest in enumerate(guests):
                guest.run_cell(f"x = {number}")
            assert [guest.read("x") for guest in guests] == [0, 1]
            # Each is told of its own guest's end.
            for way, guest, code in zip(ways, guests, (3, 4), strict=True):
                guest.run_cell(f"import os\ndef f(): os._exit({code})")
                with pytest.raises(Stopped):
                    guest.call("f", (), {})
                assert way.exit_code(guest._number) == code


def test_guests_end_with_the_connection_of_whoever_asked_for_them():
    with Parent(SHORT, [], []) as parent, Sandbox(SHORT, [], [], address=parent.address) as stays:
        left = Sandbox(SHORT, [], [], address=parent.address)
        with left.guest(left.new_budget()) as guest, stays.guest(stays.new_budget()) as other:
            guest.run_cell("import threading, time\nthreading.Thread(target=time.sleep, args=[60])")
            inner = outer_pid(guest._watched.handle)
            # A report that the one who leaves will not have read.
            with left.guest(left.new_budget()):
                pass
            time.sleep(0.2)
            left._control.close()
            end = time.monotonic() + 10
            while Path(f"/proc/{inner}").exists() and time.monotonic() < end:
                time.sleep(0.02)
            assert not Path(f"/proc/{inner}").exists()
            assert printed(other, "print(1)") == "1\n"
        left._watcher.close()


def test_a_shared_parent_that_is_gone_is_replaced_by_one_of_its_own():
    with Parent(SHORT, [], []) as parent:
        with Sandbox(SHORT, [], [], address=parent.address) as sandbox:
            parent.close()
            assert sandbox.is_gone
            with sandbox.guest(sandbox.new_budget()) as guest:
                assert printed(guest, "print(1)") == "1\n"
        with pytest.raises(SandboxError, match="did not start"):
            Sandbox(SHORT, [], [], address=parent.address)


def test_calls_sent_ahead_are_made_in_order_each_with_arguments_of_its_own(guest):
    guest.run_cell("seen = []\ndef f(x):\n    x += 1\n    seen.append(1)\n    return x * len(seen)")
    arrays = [np.full(3, float(number)) for number in range(3)]
    calls = guest.announce("f", [((array.copy(),), {}) for array in arrays], times=2)
    got = []
    for number, call in enumerate(calls):
        array = arrays[number // 2].copy()
        got.append(call(array)[0])
        assert array[0] == number // 2 + 1
    assert got == [1, 2, 6, 8, 15, 18]


def test_a_call_sent_ahead_that_loops_is_stopped_for_its_own_time(guest):
    guest.run_cell("def f(x):\n    while x: pass\n    return x")
    calls = guest.announce("f", [((0,), {}), ((1,), {}), ((0,), {})])
    assert next(calls)(0) == 0
    with pytest.raises(Stopped, match="too long"):
        next(calls)(1)


def test_calls_sent_ahead_and_not_waited_for_disturb_nothing(guest):
    guest.run_cell("def f(x): return x")
    calls = guest.announce("f", [((number,), {}) for number in range(5)], times=2)
    assert next(calls)(0) == 0
    assert printed(guest, "print('now')") == "now\n"
    assert guest.call("f", (7,), {}) == 7


def test_many_large_calls_travel_in_several_messages(guest):
    guest.run_cell("def f(x): return x.sum()")
    large = np.ones(2**18)
    calls = guest.announce("f", [((large,), {})] * 12)
    assert [call(large) for call in calls] == [2.0**18] * 12
