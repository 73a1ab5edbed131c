"""What `drapeau verify` says of where the chance of a game comes from."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256

import pytest

from botkit.cli import main
from engine import chance
from engine.chance import Chance
from engine.record import Record
from engine.registry import variants
from tests.tree import ROOT
from tests.unit.engine.refereed import record_of

PAGE = ROOT / "docs/how-to/verify-a-record.md"
CUP, CUP_SECRET = "spring-cup", "c0" * 32
CUP_NOTED = chance.tournament_commitment(CUP_SECRET, tournament=CUP)
PLACE = chance.place_of(round_number=3, pairing=2, leg=1, take=1)
SECRET = chance.match_secret(CUP_SECRET, place=PLACE)
OTHER = "0d" * 32
MATCH = "m_7gXk2RtQbn4P"
NOTED = chance.match_commitment(SECRET, match=MATCH)
OLD = record_of(variants()["general"], chance.game_seed(SECRET, game=2, take=1), {"max_plies": 4})
GENUINE = replace(OLD, chance=Chance(MATCH, 2, 1, NOTED, SECRET, CUP, PLACE))


def told(**changes):
    return lambda record: replace(record, chance=replace(record.chance, **changes))


def committed(secret, **changes):
    """Swap the secret, and commit to the new one."""
    commitment = chance.match_commitment(secret, match=MATCH)
    return told(secret=secret, commitment=commitment, **changes)


@dataclass(frozen=True)
class Tampering:
    """What was changed, and what is said with everything noted that a person can note."""

    what: str
    change: Callable[[Record], Record]
    commitment: str = "holds"
    rng_seed: str = "holds"
    tournament: str = "holds"

    @property
    def status(self):
        """The exit status; the signature of these records is not checked."""
        return 1 if "no" in (self.commitment, self.rng_seed, self.tournament) else 3


TAMPERED = (
    Tampering("nothing", lambda record: record),
    Tampering("the secret", told(secret=OTHER), "no", "no", "no"),
    Tampering("the secret and the commitment", committed(OTHER), "no", "no", "no"),
    Tampering("the commitment", told(commitment=OTHER), "no"),
    Tampering("the number of the game", told(game=1), rng_seed="no"),
    Tampering("the take of the game", told(take=2), rng_seed="no"),
    Tampering("the id of the match", told(match="m_other"), "no"),
    Tampering("the place in the tournament", told(place=PLACE[:-1] + "2"), tournament="no"),
    Tampering("the name of the tournament", told(tournament="cup"), tournament="no"),
    Tampering("the `rng_seed`", lambda record: replace(record, rng_seed=7), rng_seed="no"),
    Tampering("all of it, left out", lambda _: OLD, "open", "absent", "open"),
)
SAYS = {"holds": "holds", "no": "does not hold", "open": "not checked", "absent": "not there"}


def verify(record, tmp_path, capsys, *arguments):
    path = tmp_path / "record.json"
    path.write_text(record.to_json())
    status = main(["verify", str(path), *arguments])
    lines = capsys.readouterr().out.splitlines()[1:]
    return status, dict(line.strip().split(": ", 1) for line in lines)


@pytest.mark.parametrize("case", TAMPERED, ids=lambda case: case.what)
def test_what_is_swapped_is_found(case, tmp_path, capsys):
    noted = ["--commitment", NOTED, "--tournament-commitment", CUP_NOTED]
    noted += ["--tournament-secret", CUP_SECRET]

    status, checks = verify(case.change(GENUINE), tmp_path, capsys, *noted)

    assert {
        name: checks[name].split(":")[0] for name in ("commitment", "rng_seed", "tournament")
    } == {
        "commitment": SAYS[case.commitment],
        "rng_seed": SAYS[case.rng_seed],
        "tournament": SAYS[case.tournament],
    }
    assert status == case.status


def test_the_second_table_of_the_documentation_is_this_one():
    rows = [
        f"| {case.what} | {SAYS[case.commitment]} | {SAYS[case.rng_seed]}"
        f" | {SAYS[case.tournament]} |"
        for case in TAMPERED
    ]

    assert "\n".join(rows) in PAGE.read_text()


def test_whoever_noted_nothing_sees_the_commitment(tmp_path, capsys):
    _, checks = verify(GENUINE, tmp_path, capsys)

    assert checks["commitment"] == f"holds: {NOTED}"
    assert checks["rng_seed"] == f"holds: that of game 2, take 1, of {MATCH}"
    assert "tournament" not in checks


def test_who_noted_nothing_does_not_see_that_a_secret_was_swapped_with_its_commitment(
    tmp_path, capsys
):
    """It is why the page says: note the commitment before the game."""
    seed_of_other = chance.game_seed(OTHER, game=2, take=1)
    record = record_of(variants()["general"], seed_of_other, {"max_plies": 4})
    swapped = committed(OTHER)(replace(record, chance=GENUINE.chance))

    assert verify(swapped, tmp_path, capsys)[1]["commitment"].startswith("holds")
    status, checks = verify(swapped, tmp_path, capsys, "--commitment", NOTED.upper())
    assert (status, checks["commitment"]) == (1, "does not hold: it is not the one that you noted")


def test_a_match_outside_of_tournaments_has_no_place(tmp_path, capsys):
    record = told(place="")(GENUINE)

    _, checks = verify(record, tmp_path, capsys, "--tournament-secret", CUP_SECRET)

    assert checks["tournament"] == "not checked: the record does not tell its place in one"


def test_the_commitment_of_a_tournament_is_checked_with_its_secret_only(tmp_path, capsys):
    noted = ("--tournament-commitment", CUP_NOTED)

    status, checks = verify(GENUINE, tmp_path, capsys, *noted)

    assert checks["tournament"] == "not checked: give its secret too (--tournament-secret)"
    assert status == 3


@pytest.mark.parametrize(
    ("game", "said"), [("g_7gXk2RtQbn4P", "not checked"), ("m_7gXk2RtQbn4P/1", "not there")]
)
def test_a_game_of_a_site_that_commits_must_tell_its_chance(game, said, tmp_path, capsys):
    _, checks = verify(replace(OLD, game=game), tmp_path, capsys)

    assert checks["commitment"].startswith(f"{said}: ")


@pytest.mark.parametrize("noted", ["", "abc", "g" * 64, "a" * 65])
def test_what_is_no_commitment_is_refused(noted, tmp_path, capsys):
    path = tmp_path / "record.json"
    path.write_text(GENUINE.to_json())

    assert main(["verify", str(path), "--commitment", noted]) == 2

    assert "it must have 64 hexadecimal digits" in capsys.readouterr().err


def test_the_recipe_of_the_documentation_gives_what_the_tournament_published():
    """The line of the page, `printf ... | sha256sum`, with a slug and a secret put in."""
    recipe = next(line for line in PAGE.read_text().splitlines() if line.startswith("printf"))
    text = recipe.split("'")[1].replace("SLUG", "spring-cup").replace("SECRET", CUP_SECRET)

    assert recipe.endswith("' | sha256sum")
    assert sha256(text.encode()).hexdigest() == chance.tournament_commitment(
        CUP_SECRET, tournament="spring-cup"
    )
