"""Who asks, and the rows that the addresses of the table name in braces."""

import re
from functools import cache

from django.apps import apps
from django.test import Client

from arena.domain.bots import person_games
from arena.models import (
    ANYBODY,
    AbuseReport,
    ApiToken,
    Bot,
    Game,
    Ladder,
    Match,
    Scope,
    TournamentEntrant,
    User,
    VersionTrial,
    WebhookDelivery,
)
from tests import factories
from tests.integration.api import rows

ACTORS = ("visitor", "stranger", "owner", "organizer", "trainee", "staff")
USERNAMES = {"stranger": "user"}
ALPHA_IN_CUP = {"bot__slug": "alpha", "tournament__slug": "cup-open"}
ALPHA_INVITED = {"bot__slug": "alpha", "tournament__slug": "cup-invited"}
MODEL = re.compile(r"/admin/(\w+)/(\w+)/")


class Actors:
    """A client of every actor for pages and for the API, and one for each scope of a token."""

    def __init__(self):
        self.sessions = {"visitor": _client()}
        self.tokens = {"visitor": _client()}
        self.scoped = {}
        for name in ACTORS[1:]:
            user = User.objects.get(username=USERNAMES.get(name, name))
            self.sessions[name] = _client()
            self.sessions[name].force_login(user)
            self.tokens[name] = _client(rows.token(user))
            for scope in Scope:
                self.scoped[name, str(scope)] = _client(rows.token(user, scope))
        self.words = _words()
        self.filled = cache(self._filled)

    def _filled(self, address):
        """Return an address with ids for its words in braces."""
        model = MODEL.match(address)
        if "{row}" in address and model:
            row = apps.get_model(model[1], model[2])._default_manager.order_by("pk").first()
            address = address.replace("{row}", str(row.pk) if row else "1")
        return re.sub(r"{(\w+)}", lambda word: self.words[word[1]], address)


def _words():
    matches = Match.objects.order_by("pk")
    forfeited = Game.objects.filter(evidence__seat="red").order_by("pk")
    challenges = matches.filter(kind="challenge", requested_by__username="owner")
    in_cup = matches.filter(pairing__round__tournament__slug="cup-hidden")
    trials = VersionTrial.objects.filter(version__bot__slug="alpha")
    deliveries = WebhookDelivery.objects.filter(webhook__user__username="owner").order_by("pk")
    tokens = ApiToken.objects.filter(user__username="owner").order_by("created")
    seat = person_games.ask(
        by=ANYBODY,
        address="192.0.2.1",
        bot=Bot.objects.get(slug="beta"),
        ladder=Ladder.objects.get(slug="general"),
        side="red",
    )
    owner, beta = User.objects.get(username="owner"), Bot.objects.get(slug="beta")
    remote = factories.seat_from_home(user=owner, bot=beta, ladder="general")
    return {
        "seat": seat.key,
        "remote": remote.match.public_id,
        "forfeited": forfeited[0].match.public_id,
        "unannounced": matches.filter(kind="ladder", status="queued")[0].public_id,
        "hidden": in_cup.filter(status="finished").reverse()[0].public_id,
        "challenge": challenges.filter(status="queued")[0].public_id,
        "trial": trials.get(status="running").public_id,
        "report": str(AbuseReport.objects.get().pk),
        "token": tokens[0].public_id,
        "webhook": deliveries[0].webhook.public_id,
        "delivery": deliveries[0].public_id,
        "row": "1",
        "entrant": str(TournamentEntrant.objects.get(**ALPHA_IN_CUP).pk),
        "invited": str(TournamentEntrant.objects.get(**ALPHA_INVITED).pk),
    }


def _client(token=""):
    headers = {"Authorization": f"Bearer {token}"} if token else None
    return Client(raise_request_exception=False, headers=headers)
