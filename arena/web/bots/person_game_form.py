"""The form with which a person asks for a game against a bot."""

from django import forms
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from arena.domain.bots import challenges, person_games
from arena.models import Bot, PersonSeat
from arena.web.matches import labels


class PersonGameForm(forms.Form):
    """The rules and the side of a person who plays against a bot."""

    def __init__(self, data: QueryDict | None, *, opponent: Bot, chosen: QueryDict) -> None:
        super().__init__(data, initial={name: chosen.get(name) for name in ("game", "side")})
        self.opponent = opponent
        self.ladders = {row.slug: row for row in challenges.ladders_for(opponent=opponent)}
        sides = dict.fromkeys(
            side for ladder in self.ladders.values() for side in person_games.sides(ladder=ladder)
        )
        self.fields["game"] = forms.ChoiceField(
            label=_("Game"), choices=[(slug, row.name) for slug, row in self.ladders.items()]
        )
        self.fields["side"] = forms.ChoiceField(
            label=_("Your side"),
            choices=[(side, gettext(labels.seat_name(side))) for side in sides],
        )

    def ask(self, request: HttpRequest) -> PersonSeat:
        """Ask for the game that the valid form describes. Raise Refused."""
        wanted = self.cleaned_data
        return person_games.ask(
            by=request.user,
            address=request.META["REMOTE_ADDR"],
            bot=self.opponent,
            ladder=self.ladders[wanted["game"]],
            side=wanted["side"],
        )
