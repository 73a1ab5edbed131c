import pytest

from arena.domain import matches, queries, replays
from arena.domain.errors import Refused
from arena.models import Entrant, Game, Match
from tests import factories

pytestmark = pytest.mark.django_db


def rate(version, rating, games=0):
    Entrant.objects.filter(version=version, ladder__slug="classic").update(
        rating=rating, games=games, wins=games
    )


def test_a_leaderboard_is_ranked_and_equal_numbers_share_a_rank():
    versions = [factories.make_ready() for _ in range(4)]
    for version, rating in zip(versions, (1400, 1700, 1600, 1600), strict=True):
        rate(version, rating, games=20)
    rate(versions[0], 1400, games=19)

    board = queries.leaderboard(ladder=factories.get_ladder())

    assert [(row.rank, row.entrant.rating, row.provisional) for row in board] == [
        (1, 1700, False),
        (2, 1600, False),
        (2, 1600, False),
        (4, 1400, True),
    ]
    assert board[0].bot == versions[1].bot


def test_a_later_page_of_a_leaderboard_goes_on_with_the_ranks():
    for rating in (1400, 1700, 1600, 1600):
        rate(factories.make_ready(), rating)

    page = queries.leaderboard(ladder=factories.get_ladder(), limit=2, offset=2)

    assert [(row.rank, row.entrant.rating) for row in page] == [(2, 1600), (4, 1400)]


@pytest.mark.parametrize("entrants", [1, 3])
def test_a_leaderboard_takes_one_query(entrants, django_assert_num_queries):
    for _ in range(entrants):
        factories.make_ready()
    ladder = factories.get_ladder()

    with django_assert_num_queries(1):
        rows = queries.leaderboard(ladder=ladder)
        names = [
            (str(row.bot), row.bot.get_absolute_url(), row.entrant.version.number) for row in rows
        ]

    assert len(names) == entrants


@pytest.mark.parametrize("played", [1, 3])
def test_a_list_of_matches_takes_a_fixed_number_of_queries(played, django_assert_num_queries):
    for _ in range(played):
        factories.make_match()

    with django_assert_num_queries(6):
        rows = list(queries.recent_matches()[:20])
        names = [
            [str(entrant.version) for entrant in match.entrants.all()] + [match.ladder.name]
            for match in rows
            if match.games.all()
        ]

    assert len(names) == played


def test_recent_matches_of_a_bot_are_its_own_and_not_cancelled():
    mine, other = factories.make_ready(), factories.make_ready()
    match = factories.make_match(mine, other)
    factories.make_match()
    matches.cancel(match=factories.make_match(mine, other), reason="a test")

    assert list(queries.recent_matches(bot=mine.bot)) == [match]


def test_a_bots_summary_has_its_standings_versions_and_matches():
    mine, other = factories.make_ready(), factories.make_ready()
    match = factories.make_match(mine, other)
    factories.play_out(match, [0.0, 0.0])

    summary = queries.bot_summary(bot=mine.bot)

    assert [(row.entrant.ladder.slug, row.rank) for row in summary.standings] == [
        ("classic", 2),
        ("general", 1),
    ]
    assert (summary.versions, summary.matches) == ([mine], [match])
    events = queries.rating_events(bot=mine.bot, ladder=match.ladder)
    assert [event.after for event in events] == [1480]


def test_the_featured_match_is_a_running_one_with_something_to_show():
    assert queries.featured_match() is None
    finished, running = factories.make_match(), factories.make_match()
    factories.play_out(finished, [1.0, 0.0])
    assert queries.featured_match() == finished

    lease = factories.claim(running)
    game = running.games.first()
    matches.begin_game(lease=lease, game=game)
    assert queries.featured_match() == finished
    factories.store(lease, game, 1.0)

    assert queries.featured_match() == running


def test_a_forfeited_match_is_featured_only_where_there_is_no_other():
    clean, forfeited = factories.make_match(), factories.make_match()
    factories.play_out(forfeited, [1.0, 0.0])
    Game.objects.filter(match=forfeited, number=1).update(fault="red")
    assert queries.featured_match() == forfeited

    factories.play_out(clean, [1.0, 0.0])
    Match.objects.filter(pk=forfeited.pk).update(finished_at=clean.queued_at)

    assert queries.featured_match() == clean


def test_the_queue_has_positions_reasons_and_estimates():
    first, second = factories.make_match(), factories.make_match()
    upload = factories.make_upload()
    matches.claim(match_pk=first.pk)
    Match.objects.filter(pk=second.pk).update(waiting_reason="no engine")

    rows = queries.queue()

    assert [(row.position, row.kind, row.row.pk, row.reason) for row in rows] == [
        (1, "match", first.pk, "A runner is at work on it."),
        (2, "match", second.pk, "no engine"),
        (3, "version", upload.pk, "Waiting for a runner to check it."),
    ]
    assert [row.estimate_s for row in rows] == [0.0, 20.0, 40.0]


def test_progress_counts_per_ladder():
    mine, other = factories.make_ready(), factories.make_ready()
    factories.play_out(factories.make_match(mine, other), [1.0, 1.0])
    factories.make_match(mine, other)

    of = {row.ladder.slug: row for row in queries.progress()}
    classic, general = of["classic"], of["general"]

    assert (classic.ladder.slug, classic.entrants, classic.least_games) == ("classic", 2, 2)
    assert (classic.finished, classic.waiting, classic.running, classic.failed) == (1, 1, 0, 0)
    assert (general.finished, general.least_games) == (0, 0)


def test_a_game_that_is_not_over_has_no_replay_in_any_view():
    game = factories.make_match().games.first()

    for view in replays.views_of(game=game):
        assert replays.may_see(game=game, view=view) is False
        with pytest.raises(Refused) as refused:
            replays.replay(game=game, view=view)
        assert refused.value.code == "not_finished"
    with pytest.raises(Refused):
        replays.record(game=game)


def test_an_unknown_view_is_refused_by_name():
    match = factories.make_match()
    factories.play_out(match, [1.0, 0.0])

    with pytest.raises(Refused, match="red, blue, public, full") as refused:
        replays.replay(game=match.games.first(), view="white")

    assert refused.value.code == "unknown_view"
