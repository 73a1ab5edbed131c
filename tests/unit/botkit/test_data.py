"""Files of records: the reader, and the command that downloads them, against a small site."""

import gzip
import hashlib
import json
import re

import pytest

from botkit.data import BadFile, records
from engine.registry import variants
from tests.unit.botkit.homes import drapeau, refusal
from tests.unit.botkit.small_site import page
from tests.unit.engine.refereed import record_of

GAMES = [record_of(variants()["general"], seed, {"max_plies": 10}) for seed in (1, 2, 3)]
LIST = "/api/v1/ladders/general/records"


def packed(*games):
    return gzip.compress("".join(f"{game.to_json()}\n" for game in games).encode(), mtime=0)


# --- The reader -------------------------------------------------------------------------------


def test_folder_is_read_in_order_of_names(tmp_path):
    (tmp_path / "general-2026-03-02-1.ndjson.gz").write_bytes(packed(GAMES[2]))
    (tmp_path / "general-2026-03-01-1.ndjson.gz").write_bytes(packed(*GAMES[:2]))
    (tmp_path / "notes.txt").write_text("no record")

    assert list(records(tmp_path)) == GAMES


def test_file_read_packed_or_not_with_empty_lines(tmp_path):
    plain = tmp_path / "some.ndjson"
    plain.write_text(f"{GAMES[0].to_json()}\n\n{GAMES[1].to_json()}")

    assert list(records(plain)) == GAMES[:2]


def refused(place):
    with pytest.raises(BadFile) as caught:
        list(records(place))
    return str(caught.value)


def test_a_bad_line_is_named(tmp_path):
    file = tmp_path / "bad.ndjson"
    words = json.loads(GAMES[1].to_json())
    for line, why in (
        ("{}", "not a record of format 1"),
        (json.dumps({**words, "odd": 1}), "has the key 'odd'"),
        (json.dumps({**words, "format": 2}), "take a newer version"),
    ):
        file.write_text(f"{GAMES[0].to_json()}\n{line}\n")

        said = refused(file)

        assert said.startswith(f"{file}, line 2: ")
        assert why in said

    file.write_bytes(b"\xff\xfe\x00")
    assert refused(file) == f"{file}, line 1: not a record of format 1: it is not text in UTF-8"


def test_a_damaged_file_is_named(tmp_path):
    file = tmp_path / "cut.ndjson.gz"
    whole = packed(*GAMES)
    for content in (whole[:-20], b"no gzip", whole[:40] + b"\0\0\0" + whole[43:]):
        file.write_bytes(content)

        said = refused(file)

        why = r"the file is damaged behind line \d+\. Delete it, and download it again"
        assert re.fullmatch(f"{re.escape(str(file))}: {why}", said)


def test_a_place_without_records_says_what_to_do(tmp_path):
    assert "Download some: drapeau data" in refused(tmp_path)
    assert "No such file" in refused(tmp_path / "nowhere.ndjson")


# --- The command ------------------------------------------------------------------------------


@pytest.fixture
def files(site, tmp_path, monkeypatch):
    """Return two files of a site, by name, which it lists; downloads go to a folder."""
    monkeypatch.chdir(tmp_path)
    found = {}
    for number, games in ((1, GAMES[:2]), (2, GAMES[2:])):
        found[f"general-2026-03-01-{number}.ndjson.gz"] = packed(*games)
        site.tell(f"GET {LIST}/2026-03-01/{number}", (200, packed(*games)))
    tell_list(site, found)
    return found


def tell_list(site, files, **changes):
    rows = [
        {
            "name": name, "day": "2026-03-01", "number": number, "revision": 1, "games": 2,
            "size_bytes": len(content), "sha256": hashlib.sha256(content).hexdigest(),
            "url": "/elsewhere", **changes,
        }
        for number, (name, content) in enumerate(files.items(), start=1)
    ]  # fmt: skip
    site.tell(f"GET {LIST}", {"complete_until": "2026-03-01", "licence": "", **page(*rows)})


def downloads(site):
    return [each.path for each in site.asked if each.path.startswith(f"{LIST}/")]


def test_files_are_downloaded_and_then_kept(site, files, tmp_path, capfd):
    said = drapeau(capfd, "data", "general", "--since", "2026-03-01")

    assert said == (
        "2 files with 4 games in records, 2 of them new.\n"
        "Complete until: 2026-03-01\n"
        "Licence: the site does not say. Ask before you publish them\n"
    )
    assert {path.name: path.read_bytes() for path in (tmp_path / "records").iterdir()} == files
    assert list(records(tmp_path / "records")) == GAMES
    assert "2 files with 4 games in records, 0 of" in drapeau(
        capfd, "data", "general", "--since", "2026-03-01"
    )
    assert downloads(site) == [f"{LIST}/2026-03-01/{number}" for number in (1, 2)]


def test_what_an_interrupted_download_has_left_is_replaced(site, files, tmp_path, capfd):
    first, second = files
    (tmp_path / first).write_bytes(files[first])
    (tmp_path / second).write_bytes(files[second][:30])

    words = ("data", "general", "--since", "2026-03-01", "--out", tmp_path, "--json")
    said = json.loads(drapeau(capfd, *words))

    assert [each["is_new"] for each in said["files"]] == [False, True]
    assert said["files"][1]["path"] == str(tmp_path / second)
    assert (tmp_path / second).read_bytes() == files[second]
    assert (said["ladder"], said["complete_until"], said["licence"]) == (
        "general",
        "2026-03-01",
        "",
    )


def test_the_days_are_asked_for(site, files, capfd):
    drapeau(capfd, "data", "general", "--since", "2026-03-01", "--until", "2026-03-02")

    listed = [each.path for each in site.asked if each.path.startswith(f"{LIST}?")]
    assert listed == [f"{LIST}?page_size=200&since=2026-03-01&until=2026-03-02"]
    days = ("--since", "2026-03-02", "--until", "2026-03-01")
    said = refusal(capfd, "data", "general", *days, status=2)
    assert said.endswith("--since 2026-03-02 is after --until 2026-03-01: exchange the two days\n")


def test_a_file_that_arrives_damaged_is_not_kept(site, files, tmp_path, capfd):
    site.tell(f"GET {LIST}/2026-03-01/2", (200, b"something else"))

    said = refusal(capfd, "data", "general", "--since", "2026-03-01")

    assert said.splitlines()[-1].startswith("general-2026-03-01-2.ndjson.gz is not as the site")
    assert said.endswith("Run the command again: it goes on here\n")
    assert [path.name for path in (tmp_path / "records").iterdir()] == [*files][:1]


@pytest.mark.parametrize("name", ["../general-2026-03-01-1.ndjson.gz", "x.sh", "/etc/passwd"])
def test_a_site_cannot_choose_where_a_file_goes(site, files, tmp_path, capfd, name):
    tell_list(site, {name: b""})

    assert "another form" in refusal(capfd, "data", "general", "--since", "2026-03-01", status=4)
    assert not (tmp_path / "records").exists()


def test_what_cannot_be_written_or_understood_is_said(site, files, tmp_path, capfd):
    (tmp_path / "taken").write_text("")
    words = ("data", "general", "--since", "2026-03-01", "--out")

    assert "is a file" in refusal(capfd, *words, tmp_path / "taken", status=2)
    assert "cannot be written: Not a directory" in refusal(capfd, *words, tmp_path / "taken/x")
    for day in ("soon", "2026-13-01"):
        said = refusal(capfd, "data", "general", "--since", day, status=2)
        assert f"'{day}' is not a day: write the day as 2026-11-26." in said
