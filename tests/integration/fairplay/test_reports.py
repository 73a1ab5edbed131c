import io
import zipfile
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone

from arena.domain.fairplay import collusion, corrections, reports
from arena.domain.matches import lifecycle
from arena.domain.matches.purposes import Purpose
from arena.models import Match, MatchKind, SignalReport, User, Version, VersionArchive
from tests import factories

pytestmark = pytest.mark.django_db


def program(number, lines=80):
    return "\n".join(
        f"def f{line}_{number}(x):\n    return x * {line * number} + g{line % 7 + number}(x)"
        for line in range(lines)
    )


def active(owner, source, slug=""):
    """Return an active version of a new bot with this source, its digest that of the source."""
    version = factories.make_ready_with(factories.make_bot(owner, slug), source=source)
    version.bot.refresh_from_db()
    assert version.bot.active_version == version
    return version


def play(one, two, *results):
    rows = [factories.make_match(one, two) for _ in results]
    for match, result in zip(rows, results, strict=True):
        factories.play_out(match, result)
    return [Match.objects.get(pk=match.pk) for match in rows]


def test_a_ladder_without_matches_shows_nothing():
    assert reports.of_ladder(ladder=factories.get_ladder()) == []
    assert reports.of_programs() == []
    assert reports.of_challenges() == []


def test_meetings_are_the_rated_matches_with_what_was_foretold_and_forfeited():
    one, two = factories.make_ready(), factories.make_ready()
    match = factories.make_match(one, two)
    first, second = match.games.order_by("number")
    factories.finish_with(
        match,
        (
            {seat: float(at) for seat, at in first.seats.items()},
            next(s for s in first.seats if not first.seats[s]),
        ),
        ({seat: float(not at) for seat, at in second.seats.items()}, ""),
    )
    lifecycle.create_match(
        ladder=factories.get_ladder(), versions=[one, two], purpose=Purpose(MatchKind.CHALLENGE)
    )

    (meeting,) = reports.meetings_of(ladder=factories.get_ladder())

    assert (meeting.bots, meeting.versions) == ((one.bot_id, two.bot_id), (one.pk, two.pk))
    assert (meeting.expected, meeting.score) == (0.5, 0.5)
    assert meeting.forfeited == (True, False)


def test_a_planted_pair_is_told_with_its_numbers_and_gone_once_annulled():
    one, two = factories.make_ready(), factories.make_ready()
    rows = play(one, two, *[[1, 1]] * 12)
    ladder = factories.get_ladder()

    found = reports.shown(reports.of_ladder(ladder=ladder))

    assert [signal.kind for signal in found] == ["pair"]
    assert found[0].bots == [one.bot, two.bot]
    assert one.bot.name in found[0].text
    assert "matches against" in found[0].text
    assert [signal.p is not None and signal.p <= collusion.ALARM for signal in found] == [True]
    seen = corrections.try_annulment(chosen=rows)
    corrections.annul(
        chosen=rows, by=User.objects.create_superuser("op"), reason="farmed", seen=seen.digest
    )
    assert reports.of_ladder(ladder=ladder) == []


def test_the_site_looks_once_an_hour_and_keeps_what_it_found():
    one, two = factories.make_ready(), factories.make_ready()
    play(one, two, *[[1, 1]] * 12)
    assert reports.latest() == (None, [])

    reports.make_due()
    made_at, found = reports.latest()
    rows = play(one, two, [1, 1])
    reports.make_due()

    assert [(signal.kind, signal.ladder) for signal in found] == [
        ("pair", rows[0].ladder),
        ("nearly", None),  # both bots are the same bot of the tests
    ]
    assert reports.latest() == (made_at, found)
    assert f"{one.bot.name} got 12 points in 12 matches against" in found[0].text

    SignalReport.objects.update(made_at=timezone.now() - reports.EVERY)
    reports.make_due()
    assert SignalReport.objects.filter(made_at__gt=made_at).exists()


def test_what_concerns_a_deleted_person_is_not_shown():
    ada, bob = factories.make_user(), factories.make_user()
    finding = reports.StoredSignal("circle", {"count": 8}, people=(ada.pk, bob.pk), p=0.001)
    assert [signal.people for signal in reports.shown([finding])] == [[ada, bob]]

    bob.delete()

    assert reports.shown([finding]) == []


def test_one_program_of_two_owners_is_told_and_that_of_a_starter_kit_is_not():
    ada, bob = factories.make_user("ada"), factories.make_user("bob")
    kit = reports.common_sources(Path(settings.HOUSE_BOTS_DIR))[0]
    versions = [active(owner, program(1)) for owner in (ada, bob)]
    for owner in (ada, bob):
        active(owner, kit)

    found = reports.shown(reports.of_programs())

    assert [signal.kind for signal in found] == ["same"]
    assert set(found[0].bots) == {version.bot for version in versions}
    assert "2 owners" in found[0].text


def test_a_copy_with_small_changes_is_told():
    ada, bob, eve = (factories.make_user(name) for name in ("ada", "bob", "eve"))
    copied = [active(ada, program(1)), active(bob, "# mine\n" + program(1) + "\nz = 9")]
    active(eve, program(1000))

    found = reports.shown(reports.of_programs())

    assert [signal.kind for signal in found] == ["nearly"]
    assert set(found[0].bots) == {version.bot for version in copied}


def test_many_bots_of_one_owner_with_one_program_are_told():
    ada = factories.make_user("ada")
    for _ in range(3):
        active(ada, program(1))

    assert [signal.text for signal in reports.shown(reports.of_programs())] == [
        "ada has 3 bots with the same program."
    ]


def test_accounts_that_only_challenge_each_other_are_told():
    people = [factories.make_user(name) for name in ("ada", "bob", "eve", "dan", "kim", "lou")]
    versions = {person: factories.make_ready(factories.make_bot(person)) for person in people}
    for asker, other in [(people[0], people[1]), (people[1], people[0])] * 4:
        lifecycle.create_match(
            ladder=factories.get_ladder(),
            versions=[versions[asker], versions[other]],
            purpose=Purpose(MatchKind.CHALLENGE, asker),
        )

    (signal,) = reports.shown(reports.of_challenges())

    assert signal.text == "ada and bob requested 8 challenges, all against each other."
    assert [person.username for person in signal.people] == ["ada", "bob"]


def zipped(**files):
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as packed:
        for name, text in files.items():
            packed.writestr(name.replace("__", "."), text)
    return kept.getvalue()


@pytest.mark.parametrize(
    ("data", "texts"),
    [
        (zipped(main__py="a = 1", notes__txt="x", b__py="b = 2"), ["b = 2", "a = 1"]),
        (b"no zip at all", []),
    ],
)
def test_of_a_zip_the_sources_are_read_and_of_what_is_none_nothing(data, texts):
    version = factories.make_ready()
    Version.objects.filter(pk=version.pk).update(filename="bot.zip")
    VersionArchive.objects.filter(version=version).update(data=data)

    assert reports.sources_of(version=Version.objects.get(pk=version.pk)) == texts


def test_of_a_zip_that_unpacks_to_very_much_the_beginning_is_read(monkeypatch):
    monkeypatch.setattr(reports, "MOST_BYTES", 10)
    version = factories.make_ready()
    Version.objects.filter(pk=version.pk).update(filename="bot.zip")
    data = zipped(a__py="a" * 7, b__py="b" * 7, c__py="c" * 7)
    VersionArchive.objects.filter(version=version).update(data=data)

    assert reports.sources_of(version=Version.objects.get(pk=version.pk)) == ["a" * 7, "b" * 3]


def test_of_a_zip_that_is_damaged_nothing_is_read():
    version = factories.make_ready()
    Version.objects.filter(pk=version.pk).update(filename="bot.zip")
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("main.py", "x = 1\n" * 500)
    data = bytearray(kept.getvalue())
    data[37:41] = b"\xff\xff\xff\xff"  # the first bytes of what is packed
    VersionArchive.objects.filter(version=version).update(data=bytes(data))

    assert reports.sources_of(version=Version.objects.get(pk=version.pk)) == []


def test_only_the_latest_matches_and_the_newest_programs_are_looked_at(monkeypatch):
    one, two = factories.make_ready(), factories.make_ready()
    play(one, two, *[[1, 1]] * 5)
    for owner in (factories.make_user("ada"), factories.make_user("bob")):
        active(owner, program(1))
    assert reports.of_programs() != []

    monkeypatch.setattr(reports, "MOST_MATCHES", 3)
    monkeypatch.setattr(reports, "MOST_PROGRAMS", 1)

    assert len(reports.meetings_of(ladder=factories.get_ladder())) == 3
    assert reports.of_programs() == []
