"""The same round drawn by py4swiss: an independent program for the Dutch system of FIDE."""

from py4swiss.engines import DutchEngine
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes.player_code import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection

from arena.domain.formats.types import Decision, TournamentState

# All games of a meeting have one result: won, drawn or lost.
WON, DRAWN, LOST = (True, False, False), (False, True, False), (False, False, True)
RESULTS = {WON: ResultToken.WIN, DRAWN: ResultToken.DRAW, LOST: ResultToken.LOSS}
FORFEITED = {WON: ResultToken.FORFEIT_WIN, LOST: ResultToken.FORFEIT_LOSS}
NOBODY = ColorToken.BYE_OR_NOT_PAIRED
BYE = RoundResult(id=0, color=NOBODY, result=ResultToken.PAIRING_ALLOCATED_BYE)
MISSED = RoundResult(id=0, color=NOBODY, result=ResultToken.ZERO_POINT_BYE)
TENTHS = {
    ResultToken.WIN: 10,
    ResultToken.DRAW: 5,
    ResultToken.LOSS: 0,
    ResultToken.FORFEIT_WIN: 10,
    ResultToken.FORFEIT_LOSS: 0,
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
    counts = [one for one in state.meetings if one.decision != Decision.VOID]
    had = {one.round: one for one in counts if entrant in one.entrants}
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
    games = (score.wins > 0, score.draws > 0, score.losses > 0)
    is_walkover = meeting.decision == Decision.WALKOVER
    return RoundResult(
        id=seeds[meeting.entrants[1 - place]],
        color=(ColorToken.WHITE, ColorToken.BLACK)[place],
        result=(FORFEITED if is_walkover else RESULTS)[games],
    )
