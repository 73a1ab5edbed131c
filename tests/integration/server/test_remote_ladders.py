"""Remote bots meet on a ladder of their own: who is online, whole matches, and what is refused."""

import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from functools import partial
from random import Random

import pytest
from django.utils import timezone

from arena.domain.bots import bots, challenges, person_games, remote_bots
from arena.domain.errors import Refused
from arena.domain.matches import record_compression
from arena.domain.queue import dispatch, matchmaking
from arena.models import (
    ANYBODY,
    Entrant,
    GameRecord,
    Ladder,
    Match,
    MatchStatus,
    OnlineBot,
    PersonSeat,
    RatingEvent,
)
from engine.outcome import RESIGN
from engine.record import Record, check_game
from tests import factories
from tests.integration.api import rows
from tests.integration.runner import workers
from tests.integration.server.served import ask, watching
from tests.tree import ROOT
from tests.waiting import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("impatient")]


@pytest.fixture
def ladder():
    """Return a remote ladder, beside one for bots that were uploaded."""
    factories.get_ladder("general")
    return Ladder.objects.create(
        slug="far", name="Far", variant="general@1", is_remote=True, options={"max_plies": 12}
    )


def remote(name, **columns):
    """Return a remote bot of a new user of the same name."""
    bot = bots.create(owner=rows.user(name), name=name)
    remote_bots.add_version(bot=bot, variants=["general"])
    bot.refresh_from_db()
    return bot


def partition(line):
    return line.partition(": ")


def fill():
    return matchmaking.fill(random=Random(1))


@contextmanager
def connected(site, name, *words, home):
    """Let a bot of a user be online until the end of the block; its standard output is a file."""
    said = home / f"{name}.out"
    starter = ROOT / "engine/variants/general/starter"
    command = [sys.executable, "-m", "botkit.cli", "connect", str(starter), "--as", name, *words]
    token = rows.token(rows.user(name))
    names = {"DRAPEAU_SITE": site, "DRAPEAU_TOKEN": token, "XDG_CONFIG_HOME": str(home)}
    with said.open("w") as out, (home / f"{name}.err").open("w") as err:
        process = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, **names}, stdout=out, stderr=err
        )
    try:
        yield process, said
    finally:
        process.kill()
        process.wait()
        sys.stdout.write((home / f"{name}.err").read_text())


def test_two_bots_at_home_play_rated_match(site, ladder, tmp_path):
    with ExitStack() as stack:
        ada, eve = (
            stack.enter_context(
                connected(site, name, "--ladder", "far", "--create", "-j2", home=tmp_path)
            )
            for name in ("ada", "eve")
        )
        until(lambda: OnlineBot.objects.now().count() == 2, "both are online")
        assert len([match for match in fill() if match.ladder == ladder]) == 2  # as -j says
        assert dispatch.claim_next() is None
        stack.enter_context(workers.playing_persons(tmp_path / "log"))
        until(lambda: not Match.objects.open().exists(), "the matches are over")
        both = (ada, eve)
        until(lambda: all(len(said.read_text().splitlines()) == 2 for _, said in both), "told")
        for process, _said in both:
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 130
        until(lambda: not OnlineBot.objects.exists(), "both are offline")

    for match in Match.objects.all():
        assert (match.status, match.is_rated) == (MatchStatus.FINISHED, True)
        assert RatingEvent.objects.filter(match=match).count() == 2
    assert sum(Entrant.objects.filter(ladder=ladder).values_list("games", flat=True)) == 8
    for row in GameRecord.objects.all():
        record = Record.from_json(record_compression.unpacked(blob=bytes(row.blob)))
        check_game(record)
        names = {who.name for who in record.players.values()}
        assert names == {"ada/ada v1, remote", "eve/eve v1, remote"}
        assert (record.isolation, record.clock["basis"]) == ("remote", "wall")
        assert record.result.fault is None
    of_ada, of_eve = (
        {page: word for word, _, page in map(partition, said.read_text().splitlines())}
        for _, said in both
    )
    opposite = {"won": "lost", "lost": "won", "drawn": "drawn"}
    assert {page: opposite[word] for page, word in of_ada.items()} == of_eve


def test_program_reads_its_own_seat_only(site, ladder, tmp_path):
    pair = [remote("ada"), remote("eve")]
    headers = {bot.slug: {"Authorization": f"Bearer {rows.token(bot.owner)}"} for bot in pair}
    remote_bots.keep_online(games={bot.pk: 1 for bot in pair})
    (match,) = fill()
    with workers.playing_persons(tmp_path / "log"):
        address = f"{site}/api/v1/seats/{match.public_id}"
        seen = {}
        for name, token in headers.items():
            stream = f"{site}/api/v1/seats/stream?bot={name}/{name}"
            with watching(stream, token=token) as program:
                until(lambda p=program: p.read_until("matches")[-1][2] == [match.public_id])
            with watching(f"{address}/messages", token=token) as program:
                seen[name] = program.read_until("message")[-1][2]
        seats = {name: told["start"]["seat"] for name, told in seen.items()}
        assert {*seats.values()} == {"red", "blue"}
        listed = ask(f"{site}/api/v1/seats", headers=headers["ada"]).json()["results"]
        assert [(row["match"], row["bot"]) for row in listed] == [(match.public_id, "ada/ada")]
        body = {"number": seen["ada"]["number"], "action": RESIGN}
        answers = f"{address}/answers"
        assert ask(answers, "POST", json=body, headers=headers["ada"]).status_code == 204
        rest = ask(address, "DELETE", headers=headers["eve"])
        assert (rest.status_code, rest.json()["code"]) == (400, "of_a_bot")
    stranger = {"Authorization": f"Bearer {rows.token(rows.user('mallory'))}"}
    assert ask(f"{address}/messages", headers=stranger).status_code == 404
    stream = f"{site}/api/v1/seats/stream?bot=ada/ada"
    assert ask(stream, headers=stranger).status_code == 403


def test_ended_game_is_told_with_next(ladder):
    """The next game begins at once: a program that has not read the end of the last hears it."""
    pair = [remote("ada"), remote("eve")]
    remote_bots.keep_online(games={bot.pk: 1 for bot in pair})
    fill()
    assert remote_bots.claim()
    seat = PersonSeat.objects.get(bot=pair[0])
    ended = {"game": "one", "seat": "red", "message": {"type": "end"}}
    start = {"variant": "general@1", "seat": "blue", "game": "two", "rng_seed": 1}
    message = {"type": "act", "ply": 0, "legal": ["a1a2"], "view": {}}

    person_games.put(seat=seat, start=start, before=ended, message=message, left_s=9)

    told = json.loads(person_games.news(known={seat.pk: 0})[seat.pk].data)
    assert told["ended"] == ended


def test_offline_bot_gets_no_match(ladder):
    pair = [remote("ada"), remote("eve")]
    assert fill() == []
    remote_bots.keep_online(games={bot.pk: 1 for bot in pair})
    (match,) = fill()
    assert fill() == []  # both play as many as they take

    OnlineBot.objects.filter(bot=pair[0]).update(until=timezone.now())

    assert remote_bots.claim() is None
    match.refresh_from_db()
    assert match.status == MatchStatus.CANCELLED
    assert "offline" in match.failure


def test_refusals_name_their_reason(ladder):
    ada, eve = remote("ada"), remote("eve")
    uploaded = factories.make_ready(variants=["general"]).bot
    uploaded.refresh_from_db()
    near = factories.get_ladder("general")
    assert not Entrant.objects.filter(bot=uploaded, ladder=ladder).exists()
    assert {row.ladder for row in Entrant.objects.filter(bot=ada)} == {ladder}

    def code(do):
        with pytest.raises(Refused) as refused:
            do()
        return refused.value.code

    def challenge(own, other, where):
        return code(lambda: challenges.ask(by=own.owner, own=own, opponents=[other], ladder=where))

    assert challenge(uploaded, ada, ladder) == "contained_bot"
    assert challenge(ada, uploaded, near) == "remote_bot"
    assert challenge(ada, eve, ladder) == "offline"
    assert code(lambda: remote_bots.add_version(bot=uploaded, variants=[])) == "not_remote"
    assert code(lambda: remote_bots.add_version(bot=ada, variants=["chess"])) == "unknown_variant"
    late = partial(bots.submit_version, bot=ada, filename="bot.py", data=b"pass")
    assert code(late) == "remote_bot"
    asked = {"by": ANYBODY, "address": "here", "bot": ada, "side": "red"}
    for where in (ladder, near):
        assert code(lambda at=where: person_games.ask(ladder=at, **asked)) == "ladder_closed"


def test_challenge_of_online_bots_is_played(site, ladder, tmp_path):
    ada = remote("ada")
    with connected(site, "eve", "--ladder", "far", "--create", "-n1", home=tmp_path) as (eve, said):
        until(lambda: OnlineBot.objects.now().exists(), "it is online")
        remote_bots.keep_online(games={ada.pk: 1})
        body = {"bot": "ada/ada", "opponents": ["eve/eve"], "ladder": "far"}
        headers = {"Authorization": f"Bearer {rows.token(ada.owner)}"}
        match = ask(f"{site}/api/v1/challenges", "POST", json=body, headers=headers).json()
        with workers.playing_persons(tmp_path / "log"):
            address = f"{site}/api/v1/seats/{match['id']}"
            until(PersonSeat.objects.filter(bot=ada).exists, "a runner has it")
            with watching(f"{address}/messages", token=headers) as program:
                for _game in range(2):
                    told = program.read_until("message")[-1][2]
                    while told["message"]["type"] == "end":
                        told = program.read_until("message")[-1][2]
                    sent = {"number": told["number"], "action": RESIGN}
                    answer = ask(f"{address}/answers", "POST", json=sent, headers=headers)
                    assert answer.status_code == 204
            assert eve.wait(60) == 0
    assert said.read_text().startswith("won: ")
    assert not RatingEvent.objects.exists()
