"""What holds for every page: translated templates, the theme, names that are escaped."""

import re
from pathlib import Path

import pytest

import arena
from tests.factories import make_ready

pytestmark = pytest.mark.django_db

TEMPLATES = Path(arena.__file__).parent / "templates"


def test_templates_hold_no_text_outside_of_translation():
    """Words between tags stand in `translate` or come from data."""
    bare = re.compile(r">\s*([A-Za-z][a-z]+(?: [a-z]+)+)[^<{]*<")
    allowed = {"Drapeau"}

    found = {
        (str(path.relative_to(TEMPLATES)), words)
        for path in TEMPLATES.rglob("*.html")
        for words in bare.findall(re.sub(r"{%.*?%}|{#.*?#}", "{}", path.read_text("utf-8")))
        if words not in allowed
    }

    assert found == set()


@pytest.mark.parametrize(
    ("cookie", "shown"),
    [("dark", "dark"), ("light", "light"), ('"><script>', "auto"), ("", "auto")],
)
def test_theme_comes_from_the_cookie(client, cookie, shown):
    client.cookies["theme"] = cookie

    assert f'data-theme="{shown}"' in client.get("/ladders/").content.decode()


def test_names_are_escaped(client):
    version = make_ready()
    version.bot.name = "<script>alert(1)</script>"
    version.bot.save()

    for address in ("/bots/", version.bot.get_absolute_url(), "/ladders/classic/"):
        text = client.get(address).content.decode()
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert(1)" in text
