"""What made a bot forfeit, for its owner."""

import base64

import pytest

from arena.models import Scope, User
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


def test_the_owner_reads_that_of_the_own_bot_and_no_other(forfeited, signed_in):
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


def test_staff_read_all_of_it(forfeited, signed_in):
    staff = User.objects.create_user("operator", is_staff=True)

    told = signed_in(staff).get(address(forfeited)).json()

    assert [row["position"] for row in told["evidence"]] == [0, 1]


def test_a_game_without_a_forfeit_has_none(forfeited, signed_in):
    told = signed_in(owner_of(forfeited, 0)).get(address(forfeited, 2)).json()

    assert told == {"evidence": []}


def test_nobody_else_reads_a_word(forfeited, anyone, signed_in):
    writer = signed_in(owner_of(forfeited, 0), Scope.BOTS_WRITE)
    answers = [
        caller.get(address(forfeited)) for caller in (anyone, signed_in(rows.user()), writer)
    ]

    assert [answer.status_code for answer in answers] == [401, 403, 403]
    assert [answer for answer in answers if ASKED in answer.content.decode()] == []
