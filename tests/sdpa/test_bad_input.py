"""Wrong arguments: each error names the argument, what it got and what was wanted."""

from typing import NamedTuple

import numpy as np
import pytest
import torch

import sdpa
import sdpa.pytorch

pytestmark = pytest.mark.bad_input

MODULES = {"numpy": sdpa, "torch": sdpa.pytorch}
NAN, INF = float("nan"), float("inf")


def ones(*shape, dtype=np.float64):
    return np.ones(shape, dtype)


Q, K, V = ones(4, 3), ones(6, 3), ones(6, 2)
HEADS = ones(6, 4, 3), ones(2, 5, 3), ones(2, 5, 2)
TABLE = ones(3), ones(5, 3), ones(5, 2)
INTEGERS = np.array([[1, 3]])


class Case(NamedTuple):
    label: str
    arguments: tuple
    error: type[Exception]
    says: tuple[str, ...]  # the argument, what it got, what was wanted
    options: dict = {}  # noqa: RUF012 (never changed)
    modules: tuple[str, ...] = ("numpy", "torch")


def not_arrays(arguments, names):
    """Each argument in turn as a list, complex, boolean and, for NumPy, as text."""
    for i, name in enumerate(names):
        good = arguments[i]
        for label, bad, says, modules in (
            ("a list", good.tolist(), (name, "is a list", "wanted a NumPy array"), ("numpy",)),
            ("a list", good.tolist(), (name, "is a list", "wanted a torch.Tensor"), ("torch",)),
            ("None", None, (name, "is a NoneType", "wanted a"), ("numpy", "torch")),
            ("a number", 3.0, (name, "is a float", "wanted a"), ("numpy", "torch")),
            ("complex", good.astype(complex), (name, "complex128", "wanted integers or float16"),
             ("numpy", "torch")),
            ("boolean", good.astype(bool), (name, "bool", "wanted integers or float16"),
             ("numpy", "torch")),
            ("text", good.astype(str), (name, "<U", "wanted integers or float16"), ("numpy",)),
            ("objects", good.astype(object), (name, "object", "wanted integers"), ("numpy",)),
        ):  # fmt: skip
            changed = (*arguments[:i], bad, *arguments[i + 1 :])
            yield Case(f"{name} {label}", changed, TypeError, says, {}, modules)


def not_real_numbers(arguments, name):
    """The option ``name`` as everything but one finite real number."""
    for bad, error, says in (
        ("1", TypeError, (name, "is a str", "wanted a real number")),
        (True, TypeError, (name, "is a bool", "wanted a real number")),
        (np.True_, TypeError, (name, "is a bool", "wanted a real number")),
        (1j, TypeError, (name, "is a complex", "wanted a real number")),
        ([1.0], TypeError, (name, "is a list", "wanted a real number")),
        (NAN, ValueError, (name, "is nan", "wanted a finite number")),
        (INF, ValueError, (name, "is inf", "wanted a finite number")),
        (-INF, ValueError, (name, "is -inf", "wanted a finite number")),
        (10**400, ValueError, (name, "is inf", "wanted a finite number")),
    ):
        label = f"{name} {str(bad)[:6]} ({type(bad).__name__})"
        yield Case(label, arguments, error, says, {name: bad})


def not_above_0(arguments, name):
    for bad in (0, -0.5):
        says = (name, f"is {float(bad)}", "wanted a number above 0")
        yield Case(f"{name} {bad}", arguments, ValueError, says, {name: bad})


def not_counts(arguments, i, name, minimum=0):
    for bad, error, says in (
        (minimum - 1, ValueError, (name, f"is {minimum - 1}", f"wanted at least {minimum}")),
        (2.0, TypeError, (name, "is a float", "wanted an integer")),
        ("2", TypeError, (name, "is a str", "wanted an integer")),
        (True, TypeError, (name, "is a bool", "wanted an integer")),
        (None, TypeError, (name, "is a NoneType", "wanted an integer")),
    ):
        changed = (*arguments[:i], bad, *arguments[i + 1 :])
        yield Case(f"{name} {bad!r}", changed, error, says)


def not_flags(arguments, name):
    for bad in (1, 0.0, "yes", None):
        says = (name, f"is a {type(bad).__name__}", "wanted True or False")
        yield Case(f"{name} {bad!r}", arguments, TypeError, says, {name: bad})


def not_masks(arguments, name, **options):
    """A wrong mask as the last argument."""
    for label, bad, says, modules in (
        ("a list", [[True]], (name, "is a list", "wanted a NumPy array"), ("numpy",)),
        ("a list", [[True]], (name, "is a list", "wanted a torch.Tensor"), ("torch",)),
        ("of int64", ones(4, 6, dtype=np.int64), (name, "int64", "wanted bool", "float16"),
         ("numpy", "torch")),
        ("of uint8", ones(4, 6, dtype=np.uint8), (name, "uint8", "wanted bool", "float16"),
         ("numpy", "torch")),
        ("complex", ones(4, 6, dtype=complex), (name, "complex128", "wanted bool"),
         ("numpy", "torch")),
    ):  # fmt: skip
        yield Case(f"{name} {label}", (*arguments, bad), TypeError, says, options, modules)
    for entry in (NAN, INF):
        bad = ones(4, 6)
        bad[1, 2] = entry
        says = (name, "holds NaN or +inf", "wanted finite numbers or -inf")
        label = f"{name} with {entry}"
        yield Case(label, (*arguments, bad), ValueError, says, options, ("numpy",))


ATTENTION = [
    *not_arrays((Q, K, V), ("query", "key", "value")),
    *not_masks((Q, K, V), "attn_mask"),
    *not_real_numbers((Q, K, V), "scale"),
    *not_flags((Q, K, V), "is_causal"),
    *(
        Case(f"attn_mask {shape}", (Q, K, V, ones(*shape, dtype=bool)), ValueError,
             ("attn_mask", str(shape), "wanted one that broadcasts to (4, 6)"))
        for shape in ((4, 5), (6, 4), (4,), (2, 4, 6), (1, 4, 6), (0, 6))
    ),
    Case("attn_mask of another batch", (ones(2, 4, 3), K, V, ones(3, 1, 6)), ValueError,
         ("attn_mask", "(3, 1, 6)", "(2, 4, 6)")),
    Case("wrong attn_mask beside is_causal", (Q, K, V, ones(5)), ValueError,
         ("attn_mask", "(5,)", "(4, 6)"), {"is_causal": True}),
    Case("query 0-d", (ones(), K, V), ValueError, ("query", "()", "wanted at least two axes")),
    Case("query 1-d", (ones(3), K, V), ValueError, ("query", "(3,)", "wanted at least two axes")),
    Case("key 1-d", (Q, ones(3), V), ValueError, ("key", "(3,)", "wanted at least two axes")),
    Case("value 1-d", (Q, K, ones(6)), ValueError, ("value", "(6,)", "wanted at least two axes")),
    Case("key of other head_dim", (Q, ones(6, 5), V), ValueError,
         ("key", "(6, 5)", "wanted 3 features", "(4, 3)")),
    Case("key transposed", (Q, ones(3, 6), V), ValueError, ("key", "(3, 6)", "wanted 3 features")),
    Case("value of other length", (Q, K, ones(5, 2)), ValueError,
         ("value", "(5, 2)", "wanted 6 tokens", "(6, 3)")),
    Case("key of another batch", (ones(2, 4, 3), ones(3, 6, 3), V), ValueError,
         ("key", "(3,)", "wanted axes that broadcast with (2,)")),
    Case("value of another batch", (ones(2, 4, 3), K, ones(3, 6, 2)), ValueError,
         ("value", "(3,)", "wanted axes that broadcast with (2,)")),
    Case("head_dim 0", (ones(4, 0), ones(6, 0), V), ValueError,
         ("query", "head_dim 0", "wanted at least 1, or an explicit scale")),
]  # fmt: skip

GROUPED = [
    Case(label, arguments, ValueError, says, {"enable_gqa": True})
    for label, arguments, says in (
        ("heads that do not divide", (ones(5, 4, 3), *HEADS[1:]),
         ("query", "5 heads", "wanted a multiple of the 2 heads of key")),
        ("fewer query heads", (ones(1, 4, 3), *HEADS[1:]),
         ("query", "1 heads", "wanted a multiple of the 2 heads of key")),
        ("no key heads", (HEADS[0], ones(0, 5, 3), ones(0, 5, 2)),
         ("query", "6 heads", "wanted a multiple of the 0 heads of key")),
        ("value of other heads", (*HEADS[:2], ones(3, 5, 2)),
         ("value", "3 heads", "wanted 2, as many as key")),
        ("query without heads", (Q, *HEADS[1:]),
         ("query", "(4, 3)", "with enable_gqa wanted at least three axes")),
        ("key without heads", (HEADS[0], K, V),
         ("key", "(6, 3)", "with enable_gqa wanted at least three axes")),
        ("value without heads", (*HEADS[:2], V),
         ("value", "(6, 2)", "with enable_gqa wanted at least three axes")),
    )
] + [
    Case(f"grouped {case.label}", case.arguments, case.error, case.says,
         {"enable_gqa": True}, case.modules)
    for case in not_arrays(HEADS, ("query", "key", "value"))
]  # fmt: skip

LOOKUP = [
    *not_arrays(TABLE, ("query", "keys", "values")),
    Case("query 0-d", (ones(), *TABLE[1:]), ValueError, ("query", "()", "wanted one vector")),
    Case("query 2-d", (ones(1, 3), *TABLE[1:]), ValueError,
         ("query", "(1, 3)", "wanted one vector")),
    Case("keys 1-d", (TABLE[0], ones(3), TABLE[2]), ValueError, ("keys", "(3,)", "wanted (n, 3)")),
    Case("keys of other size", (TABLE[0], ones(5, 4), TABLE[2]), ValueError,
         ("keys", "(5, 4)", "wanted (n, 3)")),
    Case("no keys", (TABLE[0], ones(0, 3), ones(0, 2)), ValueError,
         ("keys", "(0, 3)", "wanted (n, 3) with n >= 1")),
    Case("values 1-d", (*TABLE[:2], ones(5)), ValueError, ("values", "(5,)", "wanted (5, d_v)")),
    Case("too few values", (*TABLE[:2], ones(4, 2)), ValueError,
         ("values", "(4, 2)", "wanted (5, d_v)")),
]  # fmt: skip

WRONG = {
    "softmax_jacobian": [
        *not_arrays((ones(4),), ("p",)),
        Case("p 0-d", (ones(),), ValueError, ("p", "()", "wanted")),
    ],
    "softmax": [
        *not_arrays((Q,), ("x",)),
        Case("axis 2 of 2", (Q, 2), ValueError, ("axis", "is 2", "wanted one of the 2 axes of x")),
        Case("axis -3 of 2", (Q, -3), ValueError, ("axis", "is -3", "wanted one of the 2 axes")),
        Case("0-d", (ones(),), ValueError, ("axis", "is -1", "wanted one of the 0 axes of x")),
        Case("axis 1.0", (Q, 1.0), TypeError, ("axis", "is a float", "wanted an integer")),
        Case("axis True", (Q, True), TypeError, ("axis", "is a bool", "wanted an integer")),
        Case("axis None", (Q, None), TypeError, ("axis", "is a NoneType", "wanted an integer")),
        Case("axis tuple", (Q, (0, 1)), TypeError, ("axis", "is a tuple", "wanted an integer")),
    ],
    "attention": ATTENTION,
    "scaled_dot_product_attention": [
        *ATTENTION,
        *GROUPED,
        *not_flags((Q, K, V), "enable_gqa"),
        Case("heads that only broadcast", HEADS, ValueError,
             ("key", "(2,)", "wanted axes that broadcast with (6,)")),
        Case("attn_mask of the key heads", (*HEADS, ones(2, 4, 5, dtype=bool)), ValueError,
             ("attn_mask", "(2, 4, 5)", "(6, 4, 5)"), {"enable_gqa": True}),
    ],
    "causal_mask": [*not_counts((4, 6), 0, "n_q"), *not_counts((4, 6), 1, "n_k")],
    "sliding_window_mask": [
        *not_counts((4, 6, 2), 0, "n_q"),
        *not_counts((4, 6, 2), 1, "n_k"),
        *not_counts((4, 6, 2), 2, "window", minimum=1),
        *not_flags((4, 6, 2), "is_causal"),
    ],
    "padding_mask": [
        *not_counts((INTEGERS, 3), 1, "n_k"),
        Case("a length too long", (INTEGERS, 2), ValueError,
             ("lengths", "from 1 to 3", "wanted 0 to 2")),
        Case("a negative length", (-INTEGERS, 3), ValueError,
             ("lengths", "from -3 to -1", "wanted 0 to 3")),
        Case("lengths of floats", (ones(2), 3), TypeError, ("lengths", "float64", "integers")),
        Case("lengths of bools", (ones(2, dtype=bool), 3), TypeError,
             ("lengths", "bool", "integers")),
        Case("lengths a list", ([1, 2], 3), TypeError, ("lengths", "list", "wanted a")),
        Case("lengths a number", (2, 3), TypeError, ("lengths", "int", "wanted a")),
    ],
    "combine": [
        Case("nothing", (), TypeError, ("combine", "got no mask", "wanted at least one")),
        *not_masks((), "mask 0"),
        *not_masks((ones(6, dtype=bool), ones(4, 6)), "mask 2"),
        Case("None", (ones(6, dtype=bool), None), TypeError, ("mask 1", "NoneType", "wanted a")),
        Case("shapes apart", (ones(6), ones(4, 6), ones(5, 1, 3)), ValueError,
             ("masks", "(6,), (4, 6), (5, 1, 3)", "wanted shapes that broadcast")),
    ],
    "apply_mask": [
        *not_arrays((ones(4, 6), ones(6, dtype=bool)), ("scores",)),
        *not_masks((ones(4, 6),), "mask"),
        *(
            Case(f"shapes apart, {dtype.__name__}", (ones(4, 6), ones(5, dtype=dtype)), ValueError,
                 ("mask", "(5,)", "wanted one that broadcasts", "(4, 6)"))
            for dtype in (bool, float)
        ),
    ],
    "hard_lookup": LOOKUP,
    "nearest_lookup": LOOKUP,
    "soft_lookup": [
        *LOOKUP,
        *not_real_numbers(TABLE, "temperature"),
        *not_above_0(TABLE, "temperature"),
    ],
    "kernel_regression": [
        *LOOKUP,
        *not_real_numbers(TABLE, "bandwidth"),
        *not_above_0(TABLE, "bandwidth"),
    ],
}  # fmt: skip


def in_module(module, x):
    """The argument as the module takes it; a copy."""
    if not isinstance(x, np.ndarray):
        return x
    return x.copy() if module == "numpy" else torch.tensor(x)


def prepared():
    for name, cases in WRONG.items():
        for case in cases:
            for module in case.modules:
                label = f"{module}.{name}: {case.label}"
                yield pytest.param(getattr(MODULES[module], name), module, case, id=label)


@pytest.mark.parametrize(("function", "module", "case"), list(prepared()))
def test_the_error_says_what_is_wrong_and_the_arguments_stay_as_they_are(function, module, case):
    arguments = [in_module(module, x) for x in case.arguments]
    with pytest.raises(case.error) as caught:
        function(*arguments, **case.options)
    message = str(caught.value)
    assert type(caught.value) is case.error
    assert not [piece for piece in case.says if piece not in message], message
    for before, after in zip(case.arguments, arguments, strict=True):
        if isinstance(before, np.ndarray):
            np.testing.assert_array_equal(np.asarray(after), before)


def test_every_public_function_is_given_wrong_arguments():
    assert set(WRONG) == set(sdpa.__all__)


def test_float8_is_refused_by_torch_functions():
    x = torch.ones(4, 3).to(torch.float8_e4m3fn)
    with pytest.raises(TypeError, match=r"query has dtype torch.float8_e4m3fn; wanted integers or"):
        sdpa.pytorch.attention(x, x, x)


@pytest.mark.parametrize("module", MODULES)
def test_an_array_of_the_other_library_is_refused(module):
    array = in_module("torch" if module == "numpy" else "numpy", ones(4, 3))
    with pytest.raises(TypeError, match=r"query is a (Tensor|ndarray); wanted a"):
        MODULES[module].attention(array, array, array)


@pytest.mark.parametrize("module", MODULES)
def test_an_unknown_option_of_torch_is_refused(module):
    arguments = [in_module(module, x) for x in (Q, K, V)]
    with pytest.raises(TypeError, match="dropout_p"):
        MODULES[module].scaled_dot_product_attention(*arguments, dropout_p=0.1)
