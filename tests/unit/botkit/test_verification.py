"""What `drapeau verify` says of records that were tampered with; the documentation has the table.

The forger knows the program: unless a row says otherwise, the tampered record gets a new seal.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from botkit.cli import main
from engine import signature
from engine.errors import BadRecord
from engine.outcome import Result, Termination
from engine.record import PlayerId, Record, sealed
from engine.registry import variants
from engine.signature import PublicKey, check_signature, key_id, public_half, signed
from tests.tree import ROOT
from tests.unit.engine.refereed import record_of

PAGE = ROOT / "docs/how-to/verify-a-record.md"
PRIVATE = {"own": "1" * 64, "next": "2" * 64, "old": "3" * 64, "lost": "4" * 64}
FORGER = "5" * 64
SIGNED_AT = "2026-11-24T12:00:00Z"


def published(name, valid_from="2026-11-01T00:00:00Z", **ends):
    public_key = public_half(PRIVATE[name])
    return PublicKey(key_id(public_key), public_key, valid_from, **ends)


KEYS = {
    "own": published("own"),
    "next": published("next", valid_from="2026-12-01T00:00:00Z"),
    "old": published("old", retired_at="2026-11-20T00:00:00Z"),
    "lost": published("lost", revoked_at="2026-11-25T00:00:00Z"),
}
GAME = next(
    record
    for rng_seed in range(20)
    if (record := record_of(variants()["general"], rng_seed, {"max_plies": 30})).result.termination
    == "ply_cap"
)
GENUINE = signed(GAME, private_key=PRIVATE["own"], signed_at=SIGNED_AT)
RED_WINS = {"red": 1.0, "blue": 0.0}


def another_move(record):
    """Let the player of the last action take another that the rules allow."""
    variant = variants()["general"]
    state = variant.begin(record.options, record.rng_seed)
    for played in record.actions[:-1]:
        variant.apply(state, played.seat, played.action)
    last = record.actions[-1]
    other = next(one for one in variant.legal(state, last.seat) or [] if one != last.action)
    return replace(record, actions=(*record.actions[:-1], replace(last, action=other)))


def changed(**columns):
    return lambda record: replace(record, **columns)


def of_signature(record, **changes):
    return replace(record, signature=replace(record.signature, **changes))


def by(name, signed_at):
    return lambda record: signed(record, private_key=PRIVATE[name], signed_at=signed_at)


@dataclass(frozen=True)
class Tampering:
    """What was changed, and what the three checks say: "holds", "no" or "open"."""

    what: str
    change: Callable[[Record], Record]
    seal: str = "holds"
    signature: str = "no"
    replay: str = "holds"

    @property
    def status(self):
        said = (self.seal, self.signature, self.replay)
        return 1 if "no" in said else 3 if "open" in said else 0


RED, BLUE = GENUINE.players["red"], GENUINE.players["blue"]
FIRST = GENUINE.actions[0]
ANOTHER = replace(GENUINE, game="m_other/1")
TAMPERED = (
    Tampering("nothing", changed(), signature="holds"),
    Tampering(
        "the name of a player",
        changed(players={"red": replace(RED, name="zoe/best"), "blue": BLUE}),
    ),
    Tampering(
        "the digest of a program",
        changed(players={"red": replace(RED, digest="cd" * 32), "blue": BLUE}),
    ),
    Tampering("the names of both players, exchanged", changed(players={"red": BLUE, "blue": RED})),
    Tampering("the clock", changed(clock={**GENUINE.clock, "bank_ms": 90_000})),
    Tampering(
        "the time that an action took",
        changed(actions=(replace(FIRST, charged_ms=4_000), *GENUINE.actions[1:])),
    ),
    Tampering("the last move, for another legal one", another_move),
    Tampering("the last move, left out", changed(actions=GENUINE.actions[:-1]), replay="no"),
    Tampering(
        "the end of the game, for a forfeit",
        changed(actions=GENUINE.actions[:-1], result=Result(RED_WINS, Termination.TIMEOUT, "blue")),
    ),
    Tampering("the winner", changed(result=replace(GENUINE.result, points=RED_WINS)), replay="no"),
    Tampering("the seed", changed(rng_seed=GENUINE.rng_seed + 1)),
    Tampering("an option", changed(options={**GENUINE.options, "max_plies": 31}), replay="no"),
    Tampering("the engine, for an older one", changed(engine="0.2.0")),
    Tampering("the engine, for a newer one", changed(engine="99.0.0"), replay="open"),
    Tampering("the variant", changed(variant="classic@1"), replay="no"),
    Tampering("the id of the game", changed(game="m_other/1")),
    Tampering("the isolation level", changed(isolation="docker")),
    Tampering(
        "the name of a player, without a new seal",
        changed(players={"red": replace(RED, name="zoe/best"), "blue": BLUE}, chain="unsealed"),
        seal="no",
    ),
    Tampering("the seal", changed(chain="0" * 64), seal="no", signature="holds"),
    Tampering(
        "the date of the signature",
        lambda record: of_signature(record, signed_at="2026-11-23T12:00:00Z"),
    ),
    Tampering("the signature, left out", changed(signature=None), signature="open"),
    Tampering(
        "the signature, for that of another game",
        lambda record: replace(record, signature=by("own", SIGNED_AT)(ANOTHER).signature),
    ),
    Tampering(
        "the signature, for one by a key that the site does not publish",
        lambda record: signed(record, private_key=FORGER, signed_at=SIGNED_AT),
    ),
    Tampering(
        "the same, with the id of a key of the site",
        lambda record: of_signature(
            signed(record, private_key=FORGER, signed_at=SIGNED_AT), key=KEYS["own"].id
        ),
    ),
    Tampering(
        "the id of the key, for that of another key of the site",
        lambda record: of_signature(record, key=KEYS["old"].id),
    ),
    Tampering("signed by a key before it became valid", by("next", SIGNED_AT)),
    Tampering(
        "signed by a key before it retired", by("old", "2026-11-19T23:59:59Z"), signature="holds"
    ),
    Tampering("signed by a key after it retired", by("old", SIGNED_AT)),
    Tampering("signed by a key that was revoked later", by("lost", SIGNED_AT)),
)
CHANCE = ("commitment", "rng_seed")  # of which these records tell nothing
SAYS = {"holds": "holds", "no": "does not hold", "open": "not checked"}


@pytest.fixture
def keys_file(tmp_path):
    path = tmp_path / "keys.json"
    rows = [{"algorithm": "Ed25519", **vars_of(key)} for key in KEYS.values()]
    path.write_text(json.dumps({"results": rows}))
    return path


def vars_of(key):
    return {
        name: getattr(key, name)
        for name in ("id", "public_key", "valid_from", "retired_at", "revoked_at")
    }


def tampered(case):
    record = case.change(GENUINE)
    if record.chain == "unsealed":
        return replace(record, chain=GENUINE.chain)
    return sealed(record) if record.chain == GENUINE.chain else record


def verify(record, tmp_path, capsys, *arguments):
    path = tmp_path / "record.json"
    path.write_text(record.to_json())
    status = main(["verify", str(path), *map(str, arguments)])
    said = capsys.readouterr()
    assert said.err == ""
    first, *checks = said.out.splitlines()
    assert first.startswith(f"{path}: {record.variant}, ")
    return status, dict(line.strip().split(": ", 1) for line in checks)


@pytest.mark.parametrize("case", TAMPERED, ids=lambda case: case.what)
def test_tampered_record_checks_say_what_they_found(case, keys_file, tmp_path, capsys):
    record = tampered(case)
    assert (record == GENUINE) == (case.what == "nothing")

    status, checks = verify(record, tmp_path, capsys, "--keys", keys_file)

    assert {name: said.split(":")[0] for name, said in checks.items()} == {
        "seal": SAYS[case.seal],
        "signature": SAYS[case.signature],
        "replay": SAYS[case.replay],
        **dict.fromkeys(CHANCE, "not there"),
    }
    assert status == case.status


def test_the_table_of_the_documentation_is_this_one():
    rows = [
        "| changed | seal | signature | replay | exit status |",
        "|---|---|---|---|---|",
    ]
    rows += [
        f"| {case.what} | {SAYS[case.seal]} | {SAYS[case.signature]} | {SAYS[case.replay]}"
        f" | {case.status} |"
        for case in TAMPERED
    ]

    assert "\n".join(["", "", *rows, "", ""]) in PAGE.read_text()


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (GENUINE, "give the keys of the site (--site or --keys)"),
        (GAME, "the record has none, so nobody vouches for it"),
    ],
)
def test_without_keys_the_signature_is_not_checked(record, why, tmp_path, capsys):
    status, checks = verify(record, tmp_path, capsys)

    told = {name: said for name, said in checks.items() if name not in CHANCE}
    assert (status, told) == (
        3,
        {"seal": "holds", "signature": f"not checked: {why}", "replay": "holds"},
    )


def test_without_the_library_the_signature_is_not_checked(keys_file, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)

    status, checks = verify(GENUINE, tmp_path, capsys, "--keys", keys_file)

    assert (status, checks["signature"]) == (
        3,
        "not checked: the package `cryptography` is not installed",
    )


def test_strange_characters_of_name_are_not_printed(tmp_path, capsys):
    players = {**GAME.players, "red": PlayerId("a\x1b[2J\ud800\u202eb", "")}
    path = tmp_path / "record.json"
    path.write_text(sealed(replace(GAME, players=players)).to_json())

    assert main(["verify", str(path)]) == 3
    assert "a\\x1b[2J\\ud800\\u202eb (red)" in capsys.readouterr().out


def listed(**changes):
    return json.dumps({"results": [{**vars_of(KEYS["own"]), **changes}]})


OWN = json.dumps(vars_of(KEYS["own"]))
REVOKED = json.dumps(vars_of(published("own", revoked_at="2026-11-02T00:00:00Z")))
NO_KEYS = {
    "": "it is not JSON from line 1, column 1 on",
    "[]": "it has no list 'results'",
    '{"results":[7]}': "key 1 is not a JSON object",
    '{"results":[{}]}': "key 1 is no public key with its id",
    "[" * 100_000: "its values are nested too deeply",
    listed(id=KEYS["old"].id): "key 1 is no public key with its id",
    listed(public_key=None): "key 1 is no public key with its id",
    listed(valid_from="soon"): "valid_from of key 1 is no instant in UTC, such as "
    "2026-11-24T12:00:00Z",
    listed(retired_at=7): "retired_at of key 1 is no instant in UTC, such as 2026-11-24T12:00:00Z",
    f'{{"results":[{OWN},{REVOKED}]}}': f"key 2 is {KEYS['own'].id}, which stands there before",
    f'{{"results":[{REVOKED}],"results":[{OWN}]}}': "the key 'results' stands twice in one object, "
    "so it says two things",
}


@pytest.mark.parametrize("text", NO_KEYS, ids=range(len(NO_KEYS)))
def test_non_list_of_keys_is_said_so(text, tmp_path, capsys):
    record, keys = tmp_path / "record.json", tmp_path / "keys.json"
    record.write_text(GENUINE.to_json())
    keys.write_text(text)

    status = main(["verify", str(record), "--keys", str(keys)])

    said = capsys.readouterr()
    why = f"{NO_KEYS[text]}. Get it from the site again"
    assert (status, said.out) == (4, "")
    assert said.err == f"{keys}: not a list of keys as a site publishes it: {why}\n"


@pytest.mark.parametrize("name", ["players", "result"])
def test_nothing_false_stands_before_the_true_thing(name, keys_file, tmp_path, capsys):
    """Other readers take the first of two. JSON says that a name should stand once (RFC 8259)."""
    false = json.dumps({**json.loads(GENUINE.to_json())[name], "x": 1})
    path = tmp_path / "record.json"
    path.write_text(f'{{"{name}":{false},{GENUINE.to_json()[1:]}')

    assert main(["verify", str(path), "--keys", str(keys_file)]) == 1

    why = f"the key '{name}' stands twice in one object, so it says two things"
    assert capsys.readouterr().err == f"{path}: not a record of format 1: {why}\n"


def test_public_key_of_no_point_vouches_for_nothing():
    """A list is not signed itself, so strange keys must not end in another error."""
    for digits in ("0" * 64, "f" * 64):
        key = replace(KEYS["own"], public_key=digits)
        with pytest.raises(BadRecord, match="did not sign"):
            check_signature(GENUINE, [key])


@pytest.mark.parametrize("value", ["", "00", "G" * 128, "0" * 127, "0" * 128, "٣" * 128])
def test_what_is_no_signature_does_not_hold(value):
    with pytest.raises(BadRecord):
        check_signature(of_signature(GENUINE, value=value), KEYS.values())


@pytest.mark.parametrize("key", ["", "secret words", "1" * 63, "G" * 64])
def test_a_refused_private_key_is_not_repeated(key):
    with pytest.raises(signature.BadKeys) as refused:
        public_half(key)

    assert str(refused.value) == "a private key is 64 hexadecimal digits in lower case"
