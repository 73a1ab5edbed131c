"""Uploads, tokens and accounts through their forms; what is wrong is said beside the field."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from arena.domain.bots import languages
from arena.models import ApiToken, Bot, Version
from tests.factories import RANDOM_BOT, make_bot, make_user

pytestmark = pytest.mark.django_db

MIB = 1024 * 1024


@pytest.fixture
def owner(client):
    user = make_user("ada")
    client.force_login(user)
    return user


SOURCE = RANDOM_BOT.encode()


def file(name="bot.py", data=SOURCE):
    return SimpleUploadedFile(name, data)


def test_upload_makes_a_bot_and_shows_its_checklist(client, owner):
    form = {"name": "Red Fox", "description": "sly", "variants": ["classic"], "file": file()}

    response = client.post("/bots/new/", form, follow=True)

    version = Version.objects.get()
    assert (str(version), version.variants) == ("ada/red-fox v1", ["classic"])
    assert response.redirect_chain == [(version.get_absolute_url(), 302)]
    text = response.content.decode()
    assert 'hx-trigger="every 1s"' in text
    assert "Received" in text
    again = client.post("/bots/new/", {**form, "file": file()})
    assert again.context["form"].errors == {
        "name": ["You already have a bot at this address. Choose another name."]
    }


def test_bad_file_refused_in_words_losing_nothing(client, owner):
    form = {"name": "Red Fox", "description": "sly & quick", "variants": ["general"]}

    for upload, said in (
        (
            {"file": file(data=b"#" * (5 * MIB + 1))},
            "The file has 5242881 bytes. The limit is 5 MiB.",
        ),
        ({}, "This field is required."),
    ):
        response = client.post("/bots/new/", form | upload)

        text = response.content.decode()
        assert response.status_code == 400
        assert said in text
        assert 'value="Red Fox"' in text
        assert "sly &amp; quick" in text
        assert re.search(r'value="general" id="id_variants_\d+" checked', " ".join(text.split()))
    assert Bot.objects.count() == 0


def test_the_owner_edits_name_and_description(client, owner):
    bot = make_bot(owner, "fox")
    page = client.get("/bots/ada/fox/edit/").content.decode()
    texts = {"name": "Grey Fox", "description": "sly"}

    response = client.post("/bots/ada/fox/edit/", texts, follow=True)

    bot.refresh_from_db()
    assert 'value="fox"' in page
    assert (bot.name, bot.description, bot.slug) == ("Grey Fox", "sly", "fox")
    assert response.redirect_chain == [("/bots/ada/fox/", 302)]
    refused = client.post("/bots/ada/fox/edit/", {**texts, "name": "a/b"})
    assert (refused.status_code, 'value="a/b"' in refused.content.decode()) == (400, True)


def test_form_offers_only_languages_runners_play(client, owner):
    make_bot(owner, "fox")
    pages = ("/bots/new/", "/bots/ada/fox/versions/new/")
    for address in pages:
        assert 'accept=".py,.js,.mjs,.c,.cpp,.cc,.java,.zip"' in page_of(client, address)
    languages.report(names=["python"], takes_uploads=True)

    for address in pages:
        text = " ".join(page_of(client, address).split())

        assert "One .py file, or a .zip with a drapeau.toml." in text
        assert 'accept=".py,.zip"' in text
        for other in ("Java", "Node", ".cpp", "compiled", "nothing contains", "trusts"):
            assert other not in text
    languages.report(names=["python"], takes_uploads=False)
    assert "This site plays only bots that its operator trusts" in page_of(client, "/bots/new/")


def page_of(client, address):
    return client.get(address).content.decode()


def test_token_is_shown_once_and_revoked(client, owner):
    made = client.post("/account/tokens/", {"name": "laptop", "scopes": ["read"]})
    secret = made.context["secret"]
    token = ApiToken.objects.get()

    assert secret.startswith("drp_")
    assert made.content.decode().count(secret) == 1
    assert secret not in client.get("/account/tokens/").content.decode()
    assert token.scopes == ["read"]
    form = client.get("/account/tokens/").context["form"]
    assert form["scopes"].initial == ["read", "bots:write"]
    assert "staff:write" not in dict(form.fields["scopes"].choices)
    client.post(reverse("token-revoke", args=[token.public_id]))
    assert ApiToken.objects.count() == 0
