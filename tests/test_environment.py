"""The environment's requirements: the pinned versions, or the newest."""

import re

import pytest
from tests.notebooks import ROOT

import environment

PINS = environment.pinned((ROOT / "requirements.txt").read_text())


def test_every_requirement_is_read():
    lines = [line.split("#")[0] for line in (ROOT / "requirements.txt").read_text().splitlines()]
    assert [f"{name}=={version}" for name, version in PINS.items()] == [
        line.strip() for line in lines if line.strip()
    ]


def test_the_newest_of_everything_is_asked_for_but_the_books_next_major_version():
    wanted = environment.newest(PINS, hold=[])
    assert [re.match(r"[\w.-]+", line)[0] for line in wanted] == list(PINS)
    assert [line for line in wanted if line not in PINS] == ["jupyter-book>=1.0.4,<2"]


def test_what_is_held_stays_as_pinned():
    wanted = environment.newest(PINS, hold=["torch"])
    assert f"torch=={PINS['torch']}" in wanted and "numpy" in wanted


def test_only_what_is_pinned_can_be_held():
    with pytest.raises(SystemExit, match="Cannot hold pandas: "):
        environment.newest(PINS, hold=["pandas"])
