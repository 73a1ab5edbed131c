"""What games are worth: presets, as data. Pages have texts for their slugs."""

from collections.abc import Mapping

from arena.domain.formats.types import Score, Scoring, Unplayable

CLASSIC = Scoring(win=1.0, draw=0.5, loss=0.0, forfeit=0.0)
CHAMPIONSHIP = Scoring(win=6.0, draw=3.0, loss=1.0, forfeit=0.0)  # a loss by play is worth more

PRESETS: Mapping[str, Scoring] = {"classic": CLASSIC, "championship": CHAMPIONSHIP}


def find(slug: str) -> Scoring:
    """Return a preset. Raise Unplayable("unknown_scoring") if there is none."""
    if slug not in PRESETS:
        raise Unplayable("unknown_scoring", slug=slug, known=sorted(PRESETS))
    return PRESETS[slug]


def points(scoring: Scoring, score: Score) -> float:
    """Return what the games of an entrant are worth."""
    lost = score.losses - score.forfeits
    return (
        score.wins * scoring.win
        + score.draws * scoring.draw
        + lost * scoring.loss
        + score.forfeits * scoring.forfeit
    )


def game_points(score: Score) -> float:
    """Return games as 1, ½ and 0, which decides a meeting whatever the tournament's scoring."""
    return points(CLASSIC, score)
