"""Make the virtual environment the book is built and tested in.

Usage: python book/environment.py DIR. Runs on the system's Python, so it uses the
standard library only.
"""

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST = (3, 11)


def main() -> None:
    """Create DIR, install the pinned requirements and the packages under src/."""
    if sys.version_info < OLDEST:
        wanted, got = ".".join(map(str, OLDEST)), sys.version.split()[0]
        sys.exit(f"Python {got} is too old: wanted {wanted} or newer (make PYTHON=python3.12 ...)")
    folder = Path(sys.argv[1])
    python = folder / "bin" / "python"
    if not python.exists():
        create(folder)
    print(f"Installing requirements.txt into {folder} (a few minutes, once) ...", flush=True)
    install(python, "-r", ROOT / "requirements.txt")
    # The pinned setuptools builds the packages, so nothing else is downloaded.
    install(python, "--no-deps", "--no-build-isolation", "-e", ROOT)


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
