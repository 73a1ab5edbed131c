"""What `drapeau verify` says of where the chance of a game comes from."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256

import pytest

from botkit.cli import main
from engine import chance
from engine.chance import Chance
from engine.record import Record, sealed
from engine.registry import variants
from engine.signature import key_id, public_half, signed
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
PRIVATE_KEY = "1" * 64
OLD = signed(
    sealed(
        replace(
            record_of(
                variants()["general"],
                chance.game_seed(SECRET, game=2, take=1),
                {"max_plies": 4},
            ),
            game="g_7gXk2RtQbn4P",
        )
    ),
    private_key=PRIVATE_KEY,
    signed_at="2026-11-24T12:00:00Z",
)
GENUINE = replace(OLD, chance=Chance(MATCH, 2, 1, NOTED, SECRET, CUP, PLACE))


def told(**changes):
    return lambda record: replace(record, chance=replace(record.chance, **changes))


def committed(secret, **changes):
    """Swap the secret, and commit to the new one."""
    commitment = chance.match_commitment(secret, match=MATCH)
    return told(secret=secret, commitment=commitment, **changes)


@dataclass(frozen=True)
class Tampering:
    """What was changed, and what is said with everything noted that a person can note.

    `without` is the exit status of somebody who noted nothing.
    """

    what: str
    change: Callable[[Record], Record]
    commitment: str = "holds"
    rng_seed: str = "holds"
    tournament: str = "holds"
    signature: str = "holds"
    without: int = 3

    @property
    def said(self):
        return {
            "seal": "holds",
            "signature": SAYS[self.signature],
            "commitment": SAYS[self.commitment],
            "rng_seed": SAYS[self.rng_seed],
            "tournament": SAYS[self.tournament],
        }

    @property
    def status(self):
        said = self.said.values()
        return 1 if SAYS["no"] in said else 3 if SAYS["open"] in said else 0


TAMPERED = (
    Tampering("nothing", lambda record: record),
    Tampering("the secret", told(secret=OTHER), "no", "no", "no", without=1),
    Tampering("the secret and the commitment", committed(OTHER), "no", "no", "no", without=1),
    Tampering("the commitment", told(commitment=OTHER), "no", without=1),
    Tampering("the number of the game", told(game=1), rng_seed="no", without=1),
    Tampering("the take of the game", told(take=2), rng_seed="no", without=1),
    Tampering("the id of the match", told(match="m_other"), "no", without=1),
    Tampering(
        "the id of the match, and the commitment to fit it",
        told(match="m_other", commitment=chance.match_commitment(SECRET, match="m_other")),
        "no",
    ),
    Tampering("the place in the tournament", told(place=PLACE[:-1] + "2"), tournament="no"),
    Tampering("the name of the tournament", told(tournament="cup"), tournament="no"),
    Tampering(
        "the tournament, left out", told(tournament="", place=""), tournament="open", without=0
    ),
    Tampering(
        "the `rng_seed`, with a new seal",
        lambda record: sealed(replace(record, rng_seed=7)),
        rng_seed="no",
        signature="no",
        without=1,
    ),
    Tampering("all of it, left out", lambda _: OLD, "open", "absent", "open"),
)
SAYS = {"holds": "holds", "no": "does not hold", "open": "not checked", "absent": "not there"}


def verify(record, tmp_path, capsys, *arguments):
    public_key = public_half(PRIVATE_KEY)
    key = {"id": key_id(public_key), "public_key": public_key, "valid_from": "2026-11-01T00:00:00Z"}
    keys = tmp_path / "keys.json"
    keys.write_text(json.dumps({"results": [{**key, "retired_at": None, "revoked_at": None}]}))
    path = tmp_path / "record.json"
    path.write_text(record.to_json())
    status = main(["verify", str(path), "--keys", str(keys), *arguments])
    lines = capsys.readouterr().out.splitlines()[1:]
    return status, dict(line.strip().split(": ", 1) for line in lines)


@pytest.mark.parametrize("case", TAMPERED, ids=lambda case: case.what)
def test_what_is_swapped_is_found(case, tmp_path, capsys):
    noted = ["--commitment", NOTED, "--tournament-commitment", CUP_NOTED]
    noted += ["--tournament-secret", CUP_SECRET]

    status, checks = verify(case.change(GENUINE), tmp_path, capsys, *noted)

    assert {name: checks[name].split(":")[0] for name in case.said} == case.said
    assert status == case.status
    assert verify(case.change(GENUINE), tmp_path, capsys)[0] == case.without


def test_second_documentation_table_equals_this_one():
    columns = " | ".join(TAMPERED[0].said)
    rows = [
        f"| changed | {columns} | exit status | exit status if nothing was noted |",
        "|---|---|---|---|---|---|---|---|",
    ]
    rows += [
        f"| {case.what} | {' | '.join(case.said.values())} | {case.status} | {case.without} |"
        for case in TAMPERED
    ]

    assert "\n".join(["", "", *rows, "", ""]) in PAGE.read_text()


def test_whoever_noted_nothing_sees_the_commitment(tmp_path, capsys):
    status, checks = verify(GENUINE, tmp_path, capsys)

    assert status == 3
    assert checks["commitment"] == (
        f"holds: it fits the secret; compare it with the one that you noted: {NOTED}"
    )
    assert checks["rng_seed"] == f"holds: that of game 2, take 1, of {MATCH}"
    assert checks["tournament"] == (
        "not checked: give --tournament-commitment and --tournament-secret"
    )


def test_secret_swapped_with_commitment_is_unseen_unless_noted(tmp_path, capsys):
    """It is why the page says: note the commitment before the game."""
    seed_of_other = chance.game_seed(OTHER, game=2, take=1)
    record = record_of(variants()["general"], seed_of_other, {"max_plies": 4})
    swapped = committed(OTHER)(replace(record, chance=GENUINE.chance))

    assert verify(swapped, tmp_path, capsys)[1]["commitment"].startswith("holds")
    status, checks = verify(swapped, tmp_path, capsys, "--commitment", NOTED.upper())
    assert (status, checks["commitment"]) == (1, "does not hold: it is not the one that you noted")


def test_a_match_outside_of_tournaments_has_no_place(tmp_path, capsys):
    record = told(tournament="", place="")(GENUINE)

    assert "tournament" not in verify(record, tmp_path, capsys)[1]
    _, checks = verify(record, tmp_path, capsys, "--tournament-secret", CUP_SECRET)

    assert checks["tournament"] == "not checked: the record does not tell its place in one"


@pytest.mark.parametrize(
    ("game", "said"), [("g_7gXk2RtQbn4P", "not checked"), ("m_7gXk2RtQbn4P/1", "not there")]
)
def test_game_of_committing_site_must_tell_its_chance(game, said, tmp_path, capsys):
    _, checks = verify(replace(OLD, game=game), tmp_path, capsys)

    assert checks["commitment"].startswith(f"{said}: ")


@pytest.mark.parametrize("noted", ["", "abc", "g" * 64, "a" * 65])
def test_what_is_no_commitment_is_refused(noted, tmp_path, capsys):
    path = tmp_path / "record.json"
    path.write_text(GENUINE.to_json())

    assert main(["verify", str(path), "--commitment", noted]) == 2

    assert "it must have 64 hexadecimal digits" in capsys.readouterr().err


def test_documented_recipe_gives_what_tournament_published():
    """The line of the page, `printf ... | sha256sum`, with a slug and a secret put in."""
    recipe = next(line for line in PAGE.read_text().splitlines() if line.startswith("printf"))
    text = recipe.split("'")[1].replace("SLUG", "spring-cup").replace("SECRET", CUP_SECRET)

    assert recipe.endswith("' | sha256sum")
    assert sha256(text.encode()).hexdigest() == chance.tournament_commitment(
        CUP_SECRET, tournament="spring-cup"
    )
