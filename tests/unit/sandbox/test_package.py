"""What is a bot and what is refused, each with its own word."""

import io
import shutil
import stat
import struct
import tarfile
import zipfile

import pytest

from botkit.manifest import BadUpload, Manifest
from botkit.package import digest_of, pack
from sandbox import limits
from sandbox.uploads.unpacking import unpack
from tests.sandbox import zips

MIB = limits.MIB


def tarred(mode):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        entry = tarfile.TarInfo("drapeau.toml")
        entry.size = len(zips.MANIFEST)
        archive.addfile(entry, io.BytesIO(zips.MANIFEST))
    return buffer.getvalue()


def patched(offset, packed, row=b"PK\x01\x02"):
    """Change a field of the last row of a kind in a good zip: by default, of its table."""
    data = bytearray(zips.good())
    at = data.rfind(row) + offset
    data[at : at + len(packed)] = packed
    return bytes(data)


def two_names():
    """Call a file one name in the table and another where it lies."""
    data = bytearray(zips.good(**{"good_name.py": b"x"}))
    data[data.find(b"good_name") : data.find(b"good_name") + 9] = b"evil_name"
    return bytes(data)


def manifest_zip(text):
    return zips.zipped([("drapeau.toml", text.encode()), ("bot.py", b"")])


BAD_FILES = {
    "empty": (b"", "bot.py", "empty_file"),
    "wrong extension": (b"x", "bot.exe", "wrong_extension"),
    "binary as python": (b"\x7fELF\0\0", "bot.py", "not_text"),
    "utf-16 as python": ("x = 1".encode("utf-16"), "bot.py", "not_text"),
    "binary as c": (b"\x7fELF\0\0", "bot.c", "not_text"),
    "class that cannot be": (b"x", "My Bot (1).java", "bad_name"),
    "class that no folder takes": (b"x", f"{'x' * 101}.java", "bad_name"),
    "not a zip": (b"hello", "bot.zip", "not_a_zip"),
    "cut short": (zips.good()[:-30], "bot.zip", "not_a_zip"),
    "the end of a zip": (b"PK\x05\x06" + b"\0" * 18, "bot.zip", "no_manifest"),
    "tar called a zip": (tarred("w"), "bot.zip", "not_a_zip"),
    "packed tar called a zip": (tarred("w:gz"), "bot.zip", "not_a_zip"),
}
BAD_NAMES = {
    "parent": ("../bot.py", "bad_path"),
    "dot": ("./bot.py", "bad_path"),
    "empty part": ("a//b.py", "bad_path"),
    "absolute": ("/etc/passwd", "bad_path"),
    "drive": ("C:/bot.py", "bad_path"),
    "backslash": ("..\\bot.py", "bad_path"),
    "newline": ("a\nb.py", "bad_path"),
    "leaves by its last part": ("a/..", "bad_path"),
    "drive without a slash": ("C:bot.py", "bad_path"),
    "written backwards": ("bot\u202eyp.exe", "bad_path"),
    "too long": ("a" * 201, "long_name"),
}
BAD_ZIPS = {
    "nul": (zips.nul_in_name(), "bad_path"),
    "twice": (zips.zipped([("a.py", b""), ("a.py", b"")]), "duplicate"),
    "case": (zips.zipped([("a.py", b""), ("A.py", b"")]), "duplicate"),
    # Pairs that are one name where case is folded in full, before and after they are composed.
    "sharp s": (zips.zipped([("Fuss.py", b""), ("fu\u00df.py", b"")]), "duplicate"),
    "final sigma": (zips.zipped([("\u03c2.py", b""), ("\u03c3.py", b"")]), "duplicate"),
    "iota below": (
        zips.zipped([("\u1fb4.py", b""), ("\u03b1\u0345\u0301.py", b"")]),
        "duplicate",
    ),
    "accents": (zips.zipped([("\u00e9.py", b""), ("e\u0301.py", b"")]), "duplicate"),
    "file and folder": (zips.zipped([("a", b""), ("a/b.py", b"")]), "file_and_folder"),
    "file and folder in two cases": (zips.zipped([("A", b""), ("a/b.py", b"")]), "file_and_folder"),
    "file behind a link": (zips.with_mode(stat.S_IFLNK, **{"odd/bot.py": b""}), "special_file"),
    "too many": (zips.zipped((f"{n}.py", b"") for n in range(201)), "too_many_entries"),
    "encrypted": (zips.encrypted(), "encrypted"),
    "checksum": (zips.wrong_checksum(), "damaged"),
    "overlap": (zips.overlapping(), "overlap"),
    "lzma": (zips.zipped([("a.py", b"")], method=zipfile.ZIP_LZMA), "unknown_packing"),
    "bomb": (zips.good(big=b"\0" * (21 * MIB)), "zip_bomb"),
    "bombs": (zips.good(**{f"big{n}": b"\0" * (3 * MIB) for n in range(7)}), "zip_bomb"),
    "lie": (zips.lying_about_sizes(b"\0" * (21 * MIB)), "damaged"),
    "packed size beyond its end": (patched(20, struct.pack("<L", 0x7FFFFFFF)), "overlap"),
    "place beyond its end": (patched(42, struct.pack("<L", 0x7FFFFFFF)), "damaged"),
    "another name inside": (two_names(), "damaged"),
    "no manifest": (zips.zipped([("bot.py", b"")]), "no_manifest"),
    "manifest too deep": (
        zips.zipped([("a/b/drapeau.toml", b""), ("a/bot.py", b"")]),
        "no_manifest",
    ),
    "no entry": (zips.zipped([("drapeau.toml", zips.MANIFEST)]), "missing_entry"),
}
BAD_MANIFESTS = {
    "not toml": ("bot =", "bad_manifest"),
    "other table": ("[bot]\nname='x'\n[tool]\n", "bad_manifest"),
    "unknown key": ("[bot]\nname='x'\nvarients=['classic']", "bad_manifest"),
    "no name": ("[bot]\n", "bad_manifest"),
    "library": ("[bot]\nname='x'\nlibraries=['torch']", "bad_manifest"),
    "library of another language": (
        "[bot]\nname='x'\nlanguage='node'\nlibraries=['numpy']",
        "bad_manifest",
    ),
    "language": ("[bot]\nname='x'\nlanguage='cobol'", "unknown_language"),
    "entry of another language": ("[bot]\nname='x'\nlanguage='c'\nentry='bot.py'", "bad_manifest"),
    "usual entry of the language": ("[bot]\nname='x'\nlanguage='c'", "missing_entry"),
    "entry elsewhere": ("[bot]\nname='x'\nentry='../bot.py'", "missing_entry"),
    "variant syntax": ("[bot]\nname='x'\nvariants=['../classic']", "bad_manifest"),
    "variant twice": ("[bot]\nname='x'\nvariants=['classic','classic']", "bad_manifest"),
}


def refusal(data, filename="bot.zip"):
    with pytest.raises(BadUpload) as caught:
        unpack(data, filename)
    assert caught.value.message
    return caught.value


@pytest.mark.parametrize(("data", "filename", "code"), BAD_FILES.values(), ids=BAD_FILES)
def test_bad_file_is_refused(data, filename, code):
    assert refusal(data, filename).code == code


@pytest.mark.parametrize("size", [5 * MIB + 1, 50 * MIB])
def test_large_file_is_refused(size):
    assert refusal(b"x" * size).code == "too_large"


@pytest.mark.parametrize(("name", "code"), BAD_NAMES.values(), ids=BAD_NAMES)
def test_bad_name_in_a_zip_is_refused(name, code):
    entries = [("drapeau.toml", zips.MANIFEST), ("bot.py", b""), (name, b"")]
    assert refusal(zips.zipped(entries)).code == code


@pytest.mark.parametrize(("data", "code"), BAD_ZIPS.values(), ids=BAD_ZIPS)
def test_bad_zip_is_refused(data, code):
    assert refusal(data).code == code


@pytest.mark.parametrize("mode", zips.SPECIAL_MODES.values(), ids=zips.SPECIAL_MODES)
def test_special_file_is_refused(mode):
    assert refusal(zips.with_mode(mode)).code == "special_file"


@pytest.mark.parametrize(("text", "code"), BAD_MANIFESTS.values(), ids=BAD_MANIFESTS)
def test_bad_manifest_is_refused(text, code):
    assert refusal(manifest_zip(text)).code == code


def test_zip_taking_too_much_memory_is_refused(monkeypatch):
    entries = [("drapeau.toml", zips.MANIFEST), ("bot.py", b"#" * 4 * MIB)]
    data = zips.zipped(entries, method=zipfile.ZIP_STORED)
    assert len(unpack(data, "bot.zip").files) == 2
    monkeypatch.setattr(limits, "INSPECT_MEMORY_BYTES", 16 * MIB)
    assert refusal(data).code == "too_costly"


@pytest.mark.parametrize(
    "data",
    [
        patched(24, struct.pack("<L", 0xFFFFFFF0)),
        patched(8, struct.pack("<2H", 60_000, 60_000), row=b"PK\x05\x06"),
    ],
    ids=["a file of 4 GiB", "60000 entries"],
)
def test_what_a_zip_claims_is_not_believed(data):
    assert unpack(data, "bot.zip") == unpack(zips.good(), "bot.zip")


def test_java_class_loses_mark_its_compiler_refuses():
    package = unpack(b"\xef\xbb\xbfclass Rook {}", "Rook.java")
    assert package.files == {"Rook.java": b"class Rook {}"}


def test_zip_inside_a_zip_stays_a_file():
    inner = zips.zipped([("drapeau.toml", zips.MANIFEST), ("../bot.py", b"x")])
    assert unpack(zips.good(inner=inner), "bot.zip").files["inner"] == inner


def test_damaged_zips_are_refused_without_breaking_reader():
    whole = zips.good()
    for place in range(0, len(whole), 41):
        damaged = bytearray(whole)
        damaged[place] ^= 0xFF
        try:
            package = unpack(bytes(damaged), "bot.zip")
        except BadUpload:
            continue
        assert "bot.py" in package.files


@pytest.mark.parametrize(
    ("filename", "language", "entry"),
    [
        ("Tit for Tat.py", "python", "bot.py"),
        ("rook.js", "node", "bot.js"),
        ("rook.MJS", "node", "bot.mjs"),
        ("rook.c", "c", "bot.c"),
        ("C:\\rook.cpp", "cpp", "bot.cpp"),
        ("rook.cc", "cpp", "bot.cc"),
        ("Rook.java", "java", "Rook.java"),
    ],
)
def test_single_file_has_language_of_its_extension(filename, language, entry):
    package = unpack(b"1\n", filename)

    assert (package.manifest.language, package.manifest.entry) == (language, entry)
    assert package.files == {entry: b"1\n"}


def test_manifest_is_read_whole():
    text = """[bot]
name = "Rook"
language = "python"
entry = "src/main.py"
variants = ["classic@1", "general"]
"""
    data = zips.zipped([("drapeau.toml", text.encode()), ("src/", b""), ("src/main.py", b"")])
    assert unpack(data, "x.ZIP").manifest == Manifest(
        "Rook", "python", "src/main.py", ("classic@1", "general")
    )


def test_single_top_folder_is_stripped_without_litter():
    data = zips.zipped(
        [
            ("rook/", b""),
            ("rook/drapeau.toml", zips.MANIFEST),
            ("rook/bot.py", b"print(1)\n"),
            ("rook/__pycache__/bot.cpython-311.pyc", b"x"),
            ("__MACOSX/rook/._bot.py", b"x"),
        ]
    )
    assert unpack(data, "rook.zip") == unpack(zips.good(), "other.zip")


def test_digest_depends_on_paths_and_contents_alone():
    files = {"a.py": b"1", "b.py": b"2"}
    assert digest_of(files) == digest_of(dict(reversed(files.items())))
    assert digest_of(files) != digest_of({"a.py": b"2", "b.py": b"1"})
    assert digest_of({"a": b"b"}) != digest_of({"ab": b""})


def test_packed_folder_unpacks_to_itself_and_packs_reproducibly(tmp_path):
    folder = tmp_path / "rook"
    (folder / "deep").mkdir(parents=True)
    (folder / "__pycache__").mkdir()
    (folder / "drapeau.toml").write_bytes(zips.MANIFEST)
    (folder / "bot.py").write_bytes(b"print(1)\n")
    (folder / "deep" / "more.py").write_bytes(b"x = 1\n")
    (folder / "__pycache__" / "bot.pyc").write_bytes(b"x")
    (folder / "link.py").symlink_to("bot.py")
    data = pack(folder)
    shutil.copytree(folder, tmp_path / "copy", symlinks=True)
    assert pack(tmp_path / "copy") == data
    assert sorted(unpack(data, "rook.zip").files) == [
        "bot.py", "deep/more.py", "drapeau.toml", "link.py",
    ]  # fmt: skip
