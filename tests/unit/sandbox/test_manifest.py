"""A manifest as somebody writes it who wants the reader to suffer.

Half a second of CPU time is measured for the costliest one. A file without a cap takes minutes,
which no test may take.
"""

import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from botkit import manifest as rules
from botkit.manifest import BadUpload, Manifest, Setting, read_manifest

FILES = {"bot.py": b"", "bot.c": b""}
NAMED = '[bot]\nname = "x"\n'
LONG = "x" * 3000


def read(content):
    return read_manifest(FILES | {"drapeau.toml": content})


def refusal(content):
    with pytest.raises(BadUpload) as caught:
        read(content)
    return caught.value


def dotted(head_share):
    """Make a manifest of the size allowed, all of it keys within keys: what costs the most."""
    parts = int(rules.MANIFEST_MAX_BYTES * head_share) // 2 - 2
    head = f"[{'a.' * parts}a]\n".encode()
    rest = (rules.MANIFEST_MAX_BYTES - len(head) - 4) // 2
    return head + b"a." * rest + b"a=1"


def test_one_byte_too_many_refused_before_read():
    padding = "#" * (rules.MANIFEST_MAX_BYTES - len(NAMED))

    assert read((NAMED + padding).encode()) == Manifest("x")
    assert refusal((NAMED + padding + "#").encode()).message == "drapeau.toml is larger than 4 KiB"


@pytest.mark.parametrize("head_share", [0.1, 0.25, 0.5, 0.75])
def test_the_costliest_manifest_is_refused(head_share):
    content = dotted(head_share)
    assert rules.MANIFEST_MAX_BYTES - 8 < len(content) <= rules.MANIFEST_MAX_BYTES

    assert refusal(content).code == "bad_manifest"


BAD_VALUES = {
    "nested deeper than Python": f"a = {'[' * 2000}{']' * 2000}",
    "hour that is none": "a = 2026-02-03T25:00:00",
    "bytes that are no text": "a = '\udcff'",
}


@pytest.mark.parametrize("text", BAD_VALUES.values(), ids=BAD_VALUES)
def test_what_the_reader_chokes_on_is_refused(text):
    assert refusal(text.encode(errors="surrogateescape")).code == "bad_manifest"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (NAMED.encode("utf-16"), "drapeau.toml is UTF-16 text. Save it as UTF-8"),
        (f"\ufeff{NAMED}".encode("utf-16-be"), "drapeau.toml is UTF-16 text. Save it as UTF-8"),
        (b"[bot]\nname = '\xe9'", "drapeau.toml is not UTF-8 text: line 2. Save it as UTF-8"),
        (
            BAD_VALUES["nested deeper than Python"].encode(),
            "drapeau.toml is not TOML: its brackets or keys are nested too deep",
        ),
    ],
)
def test_refusal_says_what_to_do_in_plain_words(content, said):
    assert refusal(content).message == said


@pytest.mark.parametrize("text", [f"\ufeff{NAMED}", NAMED.replace("\n", "\r\n")])
def test_marks_and_line_ends_of_editors_are_read(text):
    assert read(text.encode()) == Manifest("x")


@pytest.fixture
def few_digits():
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(1000)
    yield 1001
    sys.set_int_max_str_digits(before)


def test_a_number_longer_than_python_reads_is_refused(few_digits):
    assert refusal(b"a = " + b"1" * few_digits).code == "bad_manifest"


LONG_TEXTS = {
    "key": f"{NAMED}{LONG} = 1",
    "entry": f"{NAMED}entry = '{LONG}.py'",
    "variant": f"{NAMED}variants = ['{LONG}']",
    "name": f"[bot]\nname = '{LONG}'",
    "table twice": f"[{LONG[:1500]}]\n[{LONG[:1500]}]\n",
}


@pytest.mark.parametrize("text", LONG_TEXTS.values(), ids=LONG_TEXTS)
def test_a_refusal_stays_a_sentence_whatever_it_repeats(text):
    message = refusal(text.encode()).message

    assert len(message) <= rules.REFUSAL_MAX_CHARS + len("...")
    assert message.isprintable()


NO_SETTING = (
    "cannot be the name of a setting: use 1 to 40 small letters, digits and _, a letter first"
)
SETTINGS: dict[str, Setting] = {
    "plies": 3,
    "daring": 0.5,
    "sees": True,
    "opening": 'a "wall" \\',
    "none": -1,
}


def test_what_is_written_is_read_as_it_was():
    for manifest in (
        Manifest("x", "c", "bot.c", ("classic", "siege@1"), settings=SETTINGS),
        Manifest("x", libraries=("numpy",)),
        Manifest("x", settings={"tiny": 1e-30, "huge": 10**30}),
    ):
        assert read(rules.written(manifest).encode()) == manifest


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("settings = 3", "settings must be a table: write [bot.settings] above them"),
        (
            "settings.Plies = 3",
            f"'Plies' {NO_SETTING}",
        ),
        *(
            (
                f"settings.plies = {value}",
                "the setting 'plies' must be a number, true, false or a line of text",
            )
            for value in ("[3]", "{a = 3}", "2026-02-03", "nan", "-inf", '"a\\nb"')
        ),
    ],
)
def test_malformed_settings_are_refused_by_their_name(settings, said):
    found = refusal(f"{NAMED}{settings}".encode())

    assert (found.code, found.message) == ("bad_manifest", said)


MARKS = [*"=.,'\"[]{}\\#+-_01aZT: \n\r\0\u2028", "\\u0000", "'''", '"""', "1e9", "inf", "07:32:00"]
WORDS = [
    "[bot]\n",
    "[[bot]]\n",
    "name",
    "entry",
    "language",
    "variants",
    "settings",
    "bot.py",
    "['classic']",
]
PIECES = st.sampled_from([*WORDS, *MARKS, "2026-02-03", "\U0001f409"])
TEXTS = st.lists(PIECES, max_size=40).map("".join).map(str.encode)


@given(st.binary(max_size=200) | TEXTS, st.sampled_from([b"", b"[bot]\nname="]))
@example(b"'x'\nvariants=['classic']\n", b"[bot]\nname=")
def test_any_bytes_are_a_manifest_or_refused(content, head):
    manifest, message = None, ""
    try:
        manifest = read(head + content)
    except BadUpload as refused:
        message = refused.message

    assert bool(message) == (manifest is None)
    assert len(message) <= rules.REFUSAL_MAX_CHARS + len("...")
    assert manifest is None or manifest.entry in FILES
