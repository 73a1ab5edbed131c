"""Seeds of a play-off: those of one place by their results, two of a group far apart."""

from random import Random

from arena.domain.formats import qualifying, seeding, single_elimination, slots
from arena.domain.formats.groups_playoff import GroupsPlayoff
from arena.domain.formats.types import TournamentState
from tests.unit.formats.bracket_play import Play, by_lot, entries, setup_for

GROUPS = GroupsPlayoff()


def homes(number, qualifiers, rng):
    """Tiers of one of each group, each in some order of results."""
    tiers = [[(place, group) for group in range(number)] for place in range(qualifiers)]
    for tier in tiers:
        rng.shuffle(tier)
    ids = {who: at for at, who in enumerate(who for tier in tiers for who in tier)}
    return [[ids[who] for who in tier] for tier in tiers], {at: who[1] for who, at in ids.items()}


AVOIDABLE = [
    (number, qualifiers, size)
    for number in range(2, 9)
    for qualifiers in range(1, 5)
    for size in (2, 3)
    if number >= size or qualifiers == 1  # of three at a table, two are of one of two groups
]


def test_no_two_of_group_meet_in_first_round():
    rng = Random("apart")
    for number, qualifiers, size in AVOIDABLE * 2:
        tiers, group_of = homes(number, qualifiers, rng)
        ranked = qualifying.arranged(tiers, group_of, size)
        assert [sorted(ranked[at * number : (at + 1) * number]) for at in range(qualifiers)] == [
            sorted(tier) for tier in tiers
        ]
        for seeds in seeding.meetings(len(ranked), size):
            met = [group_of[ranked[seed - 1]] for seed in seeds]
            assert len(set(met)) == len(met)


def test_winners_apart_and_two_of_group_in_halves():
    rng = Random("halves")
    for number in (2, 4, 8):
        for _ in range(20):
            tiers, group_of = homes(number, 2, rng)
            ranked = qualifying.arranged(tiers, group_of, 2)
            table = seeding.table(2 * number)
            upper = [ranked[seed - 1] for seed in table[:number]]
            assert {group_of[who] for who in upper} == set(range(number))
            for pair in zip(table[::2], table[1::2], strict=True):
                assert sum(seed <= number for seed in pair) == 1  # a winner and a second


def test_seeds_are_found_again_from_the_first_round():
    for size in (2, 3):
        for count in range(2, 20):
            field = entries(count)
            ranked = tuple(entry.id for entry in Random(count).sample(field, count))
            setup = setup_for(size=size)
            nodes = single_elimination.nodes(setup, count, "P")
            state = TournamentState(setup, field)
            bracket_state = slots.BracketState.of(state, nodes=nodes, ranked=ranked, first_round=4)
            drawn = bracket_state.draw()
            assert drawn is not None
            assert qualifying.seeds_of(drawn.meetings, size, "P") == ranked


def test_winners_of_groups_are_seeded_by_their_results():
    rng = Random("winners")
    for _ in range(20):
        play = Play(GROUPS, setup_for(groups=4, qualifiers=1), entries(16), result=by_lot, rng=rng)
        for _ in range(GROUPS.group_rounds(play.state)):
            play.step()
        ranked = [row.entrant for row in GROUPS.standings(play.state) if row.stage == -1]
        drawn = GROUPS.next_round(play.state)
        assert drawn is not None
        assert [meeting.entrants for meeting in drawn.meetings] == [
            (ranked[0], ranked[3]),
            (ranked[1], ranked[2]),
        ]
