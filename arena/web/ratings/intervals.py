"""Ratings with their uncertainty, drawn on one scale for a whole table without inline styles.

Positions are percentages of the width, so that a plot fills its cell and the lines of the scale
connect from row to row.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

STEPS = (20, 50, 100, 200, 500, 1000)  # Elo between two lines of the scale
MOST_LINES = 5
LEAST_SPAN = 100.0  # Elo
LABEL_ROOM = 7.0  # percent of the width
SPARE = 0.04  # of the span, left free at each end


@dataclass(frozen=True, slots=True)
class Interval:
    """A rating and its 95 % interval, in Elo."""

    rating: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Scale:
    """The part of the Elo scale that the plots of a table show, and the positions of its lines."""

    low: float
    high: float
    lines: Sequence[int]

    def place(self, value: float) -> float:
        """Return the position of a value, in percent of the width.

        A value outside the scale is placed at its end.
        """
        share = (value - self.low) / (self.high - self.low)
        return 100 * min(1.0, max(0.0, share))

    def has_room_at(self, value: float) -> bool:
        """Return whether a number can stand at a value: at the ends it would be cut off."""
        return LABEL_ROOM <= self.place(value) <= 100 - LABEL_ROOM


def scale_of(ratings: Iterable[float], settled: Iterable[Interval]) -> Scale:
    """Return a scale with all ratings and the whole intervals of the settled bots.

    The intervals of newcomers may exceed the scale: one of them would flatten all other plots.
    """
    ends = [end for interval in settled for end in (interval.low, interval.high)]
    values = [*ratings, *ends]
    low, high = min(values), max(values)
    spare = max(0.0, LEAST_SPAN - (high - low)) / 2 + SPARE * (high - low)
    low, high = low - spare, high + spare
    step = next((step for step in STEPS if (high - low) / step <= MOST_LINES), STEPS[-1])
    first = int(-(-low // step)) * step
    return Scale(low, high, range(first, int(high) + 1, step))


def plot(scale: Scale, interval: Interval) -> SafeString:
    """Draw one line of the table: the interval, and the rating as a dot."""
    label = gettext("Elo %(rating)s, 95 %% between %(low)s and %(high)s") % {
        "rating": round(interval.rating),
        "low": round(interval.low),
        "high": round(interval.high),
    }
    return format_html(
        '<svg class="interval" role="img" aria-label="{}"><title>{}</title>{}'
        '<line class="interval-reach" x1="{}" x2="{}" y1="50%" y2="50%"></line>'
        '<circle class="interval-rating" cx="{}" cy="50%" r="4.5"></circle></svg>',
        label,
        label,
        format_html_join(
            "",
            '<line class="interval-line" x1="{}" x2="{}" y1="0" y2="100%"></line>',
            ((_at(scale, value), _at(scale, value)) for value in scale.lines),
        ),
        _at(scale, interval.low),
        _at(scale, interval.high),
        _at(scale, interval.rating),
    )


def axis(scale: Scale) -> SafeString:
    """Draw the numbers of the scale for the head of the table."""
    return format_html(
        '<svg class="interval-axis" aria-hidden="true">{}</svg>',
        format_html_join(
            "",
            '<text x="{}" y="1em" text-anchor="middle">{}</text>',
            ((_at(scale, value), value) for value in scale.lines if scale.has_room_at(value)),
        ),
    )


def _at(scale: Scale, value: float) -> str:
    return f"{scale.place(value):.2f}%"
