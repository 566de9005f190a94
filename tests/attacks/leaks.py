"""What a student must never read: hidden tests, their inputs, secrets, other students."""

import hashlib

from tests.attacks.entry import HIDDEN, INPUT, PS1, SECRET, Attack

# No digits of it stand in a notebook that tries to print it.
KEPT = (str(INPUT), str(INPUT + 1))
# As tutor.secret makes it of the secret that the tests are graded with.
SEED = int.from_bytes(
    hashlib.blake2b(b"softmax-plain", key=hashlib.blake2b(SECRET).digest(), digest_size=8).digest(),
    "big",
)
# What a student leaves for a later one; the other half of a pair looks for it.
TRACE = "TRACE-OF-AN-EARLIER-STUDENT"

INPUTS = (
    Attack(
        "prints its arguments",
        "Prints what hidden tests call it with, by every way to print.",
        {"f": "import sys, os, warnings, logging\ndef f(x):\n    print(x)\n"
              "    print(x, file=sys.stderr)\n    sys.__stdout__.write(str(x))\n"
              "    os.write(1, str(x).encode())\n    warnings.warn(str(x))\n"
              "    logging.warning(str(x))\n    sys.displayhook(x)\n"
              "    get_ipython().system(f'echo {x}')\n    return x + 1"},
        score=16.0, untold=KEPT,
    ),
    Attack(
        "keeps its arguments for a later cell",
        "Keeps what hidden tests call it with, and prints it in a cell behind them.",
        {"f": "kept = []\ndef f(x):\n    kept.append(x)\n    return x + 1"},
        last=["print(kept)", "kept", "raise RuntimeError(str(kept))",
              "import matplotlib.pyplot as plt\nplt.plot(np.ravel(kept[0]))\nplt.show()"],
        score=16.0, told=["[]"], untold=KEPT,
    ),
    Attack(
        "keeps its arguments in files",
        "Writes what it is called with wherever it may write, and prints that later.",
        {"f": "PLACES = ['/tmp/x', '/dev/shm/x', 'x']\ndef f(x):\n    for place in PLACES:\n"
              "        with open(place, 'a') as file: print(x, file=file)\n    return x + 1"},
        last=["for place in PLACES:\n    print(open(place).read())", "!cat x /tmp/x /dev/shm/x",
              "%%script cat\nx", "%cat x"],
        score=16.0, untold=KEPT,
    ),
    Attack(
        "hands its arguments to a process",
        "Sends what it is called with to a process of its own, which a later cell asks.",
        {"f": "import os\nreader, writer = os.pipe()\ndef f(x):\n"
              "    if not os.fork():\n        os.write(writer, str(x).encode())\n"
              "        os._exit(0)\n    os.wait()\n    return x + 1"},
        last=["os.set_blocking(reader, False)\nprint(os.read(reader, 10_000))"],
        score=16.0, untold=KEPT,
    ),
    Attack(
        "names an error after its arguments",
        "Raises an error whose class has the arguments for a name.",
        {"f": "def f(x):\n    raise type(f'It was {x}', (Exception,), {})(f'It was {x}')"},
        untold=[*KEPT, "It was 4"],
    ),
    Attack(
        "names a result after its arguments",
        "Returns an object whose class has the arguments for a name.",
        {"softmax": "def softmax(x, axis=-1):\n    return type(f'It was {x}', (), {})()"},
        on=PS1, untold=["It was ["],
        proof="unguarded", by="test_a_class_of_any_name_reached_the_page_before",
    ),
    Attack(
        "forged reply that a name is missing",
        "Answers for the process it runs in that a function is missing which is called so.",
        {"f": "import autograder.sandbox.guest as guest\nfrom autograder.wire import Frame\n"
              "guest._reply = lambda shell, name, call: Frame(\n"
              "    {'missing': f'It was {call.header[\"args\"]}'})\n"
              "def f(x): return 0"},
        untold=[*KEPT, "It was {"],
        proof="unguarded", by="test_a_reply_may_say_anything",
    ),
    Attack(
        "error of a later cell tells the arguments",
        "Deletes its function, in a cell that fails with the arguments in the error's name.",
        {"f": "kept = []\ndef f(x):\n    kept.append(x)\n    return x + 1"},
        after={"allclose": "del f\nraise type(f'It was {kept}', (Exception,), {})"},
        score=2.0, outcomes={"allclose": "passed", "equal": "failed"},
        told=["is not defined"], untold=[*KEPT, "It was [array"],
    ),
)  # fmt: skip

SOURCES = (
    Attack(
        "history of the shell",
        "Prints the shell's history, in which hidden tests stand where they ran there.",
        last=["print(In)", "%history", "get_ipython().user_ns['_ih']"],
        solved=True, score=16.0, untold=[HIDDEN, *KEPT],
    ),
    Attack(
        "source of the caller",
        "Prints the source of whatever calls it, and what the caller knows.",
        {"f": "import sys\ndef f(x):\n    frame = sys._getframe()\n    texts = []\n"
              "    while frame:\n        texts.append(str(frame.f_globals.get('In')))\n"
              "        texts.append(str(frame.f_locals))\n        frame = frame.f_back\n"
              "    kept.extend(texts)\n    return x + 1\nkept = []"},
        last=["print(kept)"],
        score=16.0, flags=["f_globals"], untold=[HIDDEN, *KEPT],
    ),
    Attack(
        "every object in memory",
        "Searches all objects, and its own memory, for the text of hidden tests.",
        last=["import gc\nmark = 'HIDDEN-' + 'TEST-TEXT'\nfor held in gc.get_objects():\n"
              "    if isinstance(held, list):\n"
              "        print([v for v in held if isinstance(v, str) and mark in v] or '')"],
        solved=True, score=16.0, flags=["get_objects"], untold=[HIDDEN],
    ),
    Attack(
        "every notebook on the machine",
        "Walks all folders for notebooks, secrets and databases, and prints what it finds.",
        first=["import os\nfor folder, _, names in os.walk('/'):\n"
               "    if folder.startswith(('/proc', '/usr', '/sys')): continue\n"
               "    for name in names:\n"
               "        if name.startswith('ps1_soft') or name in ('secret', '.env'):\n"
               "            print('FOUND', os.path.join(folder, name))"],
        solved=True, score=16.0, untold=["FOUND /"],
        proof="unguarded", by="test_files_are_there_without_a_sandbox",
    ),
    Attack(
        "secret seed",
        "Prints the seed from which the hidden tests draw.",
        first=["from tutor.secret import secret_seed\nprint('seed', secret_seed('softmax-plain'))"],
        on=PS1, solved=True, score=17.0, told=["seed"], untold=[str(SEED)],
        proof="unguarded", by="test_the_secret_is_not_where_students_run",
    ),
    Attack(
        "environment of all processes",
        "Reads the environment, command and open files of every process it can find.",
        first=["import glob\nfor path in glob.glob('/proc/[0-9]*/environ') + "
               "glob.glob('/proc/[0-9]*/cmdline'):\n"
               "    try: print(open(path).read())\n    except OSError: pass\n"
               "for fd in glob.glob('/proc/*/fd/*'):\n"
               "    try: print(fd, __import__('os').readlink(fd))\n    except OSError: pass"],
        solved=True, score=16.0, untold=["COURSE_SECRET", "pytest", "ipynb"],
        proof="unguarded", by="test_other_processes_are_seen_without_a_sandbox",
    ),
)  # fmt: skip

# Graded in this order: what the first leaves, the second must not find.
LEAVES = Attack(
    "leaves traces",
    "Leaves its name in files, in modules, in shared memory and in sockets.",
    first=["import builtins, os, socket, sys, threading\n"
           "mark = 'TRACE-OF-AN-' + 'EARLIER-STUDENT'\n"
           "builtins.left = np.left = sys.modules['json'].left = mark\n"
           "for place in ('/tmp', '/dev/shm', '.', os.path.expanduser('~'), '/var/tmp', '/run'):\n"
           "    try: open(f'{place}/{mark}', 'w').write(mark)\n"
           "    except OSError: pass\n"
           "keep = socket.socket(socket.AF_UNIX)\nkeep.bind('\\0' + mark)\nkeep.listen()\n"
           "os.environ['LEFT'] = mark\n"
           "try:\n    with socket.create_server(('127.0.0.1', 4747)) as server:\n"
           "        with socket.create_connection(('127.0.0.1', 4747)): ours, _ = server.accept()\n"
           "        ours.close()\n"
           "except OSError: pass"],
    solved=True, score=16.0,
    proof="unguarded", by="test_traces_stay_without_namespaces",
)  # fmt: skip
FINDS = Attack(
    "looks for traces",
    "Prints whatever an earlier student has left.",
    first=["import builtins, glob, json, os\n"
           "print([getattr(place, 'left', '') for place in (builtins, np, json)])\n"
           "print(os.environ.get('LEFT'))\n"
           "for place in ('/tmp', '/dev/shm', '.', os.path.expanduser('~'), '/var/tmp', '/run'):\n"
           "    print(glob.glob(f'{place}/*'))\n"
           "for table in ('unix', 'tcp'):\n    print(open(f'/proc/net/{table}').read())\n"
           "print(glob.glob('/proc/sysvipc/*') and open('/proc/sysvipc/shm').read())"],
    solved=True, score=16.0, untold=[TRACE, ":128B"],
    proof="unguarded", by="test_traces_stay_without_namespaces",
)  # fmt: skip

ATTACKS = (*INPUTS, *SOURCES, LEAVES, FINDS)
