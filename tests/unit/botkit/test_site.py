"""The client of a site: addresses, redirects, refusals in words, pages and lost answers."""

import json

import pytest

from botkit.site import BadAddress, SiteClient, address_of
from tests.unit.botkit.homes import drapeau, refusal
from tests.unit.botkit.small_site import LOST, problem, serve

LADDERS = "GET /api/v1/ladders"


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("https://arena.example", "https://arena.example"),
        ("https://arena.example/ladders/?x=1", "https://arena.example"),
        ("arena.example", "https://arena.example"),
        ("arena.example:8443", "https://arena.example:8443"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        ("localhost:8000", "http://localhost:8000"),
    ],
)
def test_an_address_is_scheme_host_and_port(given, address):
    assert address_of(given) == address


@pytest.mark.parametrize(
    "given",
    [
        "http://arena.example",
        "http://192.168.0.7",
        "http://127.0.0.1.example",
        "http://localhost.example",
        "http://localhost@arena.example",
        "https://ada:secret@arena.example",
        "ftp://arena.example",
        "file:///etc/passwd",
        "https://",
        "https://arena.example:port",
        "https://arena .example",
        "https://[::1",
        "",
        "foo",
    ],
)
def test_bad_or_token_leaking_address_is_refused(given):
    with pytest.raises(BadAddress):
        address_of(given)


def test_plain_http_needs_the_word_of_the_author():
    assert address_of("http://arena.lan", insecure_http=True) == "http://arena.lan"


def test_no_redirect_takes_the_token_along(site, capfd):
    other, server = serve()
    there = f"{other.url}/api/v1/ladders"
    for status in (301, 302, 303, 307, 308):
        site.tell(LADDERS, (status, b"", {"Location": there}))
        said = refusal(capfd, "leaderboard", status=4)
        assert f"sends this command on to {there}. It does not follow" in said
    server.shutdown()
    server.server_close()

    assert [each.headers["Authorization"] for each in site.asked] == [
        "Bearer secretsecretsecret"
    ] * 5
    assert other.asked == []


def test_next_page_is_asked_of_same_site(site, capfd):
    rows = [{"slug": name, "variant": "v", "entrants_per_match": 2, "is_open": True, "url": "/x/"}
            for name in ("one", "two", "three")]  # fmt: skip
    following = "https://elsewhere.example/api/v1/ladders?cursor=a%2Bb&page_size=2"
    site.tell(
        LADDERS,
        {"next": following, "previous": None, "results": rows[:2]},
        {"next": None, "previous": None, "results": rows[2:]},
    )
    said = json.loads(drapeau(capfd, "leaderboard", "--json"))

    assert [row["slug"] for row in said["results"]] == ["one", "two", "three"]
    assert site.asked[1].path == "/api/v1/ladders?cursor=a%2Bb&page_size=2"


SIGNED_OUT = problem(401, "bad_token", "The token is not accepted", "No such token.", "Make one.")
MISSING = problem(404, "not_found", "There is no such thing", "Not found.", "/api/v1/docs/")
WRONG = problem(
    *(400, "invalid", "Some values are not valid", "a: Bad.", "Correct 'errors'."),
    errors=[{"field": "a", "message": "Bad."}, {"field": "b", "message": "Worse."}],
)
REFUSALS = {
    "signed out": (SIGNED_OUT, 5),
    "forbidden": (problem(403, "staff_only", "This is for staff", "Only they.", "Ask them."), 1),
    "missing": (MISSING, 2),
    "unknown bot": (problem(400, "unknown_bot", "No", "There is no bot a/b.", ""), 2),
    "wrong": (WRONG, 2),
    "broken": ((502, b"<h1>Bad gateway</h1>"), 1),
    "odd": ((500, b'{"title": 5}'), 1),
    "stranger": ((404, b"<h1>Not found</h1>"), 4),
    "another": ((200, b"<h1>Welcome</h1>"), 4),
    "lost": (LOST, 4),
}
SAID = {
    "signed out": "The token is not accepted: No such token. Log in again: drapeau login {url}. "
    "The token is that of DRAPEAU_TOKEN, which comes before one that is kept\n",
    "forbidden": "This is for staff: Only they. Ask them.\n",
    "unknown bot": "No: There is no bot a/b.\n",
    "missing": "There is no such thing: {url} has nothing at ladders. "
    "List what there is: drapeau leaderboard\n",
    "wrong": "Some values are not valid: a: Bad.; b: Worse.\n",
    "broken": "{url} answers with 502 Bad Gateway. Try again later\n",
    "odd": "{url} answers with 500 Internal Server Error. Try again later\n",
    "stranger": "there is no Drapeau at {url}: it answers with 404 Not Found. Check the address\n",
    "another": "{url} answers, but not as a site of Drapeau does. Check the address\n",
    "lost": "{url} does not answer: the connection ended before the answer did. "
    "Check the address and the network: drapeau doctor\n",
}


@pytest.mark.parametrize("kind", REFUSALS)
def test_a_refusal_says_what_why_and_what_next(kind, site, capfd):
    answer, status = REFUSALS[kind]
    site.tell(LADDERS, answer)

    assert refusal(capfd, "leaderboard", status=status) == SAID[kind].format(url=site.url)


def test_lost_answer_is_asked_again_with_same_key(site):
    made = {"number": 1}
    site.tell("POST /api/v1/bots/ada/rook/versions", LOST, made)
    client = SiteClient(site.url, "secretsecretsecret")
    address = ("bots", "ada", "rook", "versions")

    assert client.upload(*address, filename='a"b\r\n.zip', data=b"the file") == made
    keys = [each.headers["Idempotency-Key"] for each in site.asked]
    assert len(keys) == 2
    assert len(set(keys)) == 1
    assert site.asked[0].body == site.asked[1].body
    assert b'filename="a_b__.zip"' in site.asked[0].body
    assert b"\r\n\r\nthe file\r\n--" in site.asked[0].body


def test_a_name_stays_one_part_of_the_address(site):
    with pytest.raises(Exception, match=r"has nothing at ladders/a/\.\./b"):
        SiteClient(site.url).get("ladders", "a/../b?c")
    assert site.asked[0].path == "/api/v1/ladders/a%2F..%2Fb%3Fc"


def test_without_a_token_none_is_sent(site):
    site.tell(LADDERS, {})
    SiteClient(site.url).get("ladders")

    assert "Authorization" not in site.asked[0].headers
