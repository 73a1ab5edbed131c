"""Positions as lines: whatever anybody may see of any game comes back as it was."""

import json

import pytest

from botkit import positions
from botkit.cli import main
from botkit.position_fields import BadPosition
from engine.registry import find, resolve_options, variants
from tests.integration.house_bots.house import play_game
from tests.unit.engine.games import READINGS, caps, observers, random_game


@pytest.mark.parametrize(("variant", "options"), READINGS)
def test_line_is_view_for_observers_at_every_ply(variant, options):
    whole = resolve_options(variant, {**caps(variant, 50), **options})
    lines = set()
    for state, _, _ in random_game(variant, 1, whole):
        for observer in observers(variant):
            view = variant.view(state, observer)
            line = positions.write(view, whole)

            assert positions.read(line) == (view, whole)
            assert "\n" not in line
            lines.add(line)
    assert len(lines) > 20


@pytest.mark.parametrize("variant", variants().values(), ids=variants().keys())
def test_game_resigned_in_opening_has_a_line(variant):
    whole = resolve_options(variant, {})
    state = variant.begin(whole, 1)
    for seat in variant.asked(state):
        variant.apply(state, seat, "resign")

    for observer in observers(variant):
        view = variant.view(state, observer)
        assert positions.read(positions.write(view, whole)).view == view


def test_a_line_looks_like_this():
    variant = find("general")
    state = variant.begin(resolve_options(variant, {}), 1)
    army = "FBBBB" + "9" + "88" + "777" + "4444" + "3333" + "2222" + "S"
    for seat in variant.seats:
        variant.apply(state, seat, army)
    variant.apply(state, "red", "g3g5")

    assert positions.write(variant.view(state, "blue"), {"max_plies": 300}) == (
        "general@1 blue turn 1 blue "
        "b8:8b7:8b6:9b5:Bb4:Bb3:Bb2:Bb1:F/b16:3b15:4b14:4b13:4b12:4b11:7b10:7b9:7/"
        "b24:Sb23:2b22:2b21:2b20:2b19:3b18:3b17:3/.6r23:2'!.1/.8/"
        "r17:?r18:?r19:?r20:?r21:?r22:?.1r24:?/r9:?r10:?r11:?r12:?r13:?r14:?r15:?r16:?/"
        "r1:?r2:?r3:?r4:?r5:?r6:?r7:?r8:? - r23:g3g5x1,- 1 max_plies=300"
    )


LINE = (
    "general@1 red turn 7 red .8/.8/.8/.3b1:?.4/.8/.8/.2r2:9'!.5/r1:F.7"
    " b3:2,r5:2 r2:c1c2x1,b1:d6d5x2 3"
)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("general@1", "chess", "no variant 'chess'; there are:"),
        (
            "general@1 red",
            "general@1 white",
            "'white' is no observer; there are red, blue, public, full",
        ),
        (" 7 red", " seven red", "'seven' is no whole number from 0"),
        (" 3", "", "general@1 has 9 fields and its options"),
        (" 3", " 3 max_plies=0", "max_plies cannot be 0"),
        (" 3", " 3 colour=red", "has no option 'colour'"),
        ("b3:2,r5:2", "b3:2,r5", "'r5' cannot be read"),
        ("x1,", "x,", "cannot be read"),
        (".3b1:?.4", ".3b1:?.9", "it would be written"),
        ("r2:9", "r2:X", "X is no rank of this game"),
        (".3b1:?.4", ".99999999999999999999b1:?", "a field is wrong"),
        (" 3", " 3 max_plies=" + "[" * 100_000, "max_plies cannot be"),
    ],
)
def test_a_line_that_is_no_position_says_why(old, new, why):
    assert LINE.count(old) >= 1
    with pytest.raises(BadPosition) as refused:
        positions.read(LINE.replace(old, new))

    assert why in str(refused.value)


@pytest.fixture(scope="module")
def record_file(tmp_path_factory):
    record, _ = play_game("general", "drunkard", "raider", 4, options={"max_plies": 30})
    path = tmp_path_factory.mktemp("record") / "record.json"
    path.write_text(record.to_json())
    return record, str(path)


@pytest.mark.parametrize("observer", ["red", "blue", "public", "full"])
def test_replay_prints_the_position_after_a_ply(record_file, observer, capsys):
    record, path = record_file
    options = resolve_options(find("general"), record.options)
    for ply in (0, 7, 30):
        state = find("general").begin(options, record.rng_seed)
        for played in record.actions[: ply + 2]:
            find("general").apply(state, played.seat, played.action)

        assert main(["replay", path, "--position", str(ply), "--view", observer]) == 0
        line = positions.write(find("general").view(state, observer), options)
        assert capsys.readouterr().out == f"{line}\n"

    assert main(["replay", path, "--view", observer]) == 0
    shown = [line.split()[2] for line in capsys.readouterr().out.splitlines()[1:3]]
    set_up = record.actions[:2]
    assert shown == [each.action if observer in (each.seat, "full") else "sets" for each in set_up]
    assert main(["replay", path, "--position", "30", "--view", observer, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"ply": 30, "position": line}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--position", "31"), "--position 31: the game has 30 plies"),
        (("--position", "3", "--view", "white"), "--view cannot be 'white'; it is one of red,"),
        (("--position", "-1"), "Invalid value for '--position'"),
    ],
)
def test_missing_position_is_refused_in_words(record_file, words, why, capsys):
    assert main(["replay", record_file[1], *words]) == 2

    said = capsys.readouterr()
    assert (why in said.err, said.out) == (True, "")
