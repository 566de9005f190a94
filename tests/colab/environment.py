"""An environment like Colab's: made once and kept, with a fresh one on top for each run."""

from __future__ import annotations

import hashlib
import platform
import shutil
import subprocess
import venv
from importlib.metadata import Distribution, distribution, version
from pathlib import Path

from packaging.requirements import Requirement
from tests.notebooks import ROOT

REQUIREMENTS = Path(__file__).with_name("requirements.txt")


def fresh(folder: Path) -> Path:
    """Make an environment that has what Colab has, and whose own part is empty.

    What is installed there goes into that part: the common one stays as it is.

    Returns:
        The environment's Python.
    """
    venv.create(folder)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "colab.pth").write_text(f"{_site(_common())}\n")
    return folder / "bin" / "python"


def versions(python: Path) -> dict[str, str]:
    """Return the versions of all distributions that an environment's Python finds."""
    code = "import importlib.metadata as m; "
    code += "print(*{f'{d.name.lower()} {d.version}' for d in m.distributions()}, sep='\\n')"
    # Isolated: without the variables that say where this course's own sources are.
    listed = subprocess.check_output([python, "-I", "-c", code], text=True)
    return dict(line.split() for line in listed.splitlines())


def _common() -> Path:
    """Return the environment with Colab's versions; make it if these pins are new."""
    pins = [REQUIREMENTS.read_text(), version("torch"), platform.python_version()]
    key = hashlib.sha256("\n".join(pins).encode()).hexdigest()[:12]
    folder = ROOT / ".venv-colab" / key
    done = folder / "complete"
    if not done.exists():
        shutil.rmtree(folder.parent, ignore_errors=True)
        venv.create(folder, with_pip=True)
        pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, "--disable-pip-version-check", "-r", REQUIREMENTS], check=True)
        for needed in _with_requirements("torch"):
            _link(needed, _site(folder))
        done.touch()
    return folder


def _site(folder: Path) -> Path:
    (site,) = folder.glob("lib/python*/site-packages")
    return site


def _with_requirements(name: str) -> list[Distribution]:
    """Return a distribution that is installed here, and all that it needs."""
    found: dict[str, Distribution] = {}
    wanted = [name]
    while wanted:
        name = wanted.pop()
        if name in found:
            continue
        found[name] = distribution(name)
        needs = map(Requirement, found[name].requires or [])
        wanted += [need.name for need in needs if not need.marker or need.marker.evaluate()]
    return list(found.values())


def _link(needed: Distribution, site: Path) -> None:
    """Let an environment use a distribution of this one; torch is too large to copy."""
    if _has(site, needed.name):
        return
    tops = {file.parts[0] for file in needed.files if file.parts[0] != ".."}
    for top in tops - {"__pycache__"}:
        (site / top).symlink_to(needed.locate_file(top))


def _has(site: Path, name: str) -> bool:
    return next(iter(Distribution.discover(name=name, path=[str(site)])), None) is not None
