"""How a game went, as charts and sentences beside its replay."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from arena.domain.matches import remarks
from arena.models import Game, GameLog, MatchKind
from arena.texts import lists
from arena.web.matches import labels, replay_cache, replay_frames
from arena.web.matches.replay_frames import ReplayFrame
from arena.web.ratings import charts
from engine.remarks import BeliefScore
from engine.story import TurningPoint

# From tenths to weeks, as the longest chart is of seconds.
GRID_STEPS = tuple(digit * 10.0**power for power in range(-1, 6) for digit in (1, 2, 5))
LEAST_HIGH = 0.5
COUNTS = "counts"  # the line of the exact counts, beside that of a seat


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart with its title."""

    title: str
    svg: SafeString


@dataclass(frozen=True, slots=True)
class ShownTurningPoint:
    """A turning point: where its replay is, what happened, and who learned how much."""

    ply: int
    url: str
    said: str
    learned: str


@dataclass(frozen=True, slots=True)
class ShownStory:
    """What the page shows of a story; `seats` is the legend of the charts."""

    seats: Sequence[tuple[str, str]]
    charts: Sequence[Chart]
    turning_points: Sequence[ShownTurningPoint]


def show(game: Game, frame: ReplayFrame, logs: Iterable[GameLog]) -> ShownStory | None:
    """Return the story of a game, told as the observer of a picture heard it. Raise Refused.

    It has the beliefs in `logs`, which the visitor must be allowed to see. A game that ended before
    its first ply has no story.
    """
    story = replay_cache.story(game)
    if not story.moments[1:]:
        return None
    hidden_bits = [moment.hidden_bits for moment in story.moments]
    lost = [moment.lost for moment in story.moments]
    drawn = [
        _chart(_("What was hidden from each, in bits"), hidden_bits, story.turning_points),
        _chart(_("Pieces lost"), lost),
    ]
    if game.match.kind != MatchKind.PERSON:  # a person's time is not charged
        used_s = [
            {seat: used_ms / 1000 for seat, used_ms in moment.used_ms.items()}
            for moment in story.moments
        ]
        drawn.append(_chart(_("Time used, in seconds"), used_s))
    drawn += [
        _beliefs(seat, scores, len(story.moments))
        for seat, scores in remarks.belief_scores(game=game, logs=logs).items()
    ]
    steps = replay_cache.document(game, frame.view)["steps"]
    return ShownStory(
        seats=[(seat, labels.seat_name(seat)) for seat in story.seats],
        charts=[chart for chart in drawn if chart],
        turning_points=[
            ShownTurningPoint(
                point.ply,
                replay_frames.url_at(frame, point.ply),
                steps[point.ply - 1]["say"],
                _("%(seat)s learned %(bits)s bits more than the other side.")
                % {"seat": labels.seat_name(point.seat), "bits": number_format(point.bits, 1)},
            )
            for point in story.turning_points
        ],
    )


def _beliefs(seat: str, scores: Mapping[int, BeliefScore], plies: int) -> Chart | None:
    """Draw how far the beliefs of a seat were from the truth, and the exact counts with them."""
    values: list[dict[str, float]] = [{} for _ in range(plies)]
    for ply, score in scores.items():
        values[ply] = {
            seat: score.bits / score.pieces,
            COUNTS: score.prior_bits / score.pieces,
        }
    title = _("What %(seat)s believed, in bits a piece from the truth; dotted: counting alone")
    return _chart(title % {"seat": labels.seat_name(seat)}, values)


def _chart(
    title: str, values: Sequence[Mapping[str, float]], marked: Sequence[TurningPoint] = ()
) -> Chart | None:
    """Draw a line for each name over the plies that have it, and marks; nothing if all is zero."""
    highest = max((value for each in values for value in each.values()), default=0.0)
    if not highest:
        return None
    high = max(LEAST_HIGH, highest) * 1.05
    places = [charts.x_of(index, len(values)) for index in range(len(values))]
    known = {
        name: [(ply, each[name]) for ply, each in enumerate(values) if name in each]
        for name in dict.fromkeys(name for each in values for name in each)
    }
    lines = [
        (
            name,
            " ".join(
                f"{places[ply]:.1f},{charts.y_of(value, 0, high):.1f}" for ply, value in points
            ),
        )
        for name, points in known.items()
    ]
    told = lists.all_of(
        _("%(seat)s from %(first)s to %(last)s")
        % {"seat": _name(name), "first": _number(points[0][1]), "last": _number(points[-1][1])}
        for name, points in known.items()
    )
    marks = [f"{places[point.ply]:.1f}" for point in marked]
    bottom = charts.CHART_HEIGHT - charts.CHART_BOTTOM
    svg = format_html(
        '<svg class="story-chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}{}'
        '<text class="history-label" x="{}" y="{}" text-anchor="end">{}</text></svg>',
        charts.CHART_WIDTH,
        charts.CHART_HEIGHT,
        f"{title}: {told}",
        charts.scale(0, high, steps=GRID_STEPS),
        format_html_join(
            "",
            '<line class="history-version" x1="{}" x2="{}" y1="{}" y2="{}"></line>',
            ((x, x, charts.CHART_TOP, bottom) for x in marks),
        ),
        format_html_join(
            "", '<polyline class="story-line story-{}" points="{}"></polyline>', lines
        ),
        charts.CHART_WIDTH - charts.CHART_RIGHT,
        charts.CHART_HEIGHT - 8,
        _("ply %s") % (len(values) - 1),
    )
    return Chart(title, svg)


def _name(name: str) -> str:
    return _("counting alone") if name == COUNTS else labels.seat_name(name)


def _number(value: float) -> str:
    return number_format(round(value, 1))
