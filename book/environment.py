"""Make the virtual environment the book is built and tested in.

Usage: python book/environment.py DIR [--newest [--hold NAME ...]]. Runs on the system's
Python, so it uses the standard library only.

With --newest it installs the newest version of each requirement instead of the pinned
one, those of --hold excepted, and says which are newer.
"""

import argparse
import json
import re
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST = (3, 11)
# The book is written for this major version; the next one is another program.
CEILINGS = {"jupyter-book": ">=1.0.4,<2"}


def main() -> None:
    """Create DIR, install the requirements and the packages under src/."""
    if sys.version_info < OLDEST:
        wanted, got = ".".join(map(str, OLDEST)), sys.version.split()[0]
        sys.exit(f"Python {got} is too old: wanted {wanted} or newer (make PYTHON=python3.12 ...)")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--newest", action="store_true", help="not the pinned versions")
    parser.add_argument("--hold", nargs="*", default=[], metavar="NAME", help="but of these")
    options = parser.parse_args()
    folder = options.folder
    python = folder / "bin" / "python"
    if not python.exists():
        create(folder)
    pins = pinned((ROOT / "requirements.txt").read_text())
    print(f"Installing requirements.txt into {folder} (a few minutes, once) ...", flush=True)
    if options.newest:
        install(python, "--upgrade", *newest(pins, options.hold))
        print_newer(python, pins)
    else:
        install(python, "-r", ROOT / "requirements.txt")
    # The pinned setuptools builds the packages, so nothing else is downloaded.
    install(python, "--no-deps", "--no-build-isolation", "-e", ROOT)


def pinned(requirements: str) -> dict[str, str]:
    """Return the version that each line pins, by the distribution's name."""
    return dict(re.findall(r"^([\w.-]+)==([\w.]+)", requirements, flags=re.MULTILINE))


def newest(pins: dict[str, str], hold: list[str]) -> list[str]:
    """Return what to ask pip for: any version, but of some the pinned one.

    Raises:
        SystemExit: what is to be held is not pinned.
    """
    if unknown := sorted(set(hold) - pins.keys()):
        sys.exit(f"Cannot hold {', '.join(unknown)}: requirements.txt does not pin it")
    return [
        f"{name}=={version}" if name in hold else name + CEILINGS.get(name, "")
        for name, version in pins.items()
    ]


def print_newer(python: Path, pins: dict[str, str]) -> None:
    """Say which requirements are not the pinned ones."""
    listed = subprocess.check_output([python, "-m", "pip", "list", "--format=json"])
    found = {
        one["name"].lower().replace("_", "-"): one["version"].partition("+")[0]
        for one in json.loads(listed)
    }
    for name, version in pins.items():
        if found[name] != version:
            print(f"{name}: {found[name]} instead of {version}")


def create(folder: Path) -> None:
    """Create an empty environment, or say which system package is missing."""
    try:
        venv.create(folder, with_pip=True)
    except subprocess.CalledProcessError:
        sys.exit(
            "This Python cannot make a virtual environment with pip in it. "
            "On Debian and Ubuntu, install the package python3-venv."
        )


def install(python: Path, *what: object) -> None:
    """Run pip, whose own output shows the progress, and end where it fails."""
    command = [python, "-m", "pip", "install", "--disable-pip-version-check", *what]
    if subprocess.run([str(part) for part in command], check=False).returncode:
        sys.exit("pip could not install what is named above.")


if __name__ == "__main__":
    main()
