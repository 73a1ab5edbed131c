"""What the pages for organizers and authors send to the API is what it takes."""

import re
import shlex

import pytest

from tests import factories
from tests.integration.tournaments import making
from tests.integration.tournaments.test_api_tournaments import etag
from tests.tree import text

pytestmark = pytest.mark.django_db

SITE = re.compile(r"https://arena\.example/api/v1|\$SITE")


def calls(page):
    """Yield the requests to tournaments in the examples: method, address, body and header."""
    for block in re.findall(r"```\w*\n(.*?)```", text(page), re.DOTALL):
        lines = block.replace("\\\n", " ").splitlines()
        for line in lines:
            if line.startswith(("arena -X", "curl -X")) and "/tournaments" in line:
                words = shlex.split(line)
                options = dict(zip(words[4::2], words[5::2], strict=True))
                yield words[2], SITE.sub("", words[3]), options["-d"], options.get("-H", "")


def send(api, call):
    """Send one, with the present tag where it has one."""
    method, address, body, header = call
    slug = address.split("/")[2].partition("?")[0] if address.count("/") > 1 else ""
    headers = {"If-Match": etag(api, slug)} if "If-Match" in header else {}
    options = {"content_type": "application/json", "headers": headers}
    return getattr(api, method.lower())(address, body, **options)


@pytest.fixture
def ada(db):
    """Return the user of the examples, with their bot, on a ladder with others."""
    ada = factories.make_user("ada")
    factories.make_ready(factories.make_bot(ada, slug="mine"))
    for rating in range(1600, 1607):
        making.rated(rating)
    return ada


def test_tournament_is_played_as_organizer_page_says(signed_in, ada):
    api = signed_in(ada)
    asked = list(calls("docs/how-to/run-a-tournament-by-program.md"))

    answers = [send(api, call) for call in asked]

    assert len(asked) == 8
    assert [each.status_code for each in answers] == [201, *[200] * 7], answers[-1].json()
    assert len(answers[3].json()["results"]) == 8
    assert (answers[-2].json()["done"], answers[-1].json()["done"]) == (False, True)
    assert answers[-2].json()["shown"]["seen"] == ""


def test_bot_is_entered_as_author_page_says(signed_in, ada):
    making.make_open(name="Spring Cup")
    ((method, address, body, header),) = calls("docs/how-to/enter-a-tournament.md")

    entered = send(signed_in(ada), (method, address, body.replace("3", "1"), header))

    assert entered.json()["status"] == "entered"
