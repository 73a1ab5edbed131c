"""The pairs of games of a trial.

Most pairs are between the two versions. Every fourth time, both versions play a pair against the
same bot of a small panel, which exposes a version that has only learned to beat its predecessor.
These two matches have the same `trial_pair`, and each has its own chance: a bot of the panel that
remembers the first match would know the second otherwise.
"""

from django.conf import settings
from django.db.models import F, Max
from django.db.models.functions import Abs

from arena.domain.ladders import ladders
from arena.domain.matches import lifecycle
from arena.domain.matches.purposes import Purpose
from arena.domain.ratings import elo
from arena.models import (
    Bot,
    Entrant,
    Ladder,
    MatchKind,
    MatchStatus,
    Version,
    VersionTrial,
    not_banned,
)
from botkit.sprt import GAMES_IN_A_PAIR, PANEL_EVERY, PairCounts

OPEN_MATCHES = 2  # of one trial at a time: enough to continue without delaying others
PANEL_SIZE = 3


def panel(*, ladder: Ladder, bot: Bot) -> list[int]:
    """Return the versions of other bots with ratings nearest to that of the bot."""
    own = Entrant.objects.filter(ladder=ladder, bot=bot).first()
    rating = own.rating if own and own.rating is not None else elo.START
    willing = ladders.willing(ladder=ladder, besides=bot)
    near = willing.order_by(Abs(F("rating") - rating).asc(nulls_last=True), "pk")
    return list(near.values_list("version", flat=True)[:PANEL_SIZE])


def fill(*, trial: VersionTrial) -> bool:
    """Queue matches until the trial has enough open ones. Return False if it has none left.

    A match that failed by the platform's fault counts as used, so that every trial ends.
    """
    matches = list(trial.matches.exclude(status=MatchStatus.CANCELLED))
    waiting = sum(match.is_open for match in matches)
    pairs = len({match.trial_pair for match in matches})
    left = settings.TRIAL_MAX_GAMES // GAMES_IN_A_PAIR - len(matches)
    while waiting < OPEN_MATCHES and left > 0:
        # The next pair, or two pairs against the next panel member that can play now.
        last = trial.matches.aggregate(last=Max("trial_pair"))["last"] or 0
        purpose = Purpose(MatchKind.TRIAL, trial.requested_by, trial, trial_pair=last + 1)
        turn, place = divmod(pairs, PANEL_EVERY)
        both = (trial.version, trial.against)
        meetings = [both]
        if place == PANEL_EVERY - 1:
            able = Version.objects.ready().filter(
                not_banned(user="bot__owner"),
                pk__in=trial.panel,
                paused_at=None,
                bot__is_paused=False,
            )
            if members := list(able.order_by("pk")):
                member = members[turn % len(members)]
                meetings = [(version, member) for version in both]
        for versions in meetings:
            lifecycle.create_match(ladder=trial.ladder, versions=versions, purpose=purpose)
        added = len(meetings)
        pairs, waiting, left = pairs + 1, waiting + added, left - added
    return waiting > 0


def gather(*, trial: VersionTrial) -> PairCounts:
    """Count the finished matches of a trial, except incomplete pairs against the panel."""
    counts = PairCounts()
    panel: dict[int | None, dict[int, float]] = {}  # by pair, the share of each version
    rows = trial.matches.finished().prefetch_related("entrants")
    for match in rows:
        shares = {
            entrant.version_id: (entrant.points or 0.0) / GAMES_IN_A_PAIR
            for entrant in match.entrants.all()
        }
        if {trial.version_id, trial.against_id} == set(shares):
            counts.add_head(shares[trial.version_id])
        else:
            panel.setdefault(match.trial_pair, {}).update(shares)
    for shares in panel.values():
        if {trial.version_id, trial.against_id} <= set(shares):
            counts.add_panel(shares[trial.version_id], shares[trial.against_id])
    return counts
