import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from arena.domain import finishing
from arena.domain.ratings import rating_events, recomputation, scores
from arena.domain.ratings.recomputation import Recomputation
from arena.models import AppendOnly, Entrant, Ladder, RatingEvent
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.every_store]


@pytest.fixture
def two():
    return factories.make_ready(), factories.make_ready()


def entrant(version):
    return Entrant.objects.get(ladder__slug="classic", bot=version.bot)


def test_a_match_of_two_games_is_one_event_per_entrant(two):
    match = factories.make_match(*two)

    factories.play_out(match, [1.0, 1.0])

    won, lost = RatingEvent.objects.order_by("-after")
    assert (won.before, won.after, won.score, won.expected, won.k) == (1500, 1520, 1.0, 0.5, 40)
    assert (lost.before, lost.after, lost.score) == (1500, 1480, 0.0)
    assert (won.finish_number, won.games_before, won.wins, won.losses) == (1, 0, 2, 0)
    assert entrant(two[0]).elo == 1520
    assert (entrant(two[1]).games, entrant(two[1]).losses) == (2, 2)


def test_one_game_each_changes_nothing_between_equals(two):
    factories.play_out(factories.make_match(*two), [1.0, 0.0])

    assert [event.change for event in RatingEvent.objects.all()] == [0.0, 0.0]
    assert (entrant(two[0]).wins, entrant(two[0]).losses) == (1, 1)


def test_rating_a_match_twice_fails_on_the_constraint(two):
    match = factories.make_match(*two)
    factories.play_out(match, [1.0, 1.0])
    match.refresh_from_db()

    with pytest.raises(IntegrityError), transaction.atomic():
        rating_events.apply(match=match, parts=scores.of_match(match=match))


def test_events_cannot_be_changed_or_deleted(two):
    factories.play_out(factories.make_match(*two), [1.0, 1.0])
    event = RatingEvent.objects.earliest("pk")

    event.after = 3000
    for attempt in (
        event.save,
        event.delete,
        RatingEvent.objects.all().delete,
        lambda: RatingEvent.objects.update(after=3000),
    ):
        with pytest.raises(AppendOnly):
            attempt()


def test_a_new_version_inherits_the_number_and_is_provisional_again(two):
    for _ in range(10):
        factories.play_out(factories.make_match(*two), [1.0, 0.5])
    before = entrant(two[0])
    assert before.games == 20

    newer = factories.make_ready(two[0].bot)

    after = entrant(newer)
    assert (after.elo, after.games, after.version) == (before.elo, 0, newer)
    factories.play_out(factories.make_match(newer, two[1]), [1.0, 1.0])
    event = RatingEvent.objects.get(version=newer)
    assert (event.before, event.k, event.games_before) == (before.elo, 40, 0)
    assert RatingEvent.objects.get(match=event.match, version=two[1]).k == 20


def test_a_late_match_of_the_older_version_moves_the_number_and_counts_no_game(two):
    match = factories.make_match(*two)
    lease = factories.claim(match)
    newer = factories.make_ready(two[0].bot)

    for game in match.games.all():
        factories.store(lease, game, 1.0)
    finishing.finish(lease=lease)

    assert (entrant(newer).elo, entrant(newer).games) == (1520, 0)
    assert recomputation.rerate(ladder=match.ladder) == []


def test_rerate_finds_nothing_on_a_ladder_as_it_was_played(capsys):
    versions = [factories.make_ready() for _ in range(4)]
    for number in range(12):
        pair = versions[number % 4], versions[(number + 1 + number // 4) % 4]
        factories.play_out(factories.make_match(*pair), [1.0, 0.5 if number % 3 else 0.0])

    call_command("rerate", "--check")

    assert capsys.readouterr().out.splitlines() == [
        f"{ladder.slug}: {24 if ladder.slug == 'classic' else 0} events, 0 differences"
        for ladder in Ladder.objects.all()
    ]


def test_rerate_finds_nothing_while_matches_go_on_finishing(two, monkeypatch):
    factories.play_out(factories.make_match(*two), [1.0, 1.0])
    advance = Recomputation._advance
    late = [factories.make_match(*two)]

    def advance_and_let_one_finish(self, until):
        yield from advance(self, until)
        if late:
            factories.play_out(late.pop(), [0.0, 0.0])

    monkeypatch.setattr(Recomputation, "_advance", advance_and_let_one_finish)

    assert recomputation.rerate(ladder=factories.get_ladder()) == []
    assert late == []


@pytest.mark.parametrize(
    "tamper",
    [
        "UPDATE arena_ratingevent SET after = after + 1",
        "UPDATE arena_ratingevent SET games_before = 3",
        "DELETE FROM arena_ratingevent",
        "UPDATE arena_entrant SET rating = 2000",
        "UPDATE arena_entrant SET wins = 7, games = 7, losses = 0, draws = 0",
    ],
)
def test_rerate_check_fails_after_tampering(two, tamper):
    factories.play_out(factories.make_match(*two), [1.0, 1.0])
    with connection.cursor() as cursor:
        cursor.execute(tamper)

    with pytest.raises(CommandError) as failed:
        call_command("rerate", "classic", "--check")

    assert failed.value.returncode == 1


def test_rerate_names_an_unknown_ladder():
    with pytest.raises(CommandError, match="no ladder chess"):
        call_command("rerate", "chess")
