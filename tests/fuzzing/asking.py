"""Send requests that schemathesis makes from the site's own schema, and check every answer."""

import json
from collections import Counter, defaultdict
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import count
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from django.urls import resolve
from hypothesis import HealthCheck, Phase, assume, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi import checks

from tests.fuzzing.places import API, described

SCHEMA = f"{API}schema/"
CHECKS = [
    schemathesis.checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
]
# Who asks is chosen here, and HTTP lets a program ignore parameters that it does not know.
CONFIG = {
    "generation": {
        "mode": "positive",  # along links; elsewhere it is said with each request
        "allow-extra-parameters": False,
        "with-security-parameters": False,
    },
    "checks": {
        "negative_data_rejection": {
            "expected-statuses": [400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 422, 428]
        }
    },
}
MOST_DRAWS = 100  # for one wrong example; where nothing can be wrong, hypothesis draws for long
OFTEN = 5  # of six examples have a real address, and of six bodies real words
MOST = 700  # characters of what is shown of a failure
HOW: dict[str, Any] = {
    "database": None,
    "deadline": None,
    "phases": [Phase.generate],
    "suppress_health_check": list(HealthCheck),
}


class _Enough(KeyboardInterrupt):
    """Ends hypothesis at once: it tries anything else again."""


@dataclass
class Report:
    """What was asked and answered, by operation, and every kind of failure once."""

    described: frozenset[str] = frozenset()
    statuses: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    failures: dict[str, str] = field(default_factory=dict)

    def never_asked(self):
        """Return the operations of the schema that no request was sent to."""
        return sorted(self.described - set(self.statuses))

    def never_done(self):
        """Return the writing operations that have never succeeded."""
        found = self._writes().items()
        return {each for each, statuses in found if min(statuses) >= HTTPStatus.MULTIPLE_CHOICES}

    def only_refused(self):
        """Return the writing operations that have met nothing but 401, 403 and 404."""
        refused = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND}
        return sorted(label for label, found in self._writes().items() if refused.issuperset(found))

    def failure_text(self):
        """Return every kind of failure with an example."""
        return "\n\n".join(f"{kind}\n{said}" for kind, said in self.failures.items())

    def lines(self):
        """Return the summary, of which the soak shows the first line."""
        total = sum(self.statuses.values(), Counter())
        counts = ", ".join(f"{status}: {count}" for status, count in sorted(total.items()))
        writes = len(self._writes())
        done = writes - len(self.never_done())
        asked = f"{len(self.statuses)} operations, {total.total()} requests"
        return [
            f"Figures: {asked}, {len(self.failures)} kinds of failure",
            f"answers by status: {counts}",
            f"{done} of {writes} operations that write have succeeded",
        ]

    def _writes(self):
        found = self.statuses.items()
        return {label: statuses for label, statuses in found if not label.startswith("GET ")}


class Asking:
    """Asks over the rows that there are; each request is taken back."""

    def __init__(self, tokens, places):
        with _connected():
            self.schema = schemathesis.openapi.from_wsgi(
                SCHEMA, WSGIHandler(), config=SchemathesisConfig.from_dict(CONFIG)
            )
        found: Any = self.schema.get_all_operations()
        operations = [each.ok() for each in found]
        self.operations = {(each.method.upper(), each.path): each for each in operations}
        self.tokens = tokens
        self.places = places
        self.report = Report(frozenset(each.label for each in operations))

    def generated(self, examples, chosen):
        """Send so many generated requests to every operation."""
        for number, operation in enumerate(self.operations.values()):
            self._generated(operation, GenerationMode.POSITIVE, examples, chosen + number)
            if _can_be_wrong(operation):
                few = max(1, examples // 3)
                self._generated(operation, GenerationMode.NEGATIVE, few, chosen + number)

    def _generated(self, operation, mode, examples, chosen):
        draws = count()

        @seed(chosen)
        @settings(**HOW, max_examples=examples)
        @given(st.data())
        def ask(data):
            if next(draws) == MOST_DRAWS * examples:
                raise _Enough
            case = data.draw(operation.as_strategy(generation_mode=mode))
            assume(all(_is_one(value) for value in case.query.values()))
            places = self.places.of_path[operation.path]
            if places and places[0] and data.draw(st.integers(0, OFTEN)):
                case.path_parameters = dict(data.draw(st.sampled_from(places)))
            if mode is GenerationMode.POSITIVE:
                self._name_real_words(case, data)
            else:
                assume(_is_stripped(case.body) and _is_stripped(case.query))
            self.send(case, self._who(case, data))

        print(operation.label, mode.value)  # noqa: T201 - where the time went, if it is over
        try:
            ask()
        except (Unsatisfiable, _Enough):
            # Otherwise nothing of it can be wrong.
            assert mode is GenerationMode.NEGATIVE, f"{operation.label}: no example is valid"

    def _who(self, case, data):
        """Return who asks: mostly somebody who may change what the address names."""
        may = case.path_parameters.get("owner")
        may = may or ("staff" if case.path.startswith(f"{API}staff/") else "organizer")
        is_near = may in self.tokens and data.draw(st.integers(0, 2))
        return may if is_near else data.draw(st.sampled_from(sorted(self.tokens)))

    def _name_real_words(self, case, data):
        """Create references to rows that exist, in a body and in `If-Match`."""
        if isinstance(case.body, dict) and data.draw(st.integers(0, OFTEN)):
            for name in sorted(set(case.body) & set(self.places.words)):
                case.body[name] = data.draw(st.sampled_from(self.places.words[name]))
        if "If-Match" in case.headers and data.draw(st.integers(0, OFTEN)):
            case.headers["If-Match"] = "*"

    def example(self, question):
        """Send a question of `tests.world.apiwrites`, if the schema describes it."""
        address = urlsplit(question.address)
        found = resolve(address.path)
        operation = self.operations.get((question.method, described(found.route)))
        if operation is None:
            return None
        case = operation.Case(
            path_parameters={name: str(value) for name, value in found.kwargs.items()},
            query=dict(parse_qsl(address.query)),
            headers=dict(question.headers),
            body=_read(question.body or {}),
            media_type="multipart/form-data" if _has_file(question.body) else "application/json",
        )
        return self.send(case, question.who)

    def linked(self, scenarios, steps, chosen):
        """Follow links: what an answer names is asked for next. Take each scenario back.

        Everybody has a run, because the same choices must lead to the same answers in a run.
        """
        each = settings(**HOW, max_examples=scenarios, stateful_step_count=steps)
        for number, who in enumerate(sorted(self.tokens)):
            seed(chosen + number)(self._scenario(who)).run(settings=each)

    def _scenario(self, who):
        asking = self
        base: Any = self.schema.as_state_machine()

        class Scenario(base):  # type: ignore[misc] # it is made from the schema
            def setup(self):
                self.rows = transaction.atomic()
                self.rows.__enter__()

            def teardown(self):
                transaction.set_rollback(True)
                self.rows.__exit__(None, None, None)

            def call(self, case, **_options):
                return asking.checked(case, who)

            def validate_response(self, *_given, **_options):
                """Do nothing: `call` has checked the answer."""

        return Scenario

    def send(self, case, who):
        """Send a request as somebody, check the answer, take the request back."""
        with transaction.atomic():
            response = self.checked(case, who)
            transaction.set_rollback(True)
        return response

    def checked(self, case, who):
        """Send a request as somebody, check the answer, and return it."""
        token = self.tokens.get(who)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        with transaction.atomic(), _connected():
            response = case.call(headers=headers)
        label = case.operation.label
        self.report.statuses[label][response.status_code] += 1
        try:
            case.validate_response(response, checks=CHECKS)
        except FailureGroup as group:
            for failure in group.exceptions:
                kind = f"{label}: {type(failure).__name__} {response.status_code}"
                said = f"{failure.title}: {failure.message[:MOST]}"
                what = f"{case.as_curl_command()[:MOST]}\n{response.text[:MOST]}"
                self.report.failures.setdefault(kind, f"{said}\n{what}")
        return response


def _is_one(value):
    """Return whether a parameter is read as it is: not if it is empty, and of several the last."""
    return value != "" and not isinstance(value, list | dict)


def _is_stripped(values):
    """Return whether no text has space around it, which the site takes off before it measures."""
    texts = values.values() if hasattr(values, "values") else ()
    return all(text == text.strip() for text in texts if isinstance(text, str))


def _can_be_wrong(operation):
    """Return whether a request can contradict the schema: in an address, any word is right."""
    kinds = {each.definition["schema"].get("type") for each in operation.path_parameters}
    return bool(operation.body or operation.query or operation.headers or kinds - {"string"})


def _has_file(body):
    return any(hasattr(value, "read") for value in (body or {}).values())


def _read(body):
    """Return a body with the bytes of its files."""
    return {name: value.read() if hasattr(value, "read") else value for name, value in body.items()}


@contextmanager
def _connected():
    """Create a block in which the end of a request does not close the database connection."""
    ends = (request_started, request_finished)
    for signal in ends:
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in ends:
            signal.connect(close_old_connections)


class Examples:
    """Sends what `tests.world.apiwrites` asks as examples."""

    def __init__(self, asking, most):
        self.asking = asking
        self.most = most
        self.last = "{}"
        self.sent: Counter[tuple[str, str]] = Counter()

    def ask(self, question):
        """Send an example, up to `most` for an operation."""
        operation = question.method, resolve(urlsplit(question.address).path).route
        self.sent[operation] += 1
        if self.sent[operation] <= self.most:
            response = self.asking.example(question)
            self.last = response.text if response else json.dumps({})
