"""Honest work, however odd, gets its points."""

from tests.attacks.entry import PS1, Attack

SOFTMAX = (
    "    x = np.asarray(x, dtype=float)\n"
    "    e = np.exp(x - x.max(axis=axis, keepdims=True))\n"
    "    return e / e.sum(axis=axis, keepdims=True)"
)


def honest(name: str, tries: str, body: str = SOFTMAX, before: str = "", **more) -> Attack:
    """Return the first problem set solved, with a softmax written in some way."""
    source = f"{before}def softmax(x, axis=-1):\n{body}"
    more = {"answers": {"softmax": source}, "proof": "bites"} | more
    return Attack(name, tries, on=PS1, solved=True, score=17.0, **more)


def cells(name: str, tries: str, *first: str, **more) -> Attack:
    """Return the first problem set solved, with cells added behind the imports."""
    return honest(name, tries, first=first, **more)


ANSWERS = (
    honest("warns", "Warns, prints and logs in every call.",
           "    import warnings, sys, logging\n    warnings.warn('careful')\n    print('called')\n"
           "    print('called', file=sys.stderr)\n    logging.warning('careful')\n" + SOFTMAX),
    honest("divides by zero on the way", "Lets NumPy warn, and mends the result.",
           "    np.log(np.zeros(3)) / 0\n" + SOFTMAX),
    honest("list as a result", "Returns nested lists.",
           SOFTMAX.replace("return e / e.sum(axis=axis, keepdims=True)",
                           "return (e / e.sum(axis=axis, keepdims=True)).tolist()")),
    honest("tensor as a result", "Computes with torch, with gradients on.",
           "    x = torch.tensor(np.asarray(x), dtype=torch.float64, requires_grad=True)\n"
           "    e = torch.exp(x - x.max(axis, keepdim=True).values)\n"
           "    return e / e.sum(axis, keepdim=True)", "import torch\n",
           after={"softmax-blocked": "of_torch = softmax\ndef softmax(x, axis=-1):\n"
                  "    return of_torch(x, axis).detach().numpy()"}),
    honest("single precision", "Computes in float32.",
           SOFTMAX.replace("float)", "np.float32)")),
    honest("object that is called", "Is a class with __call__ in place of a function.",
           answers={"softmax": "class Softmax:\n    def __call__(self, x, axis=-1):\n"
                    + SOFTMAX.replace("    ", "        ") + "\nsoftmax = Softmax()"}),
    honest("lambda", "Is a lambda with helpers.",
           answers={"softmax": "shifted = lambda x, axis: np.exp(np.asarray(x, dtype=float)\n"
                    "    - np.max(np.asarray(x, dtype=float), axis=axis, keepdims=True))\n"
                    "softmax = lambda x, axis=-1: shifted(x, axis) "
                    "/ shifted(x, axis).sum(axis=axis, keepdims=True)"}),
    honest("other names of parameters", "Names its parameters in another script.",
           answers={"softmax": "def softmax(größe, axis=-1):\n    x = größe\n" + SOFTMAX}),
    honest("answer in two cells", "Has its helper in a cell behind the answer's stub.",
           answers={"softmax": "def softmax(x, axis=-1):\n    return helper(x, axis)"},
           after={"softmax": "def helper(x, axis):\n" + SOFTMAX}),
    honest("later try", "Defines the function a second time, below.",
           answers={"softmax": "def softmax(x, axis=-1):\n    return x"},
           after={"softmax": "def softmax(x, axis=-1):\n" + SOFTMAX}),
    honest("timed cell", "Begins the answer's cell with a magic.",
           answers={"softmax": "%%time\ndef softmax(x, axis=-1):\n" + SOFTMAX}),
    honest("threads", "Computes in a pool of threads.",
           "    with ThreadPoolExecutor(4) as pool:\n        return pool.submit(plain, x, axis)"
           ".result()",
           "from concurrent.futures import ThreadPoolExecutor\n"
           "def plain(x, axis):\n" + SOFTMAX + "\n"),
)  # fmt: skip

OWN_CELLS = (
    cells("errors in own cells", "Leaves cells that fail.",
          "1 / 0", "undefined", "assert False", "def broken(:", "%nosuchmagic",
          "raise NotImplementedError"),
    cells("sys.exit in a cell", "Ends a cell by what ends programs.",
          "import sys\nsys.exit()", "raise SystemExit(3)"),
    cells("exit in a cell", "Ends the kernel, as it believes.", "exit", "quit()",
          proof="stock"),
    cells("figures", "Draws in the notebook.",
          "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"),
    cells("names of the checks", "Uses names that tests use too.",
          "x = 1\nrng = None\ncase = 2\narray = [1]\ncheck = 'done'\nquery = keys = demo = 5\n"
          "attention_case = far_rows = secret_seed = 0",
          proof="stock"),
    cells("names of Python", "Hides built-in names by accident.",
          "sum = 0\nmax = 3\nlist = [1, 2]\nstr = 'a'\nprint = None\nlen = 7"),
    cells("strict settings", "Turns warnings into errors, and NumPy's too.",
          "import warnings\nwarnings.simplefilter('error')\nnp.seterr(all='raise')",
          "import torch\ntorch.set_default_dtype(torch.float64)\ntorch.manual_seed(3)"),
    cells("input", "Waits for somebody to type.", "input('Name? ')",
          "from getpass import getpass\ngetpass()"),
    cells("network", "Loads data that is not there.",
          "import urllib.request\nurllib.request.urlopen('https://example.org')",
          "!pip install einops", "!wget https://example.org"),
    cells("shell", "Uses the shell and other folders.",
          "!ls\n%cd /\nimport os\nos.chdir('/tmp')", "%%bash\necho x > y\ncat y"),
    cells("long output", "Prints a few megabytes.", "for i in range(10**5): print(i, 'x' * 20)"),
    cells("processes", "Uses other processes.",
          "import subprocess\nprint(subprocess.run(['echo', 'a'], capture_output=True).stdout)",
          "from multiprocessing import Pool\nwith Pool(2) as pool: print(pool.map(abs, [-1, -2]))"),
    cells("progress", "Shows a bar that moves.",
          "import sys, time\nfor i in range(20):\n    print(f'\\r{i}', end='', flush=True)\n"
          "from IPython.display import clear_output, display, HTML\nclear_output()\n"
          "display(HTML('<b>done</b>'))"),
    cells("asynchronous", "Awaits in a cell.", "import asyncio\nawait asyncio.sleep(0.01)"),
    cells("hooks", "Sets hooks for errors and for what is shown.",
          "import sys\nsys.excepthook = sys.displayhook = lambda *a: None\n1 / 0",
          "import atexit, signal\natexit.register(print, 'bye')\n"
          "signal.signal(signal.SIGINT, signal.SIG_IGN)"),
    cells("debugging", "Uses the profiler and a trace.",
          "%prun sum(range(10))", "%timeit -n1 -r1 sum(range(10))",
          "import sys\nsys.setprofile(lambda *a: None)\nsys.setprofile(None)"),
)  # fmt: skip

ATTACKS = (*ANSWERS, *OWN_CELLS)
