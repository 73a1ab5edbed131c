"""Finding variants and choosing options."""

import json
from pathlib import Path
from typing import Any

import pytest

import engine.variants
from engine.errors import UnknownOption, UnknownVariant
from engine.registry import find, resolve_options, variants
from engine.rng import Rng
from tests.unit.engine.games import EVERY


def test_variants_are_found_by_folder_in_alphabetical_order():
    folders = sorted(
        path.parent.name
        for place in engine.variants.__path__
        for path in Path(place).glob("*/rules.py")
    )

    assert list(variants()) == folders
    assert [variant.slug for variant in variants().values()] == folders
    assert len(folders) > 1


@pytest.mark.parametrize("name", ["", "chess", "classic@2", "classic@", "Classic", "classic@1@1"])
def test_unknown_variant_is_answered_with_known_ones(name):
    with pytest.raises(UnknownVariant) as refusal:
        find(name)

    known = ", ".join(variant.name for variant in variants().values())
    assert str(refusal.value) == f"no variant {name!r}; there are: {known}"


@EVERY
def test_unknown_option_or_value_is_refused_with_known(variant):
    known = ", ".join(sorted(variant.options))
    with pytest.raises(UnknownOption) as refusal:
        resolve_options(variant, {"speed": 1})
    assert str(refusal.value) == f"{variant.name} has no option 'speed'; it has: {known}"

    for key, option in variant.options.items():
        strange: list[Any] = ["", 0, -1, 1.5, "no such value", [], {}, (1,)]
        for value in strange:
            with pytest.raises(UnknownOption) as refusal:
                resolve_options(variant, {key: value})
            assert f"{variant.name}: {key} cannot be {json.dumps(value)}; it is " in str(
                refusal.value
            )
            for allowed in option.allowed:
                assert json.dumps(allowed) in str(refusal.value)


def test_chance_is_the_same_everywhere():
    rng = Rng(1, "a label")
    drawn = [rng.below(6) + 1 for _ in range(12)]
    deck = list("abcdef")
    rng.shuffle(deck)

    assert drawn == [3, 3, 6, 6, 5, 2, 3, 3, 6, 2, 6, 4]
    assert deck == list("adecfb")
    assert rng.choice(["only"]) == "only"
    other = Rng(1, "another")
    assert [other.below(6) + 1 for _ in range(12)] != drawn
