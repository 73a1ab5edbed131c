"""`drapeau init`: a folder with a bot that plays as it is."""

import pytest

from botkit.package import read_folder
from botkit.starters import languages_of
from engine.outcome import FAULTS
from engine.registry import find, terminations, variants
from tests.unit.botkit.homes import drapeau, played, refusal
from tests.unit.engine.games import caps

README_MAX_LINES = 40  # one screen


STARTERS = [(slug, lang) for slug in variants() for lang in languages_of(slug)]


@pytest.mark.parametrize(("slug", "lang"), [each for each in STARTERS if "python" in each[1]])
def test_starter_plays_whole_game_of_its_variant(slug, lang, tmp_path, capfd):
    folder = tmp_path / "mine"
    drapeau(capfd, "init", slug, folder, "--lang", lang)

    limits = [f"{key}={value}" for key, value in caps(find(slug)).items()]
    words = [word for each in limits for word in ("--option", each)]
    said = played(capfd, folder, folder, "--seed", 1, "--record-dir", tmp_path / "records", *words)

    (game,) = said["games"]
    assert (said["variant"], game["fault"]) == (slug, None)
    assert game["termination"] in terminations()
    assert game["termination"] not in FAULTS


@pytest.mark.parametrize(("slug", "lang"), STARTERS)
def test_new_folder_is_named_bot_for_one_game(slug, lang, tmp_path, capfd):
    folder = tmp_path / "Rook 7"

    out = drapeau(capfd, "init", slug, folder, "--lang", lang)

    bot = read_folder(folder)
    language = "python" if lang == "python-kit" else lang
    assert (bot.manifest.name, bot.manifest.language) == ("Rook 7", language)
    assert bot.manifest.variants == (slug,)
    assert len((folder / "README.md").read_text().splitlines()) <= README_MAX_LINES
    assert out.startswith(f"{folder}: ")


def test_empty_folder_is_filled_another_left_alone(tmp_path, capfd):
    (tmp_path / "empty").mkdir()
    drapeau(capfd, "init", "classic", tmp_path / "empty")
    before = read_folder(tmp_path / "empty").digest

    for place in ("empty", "empty/bot.py"):
        said = refusal(capfd, "init", "general", tmp_path / place)
        assert said.endswith("it exists and is not an empty folder. Choose another\n")

    assert read_folder(tmp_path / "empty").digest == before


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["go", "mine"], 2, "no variant 'go'; there are: "),
        (["classic", "mine", "--lang", "cobol"], 2, "'cobol' is not one of"),
        (["battleship", "mine", "--lang", "c"], 1, "the starter in c cannot set up battleship."),
        (["classic", "x" * 61], 1, "A name has at most 60 characters. Choose another name"),
        (["classic", "/proc/mine"], 1, "/proc/mine: cannot be made: No such file or directory"),
    ],
)
def test_what_cannot_be_made_is_said_so(words, status, said, tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)

    assert said in refusal(capfd, "init", *words, status=status)

    assert list(tmp_path.iterdir()) == []
