"""Folders and zips as instructors get them: one submission each, whatever lies in them."""

import io
import os
import stat
import struct
import tempfile
import unicodedata
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.autograder.student import PS4, content

from autograder.intake import (
    IntakeError,
    collect,
    folders,
    late_seconds,
    read_time,
    read_zone,
    zips,
)
from autograder.intake.names import read_name
from autograder.notebooks import read_notebook

SET = PS4
BERLIN = ZoneInfo("Europe/Berlin")
FILE = f"{SET}.ipynb"
STAMP = "2026-10-05 17:00:00.000000 UTC"
NOT_KNOWN = "The time of submission is not known: there is no time stamp."


def lay(root, files):
    """Write files, given by their path; a path that ends in a slash is an empty folder."""
    for path, text in files.items():
        target = root / path
        if path.endswith("/"):
            target.mkdir(parents=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text.encode())
    return root


def packed(root, files, name="hand-in.zip"):
    with zipfile.ZipFile(root / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return root / name


def by_student(path, **options):
    found = collect(path, SET, **options)
    ids = [submission.student_id for submission in found]
    assert ids == sorted(set(ids))
    return {submission.student_id: submission for submission in found}


# Layouts: files to the students found, each with the origin and the content that counts.
LAYOUTS = {
    "nbgrader": (
        {f"submitted/ada/{SET}/{FILE}": "1", f"submitted/ada/{SET}/timestamp.txt": STAMP,
         f"submitted/bob/{SET}/{FILE}": "2", "submitted/bob/ps1/ps1.ipynb": "no",
         "submitted/eve/ps1/ps1.ipynb": "no", "submitted/fay/": "",
         f"solutions/{SET}/{FILE}": "no", "README.md": "no"},
        {"ada": "1", "bob": "2"},
    ),
    "nbgrader's inner folder": (
        {f"ada/{SET}/{FILE}": "1", f"bob/{SET}/{FILE}": "2"}, {"ada": "1", "bob": "2"}),
    "nbgrader with a notebook outside of its folder": (
        {f"ada/{SET}/{FILE}": "1", f"bob/{FILE}": "2", f"carl/work/{FILE}": "3", "dora.ipynb": "4"},
        {"ada": "1", "bob": "2", "carl": "3", "dora": "4"},
    ),
    "one student in nbgrader's layout": ({f"ada/{SET}/{FILE}": "1"}, {"ada": "1"}),
    "a folder for each": (
        {f"ada/{FILE}": "1", "bob/homework.ipynb": "2", "carl/deep/er/x.ipynb": "3",
         "README.txt": "no"},
        {"ada": "1", "bob": "2", "carl": "3"},
    ),
    "flat": (
        {"ada.ipynb": "1", f"bob_{SET}.ipynb": "2", "Copy of carl.ipynb": "3",
         f"{SET}_dora_final (2).ipynb": "4", "grades.csv": "no", "eve.IPYNB": "5",
         "pictures/x.png": "no", "fay.ipynb.txt": "6",
         "ps4-masking gus.ipynb": "7", "Kopie von hal (1).ipynb": "8"},
        {"ada": "1", "bob": "2", "carl": "3", "dora": "4", "eve": "5", "fay": "6", "gus": "7",
         "hal": "8"},
    ),
    "flat below the set's name": (
        {f"{SET}/ada.ipynb": "1", f"{SET}/bob.ipynb": "2"}, {"ada": "1", "bob": "2"}),
    "flat in nbgrader's folder": (
        {f"submitted/{SET}/ada.ipynb": "1", f"submitted/{SET}/bob.ipynb": "2"},
        {"ada": "1", "bob": "2"}),
    "rubbish": (
        {"ada.ipynb": "1", "__MACOSX/._ada.ipynb": "no", ".DS_Store": "no", "._bob.ipynb": "no",
         ".ipynb_checkpoints/ada-checkpoint.ipynb": "no", "Thumbs.db": "no"},
        {"ada": "1"},
    ),
    "odd characters": (
        {f"Özgür Ünal/{SET}/{FILE}": "1", f"王小明/{SET}/{FILE}": "2",
         f"a, \"b\" [c]/{SET}/{FILE}": "3",
         f"x\ny/{SET}/{FILE}": "4", f"=1+1/{SET}/{FILE}": "5", f"  /{SET}/{FILE}": "6"},
        {"Özgür Ünal": "1", "王小明": "2", 'a, "b" [c]': "3", "x\ny": "4", "=1+1": "5", "  ": "6"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", ["folder", "zip", "zip with a top folder", "folder in a folder"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_gives_each_student_one_submission(layout, form, tmp_path):
    files, expected = LAYOUTS[layout]
    top = "" if form in ("folder", "zip") else "Download 7/"
    files = {f"{top}{path}": text for path, text in files.items()}
    path = packed(tmp_path, files) if form.startswith("zip") else lay(tmp_path / "in", files)
    found = by_student(path)
    assert {student: got.content.decode() for student, got in found.items()} == expected
    for submission in found.values():
        assert submission.origin in files
        assert submission.refused == ""
        assert (submission.submitted_at is None) == (NOT_KNOWN in submission.flags)


def test_the_lone_student_of_a_path_is_found_from_any_level(tmp_path):
    lay(tmp_path, {f"submitted/ada/{SET}/{FILE}": "1", f"submitted/ada/{SET}/timestamp.txt": STAMP})
    for path in ("submitted/ada", f"submitted/ada/{SET}"):
        (found,) = collect(tmp_path / path, SET)
        assert (found.student_id, found.content) == ("ada", b"1")
        assert found.submitted_at == datetime(2026, 10, 5, 17, tzinfo=UTC)
        assert any("holds no student" in flag for flag in found.flags)


def test_files_without_a_student_are_kept_apart_and_flagged(tmp_path):
    names = [FILE, f"{SET} (1).ipynb", f"{SET} (2).ipynb", "student (1).ipynb", "student (2).ipynb"]
    found = by_student(lay(tmp_path / "week 4", dict.fromkeys(names, "1")))
    assert set(found) == {"week 4", f"{SET} (1)", f"{SET} (2)", "student (1)", "student (2)"}
    assert any("holds no student" in flag for flag in found["week 4"].flags)


def test_a_real_notebook_comes_through_unchanged(tmp_path):
    lay(tmp_path / "in", {"ada.ipynb": content().decode()})
    (found,) = collect(tmp_path / "in", SET)
    assert read_notebook(found.content) == read_notebook(content())


@pytest.mark.parametrize("nothing", [{}, {"README.txt": "hm"}, {"ada/": ""}])
def test_a_path_without_notebooks_is_an_error(nothing, tmp_path):
    with pytest.raises(IntakeError, match="holds no notebook"):
        collect(lay(tmp_path, nothing), SET)
    with pytest.raises(IntakeError, match="holds no notebook"):
        collect(packed(tmp_path, nothing), SET)


def test_a_path_that_is_nothing_to_read_is_an_error(tmp_path):
    with pytest.raises(IntakeError, match="does not exist"):
        collect(tmp_path / "nowhere", SET)
    (tmp_path / "x.zip").write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(IntakeError, match="neither a folder nor a zip"):
        collect(tmp_path / "x.zip", SET)


# Which of one student's notebooks counts: the last of each list.
CHOICES = [
    ["notes.ipynb", f"{SET} (1).ipynb", FILE],
    ["other.ipynb", f"{SET}-1.ipynb", f"{SET} (2).ipynb"],
    ["a.ipynb", "b.ipynb"],
    [f"deeper/{FILE}", FILE],
    [f"Copy of {SET}.ipynb", f"{SET}-Copy2.ipynb"],
]


@pytest.mark.parametrize("names", CHOICES)
def test_one_of_several_notebooks_counts_and_the_others_are_named(names, tmp_path):
    for place in (f"ada/{SET}", "ada"):
        root = tmp_path / place.replace("/", "-")
        files = {f"{place}/{name}": name for name in names}
        found = by_student(lay(root, {**files, "bob/x.ipynb": "", f"bob/{SET}/{FILE}": ""}))
        ada = found["ada"]
        assert ada.content.decode() == names[-1]
        (flag,) = [flag for flag in ada.flags if f"Of {len(names)} notebooks" in flag]
        assert all(name in flag for name in names)


def test_copies_of_a_students_flat_file_are_one_student(tmp_path):
    names = ["ada.ipynb", "ada (1).ipynb", "ada-2.ipynb", "Copy of ada.ipynb", "ada_final.ipynb"]
    found = by_student(lay(tmp_path, {name: name for name in names}))
    assert set(found) == {"ada"}
    assert found["ada"].content == b"ada-2.ipynb"
    numbered = lay(tmp_path / "numbered", dict.fromkeys(["s-1.ipynb", "s-2.ipynb"], ""))
    assert set(by_student(numbered)) == {"s-1", "s-2"}


def test_composed_and_decomposed_names_are_one_student_and_the_later_file_counts(tmp_path):
    one, other = (unicodedata.normalize(form, "José") for form in ("NFC", "NFD"))
    late, early = "2026-10-05 18:00:00 UTC", "2026-10-05 17:00:00 UTC"
    for when, text in ((late, early), (early, late)):
        files = {f"{name}/{SET}/{FILE}": stamp for name, stamp in ((one, when), (other, text))}
        stamps = {path.replace(FILE, "timestamp.txt"): stamp for path, stamp in files.items()}
        (found,) = collect(packed(tmp_path, files | stamps), SET)
        assert found.student_id == one
        assert found.content.decode() == late
        assert any("Of 2 notebooks" in flag for flag in found.flags)


def test_ids_that_differ_in_little_are_kept_apart_and_flagged(tmp_path):
    found = by_student(packed(tmp_path, dict.fromkeys(
        ["Ada.ipynb", "ada.ipynb", "Jose.ipynb", "José.ipynb", "bob.ipynb"], "")))  # fmt: skip
    assert len(found) == 5
    assert 'The id is much like that of another student: "ada".' in found["Ada"].flags
    assert 'The id is much like that of another student: "José".' in found["Jose"].flags
    assert found["bob"].flags == (NOT_KNOWN,)


@pytest.mark.parametrize("name", ["work.pdf", "work.zip", "timestamp.txt"])
def test_a_student_without_a_notebook_is_refused(name, tmp_path):
    files = {f"ada/{SET}/{name}": STAMP, f"bob/{SET}/{FILE}": ""}
    ada = by_student(lay(tmp_path, files))["ada"]
    assert (ada.content, "no notebook" in ada.refused) == (None, True)


def test_a_zip_within_is_not_opened(tmp_path):
    inner = packed(tmp_path, {FILE: "1"}).read_bytes()
    found = by_student(packed(tmp_path, {"ada.zip": inner, "bob/x.zip": inner, f"bob/{FILE}": "2"}))
    assert "no notebook" in found["ada"].refused
    assert found["bob"].content == b"2"
    assert 'Other files were handed in and are not used: "bob/x.zip".' in found["bob"].flags


def test_modules_beside_a_notebook_are_flagged(tmp_path):
    files = {f"ada/{SET}/{FILE}": "1", f"ada/{SET}/torch.py": "", f"ada/{SET}/data/numpy.py": ""}
    (found,) = collect(lay(tmp_path, files), SET)
    assert any("torch.py" in flag and "numpy.py" in flag for flag in found.flags)


# Traps in folders.


def trapped(tmp_path, make, name=FILE):
    """Return what becomes of ada, with a trap beside bob's sound submission."""
    root = lay(tmp_path / "in", {f"bob/{SET}/{FILE}": "sound", f"ada/{SET}/": ""})
    make(root / "ada" / SET / name)
    found = by_student(root)
    assert found["bob"].content == b"sound"
    return found["ada"]


def sparse(path):
    path.touch()
    os.truncate(path, 200_000_000)


def link(target):
    return lambda path: path.symlink_to(target)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (link("/etc/passwd"), "is a link"),
        (link(f"../../bob/{SET}/{FILE}"), "is a link"),
        (link("nowhere"), "is a link"),
        (os.mkfifo, "no regular file"),
        (lambda path: lay(path, {"x.txt": ""}), "is a folder"),
        (sparse, "larger than 100 MB"),
    ],
)  # fmt: skip
def test_traps_in_a_folder_are_refused(make, reason, tmp_path):
    found = trapped(tmp_path, make)
    assert found.content is None
    assert reason in found.refused


@pytest.mark.parametrize("level", ["ada", f"ada/{SET}"])
def test_links_in_the_place_of_folders_are_not_followed(level, tmp_path):
    root = lay(tmp_path / "in", {f"bob/{SET}/{FILE}": "sound", "secret/x.ipynb": "secret"})
    if "/" in level:
        (root / "ada").mkdir()
    (root / level).symlink_to(root / "secret")
    ada = by_student(root)["ada"]
    assert (ada.content, "is a link" in ada.refused) == (None, True)


def test_a_sound_copy_counts_before_a_trap(tmp_path):
    found = trapped(tmp_path, lambda path: (path.symlink_to("/x"),
                    path.with_name(f"{SET} (1).ipynb").write_text("sound")))  # fmt: skip
    assert found.content == b"sound"


def test_a_file_that_became_a_link_after_listing_is_refused(tmp_path):
    path = lay(tmp_path, {"ada.ipynb": ""}) / "ada.ipynb"
    (file,) = folders.files_in_folder(tmp_path)
    path.unlink()
    path.symlink_to("/etc/passwd")
    with pytest.raises(folders.Refused, match="cannot be read"):
        file.content()


def test_files_and_folders_that_cannot_be_read_give_a_reason(tmp_path, monkeypatch):
    def denied(*_, **__):
        raise PermissionError

    lay(tmp_path / "in", {"ada.ipynb": ""})
    monkeypatch.setattr(folders.os, "open", denied)
    (ada,) = collect(tmp_path / "in", SET)
    assert ada.refused == folders.UNREADABLE
    scan = os.scandir
    monkeypatch.setattr(
        folders.os, "scandir", lambda path: denied() if path.name == "bob" else scan(path)
    )
    lay(tmp_path / "in", {"bob/x.ipynb": ""})
    assert "folder cannot be read" in by_student(tmp_path / "in")["bob"].refused


def test_too_many_files_and_too_deep_folders(tmp_path, monkeypatch):
    lay(tmp_path / "in", {"ada.ipynb": "", "/".join("x" * 20) + "/deep.ipynb": ""})
    assert set(by_student(tmp_path / "in")) == {"ada"}
    monkeypatch.setattr(folders, "MAX_FILES", 0)
    monkeypatch.setattr(zips, "MAX_FILES", 0)
    for path in (tmp_path / "in", packed(tmp_path, {"ada.ipynb": ""})):
        with pytest.raises(IntakeError, match="more than 0 files"):
            collect(path, SET)


def test_a_name_that_is_no_text_is_still_an_id(tmp_path):
    name = os.fsencode(tmp_path) + b"/\xffada.ipynb"
    os.close(os.open(name, os.O_CREAT))
    (found,) = collect(tmp_path, SET)
    assert found.student_id == "\\xffada"


# Traps in zips.


def entry(name, mode=0, flags=0):
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    info.flag_bits = flags
    return info


def zip_of(tmp_path, trap, text="trap"):
    with zipfile.ZipFile(tmp_path / "in.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bob.ipynb", "sound")
        archive.writestr(trap, text)
    return tmp_path / "in.zip"


@pytest.mark.parametrize(
    ("name", "student"),
    [("../../../etc/ada.ipynb", "ada"), ("/ada.ipynb", "ada"), ("C:\\x\\..\\ada.ipynb", "ada"),
     ("..\\ada.ipynb", "ada"), ("x/../ada.ipynb", "ada")],
)  # fmt: skip
def test_names_that_point_outside_are_refused_one_by_one(name, student, tmp_path):
    found = by_student(zip_of(tmp_path, name))
    assert found.pop("bob").content == b"sound"
    (trap,) = found.values()
    assert trap.content is None
    assert "points out of the zip" in trap.refused
    assert sorted(os.listdir(tmp_path)) == ["in.zip"]


@pytest.mark.parametrize(
    ("trap", "reason"),
    [
        (entry("ada.ipynb", stat.S_IFLNK | 0o777), "is a link"),
        (entry("ada.ipynb", stat.S_IFIFO | 0o644), "no regular file"),
        (entry("ada.ipynb/"), "no regular file"),
    ],
)
def test_special_entries_are_refused(trap, reason, tmp_path):
    found = by_student(zip_of(tmp_path, trap, "" if trap.filename[-1] == "/" else "/etc/passwd"))
    assert found["bob"].content == b"sound"
    assert reason in found["ada"].refused


def test_a_bomb_is_refused_unread(tmp_path):
    found = by_student(zip_of(tmp_path, "ada.ipynb", b"0" * 20_000_000))
    assert found["bob"].content == b"sound"
    assert "very much more than its size" in found["ada"].refused


def test_repetitive_outputs_are_no_bomb(tmp_path):
    text = ('"Epoch %d: loss 0.1\\n",\n' * 1000) % tuple(range(1000))
    assert by_student(zip_of(tmp_path, "ada.ipynb", text * 200))["ada"].refused == ""


@pytest.mark.parametrize(("limit", "value"), [("MAX_FILE", 10), ("MAX_TOTAL", 10)])
def test_large_entries_are_refused(limit, value, tmp_path, monkeypatch):
    monkeypatch.setattr(zips, limit, value)
    found = by_student(zip_of(tmp_path, "ada.ipynb", "more than ten bytes"))
    assert found["bob"].content == b"sound"
    assert "large" in found["ada"].refused


def damaged(path, position, value):
    content = bytearray(path.read_bytes())
    content[position : position + len(value)] = value
    path.write_bytes(content)


def test_encrypted_corrupt_and_unknown_entries_are_refused(tmp_path):
    path = zip_of(tmp_path, "ada.ipynb", "x" * 1000)
    directory = path.read_bytes().rindex(b"PK\x01\x02")
    local = path.read_bytes().rindex(b"PK\x03\x04")
    sound = path.read_bytes()
    for at, value, reason in [
        (directory + 8, struct.pack("<H", 1), "encrypted"),
        (directory + 10, struct.pack("<H", 99), "damaged"),
        (directory + 16, b"\0\0\0\0", "damaged"),
        (local + 40, b"\xff" * 4, "damaged"),
        (local, b"XXXX", "damaged"),
        (directory + 24, struct.pack("<L", 5), "damaged"),
    ]:
        path.write_bytes(sound)
        damaged(path, at, value)
        found = by_student(path)
        assert found["bob"].content == b"sound"
        assert reason in found["ada"].refused, (at, value)


def test_names_in_utf_8_without_the_flag_and_in_cp437(tmp_path):
    path = zip_of(tmp_path, "xxx.ipynb")
    raw = path.read_bytes()
    for name, student in (("é1".encode(), "é1"), ("éxx".encode("cp437"), "éxx")):
        path.write_bytes(raw.replace(b"xxx.", name[:3].ljust(3, b"x") + b"."))
        assert student in by_student(path)


@given(st.data())
def test_a_damaged_zip_is_read_as_far_as_it_goes_or_an_error(data):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ada.ipynb", "a" * 50)
        archive.writestr(f"bob/{SET}/{FILE}", "b" * 50)
    content = bytearray(buffer.getvalue())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            files = list(zips.files_in_zip(archive))
            for file in files:
                try:
                    file.content()
                except zips.Refused as refused:
                    assert refused.reason
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        return


PARTS = ("submitted", SET, FILE, "ada", "Ada", "bob", "x.ipynb", f"{SET} (1).ipynb",
         "ada.ipynb", "ada-1.ipynb", "a.zip", "torch.py", "timestamp.txt", "..", "", "ps1",
         ".ipynb")  # fmt: skip
PATHS = st.lists(st.sampled_from(PARTS), min_size=1, max_size=5).map("/".join).filter(bool)


@given(st.lists(PATHS, max_size=8))
def test_any_set_of_names_gives_unique_students_or_an_error(names):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in dict.fromkeys(names):
            archive.writestr(name, name)
    with tempfile.NamedTemporaryFile(suffix=".zip") as file:
        file.write(buffer.getvalue())
        file.flush()
        try:
            found = by_student(Path(file.name))
        except IntakeError:
            return
    for student, submission in found.items():
        assert student
        assert (submission.content is None) == bool(submission.refused)


# Names.


@pytest.mark.parametrize(
    ("stem", "student"),
    [
        ("ada_ps4_masking", "ada"), ("ps4_masking_ada", "ada"), ("ada-PS4-Masking", "ada"),
        ("ada_ps4_masking-1", "ada"), ("ada_ps4_masking (12)", "ada"),
        ("ada_ps4_masking_final_v2", "ada"), ("Copy of ada_ps4_masking", "ada"),
        ("Kopie von Kopie von ada_ps4_masking", "ada"), ("Copia de ada", "ada"),
        ("ada - Copy of ps4_masking", "ada"), ("ada - Kopie", "ada"), ("ada - Copy (2)", "ada"),
        ("Müller, Jörg [3]_ps4_masking", "Müller, Jörg [3]"), ("ps4_masking_1234567", "1234567"),
        ("7_ps4_masking", "7"), ("ada_ps4_masking_lovelace", "ada lovelace"),
        ("ps4_masking", ""), ("ps4_masking (1)", ""), ("Copy of ps4_masking", ""),
        ("ps4_masking-Copy1", ""), ("ps4_masking_final", ""), ("submission_ps4_masking", ""),
        ("ada", "ada"), ("student-12", "student-12"), ("ps4_maskings", "ps4_maskings"),
        ("", ""), ("-", ""),
    ],
)  # fmt: skip
def test_students_in_names(stem, student):
    assert read_name(stem, SET).student == student


@given(st.text(max_size=250), st.sampled_from(["", SET, f"_{SET}_", " final 1 (2) -"]))
def test_any_name_can_be_read(text, more):
    name = read_name(text + more * 5, SET)
    assert name.copy >= 0
    assert not name.student or unicodedata.is_normalized("NFC", name.student)


# Time stamps.


@pytest.mark.parametrize(
    ("text", "hour"),
    [
        ("2026-10-05 17:00:00.000000 UTC", 17), ("2026-10-05 17:00:00", 15),
        ("2026-10-05T17:00:00Z", 17), ("2026-10-05T17:00Z", 17), ("2026-10-05 17:00", 15),
        ("2026-10-05 17:00:00 CEST", 15), ("2026-10-05 17:00:00 CET", 16),
        ("2026-10-05 17:00:00 +02", 15), ("2026-10-05 17:00:00 +0200", 15),
        ("2026-10-05T17:00:00-05:30", 22.5), ("2026-10-05 17:00:00 UTC+2", 15),
        ("2026-10-05 17:00:00 America/New_York", 21), ("2026-10-05 17:00:00 PDT", 24),
        ("2026-10-05 17:00:00 (GMT)\n", 17), ("\ufeff2026-10-05 17:00:00.5 utc", 17),
        ("2026-10-05t17:00:00,123456789z", 17),
    ],
)  # fmt: skip
def test_time_stamps_of_all_kinds_are_read(text, hour, tmp_path):
    files = {f"ada/{SET}/{FILE}": "1", f"ada/{SET}/timestamp.txt": text}
    (found,) = collect(lay(tmp_path, files), SET, timezone=BERLIN)
    start = datetime(2026, 10, 5, tzinfo=UTC)
    assert int((found.submitted_at - start).total_seconds()) == hour * 3600
    assert found.submitted_at.tzinfo is UTC
    assert found.flags == ()


@pytest.mark.parametrize(
    "text",
    ["", "yesterday", "2026-10-05", "2026-13-05 17:00", "2026-10-05 25:00", "05.10.2026 17:00",
     "2026-10-05 17:00 XYZ", "2026-10-05 17:00 ../../etc/passwd", "2026-10-05 17:00 Europe",
     "2026-10-05 17:00 IST", "0001-01-01 00:00 +14", "9999-12-31 23:59 -12", "0000-01-01 00:00",
     "2026-10-05 17:00 +99:99", "2026-10-05 17:00 \0", "2026-10-05 17:00 " + "A" * 900,
     "２０２６-10-05 17:00"],
)  # fmt: skip
def test_time_stamps_that_cannot_be_read_are_not_known(text, tmp_path):
    files = {f"ada/{SET}/{FILE}": "1", f"ada/{SET}/timestamp.txt": text}
    (found,) = collect(lay(tmp_path, files), SET)
    assert found.submitted_at is None
    assert found.flags == ("The time of submission is not known: the time stamp cannot be read.",)


@pytest.mark.parametrize("content", [b"\xff\xfe2\0", b"\xff" * 2000])
def test_a_stamp_that_is_no_text_is_not_known(content, tmp_path):
    lay(tmp_path, {f"ada/{SET}/{FILE}": "1"})
    (tmp_path / "ada" / SET / "timestamp.txt").write_bytes(content)
    assert collect(tmp_path, SET)[0].submitted_at is None


def test_a_stamp_that_is_a_link_is_not_followed(tmp_path):
    lay(tmp_path, {f"ada/{SET}/{FILE}": "1", "time.txt": STAMP})
    (tmp_path / "ada" / SET / "timestamp.txt").symlink_to(tmp_path / "time.txt")
    assert collect(tmp_path, SET)[0].submitted_at is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-03-29 02:30:00", datetime(2026, 3, 29, 1, 30, tzinfo=UTC)),  # never happened
        ("2026-10-25 02:30:00", datetime(2026, 10, 25, 0, 30, tzinfo=UTC)),  # twice: the first
        ("2026-10-25 02:30:00 CET", datetime(2026, 10, 25, 1, 30, tzinfo=UTC)),
    ],
)
def test_hours_that_the_clocks_skip_or_repeat(text, expected):
    assert read_time(text, BERLIN) == expected


@given(st.text(max_size=60), st.sampled_from(["", "2026-10-05 17:00 "]))
def test_any_stamp_is_read_or_a_value_error(text, before):
    try:
        assert read_time(before + text, BERLIN).tzinfo is UTC
    except ValueError as error:
        assert str(error)


def test_lateness_is_measured_in_real_time():
    due = datetime(2026, 10, 25, 1, 30, tzinfo=BERLIN)
    late = datetime(2026, 10, 25, 3, 30, tzinfo=BERLIN)  # three hours: the clocks went back
    assert late_seconds(late, due) == 3 * 3600
    assert late_seconds(due, late) == 0
    assert late_seconds(None, due) is None
    assert late_seconds(late, None) is None


def test_zones_by_name():
    assert read_zone("Europe/Berlin") == BERLIN
    for name in ("Europe/Nowhere", "../x", "", "Europe", "\0"):
        with pytest.raises(ValueError, match="is no time zone"):
            read_zone(name)
