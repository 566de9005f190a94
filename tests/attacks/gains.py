"""Points without an answer: what must score nothing, or be flagged."""

from tests.attacks.entry import PS1, Attack

WRONG = "def f(x):\n    return 0"

INTO_THE_TESTS = (
    Attack(
        "replaced comparisons",
        "Replaces the functions of NumPy and torch that compare.",
        {"f": "import torch\nnp.testing.assert_allclose = lambda *a, **k: None\n"
              "torch.testing.assert_close = lambda *a, **k: None\nnp.all = lambda *a: True\n"
              "import builtins\nbuiltins.all = lambda *a: True\ndef f(x):\n    return 0"},
    ),
    Attack(
        "replaced check",
        "Replaces the course's check by one that is always content.",
        first=["import tutor.checks\ncheck = tutor.checks.check = lambda *a, **k: None"],
        on=PS1,
    ),
    Attack(
        "replaced verdict",
        "Makes every record of the course's checks say that it is right.",
        first=["from tutor.checks.diagnosis import Record\nRecord.is_right = True"],
        on=PS1,
    ),
    Attack(
        "replaced oracle",
        "Replaces the right answer, with which answers are compared, by its own.",
        first=["from tutor.checks import problems\nimport dataclasses\n"
               "for name, p in list(problems.PROBLEMS.items()):\n"
               "    object.__setattr__(p, 'oracle', lambda *a, **k: (0.0, 0.0))\n"
               "    object.__setattr__(p, 'exponents', lambda *a, **k: 0.0)\n"],
        answers={name: f"def {name.replace('-', '_')}(*a, **k):\n    return 0.0, 0.0"
                 for name in ("softmax", "soft-lookup", "attention")},
        on=PS1,
    ),
    Attack(
        "replaced seed",
        "Replaces the secret seed, so that the inputs of hidden tests are known.",
        first=["import tutor.secret\nsecret_seed = tutor.secret.secret_seed = lambda grade_id: 0\n"
               "real = np.random.default_rng\n"
               "class Zeros:\n"
               "    def normal(self, *a, **k): return 0.0\n"
               "np.random.default_rng = lambda *a: Zeros()"],
        answers={"f": "def f(x):\n    return 1.0 if isinstance(x, float) else 0"},
        flags=(),
    ),
    Attack(
        "syntax tree transformer",
        "Lets IPython drop every assert before it runs a cell.",
        first=["import ast\nclass Drop(ast.NodeTransformer):\n"
               "    def visit_Assert(self, node): return ast.Pass()\n"
               "get_ipython().ast_transformers.append(Drop())"],
        answers={"f": WRONG},
        proof="stock",
    ),
    Attack(
        "input transformer",
        "Lets IPython empty every cell that holds a test.",
        first=["get_ipython().input_transformers_cleanup.append(\n"
               "    lambda lines: ['pass\\n'] if 'assert' in ''.join(lines) else lines)"],
        answers={"f": WRONG},
    ),
    Attack(
        "replaced kernel",
        "Replaces the shell's way to run a cell by one that does nothing and is content.",
        first=["shell = get_ipython()\ngood = shell.run_cell('1')\n"
               "async def content(*a, **k): return good\n"
               "shell.run_cell = lambda *a, **k: good\nshell.run_cell_async = content"],
        answers={"f": WRONG},
        proof="stock",
    ),
    Attack(
        "partial credit from the answer",
        "Shows 2.0 as a result of the test's cell, from inside the function.",
        {"f": "import sys\ndef f(x):\n    sys.displayhook(2.0)\n    raise SystemExit"},
        proof="stock",
    ),
    Attack(
        "shadow module",
        "Leaves a module beside the notebook that a test will import.",
        first=["import sys\nsys.path.insert(0, '.')\nsys.modules.pop('colorsys', None)\n"
               "open('colorsys.py', 'w').write('def rgb_to_hsv(*a): return [0, 0, 1.5]')"],
        answers={"f": "def f(x):\n    return x if type(x) is float and x == 1.5 else 0"},
    ),
    Attack(
        "jump over the assert",
        "Traces the test, and moves it on behind the line that compares.",
        {"f": "import sys\ndef f(x):\n    caller = sys._getframe(1)\n"
              "    def jump(frame, event, arg):\n"
              "        if event == 'line' and frame is caller:\n"
              "            frame.f_lineno += 1\n"
              "            frame.f_trace = None\n"
              "        return jump\n"
              "    caller.f_trace = jump\n    sys.settrace(lambda *a: None)\n    return 0"},
        flags=["settrace", "_getframe"],
        proof="unguarded",
        by="test_a_test_can_be_traced_where_it_runs_beside_the_answer",
    ),
    Attack(
        "AssertionError with feedback",
        "Raises what a check would raise, with words of its own for the student's page.",
        {"f": "def f(x):\n    e = AssertionError('full marks')\n"
              "    e.feedback = 'You have full ' + 'marks.'\n    raise e"},
        untold=["You have full marks."],
        proof="unguarded",
        by="test_an_error_keeps_its_words_where_it_does_not_cross_the_wire",
    ),
)  # fmt: skip

RESULTS = (
    Attack(
        "equal to everything",
        "Returns an object that equals whatever it is compared with.",
        {"f": "class Same:\n    def __eq__(self, other): return True\n"
              "    def __float__(self): return 2.0\n"
              "def f(x): return Same()"},
    ),
    Attack(
        "array that lies",
        "Returns an array whose comparisons are always true.",
        {"f": "class Liar(np.ndarray):\n"
              "    def __array_ufunc__(self, ufunc, *a, **k): return np.True_\n"
              "    def __array_function__(self, *a, **k): return True\n"
              "    def __bool__(self): return True\n"
              "def f(x): return np.zeros(np.shape(x)).view(Liar)"},
    ),
    Attack(
        "tensor that lies",
        "Returns a tensor that answers every function of torch with itself.",
        {"f": "import torch\nclass Liar(torch.Tensor):\n"
              "    @classmethod\n    def __torch_function__(cls, *args, **kwargs):\n"
              "        return True\n"
              "    def __eq__(self, other): return True\n"
              "def f(x): return torch.zeros(np.shape(x)).as_subclass(Liar)"},
    ),
    Attack(
        "array made when it is looked at",
        "Returns an object that becomes what the test expects when it is compared.",
        {"f": "class Late:\n    def __array__(self, *a, **k):\n"
              "        return np.asarray(get_ipython().user_ns['expected'])\n"
              "    __float__ = __array__\n"
              "def f(x): return Late()"},
    ),
    Attack(
        "number that lies",
        "Returns floats of a class of its own that equal everything.",
        {"f": "class Any(float):\n    def __eq__(self, other): return True\n"
              "    __hash__ = float.__hash__\n"
              "def f(x): return Any(0)"},
    ),
    Attack(
        "points from the answer",
        "Returns NaN where a test takes a part of the points from the answer.",
        {"f": "def f(x): return float('nan')"},
        outcomes={"part": "error"},
        proof="stock",
    ),
    Attack(
        "text for points",
        "Returns a text where a test takes a part of the points from the answer.",
        {"f": "def f(x): return 'lots'"},
        outcomes={"part": "error"},
        proof="stock",
    ),
    Attack(
        "result that changes later",
        "Returns a list that a thread fills with what the test expects.",
        {"f": "import threading, time\nclass Filled(list):\n"
              "    def __array__(self, *a, **k):\n        time.sleep(0.3)\n"
              "        return np.array(list(self))\n"
              "def f(x):\n    y = Filled([0, 0])\n"
              "    def fill():\n        time.sleep(0.1)\n"
              "        y[:] = list(get_ipython().user_ns.get('expected', y))\n"
              "    threading.Thread(target=fill).start()\n    return y"},
    ),
)  # fmt: skip

READING = (
    Attack(
        "expected value in a frame",
        "Walks the stack to the test, and returns what it finds there as expected.",
        {"f": "import sys\ndef f(x):\n    frame = sys._getframe()\n    while frame:\n"
              "        if 'expected' in frame.f_globals: return frame.f_globals['expected']\n"
              "        frame = frame.f_back\n    return 0"},
        flags=["_getframe", "f_back"],
        proof="stock",
    ),
    Attack(
        "truth in a frame",
        "Walks the stack to the course's check, and returns the right answer from there.",
        {"softmax": "import sys\ndef softmax(x, axis=-1):\n    frame = sys._getframe()\n"
                    "    while 'truths' not in frame.f_locals: frame = frame.f_back\n"
                    "    pairs = zip(frame.f_locals['cases'], frame.f_locals['truths'])\n"
                    "    return next(truth.arrays[0] for case, truth in pairs\n"
                    "                if np.array_equal(case.args[0], x)\n"
                    "                and case.kwargs.get('axis', -1) == axis)"},
        on=PS1,
        flags=["f_locals"],
        proof="stock",
    ),
    Attack(
        "truth among all objects",
        "Looks through all objects for the expected values of the check.",
        {"softmax": "import gc\ndef softmax(x, axis=-1):\n"
                    "    return next(o.arrays[0] for o in gc.get_objects()\n"
                    "                if type(o).__name__ == 'Truth'\n"
                    "                and o.arrays[0].shape == np.shape(x) and np.array_equal(\n"
                    "                    o.arrays[0].argmax(axis), np.argmax(x, axis)))"},
        on=PS1,
        flags=["get_objects"],
    ),
    Attack(
        "names of the test",
        "Returns what it finds in the notebook under the name `expected`.",
        {"f": "def f(x): return get_ipython().user_ns.get('expected', 0)"},
    ),
)  # fmt: skip

TEACHER = "softmax = PROBLEMS['softmax'].oracle"
BY_RIGHT_OF_A_RIGHT_ANSWER = (
    Attack(
        "known cases only",
        "Is right on the cases that students see, and nowhere else.",
        {"softmax": "SEEN = [[0, np.log(3), np.log(4)], [1, 2, 4, 0, 0, 0], [1, 2, 4, 0, 0, 3],\n"
                    "        [1000, 1001, 1002], [1000, 1001, 0, 0.5], [0.5, -np.inf, 1.5]]\n"
                    "def softmax(x, axis=-1):\n    x = np.asarray(x, dtype=float)\n"
                    "    if not any(np.array_equal(x.ravel(), seen) for seen in SEEN):\n"
                    "        return x\n"
                    "    e = np.exp(x - x.max(axis=axis, keepdims=True))\n"
                    "    return e / e.sum(axis=axis, keepdims=True)"},
        on=PS1,
        proof="unguarded",
        by="test_known_cases_pass_the_visible_check",
    ),
    Attack(
        "other numbers in the second call",
        "Is right in every first call, and gives what it likes in the second.",
        {"softmax": "calls = []\ndef softmax(x, axis=-1):\n    calls.append(1)\n"
                    "    x = np.asarray(x, dtype=float)\n"
                    "    e = np.exp(x - x.max(axis=axis, keepdims=True))\n"
                    "    return e / e.sum(axis=axis, keepdims=True) * (len(calls) % 2)"},
        on=PS1,
        proof="unguarded",
        by="test_a_function_that_changes_is_right_where_it_is_called_once",
    ),
    Attack(
        "oracle of the checks",
        "Takes the right function from the package that checks.",
        {"softmax": f"from tutor.checks.problems import PROBLEMS\n{TEACHER}"},
        on=PS1, score=6.0, flags=["softmax: line 2 uses tutor.checks.problems.PROBLEMS"],
        proof="by design", by="The package that checks is open; the flag tells.",
    ),
    Attack(
        "oracle by importlib",
        "Takes it by a name in a text.",
        {"softmax": "import importlib\n"
                    "PROBLEMS = importlib.import_module('tutor.checks.problems').PROBLEMS\n"
                    + TEACHER},
        on=PS1, score=6.0, flags=['softmax: line 2 uses "tutor.checks"'],
        proof="by design", by="As above.",
    ),
    Attack(
        "oracle in another cell",
        "Takes it in a cell of its own, behind a magic that no parser knows.",
        first=["%matplotlib inline\ndef teacher(*a, **k):\n"
               "    PROBLEMS = __import__('tutor.checks.problems', fromlist=['x']).PROBLEMS\n"
               "    return PROBLEMS['softmax'].oracle(*a, **k)"],
        answers={"softmax": "def softmax(x, axis=-1):\n    return teacher(x, axis=axis)"},
        on=PS1, score=6.0, flags=["softmax needs the cell 'added-1', where line 3"],
        proof="by design", by="As above.",
    ),
    Attack(
        "library in place of an answer",
        "Calls torch's attention where the point is to write it.",
        {"attention": "import torch.nn.functional as F\nimport torch\n"
                      "def attention(q, k, v):\n"
                      "    q, k, v = (torch.tensor(np.asarray(a), dtype=torch.float64)"
                      " for a in (q, k, v))\n"
                      "    eye = torch.eye(k.shape[-2], dtype=q.dtype)\n"
                      "    return (F.scaled_dot_product_attention(q, k, v),\n"
                      "            F.scaled_dot_product_attention(q, k, eye))"},
        on=PS1, score=7.0,
        flags=["attention: line 6 uses torch.nn.functional.scaled_dot_product_attention"],
        proof="by design", by="A flag never changes a score.",
    ),
    Attack(
        "oracle out of the globals of a check",
        "Reaches the right function through the globals of an imported one.",
        {"softmax": "softmax = check.__globals__['PROBLEMS']['softmax'].oracle"},
        on=PS1, score=6.0, flags=["__globals__, which reaches into other code"],
        proof="by design", by="As above.",
    ),
)  # fmt: skip

ATTACKS = (*INTO_THE_TESTS, *RESULTS, *READING, *BY_RIGHT_OF_A_RIGHT_ANSWER)
