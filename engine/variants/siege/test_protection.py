"""Which pieces are protected in `siege` (rule 16, figures B and C)."""

from collections import Counter

import pytest

from engine.rng import Rng
from engine.variants.siege.board import CIRCLES, SQUARES
from engine.variants.siege.moves import garrison_moves
from tests.unit.engine.sieges import DIAGONAL, STRAIGHT, Siege, around, besieged

Ways = set[frozenset[str]]


def brute_force_captures(game: Siege) -> set[str]:
    """Find the captures anew, from nothing but the picture of the board and the sheet's words."""
    view = game.view
    stands = {p["square"]: (p["seat"] != "garrison", p["rank"]) for p in view["pieces"]}
    gates = view["board"]["gates"].items()
    ways = {frozenset(way) for way in view["board"]["ways"]}
    ways |= {frozenset((gate, square)) for gate, squares in gates for square in squares}
    taken = set()
    for start, (besieger, rank) in stands.items():
        for target in reached(ways, start, rank, stands) if not besieger else ():
            there, victim = stands.get(target, (False, ""))
            after = {
                place: piece for place, piece in stands.items() if place not in (start, target)
            }
            guarded = any(
                target in reached(ways, place, guard, after)
                for place, (enemy, guard) in after.items()
                if enemy and not (place in CIRCLES and target not in CIRCLES)
            )
            if there and not guarded and not (target in CIRCLES and victim == "S"):
                taken.add(f"{start}-{target}")
    return taken


def reached(ways: Ways, start: str, rank: str, stands: dict[str, tuple[bool, str]]) -> set[str]:
    """Return the places that a piece could come to, whatever stands on the last of them."""
    places = {place for way in ways if start in way for place in way - {start}}
    if start in CIRCLES:
        return places
    besieger = stands.get(start, (False, ""))[0]
    steps = {"G": STRAIGHT + DIAGONAL, "K": STRAIGHT + DIAGONAL, "C": STRAIGHT}.get(rank, DIAGONAL)
    for x, y in steps:
        (one,) = around(start, (x, y))
        (two,) = around(start, (2 * x, 2 * y))
        places |= {one} & set(SQUARES)
        if besieger and rank in "GCL" and one in SQUARES and one not in stands:
            places |= {two} & set(SQUARES)
    return places


@pytest.mark.rule("D32", "DX16")
def test_capture_is_legal_where_no_besieger_could_recapture():
    near = [name for name in SQUARES if name[0] in "cdelmn"] + list(CIRCLES)
    seen: Counter[bool] = Counter()
    for rng_seed in range(60):
        rng = Rng(rng_seed, "protection")
        rng.shuffle(near)
        ranks = [rng.choice("GCKLSSS") for _ in range(18)]
        besiegers = [rank + place for rank, place in zip(ranks, near[8:], strict=False)]
        garrison = [r + p for r, p in zip("GCGCGCSS", near, strict=False) if r + p[-1:] != "S"]
        game = besieged(" ".join(garrison[:6]), white=" ".join(besiegers[:9]),
                        black=" ".join(besiegers[9:]))  # fmt: skip
        found = {text for text in garrison_moves(game.state) if game.on(text.split("-")[1])}
        assert found == brute_force_captures(game)
        seen[len(found) > 0] += 1
    assert seen[True] > 20


@pytest.mark.rule("D32", "DX16")
def test_protection_is_judged_once_capturer_left_its_square():
    """The colonel on c4 opens the line from c5 to c3 by its own capture."""
    besieged("Cc4", white="Sc3", black="Cc5").refused("c4-c3", "D32")
    besieged("Cc4 Sd6", white="Sc3", black="Cc6").play("c4-c3")
    besieged("Gc4 Sd4", white="Se4", black="Lc6").refused("d4-e4", "D13")


@pytest.mark.rule("D33", "DX16")
def test_figure_b_soldier_protected_by_other_army():
    game = besieged("Sc3", white="Se5", black="Sd4")

    game.refused("c3-d4", "D32")
    assert besieged("Sc3", white="Se6", black="Sd4").play("c3-d4")[0].kind == "captured"


@pytest.mark.rule("D34")
@pytest.mark.parametrize("target", ["c4", "d4"])
def test_figure_c_adjacent_soldiers_do_not_protect(target):
    game = besieged("Gc3", white="Sd4", black="Sc4")

    assert {"c3-c4", "c3-d4"} <= game.moves()
    assert game.play(f"c3-{target}")[0].kind == "captured"
