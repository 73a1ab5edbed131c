"""What everybody may do at every address is what the table says."""

import difflib
import os

import pytest
from django.template.backends.django import Template
from django.utils.safestring import SafeString

from arena.domain.accounts import permissions
from tests.permissions import table
from tests.permissions.actors import Actors
from tests.permissions.table import Row
from tests.permissions.walking import Walk

ADVICE = "Is each right? Then `python -m tests.permissions` writes the table anew."


@pytest.fixture
def no_rendering(monkeypatch):
    """Leave pages empty: who may see one is known before it is written, and that takes long."""
    monkeypatch.setattr(Template, "render", lambda *_, **__: SafeString())


@pytest.mark.timeout(900)
def test_everybody_may_what_the_table_says(whole_site, no_rendering, monkeypatch):
    text = table.FILE.read_text(encoding="utf-8")
    walk = Walk(Actors(), table.rows_of(text))

    made = table.text_of(table.head_of(text), walk.sections())

    if os.environ.get(table.WRITE):
        table.FILE.write_text(made, encoding="utf-8")
    assert walk.faults == []
    assert differences(table.FILE.read_text(encoding="utf-8"), made) == [], ADVICE

    monkeypatch.setattr(permissions, "may_edit_bot", lambda _user, _bot: True)
    (paused,) = walk.rows("/bots/owner/alpha/pause/")
    assert paused.cells == ["sign-in", "may", "may", "may", "may", "may"]
    assert walk.addresses_of("a/new/route/") == []
    assert walk.faults == ["a/new/route/: no row, and no example in tests/world/*.txt"]


def test_the_table_is_read_as_it_is_written():
    rows = [
        Row("GET", "/bots/", "", ["may", "-"]),
        Row("POST", "/bots/{bot}/", '{"a": {"b": 1}}', ["sign-in", "no"]),
    ]
    text = table.text_of("# Words", [("pages", ("visitor", "owner"), rows)])

    assert table.rows_of(text) == rows
    assert table.head_of(text) == "# Words"
    with pytest.raises(ValueError, match="no row of the table: READ /bots/ may"):
        table.rows_of("READ /bots/ may")


def test_a_difference_names_the_row_of_the_table_and_of_the_site():
    assert differences("a\nb\n", "a\nc\n") == ["-b", "+c"]


def differences(known, made):
    """Return the lines that only the table has, and those that only the site has."""
    lines = difflib.unified_diff(known.splitlines(), made.splitlines(), n=0, lineterm="")
    return [line for line in lines if line[:2] not in ("--", "++", "@@")]
