"""The catalogue for translators holds all texts of the site."""

from tools import messages

HOW = "Run `make messages`."


def test_the_catalogue_holds_the_texts_of_the_tree():
    assert messages.CATALOGUE.read_bytes() == messages.written(messages.catalogue()), HOW


def test_texts_are_found_however_they_are_marked():
    found = messages.catalogue()
    places = {text: [path for path, _line in found[text].locations] for text in TEXTS}

    assert places == {text: [path] for text, path in TEXTS.items()}
    assert found.get("Final", "tie-break") is None
    assert found.get("Red", "seat")


TEXTS = {
    "A token needs a name.": "arena/domain/accounts/accounts.py",
    "Registration was opened.": "arena/texts/tournaments.py",
    "All is set up. %(seat)s begins.": "arena/web/matches/replay_frames.py",
    "An arena for bots that play hidden-information board games.": "arena/templates/base.html",
    "The last position, as %(seat)s saw it.": "arena/templates/matches/_abnormal_end.html",
    "Tried %(attempts)s time so far.": "arena/templates/matches/_abnormal_end.html",
}
