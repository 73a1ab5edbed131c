import pytest

from engine import registry
from engine.registry import terminations
from engine.seating import entrant_counts


def test_every_variant_lists_seats_sides_and_entrants(anyone):
    listed = {row["slug"]: row for row in anyone.get("/variants").json()["results"]}

    assert {
        slug: (row["name"], row["title"], row["seats"], row["sides"], row["entrants"])
        for slug, row in listed.items()
    } == {
        slug: (
            variant.name,
            variant.title,
            list(variant.seats),
            {side: list(seats) for side, seats in variant.sides.items()},
            list(entrant_counts(variant)),
        )
        for slug, variant in registry.variants().items()
    }
    assert listed["siege"]["sides"] == {"garrison": ["garrison"], "besiegers": ["white", "black"]}
    assert listed["siege"]["entrants"] == [2, 3]


def test_variant_options_are_those_of_engine(anyone):
    options = anyone.get("/variants/general@1").json()["options"]

    assert options == {
        name: {
            "default": option.default,
            "allowed": list(option.allowed),
            "least": option.least,
            "doc": option.doc,
        }
        for name, option in registry.find("general").options.items()
    }
    assert options["red_by_lot"]["allowed"] == [True, False]


@pytest.mark.parametrize("slug", sorted(registry.variants()))
def test_variant_leads_to_its_page_and_schema(anyone, slug):
    shown = anyone.get(f"/variants/{slug}").json()

    assert shown["url"] == f"/variants/{slug}/"
    assert anyone.get(shown["schema_url"]).json()["title"] == f"{shown['name']}, protocol 1"


@pytest.mark.parametrize("path", ["/variants/chess", "/variants/classic@9", "/variants/no/schema"])
def test_unknown_variant_is_refused_with_known_ones(anyone, path):
    answer = anyone.get(path)

    asked = path.split("/")[2]
    known = ", ".join(variant.name for variant in registry.variants().values())
    assert answer.status_code == 404
    assert answer.json()["detail"] == f"no variant {asked!r}; there are: {known}"


def test_every_ending_word_is_in_schema(anyone):
    schema = anyone.get("/schema/", HTTP_ACCEPT="application/json").json()

    named = schema["components"]["schemas"]["TerminationEnum"]["enum"]
    assert set(named) - {""} == set(terminations())
