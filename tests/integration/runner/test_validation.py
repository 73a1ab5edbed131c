"""From upload to ready or rejected, with the real engine and real processes."""

import re
from contextlib import contextmanager
from html import unescape
from types import SimpleNamespace

import pytest

from arena.domain.bots import bots
from arena.domain.matches import record_compression
from arena.models import CheckState, Entrant, Ladder, VersionStatus
from arena.runner import programs
from botkit import checks, endings
from botkit.package import pack, read_described, zipped
from engine import registry
from engine.record import Record
from tests import factories

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("short_games_in_processes"),
]


def checklist(version):
    return [(check.step, check.state) for check in version.checks.order_by("position")]


def test_upload_becomes_ready_by_steps_enters_both_ladders():
    version = factories.admit()

    assert (version.status, version.reason) == (VersionStatus.READY, "")
    assert checklist(version) == [
        ("received", "passed"),
        ("scanned", "passed"),
        ("protocol", "passed"),
        ("smoke", "passed"),
        ("ready", "passed"),
    ]
    assert len(version.digest) == 64
    assert (version.language, version.isolation, version.is_unsafe) == ("python", "process", True)
    assert "thinking" in version.checks.get(step="smoke").log
    assert [entrant.ladder.slug for entrant in version.entries.order_by("ladder__slug")] == [
        "classic",
        "general",
    ]
    version.bot.refresh_from_db()
    assert version.bot.active_version == version


def assert_waits(version, step):
    assert version.status == VersionStatus.UPLOADED
    assert version.not_before is not None
    check = version.checks.get(step=step)
    assert (check.state, check.message) == (CheckState.WAITING, version.waiting_reason)


def test_stranger_is_not_run_below_container_and_waits(settings):
    settings.TRUST_BOTS = False

    version = factories.admit()

    assert_waits(version, "protocol")
    assert "does not contain a stranger's program" in version.waiting_reason


def test_house_bots_trusted_by_digest_changed_ones_not(settings):
    settings.TRUST_BOTS = False
    folder = settings.HOUSE_BOTS_DIR / "drunkard"
    source = (folder / "bot.py").read_text()
    oracle = read_described(settings.HOUSE_BOTS_DIR / "seer/oracle.toml").files
    other = oracle["drapeau.toml"].replace(b"flag = 300.0", b"flag = 200.0")
    packed = (pack(folder), zipped(oracle), zipped({**oracle, "drapeau.toml": other}))
    made = [
        bots.submit_version(bot=factories.make_bot(), filename="x.zip", data=data)
        for data in packed
    ]

    for version in made:
        factories.validate(version_pk=version.pk)
        version.refresh_from_db()

    assert [version.status for version in made[:2]] == [VersionStatus.READY] * 2
    assert_waits(made[2], "protocol")
    assert_waits(factories.admit(source=f"{source}\n# changed\n"), "protocol")


# A bot that writes or ends before it was asked fails by that. So most read the start first.
STARTED = "import sys, time\nsys.stdin.readline()\n"
READY = STARTED + 'print(\'{"type":"ready"}\', flush=True)\n'
WAY_OF_FAILING = {
    "garbage": (STARTED + 'print("hello", flush=True)\ntime.sleep(30)\n', "protocol_error"),
    "never answers": ("import time\ntime.sleep(60)\n", "startup_timeout"),
    "illegal deployment": (
        READY
        + "sys.stdin.readline()\n"
        + 'print(\'{"action":"FFFF"}\', flush=True)\nsys.stdin.readline()\n',
        "illegal_deployment",
    ),
    "illegal action": (
        factories.RANDOM_BOT.replace('random.choice(message["legal"])', '"a1a9"'),
        "illegal_action",
    ),
}


ASKED = dict.fromkeys(WAY_OF_FAILING, '{"type":"start","protocol":1') | {
    "illegal deployment": '"phase":"deploy"',
    "illegal action": '"phase":"turn"',
}
ANSWERED = {
    "garbage": "6 bytes\nhello\\n\n",
    "illegal deployment": '{"action":"FFFF"}',
    "illegal action": '{"action": "a1a9"}',
}


# Where time is not what a bot fails by, a busy machine may take its own.
GENEROUS = {"startup_ms": 60_000, "action_ms": 60_000}
IMPATIENT = {"never answers": {"startup_ms": 2000}}


@pytest.mark.parametrize("way", WAY_OF_FAILING)
def test_each_way_of_failing_rejects_with_its_reason(way):
    source, termination = WAY_OF_FAILING[way]
    Ladder.objects.update(**GENEROUS | IMPATIENT.get(way, {}))

    version = factories.admit(source=source, variants=["general"])

    assert version.status == VersionStatus.REJECTED
    told = (endings.FAULTS[termination] % {"loser": "bot"}).removesuffix(".")
    assert re.match(rf"General, (red|blue): {told}: ", version.reason)
    check = version.checks.get(step="protocol")
    assert (check.state, check.message) == (CheckState.FAILED, version.reason)
    assert termination in check.log
    assert ASKED[way] in check.log.partition("-- sent to the bot: ")[2]
    assert ANSWERED.get(way, "0 bytes") in check.log.partition("-- received from it: ")[2]
    assert not Entrant.objects.filter(version=version).exists()


def test_bot_that_resigns_in_checks_is_rejected(client):
    source = factories.RANDOM_BOT.replace('random.choice(message["legal"])', '"resign"')

    version = factories.admit(source=source, variants=["general"])

    assert version.status == VersionStatus.REJECTED
    assert re.fullmatch(
        r"General, (red|blue): bot resigned\. In a check game a bot plays to the end\.",
        version.reason,
    )
    client.force_login(version.bot.owner)
    assert version.reason in unescape(client.get(version.get_absolute_url()).content.decode())


def test_late_forfeit_in_smoke_match_rejects_there():
    source = factories.RANDOM_BOT.replace(
        'print("thinking"',
        'message["ply"] < 5 or sys.exit("out of ideas")\n        print("thinking"',
    )

    version = factories.admit(source=source, variants=["general"])

    assert re.match(r"General, (red|blue): bot crashed: ", version.reason)
    assert checklist(version)[2:4] == [("protocol", "passed"), ("smoke", "failed")]
    assert "out of ideas" in version.checks.get(step="smoke").log


# Within the clock of every game: only the checks as a whole take too long.
SLEEPY = {
    "one long sleep": ("message['type'] == 'start' and time.sleep(60)", 2.0, "protocol"),
    "a little in every game": ("message['type'] == 'start' and time.sleep(3)", 8.0, "smoke"),
    "a little for every answer": ("time.sleep(0.5)", 6.0, "smoke"),
}


@pytest.mark.parametrize("way", SLEEPY)
@pytest.mark.kept("a little for every answer")
def test_bot_keeping_checks_waiting_too_long_is_rejected(way, settings):
    sleep, settings.CHECK_WAIT_S, step = SLEEPY[way]
    Ladder.objects.update(**GENEROUS)
    source = factories.RANDOM_BOT.replace(
        "    if message", f"    print('awake', file=sys.stderr)\n    {sleep}\n    if message", 1
    )

    version = factories.admit(source=f"import time\n{source}", variants=["general"])

    assert version.status == VersionStatus.REJECTED
    assert version.reason == (
        "General: in all check games together, the bot has taken more than "
        f"{int(settings.CHECK_WAIT_S)} seconds for its responses."
    )
    check = version.checks.get(step=step)
    assert (check.state, check.message) == (CheckState.FAILED, version.reason)
    assert "awake" in check.log


def test_bot_is_not_blamed_for_start_time(settings, monkeypatch):
    """On this clock, its answers take no time."""
    seated, now_s = programs.seated, 0.0
    monkeypatch.setattr(checks, "time", SimpleNamespace(monotonic=lambda: now_s))

    @contextmanager
    def seated_slowly(*, on_wait, **seats):
        nonlocal now_s
        now_s += settings.CHECK_WAIT_S + 1
        on_wait()  # as while a container starts
        with seated(on_wait=on_wait, **seats) as table:
            yield table

    monkeypatch.setattr(programs, "seated", seated_slowly)

    version = factories.admit(variants=["general"])

    assert (version.status, version.reason) == (VersionStatus.READY, "")


TITLES = [each.title for each in registry.variants().values()]
# What such a bot does when it is not asked to play General.
IN_OTHER_GAMES = {
    "ends at once": ('message["type"] == "start"', "protocol"),
    "ends in the middle of a game": ('message.get("ply", 0) > 5', "smoke"),
}


@pytest.mark.parametrize("way", IN_OTHER_GAMES)
def test_file_naming_no_game_plays_those_it_passes(way):
    condition, failed_in = IN_OTHER_GAMES[way]
    quits = f"not variant.startswith('general') and {condition} and sys.exit('unknown')"
    source = factories.RANDOM_BOT.replace(
        "    if message",
        f"    variant = message.get('variant') or variant\n    {quits}\n    if message",
        1,
    )

    version = factories.admit(source=source, variants=())

    assert (version.status, version.reason) == (VersionStatus.READY, "")
    assert version.variants == ["general"]
    assert [entrant.ladder.slug for entrant in version.entries.all()] == ["general"]
    check = version.checks.get(step=failed_in)
    assert check.message.splitlines()[1] == "It does not play the games in which it failed:"
    assert "unknown" in check.log
    said = "\n".join(each.message for each in version.checks.all())
    others = {each.title for slug, each in registry.variants().items() if slug != "general"}
    fault = "\n{}, \\w+: bot crashed: "
    assert {title for title in TITLES if re.search(fault.format(title), said)} == others
    assert checklist(version)[2:] == [(step, "passed") for step in ("protocol", "smoke", "ready")]


def test_file_naming_no_game_rejected_if_none_passes():
    source = factories.RANDOM_BOT.replace(
        "    if message",
        '    variant = message.get("variant") or variant\n'
        '    variant[:7] == "general" and message.get("phase") != "turn" or sys.exit(3)\n'
        "    if message",
        1,
    )

    version = factories.admit(source=source, variants=())

    assert (version.status, version.variants) == (VersionStatus.REJECTED, [])
    heading, furthest, *others = version.reason.splitlines()
    assert heading == "The bot failed in every game. It must pass in one at least."
    assert re.match(r"General, (red|blue): bot crashed: ", furthest)
    assert len(others) == len(registry.variants()) - 1
    check = version.checks.get(state=CheckState.FAILED)
    assert check.message == version.reason
    record = Record.from_json(record_compression.unpacked(blob=bytes(check.record)))
    assert record.variant.startswith("general@")
    assert not Entrant.objects.filter(version=version).exists()


def test_upload_must_pass_game_it_names():
    source = factories.RANDOM_BOT.replace(
        "    if message", '    "siege@" in line and sys.exit("unknown")\n    if message', 1
    )

    version = factories.admit(source=source, variants=["general", "siege"])

    assert version.status == VersionStatus.REJECTED
    assert re.match(r"Siege, \w+: bot crashed: ", version.reason)
    assert version.variants == ["general", "siege"]
