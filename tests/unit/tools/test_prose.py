"""What the checker of prose reads of a file, and what it finds there."""

import pytest

from tools.prose import Settings, findings, prose_of

SETTINGS = Settings(
    files=(), off=("typography",), instead={"befell": "happened to"}, longest_sentence_words=6
)


def found(text, suffix=".md"):
    return [(line, words) for line, words, _advice in findings(prose_of(text, suffix), SETTINGS)]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("It is public.\nIt stays for ever.", 2, "for ever"),
        ("What it\nbefell it.", 2, "befell"),
        ("It is good.\n\nThis one has more than six words.", 3, "This one has more than …"),
    ],
)
def test_archaisms_words_with_a_better_one_and_long_sentences_are_found(text, line, words):
    assert found(text) == [(line, words)]


@pytest.mark.parametrize(
    "text",
    [
        "```\nwhat befell it\n```\n",
        "Say `befell` here.",
        "See [this](https://example.org/befell).",
        "# What befell it",
        "One two three four: five six seven eight.",
        "| One two three four | five six seven |",
    ],
)
def test_code_addresses_headings_and_cells_are_no_sentences(text):
    assert found(text) == []


def test_of_a_template_text_and_translated_words_are_read():
    template = (
        '<p class="befell">{{ befell }}\n  {% translate "It befell us." %}</p>\n'
        "{# befell #}\n<b>It befell them.</b>"
    )

    assert found(template, ".html") == [(2, "befell"), (4, "befell")]


def test_of_python_only_what_is_marked_for_translation_is_read():
    source = (
        'BEFELL = "befell"\nX = _("It befell %(who)s.")\nY = ngettext(\n    "a", "befell", 2\n)\n'
    )

    assert found(source, ".py") == [(2, "befell"), (4, "befell")]


def test_every_kind_of_file_that_is_configured_exists_and_can_be_read():
    paths = Settings.of_project().paths()

    assert {path.suffix for path in paths} == {".md", ".html", ".py"}
    assert {path.name for path in paths} >= {"README.md", "SECURITY.md", "home.html"}
