"""Archives made to write where they may not, to lie, or to swell: every kind is refused."""

import io
import stat
import struct
import tarfile
import zipfile

import pytest

from botkit.manifest import BadUpload
from sandbox import limits
from sandbox.uploads.package import unpack
from tests.sandbox import zips

CENTRAL = b"PK\x01\x02"
END = b"PK\x05\x06"


def tarred(mode="w"):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for name, content in (("drapeau.toml", zips.MANIFEST), ("bot.py", b"print(1)\n")):
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def with_entries(*names):
    return zips.zipped([("drapeau.toml", zips.MANIFEST), *((name, b"x") for name in names)])


def patched(offset, packed):
    """Change a field of the last row of the table of a good zip."""
    data = bytearray(zips.good())
    row = data.rfind(CENTRAL)
    data[row + offset : row + offset + len(packed)] = packed
    return bytes(data)


def two_names():
    """Call a file one name in the table and another where it lies."""
    data = bytearray(zips.good(**{"good_name.py": b"x"}))
    data[data.find(b"good_name") : data.find(b"good_name") + 9] = b"evil_name"
    return bytes(data)


def claiming_entries(count):
    data = bytearray(zips.good())
    end = data.rfind(END)
    data[end + 8 : end + 12] = struct.pack("<2H", count, count)
    return bytes(data)


def through_a_link():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("drapeau.toml", zips.MANIFEST)
        link = zipfile.ZipInfo("out")
        link.create_system = 3
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, b"/tmp")
        archive.writestr("out/bot.py", b"print(1)\n")
    return buffer.getvalue()


MIB = limits.MIB
ARCHIVES = {
    "leaves its folder": (with_entries("../bot.py"), "bad_path"),
    "leaves its folder later": (with_entries("a/../../bot.py"), "bad_path"),
    "leaves by its last part": (with_entries("a/.."), "bad_path"),
    "absolute": (with_entries("/etc/cron.d/bot"), "bad_path"),
    "backslashes": (with_entries("..\\..\\bot.py"), "bad_path"),
    "drive": (with_entries("C:bot.py"), "bad_path"),
    "NUL": (zips.nul_in_name(), "bad_path"),
    "written backwards": (with_entries("bot\u202eyp.exe"), "bad_path"),
    "long name": (with_entries("a/" * 100 + "b.py"), "long_name"),
    "link": (zips.with_mode(stat.S_IFLNK), "special_file"),
    "fifo": (zips.with_mode(stat.S_IFIFO), "special_file"),
    "socket": (zips.with_mode(stat.S_IFSOCK), "special_file"),
    "device of characters": (zips.with_mode(stat.S_IFCHR), "special_file"),
    "device of blocks": (zips.with_mode(stat.S_IFBLK), "special_file"),
    "file behind a link": (through_a_link(), "special_file"),
    "one name twice": (with_entries("a.py", "a.py"), "duplicate"),
    "one name in two cases": (with_entries("a.py", "A.PY"), "duplicate"),
    "a file that is a folder": (with_entries("a", "a/b.py"), "file_and_folder"),
    "a file that is a folder in another case": (with_entries("A", "a/b.py"), "file_and_folder"),
    "too many entries": (with_entries(*map(str, range(limits.ENTRIES_MAX))), "too_many_entries"),
    "overlap": (zips.overlapping(), "overlap"),
    "encrypted": (zips.encrypted(), "encrypted"),
    "one file too large": (zips.good(big=b"\0" * (21 * MIB)), "zip_bomb"),
    "files too large together": (
        zips.good(**{f"big{number}": b"\0" * (3 * MIB) for number in range(7)}),
        "zip_bomb",
    ),
    "smaller than it is": (zips.lying_about_sizes(b"\0" * (21 * MIB)), "damaged"),
    "packed size beyond its end": (patched(20, struct.pack("<L", 0x7FFFFFFF)), "overlap"),
    "place beyond its end": (patched(42, struct.pack("<L", 0x7FFFFFFF)), "damaged"),
    "wrong checksum": (zips.wrong_checksum(), "damaged"),
    "another name inside": (two_names(), "damaged"),
    "not a zip": (b"PK is all I have", "not_a_zip"),
    "the end of a zip": (END + b"\0" * 18, "no_manifest"),
    "tar": (tarred(), "not_a_zip"),
    "tar, packed": (tarred("w:gz"), "not_a_zip"),
}


@pytest.mark.parametrize(("data", "code"), ARCHIVES.values(), ids=ARCHIVES)
def test_hostile_archive_is_refused(data, code):
    with pytest.raises(BadUpload) as caught:
        unpack(data, "bot.zip")
    assert caught.value.code == code


@pytest.mark.parametrize("ending", ["tar", "tar.gz", "tgz", "tar.xz", "tar.bz2", "7z", "rar"])
def test_other_archives_are_not_taken(ending):
    with pytest.raises(BadUpload) as caught:
        unpack(tarred(), f"bot.{ending}")
    assert caught.value.code == "wrong_extension"


@pytest.mark.parametrize(
    "data",
    [patched(24, struct.pack("<L", 0xFFFFFFF0)), claiming_entries(60_000)],
    ids=["a file of 4 GiB", "60000 entries"],
)
def test_what_a_zip_claims_is_not_believed(data):
    assert unpack(data, "bot.zip") == unpack(zips.good(), "bot.zip")


def test_zip_inside_a_zip_stays_a_file():
    inner = with_entries("../bot.py")
    assert unpack(zips.good(inner=inner), "bot.zip").files["inner"] == inner
