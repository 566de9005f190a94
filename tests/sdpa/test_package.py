"""What holds for the package as a whole."""

import inspect
import subprocess
import sys

import pytest

import sdpa
import sdpa.pytorch


def test_importing_sdpa_loads_no_heavy_library():
    code = "import sys, sdpa; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"torch", "matplotlib", "ipywidgets", "anywidget"} & set(run.stdout.split())


@pytest.mark.parametrize("name", sdpa.__all__)
def test_the_torch_function_has_the_same_parameters(name):
    ours, theirs = (
        [
            (parameter.name, parameter.kind, parameter.default)
            for parameter in inspect.signature(getattr(module, name)).parameters.values()
            if parameter.name != "device"
        ]
        for module in (sdpa, sdpa.pytorch)
    )
    assert theirs == ours


@pytest.mark.parametrize("name", sdpa.__all__)
def test_the_docstring_says_the_errors_and_that_of_torch_refers_to_it(name):
    assert "Raises:" in getattr(sdpa, name).__doc__
    assert f":func:`sdpa.{name}`" in getattr(sdpa.pytorch, name).__doc__
