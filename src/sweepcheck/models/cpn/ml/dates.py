"""The structure Date of the Standard ML library: calendars, which only compute. There are no time zones.

A date is a tuple: year, month, day, hour, minute, second, and its offset as an option.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from sweepcheck.models.cpn.ml.running import Raised

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
FULL_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
FULL_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
PARTS = "{day: int, hour: int, minute: int, month: Date.month, offset: Time.time option, second: int, year: int}"
Date = tuple[int, str, int, int, int, int, Any]


def date(given: tuple[int, int, int, str, Any, int, int]) -> Date:
    """A date from its parts, in the order of their names; what is beyond a month or a day goes into the next ones."""
    day, hour, minute, month, offset, second, year = given
    try:
        passed = timedelta(days=day - 1, hours=hour, minutes=minute, seconds=second)
        return _of(datetime(year, MONTHS.index(month) + 1, 1, tzinfo=UTC) + passed, offset)
    except (ValueError, OverflowError):
        raise Raised("Date") from None


def _of(moment: datetime, offset: Any) -> Date:
    month = MONTHS[moment.month - 1]
    return moment.year, month, moment.day, moment.hour, moment.minute, moment.second, offset


def _moment(of: Date) -> datetime:
    year, month, day, hour, minute, second, _ = of
    return datetime(year, MONTHS.index(month) + 1, day, hour, minute, second, tzinfo=UTC)


def compare(one: Date, other: Date) -> str:
    """Which date is earlier; offsets are not looked at."""
    first, second = _moment(one), _moment(other)
    return "EQUAL" if first == second else "LESS" if first < second else "GREATER"


def week_day(of: Date) -> str:
    """The day of the week."""
    return WEEKDAYS[_moment(of).weekday()]


def year_day(of: Date) -> int:
    """The day of the year, from 0."""
    return _moment(of).timetuple().tm_yday - 1


def to_time(of: Date) -> int:
    """Seconds since 1970."""
    return int(_moment(of).timestamp())


def from_time(seconds: int) -> Date:
    """The date so many seconds after 1970 began."""
    try:
        return _of(datetime.fromtimestamp(seconds, UTC), "NONE")
    except (ValueError, OverflowError, OSError):
        raise Raised("Date") from None


def text(of: Date) -> str:
    """A date as `Wed Mar 08 19:06:45 1995`."""
    return formatted("%a %b %d %H:%M:%S %Y", of)


def formatted(form: str, of: Date) -> str:
    """A date in a form: %Y-%m-%d."""
    moment = _moment(of)
    words = {
        "Y": f"{moment.year:04}", "y": f"{moment.year % 100:02}", "m": f"{moment.month:02}", "d": f"{moment.day:02}",
        "H": f"{moment.hour:02}", "I": f"{(moment.hour - 1) % 12 + 1:02}", "M": f"{moment.minute:02}",
        "S": f"{moment.second:02}", "p": "AM" if moment.hour < 12 else "PM", "j": f"{year_day(of) + 1:03}",
        "b": MONTHS[moment.month - 1], "B": FULL_MONTHS[moment.month - 1], "a": WEEKDAYS[moment.weekday()],
        "A": FULL_WEEKDAYS[moment.weekday()], "w": str((moment.weekday() + 1) % 7), "%": "%",
    }  # fmt: skip
    return re.sub("%(.)", lambda found: words.get(found[1], found[1]), form)
