"""The student edition: complete, reproducible, and without anything that is secret."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from nbgrader.utils import compute_checksum
from tests.notebooks import EXERCISES, LESSONS, ROOT, SOLUTIONS, name, read, secret_lines

import sdpa
import tutor
from edition import address, notebooks, project, publishing, source, writing

NOTEBOOKS = [name(path) for path in LESSONS + EXERCISES]
VENV = Path(sys.executable).parents[1]
# This environment, as it is.
MAKE = ["make", "--no-print-directory", f"VENV={VENV}", f"--old-file={VENV}/.ready"]


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def command(*arguments: object, **variables: str) -> subprocess.CompletedProcess:
    """Run the edition's command line with no repository but that of ``variables``."""
    environment = {k: v for k, v in os.environ.items() if k != address.VARIABLE} | variables
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), "book/extensions"])
    return subprocess.run(
        [sys.executable, "-m", "edition", *map(str, arguments)],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


# What is in it


def test_it_holds_what_students_need_and_nothing_else(edition):
    files = git(edition, "ls-files").splitlines()
    top = {".gitignore", "CITATION.cff", "LICENSE", "README.md", "pyproject.toml"}
    assert {path for path in files if "/" not in path} == top
    assert [path for path in files if path.endswith(".ipynb")] == sorted(NOTEBOOKS)
    code = {path for path in files if path.startswith(("src/sdpa/", "src/tutor/"))}
    assert {Path(path).suffix for path in code} == {".py", ".mplstyle", ".svg", ".mjs", ".css"}
    assert set(files) == top | set(NOTEBOOKS) | code
    in_folder = {p.relative_to(edition).as_posix() for p in edition.rglob("*") if p.is_file()}
    assert {path for path in in_folder if not path.startswith(".git/")} == set(files)


def test_it_is_one_commit_of_the_courses_authors(edition):
    assert git(edition, "rev-list", "--all", "--count").strip() == "1"
    assert git(edition, "log", "-1", "--format=%an|%ae|%cn|%ce").strip() == "|".join(
        [writing.AUTHOR, "", writing.AUTHOR, ""]
    )
    assert git(edition, "status", "--porcelain", "--ignored") == ""
    assert git(edition, "branch", "--show-current").strip() == "main"


def test_the_same_course_gives_the_same_commit(edition, repository, tmp_path, monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Somebody")
    writing.write(tmp_path / "again", repository)
    assert git(tmp_path / "again", "rev-parse", "HEAD") == git(edition, "rev-parse", "HEAD")


# What is not in it


@pytest.fixture(scope="module")
def wheel(edition, tmp_path_factory):
    """Build the wheel that students install, from a copy."""
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(edition, folder / "source")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--wheel-dir", folder, folder / "source"], check=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def published(edition, wheel):
    """Everything that anybody can read: the tree, git's files and objects, the wheel."""
    texts = {str(path.relative_to(edition)): path.read_bytes()
             for path in edition.rglob("*") if path.is_file()}  # fmt: skip
    every_object = ["git", "cat-file", "--batch-all-objects", "--batch"]
    texts["git's objects"] = subprocess.check_output(every_object, cwd=edition)
    with zipfile.ZipFile(wheel) as archive:
        texts |= {f"the wheel's {member}": archive.read(member) for member in archive.namelist()}
    return texts


def test_no_answer_and_no_hidden_test_can_be_read(published):
    secret = set().union(*(secret_lines(read(path)) for path in SOLUTIONS))
    # What the package and the visible cells say too proves nothing.
    public = [path.read_text() for path in (ROOT / "src").rglob("*.py")]
    public += [cell.source for path in LESSONS + EXERCISES for cell in read(path).cells]
    canaries = [line for line in secret if len(line) > 30 and line not in "\n".join(public)]
    assert len(canaries) > 100
    assert_unread(canaries, published)
    assert_unread(["### BEGIN HIDDEN TESTS", "### BEGIN SOLUTION"], published)


def assert_unread(lines: list[str], published: dict[str, bytes]) -> None:
    # A notebook holds a line as JSON, which escapes quotes.
    wanted = {line: {line.encode(), line.replace('"', '\\"').encode()} for line in lines}
    for where, content in published.items():
        found = [line for line, forms in wanted.items() if any(form in content for form in forms)]
        assert not found, f"{where} holds {found[0]!r}"


def test_no_path_leads_to_what_is_not_public(published):
    for where in published:
        assert not re.search(r"solutions|autograder|tests|right_answers", where), where
    for path in (b"solutions/ps", b"right_answers"):
        assert path not in published["git's objects"]


def test_no_secret_and_nothing_of_this_machine_gets_in(repository, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("a secret of thirty-two characters")
    folder = tmp_path / "edition"
    done = command("write", folder, STUDENT_REPOSITORY="some-one/attention",
                   COURSE_SECRET_FILE=str(secret))  # fmt: skip
    assert done.returncode == 0, done.stderr
    for path in folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert b"thirty-two characters" not in content, path
            assert str(ROOT).encode() not in content and str(tmp_path).encode() not in content


def test_the_wheel_holds_the_two_packages_only(wheel):
    with zipfile.ZipFile(wheel) as archive:
        tops = {member.split("/")[0] for member in archive.namelist()}
        assert archive.read("tutor/widgets/base.css")
    assert tops == {"sdpa", "tutor", f"attention_derived-{sdpa.__version__}.dist-info"}


# Addresses and versions


@pytest.mark.parametrize("path", NOTEBOOKS)
def test_a_notebook_leads_to_the_edition_and_the_book(edition, repository, book, path):
    notebook = nbformat.read(edition / path, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    setup = notebook.cells[1].source
    assert f'COURSE = "{repository.requirement}"\n' in setup
    assert setup.replace(repository.requirement, "") == read(ROOT / path).cells[1].source.replace(
        "  # the student edition fills in what pip installs", ""
    )
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            targets = re.findall(r"\]\(([^)#\s]+)", cell.source)
            assert all(target.startswith("https://") for target in targets), cell.id
            for target in targets:
                if target.startswith(repository.book):
                    assert (book / target.removeprefix(repository.book)).is_file(), cell.id
        if "checksum" in cell.metadata.get("nbgrader", {}):
            assert cell.metadata.nbgrader.checksum == compute_checksum(cell), cell.id


def test_some_links_were_relative(edition, repository):
    lesson = (edition / "lessons" / "01_soft_lookup.ipynb").read_text()
    assert f"({repository.book}exercises/ps1_soft_lookup/ps1_soft_lookup.html)" in lesson
    assert f"({repository.book}notation.html)" in lesson


@pytest.mark.parametrize("path", NOTEBOOKS)
def test_the_books_button_opens_a_notebook_that_is_there(edition, repository, path):
    link = repository.colab(path)
    start = "https://colab.research.google.com/github/some-one/attention/blob/main/"
    assert link.startswith(start)
    git(edition, "cat-file", "-e", f"main:{link.removeprefix(start)}")


def test_links_of_the_readme_lead_somewhere(edition, repository, book):
    text = (edition / "README.md").read_text()
    assert "$" not in text
    links = re.findall(r"\]\(([^)]+)\)", text)
    colab = repository.colab("")
    for path in NOTEBOOKS:
        assert repository.colab(path) in links
    for link in links:
        if link.startswith(colab):
            assert (edition / link.removeprefix(colab)).is_file()
        else:
            assert (book / link.removeprefix(repository.book)).is_file()


def test_version_and_commit_are_recorded_everywhere(edition, published):
    origin = source.origin()
    head = git(ROOT, "rev-parse", "HEAD")
    assert origin.version == sdpa.__version__ == tutor.__version__
    assert head.startswith(origin.commit.removesuffix("-dirty")) and len(origin.commit) >= 12
    assert origin.commit in git(edition, "log", "-1", "--format=%B")
    assert origin.commit in (edition / "README.md").read_text()
    for path in NOTEBOOKS:
        course = nbformat.read(edition / path, 4).metadata.course
        assert (course.version, course.commit) == (origin.version, origin.commit)
    citation = (ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {sdpa.__version__}\n" in citation


def test_pyproject_keeps_what_pip_reads():
    text = (
        '# head\n[build-system]\na = 1\n[project]\nb = [\n    "x",\n]\n[project.scripts]\nc = 2\n'
    )
    text += "[tool.pytest.ini_options]\nd = 3\n[tool.setuptools.packages.find]\ne = 4\n[[tool.x]]\n"
    kept = '[build-system]\na = 1\n[project]\nb = [\n    "x",\n]\n'
    assert project.for_pip(text) == kept + "[tool.setuptools.packages.find]\ne = 4\n"


# What it says when something is missing


@pytest.mark.parametrize("text", ["attention", "https://github.com/some/one", "a/b/c", "a b/c"])
def test_an_address_of_another_form_is_named(text):
    with pytest.raises(ValueError, match=re.escape(f"{text!r}; wanted owner/name")):
        address.parse(text)


def test_without_a_repository_it_says_so_and_writes_nothing(tmp_path):
    for arguments in (["write", tmp_path / "edition"], ["publish"]):
        done = command(*arguments)
        assert done.returncode == 1
        assert "STUDENT_REPOSITORY is not set" in done.stderr and "owner/name" in done.stderr
    assert not (tmp_path / "edition").exists()


def test_a_folder_of_something_else_is_left_alone(repository, tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(ValueError, match="holds something else; wanted a new or empty folder"):
        writing.write(tmp_path, repository)
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def test_an_earlier_edition_is_replaced(repository, tmp_path):
    folder = tmp_path / "edition"
    writing.write(folder, repository)
    (folder / "left-over").touch()
    writing.write(folder, repository)
    assert not (folder / "left-over").exists()


def test_a_link_that_leads_nowhere_is_named(repository):
    with pytest.raises(ValueError, match=r"lessons/a\.ipynb links to gone\.md"):
        notebooks.with_full_links("[x](gone.md)", "lessons/a.ipynb", repository)
    kept = "[a](https://b.org/c) [d](#e) [f](mailto:g@h.org)"
    assert notebooks.with_full_links(kept, "lessons/a.ipynb", repository) == kept


def test_the_make_target_says_what_is_missing_and_writes_where_it_is_told(tmp_path):
    target = [*MAKE, "student-edition", f"OUT={tmp_path / 'out'}"]
    bare = {k: v for k, v in os.environ.items() if k != address.VARIABLE}
    done = subprocess.run(target, cwd=ROOT, env=bare, capture_output=True, text=True)
    assert done.returncode and "STUDENT_REPOSITORY is not set" in done.stderr
    done = subprocess.run([*target, "STUDENT_REPOSITORY=a/b"], cwd=ROOT, env=bare,
                          capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "github.com/a/b" in (tmp_path / "out" / "README.md").read_text()


# Publishing


@pytest.fixture
def pages(repository, tmp_path, monkeypatch):
    """A book of one page, built for the repository."""
    folder = tmp_path / "html"
    folder.mkdir()
    (folder / "index.html").write_text(f'<link rel="canonical" href="{repository.book}index.html">')
    monkeypatch.setattr(publishing, "PAGES", folder)
    return folder


def test_publishing_replaces_the_edition_and_the_pages(pages, edition, repository, tmp_path):
    remote = tmp_path / "remote.git"
    git(tmp_path, "init", "--bare", "--initial-branch=main", str(remote))
    for _ in range(2):
        publishing.publish(repository, str(remote))
    assert git(remote, "rev-parse", "main") == git(edition, "rev-parse", "HEAD")
    assert git(remote, "ls-tree", "--name-only", "gh-pages").split() == [".nojekyll", "index.html"]
    assert git(remote, "rev-list", "--count", "gh-pages").strip() == "1"


def test_the_deploy_key_is_the_only_key_and_is_not_left_behind(
    pages, repository, tmp_path, monkeypatch
):
    ssh = tmp_path / "ssh"
    ssh.write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\ncat "$2" >> {tmp_path}/key\nexit 1\n'
    )
    ssh.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv(publishing.KEY_VARIABLE, "a private key\n")
    with pytest.raises(ValueError, match="main could not be pushed to git@github"):
        publishing.publish(repository, repository.push_url)
    option, key, *others = (tmp_path / "calls").read_text().split()
    assert option == "-i" and not Path(key).exists()
    assert "IdentitiesOnly=yes" in others and "git@github.com" in others
    assert (tmp_path / "key").read_text() == "a private key\n"


def test_a_book_for_another_address_is_not_published(pages, repository, tmp_path):
    (pages / "index.html").write_text("<title>A book without an address</title>")
    with pytest.raises(ValueError, match="was not built for https://some-one"):
        publishing.publish(repository, str(tmp_path))
