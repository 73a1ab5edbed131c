"""What holds for every page: the content policy, the frame, health, translated templates."""

import re
from pathlib import Path

import pytest

import arena
from tests.factories import make_ready, make_user
from tests.integration.web.played import finished_match, players_of

pytestmark = pytest.mark.django_db

TEMPLATES = Path(arena.__file__).parent / "templates"
INLINE = re.compile(
    r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)|javascript:", re.IGNORECASE
)


@pytest.fixture
def addresses():
    """Return the address of one page of each kind."""
    match = finished_match()
    version = players_of(match)[0]
    return [
        "/",
        "/ladders/",
        "/ladders/general/",
        "/bots/",
        version.bot.get_absolute_url(),
        version.get_absolute_url(),
        "/matches/",
        match.get_absolute_url(),
        f"{match.get_absolute_url()}games/1/?ply=3&view=red&flip=1",
        version.bot.owner.get_absolute_url(),
        "/queue/",
        "/variants/general/",
        "/accounts/login/",
        "/accounts/signup/",
        "/bots/new/",
        "/account/tokens/",
        "/accounts/logout/",
        "/accounts/email/",
        "/accounts/password/change/",
        "/accounts/password/reset/",
        "/accounts/2fa/",
    ]


def test_pages_have_heading_language_skip_link_nothing_inline(client, addresses):
    client.force_login(make_user())
    for address in addresses:
        response = client.get(address)
        assert response.status_code in (200, 302), address
        text = response.content.decode()
        assert (address, INLINE.findall(text)) == (address, [])
        if response.status_code == 200:
            counts = (text.count("<h1"), text.count('<html lang="en"'), text.count('class="skip"'))
            assert (address, *counts) == (address, 1, 1, 1)


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
