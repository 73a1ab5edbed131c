"""The rules of `siege`, sentence by sentence (ids D1 to D38, and the readings that fill its gaps).

Longer than the house rule: one test for every sentence, in the order of the sheet.
"""

from collections import Counter
from itertools import product
from typing import Any

import pytest

from engine.errors import IllegalAction, IllegalDeployment, MalformedAction
from engine.outcome import Termination
from engine.registry import resolve_options
from engine.rng import Rng
from engine.variant import FULL, PUBLIC
from engine.variants.siege.army import ARMIES, SETUPS
from engine.variants.siege.board import CIRCLES, EXITS, NAMES, SHADE, SQUARES
from engine.variants.siege.moves import garrison_moves
from engine.variants.siege.play import PLACINGS
from engine.variants.siege.rules import VARIANT
from tests.engine.sieges import Siege, begun, besieged

WON = {"garrison": 0.0, "besiegers": 1.0}
LIFTED = {"garrison": 1.0, "besiegers": 0.0}
DRAWN = {"garrison": 0.5, "besiegers": 0.5}
SHADE_OF = dict(zip(SQUARES, SHADE, strict=True))
HOME = "GN CNE SE SSE SS SSW SW SNW"  # the whole garrison inside


def around(square: str, *steps: tuple[int, int]) -> set[str]:
    """Give the squares that lie some steps from another."""
    x, y = ord(square[0]), int(square[1:])
    return {f"{chr(x + right)}{y + up}" for right, up in steps}


STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
FAR_STRAIGHT = ((0, 2), (2, 0), (0, -2), (-2, 0))
FAR_DIAGONAL = ((2, 2), (2, -2), (-2, -2), (-2, 2))


def white_moves(rank: str, square: str = "c6", **options: Any) -> set[str]:
    """Say where a lone besieger may go."""
    return besieged("GN", white=f"{rank}{square}", turn="white", **options).moves_from(square)


def garrison_goes(rank: str, square: str = "c6", white: str = "") -> set[str]:
    """Say where a lone piece of the garrison may go."""
    return besieged(f"{rank}{square}", white=white).moves_from(square)


# --- the besiegers -------------------------------------------------------------------------------


@pytest.mark.rule("D1")
def test_a_lieutenant_goes_one_or_two_squares_diagonally_over_free_squares():
    assert white_moves("L") == around("c6", *DIAGONAL, *FAR_DIAGONAL)
    game = besieged("GN", white="Lc6 Sd7 Sb5", turn="white")
    game.refused("c6-e8", "D1")
    game.refused("c6-f9", "DE1")
    game.refused("c6-a4", "D1")
    assert game.moves_from("c6") == {"d5", "e4", "b7", "a8"}
    besieged("GN", white="Lc3", turn="white").refused("c3-f6", "DE1")
    besieged("GN", white="La1", turn="white").refused("a1-d4", "D1")


@pytest.mark.rule("D2")
def test_lieutenants_never_leave_the_colour_of_their_squares():
    for rng_seed in range(4):
        game, rng = begun(), Rng(rng_seed, "walk")
        shades = {
            piece["id"]: SHADE_OF[piece["square"]]
            for piece in game.view["pieces"]
            if piece["rank"] in "LS" and piece["seat"] != "garrison"
        }
        while game.result is None and game.view["ply"] < 400:
            game.play(rng.choice(sorted(game.moves())))
            for piece in game.view["pieces"]:
                if piece["id"] in shades and piece["square"] in SHADE_OF:
                    assert SHADE_OF[piece["square"]] == shades[piece["id"]]
    besieged("GN", white="Lc6", turn="white").refused("c6-c7", "D2")


@pytest.mark.rule("D3")
def test_a_besieging_soldier_goes_one_square_diagonally_in_all_four_ways():
    assert white_moves("S") == around("c6", *DIAGONAL)
    game = besieged("GN", white="Sc6", turn="white")
    for to in ("c7", "d6", "e8", "a4"):
        game.refused(f"c6-{to}", "D3")


@pytest.mark.rule("D4", "DI2")
def test_a_soldier_in_the_fort_cannot_be_captured_but_an_officer_there_can():
    game = besieged("GN Se3", white="SNE", black="LNW")

    game.refused("N-NE", "D4")
    assert "N-NW" in game.moves()
    (event, *_) = game.play("N-NW")
    assert (event.kind, event.public["taken"]["rank"]) == ("captured", "L")
    assert game.view["taken"] == {"soldiers": 0, "officers": 1}
    assert besieged("GW", white="Se6").play("W-e6")[0].kind == "captured"


@pytest.mark.rule("D5", "DI5")
@pytest.mark.parametrize(
    ("white", "black", "move", "won"),
    [
        ("SN LNE", "Se6", "e6-W", True),
        ("SN Ce6", "SS", "e6-W", True),
        ("SN SNE", "Se6", "e6-W", False),
        ("SN", "Ke6", "e6-W", False),
        ("LN CNE", "Se6", "e6-W", False),
    ],
)
def test_two_soldiers_and_an_officer_of_any_army_inside_at_once_win(white, black, move, won):
    mover = "black" if "e6" in black else "white"
    game = besieged("Ga1", white=white, black=black, turn=mover)

    game.play(move)

    assert (game.result is not None) == won
    if won:
        assert game.ending == (Termination.FORT_ENTERED, WON)


@pytest.mark.rule("D6", "D21")
def test_a_garrison_that_is_to_move_and_cannot_has_lost():
    game = besieged("Sa3", white="Sb2 Sa5 Sd2", black="Sb4 Sc1 Sc5 Sc3", turn="white")
    assert game.result is None

    game.play("d2-e1")

    assert game.ending == (Termination.GARRISON_BLOCKED, WON)


# --- the garrison --------------------------------------------------------------------------------


@pytest.mark.rule("D7")
def test_the_general_goes_one_square_any_way():
    assert garrison_goes("G") == around("c6", *STRAIGHT, *DIAGONAL)
    besieged("Gc6").refused("c6-c8", "D7")


@pytest.mark.rule("D8")
def test_the_general_captures_any_way_on_either_colour():
    for target in around("c6", *STRAIGHT, *DIAGONAL):
        game = besieged("Gc6", white=f"S{target}")
        (event, *_) = game.play(f"c6-{target}")
        assert event.kind == "captured"
        assert game.on(target) == "garrison G"
    besieged("Gc6", white="Sc8").refused("c6-c8", "D8")


@pytest.mark.rule("D9")
def test_the_colonel_goes_one_square_forward_back_or_sideways():
    assert garrison_goes("C") == around("c6", *STRAIGHT)
    for nowhere in ("c6-c8", "c6-c6"):
        besieged("Cc6").refused(nowhere, "D9")


@pytest.mark.rule("D10")
def test_the_colonel_captures_the_same_way():
    for target in around("c6", *STRAIGHT):
        assert besieged("Cc6", white=f"S{target}").play(f"c6-{target}")[0].kind == "captured"
    besieged("Cc6", white="Sc8").refused("c6-c8", "D10")


@pytest.mark.rule("D11")
def test_the_colonel_never_goes_diagonally():
    for target in around("c6", *DIAGONAL):
        besieged("Cc6").refused(f"c6-{target}", "D11")
        besieged("Cc6", white=f"S{target}").refused(f"c6-{target}", "D11")


@pytest.mark.rule("D12")
def test_a_garrison_soldier_goes_one_square_diagonally():
    assert garrison_goes("S") == around("c6", *DIAGONAL)
    for target in ("c7", "e8", "d6"):
        besieged("Sc6").refused(f"c6-{target}", "D12")


@pytest.mark.rule("D13")
def test_a_garrison_soldier_captures_the_same_way():
    for target in around("c6", *DIAGONAL):
        assert besieged("Sc6", white=f"S{target}").play(f"c6-{target}")[0].kind == "captured"
    for target in around("c6", *STRAIGHT):
        besieged("Sc6", white=f"S{target}").refused(f"c6-{target}", "D13")


@pytest.mark.rule("D14")
def test_only_three_garrison_soldiers_go_to_squares_of_one_colour():
    three_light = "Sa2 Sa4 Sc2"
    game = besieged(f"{three_light} SW SE Gc8")

    assert game.moves_from("W") == {"e7", "NW", "SW", "N", "S"}
    assert game.moves_from("E") == {"l6", "NE", "SE", "N", "S"}
    game.refused("W-e6", "D14")
    assert besieged("Sa2 Sa4 SW Gc8").moves_from("W") >= {"e6", "e7"}
    assert besieged(f"{three_light} GW").moves_from("W") >= {"e6", "e7"}


@pytest.mark.rule("D14")
def test_the_third_of_a_colour_is_counted_for_life_and_closes_it_to_the_free():
    game = besieged("Sa2 Sa4 SW Gc8 SE", white="Sp2")
    game.play("W-e6", "p2-o3", "e6-W", "pass")

    assert game.moves_from("W") == {"e6", "NW", "SW", "N", "S"}
    assert game.moves_from("E") == {"l6", "NE", "SE", "N", "S"}


@pytest.mark.rule("D14")
def test_who_has_gone_back_inside_still_counts_when_the_third_steps_out():
    game = besieged("Sa2 SW SE SN Gc8", white="Sp2")
    game.play("W-e6", "p2-o3", "e6-W", "pass", "E-l7", "o3-p2", "l7-m8", "pass", "N-E", "p2-o3")

    assert game.moves_from("E") == {"l6", "NE", "SE", "N", "S"}
    game.refused("E-l7", "D14")


@pytest.mark.rule("D15")
@pytest.mark.parametrize(("out", "other"), [("e6", "e7"), ("e7", "e6")])
def test_a_soldier_keeps_the_colour_of_its_first_square_for_life(out, other):
    game = besieged("SW Ga1", white="Sp2")
    assert {piece["bound"] for piece in game.view["pieces"]} == {None}

    game.play(f"W-{out}", "p2-o3", f"{out}-W", "pass")

    assert game.view["pieces"][0]["bound"] == ("light" if out == "e6" else "dark")
    game.refused(f"W-{other}", "D15")
    assert out in game.moves_from("W")


@pytest.mark.rule("D16")
def test_the_three_armies_have_three_colours():
    scene = VARIANT.scene(begun().view)

    assert Counter(piece.side for piece in scene.pieces) == {
        "garrison": 8,
        "white": 18,
        "black": 18,
    }


@pytest.mark.rule("D17", "DI1")
@pytest.mark.parametrize("wrong", ["GCSSSSS", "GGSSSSSS", "GCCSSSSS", "SSSSSSSS", "GCSSSSS" * 2])
def test_the_garrison_is_a_general_a_colonel_and_six_soldiers(wrong):
    assert ARMIES["garrison"] == {"G": 1, "C": 1, "S": 6}
    state = VARIANT.begin(resolve_options(VARIANT, {}), 0)

    with pytest.raises(IllegalDeployment) as refusal:
        VARIANT.apply(state, "garrison", wrong)

    assert refusal.value.rule == ("D18" if len(wrong) > 8 else "D17")


@pytest.mark.rule("D18")
def test_the_garrison_stands_in_the_fort_in_any_of_56_ways():
    empty = VARIANT.begin(resolve_options(VARIANT, {}), 0)
    every = {"".join(codes) for codes in product("GCS", repeat=8)}
    right = {text for text in every if Counter(text) == {"G": 1, "C": 1, "S": 6}}

    assert set(VARIANT.legal(empty, "garrison") or ()) == right == set(PLACINGS)
    assert len(PLACINGS) == 56
    for text in PLACINGS:
        game = begun(text)
        assert [game.on(circle) for circle in CIRCLES] == [f"garrison {code}" for code in text]
    with pytest.raises(MalformedAction):
        VARIANT.apply(empty, "garrison", "GCSSSSe6")
    begun().refused("GCSSSSSS", "D18")
    with pytest.raises(IllegalDeployment) as refusal:
        VARIANT.apply(empty, "garrison", "W-e6")
    assert refusal.value.rule == "D18"


# --- captures ------------------------------------------------------------------------------------


@pytest.mark.rule("D19", "D31")
def test_besiegers_never_move_onto_anything():
    game = besieged("Sc6 Ga1", white="Sd7 Gd6 Lb5 Se8", turn="white")

    for action in ("d7-c6", "d6-c6", "b5-c6"):
        game.refused(action, "D19")
    game.refused("d7-e8", "DX5")
    for rng_seed in range(5):
        walk, rng = begun(), Rng(rng_seed)
        while walk.result is None and walk.view["ply"] < 300:
            if walk.turn != "garrison":
                assert not {walk.on(text.split("-")[-1]) for text in walk.moves()} - {None}
            walk.play(rng.choice(sorted(walk.moves())))
        assert {piece["seat"] for piece in walk.view["captured"]} <= {"white", "black"}


@pytest.mark.rule("D20")
def test_besiegers_hamper_the_garrison_by_standing_in_its_way():
    assert garrison_goes("S", white="Sd7 Se8") == around("c6", *DIAGONAL) - {"d7"}


@pytest.mark.rule("D22", "DX14", "DI6")
def test_a_demand_forces_some_capture_where_there_is_one():
    def game() -> Siege:
        return besieged("Ge3 Ca1", white="Sd8 Sf3 Sd3", turn="white")

    free, asked = game(), game()
    free.play("d8-c9")
    asked.play("d8-c9!")

    assert free.moves_from("a1")
    assert asked.moves() == {"e3-f3", "e3-d3"}
    assert asked.view["demand"] == {"seat": "white", "asks": "any", "binds": True}
    asked.refused("a1-a2", "D22")
    asked.play("e3-d3")
    assert asked.view["demand"] is None
    asked.play("pass")
    assert asked.moves_from("a1")


@pytest.mark.rule("DX14")
def test_a_demand_without_a_capture_is_void():
    game = besieged("Ge3 Ca1", white="Sd8 Sd4 Sc5 Sf3 Sg2", turn="white")  # each one protected

    game.play("d8-c9!")

    assert game.view["demand"] == {"seat": "white", "asks": "any", "binds": False}
    assert game.moves_from("a1") == {"a2", "b1"}


@pytest.mark.rule("D22", "DI4", "DI6")
def test_under_the_other_reading_a_demand_names_its_piece():
    game = besieged("Ge3 Ca1", white="Sd8 Sf3 Sd3", turn="white", demand="named")
    for wrong in ("d8-c9!", "d8-c9!d8", "d8-c9!e3", "d8-c9!c9"):
        game.refused(wrong, "D22")

    game.play("d8-c9!f3")

    assert game.moves() == {"e3-f3"}
    assert game.view["demand"] == {"seat": "white", "asks": "f3", "binds": True}
    two_ways = besieged("Ge3 Cd2", white="Sd8 Sf3 Sd3", turn="white", demand="named")
    two_ways.play("d8-c9!d3")
    assert two_ways.moves() == {"e3-d3", "d2-d3"}
    besieged("Ge3", white="Sd8", turn="white").refused("d8-c9!c9", "D22")
    besieged("Ge3 Ca1", white="Sd3").refused("e3-d3!", "D22")


@pytest.mark.rule("D22", "DI4")
def test_the_besieger_that_has_just_moved_is_the_one_who_asks():
    game = besieged("Ge3", white="Sd8", black="Sm8", turn="black")

    game.play("m8-n9!")

    assert game.view["demand"]["seat"] == "black"


@pytest.mark.rule("D23")
@pytest.mark.parametrize(
    ("taken", "last", "won"),
    [
        ((23, 6), "S", True),
        ((23, 8), "S", True),
        ((24, 5), "L", True),
        ((24, 4), "L", False),
        ((22, 6), "S", False),
    ],
)
def test_the_garrison_wins_with_all_soldiers_and_six_officers(taken, last, won):
    game = besieged("Gc6", white=f"{last}c7", black="Cp1", taken=taken)

    game.play("c6-c7")

    assert (game.result is not None) == won
    if won:
        assert game.ending == (Termination.BESIEGERS_DESTROYED, LIFTED)


@pytest.mark.rule("D24", "DX10")
def test_a_soldier_in_the_fort_draws_once_everything_else_is_captured():
    game = besieged("Gc6", white="Sc7 SN", black="Cp1", taken=(22, 6))

    game.play("c6-c7")

    assert game.ending == (Termination.SOLDIER_IN_FORT, DRAWN)
    early = besieged("Gc6", white="Sc7 SN", black="Cp1", taken=(22, 5))
    early.play("c6-c7")
    assert early.result is None
    another = besieged("Gc6", white="Sc7 SN", black="Cp1 Sp3", taken=(21, 6))
    another.play("c6-c7")
    assert another.result is None


@pytest.mark.rule("D24", "DX10")
def test_the_last_soldier_may_enter_and_the_draw_comes_with_the_next_capture():
    game = besieged("Gc6", white="Se6 Cc7", black="Cp1", taken=(23, 6), turn="white")

    game.play("e6-W")
    assert game.result is None
    game.play("c6-c7")

    assert game.ending == (Termination.SOLDIER_IN_FORT, DRAWN)


@pytest.mark.rule("D24")
def test_read_literally_the_first_soldier_to_enter_draws():
    game = besieged("Gc6", white="Se6 Le7", turn="white", fort_entry="immediate")
    officer = besieged("Gc6", white="Se6 Le7", turn="white", fort_entry="immediate")

    game.play("e6-W")
    officer.play("e7-W")

    assert game.ending == (Termination.SOLDIER_IN_FORT, DRAWN)
    assert officer.result is None


# --- the board and the turns ---------------------------------------------------------------------


@pytest.mark.rule("D25", "DX2")
@pytest.mark.parametrize(
    ("gates", "ways"),
    [
        ("EW", {("W", "e6"), ("W", "e7"), ("E", "l6"), ("E", "l7")}),
        ("NS", {("N", "h10"), ("N", "i10"), ("S", "h3"), ("S", "i3")}),
    ],
)
def test_two_gates_lead_to_two_light_and_two_dark_squares(gates, ways):
    shades = [SHADE_OF[square] for squares in EXITS[gates].values() for square in squares]
    outward = {
        (circle, target)
        for circle in CIRCLES
        for target in besieged(f"G{circle} Sa1", gates=gates).moves_from(circle)
        if target not in CIRCLES
    }

    assert len(EXITS[gates]) == 2
    assert sorted(shades) == [0, 0, 1, 1]
    assert outward == ways
    assert {len({SHADE_OF[name] for name in squares}) for squares in EXITS[gates].values()} == {2}
    closed = besieged("GNE Ge8", gates=gates)
    closed.refused("NE-l10", "D25")
    closed.refused("e8-NW", "D25")


@pytest.mark.rule("D26", "D28")
def test_the_garrison_plays_first_and_always_moves():
    game = begun()

    assert game.turn == "garrison"
    assert game.moves() == {"W-e6", "W-e7", "E-l6", "E-l7"}
    game.refused("pass", "D28")
    game.refused("b1-c2", "D28")
    state = VARIANT.begin(resolve_options(VARIANT, {}), 0)
    with pytest.raises(IllegalAction) as refusal:
        VARIANT.apply(state, "white", "b1-c2")
    assert refusal.value.rule == "D26"


@pytest.mark.rule("D27")
def test_then_white_moves_a_piece_of_its_own():
    game = begun()
    game.play("W-e6")

    assert game.turn == "white"
    for other in ("o1-n2", "e6-d7", "h1-h2"):
        game.refused(other, "D27")


@pytest.mark.rule("D29", "D30")
def test_white_and_black_take_turns_with_the_garrison():
    game, seats, rng = begun(), [], Rng(3)
    for _ in range(8):
        seats.append(game.turn)
        for seat in {"garrison", "white", "black"} - {game.turn}:
            game.refused("W-e6", "D30", seat)
        if game.turn == "black":
            game.refused("b1-c2", "D29")
        game.play(rng.choice(sorted(game.moves())))

    assert seats == ["garrison", "white", "garrison", "black"] * 2
    assert game.view["cycle"] == ["garrison", "white", "garrison", "black"]


# --- protection ----------------------------------------------------------------------------------


def brute_force_captures(game: Siege) -> set[str]:
    """Find the captures anew, from nothing but the picture of the board and the sheet's words."""
    stands = {p["square"]: (p["seat"] != "garrison", p["rank"]) for p in game.view["pieces"]}
    taken = set()
    for start, (besieger, rank) in stands.items():
        for target in reached(game, start, rank, stands) if not besieger else ():
            there, victim = stands.get(target, (False, ""))
            after = {
                place: piece for place, piece in stands.items() if place not in (start, target)
            }
            guarded = any(
                target in reached(game, place, guard, after)
                for place, (enemy, guard) in after.items()
                if enemy and not (place in CIRCLES and target not in CIRCLES)
            )
            if there and not guarded and not (target in CIRCLES and victim == "S"):
                taken.add(f"{start}-{target}")
    return taken


def reached(game: Siege, start: str, rank: str, stands: dict[str, tuple[bool, str]]) -> set[str]:
    """Give the places that a piece could come to, whatever stands on the last of them."""
    board = game.view["board"]
    gates = {(gate, square) for gate, squares in board["gates"].items() for square in squares}
    ways = {frozenset(way) for way in [*board["ways"], *gates]}
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
def test_a_capture_is_legal_just_where_no_besieger_could_move_there_afterwards():
    near = [name for name in SQUARES if name[0] in "cdelmn"] + list(CIRCLES)
    seen: Counter[bool] = Counter()
    for rng_seed in range(150):
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
    assert seen[True] > 50


@pytest.mark.rule("D32", "DX16")
def test_protection_is_looked_at_once_the_capturer_has_left_its_square():
    """The colonel on c4 opens the line from c5 to c3 by its own capture."""
    besieged("Cc4", white="Sc3", black="Cc5").refused("c4-c3", "D32")
    besieged("Cc4 Sd6", white="Sc3", black="Cc6").play("c4-c3")
    besieged("Gc4 Sd4", white="Se4", black="Lc6").refused("d4-e4", "D13")


@pytest.mark.rule("D33", "DX16")
def test_figure_b_a_soldier_protected_by_one_of_the_other_army_is_safe():
    game = besieged("Sc3", white="Se5", black="Sd4")

    game.refused("c3-d4", "D32")
    assert besieged("Sc3", white="Se6", black="Sd4").play("c3-d4")[0].kind == "captured"


@pytest.mark.rule("D34")
@pytest.mark.parametrize("target", ["c4", "d4"])
def test_figure_c_soldiers_side_by_side_do_not_protect_each_other(target):
    game = besieged("Gc3", white="Sd4", black="Sc4")

    assert {"c3-c4", "c3-d4"} <= game.moves()
    assert game.play(f"c3-{target}")[0].kind == "captured"


# --- inside the fort -----------------------------------------------------------------------------


@pytest.mark.rule("D35", "DX1", "DX15")
def test_inside_every_piece_goes_along_a_line_to_the_next_circle():
    ways = {
        "N": {"NW", "NE", "E", "W"},
        "NE": {"N", "E"},
        "E": {"NE", "SE", "N", "S"},
        "SE": {"E", "S"},
        "S": {"SE", "SW", "E", "W"},
        "SW": {"S", "W"},
        "W": {"SW", "NW", "N", "S"},
        "NW": {"W", "N"},
    }
    for circle, rank in product(CIRCLES, "GCS"):
        game = besieged(f"{rank}{circle}")
        assert game.moves_from(circle) & set(CIRCLES) == ways[circle]
    for circle, rank in product(CIRCLES, "GCKLS"):
        game = besieged("Ga1", white=f"{rank}{circle}", turn="white")
        assert game.moves_from(circle) == ways[circle]
    besieged("GN").refused("N-S", "D35")
    besieged("GN").refused("N-N", "D35")


@pytest.mark.rule("D36")
def test_officers_may_stay_on_the_gates_for_ever():
    game, rng = besieged("GW CE Sc6 Sn7", white="Sa1 Sa11", black="Sp2 Sp12"), Rng(1)

    for _ in range(199):
        assert game.result is None
        field = {text for text in game.moves() if text.split("-")[0] not in CIRCLES}
        game.play(rng.choice(sorted(text for text in field if not game.on(text.split("-")[1]))))

    assert (game.on("W"), game.on("E")) == ("garrison G", "garrison C")


CORNERED = "GW CE SN SNE SSE SS SSW Sa1"


@pytest.mark.rule("D37", "DX13", "DX17")
def test_somebody_has_to_come_out_while_the_soldiers_on_the_board_are_immobilised():
    game = besieged(CORNERED, white="Sb2 Sc3")
    assert game.moves() == {"W-e6", "W-e7", "E-l6", "E-l7"}
    game.refused("W-NW", "D37")

    free = besieged(CORNERED, white="Sb2")  # unprotected: it can be captured
    assert "W-NW" in free.moves()
    none_out = besieged("GW CE SN SNE SSE SS SSW")
    assert none_out.moves() == {"W-e6", "W-e7", "W-NW", "E-l6", "E-l7", "N-NW"}


@pytest.mark.rule("DX17")
def test_under_the_other_reading_only_officers_come_out():
    soldier_on_gate = "SW CE GN SNE SSE SS SSW Sa1"

    anybody = besieged(soldier_on_gate, white="Sb2 Sc3")
    officers = besieged(soldier_on_gate, white="Sb2 Sc3", rule18_who="officers")

    assert anybody.moves() == {"W-e6", "W-e7", "E-l6", "E-l7"}
    assert officers.moves() == {"E-l6", "E-l7"}


@pytest.mark.rule("DX13")
def test_where_nobody_can_come_out_an_officer_moves_inside_and_soldiers_do_not():
    closed = "Sb2 Sc3 Ke6 Ke7 Sd5 Sd8"
    game = besieged("GW SN SE Sa1", white=closed, black="Kl6 Kl7 Sm5 Sm8")

    assert game.moves() == {"W-NW", "W-SW", "W-S"}
    game.refused("N-NW", "D37")
    lost = besieged("SW SN Sa1", white=f"{closed} Sp1", black="Kl6 Kl7 Sm5 Sm8", turn="white")
    lost.play("p1-o2")
    assert lost.ending == (Termination.GARRISON_BLOCKED, WON)


@pytest.mark.rule("D38", "DI3", "DE1")
def test_the_board_has_156_squares_around_a_fort_of_eight_circles():
    scene = VARIANT.scene(begun().view)

    assert Counter(cell.kind for cell in scene.cells) == {
        "dark": 78, "light": 78, "circle": 8, "wall": 36,
    }  # fmt: skip
    assert (scene.columns, scene.rows) == (16, 12)
    assert SHADE_OF["a1"] == 0
    assert len(NAMES) == len(set(NAMES)) == 164
    besieged("Ge5").refused("e5-f5", "DE1")


# --- what fills the gaps of the sheet ------------------------------------------------------------


@pytest.mark.rule("DE2")
def test_each_besieger_has_six_officers_and_twelve_soldiers():
    for seat in ("white", "black"):
        stands = [p["rank"] for p in begun().view["pieces"] if p["seat"] == seat]
        assert Counter(stands) == ARMIES[seat] == {"G": 1, "C": 1, "K": 2, "L": 2, "S": 12}


@pytest.mark.rule("DE3", "DX3")
def test_the_armies_begin_in_the_two_files_at_each_end():
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
def test_each_army_may_begin_on_squares_of_its_own_colour():
    view = begun(setup="own_colour").view
    for seat, shade, files in (("white", 1, "abc"), ("black", 0, "pon")):
        squares = [p["square"] for p in view["pieces"] if p["seat"] == seat]
        assert {SHADE_OF[square] for square in squares} == {shade}
        assert Counter(square[0] for square in squares) == dict.fromkeys(files, 6)
    assert len(SETUPS) == 2


@pytest.mark.rule("DE5")
def test_three_soldiers_and_an_officer_may_be_asked_for():
    def game(white: str) -> Siege:
        return besieged("Ga1", white=white, black="Se6", turn="black", need_inside="3+1")

    two, three = game("SN LNE"), game("SN SS LNE")
    two.play("e6-W")
    three.play("e6-W")

    assert two.result is None
    assert three.ending == (Termination.FORT_ENTERED, WON)


@pytest.mark.rule("DX4")
def test_besieging_generals_colonels_and_captains_by_the_long_table():
    far = around("c6", *FAR_STRAIGHT)
    assert white_moves("G") == around("c6", *STRAIGHT, *DIAGONAL, *FAR_DIAGONAL) | far
    assert white_moves("C") == around("c6", *STRAIGHT) | far
    assert white_moves("K") == around("c6", *STRAIGHT, *DIAGONAL)
    for rank, wrong in (("G", "c6-d8"), ("C", "c6-d7"), ("K", "c6-c8")):
        besieged("GN", white=f"{rank}c6", turn="white").refused(wrong, "DX4")


@pytest.mark.rule("DX4")
def test_besieging_generals_colonels_and_captains_by_the_short_table():
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
def test_a_besieger_without_a_move_passes_and_no_other_does():
    game = besieged("Ga12", white="Sa1 Sb2 Sc3", black="Sp2", turn="white")
    game.refused("pass", "DX6")
    alone = besieged("Ga12", black="Sp2", turn="white")

    assert VARIANT.legal(alone.state, "white") == ["pass"]
    with pytest.raises(MalformedAction):
        alone.play("pass!")
    (event,) = alone.play("pass")
    assert event.seen_by(PUBLIC) == {"type": "passed", "seat": "white"}
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
def test_where_they_may_leave_lieutenants_and_soldiers_keep_their_colour():
    """Circles have no colour; the pieces here come from a1, which is dark."""
    for rank in "LS":
        game = besieged("Ga12", white=f"{rank}W", turn="white", besiegers_may_leave=True)
        assert "e7" in game.moves_from("W")
        game.refused("W-e6", "D2")
    for rank in "GCK":
        game = besieged("Ga12", white=f"{rank}W", turn="white", besiegers_may_leave=True)
        assert {"e6", "e7"} <= game.moves_from("W")


@pytest.mark.rule("DX7", "D32")
def test_a_besieger_inside_protects_a_gate_square_only_where_it_may_leave():
    besieged("Ge5", white="Se6 GW", besiegers_may_leave=True).refused("e5-e6", "D32")
    assert "e5-e6" in besieged("Ge5", white="Se6 GW").moves()


@pytest.mark.rule("DX8")
def test_a_game_of_so_many_plies_is_a_draw():
    game, rng = begun(max_plies=5), Rng(0)
    while game.result is None:
        game.play(rng.choice(sorted(game.moves())))

    assert game.view["ply"] == 5
    assert game.ending == (Termination.PLY_CAP, DRAWN)


@pytest.mark.rule("DX9")
def test_so_many_plies_without_a_capture_or_an_entry_are_a_draw():
    def game() -> Siege:
        return besieged("Gc6", white="Sc7 Se6 Sb1", black="Sp2", no_progress_plies=3)

    capture, entry, nothing = game(), game(), game()
    nothing.play("c6-c5", "b1-c2", "c5-b5")
    capture.play("c6-c7", "b1-c2", "c7-c6")
    entry.play("c6-c5", "e6-W", "c5-b5")

    assert nothing.ending == (Termination.NO_PROGRESS_CAP, DRAWN)
    assert capture.result is entry.result is None
    assert (capture.view["no_progress_plies"], entry.view["no_progress_plies"]) == (2, 1)


@pytest.mark.rule("DX9")
def test_only_the_first_entry_of_a_piece_is_progress():
    game = besieged("Ga12", white="Ge6", black="Sp2", turn="white", besiegers_may_leave=True)
    game.play("e6-W", "a12-a11", "p2-o3", "a11-a12", "W-e6", "a12-a11", "o3-p2", "a11-a12")

    game.play("e6-W")

    assert game.view["no_progress_plies"] == 8


@pytest.mark.rule("DX11")
def test_an_army_has_soldiers_on_both_colours_and_each_keeps_its_own():
    stands = {p["square"] for p in begun().view["pieces"] if p["seat"] == "white"}

    assert {SHADE_OF[square] for square in stands} == {0, 1}
    assert {SHADE_OF[to] for to in white_moves("S", "c6")} == {SHADE_OF["c6"]}
    assert {SHADE_OF[to] for to in white_moves("S", "c7")} == {SHADE_OF["c7"]}


@pytest.mark.rule("DX12")
def test_circles_have_no_colour_and_the_first_square_binds():
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
