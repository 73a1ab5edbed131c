"""Tie-breaks as gacrux has them: an independent program, the tie-break server of FIDE."""

from collections.abc import Sequence

from gacrux.tiebreak import tiebreak
from gacrux.trf2json import trf2json

from arena.domain.formats.types import TournamentState
from tests.unit.formats import dutch

BEGUN = "2024-01-01"  # what rules it applies depends on it: those of 2023


def tie_breaks(state: TournamentState) -> dict[int, tuple[float, ...]]:
    """Return points, Buchholz cut 1, Buchholz and Sonneborn-Berger of all, one game a round."""
    return _computed(state, ("PTS", "BH/C1", "BH", "SB"), {"swiss": True}, "Swiss-System")


def round_robin(state: TournamentState) -> dict[int, tuple[float, ...]]:
    """Return points, place by direct encounter, Buchholz, Sonneborn-Berger, games won of all."""
    return _computed(state, ("PTS", "DE", "BH", "SB", "WON"), {"rr": True}, "Round-Robin")


def _computed(
    state: TournamentState, names: Sequence[str], kind: dict[str, bool], label: str
) -> dict[int, tuple[float, ...]]:
    by_seed = {entry.seed: entry.id for entry in state.entries}
    report = trf2json()
    report.parse_file(_report(state, label), verbose=False)
    assert report.get_status() == 0
    tournament = report.get_tournament(1)
    asked = {**kind, "tiebreak": list(names), "check": 0, "verbose": 0}
    found = tiebreak(tournament, -1, asked).compute_tiebreaks(tournament, asked)
    return {
        by_seed[row["cid"]]: tuple(float(value) for value in row["tiebreakScore"])
        for row in found["competitors"]
    }


def _report(state: TournamentState, label: str) -> str:
    lines = [
        "012 Tournament",
        f"042 {BEGUN}",
        f"092 Individual: {label}",
        f"XXR {state.rounds}",
    ]
    return "\n".join([*lines, *(section.to_string() for section in dutch.sections(state))]) + "\n"
