"""The formats by name: each has what a format has, and its bounds are sound."""

import pytest

from arena.domain.formats import catalogue, scoring, tiebreaks
from arena.domain.formats.types import Entry, Setup, TournamentState, Unplayable

SLUGS = [  # tournaments keep them
    "round_robin",
    "double_round_robin",
    "swiss",
    "single_elimination",
    "double_elimination",
    "gauntlet",
    "groups_playoff",
]


def test_published_formats_still_there_in_order():
    assert [slug for slug in catalogue.FORMATS if slug in SLUGS] == SLUGS


def test_unknown_format_refused_naming_known_ones():
    with pytest.raises(Unplayable) as refused:
        catalogue.find("keizer")
    assert refused.value.code == "unknown_format"
    assert refused.value.details == {"slug": "keizer", "known": sorted(catalogue.FORMATS)}


@pytest.mark.parametrize("slug", catalogue.FORMATS)
def test_format_tie_breaks_and_options_make_sense(slug):
    found = catalogue.find(slug)
    tiebreaks.check(found.tie_breaks)
    names = [option.name for option in found.options]
    assert len(set(names)) == len(names)
    for option in found.options:
        assert option.least <= option.default <= option.most
        assert not option.is_switch or (option.least, option.most) == (0, 1)


@pytest.mark.parametrize("slug", catalogue.FORMATS)
def test_sixteen_may_play_by_the_defaults(slug):
    found = catalogue.find(slug)
    setup = Setup(
        rng_seed=11,
        scoring=scoring.CLASSIC,
        tie_breaks=found.tie_breaks,
        options={option.name: option.default for option in found.options},
    )
    entries = [Entry(id=100 + seed, seed=seed) for seed in range(1, 17)]
    found.check(setup, len(entries))
    outline = found.outline(setup, len(entries))
    drawn = found.initial_pairings(setup, entries)
    assert drawn == found.next_round(TournamentState(setup, entries))
    assert (outline[0].pairings, outline[0].byes) == (len(drawn.meetings), 0)
    assert not found.is_finished(TournamentState(setup, entries))
    rows = found.standings(TournamentState(setup, entries, drawn.meetings))
    assert {row.entrant for row in rows} == {entry.id for entry in entries}
    assert [row.rank for row in rows] == [*range(1, 17)]


@pytest.mark.parametrize("slug", catalogue.FORMATS)
def test_one_alone_is_no_tournament(slug):
    found = catalogue.find(slug)
    options = {option.name: option.default for option in found.options}
    with pytest.raises(Unplayable):
        found.check(Setup(rng_seed=1, scoring=scoring.CLASSIC, options=options), 1)
