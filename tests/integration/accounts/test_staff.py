from types import SimpleNamespace

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from arena.admin_site import Noted
from arena.domain.accounts import staff_log
from arena.models import AppendOnly, Bot, Ladder, StaffAction
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser(operator):
    client = Client()
    client.force_login(operator)
    return client


def log():
    """Return what is in the log, oldest first."""
    rows = StaffAction.objects.order_by("pk")
    return [(row.by.username, row.action, row.target) for row in rows]


def test_a_note_is_never_changed_nor_deleted(operator):
    row = staff_log.note(by=operator, action="void", target="m_1")

    row.action = "nothing"
    for attempt in (row.save, row.delete, StaffAction.objects.all().delete):
        with pytest.raises(AppendOnly):
            attempt()
    assert log() == [("operator", "void", "m_1")]


def test_every_admin_page_writes_down_what_is_done():
    assert Group in admin.site._registry
    assert [page for page in admin.site._registry.values() if not isinstance(page, Noted)] == []


def test_admin_add_change_and_delete_are_noted(browser):
    browser.post(reverse("admin:auth_group_add"), {"name": "judges"})
    group = Group.objects.get()
    browser.post(reverse("admin:auth_group_change", args=[group.pk]), {"name": "referees"})
    browser.post(reverse("admin:auth_group_delete", args=[group.pk]), {"post": "yes"})
    pks = [Group.objects.create(name=name).pk for name in ("a", "b")]
    chosen = {"action": "delete_selected", "_selected_action": pks, "post": "yes"}
    browser.post(reverse("admin:auth_group_changelist"), chosen)

    assert not Group.objects.exists()
    *noted, one, other = log()
    assert noted == [
        ("operator", "admin.add", "group judges"),
        ("operator", "admin.change", "group referees"),
        ("operator", "admin.delete", "group referees"),
    ]
    assert {one, other} == {("operator", "admin.delete", f"group {name}") for name in "ab"}
    changed = StaffAction.objects.get(action="admin.change")
    assert changed.details == {"said": [{"changed": {"fields": ["Name"]}}]}


def test_admin_action_is_noted_for_every_row(browser):
    bots = [factories.make_bot(), factories.make_bot()]

    browser.post(
        reverse("admin:arena_bot_changelist"),
        {"action": "pause", "_selected_action": [bot.pk for bot in bots]},
    )

    assert set(Bot.objects.values_list("is_paused", flat=True)) == {True}
    assert sorted(log()) == sorted(("operator", "admin.pause", f"bot {bot}") for bot in bots)
    assert {row.url for row in StaffAction.objects.all()} == {
        bot.get_absolute_url() for bot in bots
    }


UNCHANGEABLE = (
    "annulment", "entrant", "match", "notice", "ratingevent", "season",
    "staffaction", "version", "versiontrial",
)  # fmt: skip


def test_unchangeable_rows_cannot_be_added_or_deleted(rf, operator):
    request = rf.get("/")
    request.user = operator
    pages = {page.model._meta.model_name: page for page in admin.site._registry.values()}
    for model in UNCHANGEABLE:
        page = pages[model]

        assert page.has_view_permission(request), model
        assert not page.has_add_permission(request), model
        assert not page.has_change_permission(request), model
        assert not page.has_delete_permission(request), model


@pytest.mark.parametrize(
    ("model", "counted"), [(Ladder, {"next_finish_number": 7}), (Bot, {"is_paused": True})]
)
def test_admin_change_keeps_what_was_counted_meanwhile(model, counted, rf):
    bot = factories.make_bot()
    read = bot if model is Bot else factories.get_ladder()
    model.objects.filter(pk=read.pk).update(**counted)

    page = admin.site._registry[model]
    read.name = "Renamed"
    page.save_model(rf.post("/"), read, SimpleNamespace(changed_data=["name"]), change=True)

    stored = model.objects.get(pk=read.pk)
    assert stored.name == "Renamed"
    assert {name: getattr(stored, name) for name in counted} == counted
