"""Trials of versions: started, played by pairs, judged, ended."""

from dataclasses import asdict

import pytest

from arena.domain import finishing
from arena.domain.bots import activation, bots, trial_pairs, trials
from arena.domain.errors import Refused
from arena.domain.matches import lifecycle, purposes
from arena.models import MatchKind, MatchStatus, Notice, RatingEvent, TrialStatus
from botkit.sprt import PairCounts
from tests import factories
from tests.integration.bots.trial_rows import EVEN, LOSS, WIN, open_matches, play, play_on

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("a_wide_margin")]


@pytest.fixture
def others():
    return [factories.make_ready() for _ in range(2)]


def refusal(**arguments):
    with pytest.raises(Refused) as refused:
        trials.start(**arguments)
    return refused.value.code


def test_trial_keeps_few_unrated_version_pairs_waiting(two):
    older, newer = two
    trial = trials.start(version=newer)

    trials.advance()
    trials.advance()

    waiting = list(open_matches(trial))
    assert trial.against == older
    assert len(waiting) == trial_pairs.OPEN_MATCHES
    for match in waiting:
        assert (match.kind, match.is_rated) == (MatchKind.TRIAL, False)
        assert [entrant.version for entrant in match.entrants.all()] == [newer, older]
        assert match.games.count() == 2


def test_every_fourth_time_both_meet_the_same_bot(two, others):
    older, newer = two
    trial = trials.start(version=newer)
    for _ in range(4):
        trials.advance()
        for match in open_matches(trial):
            play(match, EVEN)

    panel = [
        match
        for match in trial.matches.order_by("pk")
        if {entrant.version for entrant in match.entrants.all()} & set(others)
    ]

    first, second = panel[:2]
    assert first.trial_pair == second.trial_pair
    assert first.secret != second.secret
    assert first.entrants.get(position=0).version == newer
    assert second.entrants.get(position=0).version == older
    assert first.entrants.get(position=1).version == second.entrants.get(position=1).version
    assert set(trial.panel) == {version.pk for version in others}


def test_panel_counts_difference_of_both_and_no_half(two, others):
    older, newer = two
    third = others[0]
    trial = trials.start(version=newer)
    purpose = purposes.Purpose(MatchKind.TRIAL, None, trial, trial_pair=1)
    ladder = trial.ladder

    first = lifecycle.create_match(ladder=ladder, versions=[newer, third], purpose=purpose)
    play(first, WIN)
    assert trial_pairs.gather(trial=trial) == PairCounts()

    second = lifecycle.create_match(ladder=ladder, versions=[older, third], purpose=purpose)
    play(second, EVEN)

    expected = PairCounts()
    expected.add_panel(new=1.0, old=0.5)
    trial.refresh_from_db()
    assert trial.counts == asdict(expected)
    assert trial.games == 4


@pytest.mark.parametrize(
    ("points", "status"),
    [(WIN, TrialStatus.BETTER), (LOSS, TrialStatus.WORSE)],
)
def test_trial_ends_with_verdict_and_tells_owner(two, others, points, status):
    older, newer = two
    trial = trials.start(version=older, against=newer)

    play_on(trial, points)

    assert (trial.status, trial.activated_at) == (status, None)
    assert trial.ended_at is not None
    assert trial.games == PairCounts(**trial.counts).games > 0
    told = Notice.objects.get(user=newer.bot.owner)
    assert trial.get_status_display() in told.text
    assert str(trial.games) in told.text
    assert not open_matches(trial).exists()
    assert not RatingEvent.objects.exists()
    newer.bot.refresh_from_db()
    assert newer.bot.active_version == newer


def test_trial_ends_without_answer_after_last_game(two, settings):
    settings.TRIAL_MAX_GAMES, settings.MATCH_ATTEMPTS = 10, 1
    trial = trials.start(version=two[1])

    play_on(trial, WIN)

    assert (trial.status, trial.games) == (TrialStatus.UNKNOWN, 10)
    assert trial.detail == "No result after 10 games."
    settings.TRIAL_MAX_GAMES = 8
    trial = trials.start(version=two[1])
    for _ in range(2):
        trials.advance()
        for match in open_matches(trial):
            lifecycle.void_attempt(lease=factories.claim(match), reason="the platform failed")
    trials.advance()
    trial.refresh_from_db()
    assert (trial.status, trial.games) == (TrialStatus.UNKNOWN, 0)


def test_cancelled_matches_played_again_do_not_use_trial(two, settings):
    settings.TRIAL_MAX_GAMES = 4
    trial = trials.start(version=two[1])
    trials.advance()
    for match in open_matches(trial):
        lifecycle.cancel(match=match, reason="a test")

    play_on(trial, WIN)

    assert (trial.status, trial.games) == (TrialStatus.UNKNOWN, 4)
    assert trial.matches.filter(status=MatchStatus.CANCELLED).count() == 2


def test_what_finishes_after_the_end_counts_no_more(two):
    trial = trials.start(version=two[1])
    trials.advance()
    match = open_matches(trial).first()
    lease = factories.claim(match)
    trials.cancel(trial=trial)
    for game in match.games.order_by("number"):
        factories.store(lease, game, 1.0)

    assert finishing.finish(lease=lease)

    trial.refresh_from_db()
    assert (trial.status, trial.games) == (TrialStatus.CANCELLED, 0)
    with pytest.raises(Refused) as refused:
        trials.cancel(trial=trial)
    assert refused.value.code == "trial_over"


def test_trial_waits_while_paused_retiring_ends_it(two):
    older, newer = two
    trial = trials.start(version=newer)
    trials.advance()
    bots.pause(bot=newer.bot)
    trials.advance()
    assert not open_matches(trial).exists()
    bots.resume(bot=newer.bot)
    trials.advance()
    assert open_matches(trial).count() == trial_pairs.OPEN_MATCHES

    activation.retire(version=older)
    trials.advance()

    trial.refresh_from_db()
    assert (trial.status, trial.detail) == (TrialStatus.CANCELLED, "Version 1 was retired.")
    assert set(trial.matches.values_list("status", flat=True)) == {MatchStatus.CANCELLED}


def test_what_cannot_be_tried_is_refused_in_words(two):
    older, newer = two
    stranger, unready = factories.make_ready(), factories.make_upload(newer.bot)

    assert refusal(version=stranger) == "no_other_version"
    assert refusal(version=newer, against=stranger) == "not_comparable"
    assert refusal(version=newer, against=newer) == "not_comparable"
    assert refusal(version=unready) == "version_not_ready"
    assert refusal(version=newer, ladder=factories.get_ladder("siege")) == "no_ladder"
    trials.start(version=newer)
    assert refusal(version=newer) == "trial_running"
    trials.start(version=newer, ladder=factories.get_ladder("general"))
    trials.start(version=older, against=newer)
    assert (
        refusal(version=older, against=newer, ladder=factories.get_ladder("general"))
        == "too_many_trials"
    )


def test_trial_is_on_ladder_with_most_games(two):
    opponent = factories.make_ready()
    match = factories.make_match(two[1], opponent, ladder=factories.get_ladder("general"))
    factories.play_out(match, [1.0, 0.0])

    assert trials.start(version=two[1]).ladder.slug == "general"
