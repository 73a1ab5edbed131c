"""Ask the site one question, keep what it answers and what it wrote, and take all of it back."""

import json
import re
import zlib
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from django.contrib.contenttypes.models import ContentType
from django.contrib.messages import get_messages
from django.core.cache import cache
from django.db import connection, reset_queries, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.snapshot import normal, steadiness
from tests.snapshot.changes import Changes

HEADERS = (
    "Content-Type",
    "Location",
    "Allow",
    "Cache-Control",
    "Content-Security-Policy",
    "Content-Disposition",
    "Content-Language",
    "Retry-After",
    "Vary",
    "WWW-Authenticate",
    "X-Frame-Options",
)
TRANSACTION = re.compile(r"^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b")


@dataclass(frozen=True)
class Question:
    """What is asked, and by whom.

    `body` is sent as JSON to the API and as a form to pages; `note` tells questions apart that
    differ in nothing else that the key names.
    """

    who: str
    method: str
    address: str
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True)
class Share:
    """The questions of one of several processes: all those about the same page."""

    number: int
    of: int

    def has(self, address):
        """Return whether this process asks for an address."""
        path = urlsplit(address).path  # a link to the next page of a list names the host, too
        return zlib.crc32(path.encode()) % self.of == self.number


WHOLE = Share(0, 1)


class Asker:
    """Asks for visitors, each with a signed-in client: the share of one of several processes.

    Only what matches a pattern is asked.
    """

    def __init__(
        self, clients: Mapping[str, Client], only: str = "", share: Share = WHOLE, *, changes=None
    ):
        self.clients = clients
        self.only = re.compile(only)
        self.share = share
        self.names = normal.known_ids()
        self.changes = changes or Changes()
        self.last = ""
        self.asked: set[str] = set()

    def key(self, question):
        """Return the name under which an answer is kept, the same in every run."""
        said = f"{question.method} {question.address} as {question.who}"
        said += f" ({question.note})" if question.note else ""
        return normal.steady(said, self.names)

    def wants(self, who, method, address):
        """Return whether questions that begin so are asked here."""
        is_mine = self.share.has(address)
        return is_mine and bool(self.only.search(self.key(Question(who, method, address))))

    def ask(self, question, *, kept=True):
        """Yield the answer as plain data, if it is wanted and new; what it wrote is undone.

        `last` is then its body as it was sent. What is not kept is only asked for that.
        """
        key = self.key(question)
        is_wanted = self.share.has(question.address) and self.only.search(key)
        if kept and (key in self.asked or not is_wanted):
            return
        self.asked |= {key} if kept else set()
        steadiness.seed(key)
        cache.clear()
        ContentType.objects.clear_cache()
        reset_queries()
        client = self.clients[question.who]
        cookies = deepcopy(client.cookies)
        with transaction.atomic(), CaptureQueriesContext(connection) as queries:
            response = self._send(question)
            told = [str(message) for message in get_messages(response.wsgi_request)]
            asked = [query["sql"] for query in queries.captured_queries]
            rows = self.changes.made_by(asked)
            self.last = _text(response)
            transaction.set_rollback(True)
        client.cookies = cookies
        laid = normal.laid_out(response.get("Content-Type", ""), self.last) if kept else ""
        yield {
            "key": key,
            "status": response.status_code,
            "headers": self._headers(response),
            "queries": sum(not TRANSACTION.match(sql) for sql in asked),
            "messages": [normal.steady(each, self.names) for each in told],
            "rows": [normal.steady(each, self.names) for each in rows],
            "body": normal.steady(laid, self.names),
        }

    def _send(self, question):
        client, address, body = self.clients[question.who], question.address, question.body
        headers, method = dict(question.headers), question.method
        if method in ("GET", "HEAD", "OPTIONS"):
            return client.generic(method, address, headers=headers)
        if isinstance(body, bytes):
            kind = headers.pop("Content-Type", "application/json")
            return client.generic(method, address, body, kind, headers=headers)
        if address.startswith("/api/") and not _has_file(body):
            sent = json.dumps({} if body is None else body)
            return client.generic(method, address, sent, "application/json", headers=headers)
        return getattr(client, method.lower())(address, body or {}, headers=headers)

    def _headers(self, response):
        found = {name: response[name] for name in HEADERS if name in response}
        found |= {"ETag": "there"} if "ETag" in response else {}
        return {name: normal.steady(value, self.names) for name, value in found.items()}


def _text(response):
    content = b"".join(response.streaming_content) if response.streaming else response.content
    return content.decode(errors="backslashreplace")


def _has_file(body):
    return isinstance(body, dict) and any(hasattr(value, "read") for value in body.values())
