"""Games that an installation brings in a folder of its own; `examples` is such a folder."""

import os
import shutil
import subprocess
import sys

import pytest

from arena.web.variants import rules
from engine.variant import PUBLIC
from tests.integration.web.played import finished_match
from tests.tree import ROOT

CLASH = """
from dataclasses import replace
from engine.faces import Face, Pictures
from engine.outcome import Ending, by_word
from engine.variants.skirmish.rules import VARIANT

VARIANT = replace(
    VARIANT,
    slug="clash",
    endings=by_word(Ending("no_moves", "Stuck")),
    pictures=Pictures(faces={"F": Face("F", ""), "old boat": Face("O", "")}),
)
"""


def run(*words, folders=(), **variables):
    """Return the exit status of Python with these folders of games, and what it says."""
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "arena.settings",
        "DRAPEAU_VARIANTS": os.pathsep.join(map(str, folders)),
        **variables,
    }
    done = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def make_game(folder, name, code):
    (folder / name).mkdir(parents=True)
    (folder / name / "__init__.py").touch()
    (folder / name / "rules.py").write_text(code)


def test_site_says_what_is_wrong_with_its_games(tmp_path):
    make_game(tmp_path, "broken", "import nothing_of_this_name\n")
    make_game(tmp_path, "classic", "")
    make_game(tmp_path, "empty", "")
    make_game(tmp_path, "other", "VARIANT = 1\n")
    make_game(tmp_path, "clash", CLASH)
    make_game(tmp_path, "family", CLASH.replace('"clash"', '"family"'))
    (tmp_path / "family/__init__.py").write_text("from engine import duel\n\nFAMILY = duel\n")
    (tmp_path / "clash/typed_view.py").write_text("1 / 0\n")
    (tmp_path / "none").mkdir()

    folders = (tmp_path, tmp_path / "none", tmp_path / "away")
    status, said = run("manage.py", "check", folders=folders)

    assert status == 1
    assert "Traceback" not in said
    for sentence in (
        f"{tmp_path}/broken/rules.py cannot be used: ModuleNotFoundError: No module named",
        f"{tmp_path}/broken needs README.md, the rule page.",
        f"{tmp_path}/clash needs position_line.py, what changes in a game, as fields of a line.",
        f"{tmp_path}/classic: there is a game classic already. Give the folder another name.",
        f"{tmp_path}/empty/rules.py cannot be used: AttributeError: ",
        f"{tmp_path}/other/rules.py cannot be used: TypeError: VARIANT is int and not",
        f"{tmp_path}/clash: the ending no_moves says something else in classic. Rename it.",
        f"{tmp_path}/clash: F of its faces is another drawing in cards. Rename it.",
        f"{tmp_path}/clash: the name 'old boat' of a drawing is no word.",
        f"{tmp_path}/clash/typed_view.py cannot be used: ZeroDivisionError: division by zero",
        f"{tmp_path}/none has no game: a game is a folder with a rules.py.",
        f"{tmp_path}/away is no folder. Correct DRAPEAU_VARIANTS, or make the folder.",
    ):
        assert sentence in said
    assert f"{tmp_path}/family needs position_line.py" not in said


def test_up_does_not_start_with_broken_games(tmp_path):
    words = ("-m", "arena", "up", "--data", tmp_path / "site", "--port", "0")
    status, said = run(*words, folders=[tmp_path / "away"])

    assert status == 1
    assert said == f"{tmp_path}/away is no folder. Correct DRAPEAU_VARIANTS, or make the folder.\n"


def test_package_that_an_entry_point_names_has_games(tmp_path):
    shutil.copytree(ROOT / "examples/battleship", tmp_path / "our_games/battleship")
    information = tmp_path / "our_games-1.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: our-games\nVersion: 1\n")
    entry_points = "[drapeau.variants]\nours = our_games\naway = nothing_of_this_name\n"
    (information / "entry_points.txt").write_text(entry_points)

    status, said = run("manage.py", "check", PYTHONPATH=str(tmp_path))

    assert status == 1
    assert "1 issue" in said  # so battleship is one of the games, and well
    assert (
        "nothing_of_this_name is no folder. Correct the entry point away of drapeau.variants"
        in said
    )


@pytest.mark.django_db
def test_further_game_is_on_site_and_keeps_secrets(client):
    match = finished_match(ladder="battleship")
    game_page = match.games.get(number=1).get_absolute_url()

    for page in ("/ladders/battleship/", rules.address_of("battleship", "en"), game_page):
        assert client.get(page).status_code == 200
    for view in ("red", "blue", PUBLIC):
        document = client.get(f"/api/v1/games/{match.public_id}/1/replay", {"view": view}).json()
        shown = {piece["side"] for piece in document["first"]["pieces"]}
        assert shown == {view} & {"red", "blue"}
        assert document["positions"][0].count(":-") == 4 * (2 - len(shown))
    assert "sank the whole fleet of" in client.get(game_page).content.decode()
