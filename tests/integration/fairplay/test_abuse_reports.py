"""What users report to staff, and how staff closes a report."""

import json

import pytest
from django.contrib.auth.models import Permission

from arena.domain import closing
from arena.domain.accounts.quotas import OverQuota
from arena.domain.errors import Refused
from arena.domain.fairplay import abuse_reports
from arena.models import AbuseReport, StaffAction, User
from tests.factories import make_bot, make_user
from tests.integration.tournaments import making

pytestmark = pytest.mark.django_db

FORM = {"reason": "name", "text": "It calls somebody a pig."}


@pytest.fixture
def ada():
    return make_user("ada")


@pytest.fixture
def bad():
    bot = make_bot(make_user("bob"), "pig")
    bot.description = "Everybody is a pig."
    bot.save()
    return bot


def send(client, user, address, **changed):
    client.force_login(user)
    return client.post(address, {**FORM, **changed})


def report(by, subject):
    return abuse_reports.report(by=by, subject=subject, **FORM)


def test_user_bot_and_tournament_can_be_reported(client, ada, bad):
    cup = making.make_open()

    for address, subject in (
        ("/@bob/report/", bad.owner),
        ("/bots/bob/pig/report/", bad),
        (f"/tournaments/{cup.slug}/report/", cup),
    ):
        assert "Send the report" in page(client, ada, address)
        assert send(client, ada, address).url == subject.get_absolute_url()

    kept = list(AbuseReport.objects.all())
    assert [each.subject for each in kept] == [bad.owner, bad, cup]
    assert [each.quoted for each in kept] == ["bob", "pig\n\nEverybody is a pig.", cup.name]
    assert {each.reporter for each in kept} == {ada}


def page(client, user, address):
    client.force_login(user)
    return client.get(address).content.decode()


@pytest.mark.every_store
def test_one_open_report_of_subject_per_reporter(client, ada, bad):
    first = report(ada, bad)
    report(make_user("eve"), bad)
    report(ada, bad.owner)

    again = send(client, ada, "/bots/bob/pig/report/")

    assert "You have already reported this." in again.content.decode()
    assert AbuseReport.objects.count() == 3
    abuse_reports.close(report=first, by=make_user("judge"), decision="acted", note="Renamed.")
    report(ada, bad)
    assert AbuseReport.objects.filter(reporter=ada, bot=bad).count() == 2


def test_what_is_ones_own_cannot_be_reported(bad):
    for subject in (bad, bad.owner):
        with pytest.raises(Refused, match="This is yours"):
            report(bad.owner, subject)


def test_report_needs_words_and_listed_reason(client, ada, bad):
    assert send(client, ada, "/@bob/report/", text=" ").status_code == 400
    assert send(client, ada, "/@bob/report/", reason="envy").status_code == 400
    assert send(client, ada, "/@bob/report/", text="x" * 2001).status_code == 400
    assert not AbuseReport.objects.exists()


def test_user_has_daily_limit_of_reports(client, ada, bad, settings):
    settings.REPORTS_PER_DAY = 1
    report(ada, bad)

    with pytest.raises(OverQuota, match="You may report 1 thing in 24 hours"):
        report(ada, bad.owner)
    assert send(client, ada, "/@bob/report/").status_code == 429
    assert AbuseReport.objects.count() == 1


def test_staff_lists_the_open_ones_and_closes_one(client, ada, bad, operator):
    row = report(ada, bad)
    closed = report(ada, bad.owner)
    abuse_reports.close(report=closed, by=operator, decision="nothing_done", note="Fine.")

    listed = page(client, operator, "/staff/reports/")
    assert row.get_absolute_url() in listed
    assert closed.get_absolute_url() not in listed
    shown = client.get(row.get_absolute_url()).content.decode()
    assert FORM["text"] in shown
    assert "Everybody is a pig." in shown
    assert 'href="/staff/bots/bob/pig/"' in shown
    done = client.post(row.get_absolute_url(), {"decision": "acted", "note": "Renamed it."})

    assert done.url == "/staff/reports/"
    row.refresh_from_db()
    assert (row.decision, row.note, row.closed_by) == ("acted", "Renamed it.", operator)
    noted = StaffAction.objects.get(target=str(row))
    assert (noted.by, noted.action, noted.reason) == (operator, "close_report", "Renamed it.")
    notice = ada.notices.first()
    assert notice.text.startswith("Staff has looked at your report of")
    assert "pig" not in notice.text
    assert "Renamed" not in notice.text
    late = client.post(row.get_absolute_url(), {"decision": "acted", "note": "Again."})
    assert late.status_code == 400
    assert ada.notices.count() == 2  # one for each report


def test_closing_and_seeing_reports_needs_permission(client, ada, bad):
    row = report(ada, bad)
    trainee = User.objects.create_user("trainee", is_staff=True)
    answer = {"decision": "acted", "note": "Mine."}

    assert send(client, ada, row.get_absolute_url(), **answer).status_code == 403
    assert client.get("/staff/reports/").status_code == 403
    assert "You may look at this but not do it." in page(client, trainee, row.get_absolute_url())
    assert client.post(row.get_absolute_url(), answer).status_code == 403
    trainee.user_permissions.add(Permission.objects.get(codename="change_abusereport"))
    assert client.post(row.get_absolute_url(), answer).status_code == 302


def test_reports_in_reporter_data_and_go_with_account(client, ada, bad):
    report(ada, bad)
    report(make_user("eve"), bad.owner)

    client.force_login(ada)
    (kept,) = json.loads(client.get("/account/data.json").content)["reports"]
    assert (kept["bot__owner__username"], kept["bot__slug"]) == ("bob", "pig")
    assert kept["text"] == FORM["text"]

    closing.close(user=ada)
    assert AbuseReport.objects.get().user == bad.owner
    closing.close(user=bad.owner)  # it quotes the name
    assert not AbuseReport.objects.exists()
