"""Lists of bots that organizers enter at once: all of them or none.

Callers have locked the tournament.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from arena.domain import addresses
from arena.domain.errors import InvalidInput, Refused
from arena.domain.tournaments import changes, log, messages
from arena.domain.tournaments.entry import admission, entry_lists
from arena.domain.tournaments.entry.entry_lists import Complaints, EntryLine
from arena.models import Bot, Tournament, TournamentEntrant, TournamentEntrantStatus, User, Version

IN = TournamentEntrantStatus.ENTERED
_SAID_NO = (TournamentEntrantStatus.DECLINED, *TournamentEntrant.GONE)
_BATCH = 200  # bots per query


def take(*, tournament: Tournament, by: User, text: str | bytes) -> list[TournamentEntrant]:
    """Enter the bots of a list. Return their entrants in its order. Raise InvalidInput."""
    roster = _Roster(tournament, text)
    versions = roster.check()
    # Clear the seeds first, so that no two rows ever have the same seed.
    tournament.entrants.filter(bot__in=list(roster.bots.values())).update(seed=None)
    entrants = []
    for line, version in zip(roster.lines, versions, strict=True):
        bot = roster.bots[line.name]
        entrant = admission.put_in(tournament=tournament, bot=bot, by=by, version=version)
        entrant.seed, entrant.bot = line.seed, bot  # loaded with its owner
        entrants.append(entrant)
    TournamentEntrant.objects.bulk_update(entrants, ["seed"])
    roster.note(by, entrants)
    return entrants


class _Roster:
    """A list of bots, by name, and the entrants before it, by bot. `entered` are those then in."""

    def __init__(self, tournament: Tournament, text: str | bytes) -> None:
        self.tournament = tournament
        self.complaints = Complaints()
        self.lines = entry_lists.read(text=text, complaints=self.complaints)
        self.bots: dict[str, Bot] = {}
        for first in range(0, len(self.lines), _BATCH):
            wanted = Q()
            for line in self.lines[first : first + _BATCH]:
                wanted |= Q(owner__username=line.owner, slug=line.bot)
            rows = Bot.objects.filter(wanted).select_related("owner", "active_version__bot")
            self.bots |= {str(bot): bot for bot in rows}
        known = tournament.entrants.select_related("tournament", "bot__owner")
        self.before = {entrant.bot_id: entrant for entrant in known}
        self.entered = {pk: entrant for pk, entrant in self.before.items() if entrant.status == IN}

    def check(self) -> list[Version | None]:
        """Return the version that each line chooses. Raise InvalidInput with all errors."""
        versions = [self._version(line) for line in self.lines]
        # Seeds may belong to entrants outside the list.
        listed = {bot.pk for bot in self.bots.values()}
        taken = {
            entrant.seed: entrant.bot
            for pk, entrant in self.before.items()
            if pk not in listed and entrant.seed is not None
        }
        for line in self.lines:
            if line.seed in taken:
                text = _("%(bot)s has seed %(seed)d already. Choose another one.")
                names = {"seed": line.seed, "bot": taken[line.seed]}
                self.complaints.add(line.number, text % names)
        self._check_owners()
        self.complaints.raise_any()
        would = len(self.entered.keys() | {bot.pk for bot in self.bots.values()})
        if would > self.tournament.max_entrants:
            text = _(
                "With this list it would have %(would)d entrants, and it has places for %(most)d. "
                "Shorten the list, or allow more entrants."
            )
            numbers = {"would": would, "most": self.tournament.max_entrants}
            raise InvalidInput({entry_lists.FIELD: [text % numbers]})
        return versions

    def _version(self, line: EntryLine) -> Version | None:
        """Add the errors of a line to the complaints. Return the version that the line chooses."""
        bot = self.bots.get(line.name)
        if bot is None:
            self.complaints.add(line.number, addresses.no_bot(line.name))
            return None
        chosen = None
        if line.version is not None:
            try:
                chosen = addresses.find_version(bot, line.version)
            except Refused as refusal:
                self.complaints.add(line.number, refusal.message)
                return None
        if bot.pk in self.before and self.before[bot.pk].status in _SAID_NO:
            text = _("The owner of %(bot)s declined or left. Only the owner can enter it again.")
            self.complaints.add(line.number, text % {"bot": bot})
        try:
            admission.require_able(tournament=self.tournament, bot=bot, chosen=chosen)
        except Refused as exc:
            self.complaints.add(line.number, exc.message)
        return chosen

    def _check_owners(self) -> None:
        """Add a complaint about every line that exceeds the maximum of its owner."""
        most = self.tournament.max_per_owner
        if most is None:
            return
        has = Counter(entrant.bot.owner_id for entrant in self.entered.values())
        for line in self.lines:
            bot = self.bots.get(line.name)
            if bot is None or bot.pk in self.entered:
                continue
            has[bot.owner_id] += 1
            if has[bot.owner_id] > most:
                text = _("An owner may enter %(most)d, and %(owner)s has as many. Remove the line.")
                self.complaints.add(line.number, text % {"most": most, "owner": bot.owner})

    def note(self, by: User, entrants: Sequence[TournamentEntrant]) -> None:
        """Write the changes into the log, and tell the owners of new or changed entrants.

        A list that changes nothing writes nothing.
        """
        new, changed = [], []
        for entrant in entrants:
            was = self.entered.get(entrant.bot_id)
            if was is None:
                new.append(entrant.pk)
            elif (was.version_id, was.seed) != (entrant.version_id, entrant.seed):
                changed.append(entrant.pk)
        if not new and not changed:
            return
        changes.bump(tournament=self.tournament)
        log.write(
            tournament=self.tournament, action="took_list", by=by, entrants=new, changed=changed
        )
        for entrant in entrants:
            version, seed = entrant.version, entrant.seed
            slugs = ["entered"]
            names: dict[str, Any] = {}
            if entrant.pk in changed:
                slugs = [
                    "list_changed",
                    "list_version:one" if version else "list_version:active",
                    "list_seed:one" if seed else "list_seed:none",
                    "may_choose",
                ]
                names = {"version": version.number if version else None, "seed": seed}
            if entrant.pk in new or entrant.pk in changed:
                messages.tell_owner(
                    tournament=self.tournament, bot=entrant.bot, slugs=slugs, by=by, **names
                )
