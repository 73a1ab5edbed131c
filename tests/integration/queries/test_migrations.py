"""A database of an earlier release goes on with this one."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from arena.models import CheckStep, Game, GameLog, Ladder, Match, Version, VersionCheck
from engine import registry
from engine.seating import entrant_counts
from tests import factories

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.every_store]


@pytest.fixture
def before_0003():
    """Give the models of a database that has not seen migration 0003."""
    yield from database_at("0002_ladders")


@pytest.fixture
def before_0004():
    """Give the models of a database that has not seen migration 0004."""
    yield from database_at("0003_entrants_per_match")


@pytest.fixture
def before_0005():
    """Give the models of a database that has not seen migration 0005."""
    yield from database_at("0004_builds_and_evidence")


def database_at(migration):
    call_command("migrate", "arena", migration, verbosity=0)
    yield MigrationExecutor(connection).loader.project_state([("arena", migration)]).apps
    call_command("migrate", verbosity=0)


def test_going_back_leaves_the_ladders_to_the_next_migrate(before_0003):
    ladders = before_0003.get_model("arena", "Ladder").objects

    ladders.all().delete()
    call_command("migrate", "arena", "0002", verbosity=0)

    assert ladders.count() == 0


def test_every_variant_has_its_ladders_after_migrating(before_0003):
    ladders = before_0003.get_model("arena", "Ladder").objects
    ladders.all().delete()
    ladders.create(slug="blitz", name="Blitz", variant="classic@1", action_ms=500)
    ladders.create(slug="siege-3", name="Ours", variant="general@1")

    call_command("migrate", verbosity=0)

    found = {(row.variant, row.entrants_per_match) for row in Ladder.objects.all()}
    wanted = {
        (variant.name, entrants)
        for variant in registry.variants().values()
        for entrants in entrant_counts(variant)
    }
    assert wanted - found == {("siege@1", 3)}  # its short name is taken
    assert Ladder.objects.get(variant="classic@1").slug == "blitz"
    assert Ladder.objects.get(slug="siege").name == "Siege"


def test_the_ladder_for_more_entrants_says_so():
    Ladder.objects.all().delete()

    call_command("seed_ladders", verbosity=0)

    ladder = Ladder.objects.get(slug="siege-3")
    assert (ladder.name, ladder.entrants_per_match) == ("Siege, three players", 3)
    ladder.full_clean()


def test_logs_get_their_seat_and_versions_the_variants_that_they_were_checked_for(before_0003):
    rows = {name: before_0003.get_model("arena", name).objects for name in OLD}
    rows["Ladder"].all().delete()
    user = rows["User"].create(username="ada", password="")

    def version(slug, **columns):
        bot = rows["Bot"].create(owner=user, slug=slug, name=slug)
        return rows["Version"].create(bot=bot, number=1, size_bytes=1, **columns)

    ready = version("ready", status="ready", variants=[])
    named = version("named", status="ready", variants=["general"])
    waiting = version("waiting", status="uploaded", variants=[])
    match = rows["Match"].create(
        ladder=rows["Ladder"].create(slug="old", name="Old", variant="classic@1"),
        public_id="m_old",
        rng_seed=1,
        created_at=timezone.now(),
    )
    for number, seats in enumerate(({"red": 0, "blue": 1}, {"red": 1, "blue": 0}), start=1):
        game = rows["Game"].create(match=match, number=number, seats=seats)
        for position in (0, 1):
            rows["GameLog"].create(game=game, position=position, stderr=f"of {position}")

    call_command("migrate", verbosity=0)

    variants = {row.pk: row.variants for row in Version.objects.all()}
    assert variants == {
        ready.pk: ["classic", "general"],
        named.pk: ["general"],
        waiting.pk: [],
    }
    for game in Game.objects.all():
        logs = GameLog.objects.filter(game=game)
        assert {log.seat: log.stderr for log in logs} == {
            seat: f"of {position}" for seat, position in game.seats.items()
        }
    played = Ladder.objects.filter(entrants__version=ready.pk).values_list("variant", flat=True)
    assert set(played) == {"classic@1", "general@1"}


OLD_STEPS = ("received", "scanned", "protocol", "smoke", "ready")


def checklist(version):
    rows = VersionCheck.objects.filter(version=version).order_by("position")
    return [(row.position, row.step, row.state, row.log) for row in rows]


def test_checklists_get_room_for_the_build_and_lose_nothing(before_0004):
    rows = {name: before_0004.get_model("arena", name).objects for name in (*OLD, "VersionCheck")}
    user = rows["User"].create(username="ada", password="")
    bot = rows["Bot"].create(owner=user, slug="old", name="old")
    version = rows["Version"].create(bot=bot, number=1, size_bytes=1, status="uploaded").pk
    for position, step in enumerate(OLD_STEPS):
        rows["VersionCheck"].create(
            version_id=version, step=step, position=position, state="passed", log=f"of {step}"
        )

    call_command("migrate", verbosity=0)

    row = Version.objects.get(pk=version)
    assert (row.language, row.isolation, row.is_unsafe) == ("python", "", False)
    places = [CheckStep.values.index(step) for step in OLD_STEPS]
    assert checklist(version) == [
        (place, step, "passed", f"of {step}") for place, step in zip(places, OLD_STEPS, strict=True)
    ]


def test_going_back_takes_out_the_line_that_an_earlier_release_does_not_know(before_0004):
    call_command("migrate", verbosity=0)
    version = factories.make_upload()
    for step in CheckStep:
        place = {"position": CheckStep.values.index(step)}
        VersionCheck.objects.get_or_create(version=version, step=step, defaults=place)

    call_command("migrate", "arena", "0003", verbosity=0)

    rows = before_0004.get_model("arena", "VersionCheck").objects.filter(version=version.pk)
    assert list(rows.order_by("position").values_list("position", "step")) == [
        *enumerate(OLD_STEPS)
    ]


OLD = ("User", "Bot", "Version", "Ladder", "Match", "Game", "GameLog")


def test_versions_that_have_played_do_not_wait_for_their_first_game(before_0005):
    names = ("User", "Bot", "Version", "Ladder", "Match", "MatchEntrant")
    rows = {name: before_0005.get_model("arena", name).objects for name in names}
    bot = rows["Bot"].create(owner=rows["User"].create(username="ada"), slug="old", name="old")
    old, replaced, new = (
        rows["Version"].create(bot=bot, number=number, size_bytes=1, status=status)
        for number, status in enumerate(("ready", "retired", "uploaded"), start=1)
    )
    began = timezone.now()
    for number, started_at in enumerate((None, began, began + timedelta(hours=1)), start=1):
        match = rows["Match"].create(
            ladder=rows["Ladder"].get(slug="classic"),
            public_id=f"m_{number}",
            rng_seed=1,
            started_at=started_at,
            status="finished" if started_at else "queued",
            finished_at=started_at,
            finish_number=number if started_at else None,
        )
        for position, version in enumerate((old, replaced)):
            rows["MatchEntrant"].create(match=match, position=position, version=version)

    call_command("migrate", verbosity=0)

    found = dict(Version.objects.values_list("pk", "first_game_at"))
    assert found == {old.pk: began, replaced.pk: began, new.pk: None}
    assert Version.objects.get(pk=replaced.pk).status == "retired"
    assert Match.objects.filter(kind="ladder", finish_number__isnull=False).count() == 2
