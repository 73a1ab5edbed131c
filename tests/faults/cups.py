"""The tournaments of the suite: bots that always play the same game the same way, entered at once.

They come in without their checks: those are not what is tried here.
"""

from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from arena.domain.formats import catalogue
from arena.domain.tournaments import stages
from arena.models import (
    Bot,
    Ladder,
    Tournament,
    TournamentEntrant,
    TournamentStatus,
    User,
    Version,
    VersionArchive,
    VersionStatus,
)
from engine import registry
from engine.variant import Variant
from sandbox.uploads.unpacking import unpack
from tests.tree import ROOT

BOT = ROOT / "tests/faults/cupbot/bot.py"
PLIES = 60  # some games are drawn, most are not
SLUG = "faults"
# Time is not what is tried here: only who is blamed for it.
CLOCK = {"startup_ms": 120_000, "bank_ms": 600_000, "action_ms": 120_000}


@dataclass(frozen=True)
class Plan:
    """What is played. `entrants` have numbers from 1 on, which are their seeds too."""

    format: str
    entrants: int
    options: dict[str, Any] = field(default_factory=dict)

    def of(self, *, entrants: int | None, rounds: int | None) -> "Plan":
        """Return the same with another size."""
        options = {**self.options, **({"rounds": rounds} if rounds else {})}
        return replace(self, entrants=entrants or self.entrants, options=options)


PLANS = {
    "swiss": Plan("swiss", 9, {"rounds": 5}),  # odd: somebody has a bye in every round
    "round_robin": Plan("round_robin", 7),
    "groups_playoff": Plan("groups_playoff", 8, {"groups": 2}),
}


def plan(slug: str) -> Plan:
    """Return what is played of a format."""
    return PLANS.get(slug, Plan(slug, 6))


def smallest() -> str:
    """Return the duel on the smallest board: its games are short, and most are won."""

    def cells(variant: Variant[Any]) -> int:
        state = variant.begin(registry.resolve_options(variant, {}), 0)
        return len(variant.scene(variant.view(state, variant.seats[0])).cells)

    duels = (each for each in registry.variants().values() if "max_plies" in each.options)
    return min((each for each in duels if len(each.seats) == len(each.sides)), key=cells).slug


def enter(plan: Plan, seed: int) -> Tournament:
    """Make the tournament with its entrants, and start it. All its chance follows from `seed`."""
    ladder = Ladder.objects.get(slug=smallest())
    ladder.options = {"max_plies": PLIES}
    for name, value in CLOCK.items():
        setattr(ladder, name, value)
    ladder.save()
    organizer = User.objects.create(username="organizer")
    cup = Tournament.objects.create(
        slug=SLUG,
        name="Cup of the faults",
        ladder=ladder,
        created_by=organizer,
        format=plan.format,
        format_options=plan.options,
        tie_breaks=list(catalogue.find(plan.format).tie_breaks),
        secret=sha256(str(seed).encode()).hexdigest(),
        max_entrants=max(2, plan.entrants),
        status=TournamentStatus.REGISTRATION,
    )
    cup.organizers.add(organizer)
    for number in range(1, plan.entrants + 1):
        _enter(cup, number)
    stages.freeze(tournament=cup, by=None)
    stages.start(tournament=cup, by=None)
    return cup


def _enter(cup: Tournament, number: int) -> None:
    owner = User.objects.create(username=f"owner{number}")
    bot = Bot.objects.create(owner=owner, name=f"Dicer {number}", slug=f"dicer-{number}")
    data = source_of(number).encode()
    version = Version.objects.create(
        bot=bot,
        number=1,
        digest=unpack(data, "bot.py").digest,
        filename="bot.py",
        size_bytes=len(data),
        language="python",
        variants=[cup.ladder.variant_slug],
        status=VersionStatus.READY,
    )
    VersionArchive.objects.create(version=version, data=data)
    bot.active_version = version
    bot.save(update_fields=["active_version"])
    TournamentEntrant.objects.create(tournament=cup, bot=bot, seed=number, entered_by=owner)


def source_of(number: int) -> str:
    """Return the program of a bot: the one program with a number of its own."""
    source = Path(BOT).read_text()
    assert "\nNUMBER = 0\n" in source
    return source.replace("\nNUMBER = 0\n", f"\nNUMBER = {number}\n")
