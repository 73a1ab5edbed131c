"""What of a folder is a bot: what is left out, links, limits, and files in other encodings."""

from pathlib import Path

import pytest

from botkit import folder as rules
from botkit.folder import listed
from botkit.home import find_bot
from botkit.manifest import BadUpload
from botkit.package import pack, read_folder
from sandbox import limits
from tests.unit.botkit.homes import make_bot

MIB = 2**20
OF_TOOLS = (
    ".git/HEAD", ".idea/x.xml", ".mypy_cache/a/b", ".venv/lib/x.py", "venv/x.py", "target/bot",
    "node_modules/a/index.js", "deep/__pycache__/x.pyc", "game-0001.json", "game-0001-red.log",
    "records/game-0002.json", ".drapeauignore",
)  # fmt: skip


@pytest.fixture
def bot(tmp_path):
    return Path(make_bot(tmp_path, "rook"))


def put(folder, name, content=b"x"):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def files(folder):
    return sorted(set(listed(folder).sizes) - {"bot.py", "drapeau.toml"})


def test_tool_leftovers_and_records_stay_at_home(bot):
    for name in OF_TOOLS:
        put(bot, name, b"")
    put(bot, "targets.py")

    assert files(bot) == ["targets.py"]


IGNORED = {  # lines, and what of FILES is left
    "": ["a.txt", "data/a.txt", "data/deep/b.bin", "src/data/c.py"],
    "# data\n\n": ["a.txt", "data/a.txt", "data/deep/b.bin", "src/data/c.py"],
    "data": ["a.txt"],
    "/data": ["a.txt", "src/data/c.py"],
    "data/deep": ["a.txt", "data/a.txt", "src/data/c.py"],
    "a.txt/": ["a.txt", "data/a.txt", "data/deep/b.bin", "src/data/c.py"],
    "*.txt\n!/a.txt": ["a.txt", "data/deep/b.bin", "src/data/c.py"],
    "?.[tb]*": ["src/data/c.py"],
    "\ufeffdata\r\nsrc\r\n": ["a.txt"],
    "!target": [
        "a.txt", "data/a.txt", "data/deep/b.bin", "src/data/c.py", "target/x.py",
    ],
}  # fmt: skip


@pytest.mark.parametrize("lines", IGNORED)
def test_author_ignore_lines_leave_out_and_take_back(lines, bot):
    for name in ("a.txt", "data/a.txt", "data/deep/b.bin", "src/data/c.py", "target/x.py"):
        put(bot, name)
    put(bot, ".drapeauignore", lines.encode())

    assert files(bot) == IGNORED[lines]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a\ndata/**\n", ".drapeauignore, line 2: a pattern is a name or a path with *, ? and"),
        ("data".encode("utf-16"), ".drapeauignore is UTF-16 text. Save it as UTF-8"),
        (b"a\nb\n\xff", ".drapeauignore is not UTF-8 text: line 3. Save it as UTF-8"),
    ],
)
def test_lines_that_are_not_understood_are_named(content, said, bot):
    put(bot, ".drapeauignore", content)

    with pytest.raises(BadUpload, match=said.replace("*", "[*]").replace("?", "[?]")):
        listed(bot)


@pytest.mark.parametrize(
    ("name", "said"),
    [("bot.py", "'bot.py', which is not there"), ("drapeau.toml", "there is no drapeau.toml at")],
)
def test_needed_but_left_out_file_is_named(name, said, bot):
    put(bot, ".drapeauignore", name.encode())

    with pytest.raises(BadUpload, match=rf"{said}.*\. What is left out of the bot: .*, {name}$"):
        read_folder(bot)


def test_links_within_the_folder_are_packed_as_files(bot):
    put(bot, "shared/deep/a.py", b"a")
    (bot / "linked.py").symlink_to("shared/deep/a.py")
    (bot / "all").symlink_to(bot / "shared")

    assert files(bot) == ["all/deep/a.py", "linked.py", "shared/deep/a.py"]
    package = read_folder(bot)
    (bot / "linked.py").unlink()
    put(bot, "linked.py", b"a")
    assert read_folder(bot) == package


@pytest.mark.parametrize(
    ("name", "target", "said"),
    [
        ("a.py", "/etc/passwd", "'a.py' is a link to /etc/passwd, outside the folder: copy it"),
        ("deep/up", "..", "'deep/up' is a link to a folder around it: leave it out"),
        ("a.py", "nowhere", "'a.py' is a link to nothing: leave it out with this line in"),
        ("a.py", "a.py", "'a.py' is a link to nothing"),
        ("deep/py", "/bin/sh", "in .drapeauignore: deep/py, or deep/ for all of that folder"),
    ],
)
def test_other_links_are_named(name, target, said, bot):
    (bot / "deep").mkdir()
    (bot / name).symlink_to(target)
    for refused in (read_folder, pack):
        with pytest.raises(BadUpload, match=said):
            refused(bot)

    put(bot, ".drapeauignore", name.encode())
    assert files(bot) == []


def large(folder):
    """Fill a folder beyond what a site takes, with a hole in place of content."""
    with put(folder, "data/a.bin").open("wb") as file:
        file.truncate(30 * MIB)


def test_kit_and_sandbox_agree_on_limits():
    ours = (rules.FILES_MAX, rules.UNPACKED_MAX_BYTES, rules.PATH_MAX_BYTES)
    assert ours == (limits.ENTRIES_MAX, limits.UNPACKED_MAX_BYTES, limits.PATH_MAX_BYTES)


@pytest.mark.parametrize("make", [large, lambda bot: (bot / "a.py").symlink_to("/etc/passwd")])
def test_folder_no_site_takes_plays_at_home(make, bot, monkeypatch):
    whole = find_bot(str(bot))
    make(bot)
    read: list[str] = []
    before = Path.read_bytes

    def noted(path):
        read.append(path.name)
        return before(path)

    monkeypatch.setattr(Path, "read_bytes", noted)
    found = find_bot(str(bot))

    assert (found.command, found.digest) == (whole.command, "")
    assert whole.digest != ""
    assert read == ["drapeau.toml"]
