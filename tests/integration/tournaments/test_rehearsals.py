"""Rehearsals: small tournaments like the real one, with house bots, played for real."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings as site
from django.utils import timezone

from arena.domain.accounts import accounts
from arena.domain.errors import InvalidInput, Refused
from arena.domain.formats import catalogue
from arena.domain.matches import lifecycle
from arena.domain.tournaments import snapshot, stages
from arena.domain.tournaments.rehearsal import rehearsal_bots, rehearsals, sizes
from arena.domain.tournaments.rounds import directing
from arena.models import (
    REHEARSAL_OWNER,
    Entrant,
    Game,
    Match,
    Pairing,
    Tournament,
    TournamentLogEntry,
    User,
)
from arena.runner import programs
from botkit.package import pack
from sandbox.uploads import unpacking
from tests import factories
from tests.integration.tournaments import making, playing

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
OPTIONS = {"swiss": {"rounds": 3}}
WITH_BYES = ("double_elimination", "single_elimination", "swiss")


@pytest.fixture
def cup():
    return making.make_open()


def start(cup):
    return rehearsals.start(tournament=cup, by=making.organizer(cup))


def sights(rehearsal):
    report = rehearsals.report(rehearsal=rehearsal)
    return {sight.code: sight.round for sight in report.sights}


@pytest.mark.parametrize("variant", ["cards", "general", "siege"])
def test_cast_is_trusted_and_equals_upload_of_folder(variant):
    cast = rehearsal_bots.gather(variant=variant)

    playing_ = [*cast.twins, cast.quitter, *cast.others]
    assert len({version.bot for version in playing_}) == len(playing_) == 5
    assert len({version.digest for version in playing_}) == 4
    assert cast.twins[0].digest == cast.twins[1].digest
    for version in playing_:
        assert programs.load(version=version).digest == version.digest
        assert version.digest in programs.house_bot_digests(Path(site.HOUSE_BOTS_DIR))
        assert version.plays(variant)
    folder = Path(site.HOUSE_BOTS_DIR) / rehearsal_bots.QUITTER
    assert cast.quitter.digest == unpacking.unpack(pack(folder), "quitter.zip").digest


def test_cast_is_made_once_and_joins_no_ladder():
    first = rehearsal_bots.gather(variant="classic")
    again = rehearsal_bots.gather(variant="classic", others=6)

    assert (first.twins, first.quitter) == (again.twins, again.quitter)
    assert again.others[:2] == first.others
    assert len({version.bot for version in again.others}) == 6
    assert not Entrant.objects.exists()
    owner = User.objects.get(username=REHEARSAL_OWNER)
    assert not owner.is_active
    assert not owner.has_usable_password()


def test_nobody_can_be_named_like_cast_owner():
    with pytest.raises(InvalidInput) as refused:
        accounts.create_user(username=REHEARSAL_OWNER, password="correct horse battery")

    assert set(refused.value.errors) == {"username"}


@pytest.mark.parametrize("slug", sorted(catalogue.FORMATS))
@pytest.mark.parametrize("ladder", ["classic", "siege"])
def test_every_format_has_small_tournament_where_twins_meet(slug, ladder):
    cup = Tournament(ladder=factories.get_ladder(ladder), format=slug, format_options={})
    format_, setup = catalogue.find(slug), snapshot.setup_of(tournament=cup)

    fit = sizes.fit(format_=format_, setup=setup)
    small = replace(setup, options=fit.options)
    roles = sizes.roles(format_=format_, setup=small, entrants=fit.entrants)

    format_.check(small, fit.entrants)
    assert 4 <= fit.entrants <= 9
    assert len({*roles.twins, roles.quitter}) == 3
    assert {*roles.twins, roles.quitter} <= set(range(1, fit.entrants + 1))


def test_unplayable_options_are_lowered_and_reported():
    cup = making.make_open(
        format="swiss", format_options={"rounds": 9}, min_entrants=32, max_entrants=64
    )

    rehearsal = start(cup)

    assert rehearsal.format_options["rounds"] < 9
    lowered = rehearsals.report(rehearsal=rehearsal).lowered
    assert lowered == {"rounds": (9, rehearsal.format_options["rounds"])}


def test_rehearsal_is_separate_tournament_that_begins_at_once(cup):
    before = making.log(cup)

    rehearsal = start(cup)

    assert (rehearsal.rehearsal_of, rehearsal.status) == (cup, "running")
    assert (rehearsal.release, rehearsal.matches_per_pairing) == ("hidden", 1)
    assert rehearsal.format == cup.format
    assert making.organizer(rehearsal) == making.organizer(cup)
    assert rehearsal.name == f"Rehearsal 1: {cup.name}"
    assert rehearsal.entrants.filter(status="entered", digest__gt="").count() == 5
    assert making.log(cup) == before
    assert making.fresh(cup).revision == cup.revision


def test_second_nested_or_late_rehearsal_is_refused(cup):
    first = start(cup)

    assert making.refusal(start, cup=cup)[0] == "rehearsal_running"
    assert making.refusal(start, cup=first)[0] == "rehearsal_of_rehearsal"
    stages.cancel(tournament=first, by=making.organizer(cup), reason="again")
    second = start(cup)
    assert list(rehearsals.of(tournament=cup)) == [second, first]
    stages.cancel(tournament=cup, by=making.organizer(cup), reason="rain")
    assert making.refusal(start, cup=making.fresh(cup))[0] == "tournament_over"
    with pytest.raises(Refused) as refused:
        rehearsals.start(tournament=cup, by=factories.make_user())
    assert refused.value.code == "not_an_organizer"


def test_rehearsal_is_deleted_with_all_its_games_only(cup):
    other = playing.begin(bots=2)
    rehearsal = start(cup)
    directing.advance(tournament_pk=rehearsal.pk)
    match = playing.matches_of(rehearsal)[0]
    by = making.organizer(cup)
    with pytest.raises(Refused) as refused:
        rehearsals.discard(rehearsal=rehearsal, by=by)
    assert refused.value.code == "rehearsal_running"
    factories.claim(match)
    stages.cancel(tournament=rehearsal, by=by, reason="seen enough")

    assert making.refusal(rehearsals.discard, rehearsal=rehearsal, by=by)[0] == "rehearsal_in_work"
    Match.objects.filter(pk=match.pk).update(taken_at=timezone.now() - timedelta(minutes=5))
    rehearsals.discard(rehearsal=making.fresh(rehearsal), by=by)

    assert not Tournament.objects.filter(pk=rehearsal.pk).exists()
    assert not Match.objects.exclude(pairing__round__tournament=other).exists()
    assert Pairing.objects.get().round.tournament == other
    assert not TournamentLogEntry.objects.exclude(tournament__in=[other, cup]).exists()
    assert TournamentLogEntry.objects.filter(tournament=cup).exists()
    assert making.refusal(rehearsals.discard, rehearsal=other, by=making.organizer(other))[0] == (
        "no_rehearsal"
    )


def test_rehearsal_with_reruns_is_deleted_too(cup):
    rehearsal = start(cup)
    for _ in range(3):  # an ended match is played again, and that one too
        directing.advance(tournament_pk=rehearsal.pk)
        last = playing.matches_of(rehearsal)[0]
        lifecycle.cancel(match=last, reason="a fault")
    assert Match.objects.filter(rerun_of__isnull=False).count() == 2
    stages.cancel(tournament=making.fresh(rehearsal), by=making.organizer(cup), reason="enough")

    rehearsals.discard(rehearsal=making.fresh(rehearsal), by=making.organizer(cup))

    assert not Tournament.objects.filter(pk=rehearsal.pk).exists()
    assert not Match.objects.exists()


@pytest.mark.parametrize("slug", sorted(catalogue.FORMATS))
@pytest.mark.kept("single_elimination")
def test_rehearsal_includes_bye_tie_crash_and_withdrawal(settings, slug):
    settings.ISOLATION, settings.TRUST_BOTS = "process", False
    factories.shorten_games(20)
    options = OPTIONS.get(slug, {})
    cup = making.make_open(format=slug, format_options=options, min_entrants=9, max_entrants=16)
    rehearsal = start(cup)

    for _round in range(20):
        directing.advance(tournament_pk=rehearsal.pk)
        for match in Match.objects.filter(status="queued"):
            assert factories.play_match(match_pk=match.pk)

    rehearsal.refresh_from_db()
    report = rehearsals.report(rehearsal=rehearsal)
    assert (rehearsal.status, report.failed) == ("completed", 0)
    assert report.complete, sights(rehearsal)
    assert all(sight.seen for sight in report.sights if sight.code != "bye" or slug in WITH_BYES)
    assert sights(rehearsal)["withdrawal"] == 1
    assert sights(rehearsal)["tie"] >= 1  # other meetings can stay level by chance
    assert report.games == Game.objects.filter(status="finished").count() > 0
    assert report.game_s
    assert report.took_s
    (crash,) = set(Game.objects.exclude(fault="").values_list("termination", flat=True))
    assert crash == "crash"


def test_open_rehearsals_are_cancelled_with_tournament(cup):
    over = start(cup)
    stages.cancel(tournament=over, by=making.organizer(cup), reason="again")
    running = start(cup)
    match = playing.matches_of(playing.go_on(running))[0]

    stages.cancel(tournament=cup, by=making.organizer(cup), reason="No hall.")

    running = making.fresh(running)
    assert (running.status, running.status_reason) == ("cancelled", "No hall.")
    assert playing.statuses(match) == ["cancelled"]
    assert making.fresh(over).status_reason == "again"


def test_nothing_begins_where_no_house_bot_plays(settings, tmp_path, cup):
    settings.HOUSE_BOTS_DIR = tmp_path

    code, said = making.refusal(rehearsals.start, tournament=cup, by=making.organizer(cup))

    assert code == "no_house_bots"
    assert cup.ladder.name in said
    assert "your own bots" in said
    assert rehearsals.why_no_cast(tournament=cup) == said
    assert not Tournament.objects.filter(rehearsal_of=cup).exists()
