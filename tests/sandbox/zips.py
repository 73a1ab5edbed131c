"""Zips as no honest tool makes them."""

import io
import stat
import struct
import warnings
import zipfile

MANIFEST = b'[bot]\nname = "Tester"\n'


def zipped(entries, *, method=zipfile.ZIP_DEFLATED):
    """Make a zip of (name, content) pairs; a name may come twice."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of a duplicate name, which is what is wanted
        for name, content in entries:
            entry = zipfile.ZipInfo(name)
            entry.filename = name  # the constructor tidies what must stay untidy here
            entry.compress_type = method
            archive.writestr(entry, content)
    return buffer.getvalue()


def good(**more):
    files = {"drapeau.toml": MANIFEST, "bot.py": b"print(1)\n"}
    return zipped((files | more).items())


def with_mode(mode, **more):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("drapeau.toml", MANIFEST)
        archive.writestr("bot.py", b"")
        entry = zipfile.ZipInfo("odd")
        entry.create_system = 3
        entry.external_attr = (mode | 0o644) << 16
        archive.writestr(entry, b"/etc/passwd")
        for name, content in more.items():
            archive.writestr(name, content)
    return buffer.getvalue()


SPECIAL_MODES = {
    "symlink": stat.S_IFLNK,
    "fifo": stat.S_IFIFO,
    "socket": stat.S_IFSOCK,
    "device of characters": stat.S_IFCHR,
    "device of blocks": stat.S_IFBLK,
}


def encrypted():
    """Set the flag of encryption in both headers of every entry."""
    data = bytearray(good())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = data.find(signature)
        while start >= 0:
            data[start + offset] |= 1
            start = data.find(signature, start + 1)
    return bytes(data)


def wrong_checksum():
    data = bytearray(zipped([("drapeau.toml", MANIFEST)], method=zipfile.ZIP_STORED))
    data[data.find(b"Tester")] ^= 1
    return bytes(data)


def lying_about_sizes(content):
    """Claim one byte in the table for what unpacks to much more."""
    data = bytearray(good(big=content))
    start = data.find(b"PK\x01\x02", data.rfind(b"big") - 60)
    data[start + 24 : start + 28] = struct.pack("<L", 1)
    return bytes(data)


def overlapping():
    """Let a second entry of the table point into the bytes of the first."""
    data = bytearray(zipped([("drapeau.toml", MANIFEST), ("bot.py", b"x" * 50)]))
    second = data.rfind(b"PK\x01\x02")
    data[second + 42 : second + 46] = struct.pack("<L", 0)
    return bytes(data)


def nul_in_name():
    return zipped([("bot.py_x", b""), ("drapeau.toml", MANIFEST)]).replace(
        b"bot.py_x", b"bot.py\0x"
    )


def member(data, name):
    """Read one file out of a zip, or of a jar."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(name)
