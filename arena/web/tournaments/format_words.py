"""Formats, scorings and tie-breaks in words: a name each, and a sentence that explains it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from arena.domain.formats.types import CHANCE, FormatOption


@dataclass(frozen=True, slots=True)
class Word:
    """A thing by its name; `short` stands above a narrow column, `meaning` is a sentence."""

    name: str | Promise
    meaning: str | Promise
    short: str | Promise = ""


FORMATS: Mapping[str, Word] = {
    "round_robin": Word(_("round robin"), _("Everybody meets everybody once. Most points wins.")),
    "double_round_robin": Word(
        _("double round robin"), _("Everybody meets everybody twice. Most points wins.")
    ),
    "swiss": Word(
        _("Swiss system"),
        _(
            "A fixed number of rounds. In each, who has about as many points meets, "
            "and nobody meets anybody twice. Most points wins."
        ),
    ),
    "single_elimination": Word(
        _("single elimination"), _("Who loses is out; the last one left wins.")
    ),
    "double_elimination": Word(
        _("double elimination"),
        _("Who loses goes on in the lower bracket; who loses again is out."),
    ),
    "gauntlet": Word(
        _("gauntlet"),
        _("The first seeds, the challengers, meet all others. The others do not meet each other."),
    ),
    "groups_playoff": Word(
        _("groups, then play-off"),
        _("Round robins in groups; the best of every group go on in a knockout."),
    ),
}

# What they mean where more than two meet in a match.
MANY: Mapping[str, str | Promise] = {
    "round_robin": _("Every %(size)d of them meet once. Most points wins."),
    "double_round_robin": _("Every %(size)d of them meet twice. Most points wins."),
    "swiss": _(
        "A fixed number of rounds. In each, %(size)d who have about as many points meet, "
        "and nobody meets anybody twice. Most points wins."
    ),
    "single_elimination": _("The best of every %(size)d goes on; the last one left wins."),
    "gauntlet": _("The first seeds, the challengers, meet all others, in matches of %(size)d."),
}

SCORINGS: Mapping[str, Word] = {
    "classic": Word(
        _("1 / ½ / 0"), _("A game won is worth 1, a draw ½, a loss or a forfeit nothing.")
    ),
    "championship": Word(
        _("6 / 3 / 1 / 0"),
        _("A game won is worth 6, a draw 3, a loss 1, and a forfeit nothing."),
    ),
}

TIE_BREAKS: Mapping[str, Word] = {
    "direct_encounter": Word(
        _("direct encounter"),
        _(
            "Points from the games that the tied entrants played with each other. "
            "It counts only where all of them have met and played."
        ),
        pgettext_lazy("tie-break", "Direct"),
    ),
    "buchholz_cut1": Word(
        _("Buchholz cut 1"),
        _("Points of all opponents, without those of the weakest one."),
        pgettext_lazy("tie-break", "Buch. C1"),
    ),
    "buchholz": Word(
        _("Buchholz"), _("Points of all opponents."), pgettext_lazy("tie-break", "Buch.")
    ),
    "sonneborn_berger": Word(
        _("Sonneborn-Berger"),
        _("Points of the opponents: for every game won all of them, for every game drawn half."),
        pgettext_lazy("tie-break", "S-B"),
    ),
    "wins": Word(_("games won"), _("How many games were won."), pgettext_lazy("tie-break", "Won")),
    "fewer_forfeits": Word(
        _("fewer forfeits"),
        _("Whoever forfeited fewer games stands higher."),
        pgettext_lazy("tie-break", "Forfeits"),
    ),
    CHANCE: Word(
        _("the coin"),
        _("Chance, worked out of the rng_seed of the tournament: everybody can do it again."),
        pgettext_lazy("tie-break", "Coin"),
    ),
}

UNPLAYED = _(
    "What was not played tells nothing of an opponent: for Buchholz and Sonneborn-Berger a bye, a "
    "walkover and an award count as a meeting with somebody who has as many points as oneself. Of "
    "an opponent that has left, each round it missed since then counts as drawn. So did the "
    "tie-break regulations of FIDE before 2026; but here Buchholz cut 1 leaves out the lowest in "
    "any case, and round robins count so too."
)

BY_OPPONENTS = ("buchholz_cut1", "buchholz", "sonneborn_berger")

# What comes before the tie-breaks.
POINTS = Word(_("points"), _("Those of all games."))
POINTS_PER_GAME = Word(
    _("points per game"),
    _(
        "Points divided by games, since some play more of them than others. Tie-breaks are "
        "averages too, but for direct encounter."
    ),
)
STAGE = _("how far it came")
STAGES: Mapping[str, Word] = {
    "single_elimination": Word(STAGE, _("The winner of the final, its loser, and so on down.")),
    "double_elimination": Word(
        STAGE, _("The winner of the grand final, its loser, and so on down the lower bracket.")
    ),
    "groups_playoff": Word(
        STAGE,
        _("The play-off, round by round; for those who are not in it the place in their group."),
    ),
}

OPTIONS: Mapping[str, Word] = {
    "rounds": Word(_("Rounds"), _("How many rounds are played.")),
    "groups": Word(_("Groups"), _("How many groups there are.")),
    "qualifiers": Word(_("Go on from each group"), _("So many of every group, the best of it.")),
    "challengers": Word(_("Challengers"), _("The first seeds, so many, meet all the others.")),
    "third_place": Word(_("Match for third place"), _("Between those who lost the semi-finals.")),
    "reset": Word(
        _("Second grand final"),
        _("Played where the first one gives the unbeaten side its first loss."),
    ),
    "extra_matches": Word(
        _("More matches where it is level"),
        _("At most so many, one by one; then the highest seed of those who are there goes on."),
    ),
}


def format_word(slug: str) -> Word:
    """Return the word of a format; one that is not known here goes by its own name."""
    return FORMATS.get(slug) or _plain(slug)


def meaning_for(slug: str, size: int) -> str:
    """Explain a format where so many meet in a match."""
    if size > 2 and slug in MANY:  # noqa: PLR2004 - a duel
        return str(MANY[slug]) % {"size": size}
    return str(format_word(slug).meaning)


def scoring_word(slug: str) -> Word:
    """Return the word of a scoring."""
    return SCORINGS.get(slug) or _plain(slug)


def tie_break_word(slug: str) -> Word:
    """Return the word of a tie-break, the coin included."""
    return TIE_BREAKS.get(slug) or _plain(slug)


def option_word(name: str) -> Word:
    """Return the word of an option of a format."""
    return OPTIONS.get(name) or _plain(name)


def ranking_words(slug: str, tie_breaks: Sequence[str], *, per_game: bool) -> list[Word]:
    """Return what a format ranks by, in the order in which it is applied: the coin is the last."""
    first = [STAGES[slug]] if slug in STAGES else []
    named = [tie_break_word(each) for each in tie_breaks if each != CHANCE]
    return [*first, _points(per_game=per_game), *named, tie_break_word(CHANCE)]


def unplayed(tie_breaks: Sequence[str]) -> str:
    """Explain what was not played, where a tie-break asks what opponents did; else empty."""
    return str(UNPLAYED) if any(slug in BY_OPPONENTS for slug in tie_breaks) else ""


def decider(slug: str) -> str:
    """Return what put a line of the standings before the next one; empty for the last line."""
    if not slug:
        return ""
    words = {"stage": STAGE, "points": POINTS.name, "points_per_game": POINTS_PER_GAME.name}
    return str(words.get(slug) or tie_break_word(slug).name)


def _points(*, per_game: bool) -> Word:
    return POINTS_PER_GAME if per_game else POINTS


def matches_in_a_pairing(matches: int, games: int) -> str:
    """Say in how many matches and games a pairing is played; `games` is that of them all."""
    if matches == 1:
        said = ngettext(
            "A pairing is one match of %(games)s game, in which everybody has every place once.",
            "A pairing is one match of %(games)s games, in which everybody has every place once.",
            games,
        )
    else:
        said = gettext(
            "A pairing is %(matches)s matches, together %(games)s games; "
            "in each match everybody has every place once."
        )
    return said % {"matches": matches, "games": games}


def options_in_words(
    known: Sequence[FormatOption], values: Mapping[str, Any]
) -> list[tuple[str, str]]:
    """Return the names and values of a format's options as people read them."""
    return [
        (str(option_word(each.name).name), _value(each, values.get(each.name, each.default)))
        for each in known
    ]


def _value(option: FormatOption, value: object) -> str:
    if option.is_switch:
        return gettext("yes") if value else gettext("no")
    return str(value)


def _plain(slug: str) -> Word:
    return Word(slug.replace("_", " "), "")
