"""What the API must not tell, with rows that hold it."""

import json

from tests import factories
from tests.integration.api import rows
from tests.integration.web.played import SECRET

HIDDEN_MEMBERS = {"pk", "rng_seed", "lease_token", "lease_until", "digest_of_token", "stderr"}


def deployments():
    """Return the deployment strings of the game that is played in these tests."""
    return [played.action for played in rows.played_record().actions[:2]]


def addresses(match):
    """Return every address that tells something about a match, its games and its bots."""
    own = f"/matches/{match.public_id}"
    games = [
        f"/games/{match.public_id}/{number}/{what}"
        for number in (1, 2)
        for what in ("record", "log", "evidence", *(f"replay?view={view}" for view in VIEWS))
    ]
    bots = [f"/bots/{row.version.bot}" for row in match.entrants.all()]
    return ["/matches", own, *games, "/bots", *bots, "/ladders/general/entries", "/queue"]


ASKED = "the view of "  # and whose: what a bot that forfeited was sent
VIEWS = ("red", "blue", "public", "full")


def pairs(value):
    """Yield every member of a JSON document with its value, however deep."""
    if isinstance(value, dict):
        yield from value.items()
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, dict | list):
            yield from pairs(inner)


def store_record_of_the_unfinished(match):
    """Put all that is kept of a game on the second one although it is not over: it can leak now."""
    game = match.games.get(number=2)
    first = match.games.get(number=1)
    type(first.record).objects.create(game=game, blob=first.record.blob)
    for log in first.logs.all():
        type(log).objects.create(game=game, seat=log.seat, position=log.position, stderr=log.stderr)
        factories.make_evidence(game, log.seat)
    return game


def test_nothing_of_an_unfinished_game_is_shown(anyone):
    match = rows.half_played_match()
    store_record_of_the_unfinished(match)

    for what in ("record", *(f"replay?view={view}" for view in VIEWS)):
        answer = anyone.get(f"/games/{match.public_id}/2/{what}")
        assert answer.status_code == 409
        assert answer.json()["code"] == "not_finished"
        assert [text for text in deployments() if text in answer.content.decode()] == []
    # It shows them once the game is over.
    shown = anyone.get(f"/games/{rows.finished_match().public_id}/2/record").content.decode()
    assert [text for text in deployments() if text in shown] == deployments()


def test_only_owner_sees_bot_words_and_requests(anyone, signed_in):
    match = rows.half_played_match()
    store_record_of_the_unfinished(match)
    stranger = signed_in(rows.user())

    pages = [caller.get(path) for caller in (anyone, stranger) for path in addresses(match)]

    assert {page.status_code for page in pages} == {200, 401, 403, 409}
    told = "".join(page.content.decode() for page in pages)
    assert [words for words in (SECRET, ASKED) if words in told] == []


def test_owner_sees_no_word_of_other_bot(signed_in):
    red = factories.make_ready()
    match = rows.finished_match(red)
    game = match.games.get(number=2)
    for seat in game.seats:
        factories.make_evidence(game, seat)
    (own_seat,) = (seat for seat, position in game.seats.items() if position == 0)
    caller = signed_in(red.bot.owner)

    told = "".join(caller.get(path).content.decode() for path in addresses(match))

    assert f"{SECRET} 0" in told
    assert f"{SECRET} 1" not in told
    assert [seat for seat in ("red", "blue") if f"{ASKED}{seat}" in told] == [own_seat]


def test_internal_names_stay_hidden_and_ids_opaque(anyone):
    match = rows.finished_match()

    pages = [anyone.get(path) for path in addresses(match) if "record" not in path]
    told = {name for page in pages for name, _ in pairs(json.loads(page.content))}
    assert told & HIDDEN_MEMBERS == set()
    assert "status" in told

    pages = [anyone.get(path) for path in ("/matches", f"/matches/{match.public_id}", "/bots")]
    found = [pair for page in pages for pair in pairs(json.loads(page.content))]
    assert {value for name, value in found if name == "id"} == {match.public_id}
    assert [name for name, _ in found if name.endswith("_id")] == []
