"""Ask the site for every address of the table, by every method, as everybody."""

import json
import re
from copy import deepcopy
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.messages import get_messages
from django.db import transaction
from django.urls import Resolver404, URLResolver, get_resolver, resolve

from arena.models import Scope
from tests.permissions.actors import ACTORS
from tests.permissions.table import METHODS, Row

# A column with a colon is a token with that scope alone, of the first of `ABLE` who may at all.
SCOPES = {f":{scope.removesuffix(':write')}": str(scope) for scope in Scope}
ABLE = ("owner", "organizer", "staff", "stranger")
COLUMNS = {
    "pages": ACTORS,
    "accounts": ("visitor", "stranger", "staff"),
    "api": (*ACTORS, *SCOPES),
    "admin": ("visitor", "stranger", "trainee", "staff"),
}
EXAMPLES = {
    "admin/r/<path:content_type_id>/<path:object_id>/": "/admin/r/0/0/",
    "admin/(?P<app_label>auth|arena|account)/$": "/admin/arena/",
    "admin/(?P<url>.*)$": "/admin/nowhere/",
}
REDIRECT = re.compile(r"admin/\w+/\w+/<path:object_id>/")
FIRST = ("visitor", "owner", "staff")
OF_PAGES = ("GET", "POST")
LEAST = ":staff"  # the scope that opens nothing to a user who is no staff
MAY, AGAIN = "may", "again"
WORDS = {401: "sign-in", 403: "no", 404: "hidden", 405: "-"}


class Walk:
    """What the site answers now; `faults` are answers that no table may allow."""

    def __init__(self, actors, known):
        self.actors = actors
        self.known = known
        self.faults = []
        self._places: dict[str | None, list[str]] = {}
        for row in known:
            place = self._places.setdefault(route_of(actors.filled(row.address)), [])
            place += [] if row.address in place else [row.address]

    def sections(self):
        """Return the title, the columns and the rows of every section."""
        rows: dict[str, list[Row]] = {name: [] for name in COLUMNS}
        for route in routes():
            for address in self.addresses_of(route):
                rows[section_of(address)] += self.rows(address)
        return [(name, COLUMNS[name], rows[name]) for name in COLUMNS]

    def addresses_of(self, route):
        """Return the addresses of the table that stand for a route."""
        if route in self._places:
            return self._places[route]
        if route.startswith("admin/"):
            return [EXAMPLES.get(route, "/" + re.sub("<.*?>", "{row}", route))]
        self.faults.append(f"{route}: no row; write one with its method and its address")
        return []

    def rows(self, address):
        """Return a row for each method that somebody may use.

        Some pages of libraries take PUT for POST or any method for GET: that needs no row.
        """
        sent = {row.method: row.sent for row in self.known if row.address == address}
        methods = self._methods(address)
        found = [self._row(each, address, sent.get(each, "")) for each in methods]
        shown = [row for row in found if {MAY, AGAIN} & {*row.cells}]
        if section_of(address) != "api":
            able = {place for row in shown if row.method in OF_PAGES for place in _able(row)}
            shown = [row for row in shown if row.method in OF_PAGES or _able(row) - able]
        return shown or found[:1]

    def _methods(self, address):
        """Return the methods to ask about: those of the `Allow` that staff gets for a PUT.

        A view of the API names them itself.
        """
        if actions := getattr(
            resolve(address_alone(self.actors.filled(address))).func, "actions", None
        ):
            return [each for each in METHODS if each.lower() in actions]
        refused = self._answer(Row("PUT", address), "staff")
        if refused.status_code != HTTPStatus.METHOD_NOT_ALLOWED:
            return [*METHODS]
        allowed = [each.strip() for each in refused["Allow"].split(",")]
        return [each for each in METHODS if each in allowed]

    def _row(self, method, address, sent):
        """Return the row of a method.

        What visitors, owners and staff may read is public, and nobody else is asked.
        """
        row = Row(method, address, sent)
        seen: dict[str, Any] = {}
        columns = COLUMNS[section_of(address)]
        people = [name for name in columns if name in ACTORS]
        for name in sorted(people, key=lambda name: name not in FIRST):
            if name in FIRST or method != "GET" or set(map(word_for, seen.values())) != {MAY}:
                seen[name] = self._answer(row, name)
        asked = dict(seen)
        seen |= {name: seen["visitor"] for name in people if name not in seen}
        for column in reversed(columns):
            if column in SCOPES:
                seen[column] = self._scoped(row, seen, column)
        row.cells = [word_for(seen[column]) for column in columns]
        if method == "GET":
            self._read_otherwise(address, asked)
        return row

    def _scoped(self, row, seen, column):
        """Return the answer to a token with one scope, of somebody who may with all scopes.

        What a visitor may read, a token may read whatever its scopes: one is asked.
        """
        able = next((name for name in ABLE if word_for(seen[name]) == MAY), None)
        if able is None:
            return seen["stranger"]
        is_public = row.method == "GET" and word_for(seen["visitor"]) == MAY
        if is_public and LEAST in seen and word_for(seen[LEAST]) == MAY:
            return seen[LEAST]
        return self._asked(row, self.actors.scoped[able, SCOPES[column]])

    def _read_otherwise(self, address, asked):
        """Note a HEAD with another status than its GET, and an OPTIONS that tells more.

        Of several who got the same answer, one is asked.
        """
        people = {asked[name].status_code: name for name in ACTORS if name in asked}
        is_own = section_of(address) == "accounts"  # these name nothing of somebody else
        for read, name in people.items():
            head = self._answer(Row("HEAD", address), name).status_code
            if head != read:
                self.faults.append(f"{address} as {name}: GET {read}, HEAD {head}")
            if read < HTTPStatus.BAD_REQUEST or is_own:
                continue
            options = self._answer(Row("OPTIONS", address), name).status_code
            if options < HTTPStatus.BAD_REQUEST:
                self.faults.append(f"{address} as {name}: GET {read}, OPTIONS {options}")

    def _answer(self, row, name):
        is_api = section_of(row.address) == "api"
        return self._asked(row, (self.actors.tokens if is_api else self.actors.sessions)[name])

    def _asked(self, row, client):
        """Return the answer to a row; all that it wrote is taken back."""
        address, sent = (
            self.actors.filled(row.address),
            json.loads(self.actors.filled(row.sent) or "{}"),
        )
        cookies = deepcopy(client.cookies)
        with transaction.atomic():
            if row.method == "POST" and section_of(address) != "api":
                response = client.post(address, sent)
            elif row.method in METHODS[1:]:
                said = json.dumps(sent), "application/json"
                response = client.generic(row.method, address, *said, headers={"If-Match": "*"})
            else:
                response = client.generic(row.method, address)
            transaction.set_rollback(True)
        client.cookies = cookies
        if response.status_code == 429 or response.status_code >= 500:
            self.faults.append(f"{row.method} {row.address}: {response.status_code}")
        return response


def _able(row):
    return {place for place, cell in enumerate(row.cells) if cell == MAY}


def routes():
    """Return every route of the site once, in the order in which Django tries them.

    Those that lead to where the admin changes a row are its redirects of old addresses.
    """
    found = dict.fromkeys(_routes(get_resolver()))
    return [route for route in found if not REDIRECT.fullmatch(route)]


def route_of(address):
    """Return the route that an address leads to; None for none."""
    try:
        return resolve(address_alone(address)).route.replace("^", "")
    except Resolver404:
        return None


def address_alone(address):
    """Return an address without its query."""
    return address.partition("?")[0]


def _routes(resolver, before=""):
    for pattern in resolver.url_patterns:
        route = before + str(pattern.pattern).replace("^", "")
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern, route)
        else:
            yield route


def _complains(response):
    """Return whether a page leads elsewhere to say there why it did nothing."""
    said = get_messages(response.wsgi_request)
    return any(message.level >= messages.WARNING for message in said)


def section_of(address):
    """Return the section in which an address stands."""
    first = address.split("/")[1]
    return first if first in COLUMNS else "pages"


def word_for(response):
    """Return what an answer says about the right of who asked."""
    status = response.status_code
    if status == HTTPStatus.FOUND:
        leads_to = {"/login/": "sign-in", "/reauthenticate/": AGAIN}
        for place, word in leads_to.items():
            if place in response["Location"].partition("?")[0]:
                return word
    if status == HTTPStatus.FORBIDDEN and b'"missing_scope"' in response.content:
        return "scope"
    if status == HTTPStatus.FOUND and _complains(response):
        return "told"
    return WORDS.get(status, MAY)
