"""Lists of bots that organizers enter at once: all of them or none.

Callers have locked the tournament.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from arena.domain.errors import InvalidInput, Refused
from arena.domain.tournaments import changes, log, messages
from arena.domain.tournaments.entry import admission, sheets
from arena.domain.tournaments.entry.sheets import Complaints, SheetLine
from arena.models import (
    Bot,
    Tournament,
    TournamentEntrant,
    TournamentEntrantStatus,
    User,
    Version,
)

IN = TournamentEntrantStatus.ENTERED
_SAID_NO = (TournamentEntrantStatus.DECLINED, *TournamentEntrant.GONE)
_BATCH = 200  # bots per query


def take(*, tournament: Tournament, by: User, text: str | bytes) -> list[TournamentEntrant]:
    """Enter the bots of a list. Return their entrants in its order. Raise InvalidInput."""
    complaints = Complaints()
    lines = sheets.read(text=text, complaints=complaints)
    bots = _bots(lines)
    inside = {
        entrant.bot_id: entrant
        for entrant in tournament.entrants.select_related("tournament", "bot__owner")
    }
    chosen = {
        line.number: _check(tournament, line, bots.get(line.name), inside, complaints)
        for line in lines
    }
    found = [bots[line.name] for line in lines if line.name in bots]
    _check_seeds(lines, bots, inside, complaints)
    _check_owners(tournament, lines, bots, inside, complaints)
    complaints.raise_any()
    _check_places(tournament, found, inside)
    listed = [(line, bots[line.name], chosen[line.number]) for line in lines]
    entrants = _put_all(tournament, by, listed)
    _note(tournament, by, entrants, inside)
    return entrants


def _bots(lines: Sequence[SheetLine]) -> dict[str, Bot]:
    found: dict[str, Bot] = {}
    for first in range(0, len(lines), _BATCH):
        wanted = Q()
        for line in lines[first : first + _BATCH]:
            wanted |= Q(owner__username=line.owner, slug=line.bot)
        rows = Bot.objects.filter(wanted).select_related("owner", "active_version__bot")
        found |= {str(bot): bot for bot in rows}
    return found


def _check(
    tournament: Tournament,
    line: SheetLine,
    bot: Bot | None,
    inside: Mapping[int, TournamentEntrant],
    complaints: Complaints,
) -> Version | None:
    """Add the errors of a line to the complaints. Return the version that the line chooses."""
    if bot is None:
        said = _("There is no bot %(bot)s. Write owner/bot, as on the page of the bot.")
        complaints.add(line.number, said % {"bot": line.name[:80]})
        return None
    chosen = None
    if line.version is not None:
        chosen = bot.versions.select_related("bot__owner").filter(number=line.version).first()
        if chosen is None:
            said = _("%(bot)s has no version %(number)d. Its page lists its versions.")
            complaints.add(line.number, said % {"bot": bot, "number": line.version})
            return None
    if bot.pk in inside and inside[bot.pk].status in _SAID_NO:
        said = _("The owner of %(bot)s declined or left. Only the owner can enter it again.")
        complaints.add(line.number, said % {"bot": bot})
    try:
        admission.require_able(tournament=tournament, bot=bot, chosen=chosen)
    except Refused as exc:
        complaints.add(line.number, exc.message)
    return chosen


def _check_seeds(
    lines: Sequence[SheetLine],
    bots: Mapping[str, Bot],
    inside: Mapping[int, TournamentEntrant],
    complaints: Complaints,
) -> None:
    """Add complaints about seeds that belong to entrants outside the list."""
    listed = {bots[line.name].pk for line in lines if line.name in bots}
    taken = {
        entrant.seed: entrant.bot
        for pk, entrant in inside.items()
        if pk not in listed and entrant.seed is not None
    }
    for line in lines:
        if line.seed in taken:
            said = _("%(bot)s has seed %(seed)d already. Choose another one.")
            names = {"seed": line.seed, "bot": taken[line.seed]}
            complaints.add(line.number, said % names)


def _check_owners(
    tournament: Tournament,
    lines: Sequence[SheetLine],
    bots: Mapping[str, Bot],
    inside: Mapping[int, TournamentEntrant],
    complaints: Complaints,
) -> None:
    """Add a complaint about every line that exceeds the maximum of its owner."""
    most = tournament.max_per_owner
    if most is None:
        return
    has: dict[int, int] = {}
    for entrant in inside.values():
        if entrant.status == IN:
            has[entrant.bot.owner_id] = has.get(entrant.bot.owner_id, 0) + 1
    for line in lines:
        bot = bots.get(line.name)
        if bot is None or _is_in(bot, inside):
            continue
        has[bot.owner_id] = has.get(bot.owner_id, 0) + 1
        if has[bot.owner_id] > most:
            said = _("An owner may enter %(most)d, and %(owner)s has as many. Remove the line.")
            complaints.add(line.number, said % {"most": most, "owner": bot.owner})


def _check_places(
    tournament: Tournament, bots: Sequence[Bot], inside: Mapping[int, TournamentEntrant]
) -> None:
    there = sum(entrant.status == IN for entrant in inside.values())
    new = sum(not _is_in(bot, inside) for bot in bots)
    if there + new > tournament.max_entrants:
        said = _(
            "With this list it would have %(would)d entrants, and it has places for %(most)d. "
            "Shorten the list, or allow more entrants."
        )
        numbers = {"would": there + new, "most": tournament.max_entrants}
        raise InvalidInput({sheets.FIELD: [said % numbers]})


def _is_in(bot: Bot, inside: Mapping[int, TournamentEntrant]) -> bool:
    entrant = inside.get(bot.pk)
    return entrant is not None and entrant.status == IN


def _put_all(
    tournament: Tournament,
    by: User,
    lines: Sequence[tuple[SheetLine, Bot, Version | None]],
) -> list[TournamentEntrant]:
    # Clear the seeds first, so that no two rows ever have the same seed.
    tournament.entrants.filter(bot__in=[bot for _line, bot, _chosen in lines]).update(seed=None)
    entrants = []
    for line, bot, chosen in lines:
        entrant = admission.put_in(tournament=tournament, bot=bot, by=by, version=chosen)
        entrant.seed, entrant.bot = line.seed, bot  # loaded with its owner
        entrants.append(entrant)
    TournamentEntrant.objects.bulk_update(entrants, ["seed"])
    return entrants


def _note(
    tournament: Tournament,
    by: User,
    entrants: Sequence[TournamentEntrant],
    inside: Mapping[int, TournamentEntrant],
) -> None:
    """Write the changes into the log, and tell the owners of new or changed entrants.

    A list that changes nothing writes nothing.
    """
    new = [entrant.pk for entrant in entrants if not _is_in(entrant.bot, inside)]
    changed = [
        entrant.pk
        for entrant in entrants
        if _is_in(entrant.bot, inside)
        and _version_and_seed(entrant) != _version_and_seed(inside[entrant.bot_id])
    ]
    if not new and not changed:
        return
    changes.bump(tournament=tournament)
    log.write(tournament=tournament, action="took_list", by=by, entrants=new, changed=changed)
    for entrant in entrants:
        version, seed = entrant.version, entrant.seed
        names: dict[str, Any] = {}
        if entrant.pk in new:
            slugs = ["entered"]
        elif entrant.pk in changed:
            slugs = [
                "list_changed",
                "list_version:one" if version else "list_version:active",
                "list_seed:one" if seed else "list_seed:none",
                "may_choose",
            ]
            names = {"version": version.number if version else None, "seed": seed}
        else:
            continue
        messages.tell_owner(tournament=tournament, bot=entrant.bot, slugs=slugs, by=by, **names)


def _version_and_seed(entrant: TournamentEntrant) -> tuple[int | None, int | None]:
    return entrant.version_id, entrant.seed
