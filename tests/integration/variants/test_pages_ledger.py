"""The ledger: every sentence with its source, its kind and the tests that hold it."""

import re

import pytest

from arena.domain.variants import rulebook
from engine import registry
from tests.integration.matches.test_pages_forensics import read

pytestmark = pytest.mark.django_db

KEEPING = [slug for slug in registry.variants() if rulebook.ledger(slug)]


@pytest.mark.parametrize("slug", KEEPING)
def test_every_sentence_is_a_row_with_its_tests(client, slug):
    text = read(client, f"/variants/{slug}/ledger/")

    sentences = rulebook.ledger(slug)
    assert re.findall(r'<tr id="(\w+)">', text) == [sentence.id for sentence in sentences]
    named = re.findall(r"<code>(test_\w+)</code>", text.replace("<wbr>", ""))
    assert named == [test for sentence in sentences for test in sentence.tests]


def test_a_kind_that_is_not_is_not_found(client):
    assert client.get("/variants/classic/ledger/?kind=hearsay").status_code == 404


@pytest.mark.parametrize("slug", KEEPING)
def test_the_ledger_can_be_read_by_programs(client, slug):
    answer = client.get(f"/api/v1/variants/{slug}/ledger").json()

    assert answer["variant"] == registry.find(slug).name
    assert [row["id"] for row in answer["sentences"]] == [
        sentence.id for sentence in rulebook.ledger(slug)
    ]
    assert set(answer["sentences"][0]) == {"id", "kind", "source", "text", "tests"}


def test_tests_are_found_by_the_ids_on_them():
    one = '@pytest.mark.rule("A1", "A3")\ndef test_one(): ...\ndef test_two(): ...\n'
    other = '@pytest.mark.alone\n@pytest.mark.rule("A1")\ndef test_three(): ...\n'
    shared = '@pytest.mark.rule(general=("A3", "A4"), classic="B1")\ndef test_four(): ...\n'

    assert rulebook.tests_by_id([one, other, shared], "general") == {
        "A1": ["test_one", "test_three"],
        "A3": ["test_one", "test_four"],
        "A4": ["test_four"],
    }
