"""Small charts drawn on the server, without scripts and inline styles."""

from collections.abc import Sequence
from math import ceil, floor

from django.utils.formats import number_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext, pgettext

from arena.domain.ratings.histories import RatingPoint
from arena.texts import lists

CHART_WIDTH, CHART_HEIGHT = 720, 240
CHART_LEFT, CHART_RIGHT, CHART_TOP, CHART_BOTTOM = 48, 16, 16, 28
GRID_ROWS = 5
GRID_STEPS = (20, 50, 100, 200, 500, 1000, 5000)
LEAST_SPAN = 40.0  # Elo: a flat line must not look like a mountain range


def wdl_bar(*, wins: int, draws: int, losses: int) -> SafeString:
    """Return the bar of wins, draws and losses."""
    games = wins + draws + losses
    label = gettext("%(wins)s won, %(draws)s drawn, %(losses)s lost") % {
        "wins": wins,
        "draws": draws,
        "losses": losses,
    }
    parts = []
    x = 0.0
    for kind, count in (("win", wins), ("draw", draws), ("loss", losses)):
        width = 100 * count / games if games else 0.0
        parts.append((kind, f"{x:.2f}", f"{width:.2f}"))
        x += width
    return format_html(
        '<svg class="wdl" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" '
        'aria-label="{}"><title>{}</title>{}</svg>',
        label,
        label,
        format_html_join(
            "", '<rect class="fill-{}" x="{}" y="0" width="{}" height="8"></rect>', parts
        ),
    )


def pips(form: Sequence[str]) -> SafeString:
    """Return the last results as pips; each result is W, D or L, oldest first."""
    letters = {
        "W": pgettext("won, in one letter", "W"),
        "D": pgettext("drawn, in one letter", "D"),
        "L": pgettext("lost, in one letter", "L"),
    }
    words = {"W": gettext("won"), "D": gettext("drawn"), "L": gettext("lost")}
    label = gettext("latest games, oldest first: %(results)s") % {
        "results": lists.all_of(words[result] for result in form) or gettext("none")
    }
    return format_html(
        '<span class="pips" role="img" aria-label="{}">{}</span>',
        label,
        format_html_join(
            "",
            '<span class="pip pip-{}" aria-hidden="true">{}</span>',
            ((result, letters[result]) for result in form),
        ),
    )


def history_chart(points: Sequence[RatingPoint], *, title: str) -> SafeString:
    """Return the chart of a rating: a labelled scale, the line, and the changes of version."""
    ratings = [point.rating for point in points]
    low, high = min(ratings), max(ratings)
    spare = max(0.0, LEAST_SPAN - (high - low)) / 2 + 0.05 * (high - low)
    low, high = low - spare, high + spare
    places = [
        (x_of(index, len(points)), y_of(value, low, high)) for index, value in enumerate(ratings)
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    label = ngettext(
        "%(title)s over %(count)s match, from %(first)s to %(last)s",
        "%(title)s over %(count)s matches, from %(first)s to %(last)s",
        len(points),
    ) % {
        "title": title,
        "count": len(points),
        "first": round(ratings[0]),
        "last": round(ratings[-1]),
    }
    starts = [
        (f"{x_of(index, len(points)):.1f}", point.version)
        for index, point in enumerate(points)
        if index == 0 or points[index - 1].version != point.version
    ]
    return format_html(
        '<svg class="history" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}'
        '<polyline class="history-line" points="{}"></polyline>'
        '<circle class="history-end" cx="{}" cy="{}" r="4"></circle></svg>',
        CHART_WIDTH,
        CHART_HEIGHT,
        label,
        scale(low, high),
        format_html_join(
            "",
            '<line class="history-version" x1="{}" x2="{}" y1="{}" y2="{}"></line>'
            '<text class="history-label" x="{}" y="{}">v{}</text>',
            (
                (x, x, CHART_TOP, CHART_HEIGHT - CHART_BOTTOM, x, CHART_HEIGHT - 8, version)
                for x, version in starts
            ),
        ),
        line,
        f"{places[-1][0]:.1f}",
        f"{places[-1][1]:.1f}",
    )


def scale(low: float, high: float, *, steps: Sequence[float] = GRID_STEPS) -> SafeString:
    """Return labelled lines across a chart, as few as the smallest of the steps allows."""
    step = next(step for step in steps if (high - low) / step <= GRID_ROWS)
    right = CHART_WIDTH - CHART_RIGHT
    values = [step * number for number in range(ceil(low / step), floor(high / step) + 1)]
    rows = [(number_format(f"{value:g}"), y_of(value, low, high)) for value in values]
    return format_html_join(
        "",
        '<line class="history-grid" x1="{}" x2="{}" y1="{}" y2="{}"></line>'
        '<text class="history-label" x="{}" y="{}" text-anchor="end">{}</text>',
        (
            (CHART_LEFT, right, f"{y:.1f}", f"{y:.1f}", CHART_LEFT - 8, f"{y + 4:.1f}", value)
            for value, y in rows
        ),
    )


def x_of(index: int, count: int) -> float:
    """Return where one of so many points is, from left to right."""
    width = CHART_WIDTH - CHART_LEFT - CHART_RIGHT
    return CHART_LEFT + (width * index / (count - 1) if count > 1 else width / 2)


def y_of(value: float, low: float, high: float) -> float:
    """Return where a value is, from top to bottom."""
    height = CHART_HEIGHT - CHART_TOP - CHART_BOTTOM
    return CHART_TOP + height * (high - value) / (high - low)
