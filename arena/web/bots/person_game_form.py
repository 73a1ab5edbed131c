"""The form with which a person asks for a game against a bot."""

from django import forms
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext_lazy as _

from arena.domain.bots import challenges, person_games
from arena.models import Bot, PersonSeat
from arena.web.matches import labels


class PersonGameForm(forms.Form):
    """The rules and the side of a person who plays against a bot: a ladder, a slash and a side.

    What was `chosen` before, such as by a link, may be a ladder alone.
    """

    def __init__(self, data: QueryDict | None, *, opponent: Bot, chosen: str) -> None:
        super().__init__(data)
        self.opponent = opponent
        self.ladders = {row.slug: row for row in challenges.ladders_for(opponent=opponent)}
        choices = [
            (f"{slug}/{side}", f"{ladder.name}: {labels.seat_name(side)}")
            for slug, ladder in self.ladders.items()
            for side in person_games.sides(ladder=ladder)
        ]
        fitting = [value for value, _label in choices if f"{value}/".startswith(f"{chosen}/")]
        self.fields["game"] = forms.ChoiceField(
            label=_("Game and side"), choices=choices, initial=next(iter(fitting), None)
        )

    def ask(self, request: HttpRequest) -> PersonSeat:
        """Ask for the game that the valid form describes. Raise Refused."""
        slug, _slash, side = self.cleaned_data["game"].partition("/")
        return person_games.ask(
            by=request.user,
            address=request.META["REMOTE_ADDR"],
            bot=self.opponent,
            ladder=self.ladders[slug],
            side=side,
        )
