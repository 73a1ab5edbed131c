"""Set-ups for persons: those with which good bots of the ladder began a public game."""

from django.utils.translation import gettext as _

from arena.domain import addresses
from arena.domain.errors import Refused
from arena.domain.matches import record_compression
from arena.models import ANYBODY, Game, Ladder, MatchEntrant, MatchStatus
from engine import replay
from engine.errors import BadRecord
from engine.record import Record
from engine.variant import FULL

BOTS = 6
LATEST_MATCHES = 50  # of a bot, are searched for a game in the seat


def bots(*, ladder: Ladder) -> list[str]:
    """Return the bots of a ladder whose set-ups can be taken, the best-rated first."""
    rows = ladder.entrants.able().filter(rating__isnull=False, games__gt=0)
    rows = rows.select_related("bot__owner").order_by("-rating")
    return [str(entrant.bot) for entrant in rows[:BOTS]]


def setup_of(*, bot: str, ladder: Ladder, seat: str) -> str:
    """Return how a bot set up in a seat in its latest public game there. Raise Refused."""
    row = addresses.find_bot(bot)
    versions = list(row.versions.order_by().values_list("pk", flat=True))
    played = MatchEntrant.objects.newest(versions=versions, count=LATEST_MATCHES)
    positions = dict(played.values_list("match", "position"))
    over = Game.objects.visible_to(ANYBODY).filter(
        match__in=positions, match__ladder=ladder, match__status=MatchStatus.FINISHED
    )
    for game in over.select_related("record").order_by("-match_id", "-number"):
        if game.seats[seat] != positions[game.match_id]:
            continue
        try:
            text = record_compression.unpacked(blob=bytes(game.record.blob))
            if codes := replay.set_ups(Record.from_json(text), FULL).get(seat):
                return codes
        except (BadRecord, Game.record.RelatedObjectDoesNotExist):  # read the one before
            continue
    raise Refused("no_setup", _("%(bot)s has not set up there yet.") % {"bot": row})
