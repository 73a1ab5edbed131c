"""Walk through the site over rows of which a folder has the time, and write the answers there."""

import json
import re
import sys
from datetime import datetime
from itertools import product
from pathlib import Path

from django.core.management import call_command
from django.test import Client

from arena.models import ApiToken, Scope, User
from tests.integration.api import rows
from tests.snapshot import addresses, apiwrites, steadiness, storing, structure, webwrites
from tests.snapshot.asking import Asker, Question, Share
from tests.snapshot.steadiness import clock

VISITORS = ("anonymous", "user", "owner", "organizer", "staff")
LOOK_AT_ADMIN = ("anonymous", "staff")
METHODS = ("POST", "PUT", "PATCH", "DELETE")
HTMX = {"HX-Request": "true"}
SHOWS_REPLAYS = re.compile("/$|/matches/[^?]|/api/v1/(matches|games)/")
PROGRESS_EVERY = 500


def main(folder, only, number, of):
    """Ask every question whose key matches `only`, as one of so many processes."""
    clock.now = datetime.fromisoformat(Path(folder, storing.NOW).read_text(encoding="ascii"))
    call_command("migrate", verbosity=0)  # the rows may be those of an older tree
    steadiness.seed("sign in")
    asker = Asker(sign_in(), only, Share(int(number), int(of)))
    answers = [] if int(number) else [*structure.answers()]
    for answer in walk(asker):
        answers.append(answer)
        if len(answers) % PROGRESS_EVERY == 0:
            sys.stderr.write(f"{len(answers)} answers\n")
    storing.write(folder, answers)


def walk(asker):
    """Yield the answers to all questions: what is read, what is refused, what is written."""
    pages, api = addresses.pages(), addresses.api()
    if unreached := addresses.missing([*pages, *api]):
        raise SystemExit("No example in tests/snapshot/*.txt for: " + ", ".join(unreached))
    for asked, form in ((pages, "{}"), (api, "{}'s token")):
        for address in asked:
            yield from _reads(asker, form, address)
        for address in addresses.one_of_each_route(asked):
            yield from _refusals(asker, form, address)
    for question in _seldom_asked(api):
        yield from asker.ask(question)
    yield from apiwrites.ask(asker)
    yield from webwrites.ask(asker)


def _seldom_asked(api):
    """Return what not everybody asks: the admin, tokens with one scope, parts of pages."""
    scoped = product(Scope, addresses.one_of_each_route(api))
    return [
        *(Question(who, "GET", each) for each in addresses.of_the_admin() for who in LOOK_AT_ADMIN),
        *(Question(f"owner's token for {scope}", "GET", each) for scope, each in scoped),
        *(Question("organizer", "GET", each, None, HTMX, "htmx") for each in addresses.FRAGMENTS),
    ]


def _reads(asker, form, address):
    """Ask for an address for everybody, and for the page after it where a list is cut.

    The site keeps replays in memory; asked once before, they cost everybody the same queries.
    """
    if SHOWS_REPLAYS.match(address) and asker.wants(form.format("anonymous"), "GET", address):
        for who in ("anonymous", "staff"):
            list(asker.ask(Question(form.format(who), "GET", address), kept=False))
    for who in map(form.format, VISITORS):
        for answer in asker.ask(Question(who, "GET", address)):
            yield answer
            if "page_size" in address and '"next":"http' in asker.last:
                yield from asker.ask(Question(who, "GET", json.loads(asker.last)["next"]))


def _refusals(asker, form, address):
    """Send nothing by every method that an address allows; most of that is refused."""
    allowed = [*METHODS]
    for answer in asker.ask(Question(form.format("staff"), "PUT", address)):
        yield answer
        if "Allow" in answer["headers"]:
            allowed = [each for each in METHODS if each in answer["headers"]["Allow"]]
    for method in allowed:
        for who in VISITORS:
            yield from asker.ask(Question(form.format(who), method, address, note="nothing"))


def sign_in():
    """Return a client for every visitor, and one for every kind of token."""
    clients = {"anonymous": _client(), "anonymous's token": _client()}
    for who in (*VISITORS[1:], "other"):
        user = User.objects.get(username=who)
        clients[who] = _client()
        clients[who].force_login(user)
        clients[f"{who}'s token"] = _client(rows.token(user))
    for scope in Scope:
        token = rows.token(User.objects.get(username="owner"), scope)
        clients[f"owner's token for {scope}"] = _client(token)
    ApiToken.objects.update(last_used=clock.now)  # or the first question would note it
    return clients


def _client(token=""):
    headers = {"Authorization": f"Bearer {token}"} if token else None
    return Client(raise_request_exception=False, headers=headers)
