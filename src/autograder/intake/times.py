"""Time stamps as files hold them, with, without and with odd time zones."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

STAMP = re.compile(
    r"""(?P<date>\d{4}-\d\d-\d\d) (?:[ ]+|T) (?P<time>\d\d:\d\d(?::\d\d)?) (?:[.,](?P<part>\d+))?
        \s* (?P<zone>\S.*)?""",
    re.VERBOSE | re.IGNORECASE,
)
OFFSET = re.compile(r"(?:UTC|GMT)?\s*([+-])(\d\d?)(?::?(\d\d))?", re.IGNORECASE)
# Hours from UTC of abbreviations that mean one thing in practice. Those that the course's
# own zone uses come first, and others that mean several are not guessed.
HOURS = {
    "Z": 0, "UTC": 0, "GMT": 0, "WET": 0, "WEST": 1, "CET": 1, "CEST": 2, "MEZ": 1, "MESZ": 2,
    "EET": 2, "EEST": 3, "MSK": 3, "EST": -5, "EDT": -4, "CDT": -5, "MST": -7, "MDT": -6,
    "PST": -8, "PDT": -7, "JST": 9, "KST": 9, "NZST": 12, "NZDT": 13,
}  # fmt: skip


def read_zone(name: str) -> ZoneInfo:
    """Return a time zone by its name, such as "Europe/Berlin".

    Raises:
        ValueError: there is no such zone.
    """
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # unknown, no path, or a folder of zones
        raise ValueError(f'"{name}" is no time zone; one would be "Europe/Berlin"') from None


def read_time(text: str, zone: tzinfo) -> datetime:
    """Return the moment that a time stamp names, in UTC.

    Args:
        text: "2026-10-05 17:00:00.000000 UTC" as nbgrader writes it, "2026-10-05T17:00Z",
            or with "+02", "CEST" or "Europe/Berlin" behind, or with no zone.
        zone: the course's, in which a stamp without a zone is read. Of an hour that
            happens twice, the first is meant.

    Raises:
        ValueError: the text is no time stamp that can be understood.
    """
    found = STAMP.fullmatch(text.strip())
    if found is None:
        raise ValueError(f'"{text.strip()[:60]}" is no time stamp')
    local = datetime.fromisoformat(f"{found['date']} {found['time']}")
    local += timedelta(microseconds=int((found["part"] or "0")[:6].ljust(6, "0")))
    stated = (found["zone"] or "").strip(" ()[]")
    try:
        return local.replace(tzinfo=_zone(stated, local, zone)).astimezone(UTC)
    except OverflowError:
        raise ValueError(f'"{text.strip()[:60]}" is out of range') from None


def late_seconds(submitted_at: datetime | None, due: datetime | None) -> float | None:
    """Return by how much something was late: 0 if it was not, None where it is not known."""
    if submitted_at is None or due is None:
        return None
    # Within one zone, Python would count by the clock on the wall.
    late = submitted_at.astimezone(UTC) - due.astimezone(UTC)
    return max(0.0, late.total_seconds())


def _zone(stated: str, local: datetime, zone: tzinfo) -> tzinfo:
    if not stated:
        return zone
    if offset := OFFSET.fullmatch(stated):
        minutes = int(offset[2]) * 60 + int(offset[3] or 0)
        return timezone(timedelta(minutes=-minutes if offset[1] == "-" else minutes))
    for half in (1, 7):  # in winter and in summer
        of_course = local.replace(month=half, day=1, tzinfo=zone)
        shift = of_course.utcoffset()
        if of_course.tzname() == stated.upper() and shift is not None:
            return timezone(shift)
    if stated.upper() in HOURS:
        return timezone(timedelta(hours=HOURS[stated.upper()]))
    return read_zone(stated)
