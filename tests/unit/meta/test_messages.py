"""The catalogue and the translations hold all texts of the site."""

import re

import pytest

from tools import messages

HOW = "Run `make messages`."
FEW = 0.02  # a change may land before its texts are translated


@pytest.fixture(scope="module")
def texts():
    return messages.catalogue()


@pytest.fixture(params=messages.TRANSLATIONS, scope="module")
def translated(request, texts):
    return messages.translation(request.param, texts)


def test_compiled_translations_match_texts_of_tree(translated):
    path = messages.TRANSLATIONS[translated.locale.language]

    assert path.read_bytes() == messages.written(translated), HOW
    assert path.with_suffix(".mo").read_bytes() == messages.compiled(translated), HOW


def test_nearly_all_texts_are_translated(translated):
    missing = [each.id for each in translated if each.id and not messages.is_translated(each)]

    assert len(missing) <= FEW * len(translated), missing


def test_translation_keeps_placeholders_and_tags_of_its_text(translated):
    assert [fault for each in translated for fault in faults(each)] == []


def faults(message):
    """Return the translations that lack a part or have one too many; for one, words may do."""
    if not message.id or not messages.is_translated(message):
        return []
    if not message.pluralizable:
        return [message.string] if parts(message.string) != parts(message.id) else []
    one, *others = message.string
    wanted = parts(message.id[1])
    found = [one] if set(parts(one)) - set(wanted) else []
    return found + [string for string in others if parts(string) != wanted]


def parts(text):
    return sorted(PARTS.findall(text))


PARTS = re.compile(r"%\(\w+\)[sdg]|%%|\{\w*\}|</?[a-z][^>]*>|&\w+;")
