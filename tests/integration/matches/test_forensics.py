"""Abnormal ends: who fell, what may be told of it to whom, and what was expected."""

import json

import pytest
from django.contrib.auth.models import AnonymousUser

from arena.domain.matches import forensics, lifecycle
from arena.models import Game, GameLog, MatchStatus, User, Version
from engine import registry
from engine.outcome import Termination
from sandbox import limits
from tests import factories
from tests.integration.web.played import finished_match, players_of

pytestmark = pytest.mark.django_db
NOBODY = AnonymousUser()


def make_forfeit(termination="crash", detail="red: ended with exit status 1", fault="red"):
    """Return a finished game that a seat forfeited, with what was kept of it."""
    game = finished_match().games.get(number=1)
    game.termination, game.fault, game.detail = termination, fault, detail
    game.outcome = {"red": 0.0, "blue": 1.0}
    game.save()
    return game


def ends_of(game, viewer):
    return forensics.of_game(game=game, viewer=viewer)


def end_of(game, viewer):
    (end,) = ends_of(game, viewer)
    return end


def owner_of(game, seat):
    return players_of(game.match)[game.seats[seat]].bot.owner


def act(phase, **more):
    return json.dumps({"type": "act", "ply": 3, "phase": phase, **more}).encode().replace(b" ", b"")


@pytest.mark.parametrize(
    ("fault", "detail", "fell"),
    [
        ("red", "red: crashed", {"red": "crashed"}),
        ("blue", "", {"blue": ""}),
        ("red", "red: a; blue: b: c; d", {"red": "a", "blue": "b: c; d"}),
        ("red", "red: said 'x, blue: y'", {"red": "said 'x, blue: y'"}),
        ("red", "red: blue: no", {"red": "blue: no"}),
        ("", "flag taken", {}),
        ("platform", "engine away", {}),
    ],
)
def test_who_fell_and_why_read_from_detail(fault, detail, fell):
    game = Game(seats={"red": 0, "blue": 1}, fault=fault, detail=detail)

    assert forensics.forfeited_seats(game=game) == fell


def measured(part):
    return [(each.name, each.value, each.limit, each.unit) for each in part.measurements]


def test_everybody_learns_what_happened_and_when(monkeypatch):
    game = make_forfeit()
    factories.make_evidence(game, "red", exit_status=1, cpu_ms=70.0, peak_memory_bytes=9_000_000)

    end, own = end_of(game, NOBODY), end_of(game, owner_of(game, "red"))

    assert (end.seat, end.termination) == ("red", Termination.CRASH)
    assert end.detail == "ended with exit status 1"
    assert end.version == players_of(game.match)[game.seats["red"]]
    assert measured(end) == [("charged", 1.5, 5000.0, "ms")]
    assert end.inside is None
    assert forensics.has_one(game=game)
    assert measured(own.inside) == [
        ("cpu", 70.0, 600_000, "ms"),
        ("memory", 9_000_000, 256 * 1024 * 1024, "bytes"),
        ("answer", 9, 4096, "bytes"),
    ]

    record = {"clock": {"basis": "cpu"}}
    monkeypatch.setattr("arena.domain.matches.replays.record", lambda game: record)
    by_cpu = end_of(game, NOBODY)
    assert by_cpu.clock == "cpu"
    assert measured(by_cpu)[1:] == [("wall", 2.5, limits.wall_deadline_ms(5000.0), "ms")]


def test_only_owner_and_staff_see_inside_seat():
    game = make_forfeit(detail="red: a; blue: b")
    for seat in ("red", "blue"):
        factories.make_evidence(game, seat)
    staff = User.objects.create_user("operator", is_staff=True)
    viewers = (
        NOBODY,
        factories.make_user(),
        owner_of(game, "red"),
        owner_of(game, "blue"),
        staff,
    )

    seen = []
    for viewer in viewers:
        ends = ends_of(game, viewer)
        assert [(end.seat, end.termination) for end in ends] == [
            ("red", Termination.CRASH),
            ("blue", None),
        ]
        seen.append([bytes(end.inside.row.request) for end in ends if end.inside])

    red, blue = b"the view of red\n", b"the view of blue\n"
    assert seen == [[], [], [red], [blue], [red, blue]]


@pytest.mark.parametrize("phase", ["deploy", "turn"])
def test_expected_answer_is_that_of_variant_schema(phase):
    game = make_forfeit()
    request = act(phase, view={}, legal=["a4a5", "b4b5"])
    kept = factories.make_evidence(game, "red", request=request)
    wire = registry.find("general").schema()["$defs"]

    grammar = end_of(game, owner_of(game, "red")).inside.grammar

    assert (grammar.phase, grammar.legal) == (phase, ["a4a5", "b4b5"])
    assert grammar.notation == wire[f"action_{phase}"]
    assert grammar.answer["properties"]["action"] == wire[f"action_{phase}"]
    assert {**grammar.answer, "properties": {}} == {**wire["answer"], "properties": {}}
    kept.request = b'{"type":"start","protocol":1}\n'
    kept.save()
    grammar = end_of(game, owner_of(game, "red")).inside.grammar
    assert (grammar.phase, grammar.notation, grammar.answer) == ("start", None, wire["ready"])


@pytest.mark.parametrize(
    ("request_bytes", "phase"),
    [
        (act("turn", view={})[:-5], "turn"),  # its end was not kept
        (act("riddle", view={}), None),
        (b"", None),
    ],
)
def test_incomplete_or_strange_request_is_partly_read(request_bytes, phase):
    game = make_forfeit()
    factories.make_evidence(game, "red", request=request_bytes)

    end = end_of(game, owner_of(game, "red"))

    grammar = end.inside.grammar
    assert (grammar.phase if grammar else None) == phase
    assert grammar is None or grammar.legal is None


def test_without_evidence_there_is_still_what_it_wrote():
    game = make_forfeit()
    GameLog.objects.filter(game=game, seat="red").update(stderr="one\ntwo\n")

    end = end_of(game, owner_of(game, "red"))

    assert (end.measurements, end.inside.row, end.inside.stderr) == ([], None, ["one", "two"])


def test_last_lines_of_long_log_shown_printable():
    text = "".join(f"line {number}\x1b[31m\n" for number in range(40))

    lines, left_out = forensics.last_lines(text)

    assert (len(lines), left_out) == (25, 15)
    assert lines[-1] == "line 39\\x1b[31m"
    assert forensics.last_lines("") == forensics.last_lines("\n") == ([], 0)


def test_platform_failure_shown_on_games_not_played(settings):
    settings.MATCH_ATTEMPTS = 2
    match, voided, cancelled = (factories.make_match() for _ in range(3))
    game = match.games.first()
    assert forensics.of_game(game=game, viewer=NOBODY) == []

    for status in (MatchStatus.RETRYING, MatchStatus.FAILED):
        type(match).objects.filter(pk=match.pk).update(not_before=None)
        lifecycle.void_attempt(lease=factories.claim(match), reason="the engine is away")
        game.match.refresh_from_db()
        end = end_of(game, NOBODY)

        assert game.match.status == status
        assert (end.seat, end.termination) == ("platform", Termination.PLATFORM_FAULT)
        assert (end.detail, end.version, end.inside) == ("the engine is away", None, None)
        assert forensics.has_one(game=game)
    lifecycle.void(match=voided, reason="a wrong clock")
    lifecycle.cancel(match=cancelled, reason="its bot was paused")
    first, second = (Game.objects.get(match=each, number=1) for each in (voided, cancelled))
    assert end_of(first, NOBODY).detail == "a wrong clock"
    assert forensics.of_game(game=second, viewer=NOBODY) == []


def test_latest_bot_failures_are_own_newest_first():
    version = factories.make_ready()
    other = factories.make_ready()
    games = []
    for fault in (0, 1, 0):
        match = factories.make_match(version, other)
        seats = {at: seat for seat, at in match.games.get(number=1).seats.items()}
        lost = {seats[fault]: 0.0, seats[1 - fault]: 1.0}
        factories.finish_with(match, (lost, seats[fault]), ({"red": 1.0, "blue": 0.0}, ""))
        games.append((match.games.get(number=1), seats[fault]))

    assert forensics.latest_of(bot=version.bot, limit=5, viewer=None) == [games[2], games[0]]
    assert forensics.latest_of(bot=version.bot, limit=1, viewer=None) == [games[2]]
    assert forensics.latest_of(bot=other.bot, limit=5, viewer=None) == [games[1]]


@pytest.mark.parametrize(
    ("filename", "program"),
    [
        ("bot.py", "bot.py"),
        ("my bot.py", "'my bot.py'"),
        ("mine.zip", "mine/"),
        ("bot.c", "bot.c"),
        ("Bot.java", "Bot.java"),
        ("-rf.py", "./-rf.py"),
    ],
)
def test_program_named_as_author_has_it(filename, program):
    assert forensics.program_of(version=Version(filename=filename)) == program
