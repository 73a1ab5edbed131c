"""One run: bots play on a site, everything under it is killed, it comes to rest and is judged."""

import io
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace

import httpx2
from django.db import connection
from django.db.utils import Error as DatabaseError
from rich.console import Console

from arena.embedded.supervise import ServiceProgram
from arena.models import Ladder
from tests.faults import verdict
from tests.faults.chaos import Chaos, Wish
from tests.faults.keeper import Keeper
from tests.faults.site import Site
from tests.faults.verdict import Tally
from tests.faults.visitor import PAGES, Excuses, Visitor
from tests.sandbox.attack.private_engine import PrivateEngine
from tests.tree import ROOT
from tools.demo import play as demo
from tools.demo.api import Account, Api
from tools.demo.refusal import DemoFailed

BOT = ROOT / "tests/faults/bot"
OWNERS = ("ann", "bob", "cem")
LADDERS = ("classic", "general")
PLIES = 40
LOOK_S = 0.1
READY_S = 180.0  # a busy machine
REAPED_S = 180.0
GATE_OPEN = (
    b"runner_ready"  # what a runner logs once it has cleared up and seen all guarantees hold
)
ROWS_EVERY_S = 1.0
FIRST_DECK_S = 900.0  # until everything has been struck once, on a busy machine
TOO_LATE = (b"] lease_lost", b"] late_result_ignored")
# Time is not what is tried here: only who is blamed for it.
CLOCK = {"startup_ms": 120_000, "bank_ms": 600_000, "action_ms": 120_000}


@dataclass
class Report:
    """What came of it. `complaints` is empty where all is as it should be."""

    struck: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    tally: Tally | None = None
    refused: int = 0  # results and signs of life of runners that had lost their leases
    facts: dict[str, float] = field(default_factory=dict)  # of a tournament
    complaints: list[str] = field(default_factory=list)

    def figures(self) -> str:
        """Sum up in one line."""
        finished = self.tally.finished if self.tally else 0
        struck, complaints = self.struck.total(), len(self.complaints)
        return f"{struck} blows, {finished} matches finished, {complaints} complaints"

    def as_table(self) -> str:
        """Draw what was done, and what came of it."""
        rows: list[tuple[str, float]] = [*self.struck.most_common()]
        rows += [("all blows", self.struck.total())]
        rows += asdict(self.tally).items() if self.tally else []
        rows += [("refused, too late", self.refused)]
        rows += [(f"answers: {kind}", n) for kind, n in self.answers.most_common()]
        rows += self.facts.items()
        return "\n".join(f"{name:22} {n:>6g}" for name, n in rows)


class Play:
    """A site with its keeper, from the first upload to the verdict."""

    pages: Sequence[str] = PAGES  # which a visitor looks at meanwhile

    def __init__(self, site: Site, keeper: Keeper, engine: PrivateEngine | None) -> None:
        self._site = site
        self._keeper = keeper
        self._engine = engine
        self._said = Console(file=io.StringIO())
        self._stage = demo.Stage(site.url, self._said, keeper.check)
        house = demo.House.read(BOT)
        self._houses = {owner: replace(house, slug=f"bot-of-{owner}") for owner in OWNERS}

    def run(self, wish: Wish) -> Report:
        """Play the whole piece; raise DemoFailed where the site does not even begin."""
        report = Report()
        for program in self._site.programs:
            self._keeper.start(program)
        self._enter_bots()
        excuses = Excuses(self._keeper.started_s)
        chaos = Chaos(wish, self._keeper, excuses, self._engine)
        with Visitor(self._site.url, excuses, self.pages) as visitor:
            self._strike(chaos, wish.kill_s)
            chaos.end()
            self._close_ladders()
            self._rest(wish.rest_s)
        report.struck, report.answers = chaos.struck, visitor.counts
        report.complaints += visitor.complaints
        self._judge(report)
        return report

    def _enter_bots(self) -> None:
        for ladder in Ladder.objects.filter(slug__in=LADDERS):
            ladder.options = {"max_plies": PLIES}
            for name, value in CLOCK.items():
                setattr(ladder, name, value)
            ladder.save()
        connection.close()
        entered = [
            demo.enter(self._stage, house, Account(owner, f"{owner} of the faults"))
            for owner, house in self._houses.items()
        ]
        demo.wait_until_validated(self._stage, entered)

    def _strike(self, chaos: Chaos, kill_s: float) -> None:
        """Kill, and on the way upload a second version of every bot, however often that takes."""
        began_s = time.monotonic()
        owners = list(OWNERS)
        while (played_s := time.monotonic() - began_s) < kill_s or (
            kill_s > 0 and chaos.decks < 1 and played_s < FIRST_DECK_S
        ):
            self._keeper.check()
            chaos.go_on()
            if owners and played_s > kill_s / 4 and self._upload(owners[-1]):
                owners.pop()
            time.sleep(LOOK_S)

    def _upload(self, owner: str) -> bool:
        """Upload one more version; False where the site was away, though it may have come in."""
        try:
            with Api(self._site.url) as api:
                api.sign_in(Account(owner, f"{owner} of the faults"))
                api.upload(owner, self._houses[owner].slug, self._houses[owner].data)
        except (httpx2.TransportError, DemoFailed):
            return False
        return True

    def _close_ladders(self) -> None:
        """Let no further match be made: what is open is to end."""
        while True:
            self._keeper.check()  # the last blow may have been at the database
            try:
                Ladder.objects.update(is_open=False)
            except DatabaseError:
                time.sleep(LOOK_S)
            else:
                return
            finally:
                connection.close()

    def _rest(self, rest_s: float) -> None:
        """Wait until nothing is open and nothing being checked; the verdict says if that failed."""

        def at_rest() -> bool:
            try:
                return next(verdict.unfinished(), None) is None
            except DatabaseError:
                return False
            finally:
                connection.close()

        self._keeper.until(at_rest, within_s=rest_s, every_s=ROWS_EVERY_S)

    def _judge(self, report: Report) -> None:
        report.tally = verdict.tally()
        report.refused = sum(self._count(word) for word in TOO_LATE)
        report.complaints += [f"{name}: {n}" for name, n in report.tally.defects.items()]
        report.complaints += list(verdict.unfinished())
        if swept := verdict.swept():
            report.complaints.append(f"the sweeper found {swept}")
        if said := verdict.rerate(self._site.environment):
            report.complaints.append(f"rerate --check: {said}")
        report.complaints += self._leftovers()

    def _leftovers(self) -> list[str]:
        """End all, let a last start clear what the killed ones left, end that: nothing remains."""
        self._keeper.stop(*(each.name for each in reversed(self._site.programs)))
        began = [(each, each.log.stat().st_size) for each in self._site.runners]
        for program in self._site.sandboxed:
            self._keeper.start(program)
        self._keeper.until(
            lambda: all(GATE_OPEN in _logged(*each) for each in began), within_s=REAPED_S
        )
        self._keeper.stop(*(each.name for each in reversed(self._site.sandboxed)))
        docker = self._engine is not None
        found = {str(place): verdict.left(place, docker=docker) for place in self._site.run_dirs()}
        return [f"left in {place}: {what}" for place, what in found.items() if what]

    def _count(self, word: bytes) -> int:
        return sum(each.log.read_bytes().count(word) for each in self._site.runners)


def _logged(program: ServiceProgram, offset: int) -> bytes:
    with program.log.open("rb") as log:
        log.seek(offset)
        return log.read()
