"""Who meets whom on a small ladder: matches are made, claimed and finished as on the site."""

from collections import Counter
from heapq import heappop, heappush
from itertools import combinations
from random import Random

import pytest

from arena.domain.matches import leases
from arena.domain.queue import dispatch, matchmaking, scheduling
from arena.models import Entrant, Match, MatchStatus
from tests import factories
from tests.clocks import Clock

pytestmark = pytest.mark.django_db


class Site:
    """Runners that play the matches of one ladder. Each bot thinks at its own speed."""

    def __init__(self, clock, runners, think_s, rng_seed):
        self.clock, self.runners, self.random = clock, runners, Random(rng_seed)
        self.ladder = factories.get_ladder("classic")
        versions = [factories.make_ready(variants=["classic"]) for _ in think_s]
        bots = [version.bot_id for version in versions]
        self.think_s = dict(zip(bots, think_s, strict=True))
        self.busy = []
        self.met: Counter[frozenset[int]] = Counter()
        self.overtaken: list[int] = []
        self.finished = 0

    def play(self, matches):
        while self.finished < matches:
            matchmaking.fill_ladder(ladder=self.ladder)
            while len(self.busy) < self.runners and (lease := dispatch.claim_next()):
                self._begin(lease)
            assert self.busy, "nobody plays"
            self._end()

    def _begin(self, lease):
        match = Match.objects.get(pk=lease.pk)
        bots = list(match.entrants.values_list("version__bot", flat=True))
        younger = Match.objects.filter(queued_at__gt=match.queued_at, taken_at__isnull=False)
        self.overtaken.append(younger.count())
        wall_s = {bot: self.think_s[bot] * self.random.uniform(0.7, 1.4) for bot in bots}
        self.met[frozenset(bots)] += 1
        done_at = self.clock.after(sum(wall_s.values()))
        heappush(self.busy, (done_at, lease.pk, lease, wall_s))

    def _end(self):
        done_at, _pk, lease, wall_s = heappop(self.busy)
        self.clock.now = done_at
        self.finished += 1
        assert leases.leave(
            lease=lease,
            status=MatchStatus.FINISHED,
            finish_number=self.finished,
            finished_at=done_at,
        )
        dispatch.record_job_cost(lease=lease, took_s=sum(wall_s.values()), bot_wall_s=wall_s)


SPEEDS_S = (1.0, 1.2, 5.0, 6.0, 2.0, 3.0)
ROUNDS = 5  # matches of every two bots, on average


@pytest.mark.parametrize("slowness", [1.0, 10.0], ids=["idle host", "slow host"])
@pytest.mark.parametrize(("bots", "runners"), [(4, 2), (6, 3)])
def test_everybody_meets_everybody_equally_often(monkeypatch, settings, bots, runners, slowness):
    """Bots arrive one after the other: at first two, who meet again and again."""
    settings.LEASE_S = 36_000  # nobody renews here
    site = Site(
        Clock(monkeypatch), runners, [slowness * each for each in SPEEDS_S[:bots]], rng_seed=1
    )
    entrants = Entrant.objects.filter(ladder=site.ladder)
    late = list(entrants.order_by("pk").values_list("pk", flat=True))[2:]
    entrants.filter(pk__in=late).update(active=False)
    site.play(4)
    entrants.update(active=True)
    site.met.clear()
    pairs = [frozenset(two) for two in combinations(site.think_s, 2)]

    site.play(4 + ROUNDS * len(pairs))

    assert min(site.met[pair] for pair in pairs) >= ROUNDS // 2
    assert max(site.met.values()) <= 2 * ROUNDS
    assert max(site.overtaken) <= 2 * scheduling.MOST_OVERTAKEN
