"""The check of the locked packages against OSV files."""

import json
import zipfile

import pytest

from tools import vulnerabilities
from tools.vulnerabilities import findings, locked

LOCK = """django==5.2.4 \\
    --hash=sha256:aa
My_Package==1.0 ; python_version < "3.12" \\
    --hash=sha256:bb
My_Package==2.0 ; python_version >= "3.12" \\
    --hash=sha256:cc
"""


def advisory(*, name="Django", versions=(), events=(), ecosystem="PyPI", **more):
    ranges = [{"type": "ECOSYSTEM", "events": list(events)}] if events else []
    affected = {
        "package": {"ecosystem": ecosystem, "name": name},
        "versions": list(versions),
        "ranges": ranges,
    }
    return {"id": "PYSEC-1", "summary": "a hole", "affected": [affected], **more}


def introduced(version, **end):
    return [{"introduced": version}, *({kind: limit} for kind, limit in end.items())]


@pytest.fixture
def packages(tmp_path):
    (tmp_path / "run.lock").write_text(LOCK)
    return locked(tmp_path / "run.lock")


@pytest.mark.parametrize(
    "affected",
    [
        {"versions": ["5.2.4"]},
        {"events": introduced("0")},
        {"events": introduced("5.2", fixed="5.2.5")},
        {"events": introduced("5.2", last_affected="5.2.4")},
        {"events": [*introduced("4", fixed="4.1"), *introduced("5.2", fixed="5.3")]},
        {"events": introduced("5", limit="5.3")},
        {"versions": ["2004d", "5.2.4.0"]},
    ],
)
def test_an_affected_version_is_found(packages, affected):
    assert findings(packages, [("a.json", advisory(**affected))]) == (
        ["django 5.2.4: PYSEC-1 a hole"],
        [],
    )


@pytest.mark.parametrize(
    "other",
    [
        {"versions": ["5.2.3"]},
        {"events": introduced("5.2", fixed="5.2.4")},
        {"events": introduced("5.2", last_affected="5.2.3")},
        {"events": introduced("5.2.5")},
        {"events": introduced("5", limit="5.2.4")},
        {"versions": ["2004d"]},
        {"events": introduced("0"), "name": "another"},
        {"events": introduced("0"), "ecosystem": "npm"},
        {"events": introduced("0"), "withdrawn": "2026-01-01T00:00:00Z"},
    ],
)
def test_other_versions_packages_and_withdrawn_advisories_are_not(packages, other):
    assert findings(packages, [("a.json", advisory(**other))]) == ([], [])


IN_NO_FORMAT = "it is not an advisory in the format of OSV"


@pytest.mark.parametrize(
    ("odd", "why"),
    [
        ({"id": "ODD", "affected": [{"package": 1}]}, IN_NO_FORMAT),
        (["ODD"], IN_NO_FORMAT),
        ([], IN_NO_FORMAT),
        (7, IN_NO_FORMAT),
        (advisory(events=introduced("x")), "'x' is not a version of PyPI"),
    ],
)
def test_odd_file_named_and_others_checked(packages, odd, why):
    known = [("odd.json", odd), ("good.json", advisory(events=introduced("0")))]

    assert findings(packages, known) == (["django 5.2.4: PYSEC-1 a hole"], [f"odd.json: {why}"])


def said(monkeypatch, capsys, source):
    if source is None:
        monkeypatch.delenv(vulnerabilities.SETTING, raising=False)
    else:
        monkeypatch.setenv(vulnerabilities.SETTING, str(source))
    status = vulnerabilities.main()
    return status, "".join(capsys.readouterr())


def test_without_source_nothing_checked_and_says_so(monkeypatch, capsys):
    status, text = said(monkeypatch, capsys, None)
    assert (status, text.partition(":")[0]) == (0, "not checked")


def test_real_lock_checked_against_folder_and_zip(monkeypatch, capsys, tmp_path):
    folder, archive = tmp_path / "osv", tmp_path / "all.zip"
    folder.mkdir()
    (folder / "one.json").write_text(json.dumps(advisory(events=introduced("0"))))
    with zipfile.ZipFile(archive, "w") as written:
        written.writestr("two.json", json.dumps(advisory(name="nobody", events=introduced("0"))))
    status, text = said(monkeypatch, capsys, folder)
    assert (status, text.startswith("django 5."), "PYSEC-1" in text) == (1, True, True)
    assert said(monkeypatch, capsys, archive)[0] == 0


@pytest.mark.parametrize(
    ("content", "why"),
    [(None, "No such file or directory"), ("no json", "Expecting value: line 1 column 1 (char 0)")],
)
def test_unreadable_source_is_not_clean_bill(monkeypatch, capsys, tmp_path, content, why):
    if content is not None:
        (tmp_path / "one.json").write_text(content)
    source = tmp_path if content else tmp_path / "nowhere"

    assert said(monkeypatch, capsys, source) == (
        1,
        f"not checked: {source} cannot be read as OSV files: {why}\n",
    )
