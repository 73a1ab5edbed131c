"""The page of the bot kit: what it says can be installed."""

import re
import subprocess
import sys
from hashlib import sha256
from html import unescape

import pytest

from arena import wheels

pytestmark = pytest.mark.django_db
COMMAND = re.compile(
    r"<code>pip install &quot;(.*?)&quot;</code>|<code>pip install \"(.*?)\"</code>"
)


@pytest.fixture
def served(settings, tmp_path):
    settings.WHEELS_DIR = tmp_path / "wheels"
    return {path.name: path.read_bytes() for path in wheels.build(settings.WHEELS_DIR)}


def requirements(page):
    """Return what the page tells pip to install, without the extra, which comes from elsewhere."""
    return [unescape(one or other).replace("[cli]", "") for one, other in COMMAND.findall(page)]


def downloaded(requirement, folder):
    """Have pip download a requirement, from no index; return its exit status."""
    pip = (sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check")
    command = (*pip, "download", "--no-index", "--no-cache-dir", "--dest", folder, requirement)
    return subprocess.run(command, check=False, capture_output=True).returncode


def test_the_page_names_each_wheel_with_its_digest(served, client):
    told = requirements(client.get("/kit/").content.decode())

    assert sorted(each.rpartition("/")[2] for each in told) == sorted(
        f"{name}#sha256={sha256(data).hexdigest()}" for name, data in served.items()
    )
    for name, data in served.items():
        assert b"".join(client.get(f"/kit/{name}")) == data


@pytest.mark.slow
def test_what_the_page_says_gives_the_wheels(served, client, live_server, tmp_path):
    page = client.get("/kit/", headers={"host": live_server.url.partition("//")[2]})
    told = requirements(page.content.decode())

    assert [downloaded(each, tmp_path / "got") for each in told] == [0, 0]
    got = {path.name: path.read_bytes() for path in (tmp_path / "got").iterdir()}
    assert got == served


def test_what_is_not_a_wheel_is_not_found(served, client, settings):
    (settings.WHEELS_DIR / "secret_key").touch()

    for name in ("other-1-py3-none-any.whl", "..%2Fsecret_key", "secret_key"):
        assert client.get(f"/kit/{name}").status_code == 404


def test_a_site_without_wheels_says_so(settings, tmp_path, client):
    settings.WHEELS_DIR = tmp_path / "none"

    assert "no files of the bot kit" in client.get("/kit/").content.decode()
