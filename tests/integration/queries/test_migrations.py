"""A database of an earlier release goes on with this one.

Django works every model out anew for each step, which takes seconds. So one walk serves all tests:
down to the earliest release, and up again with rows that each release on the way had.
"""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from arena.models import CheckStep, Game, GameLog, Ladder, Match, Tournament, Version, VersionCheck
from engine import chance, registry
from engine.seating import entrant_counts
from tests import database_role, factories

pytestmark = [pytest.mark.slow, pytest.mark.every_store]

STEPS_OF_0003 = ("received", "scanned", "protocol", "smoke", "ready")


@pytest.fixture(scope="module")
def walk(django_db_setup, django_db_blocker):
    """Return what was met on the way; the rows are there until the tests of this file are over."""
    with django_db_blocker.unblock():
        yield walk_down_and_up()
        call_command("flush", interactive=False, verbosity=0)
        database_role.make()


@pytest.fixture
def walked(walk, db):
    return walk


def walk_down_and_up():
    met = SimpleNamespace()
    with_every_step = version_with_every_step()
    factories.make_match()
    rows = rows_at("0012_returns")
    met.seed_going_back = rows("Match").get().rng_seed
    for name in ("Match", "Entrant"):
        rows(name).all().delete()
    rows = rows_at("0003_entrants_per_match")
    met.steps_going_back = steps(rows("VersionCheck"), with_every_step)
    rows("Ladder").all().delete()
    rows = rows_at("0002_ladders")
    met.ladders_going_back = rows("Ladder").count()
    rows("Ladder").create(slug="blitz", name="Blitz", variant="classic@1", action_ms=500)
    rows("Ladder").create(slug="siege-3", name="Ours", variant="general@1")
    met.ready = make_version(rows, status="ready", variants=[])
    met.named = make_version(rows, status="ready", variants=["general"])
    met.waiting = make_version(rows, status="uploaded", variants=[])
    make_logged_games(rows)
    rows = rows_at("0003_entrants_per_match")
    met.with_old_checklist = make_version(rows, status="uploaded")
    make_old_checklist(rows, met.with_old_checklist)
    rows = rows_at("0004_builds_and_evidence")
    met.played, met.replaced, met.new = (
        make_version(rows, status=status) for status in ("ready", "retired", "uploaded")
    )
    met.began = timezone.now()
    make_matches(rows, (met.played, met.replaced), met.began)
    rows = rows_at("0012_returns")
    make_trial(rows, met.played, met.replaced)
    make_tournaments(rows)
    call_command("migrate", verbosity=0)
    return met


def rows_at(migration):
    """Go to a migration; return a function that gives the rows of a model as they were there."""
    call_command("migrate", "arena", migration, verbosity=0)
    apps = MigrationExecutor(connection).loader.project_state([("arena", migration)]).apps
    return lambda name: apps.get_model("arena", name).objects


def version_with_every_step():
    version = factories.make_upload()
    for step in CheckStep:
        place = {"position": CheckStep.values.index(step)}
        VersionCheck.objects.get_or_create(version=version, step=step, defaults=place)
    return version.pk


def make_version(rows, **columns):
    owner, _ = rows("User").get_or_create(username="ada", defaults={"password": ""})
    slug = f"bot-{rows('Bot').count()}"
    bot = rows("Bot").create(owner=owner, slug=slug, name=slug)
    return rows("Version").create(bot=bot, number=1, size_bytes=1, **columns).pk


def make_logged_games(rows):
    match = rows("Match").create(
        ladder=rows("Ladder").get(slug="blitz"),
        public_id="m_old",
        rng_seed=1,
        created_at=timezone.now(),
    )
    for number, seats in enumerate(({"red": 0, "blue": 1}, {"red": 1, "blue": 0}), start=1):
        game = rows("Game").create(match=match, number=number, seats=seats)
        for position in (0, 1):
            rows("GameLog").create(game=game, position=position, stderr=f"of {position}")


def make_old_checklist(rows, version):
    for position, step in enumerate(STEPS_OF_0003):
        rows("VersionCheck").create(
            version_id=version, step=step, position=position, state="passed", log=f"of {step}"
        )


def make_matches(rows, versions, began):
    """Make a match that has not begun, one that began then, and one that began an hour later."""
    for number, started_at in enumerate((None, began, began + timedelta(hours=1)), start=1):
        match = rows("Match").create(
            ladder=rows("Ladder").get(slug="blitz"),
            public_id=f"m_{number}",
            rng_seed=1,
            started_at=started_at,
            status="finished" if started_at else "queued",
            finished_at=started_at,
            finish_number=number if started_at else None,
        )
        for position, version in enumerate(versions):
            rows("MatchEntrant").create(match=match, position=position, version_id=version)


def make_trial(rows, version, against):
    """Make a trial with a pair, two matches against its panel, and another pair."""
    ladder = rows("Ladder").get(slug="blitz")
    trial = rows("VersionTrial").create(ladder=ladder, version_id=version, against_id=against)
    for number, rng_seed in enumerate((5, 7, 7, 6), start=1):
        match = {"ladder": ladder, "kind": "trial", "trial": trial, "rng_seed": rng_seed}
        rows("Match").create(public_id=f"m_trial_{number}", **match)


def make_tournaments(rows):
    """Make a tournament in each of the states that matter to its chance."""
    user, ladder = rows("User").get(username="ada"), rows("Ladder").get(slug="blitz")
    for number, status in enumerate(("registration", "running", "completed", "released"), start=1):
        frozen_at = None if status == "registration" else timezone.now()
        rows("Tournament").create(
            slug=status, ladder=ladder, created_by=user, status=status, frozen_at=frozen_at,
            format="swiss", rng_seed=number,
        )  # fmt: skip


def steps(checks, version):
    found = checks.filter(version=version).order_by("position")
    return list(found.values_list("position", "step"))


def test_going_back_takes_out_the_line_that_an_earlier_release_does_not_know(walked):
    assert walked.steps_going_back == [*enumerate(STEPS_OF_0003)]


def test_going_back_leaves_the_ladders_to_the_next_migrate(walked):
    assert walked.ladders_going_back == 0


def test_every_variant_has_its_ladders_after_migrating(walked):
    found = {(row.variant, row.entrants_per_match) for row in Ladder.objects.all()}
    wanted = {
        (variant.name, entrants)
        for variant in registry.variants().values()
        for entrants in entrant_counts(variant)
    }
    assert wanted - found == {("siege@1", 3)}  # its short name is taken
    assert Ladder.objects.get(variant="classic@1").slug == "blitz"
    assert Ladder.objects.get(slug="siege").name == "Siege"


def test_versions_get_the_variants_that_they_were_checked_for(walked):
    def variants(version):
        return Version.objects.get(pk=version).variants

    assert variants(walked.ready) == ["classic", "general"]
    assert variants(walked.named) == ["general"]
    assert variants(walked.waiting) == []
    ladders = Ladder.objects.filter(entrants__version=walked.ready)
    assert set(ladders.values_list("variant", flat=True)) == {"classic@1", "general@1"}


def test_logs_get_their_seat(walked):
    games = Game.objects.filter(match__public_id="m_old")
    assert games.count() == 2
    for game in games:
        logs = GameLog.objects.filter(game=game)
        assert {log.seat: log.stderr for log in logs} == {
            seat: f"of {position}" for seat, position in game.seats.items()
        }


def test_checklists_get_room_for_the_build_and_lose_nothing(walked):
    version = Version.objects.get(pk=walked.with_old_checklist)

    assert (version.language, version.isolation, version.is_unsafe) == ("python", "", False)
    checks = VersionCheck.objects.filter(version=version).order_by("position")
    assert list(checks.values_list("position", "step", "state", "log")) == [
        (CheckStep.values.index(step), step, "passed", f"of {step}") for step in STEPS_OF_0003
    ]


def test_versions_that_have_played_do_not_wait_for_their_first_game(walked):
    def began(version):
        return Version.objects.get(pk=version).first_game_at

    assert (began(walked.played), began(walked.replaced)) == (walked.began, walked.began)
    assert began(walked.new) is None
    assert Version.objects.get(pk=walked.replaced).status == "retired"
    numbered = Match.objects.filter(kind="ladder", finish_number__isnull=False)
    assert numbered.filter(public_id__in=("m_2", "m_3")).count() == 2


def test_what_is_not_over_gets_a_secret_of_its_own(walked):
    secrets = dict(Match.objects.values_list("public_id", "secret"))

    over = {"m_2", "m_3"}
    assert {name for name, secret in secrets.items() if not secret} == over
    assert {"m_old", "m_1", "m_trial_1"} <= secrets.keys() - over
    kept = [secret for secret in secrets.values() if secret]
    assert all(chance.is_secret(secret) for secret in kept)
    assert len(set(kept)) == len(kept)


def test_the_matches_of_a_trial_stay_together(walked):
    rows = Match.objects.filter(kind="trial").order_by("public_id")

    assert list(rows.values_list("trial_pair", flat=True)) == [1, 2, 2, 3]


def test_only_what_a_tournament_has_drawn_with_its_public_seed_goes_on_with_it(walked):
    cups = {cup.slug: cup for cup in Tournament.objects.all()}

    assert {name: cup.rng_seed for name, cup in cups.items()} == {
        "registration": None, "running": 2, "completed": 3, "released": 4,
    }  # fmt: skip
    assert {name for name, cup in cups.items() if cup.secret} == {"registration", "running"}
    assert cups["running"].lots_seed == 2
    assert cups["registration"].lots_seed == chance.lots_seed(cups["registration"].secret)


def test_going_back_gives_a_seed_to_a_match_that_waits(walked):
    assert 0 < walked.seed_going_back < 2**48
