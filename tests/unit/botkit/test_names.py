"""Which texts can be the name of a bot."""

import pytest

from botkit import names
from botkit.manifest import BadUpload, parsed

ZWJ, ZWNJ = "\u200d", "\u200c"
GOOD = {
    "Marshal": "letters",
    "r2-d2 (old)": "digits and signs",
    "Żółć": "accents",
    "Ньё": "another script",
    "नमस्ते": "marks of a script",
    "می" + ZWNJ + "روم": "a joiner between letters",
    "שָׁלוֹם": "two marks on a letter",
    "👩" + ZWJ + "💻": "an emoji of two",
    "❤️ 1️⃣": "emoji with variants",
    "a" + "\u0301" * 3: "three marks",
    "x" * 60: "the longest",
}
BAD = {
    "": names.EMPTY,
    "  ": names.EMPTY,
    "\u0301": names.EMPTY,
    "x" * 61: names.TOO_LONG,
    "ada/marshal": names.SLASH,
    "a\u200bb": names.INVISIBLE,
    "a\u202eb": names.INVISIBLE,
    "a\nb": names.INVISIBLE,
    "a\u00a0b": names.INVISIBLE,
    "\u3164": names.INVISIBLE,
    "a\ue000": names.INVISIBLE,
    "a" + ZWJ: names.INVISIBLE,
    "a" + ZWJ + ZWJ + "b": names.INVISIBLE,
    "a" + "\u0301" * 4: names.MARKS,
    "a" + "\u20dd" * 9: names.MARKS,
}


@pytest.mark.parametrize("name", GOOD, ids=GOOD.values())
def test_a_name_of_any_language_is_taken(name):
    assert names.problem_with(name) == ""
    assert parsed(f'[bot]\nname = "{name}"\n'.encode()).name == name


@pytest.mark.parametrize(("name", "problem"), BAD.items(), ids=map(ascii, BAD))
def test_invisible_or_misleading_text_is_no_name(name, problem):
    assert names.problem_with(name) == problem
    quoted = name.encode("unicode_escape").decode() if "\n" in name else name
    with pytest.raises(BadUpload, match=r"^name "):
        parsed(f'[bot]\nname = "{quoted}"\n'.encode())
