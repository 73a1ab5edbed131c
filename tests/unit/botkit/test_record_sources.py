"""Where `replay`, `reproduce` and `verify` find a record, and records that are not whole."""

import json
from dataclasses import replace

import pytest

from botkit.cli import main
from engine.record import sealed
from engine.registry import variants
from tests.unit.botkit.homes import drapeau, make_bot, refusal
from tests.unit.botkit.small_site import LOST, problem
from tests.unit.engine.refereed import record_of

GAME = record_of(variants()["general"], 1, {"max_plies": 30})
RECORD = "GET /api/v1/games/m_1/2/record"
NO_END = (
    "not a whole record: the game does not end with the last action: "
    "some are missing, or the result is not its own"
)
PAGES = ["/matches/m_1/games/2/", "/matches/m_1/games/2", "/matches/m_1/games/2/#ply-7"]


@pytest.mark.parametrize("page", [*PAGES, "/matches/m_1/", "/api/v1/games/m_1/2/record"])
def test_record_is_found_by_page_of_its_game(page, bare_site, home, tmp_path, capfd):
    bare_site.tell(RECORD, (200, GAME.to_json().encode()))
    bare_site.tell("GET /api/v1/matches/m_1", {"games": [{"number": 2, "url": PAGES[0]}]})
    place, bot = f"{bare_site.url}{page}", make_bot(tmp_path, "bot")

    file = tmp_path / "record.json"
    file.write_text(GAME.to_json())
    assert drapeau(capfd, "replay", place, "--json") == drapeau(capfd, "replay", file, "--json")
    assert "  replay: holds\n" in drapeau(capfd, "verify", place, status=3)
    told = json.loads(drapeau(capfd, "reproduce", place, "--seat", "red", "--json", bot, status=3))
    assert told["requests"] > 1


def test_page_of_several_games_says_which_to_name(bare_site, home, capfd):
    place = f"{bare_site.url}/matches/m_1/"
    rows = [{"number": each, "url": f"/matches/m_1/games/{each}/"} for each in (1, 2)]
    bare_site.tell("GET /api/v1/matches/m_1", {"games": rows}, {"games": []}, {"no": "games"})

    assert refusal(capfd, "replay", place, status=2) == (
        f"{place}: the match has 2 games. Name one of them, such as {place}games/1/\n"
    )
    assert refusal(capfd, "replay", place, status=4) == (
        f"{place}: the match has no game yet. Try later\n"
    )
    assert "another form" in refusal(capfd, "replay", place, status=4)
    assert refusal(capfd, "verify", f"{place}games/9/", status=2) == (
        f"There is no such thing: {bare_site.url} has nothing at games/m_1/9/record. "
        "List what there is: drapeau matches\n"
    )


UNANSWERED = {
    "nothing": (LOST, "the connection ended before the answer did"),
    "too little": (
        (200, b"{}", {"Content-Length": "9"}), "the connection ended before the answer did",
    ),
    "no answer of HTTP": ((99, b""), "the connection ended before the answer did"),
    "a refusal": (problem(404, "not_found", "None", "None"), "the answer is 404 Not Found"),
}  # fmt: skip


@pytest.mark.parametrize("kind", UNANSWERED)
def test_address_giving_nothing_is_told_in_words(kind, bare_site, capfd):
    answer, why = UNANSWERED[kind]
    bare_site.tell("GET /game.json", answer)
    place = f"{bare_site.url}/game.json"

    assert refusal(capfd, "verify", place, status=4) == f"{place}: cannot be read: {why}\n"


CHANGED = "the hash chain does not fit: the record was changed after the game"
CUT = replace(GAME, actions=GAME.actions[:-1])
NOT_WHOLE = {
    "cut": (sealed(CUT), NO_END),
    "cut, with its old seal": (
        CUT,
        f"not a whole record: {CHANGED}",
    ),
    "without a player": (
        sealed(replace(GAME, players={"red": GAME.players["red"]})),
        "not a whole record: players are not complete",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_WHOLE)
def test_incomplete_record_is_said_so(name, tmp_path, capfd):
    record, why = NOT_WHOLE[name]
    path, ran = tmp_path / "record.json", tmp_path / "ran"
    path.write_text(record.to_json())
    bot = make_bot(tmp_path, "bot", does=f"open({str(ran)!r}, 'w')")

    assert refusal(capfd, "reproduce", path, "--seat", "red", bot) == f"{path}: {why}\n"
    assert not ran.exists()

    for words in (["--json"], ["--position", "0"], []):
        assert main(["replay", str(path), *words]) == 1
        said = capfd.readouterr()
        assert said.err == f"{path}: {why}\n"
        assert said.out
