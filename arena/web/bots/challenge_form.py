"""The form with which a visitor challenges a bot."""

from typing import Any

from django import forms
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from arena.domain import addresses
from arena.domain.accounts import permissions
from arena.domain.bots import challenges
from arena.models import Bot, Ladder, Match, User

DUEL = 2  # entrants


class ChallengeForm(forms.Form):
    """The visitor's bot, the terms of the match, and the other entrants."""

    bot = forms.ChoiceField(label=_("Your bot"))
    version = forms.IntegerField(
        label=_("Its version"),
        min_value=1,
        max_value=2**31 - 1,
        required=False,
        help_text=_("A number, or empty for the active version."),
    )
    ladder = forms.ChoiceField(label=_("Rules and clock of"))
    third = forms.RegexField(
        r"\A\s*[^/\s]+/[^/\s]+\s*\Z",
        label=_("Second opponent"),
        required=False,
        help_text=_("As owner/bot, only for games of three."),
    )

    def __init__(self, data: QueryDict | None, *, user: User, opponent: Bot) -> None:
        super().__init__(data)
        self.user = user
        self.opponent = opponent
        self.ladders = {row.slug: row for row in challenges.ladders_for(opponent=opponent)}
        able = challenges.challengers(user=user, opponent=opponent)
        self.own = {
            bot.slug: bot
            for bot in able
            if bot.active_version is not None
            and any(row.takes(bot.active_version) for row in self.ladders.values())
        }
        self._offer("bot", [(slug, _named(bot)) for slug, bot in self.own.items()])
        self._offer("ladder", [(slug, row.name) for slug, row in self.ladders.items()])
        if all(row.entrants_per_match == DUEL for row in self.ladders.values()):
            del self.fields["third"]

    def ask(self) -> Match:
        """Create the challenge that the valid form describes. Raise Refused."""
        wanted = self.cleaned_data
        ladder: Ladder = self.ladders[wanted["ladder"]]
        opponents = [self.opponent]
        if third := wanted.get("third"):
            opponents.append(addresses.find_bot(third, field="opponents"))
        return challenges.ask(
            by=self.user,
            own=self.own[wanted["bot"]],
            opponents=opponents,
            ladder=ladder,
            number=wanted["version"],
        )

    def _offer(self, field: str, choices: list[tuple[str, str]]) -> None:
        chosen = self.fields[field]
        if isinstance(chosen, forms.ChoiceField):
            chosen.choices = choices


def offer(request: HttpRequest, opponent: Bot) -> dict[str, Any]:
    """Return what the challenge card on a bot's page needs."""
    form = None
    if request.user.is_authenticated:
        form = ChallengeForm(None, user=request.user, opponent=opponent)
    can_be_challenged = (
        opponent.active_version is not None
        and not opponent.is_paused
        and not opponent.owner.is_banned
        and permissions.may_challenge(request.user, opponent)
    )
    return {"challenge": form, "can_be_challenged": can_be_challenged}


def _named(bot: Bot) -> str:
    number = bot.active_version.number if bot.active_version else 0
    return gettext("%(name)s, version %(number)d") % {"name": bot.name, "number": number}
