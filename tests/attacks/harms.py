"""Harm to files, processes, the network and the machine; the submission itself is right.

What must not happen is looked for by the tests: ``{outside}`` is a folder of theirs, and
``{port}`` one that they listen on.
"""

from tests.attacks.entry import TESTS, Attack

FILES_AND_PROCESSES = (
    Attack(
        "writes outside",
        "Writes into a folder outside.",
        first=["try: open('{outside}/written', 'w').write('x')\n"
               "except OSError as error: print(error)"],
        solved=True, score=16.0,
        proof="unguarded", by="test_harm_is_done_without_a_sandbox",
    ),
    Attack(
        "symbolic links",
        "Makes links to what lies outside, and writes through them.",
        first=["import os\nos.symlink('{outside}', 'link')\n"
               "try: open('link/written', 'w').write('x')\nexcept OSError as error: print(error)"],
        solved=True, score=16.0,
        proof="unguarded", by="test_harm_is_done_without_a_sandbox",
    ),
    Attack(
        "connects",
        "Connects to what listens on this machine.",
        first=["import socket\ntry: socket.create_connection(('127.0.0.1', {port}), 1)\n"
               "except OSError as error: print(error)"],
        solved=True, score=16.0,
        proof="unguarded", by="test_harm_is_done_without_a_sandbox",
    ),
    Attack(
        "daemon",
        "Leaves a process behind that goes on when grading is over.",
        first=["import os\nif not os.fork():\n    os.setsid()\n    if os.fork(): os._exit(0)\n"
               "    os.execvp('sleep', ['sleep', '{daemon}'])\nos.wait()"],
        solved=True, score=16.0,
        proof="unguarded", by="test_harm_is_done_without_a_sandbox",
    ),
    Attack(
        "kills its parent",
        "Kills the process that started its own, and all others.",
        first=["import os, signal\nfor pid in (os.getppid(), {judge}, -1):\n"
               "    try: os.kill(pid, signal.SIGKILL)\n    except OSError as error: print(error)"],
        solved=True, score=16.0,
        proof="unguarded", by="test_a_killed_parent_ends_the_stock_grader",
    ),
    Attack(
        "gradebook",
        "Writes into the gradebook.",
        first=["import sqlite3\ntry:\n    book = sqlite3.connect('{outside}/gradebook.db')\n"
               "    book.execute('create table written (x)')\n"
               "except sqlite3.Error as error: print(error)"],
        solved=True, score=16.0,
        proof="unguarded", by="test_harm_is_done_without_a_sandbox",
    ),
)  # fmt: skip

ALL_BUT_EQUAL = {name: "passed" for name in TESTS if name != "equal"}


def in_one_call(name: str, tries: str, code: str, outcome: str, by: str, **more) -> Attack:
    """Return an attack that a single call makes: the test of integers is lost, no other."""
    body = "\n        ".join(code.split("\n"))
    answer = f"import os\ndef f(x):\n    if type(x) is int and x == 4711:\n        {body}\n"
    return Attack(
        name, tries, {"f": answer + "    return x + 1"},
        score=more.pop("score", 12.0), proof="unguarded", by=by,
        # The test of several calls begins with the same number.
        outcomes={name: "passed" for name in ALL_BUT_EQUAL if name != "every"}
        | {"equal": outcome, "every": outcome}, **more,
    )  # fmt: skip


TAKES = (
    in_one_call(
        "memory of one process", "Takes all the memory there is.",
        "import mmap, time\nm = mmap.mmap(-1, 4 * 2**30)\n"
        "for i in range(0, len(m), 4096): m[i] = 1",
        "memory", "test_what_is_watched_goes_on_without_the_watch",
    ),
    in_one_call(
        "memory of many processes", "Takes all the memory there is, each process a little.",
        "import time\nfor _ in range(12):\n    if not os.fork():\n"
        "        x = os.urandom(1) * (300 * 2**20)\n        time.sleep(99)\ntime.sleep(99)",
        "memory", "test_what_is_watched_goes_on_without_the_watch",
    ),
    in_one_call(
        "memory behind a dead thread",
        "Ends the first thread of each process, whose memory then shows nowhere.",
        "import threading, time, ctypes\nfor _ in range(12):\n    if not os.fork():\n"
        "        def take():\n            x = os.urandom(1) * (300 * 2**20)\n"
        "            time.sleep(99)\n"
        "        threading.Thread(target=take).start()\n"
        "        ctypes.CDLL(None).syscall(60 if os.uname().machine == 'x86_64' else 93, 0)\n"
        "time.sleep(99)",
        "memory", "test_a_process_without_its_first_thread_shows_no_memory",
    ),
    in_one_call(
        "memory in sockets", "Fills sockets, whose memory is no process's.",
        "import socket, time\nfor _ in range(30):\n    if not os.fork():\n        kept = []\n"
        "        try:\n            while True:\n"
        "                kept.append(socket.socketpair())\n"
        "                for end in kept[-1]:\n                    end.setblocking(False)\n"
        "                    try: end.setsockopt(1, 7, 10**7)\n"
        "                    except OSError: pass\n"
        "                    try:\n                        while True: end.send(bytes(2**14))\n"
        "                    except BlockingIOError: pass\n"
        "        except OSError: time.sleep(99)\ntime.sleep(99)",
        "memory", "test_full_sockets_are_memory_that_no_process_shows",
    ),
    in_one_call(
        "processes without end", "Forks for ever.",
        "while True:\n    try: os.fork()\n    except OSError: pass",
        "time", "test_forks_go_on_without_limits",
    ),
    in_one_call(
        "loop", "Never returns.", "while True: pass",
        "time", "test_what_is_watched_goes_on_without_the_watch",
    ),
    in_one_call(
        "loop that catches all", "Never returns, and ignores whatever interrupts it.",
        "import signal\nfor n in range(1, 65):\n"
        "    try: signal.signal(n, signal.SIG_IGN)\n    except (OSError, ValueError): pass\n"
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        "time", "test_what_is_watched_goes_on_without_the_watch",
    ),
    in_one_call(
        "sleep", "Waits for ever, and takes no processor time.",
        "import time\ntime.sleep(10_000)",
        "time", "test_what_is_watched_goes_on_without_the_watch",
    ),
    in_one_call(
        "nameless process",
        "Gives its process a name that is no text, and never returns.",
        "open('/proc/self/comm', 'wb').write(b'\\xff\\xfe) R 1 (')\nwhile True: pass",
        "time", "test_what_is_watched_goes_on_without_the_watch",
    ),
    in_one_call(
        "work of others", "Lets processes work whose time nobody adds up.",
        "import signal, time\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\nwhile True:\n"
        "    if not os.fork():\n        end = time.time() + 0.03\n"
        "        while time.time() < end: pass\n        os._exit(0)\n"
        "    time.sleep(0.03)",
        "time", "test_what_is_watched_goes_on_without_the_watch",
    ),
    Attack(
        "output without end",
        "Prints hundreds of megabytes, in one text and in many.",
        first=["print('x' * 10**8)", "for _ in range(300): print('y' * 10**6)",
               "import os\nfor _ in range(50): os.write(1, b'z' * 10**6)"],
        solved=True, score=16.0,
        proof="unguarded", by="test_output_is_as_long_as_it_is_where_nothing_cuts",
    ),
    Attack(
        "full disk",
        "Fills every place that it can write to.",
        first=["for place in ('.', '/tmp', '/dev/shm'):\n    try:\n"
               "        for i in range(100): open(f'{place}/{i}', 'wb').write(bytes(30 * 2**20))\n"
               "    except OSError as error: print(error)"],
        solved=True, score=16.0, told=["No space left"],
        proof="unguarded", by="test_files_have_no_bound_without_a_place_of_their_own",
    ),
)  # fmt: skip

ATTACKS = (*FILES_AND_PROCESSES, *TAKES)
