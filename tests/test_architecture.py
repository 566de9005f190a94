"""Which way things depend, and what stands in one place only."""

import re
import subprocess
import sys

from tests.notebooks import ROOT


def test_imports_go_the_way_the_contracts_say():
    command = ["from importlinter.cli import lint_imports_command; lint_imports_command()"]
    done = subprocess.run(
        [sys.executable, "-c", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_graders_command_starts_without_nbgrader():
    # nbgrader takes seconds to load; workers grade meanwhile, and `--help` needs none of it.
    program = "import sys, autograder.command; sys.exit('nbgrader' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


def tracked_files():
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [ROOT / line for line in listed.stdout.splitlines()]


def test_versions_are_pinned_in_requirements_only():
    names = [path for path in tracked_files() if path.suffix in (".toml", ".yml", ".cfg", ".md")]
    for path in [*names, ROOT / "Makefile"]:
        assert not re.search(r"[a-z]==\d", path.read_text()), path.name


def test_every_requirement_is_an_exact_pin():
    for line in (ROOT / "requirements.txt").read_text().splitlines():
        requirement = line.split("#")[0].strip()
        assert not requirement or re.fullmatch(r"[\w.-]+==[\w.]+", requirement), line


def test_ranges_for_students_admit_what_the_book_is_built_with():
    import tomllib

    from packaging.requirements import Requirement

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    ranges = project["dependencies"] + project["optional-dependencies"]["lessons"]
    pins = dict(re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / "requirements.txt").read_text(), re.M))
    for wanted in map(Requirement, ranges):
        if wanted.name in pins:
            assert wanted.specifier.contains(pins[wanted.name]), wanted


def test_no_file_of_the_repository_is_large():
    for path in tracked_files():
        assert path.stat().st_size < 1_000_000, path
