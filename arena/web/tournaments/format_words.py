"""Scorings, tie-breaks and formats as pages show them: a name and a sentence for each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from arena.domain.formats import catalogue, scoring
from arena.domain.formats.base import Format
from arena.domain.formats.types import CHANCE, PAIR, FormatOption, Setup


@dataclass(frozen=True, slots=True)
class Word:
    """A name and a sentence that explains it; `short` is for narrow columns."""

    name: str | Promise
    meaning: str | Promise
    short: str | Promise = ""


SCORINGS: Mapping[str, Word] = {
    "classic": Word(_("1 / ½ / 0"), _("A win is worth 1 point, a draw ½, a loss or a forfeit 0.")),
    "championship": Word(
        _("6 / 3 / 1 / 0"),
        _("A win is worth 6 points, a draw 3, a loss 1, and a forfeit 0."),
    ),
}

TIE_BREAKS: Mapping[str, Word] = {
    "direct_encounter": Word(
        _("direct encounter"),
        _(
            "Points against the other tied entrants, if all of them have met. It is applied again "
            "to those that it leaves tied."
        ),
        pgettext_lazy("tie-break", "Direct"),
    ),
    "buchholz_cut1": Word(
        _("Buchholz cut 1"),
        _("The points of all opponents, without the weakest one."),
        pgettext_lazy("tie-break", "Buch. C1"),
    ),
    "buchholz": Word(
        _("Buchholz"), _("The points of all opponents."), pgettext_lazy("tie-break", "Buch.")
    ),
    "sonneborn_berger": Word(
        _("Sonneborn-Berger"),
        _("Points of the opponents: all of them for a game won, half of them for a draw."),
        pgettext_lazy("tie-break", "S-B"),
    ),
    "wins": Word(
        _("games won"),
        _("The number of games won by playing them."),
        pgettext_lazy("tie-break", "Won"),
    ),
    "fewer_forfeits": Word(
        _("fewer forfeits"),
        _("The entrant that forfeited fewer games ranks higher."),
        pgettext_lazy("tie-break", "Forfeits"),
    ),
    CHANCE: Word(
        _("the coin"),
        _(
            "Chance, worked out from the secret of the tournament. Anybody can check it after the "
            "release."
        ),
        pgettext_lazy("tie-break", "Coin"),
    ),
}

UNPLAYED_AS_SCHEDULED = _(
    "A walkover and an award count as regular games against the scheduled opponent, with the "
    "points that it has. Only “games won” leaves them out."
)
UNPLAYED_AS_DUMMY = _(
    "A game that was not played says nothing about an opponent. For Buchholz and Sonneborn-Berger "
    "a bye, a walkover and an award count as a meeting with an opponent that has the same points. "
    "If an opponent has left, each round that it missed since then counts as a draw."
)
BY_OPPONENTS = ("buchholz_cut1", "buchholz", "sonneborn_berger")

# The criterion that is applied before the tie-breaks.
POINTS = Word(_("points"), _("The points of all games."))
POINTS_PER_GAME = Word(
    _("points per game"),
    _(
        "Points divided by games, since some entrants play more games than others. Tie-breaks "
        "are averages too, except direct encounter."
    ),
)
STAGE = _("how far it came")


def format_name(slug: str) -> str:
    """Return the name of a format; for an unknown one its slug in words."""
    played = catalogue.FORMATS.get(slug)
    return gettext(played.label) if played else str(_plain(slug).name)


def meaning_for(played: Format, size: int) -> str:
    """Return what a format means for matches of `size` entrants."""
    is_duel = size == 2  # noqa: PLR2004 - a duel
    if is_duel or not played.meaning_for_more:
        return gettext(played.meaning)
    return gettext(played.meaning_for_more) % {"size": size}


def scoring_word(slug: str) -> Word:
    """Return the name and explanation of a scoring."""
    return SCORINGS.get(slug) or _plain(slug)


def tie_break_word(slug: str) -> Word:
    """Return the name and explanation of a tie-break, including the coin."""
    return TIE_BREAKS.get(slug) or _plain(slug)


def ranking_words(played: Format, tie_breaks: Sequence[str]) -> list[Word]:
    """Return the ranking criteria of a format in the order of application; the coin is last."""
    stage = [Word(STAGE, gettext(played.stage_meaning))] if played.stage_meaning else []
    points = POINTS_PER_GAME if played.compares_per_game else POINTS
    named = [tie_break_word(tie_break) for tie_break in tie_breaks if tie_break != CHANCE]
    return [*stage, points, *named, tie_break_word(CHANCE)]


def unplayed(played: Format, tie_breaks: Sequence[str]) -> str:
    """Return how unplayed games count, if a tie-break depends on opponents; else empty."""
    if played.is_scheduled and {*BY_OPPONENTS, "direct_encounter"}.intersection(tie_breaks):
        return str(UNPLAYED_AS_SCHEDULED)
    return str(UNPLAYED_AS_DUMMY) if set(BY_OPPONENTS).intersection(tie_breaks) else ""


def deviations(played: Format, setup: Setup) -> list[str]:
    """Return where the tie-breaks of a tournament differ from their published definitions."""
    used = setup.tie_breaks
    weighs = setup.scoring != scoring.CLASSIC
    cases: list[tuple[bool, str]] = [
        (
            "direct_encounter" in used and not played.is_scheduled,
            gettext("Direct encounter decides nothing if two of the tied entrants have not met."),
        ),
        (
            "direct_encounter" in used and played.is_scheduled,
            gettext(
                "Direct encounter decides nothing if a pairing of the tied entrants has no result, "
                "because it is void or both had left. FIDE counts it as lost by both."
            ),
        ),
        (
            "buchholz_cut1" in used and not played.is_scheduled,
            gettext("Buchholz cut 1 always leaves out the lowest opponent."),
        ),
        (
            "sonneborn_berger" in used and weighs,
            gettext("Sonneborn-Berger counts a game won as 1 and a draw as ½ in every scoring."),
        ),
        (
            played.is_scheduled,
            gettext("The results of an entrant that left count, however few games it played."),
        ),
        (
            played.compares_per_game,
            gettext("Averages replace sums, because some entrants play more games."),
        ),
        (
            setup.size > PAIR,
            gettext("In matches of three, everybody meets two opponents at once."),
        ),
        (
            "fewer_forfeits" in used,
            gettext("FIDE does not have the tie-break “fewer forfeits”."),
        ),
    ]
    return [text for applies, text in cases if applies]


def decider(slug: str) -> str:
    """Return what ranked a line of the standings above the next; empty for the last line."""
    if not slug:
        return ""
    words = {"stage": STAGE, "points": POINTS.name, "points_per_game": POINTS_PER_GAME.name}
    return str(words.get(slug) or tie_break_word(slug).name)


def matches_in_a_pairing(matches: int, games: int) -> str:
    """Return the matches and games of a pairing as a sentence; `games` is their total number."""
    if matches == 1:
        text = ngettext(
            "A pairing is one match of %(games)s game, in which everybody has every place once.",
            "A pairing is one match of %(games)s games, in which everybody has every place once.",
            games,
        )
    else:
        text = gettext(
            "A pairing is %(matches)s matches, together %(games)s games; "
            "in each match everybody has every place once."
        )
    return text % {"matches": matches, "games": games}


def options_in_words(
    known: Sequence[FormatOption], values: Mapping[str, Any]
) -> list[tuple[str, str]]:
    """Return the readable names and values of a format's options."""
    words = []
    for option in known:
        value = values.get(option.name, option.default)
        if option.is_switch:
            value = gettext("yes") if value else gettext("no")
        words.append((gettext(option.label), str(value)))
    return words


def _plain(slug: str) -> Word:
    return Word(slug.replace("_", " "), "")
