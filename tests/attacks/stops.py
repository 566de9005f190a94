"""What is to stop the grader or to slow it down: the judge, its watch, its sandbox."""

from tests.attacks.entry import TESTS, Attack, notebook

# Takes the place of what the guest sends as the result of a call.
FORGE = (
    "import autograder.sandbox.guest as guest\nfrom autograder.wire import Frame\n"
    "def forge(make):\n"
    "    def reply(shell, name, call):\n"
    "        buffers = []\n        header = make(call.header, buffers)\n"
    "        return Frame(header, buffers)\n"
    "    guest._reply = reply\n"
)


def forged(name: str, tries: str, make: str, by: str, **more) -> Attack:
    """Return an attack in which the guest sends what it likes for each call's result."""
    source = f"{FORGE}def make(header, buffers):\n    {make}\nforge(make)\ndef f(x): return 0"
    return Attack(name, tries, {"f": source}, by=by, **({"proof": "unguarded"} | more))


RESULTS = (
    forged(
        "arrays that share their bytes",
        "Sends a thousand arrays of one buffer, which become gigabytes when they are read.",
        "buffers.append(bytes(2**23))\n"
        "    return {'result': [{'a': [0, '|b1', [2**23], [1], 0, True]}] * 1000}",
        "test_what_the_judge_refuses_would_cost_it",
    ),
    forged(
        "tensors that share their bytes",
        "Sends a thousand tensors of one buffer.",
        "buffers.append(bytes(2**23))\n"
        "    return {'result': [{'T': [0, 'bool', [2**23]]}] * 1000}",
        "test_what_the_judge_refuses_would_cost_it",
    ),
    forged(
        "arguments that hold each other",
        "Says that an argument became lists which double at every level.",
        "lists = [[0]]\n    for i in range(60): lists.append([{'r': i + 1}] * 2)\n"
        "    return {'result': 0, 'after': [{'t': [lists]}, {'d': []}]}",
        "test_what_the_judge_refuses_would_cost_it",
    ),
    forged(
        "numbers that share a hash",
        "Sends a dict whose keys all fall into one slot.",
        "return {'result': {'d': [[i * (2**61 - 1), 0] for i in range(200_000)]}}",
        "test_what_the_judge_refuses_would_cost_it",
    ),
    forged(
        "a million classes",
        "Sends a million objects, each of a class of its own.",
        "return {'result': [{'o': str(i)} for i in range(250_000)]}",
        "test_what_the_judge_refuses_would_cost_it",
    ),
    forged(
        "a million lists",
        "Sends lists within lists, as many as a message holds.",
        "return {'result': [[[[0] for i in range(60)]] for _ in range(4000)]}",
        "Its size is what there is to it; it is refused.", proof="by design",
    ),
    forged(
        "one long text among short ones",
        "Sends texts that NumPy makes as long as the longest.",
        "return {'result': ['x' * 10**6] + ['x'] * 260_000}",
        "test_what_the_judge_refuses_would_cost_it",
    ),
    forged(
        "int of a million digits",
        "Sends numbers that take long to write down.",
        "return {'result': [{'i': hex(1 << 10**6)}] * 20}",
        "Its size is what there is to it; it is no array.", proof="by design",
    ),
    forged(
        "deep nesting", "Sends brackets within brackets.",
        "node = 0\n    for _ in range(900): node = [node]\n    return {'result': node}",
        "Its depth is what there is to it; it is refused.", proof="by design",
    ),
    forged(
        "the same as nothing", "Says that the first result is the same as the one before.",
        "return {'same': True}",
        "There is nothing before it: it is no result.", proof="by design",
    ),
    Attack(
        "small numbers by the million",
        "Returns in every call as many numbers as fit, of one byte each.",
        {"f": "def f(x): return np.zeros(8 * 2**20, dtype=bool)"},
        proof="unguarded", by="test_all_results_together_are_bounded",
    ),
)  # fmt: skip

CHANNEL = (
    Attack(
        "bytes for an answer",
        "Writes into every open file what is no message.",
        {"f": "import os\ndef f(x):\n    for fd in range(3, 64):\n"
              "        try: os.write(fd, b'HTTP/1.1 200 OK\\r\\n' * 10)\n"
              "        except OSError: pass\n    return x + 1"},
        outcomes=dict.fromkeys(TESTS, "crash"),
        proof="unguarded", by="test_a_number_tells_forged_answers",
    ),
    Attack(
        "answer to the next call",
        "Answers a call twice: once for the next one.",
        {"f": "import os, struct\nimport autograder.sandbox.guest as guest\n"
              "real = guest._TASKS['call']\ndef call(shell, frame):\n"
              "    text = b'{\"n\": %d, \"result\": 0}' % (frame.header['n'] + 1)\n"
              "    for fd in range(3, 64):\n"
              "        try: os.write(fd, struct.pack('!III', len(text), 0, 0) + text)\n"
              "        except OSError: pass\n    return real(shell, frame)\n"
              "guest._TASKS['call'] = call\ndef f(x): return x + 1"},
        outcomes=dict.fromkeys(TESTS, "crash"),
        proof="unguarded", by="test_a_number_tells_forged_answers",
    ),
    Attack(
        "slow drip",
        "Sends the beginning of a message, and a byte now and then.",
        {"f": "import os, time\ndef f(x):\n    if type(x) is not int or x != 4711: return x + 1\n"
              "    for fd in range(3, 64):\n        try: os.write(fd, bytes(4) + b'\\xff')\n"
              "        except OSError: pass\n    time.sleep(1000)"},
        score=12.0, outcomes={"equal": "time", "every": "time", "drawn": "passed"},
        proof="unguarded", by="test_what_is_watched_goes_on_without_the_watch",
    ),
    Attack(
        "closed channel",
        "Closes all its files, the channel to the judge among them.",
        {"f": "import os\ndef f(x):\n    if type(x) is int: os.closerange(0, 100)\n"
              "    return x + 1"},
        score=10.0, outcomes={"equal": "crash", "allclose": "passed", "drawn": "passed"},
        proof="inside",
    ),
    Attack(
        "process that ends",
        "Ends its process in one of its calls.",
        {"f": "import os\ndef f(x):\n    if type(x) is int and x == 4711: os._exit(0)\n"
              "    return x + 1"},
        score=12.0, outcomes={"equal": "crash", "every": "crash", "drawn": "passed"},
        proof="inside",
    ),
    Attack(
        "signals", "Sends itself every signal there is.",
        first=["import os\nfor n in range(1, 65):\n    try: os.kill(os.getpid(), n)\n"
               "    except (OSError, KeyboardInterrupt) as error: print(error)\n"],
        solved=True, score=16.0,
        proof="unguarded", by="test_a_signal_ends_a_process_that_is_not_the_first_of_its_own",
    ),
    Attack(
        "stop every way there is",
        "Raises what ends programs, where one cannot expect it.",
        {"f": "def f(x):\n    raise (SystemExit, KeyboardInterrupt, GeneratorExit,"
              " StopIteration, ExceptionGroup('', [OSError()]))[int(np.ravel(x)[0]) % 5]"},
        outcomes={"equal": "error", "allclose": "error"},
        proof="by design", by="A wrong answer is worth nothing; that others are graded shows.",
    ),
    Attack(
        "error that lies",
        "Raises errors whose text and whose bases raise when they are looked at.",
        {"f": "class Meta(type):\n    __mro__ = property(lambda c: 1 / 0)\n"
              "class Bad(Exception, metaclass=Meta):\n    def __str__(self): raise SystemExit\n"
              "    __repr__ = __str__\ndef f(x): raise Bad('<script>' * 10**6)"},
        untold=["<script>"],
        proof="by design", by="As above.",
    ),
    Attack(
        "recursion", "Calls itself for ever, and raises the limit on that.",
        {"f": "import sys\nsys.setrecursionlimit(10**8)\ndef f(x):\n"
              "    return max([x], key=f) if type(x) is int else x + 1"},
        score=10.0, outcomes={"equal": "crash", "drawn": "passed"},
        proof="inside",
    ),
)  # fmt: skip


def _many(cells: list[dict]) -> dict:
    """Return a notebook with as many cells as are taken, each with much output."""
    added = {"cell_type": "code", "source": "print('x' * 10**6)", "metadata": {}}
    return notebook([*cells, *[added] * 60])


def _chains(cells: list[dict]) -> dict:
    source = ("a" + ".b" * 900 + "\n") * 200
    return notebook([{"cell_type": "code", "source": source, "metadata": {}}, *cells])


def _definitions(cells: list[dict]) -> dict:
    source = "".join(f"f = {i}\ng{i} = f\n" for i in range(10))
    return notebook([*[{"cell_type": "code", "source": source, "metadata": {}}] * 300, *cells])


def _prose(cells: list[dict]) -> dict:
    prose = {"cell_type": "markdown", "source": "a = [1, 2, 3]\n" * 300_000, "metadata": {}}
    return notebook([prose, *cells])


FILES = (
    Attack(
        "output of many cells",
        "Prints in each of many cells as much as one may.",
        solved=True, edit=_many, score=16.0,
        proof="unguarded", by="test_outputs_of_all_cells_are_bounded_together",
    ),
    Attack(
        "names without end",
        "Writes attributes of attributes, which take the square of their length to read.",
        solved=True, edit=_chains, score=16.0,
        proof="unguarded", by="test_flags_of_large_notebooks_once_took_minutes",
    ),
    Attack(
        "definitions without end",
        "Defines the function to write in hundreds of cells.",
        solved=True, edit=_definitions, score=16.0,
        proof="unguarded", by="test_flags_of_large_notebooks_once_took_minutes",
    ),
    Attack(
        "code in a text cell",
        "Writes megabytes of Python into a cell of text.",
        solved=True, edit=_prose, score=16.0,
        proof="unguarded", by="test_long_prose_is_not_read_as_code",
    ),
)  # fmt: skip

ATTACKS = (*RESULTS, *CHANNEL, *FILES)
