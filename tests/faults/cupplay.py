"""One run of a tournament: everything under it is killed while it plays itself, and it is judged.

Its final standings are those of the same tournament undisturbed, which is played in this process.
"""

import time
from collections import Counter
from collections.abc import Callable
from random import Random

import httpx2
from django.db import connection
from django.db.utils import Error as DatabaseError

from arena.domain.tournaments import stages
from arena.models import Match, Tournament, TournamentStatus
from tests.faults import cups, cupverdict
from tests.faults.chaos import Chaos, Wish
from tests.faults.cups import Plan
from tests.faults.keeper import Keeper, send
from tests.faults.play import FIRST_DECK_S, LOOK_S, READY_S, ROWS_EVERY_S, Play, Report
from tests.faults.site import Site
from tests.faults.visitor import ALWAYS
from tests.sandbox.attack.private_engine import PrivateEngine

PAGES = ("/", "/queue/", "/tournaments/", f"/tournaments/{cups.SLUG}/", ALWAYS)
STRUCK_BETWEEN = 0.9  # of the moments between two rounds: then a step is being taken
CALM_S = 1.0  # after such a blow
KILL = 9


class CupPlay(Play):
    """A site on which one tournament is played, from its start to the verdict."""

    pages = PAGES

    def __init__(
        self, site: Site, keeper: Keeper, engine: PrivateEngine | None, plan: Plan
    ) -> None:
        super().__init__(site, keeper, engine)
        self._plan = plan
        self._began_s = 0.0
        self._took_s = 0.0
        self._between: Counter[str] = Counter()
        self._resumed = 0

    def run(self, wish: Wish) -> Report:
        self._wish = wish
        return super().run(wish)

    def _enter_bots(self) -> None:
        self._stage.until(self._answers, within_s=READY_S, what="the start of the site")
        cups.enter(self._plan, self._wish.seed)
        connection.close()
        self._began_s = time.monotonic()

    def _answers(self) -> bool:
        return httpx2.get(f"{self._site.url}{ALWAYS}").is_success

    def _strike(self, chaos: Chaos, kill_s: float) -> None:
        """Kill until the time is over, or the tournament: above all between two rounds.

        Where only some blows were asked for, they are all struck, however slow the machine is.
        """
        random = Random(self._wish.seed)
        next_s = 0.0
        while not self._is_over() and (
            (struck_s := time.monotonic() - self._began_s) < kill_s
            or (self._wish.blows and chaos.decks < 1 and struck_s < FIRST_DECK_S)
        ):
            self._keeper.check()
            chaos.go_on()
            if not self._wish.blows and time.monotonic() > next_s and _between_rounds():
                if random.random() < STRUCK_BETWEEN and self._kill_who_directs():
                    self._between["worker between rounds"] += 1
                next_s = time.monotonic() + CALM_S
            time.sleep(LOOK_S)

    def _kill_who_directs(self) -> bool:
        child = self._keeper.child("worker")
        return child is not None and send(child, KILL)

    def _rest(self, rest_s: float) -> None:
        """Wait until it is over, letting it go on where it waits for the organizers."""
        self._keeper.until(self._is_over, within_s=rest_s, every_s=ROWS_EVERY_S)
        self._took_s = time.monotonic() - self._began_s
        super()._rest(rest_s)

    def _is_over(self) -> bool:
        def ask() -> bool:
            cup = Tournament.objects.get(slug=cups.SLUG)
            if cup.status == TournamentStatus.PAUSED:
                stages.resume(tournament=cup, by=None)
                self._resumed += 1
            return cup.status in cupverdict.OVER

        return _known(ask)

    def _judge(self, report: Report) -> None:
        cup = Tournament.objects.get(slug=cups.SLUG)
        report.struck += self._between
        report.complaints += list(cupverdict.complaints(cup))
        facts = {
            "entrants": cup.entrants.count(),
            "rounds": cup.rounds.count(),
            "matches": Match.objects.filter(pairing__isnull=False, reruns=None).count(),
            "resumed": self._resumed,
            "took, seconds": round(self._took_s, 1),
        }
        report.facts.update(facts)
        super()._judge(report)


def _between_rounds() -> bool:
    """Return whether nothing is to be played: a round is over, and the next is not drawn yet."""
    playing = Match.objects.open().filter(pairing__isnull=False)
    return _known(lambda: not playing.exists())


def _known(ask: Callable[[], bool]) -> bool:
    """Ask rows; False while the database is away."""
    try:
        return ask()
    except DatabaseError:
        return False
    finally:
        connection.close()
