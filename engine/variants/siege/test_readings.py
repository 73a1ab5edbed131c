"""What fills the gaps of the sheet of `siege`: sources, readings and house rules."""

from collections import Counter
from typing import Any

import pytest

from engine.errors import MalformedAction
from engine.outcome import Termination
from engine.registry import resolve_options
from engine.rng import Rng
from engine.variant import FULL, PUBLIC
from engine.variants.siege.army import ARMIES, SETUPS
from engine.variants.siege.rules import VARIANT
from tests.unit.engine.sieges import (
    DIAGONAL,
    DRAWN,
    FAR_DIAGONAL,
    FAR_STRAIGHT,
    LIFTED,
    SHADE_OF,
    STRAIGHT,
    WON,
    Siege,
    around,
    begun,
    besieged,
    white_moves,
)


@pytest.mark.rule("DE2")
def test_each_besieger_has_six_officers_and_twelve_soldiers():
    for seat in ("white", "black"):
        stands = [p["rank"] for p in begun().view["pieces"] if p["seat"] == seat]
        assert Counter(stands) == ARMIES[seat] == {"G": 1, "C": 1, "K": 2, "L": 2, "S": 12}


@pytest.mark.rule("DE3", "DX3")
def test_armies_begin_in_two_files_at_each_end():
    placed = {p["square"]: p["rank"] for p in begun().view["pieces"] if p["seat"] == "white"}
    turned = {
        f"{chr(ord('p') - ord(p['square'][0]) + ord('a'))}{13 - int(p['square'][1:])}": p["rank"]
        for p in begun().view["pieces"]
        if p["seat"] == "black"
    }

    assert placed == turned
    assert placed == {f"b{n}": "S" for n in range(1, 13)} | dict(
        zip(("a4", "a5", "a6", "a7", "a8", "a9"), "LKCGKL", strict=True)
    )
    for rank, each in (("S", 6), ("L", 1)):
        shades = Counter(SHADE_OF[square] for square, code in placed.items() if code == rank)
        assert shades == {0: each, 1: each}


@pytest.mark.rule("DE4")
def test_each_army_may_begin_on_own_colour_squares():
    view = begun(setup="own_colour").view
    for seat, shade, files in (("white", 1, "abc"), ("black", 0, "pon")):
        squares = [p["square"] for p in view["pieces"] if p["seat"] == seat]
        assert {SHADE_OF[square] for square in squares} == {shade}
        assert Counter(square[0] for square in squares) == dict.fromkeys(files, 6)
    assert len(SETUPS) == 2


@pytest.mark.rule("DE5")
def test_need_inside_may_be_three_soldiers_and_officer():
    def game(white: str) -> Siege:
        return besieged("Ga1", white=white, black="Se6", turn="black", need_inside="3+1")

    two, three = game("SN LNE"), game("SN SS LNE")
    two.play("e6-W")
    three.play("e6-W")

    assert two.result is None
    assert three.ending == ("fort_entered", WON)


@pytest.mark.rule("DX4")
def test_besieging_generals_colonels_captains_by_long_table():
    far = around("c6", *FAR_STRAIGHT)
    assert white_moves("G") == around("c6", *STRAIGHT, *DIAGONAL, *FAR_DIAGONAL) | far
    assert white_moves("C") == around("c6", *STRAIGHT) | far
    assert white_moves("K") == around("c6", *STRAIGHT, *DIAGONAL)
    for rank, wrong in (("G", "c6-d8"), ("C", "c6-d7"), ("K", "c6-c8")):
        besieged("GN", white=f"{rank}c6", turn="white").refused(wrong, "DX4")


@pytest.mark.rule("DX4")
def test_besieging_generals_colonels_captains_by_short_table():
    near = around("c6", *STRAIGHT)
    assert white_moves("G", moves="range1") == near | around("c6", *DIAGONAL)
    assert white_moves("C", moves="range1") == near
    assert white_moves("K", moves="range1") == near | around("c6", *FAR_STRAIGHT)
    assert white_moves("L", moves="range1") == white_moves("L")
    assert white_moves("S", moves="range1") == white_moves("S")


@pytest.mark.rule("DX5")
def test_a_place_holds_one_piece_and_nobody_leaps():
    game = besieged("GN CNE", white="Gc6 Sc7 Sd6", turn="white")
    game.refused("c6-c7", "DX5")
    game.refused("c6-c8", "DX5")
    besieged("GN CNE").refused("N-NE", "DX5")


@pytest.mark.rule("DX6")
def test_besieger_passes_only_without_a_move():
    game = besieged("Ga12", white="Sa1 Sb2 Sc3", black="Sp2", turn="white")
    game.refused("pass", "DX6")
    alone = besieged("Ga12", black="Sp2", turn="white")

    assert VARIANT.legal(alone.state, "white") == ["pass"]
    with pytest.raises(MalformedAction):
        alone.play("pass!")
    (event,) = alone.play("pass")
    assert event.seen_by(PUBLIC) == {"type": "passed", "seat": "white", "turn": 2}
    assert (alone.turn, alone.view["ply"]) == ("garrison", 1)


@pytest.mark.rule("DX6")
def test_under_the_other_reading_the_ally_moves_instead():
    game = besieged("Ga12", black="Sp2", besieger_pass=False)

    game.play("a12-a11")
    assert game.turn == "black"
    game.refused("pass", "DX6")
    game.play("p2-o3", "a11-a12")
    assert game.turn == "black"
    alone = besieged("Ga12", besieger_pass=False)
    alone.play("a12-a11", "a11-a12")
    assert (alone.turn, alone.view["ply"]) == ("garrison", 2)


@pytest.mark.rule("DX7")
def test_besiegers_inside_the_fort_stay_there():
    besieged("Ga1", white="SW", turn="white").refused("W-e7", "DX7")
    besieged("Ga1", white="GW", turn="white").refused("W-e7", "DX7")
    assert "W-e6" in besieged("GW", black="Sp1", turn="garrison").moves()


@pytest.mark.rule("DX7", "D2")
def test_leaving_lieutenants_and_soldiers_keep_their_colour():
    """Circles have no colour; the pieces here come from a1, which is dark."""
    for rank in "LS":
        game = besieged("Ga12", white=f"{rank}W", turn="white", besiegers_may_leave=True)
        assert "e7" in game.moves_from("W")
        game.refused("W-e6", "D2")
    for rank in "GCK":
        game = besieged("Ga12", white=f"{rank}W", turn="white", besiegers_may_leave=True)
        assert {"e6", "e7"} <= game.moves_from("W")


@pytest.mark.rule("DX7", "D32")
def test_besieger_inside_protects_gate_only_where_leaving_allowed():
    besieged("Ge5", white="Se6 GW", besiegers_may_leave=True).refused("e5-e6", "D32")
    assert "e5-e6" in besieged("Ge5", white="Se6 GW").moves()


@pytest.mark.rule("DX8")
@pytest.mark.parametrize(("caps", "points"), [("progress", LIFTED), ("draw", DRAWN)])
def test_a_game_ends_after_so_many_plies(caps, points):
    game, rng = begun(max_plies=5, caps=caps), Rng(0)
    while game.result is None:
        game.play(rng.choice(sorted(game.moves())))

    assert game.view["ply"] == 5
    assert game.ending == ("ply_cap", points)


@pytest.mark.rule("DX9")
def test_game_ends_after_plies_without_capture_or_entry():
    def game() -> Siege:
        return besieged("Gc6", white="Sc7 Se6 Sb1", black="Sp2", no_progress_plies=3)

    capture, entry, nothing = game(), game(), game()
    nothing.play("c6-c5", "b1-c2", "c5-b5")
    capture.play("c6-c7", "b1-c2", "c7-c6")
    entry.play("c6-c5", "e6-W", "c5-b5")

    assert nothing.ending == ("no_progress_cap", LIFTED)
    assert capture.result is entry.result is None
    assert (capture.view["no_progress_plies"], entry.view["no_progress_plies"]) == (2, 1)


@pytest.mark.rule("DX9")
def test_only_first_entry_of_piece_is_progress():
    game = besieged("Ga12", white="Ge6", black="Sp2", turn="white", besiegers_may_leave=True)
    game.play("e6-W", "a12-a11", "p2-o3", "a11-a12", "W-e6", "a12-a11", "o3-p2", "a11-a12")

    game.play("e6-W")

    assert game.view["no_progress_plies"] == 8


def capped(inside: str = "", taken: tuple[int, int] = (0, 0), **options: Any) -> Siege:
    """Return a game that a cap ends with the next ply, with besiegers in the fort."""
    game = besieged("Ga12", white=f"Sb1 {inside}", taken=taken, max_plies=1, **options)
    game.play("a12-a11")
    return game


@pytest.mark.rule("DX20")
@pytest.mark.parametrize(
    ("inside", "taken", "points"),
    [
        ("", (0, 0), LIFTED),  # who stays at home has no siege to show
        ("SN", (0, 0), WON),
        ("LN", (0, 0), WON),
        ("SN", (9, 0), WON),
        ("SN", (10, 0), DRAWN),
        ("SN", (4, 6), DRAWN),
        ("SN", (4, 7), DRAWN),  # a seventh officer brings the garrison no nearer
        ("SN", (5, 7), LIFTED),
        ("SN SS", (19, 0), WON),
        ("SN SS", (20, 0), DRAWN),
        ("SN SS SE", (20, 0), DRAWN),  # a third soldier brings the besiegers no nearer
        ("LN GE", (9, 0), WON),
        ("LN GE", (10, 0), DRAWN),
        ("LN SE", (20, 1), LIFTED),
    ],
)
def test_greater_share_of_aim_wins_at_cap(inside, taken, points):
    assert capped(inside, taken).ending == ("ply_cap", points)
    assert capped(inside, taken, caps="draw").ending == ("ply_cap", DRAWN)


@pytest.mark.rule("DX20", "DE5")
def test_share_counts_all_needed_inside():
    assert capped("SN", (7, 0), need_inside="3+1").ending[1] == WON
    assert capped("SN", (8, 0), need_inside="3+1").ending[1] == LIFTED
    assert capped("SN SE SS", (16, 6), need_inside="3+1").ending[1] == WON
    assert capped("SN SE", (10, 5), need_inside="3+1").ending[1] == DRAWN


@pytest.mark.rule("DX20", "DX9")
def test_progress_decides_at_no_progress_cap():
    game = besieged("Gc6", white="Sb1 SN", no_progress_plies=2)

    game.play("c6-c5", "b1-c2")

    assert game.ending == ("no_progress_cap", WON)
    assert game.result is not None
    assert game.result.detail == (
        "2 plies went by without a capture or an entry; 1 of 3 are inside, 0 of 30 are captured"
    )


@pytest.mark.rule("DX11")
def test_soldiers_start_on_both_colours_and_keep_theirs():
    stands = {p["square"] for p in begun().view["pieces"] if p["seat"] == "white"}

    assert {SHADE_OF[square] for square in stands} == {0, 1}
    assert {SHADE_OF[to] for to in white_moves("S", "c6")} == {SHADE_OF["c6"]}
    assert {SHADE_OF[to] for to in white_moves("S", "c7")} == {SHADE_OF["c7"]}


@pytest.mark.rule("DX12")
def test_circles_have_no_colour_and_first_square_binds():
    game = begun("SSSSSSGC")
    assert {piece["bound"] for piece in game.view["pieces"]} == {None}

    taking = besieged("SW", white="Se7")
    taking.play("W-e7")

    assert taking.view["pieces"][0]["bound"] == "dark"


@pytest.mark.rule("DI7")
def test_every_observer_sees_the_same_from_the_beginning():
    for actions in (0, 1, 40):
        state, rng = VARIANT.begin(resolve_options(VARIANT, {}), 0), Rng(actions)
        for _ in range(actions):
            (seat,) = VARIANT.asked(state)
            VARIANT.apply(state, seat, VARIANT.sample(state, seat, rng))
        views = [VARIANT.view(state, who) for who in (*VARIANT.seats, PUBLIC, FULL)]
        assert all({**view, "observer": ""} == {**views[0], "observer": ""} for view in views)


@pytest.mark.rule("DX21")
@pytest.mark.parametrize(
    ("seat", "points"), [("garrison", WON), ("white", LIFTED), ("black", LIFTED)]
)
def test_who_resigns_loses_for_its_side(seat, points):
    game = besieged("Gc6", white="Sb1", black="So1", turn=seat)

    game.play("resign")

    assert game.ending == (Termination.RESIGNED, points)
    assert game.result is not None
    assert (game.result.fault, game.result.detail) == (None, f"{seat} resigned")


@pytest.mark.rule("DX21")
def test_garrison_may_resign_before_placing():
    state = VARIANT.begin(resolve_options(VARIANT, {}), 0)

    VARIANT.apply(state, "garrison", "resign")

    assert (VARIANT.ply(state), VARIANT.phase(state)) == (0, "over")
