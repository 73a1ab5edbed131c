"""A page comes compressed, and a stream does not."""

import gzip

import pytest

from tests import factories

pytestmark = pytest.mark.django_db

TAKES_GZIP = {"Accept-Encoding": "gzip"}


def test_page_is_compressed_for_those_who_take_it(client):
    plain, packed = client.get("/bots/"), client.get("/bots/", headers=TAKES_GZIP)

    assert "Content-Encoding" not in plain
    assert packed["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed["Vary"]
    assert gzip.decompress(packed.content).startswith(b"<!doctype html>")


def test_a_compressed_page_is_revalidated(client, settings):
    settings.VISITOR_PAGES_KEPT_S = 60
    tag = client.get("/ladders/classic/", headers=TAKES_GZIP)["ETag"]

    again = client.get("/ladders/classic/", headers={**TAKES_GZIP, "If-None-Match": tag})

    assert (again.status_code, again.content) == (304, b"")


def test_api_and_streams_are_left_uncompressed(client):
    match = factories.make_begun_match()

    answers = [
        client.get(address, headers=TAKES_GZIP)
        for address in ("/api/v1/ladders", f"{match.get_absolute_url()}live/")
    ]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert not any("Content-Encoding" in answer for answer in answers)
