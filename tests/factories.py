"""Rows for tests, made through the domain wherever it has a word for them."""

import itertools
from random import Random

from django.db import connection, transaction
from django.utils import timezone

from arena.domain import finishing
from arena.domain.bots import bots, person_games, versions
from arena.domain.ladders import ladders
from arena.domain.matches import leases, lifecycle
from arena.domain.matches.leases import Lease
from arena.domain.matches.lifecycle import PlayedGame
from arena.domain.ratings import rating_events, seasons
from arena.models import (
    Bot,
    CheckState,
    CheckStep,
    Entrant,
    GameEvidence,
    Ladder,
    Match,
    RunnerFigures,
    User,
    Version,
    VersionArchive,
    VersionCheck,
    VersionStatus,
)
from arena.runner import play, programs, validation
from arena.texts import lists
from engine import registry
from sandbox.uploads import unpacking
from tests.database_role import as_runner

_numbers = itertools.count(1)
DUELS = ("classic", "general")  # what a version plays here unless a test says otherwise

RANDOM_BOT = """
import json, random, sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        random.seed(f"{message['rng_seed']}/{message['seat']}")
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "act" and message["phase"] == "deploy" and "legal" not in message:
        army = [rank for rank, count in message["view"]["army"].items() for _ in range(count)]
        army.sort(key=lambda rank: (rank != "F", random.random()))  # the flag far from any scout
        print(json.dumps({"action": "".join(army)}), flush=True)
    elif message["type"] == "act":
        print("thinking", file=sys.stderr)
        print(json.dumps({"action": random.choice(message["legal"])}), flush=True)
"""


def make_user(username=""):
    user = _user(username or f"user{next(_numbers)}")
    user.save()
    return user


def _user(username):
    user = User(username=username)
    user.set_password("correct horse")
    return user


def make_bot(owner=None, slug=""):
    name = slug or f"bot{next(_numbers)}"
    return bots.create(owner=owner or make_user(), name=name, slug=name)


def make_upload(bot=None, source=RANDOM_BOT, variants=DUELS):
    return bots.submit_version(
        bot=bot or make_bot(), filename="bot.py", data=source.encode(), variants=variants
    )


def look_at_the_machine_anew():
    """Forget which isolation this process has settled on."""
    programs._requested.cache_clear()
    programs._level.cache_clear()


def admit(**upload):
    """Upload a version and take it through its checklist with real processes."""
    version = make_upload(**upload)
    validate(version_pk=version.pk)
    version.refresh_from_db()
    return version


def make_ready(bot=None, variants=DUELS):
    """Return a version that is on its ladders, without running it.

    That of a new bot is written as what its upload and its checks leave, which takes fewer queries.
    """
    if bot is None:
        return write_ready([_new_bot()], variants)[0]
    version = make_upload(bot, variants=variants)
    lease = claim(version)
    leases.renew(lease=lease, digest=f"{next(_numbers):064x}")
    versions.accept(lease=lease)
    version.refresh_from_db()
    return version


def make_many_ready(count, variants=DUELS):
    """Return the versions of so many new bots, each of a new owner, on their ladders."""
    return write_ready([_new_bot() for _ in range(count)], variants)


def _new_bot():
    name = f"bot{next(_numbers)}"
    return Bot(owner=_user(f"user{next(_numbers)}"), slug=name, name=name)


def write_ready(bots, variants=DUELS):
    """Write and return the first versions of bots, and the rows of bots that have none yet."""
    now, data = timezone.now(), RANDOM_BOT.encode()
    new = [bot for bot in bots if bot.pk is None]
    User.objects.bulk_create(bot.owner for bot in new)
    for bot in new:
        bot.owner = bot.owner  # takes its key
    Bot.objects.bulk_create(new)
    made = Version.objects.bulk_create(
        Version(
            bot=bot,
            number=1,
            status=VersionStatus.READY,
            attempt=1,
            filename="bot.py",
            size_bytes=len(data),
            language="python",
            digest=f"{next(_numbers):064x}",
            variants=list(variants),
            **dict.fromkeys(("queued_at", "sent_at", "taken_at", "left_at"), now),
        )
        for bot in bots
    )
    VersionArchive.objects.bulk_create(VersionArchive(version=row, data=data) for row in made)
    opened = ladders.open_to(version=made[0])
    Entrant.objects.bulk_create(
        Entrant(ladder=ladder, bot=row.bot, version=row) for row in made for ladder in opened
    )
    for row in made:
        row.bot.active_version = row
    Bot.objects.bulk_update(bots, ["active_version"])
    passed = {
        CheckStep.RECEIVED: f"bot.py, {len(data)} bytes.",
        CheckStep.READY: lists.all_of(ladder.name for ladder in opened),
    }
    VersionCheck.objects.bulk_create(
        VersionCheck(
            version=row,
            step=step,
            position=position,
            state=CheckState.PASSED if step in passed else CheckState.WAITING,
            message=passed.get(step, ""),
        )
        for row in made
        for position, step in enumerate(CheckStep)
        if step != CheckStep.BUILT
    )
    for row in made:
        row.refresh_from_db()
    return made


def make_ready_with(bot=None, source=RANDOM_BOT, variants=DUELS):
    """Return a version that is on its ladders and can be run, without having checked it."""
    version = make_ready(bot, variants)
    digest = unpacking.unpack(source.encode(), "bot.py").digest
    Version.objects.filter(pk=version.pk).update(digest=digest)
    VersionArchive.objects.filter(version=version).update(data=source.encode())
    version.refresh_from_db()
    return version


def get_ladder(slug="classic"):
    return Ladder.objects.get(slug=slug)


def analyze():
    """Gather the statistics of the product's tables, for the plans of the database.

    PostgreSQL shares some of its own tables between all databases, and ANALYZE would lock them
    until the transaction of the test ends.
    """
    with connection.cursor() as cursor:
        for table in connection.introspection.django_table_names(only_existing=True):
            cursor.execute(f"ANALYZE {table}")


def shorten_games(plies):
    """End games after so many plies on every ladder whose rules have such an option."""
    for ladder in Ladder.objects.all():
        if "max_plies" in registry.find(ladder.variant).options:
            ladder.options = {"max_plies": plies}
            ladder.save(update_fields=["options"])


def seat_from_home(*, user, bot, ladder):
    """Ask for a game of a program of the user, at home, as red."""
    return person_games.ask(
        by=user, address="home", bot=bot, ladder=get_ladder(ladder), side="red", is_remote=True
    )


def claim(row) -> Lease:
    """Take a waiting match or version; it must be free."""
    if isinstance(row, Match):
        lease = lifecycle.claim(match_pk=row.pk)
    else:
        lease = versions.claim(version_pk=row.pk)
    assert lease is not None
    return lease


def make_match(*versions, ladder=None):
    """Queue a match of these versions; without any, of two new ones."""
    return lifecycle.create_match(
        ladder=ladder or get_ladder(), versions=versions or [make_ready(), make_ready()]
    )


def make_begun_match(*versions, ladder=None):
    """Queue a match that a runner has taken, so that everybody may see who plays it."""
    match = make_match(*versions, ladder=ladder)
    claim(match)
    match.refresh_from_db()
    return match


def operator(**columns):
    """Return an operator who may see everything, without a row."""
    return User(username="operator", is_staff=True, is_superuser=True, **columns)


def report_slots(slots, *, at=None, runner="runner@host", in_trouble=False):
    """Create the report of a runner with so many slots, made now or at another time."""
    return RunnerFigures.objects.create(
        runner=runner,
        reported_at=at or timezone.now(),
        slots=slots,
        busy=0,
        clock_skew_s=0.0,
        in_trouble=in_trouble,
    )


def play_match(*, match_pk):
    """Claim the match, play and finish it. Return False if it could not be claimed or finished."""
    with as_runner():
        lease = lifecycle.claim(match_pk=match_pk)
        return lease is not None and play.play(lease=lease, bot_clock_s={})


def validate(*, version_pk):
    """Claim the version and run its checks. Return whether it became ready."""
    with as_runner():
        lease = versions.claim(version_pk=version_pk)
        return lease is not None and validation.check(lease=lease, random=Random(1))


def play_out(match, outcomes):
    """Finish a match with these points of entrant 0, one number per game."""
    lease = claim(match)
    for game, points in zip(match.games.order_by("number"), outcomes, strict=True):
        lifecycle.begin_game(lease=lease, game=game)
        store(lease, game, points)
    with as_runner():
        finished = finishing.finish(lease=lease)
    number_finished(match.ladder)
    return finished


def play_duel(first, second, *points, ladder="classic"):
    """Return a match that ended with these points of the first version, game by game."""
    match = make_match(first, second, ladder=get_ladder(ladder))
    play_out(match, points)
    return Match.objects.get(pk=match.pk)


def number_finished(ladder):
    """Assign finish numbers to the finished matches of a ladder, as the next fit would."""
    with transaction.atomic():
        rating_events.locked(ladder=ladder)


def store(lease, game, points):
    """Store a game of a duel with these points of entrant 0."""
    seat_of = {position: seat for seat, position in game.seats.items()}
    store_outcome(lease, game, {seat_of[0]: points, seat_of[1]: 1 - points})


def store_outcome(lease, game, outcome, fault="", resigned=""):
    """Store a game with these points of the sides, and the seat that forfeited or resigned."""
    played = PlayedGame(
        record_json="{}",
        outcome=outcome,
        termination="crash" if fault else "resigned" if resigned else "flag_captured",
        fault=fault,
        detail=resigned and f"{resigned} resigned",
        plies=12,
        duration_ms=34,
        isolation="process",
        logs={seat: f"{seat} of {position}" for seat, position in game.seats.items()},
    )
    lifecycle.store_game(lease=lease, game=game, played=played)


def make_evidence(game, seat, **columns):
    """Keep what made the bot in a seat forfeit: asked for its view, it said no text at all."""
    kept = {
        "request": f"the view of {seat}\n".encode(),
        "received": b"\xff<script>",
        "charged_ms": 1.5,
        "allowance_ms": 5000.0,
        "wall_ms": 2.5,
    }
    return GameEvidence.objects.create(
        game=game, seat=seat, position=game.seats[seat], **{**kept, **columns}
    )


def finish_with(match, *results):
    """Finish a match with what `store_outcome` takes for each game; return the lease it had."""
    lease = claim(match)
    for game, result in zip(match.games.order_by("number"), results, strict=True):
        lifecycle.begin_game(lease=lease, game=game)
        store_outcome(lease, game, *result)
    with as_runner():
        assert finishing.finish(lease=lease)
    number_finished(match.ladder)
    return lease


def forfeit_all(match, position):
    """Finish a match of a duel in which one entrant loses every game by its own fault."""
    games = match.games.order_by("number")
    seats = [next(seat for seat, at in game.seats.items() if at == position) for game in games]
    outcomes = [{"red": float(seat == "blue"), "blue": float(seat == "red")} for seat in seats]
    finish_with(match, *zip(outcomes, seats, strict=True))


def end_season(*, ladder, by=None):
    """End the open season of a ladder, with its archive. Return it."""
    season = seasons.end(ladder=ladder, by=by)
    seasons.archive(season=season)
    return season
