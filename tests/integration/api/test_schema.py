import re

import pytest
import yaml
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.urls import resolve

from arena.api.urls import urlpatterns
from tests.fuzzing.places import API, described
from tests.permissions import table


@pytest.fixture(scope="module")
def schema(tmp_path_factory):
    target = tmp_path_factory.mktemp("schema") / "schema.yaml"
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(target))
    return yaml.safe_load(target.read_text())


def test_every_address_is_described(schema):
    described = set(schema["paths"])

    shown = {
        "/api/v1/" + re.sub(r"<\w+:(\w+)>", r"{\1}", str(pattern.pattern))
        for pattern in urlpatterns
        if getattr(pattern, "name", None) not in {None, "api-schema", "api-docs"}
    }

    assert described == shown


def test_every_operation_says_what_a_refusal_looks_like(schema):
    for path in schema["paths"].values():
        for operation in path.values():
            content = operation["responses"]["4XX"]["content"]
            assert content == {
                "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
            }


def test_only_what_needs_a_token_asks_for_one(schema):
    """The table of permissions says what a visitor may, and the site is compared with it."""
    asks = {
        (method.upper(), path)
        for path, operations in schema["paths"].items()
        for method, operation in operations.items()
        if operation.get("security") == [{"token": []}]
    }
    needs = {
        (row.method, described(resolve(re.sub(r"{\w+}", "x", row.address.partition("?")[0])).route))
        for row in table.rows_of(table.FILE.read_text(encoding="utf-8"))
        if row.address.startswith(API) and row.cells[0] == "sign-in"
    }

    assert asks == needs


def test_every_write_with_token_takes_idempotency_key(schema):
    takes_one = {
        operation["operationId"]
        for path in schema["paths"].values()
        for operation in path.values()
        if "Idempotency-Key" in {row["name"] for row in operation.get("parameters", [])}
    }
    needs_one = {
        operation["operationId"]
        for path in schema["paths"].values()
        for method, operation in path.items()
        if method != "get" and operation.get("security") == [{"token": []}]
    }

    assert takes_one == needs_one
    assert "version_submit" in takes_one


def test_docs_load_from_site_without_inline_script(anyone):
    page = anyone.get("/docs/")
    sources = re.findall(r'(?:src|href)="([^"]+)"', page.content.decode())

    assert page.status_code == 200
    assert [source for source in sources if not source.startswith(("/static/", "/api/v1/"))] == []
    files = [
        source.removeprefix("/static/").partition("?")[0]
        for source in sources
        if "/static/" in source
    ]
    assert [name for name in files if finders.find(name) is None] == []
    assert len(files) == 4
    policy = dict(part.strip().split(" ", 1) for part in page["Content-Security-Policy"].split(";"))

    assert re.findall(r"<script(?![^>]*src=)", page.content.decode()) == []
    assert policy["script-src"] == "'self'"
    assert policy["style-src"] == "'self' 'unsafe-inline'"
    assert "'unsafe-inline'" not in anyone.get("/bots")["Content-Security-Policy"]
    answer = anyone.get("/docs/?script=")
    assert answer["Content-Type"] == "application/javascript"
    assert "/api/v1/schema/" in answer.content.decode().replace("\\u002D", "-")
