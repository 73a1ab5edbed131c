"""Entering the best bots of a ladder that can play.

Callers have locked the tournament.
"""

from arena.domain.errors import Refused
from arena.domain.tournaments import log, messages
from arena.domain.tournaments.entry import admission
from arena.models import Bot, Entrant, Tournament, TournamentEntrant, TournamentEntrantStatus, User


def fill(*, tournament: Tournament) -> list[TournamentEntrant]:
    """Enter the best bots of the ladder until `top_n` are in. Return the new entrants."""
    inside = tournament.entrants.entered().count()
    wanted = min(tournament.top_n or tournament.max_entrants, tournament.max_entrants)
    return enter_best(tournament=tournament, by=None, best=wanted, most=wanted - inside)


def enter_best(
    *, tournament: Tournament, by: User | None, best: int, most: int
) -> list[TournamentEntrant]:
    """Enter those of the `best` first of the ladder who are not in, up to `most`. Return them.

    Only bots that can play count: the version is ready, neither it nor the bot is paused, the owner
    has a place left, and the bot has not declined or left.
    """
    known = dict(tournament.entrants.values_list("bot", "status"))
    entered: list[TournamentEntrant] = []
    counted = 0
    rows = Entrant.objects.filter(ladder=tournament.ladder_id, active=True)
    loaded = rows.select_related("bot__owner", "bot__active_version__bot")
    for row in loaded.best_first().iterator(chunk_size=200):
        if counted >= best or len(entered) >= most:
            break
        bot = row.bot
        status = known.get(bot.pk, TournamentEntrantStatus.INVITED)
        if status == TournamentEntrantStatus.ENTERED:
            counted += 1
        elif status == TournamentEntrantStatus.INVITED and _is_able(tournament, bot):
            counted += 1
            entered.append(admission.put_in(tournament=tournament, bot=bot, by=by))
            messages.tell_owner(tournament=tournament, bot=bot, slugs=["took_top"])
    if entered:
        ids = [entrant.pk for entrant in entered]
        log.write(tournament=tournament, action="took_top", by=by, n=best, entrants=ids)
    return entered


def _is_able(tournament: Tournament, bot: Bot) -> bool:
    try:
        admission.require_able(tournament=tournament, bot=bot)
        admission.require_place(tournament=tournament, owner=bot.owner)
    except Refused:
        return False
    return True
