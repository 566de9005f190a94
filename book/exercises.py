"""Write the student version of every problem set: no answers, no hidden tests.

Usage: python book/exercises.py [DIR]. DIR is exercises/ unless said otherwise. The
same sources give the same bytes.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Generate all problem sets, and say where they are."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "exercises"
    names = sorted(path.stem for path in ROOT.glob("solutions/*/*.ipynb"))
    for name in names:
        print(f"{name} ...", flush=True)
        generate(name, target.resolve())
    print(f"{len(names)} problem set(s) written to {target}")


def generate(name: str, target: Path) -> None:
    """Let nbgrader write one set, without a gradebook; end where it finds a fault."""
    command = [sys.executable, "-m", "nbgrader", "generate_assignment", name]
    options = ["--no-db", "--force", f"--CourseDirectory.release_directory={target}"]
    finished = subprocess.run(
        [*command, *options], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if finished.returncode:
        sys.exit(f"nbgrader could not generate {name}:\n{finished.stderr}")


if __name__ == "__main__":
    main()
