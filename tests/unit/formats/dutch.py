"""The same round drawn by py4swiss: an independent program for the Dutch system of FIDE."""

from py4swiss.engines import DutchEngine
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes.player_code import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection

from arena.domain.formats.types import TournamentState

WON, DRAWN, LOST = (2, 0, 0), (0, 2, 0), (0, 0, 2)  # meetings of two games: one result for both
RESULTS = {WON: ResultToken.WIN, DRAWN: ResultToken.DRAW, LOST: ResultToken.LOSS}
NOBODY = ColorToken.BYE_OR_NOT_PAIRED
BYE = RoundResult(id=0, color=NOBODY, result=ResultToken.PAIRING_ALLOCATED_BYE)
MISSED = RoundResult(id=0, color=NOBODY, result=ResultToken.ZERO_POINT_BYE)
TENTHS = {
    ResultToken.WIN: 10,
    ResultToken.DRAW: 5,
    ResultToken.LOSS: 0,
    ResultToken.PAIRING_ALLOCATED_BYE: 10,
    ResultToken.ZERO_POINT_BYE: 0,
}


def pairs(state: TournamentState) -> list[tuple[int, ...]]:
    """Return whom it pairs in the next round, who is first being first; one alone has the bye."""
    by_seed = {entry.seed: entry.id for entry in state.entries}
    trf = ParsedTrf(
        player_sections=sections(state),
        x_section=XSection(number_of_rounds=state.setup.options["rounds"]),
    )
    trf.validate_contents()
    drawn = DutchEngine.generate_pairings(trf)
    found = [(pairing.white, pairing.black) for pairing in drawn]
    return [tuple(by_seed[seed] for seed in pair if seed) for pair in found]


def sections(state: TournamentState) -> list[PlayerSection]:
    """Return what everybody did, by seeds, in the words of a tournament report file."""
    seeds = {entry.id: entry.seed for entry in state.entries}
    return [_section(state, seeds, entrant) for entrant in sorted(seeds, key=seeds.__getitem__)]


def _section(state: TournamentState, seeds: dict[int, int], entrant: int) -> PlayerSection:
    had = {one.round: one for one in state.meetings if entrant in one.entrants}
    results = [
        _result(seeds, had[number], entrant) if number in had else MISSED
        for number in range(1, state.rounds + 1)
    ]
    return PlayerSection(
        code=PlayerCode.PLAYER,
        starting_number=seeds[entrant],
        rank=seeds[entrant],
        points_times_ten=sum(TENTHS[result.result] for result in results),
        results=results,
    )


def _result(seeds: dict[int, int], meeting, entrant: int) -> RoundResult:
    if len(meeting.entrants) == 1:
        return BYE
    score = meeting.score_of(entrant)
    place = meeting.entrants.index(entrant)
    return RoundResult(
        id=seeds[meeting.entrants[1 - place]],
        color=(ColorToken.WHITE, ColorToken.BLACK)[place],
        result=RESULTS[score.wins, score.draws, score.losses],
    )
