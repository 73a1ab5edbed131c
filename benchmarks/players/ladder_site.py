"""The rows and the two ways to play of `ladder`; imported when its settings are made."""

import secrets
import tempfile
import time
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import django

django.setup()

from arena.domain.bots import bots, versions  # noqa: E402 - after the settings
from arena.domain.matches import leases  # noqa: E402 - after the settings
from arena.models import Ladder, Match, MatchStatus, User  # noqa: E402 - likewise
from engine import chance, referee, registry  # noqa: E402 - likewise
from engine.record import PlayerId  # noqa: E402 - likewise
from sandbox.levels import isolation  # noqa: E402 - likewise
from sandbox.table import Admission, open_table  # noqa: E402 - likewise
from sandbox.uploads import unpacking  # noqa: E402 - likewise

START_S = 120.0
LOOK_S = 0.2
GAMES = 2


def fill(*, ladder: str, plies: int, bots: int, source: bytes) -> None:
    """Put so many bots on one ladder, without their checks; no other ladder is open."""
    Ladder.objects.update(is_open=False)
    Ladder.objects.filter(slug=ladder).update(is_open=True, options={"max_plies": plies})
    for number in range(bots):
        _enter(f"user{number}", ladder, source)


def _enter(name: str, variant: str, source: bytes) -> None:
    owner = User.objects.create(username=name)
    bot = bots.create(owner=owner, name=name, slug=name)
    version = bots.submit_version(bot=bot, filename="bot.py", data=source, variants=[variant])
    lease = versions.claim(version_pk=version.pk)
    if lease is None:
        raise RuntimeError("a version that was just uploaded is not there to be claimed")
    digest = unpacking.unpack(source, "bot.py").digest
    leases.renew(lease=lease, digest=digest, language="python", variants=[variant])
    versions.accept(lease=lease)


def matches_a_minute(seconds: float) -> float:
    """Let the workers play for so long; the ladder is open meanwhile, and at rest afterwards."""
    Ladder.objects.filter(options__max_plies__isnull=False).update(is_open=True)
    before = _finished()
    until_s = time.monotonic() + START_S
    while _finished() == before:
        if time.monotonic() > until_s:
            raise SystemExit("no match was finished on the ladder")
        time.sleep(LOOK_S)
    began_s, began = time.monotonic(), _finished()
    time.sleep(seconds)
    pace = (_finished() - began) / (time.monotonic() - began_s) * 60.0
    Ladder.objects.update(is_open=False)
    while Match.objects.filter(status__in=("queued", "leased", "running", "retrying")).exists():
        time.sleep(LOOK_S)
    return pace


def _finished() -> int:
    return Match.objects.filter(status=MatchStatus.FINISHED).count()


def local_matches_a_minute(seconds: float, plies: int, source: bytes, processes: int) -> float:
    """Play the same matches here, in so many processes, with tables and the referee alone."""
    ladder = Ladder.objects.get(options__max_plies=plies)
    play = partial(_matches_a_minute, ladder, source, seconds)
    with get_context("fork").Pool(processes) as pool:
        return sum(pool.map(play, range(processes)))


def _matches_a_minute(ladder: Ladder, source: bytes, seconds: float, _process: int) -> float:
    program = unpacking.unpack(source, "bot.py")
    variant = registry.find(ladder.variant)
    level = isolation.choose("process")
    played = 0
    began_s = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() - began_s < seconds:
            secret = secrets.token_hex(chance.SECRET_BYTES)
            for number in range(GAMES):
                with open_table(
                    isolation=level,
                    seats=dict.fromkeys(variant.seats, program),
                    work_dir=Path(folder),
                    admission=Admission(trust_all=True),
                ) as table:
                    record = referee.play(
                        variant,
                        options=ladder.options,
                        rng_seed=chance.game_seed(secret, game=number, take=1),
                        game=f"local/{number}",
                        players=dict.fromkeys(variant.seats, PlayerId("bot", program.digest)),
                        clock=ladder.clock,
                        table=table,
                        isolation=level.kind,
                    )
                record.to_json()
            played += 1
    return played / (time.monotonic() - began_s) * 60.0
