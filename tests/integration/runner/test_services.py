"""Around the domain: request names, the content policy, health, operators' pages."""

import pytest
from django.contrib.auth.models import Permission
from django.core.management import call_command
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.urls import reverse

from arena.domain.accounts import accounts
from arena.domain.ladders import ladders
from arena.domain.queue import health
from arena.models import Bot, Ladder
from tests import factories
from tests.integration.tournaments.rows import make_tournament


@pytest.mark.django_db
def test_every_answer_names_its_request():
    client = Client()

    own = client.get("/accounts/login/").headers["X-Request-ID"]
    given = client.get("/accounts/login/", headers={"X-Request-ID": "proxy-0001"})
    forged = client.get("/accounts/login/", headers={"X-Request-ID": 'x"\\n{}'})

    assert len(own) == 32
    assert given.headers["X-Request-ID"] == "proxy-0001"
    assert len(forged.headers["X-Request-ID"]) == 32


@pytest.mark.django_db
def test_answers_carry_a_strict_content_policy():
    policy = Client().get("/accounts/login/").headers["Content-Security-Policy"]

    assert "default-src 'none'" in policy
    assert "script-src 'self';" in f"{policy};"
    assert "unsafe" not in policy


@pytest.mark.django_db
def test_site_ready_when_database_migrations_and_broker_answer(client):
    ready = client.get("/readyz")

    assert (ready.status_code, ready.json()["status"]) == (200, "ok")
    names = ["broker", "connections", "database", "disk", "migrations", "queue", "runners"]
    assert sorted(ready.json()["checks"]) == names


def refuse(*_, **__):
    raise OSError("no broker")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("place", "value", "check", "detail"),
    [
        ("app.connection_for_read", refuse, "broker", "OSError"),
        ("LEAST_FREE_BYTES", 1 << 80, "disk", ""),
        ("connections", lambda: (91, 100), "connections", "91 of 100 used"),
    ],
)
def test_degraded_site_names_trouble_and_gets_requests(
    client, monkeypatch, place, value, check, detail
):
    monkeypatch.setattr(f"arena.domain.queue.health.{place}", value)

    answer = client.get("/readyz")

    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    faults = {name: row["detail"] for name, row in answer.json()["checks"].items() if not row["ok"]}
    assert list(faults) == [check]
    assert detail in faults[check]


@pytest.mark.django_db
def test_a_missing_migration_is_not_ready():
    MigrationRecorder.Migration.objects.filter(app="arena").latest("name").delete()

    ready = health.ready()

    assert ready.ok is False
    assert [check.detail for check in ready.checks if not check.ok] == ["1 not applied"]


def test_models_and_migrations_agree(db):
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


@pytest.mark.django_db
def test_seeding_ladders_makes_missing_one_and_enters_players(capsys):
    Ladder.objects.filter(slug="general").delete()
    version = factories.make_ready()
    assert version.entries.count() == 1

    call_command("seed_ladders")
    call_command("seed_ladders")

    assert capsys.readouterr().out.splitlines() == ["general", "Nothing to do."]
    assert version.entries.count() == 2
    assert ladders.seed() == []


@pytest.fixture
def operator(django_user_model):
    client = Client()
    client.force_login(django_user_model.objects.create_superuser("operator"))
    return client


@pytest.mark.django_db
def test_operators_can_list_and_open_everything(operator):
    factories.play_out(factories.make_match(), [1.0, 0.0])
    accounts.issue_token(user=Bot.objects.earliest("pk").owner, name="ci")
    for model in [
        "apitoken",
        "bot",
        "entrant",
        "ladder",
        "match",
        "ratingevent",
        "user",
        "version",
    ]:
        listing = operator.get(reverse(f"admin:arena_{model}_changelist"))
        row = listing.context["cl"].queryset.first()

        page = operator.get(reverse(f"admin:arena_{model}_change", args=[row.pk]))

        assert (listing.status_code, page.status_code) == (200, 200), model


@pytest.mark.django_db
def test_staff_who_only_view_bots_cannot_pause_them(django_user_model):
    reader = django_user_model.objects.create_user("reader", is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="view_bot"))
    client = Client()
    client.force_login(reader)
    bot = factories.make_bot()
    listing = reverse("admin:arena_bot_changelist")

    client.post(listing, {"action": "pause", "_selected_action": [bot.pk]})

    assert client.get(listing).status_code == 200
    bot.refresh_from_db()
    assert bot.is_paused is False


LADDER = {
    "slug": "blitz", "name": "Blitz", "variant": "general", "options": "{}", "is_open": "on",
    "entrants_per_match": 2,
    "startup_ms": 1000, "bank_ms": 2000, "increment_ms": 0, "action_ms": 500,
}  # fmt: skip


@pytest.mark.django_db
def test_ladder_made_by_operators_has_ready_bots(operator):
    version = factories.make_ready()

    answer = operator.post(reverse("admin:arena_ladder_add"), LADDER)

    assert answer.status_code == 302
    ladder = Ladder.objects.get(slug="blitz")
    assert ladder.variant == "general@1"
    assert [entrant.version for entrant in ladder.entrants.all()] == [version]


@pytest.mark.django_db
def test_closed_ladder_keeps_board_goes_on_when_opened(operator):
    older = factories.make_ready()
    ladder = factories.get_ladder("general")
    Ladder.objects.filter(pk=ladder.pk).update(is_open=False)

    newer = factories.make_ready(older.bot)

    assert [(entrant.version, entrant.active) for entrant in ladder.entrants.all()] == [
        (older, True)
    ]
    page = reverse("admin:arena_ladder_change", args=[ladder.pk])
    wanted = {**LADDER, "slug": ladder.slug, "name": ladder.name}
    assert operator.post(page, wanted).status_code == 302
    assert [(entrant.version, entrant.active) for entrant in ladder.entrants.all()] == [
        (newer, True)
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("status", "fixed"),
    [
        ("draft", set()),
        ("completed", {"variant", "options"}),
        ("running", {"variant", "options", "bank_ms"}),
    ],
)
def test_ladder_of_tournament_is_not_edited_under_it(operator, status, fixed):
    cup = make_tournament(2, status=status)

    page = operator.get(reverse("admin:arena_ladder_change", args=[cup.ladder_id]))

    shown = set(page.context["adminform"].readonly_fields)
    assert shown & {"variant", "options", "bank_ms"} == fixed
