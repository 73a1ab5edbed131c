"""One run on three hosts: each is struck in its way while bots play, and it is judged."""

from collections import Counter
from collections.abc import Callable

from django.conf import settings
from django.db import connection
from django.db.utils import Error as DatabaseError

from arena.domain.matches import record_compression
from arena.models import GameRecord, Match, MatchStatus
from engine.record import Record
from engine.signature import key_id, public_half
from tests.faults.chaos import Chaos
from tests.faults.keeper import Keeper
from tests.faults.networks import AHEAD_S, CUT_OFF, LOST_ENGINE, WRONG_CLOCK, Network
from tests.faults.play import ROWS_EVERY_S, Play, Report
from tests.faults.site import Site
from tests.sandbox.attack.private_engine import PrivateEngine

STRUCK_S = 900.0  # until what was struck has been played by others, on a busy machine
WAITS = f"the clock of this host is {AHEAD_S} s ahead of the database's".encode()


class HostPlay(Play):
    """A site whose matches are played by three hosts, of which two can play."""

    def __init__(self, site: Site, keeper: Keeper, engine: PrivateEngine, network: Network) -> None:
        super().__init__(site, keeper, engine)
        self._network = network
        self._lost = engine
        self._held: set[int] = set()  # the matches that were being played when somebody was struck
        self._missed: list[str] = []

    def _strike(self, chaos: Chaos, kill_s: float) -> None:
        """Strike every host once; go on until others have played what the struck ones had."""
        del kill_s
        self._wait(
            "the host with the wrong clock says why it waits",
            lambda: self._count_of(WRONG_CLOCK, WAITS) > 0,
        )
        held = self._both_play()
        self._network.cut(CUT_OFF)
        chaos.struck[f"{CUT_OFF} cut off"] += 1
        self._wait("others end the match of a host that is cut off", lambda: _over(held))
        self._network.join(CUT_OFF)

        held = self._both_play()
        self._lost.kill()
        chaos.struck[f"engine of {LOST_ENGINE} killed"] += 1
        self._wait("others end the match of a host without its engine", lambda: _over(held))
        self._lost.start()
        self._both_play()

    def _both_play(self) -> set[int]:
        """Return the matches of the two hosts that can play, when each has one."""
        self._wait("two matches are being played", lambda: len(_playing()) >= 2)
        held = _playing()
        self._held |= held
        return held

    def _wait(self, what: str, condition: Callable[[], bool]) -> None:
        def holds() -> bool:
            try:
                return condition()
            except DatabaseError:
                return False
            finally:
                connection.close()

        if not self._keeper.until(holds, within_s=STRUCK_S, every_s=ROWS_EVERY_S):
            self._missed.append(f"it never came that {what}")

    def _judge(self, report: Report) -> None:
        played = self._played()
        super()._judge(report)
        report.complaints += self._missed
        if report.tally and report.tally.failed:
            report.complaints.append(f"failed: {report.tally.failed}")
        again = set(Match.objects.filter(attempt__gt=1).values_list("pk", flat=True))
        if others := again - self._held:
            report.complaints.append(f"claimed twice though nobody was struck: {others}")
        if played[WRONG_CLOCK]:
            report.complaints.append(f"a host played with a wrong clock: {played[WRONG_CLOCK]}")
        if not played[CUT_OFF] or not played[LOST_ENGINE]:
            report.complaints.append("a host that could play played nothing")
        report.facts |= {f"games of {name}": played[name] for name in self._site.names}
        report.facts["claims"] = sum(Match.objects.values_list("attempt", flat=True))

    def _played(self) -> Counter[str]:
        """Count the games of finished matches by host: each signs with a key of its own."""
        hosts = {
            key_id(public_half(file.read_text().strip())): name
            for name in self._site.names
            if (file := self._site.folder / name / "data" / settings.RECORD_KEY_FILE.name).exists()
        }
        blobs = GameRecord.objects.filter(game__match__status=MatchStatus.FINISHED)
        signed = (
            Record.from_json(record_compression.unpacked(blob=bytes(blob))).signature
            for blob in blobs.values_list("blob", flat=True)
        )
        return Counter(hosts[each.key] for each in signed if each)

    def _count_of(self, name: str, word: bytes) -> int:
        (log,) = (each.log for each in self._site.runners if each.name == name)
        return log.read_bytes().count(word)


def _playing() -> set[int]:
    return set(Match.objects.filter(status=MatchStatus.RUNNING).values_list("pk", flat=True))


def _over(held: set[int]) -> bool:
    return not Match.objects.filter(pk__in=held, status__in=Match.OPEN).exists()
