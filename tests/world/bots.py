"""The users, bots and matches of the site; its tournaments are in `cups`."""

from dataclasses import dataclass

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.utils import timezone

from arena.domain.accounts import staff_log
from arena.domain.bots import activation, bots, challenges, trials, versions
from arena.domain.fairplay import abuse_reports
from arena.domain.matches import leases, lifecycle
from arena.domain.matches.purposes import Purpose
from arena.domain.ratings import annulments, refits
from arena.domain.webhooks import webhooks
from arena.models import CheckStep, Ladder, Match, MatchKind, QueueAlarm, User, Version
from tests import factories
from tests.factories import play_duel as play
from tests.integration.bots import trial_rows
from tests.integration.web import played

FILLERS = ("ann", "ben", "cleo", "dan")  # owners of the other bots on the ladders


@dataclass
class People:
    """The users of the site who do something."""

    user: User
    owner: User
    other: User
    organizer: User
    staff: User


def make():
    """Make the users, their bots with versions in every state, and matches of every kind."""
    settings.WHEELS_DIR.mkdir(exist_ok=True)
    (settings.WHEELS_DIR / "drapeau-1-py3-none-any.whl").write_bytes(b"a wheel")
    people = _make_people()
    ready = _make_ready_bots(people)
    _make_season(people, ready)
    _make_real_matches(ready)
    _make_forfeits(people, ready)
    _make_open_matches(ready)
    _make_trials(people, ready)
    _make_challenges(people, ready)
    _make_unready_versions(people)
    abuse_reports.report(by=people.other, subject=ready["alpha"].bot, reason="spam", text="Look.")
    for ladder in Ladder.objects.order_by("pk"):
        refits.refresh(ladder=ladder)
    now = timezone.now()
    QueueAlarm.objects.create(goes_on=False, began_at=now, ended_at=now, oldest_s=700.0)
    _make_webhook(people.owner)
    return people


def _make_webhook(owner):
    """Add a webhook, with a delivery that waits."""
    hook, _secret = webhooks.create(
        user=owner,
        receiver="https://example.org/drapeau",
        events=["match.finished"],
        site="http://testserver",
    )
    webhooks.test(webhook=hook)


def _make_people():
    people = People(
        **{name: factories.make_user(name) for name in ("user", "owner", "other", "organizer")},
        staff=User.objects.create_superuser("staff", password="correct horse"),
    )
    for name in FILLERS:
        user = factories.make_user(name)
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "DAN"})
    User.objects.create_user("trainee", is_staff=True)
    return people


def _make_ready_bots(people):
    """Return the active versions of the bots that can play, by the short name of the bot."""
    made = {"alpha": _make_alpha(people.owner)}
    owners = {"beta": people.other, "delta": people.other}
    owners |= {f"star-{name}": User.objects.get(username=name) for name in FILLERS}
    for slug, owner in owners.items():
        (made[slug],) = factories.write_ready([factories.make_bot(owner, slug)])
    for variant, names in (
        ("cards", ("owner", "other")),
        ("siege", ("owner", "other", *FILLERS)),
        ("skirmish", ("owner", "other")),
    ):
        for owner in (User.objects.get(username=name) for name in names):
            bot = factories.make_bot(owner, f"{variant}-{owner.username}")
            (made[bot.slug],) = factories.write_ready([bot], variants=(variant,))
    factories.make_bot(people.other, "empty")
    quiet = factories.make_ready(factories.make_bot(people.other, "quiet")).bot
    challenges.let_challenge(bot=quiet, allowed=False)
    bots.pause(bot=factories.make_ready(factories.make_bot(people.owner, "paused")).bot)
    return made


def _make_alpha(owner):
    """Make the owner's bot: a retired version, a rejected one, then the one that plays."""
    bot = bots.create(owner=owner, name="Alpha", slug="alpha", description="The <first> & best.")
    activation.retire(version=factories.make_ready(bot))
    rejected = factories.make_upload(bot, source="no bot")
    lease = factories.claim(rejected)
    for step in (CheckStep.SCANNED, CheckStep.PROTOCOL):
        versions.begin_step(lease=lease, step=step)
        versions.pass_step(lease=lease, step=step, message="Well.", log="a line\n", took_ms=5)
    versions.begin_step(lease=lease, step=CheckStep.SMOKE)
    versions.reject(
        lease=lease,
        step=CheckStep.SMOKE,
        reason="It lost its check game: crash.",
        log="Traceback <of the bot>\n",
        took_ms=1234,
        record=played.refused_record("general@1", 3),
    )
    return factories.make_ready(bot)


def _make_season(people, ready):
    """Play a season of the ladder `classic`, end it, and begin the next."""
    alpha, beta, ann, ben = (ready[name] for name in ("alpha", "beta", "star-ann", "star-ben"))
    for first, second, points in (
        (alpha, beta, (1.0, 1.0)),
        (alpha, ann, (1.0, 0.5)),
        (beta, ben, (0.0, 1.0)),
        (ann, ben, (0.5, 0.5)),
    ):
        play(first, second, *points)
    refits.refresh(ladder=factories.get_ladder())
    factories.end_season(ladder=factories.get_ladder(), by=people.staff)
    for _ in range(12):  # enough for a report about a one-sided pair
        play(ann, ben, 1.0, 1.0)
    play(alpha, beta, 1.0, 0.0)
    farmed = play(beta, ann, 1.0, 1.0)
    annulments.annul(matches=[farmed], by=people.staff, reason="One program played for both.")
    staff_log.note(by=people.staff, action="annul", target=str(farmed), reason="One program.")


def _make_real_matches(ready):
    """Play matches by the rules of every variant, with random legal actions."""
    for ladder, names in (
        ("classic", ("alpha", "star-cleo")),
        ("general", ("alpha", "beta")),
        ("general", ("star-cleo", "alpha")),
        ("cards", ("cards-owner", "cards-other")),
        ("siege", ("siege-owner", "siege-other")),
        ("skirmish", ("skirmish-owner", "skirmish-other")),
        ("siege-3", ("siege-owner", "siege-other", "siege-ann")),
    ):
        match = factories.make_match(
            *(ready[name] for name in names), ladder=factories.get_ladder(ladder)
        )
        played.play_random_games(match, rng_seed=len(names))


def _make_forfeits(people, ready):
    """Let `alpha` lose by a refused set-up, and pause a bot that crashes again and again."""
    match = factories.make_match(
        ready["alpha"], ready["star-dan"], ladder=factories.get_ladder("general")
    )
    played.play_random_games(match, record_of=played.refused_record)
    for game in match.games.order_by("number"):
        factories.make_evidence(game, "red", cpu_ms=3.5, peak_memory_bytes=20_000_000, signal=9)
    crashy = factories.make_ready(factories.make_bot(people.owner, "crashy"))
    for _ in range(4):
        factories.forfeit_all(factories.make_match(ready["beta"], crashy), 1)


def _make_open_matches(ready):
    """Leave matches in every state that is not finished."""
    alpha, beta, dan = ready["alpha"], ready["beta"], ready["star-dan"]
    failed, voided, retried, running, _queued = (
        factories.make_match(alpha, other) for other in (beta, dan, beta, dan, beta)
    )
    lease = factories.claim(failed)
    Match.objects.filter(pk=failed.pk).update(attempt=1000)
    lifecycle.void_attempt(lease=lease, reason="the power failed")
    lifecycle.void(match=voided, reason="a broken disk")
    lifecycle.void_attempt(lease=factories.claim(retried), reason="the power failed")
    lease = factories.claim(running)
    first, second = running.games.order_by("number")
    lifecycle.begin_game(lease=lease, game=first)
    factories.store(lease, first, 1.0)
    lifecycle.begin_game(lease=lease, game=second)
    lifecycle.note_progress(lease=lease, game=second, plies=17)
    lifecycle.create_match(
        ladder=factories.get_ladder(),
        versions=[Version.objects.get(bot__slug="crashy"), beta],
        purpose=Purpose(MatchKind.PROBE),
    )


def _make_trials(people, ready):
    """Make a trial that runs, one that was cancelled and one with a verdict."""
    bots.configure(bot=ready["alpha"].bot, gate_new_versions=True)
    newest = factories.make_ready(ready["alpha"].bot)
    running = newest.trials.get()
    trials.advance()
    for match, points in zip(
        trial_rows.open_matches(running), (trial_rows.WIN, trial_rows.EVEN), strict=False
    ):
        trial_rows.play(match, points)
    older = ready["delta"]
    newer = factories.make_ready(older.bot)
    trials.cancel(trial=trials.start(version=newer, against=older, by=people.other))
    decided = trials.start(version=newer, against=older, by=people.other)
    trial_rows.play_on(decided, trial_rows.WIN)
    ready["delta"] = newer


def _make_challenges(people, ready):
    """Make challenges that are finished, cancelled and waiting, and one of three."""
    alpha, beta = (ready[name].bot for name in ("alpha", "beta"))
    general = factories.get_ladder("general")
    for bot in (alpha, beta):
        bot.refresh_from_db()
    finished = challenges.ask(by=people.owner, own=alpha, opponents=[beta], ladder=general)
    played.play_random_games(finished, rng_seed=5)
    cancelled = challenges.ask(by=people.other, own=beta, opponents=[alpha], ladder=general)
    challenges.cancel(match=cancelled, by=people.other)
    challenges.ask(by=people.owner, own=alpha, opponents=[beta], ladder=general)
    three = [ready[f"siege-{name}"].bot for name in ("owner", "other", "ann")]
    for bot in three:
        bot.refresh_from_db()
    challenges.ask(
        by=people.owner,
        own=three[0],
        opponents=three[1:],
        ladder=factories.get_ladder("siege-3"),
    )


def _make_unready_versions(people):
    """Leave versions in every state between upload and ready, each of another owner."""
    bot = factories.make_bot(people.other, "compiled")
    built = factories.make_upload(bot)
    lease = factories.claim(built)
    versions.expect_build(lease=lease)
    versions.begin_step(lease=lease, step=CheckStep.BUILT)
    versions.pass_step(
        lease=lease, step=CheckStep.BUILT, message="Built.", log="a warning\n", took_ms=900
    )
    versions.keep_build(lease=lease, artefact=b"an artefact", image="sha256:0123")
    leases.renew(lease=lease, digest="0" * 64, language="c", isolation="docker")
    versions.accept(lease=lease)
    for name, step in zip(FILLERS, (CheckStep.SCANNED, CheckStep.PROTOCOL, CheckStep.SMOKE, None)):  # noqa: B905 - three of four are in work
        owner = User.objects.get(username=name)
        version = factories.make_upload(factories.make_bot(owner, f"new-{name}"))
        lease = factories.claim(version)
        if step is None:
            versions.postpone(lease=lease, reason="no room on the disk")
        else:
            versions.begin_step(lease=lease, step=step)
    factories.make_upload(people.owner.bots.get(slug="alpha"))
