"""What made a bot forfeit, for its owner."""

import base64

import pytest

from tests import factories
from tests.integration.api import rows

ASKED = "the view of "  # and whose
SAID = b"\xff<script>"


@pytest.fixture
def forfeited(db):
    """Return a match in whose first game both bots failed at once."""
    match = rows.finished_match()
    game = match.games.get(number=1)
    for seat in game.seats:
        factories.make_evidence(game, seat, signal=9)
    return match


def owner_of(match, position):
    return match.entrants.get(position=position).version.bot.owner


def address(match, number=1):
    return f"/games/{match.public_id}/{number}/evidence"


def test_owner_reads_evidence_of_own_bot_only(forfeited, signed_in):
    seat_of = {position: seat for seat, position in forfeited.games.first().seats.items()}

    for position in (0, 1):
        told = signed_in(owner_of(forfeited, position)).get(address(forfeited)).json()

        seat = seat_of[position]
        assert told == {
            "evidence": [
                {
                    "position": position,
                    "seat": seat,
                    "request": f"{ASKED}{seat}\\n",
                    "received": f"0000  {SAID.hex(' '):<48} .<script>",
                    "request_base64": base64.b64encode(f"{ASKED}{seat}\n".encode()).decode(),
                    "received_base64": base64.b64encode(SAID).decode(),
                    "charged_ms": 1.5,
                    "allowance_ms": 5000.0,
                    "wall_ms": 2.5,
                    "cpu_ms": None,
                    "peak_memory_bytes": None,
                    "exit_status": None,
                    "signal": 9,
                }
            ]
        }


def test_a_game_without_a_forfeit_has_none(forfeited, signed_in):
    told = signed_in(owner_of(forfeited, 0)).get(address(forfeited, 2)).json()

    assert told == {"evidence": []}
