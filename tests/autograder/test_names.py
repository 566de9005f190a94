"""Folder names of student ids: safe, readable, one to one."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from autograder.names import folder_name, student_of

ids = st.text(st.characters(), min_size=1)


@pytest.mark.parametrize(
    "plain", ["ada", "Ada_Lovelace-2", "s1234567", "ada@uni.edu", "Ünï", "李雷", "अनु", "Ana María"]
)
def test_a_usual_id_is_its_own_folder(plain):
    assert folder_name(plain) == plain


@pytest.mark.parametrize(
    ("odd", "name"),
    [
        ("a/b", "a~2Fb"),
        ("..", "~2E~2E"),
        (".", "~2E"),
        (".hidden", "~2Ehidden"),
        ("dots...", "dots..~2E"),
        ("a\0b", "a~00b"),
        ("a+b", "a~2Bb"),
        ("=1+1", "~3D1~2B1"),
        ("-rf", "~2Drf"),
        ("@SUM", "~40SUM"),
        (" a ", "~20a~20"),
        ("[a]*?{b}", "~5Ba~5D~2A~3F~7Bb~7D"),
        ("a~2Fb", "a~7E2Fb"),
        ("a,b\n", "a~2Cb~0A"),
        ("\u202eada", "~E2~80~AEada"),
        ("\ud800", "~ED~A0~80"),
    ],
)
def test_what_is_odd_is_written_as_its_bytes(odd, name):
    assert folder_name(odd) == name
    assert student_of(name) == odd


@given(ids)
@example("\ud83d\ude00")
@example("~~00")
def test_a_name_is_safe_and_leads_back(student_id):
    name = folder_name(student_id)
    assert name not in (".", "..") and not set(name) & set("/\0\n\r\t,'\"+*?[]{}\\<>|;:&$`%")
    assert name[0] not in ".-@ =" and name[-1] not in ". "
    assert len(name) <= 128 and len(name.encode()) <= 255
    assert all(unicodedata.category(char)[0] not in "CZ" or char == " " for char in name)
    if "~~" not in name:
        assert student_of(name) == student_id


@given(st.lists(ids, min_size=2, max_size=2, unique=True))
def test_two_ids_never_share_a_folder(pair):
    assert folder_name(pair[0]) != folder_name(pair[1])


def test_ids_that_look_like_each_others_names_stay_apart():
    long = "x" * 500
    alike = ["ada", "Ada", "a/b", "a~2Fb", long, long + "y", "é", "e\u0301", folder_name(long)]
    assert len({folder_name(student_id) for student_id in alike}) == len(alike)


@pytest.mark.parametrize("long", ["x" * 1000, "李" * 100, "/" * 100, "e\u0301" * 200])
def test_a_long_id_keeps_its_beginning_and_says_that_it_is_cut(long):
    name = folder_name(long)
    assert name.startswith(folder_name(long[:2])) and "~~" in name
    assert len(name.encode()) <= 255
    with pytest.raises(ValueError, match="whole student id"):
        student_of(name)


@pytest.mark.parametrize("other", ["~FF", "a/b", "~2f", "..", "", "~41"])
def test_other_names_stand_for_nobody(other):
    with pytest.raises(ValueError):
        student_of(other)


def test_an_empty_id_is_refused():
    with pytest.raises(ValueError, match="empty"):
        folder_name("")
