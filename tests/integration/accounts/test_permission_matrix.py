"""What everybody may do at every address is what the table says."""

import difflib
import os
from copy import copy
from functools import cache

import pytest
from django.contrib.auth.backends import ModelBackend
from django.template.backends.django import Template
from django.utils.safestring import SafeString
from drf_spectacular.generators import SchemaGenerator
from knox.auth import TokenAuthentication
from rest_framework.serializers import ListSerializer, Serializer

from arena.domain.tournaments.setup import durations
from tests.permissions import table
from tests.permissions.actors import Actors
from tests.permissions.walking import Walk

ADVICE = "Is each right? Then `python -m tests.permissions` writes the table anew."


@pytest.fixture
def no_rendering(monkeypatch):
    """Leave pages and answers empty: who may see one is known before it is written."""
    monkeypatch.setattr(Template, "render", lambda *_, **__: SafeString())
    monkeypatch.setattr(Serializer, "to_representation", lambda *_: {})
    monkeypatch.setattr(ListSerializer, "to_representation", lambda *_: [])
    monkeypatch.setattr(SchemaGenerator, "get_schema", lambda *_, **__: {})
    monkeypatch.setattr(durations, "MOST_TRIES", 10)


@pytest.fixture
def quick_sign_in(monkeypatch, settings):
    """Read who asks from a cookie and once from the rows: what a request writes is taken back."""
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"
    user_of = cache(ModelBackend().get_user)
    token_of = cache(TokenAuthentication().authenticate_credentials)
    monkeypatch.setattr(ModelBackend, "get_user", lambda _, pk: copy(user_of(pk)))
    monkeypatch.setattr(
        TokenAuthentication,
        "authenticate_credentials",
        lambda _, token: tuple(map(copy, token_of(token))),
    )


def test_everybody_may_what_the_table_says(whole_site, no_rendering, quick_sign_in):
    text = table.FILE.read_text(encoding="utf-8")
    walk = Walk(Actors(), table.rows_of(text))

    made = table.text_of(table.head_of(text), walk.sections())

    if os.environ.get(table.WRITE):
        table.FILE.write_text(made, encoding="utf-8")
    assert walk.faults == []
    assert differences(table.FILE.read_text(encoding="utf-8"), made) == [], ADVICE


def differences(known, made):
    """Return the lines that only the table has, and those that only the site has."""
    lines = difflib.unified_diff(known.splitlines(), made.splitlines(), n=0, lineterm="")
    return [line for line in lines if line[:2] not in ("--", "++", "@@")]
