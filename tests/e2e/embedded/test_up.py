"""`drapeau up` as a person at a terminal meets it: installed from wheels, and in the checkout."""

import shlex
import signal
import sqlite3
import subprocess
import sys
import sysconfig
import venv

import httpx2
import pytest

from arena import wheels
from arena.embedded.folder import hold
from arena.embedded.tcp import listens
from tests.e2e.embedded.interrupted import End, faults_of, what_is_left
from tests.e2e.embedded.started import ENOUGH_S, IN_CHECKOUT, Started, environment
from tests.tree import ROOT, copy_files, tracked

PARTS = ("arena/", "bots/", "botkit/", "docs/", "engine/", "sandbox/")
FILES = ("LICENSE", "README.md", "pyproject.toml", "setup.py")
MODULES_FOR_BOTS = "from sandbox.host.kit import kit_files; print(sorted(kit_files()))"


@pytest.fixture
def start(tmp_path):
    started = []

    def start(*command, **options):
        started.append(Started(tmp_path, *command, **options))
        return started[-1]

    yield start
    for each in started:
        each.end()


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Return the folder of the programs of an environment with the server and then the kit.

    What both of them need comes from the environment of the tests.
    """
    monkeypatch.setenv("SOURCE_DATE_EPOCH", environment()["SOURCE_DATE_EPOCH"])
    source = tmp_path / "source"
    copy_files((*FILES, *(name for name in tracked() if name.startswith(PARTS))), to=source)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    offline = ("--quiet", "--no-index", "--no-deps")
    run(*pip, "wheel", *offline, "--no-build-isolation", "-w", tmp_path / "server", source)
    (server,) = (tmp_path / "server").iterdir()

    place = tmp_path / "environment"
    venv.create(place, with_pip=False)
    (packages,) = place.glob("lib/python*/site-packages")
    (packages / "tests.pth").write_text(sysconfig.get_path("purelib"))
    kit, _house_bots = wheels.build(tmp_path / "kit")
    for wheel in (server, kit):
        run(*pip, "--python", place, "install", *offline, "--no-compile", wheel)
    return place / "bin"


def run(*words, **options):
    done = subprocess.run(
        list(map(str, words)), check=False, capture_output=True, text=True, **options
    )
    assert done.returncode == 0, done
    return done.stdout


def test_installed_server_starts_beside_kit_and_leaves_nothing(start, installed, tmp_path):
    site = start(installed / "drapeau", cwd=tmp_path)
    site.wait_for(site.err, "Ctrl-C stops it.")
    url = site.out.read_text().strip()

    answers = {
        path: httpx2.get(url + path, timeout=ENOUGH_S).status_code
        for path in ("/", "/readyz", "/static/site.css", "/docs/reference/protocol/")
    }
    assert set(answers.values()) == {200}, answers
    for wheel in (tmp_path / "kit").iterdir():  # as the checkout builds it
        assert httpx2.get(f"{url}/kit/{wheel.name}", timeout=ENOUGH_S).content == wheel.read_bytes()
    there = run(installed / "python", "-c", MODULES_FOR_BOTS, cwd=tmp_path, env=environment())
    assert there == run(sys.executable, "-c", MODULES_FOR_BOTS, cwd=ROOT)
    make_an_administrator(site)

    assert site.interrupt() == (0, 0)
    assert not listens(int(url.rpartition(":")[2]))
    assert site.err.read_text().splitlines()[-1] == "Ending. The next start continues from here."


def make_an_administrator(site):
    """Run the command that the site has printed."""
    (line,) = (line for line in site.err.read_text().splitlines() if "/admin/" in line)
    command = shlex.split(line.partition("terminal: ")[2])
    words = ("--no-input", "--username", "boss", "--email", "boss@arena.example")
    secret = {"DJANGO_SUPERUSER_PASSWORD": "a long enough password"}
    run(*command, *words, env=environment() | secret, cwd=site.data_dir)

    with sqlite3.connect(site.data_dir / "drapeau.sqlite3") as database:
        found = database.execute("SELECT username FROM arena_user WHERE is_superuser").fetchall()
    assert found == [("boss",)]


def test_ctrl_c_during_start_says_nothing_is_lost(start):
    site = start(*IN_CHECKOUT)
    site.wait_for(site.err, "Bringing the database")

    assert site.interrupt() == (130, 0)
    assert site.out.read_text() == ""
    assert site.err.read_text().splitlines()[-1] == (
        "Interrupted. Nothing is lost: the next start continues from here."
    )


def test_unreadable_database_ends_start_with_sentence(start, tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "drapeau.sqlite3").write_text("no database, but a text. " * 100)
    site = start(*IN_CHECKOUT)

    assert site.process.wait(ENOUGH_S) == 1
    said = site.err.read_text()
    assert "Traceback" not in said
    assert said == (
        f"the database {site.data_dir}/drapeau.sqlite3 is damaged: file is not a database. Restore "
        "a backup with `drapeau-server restore --replace`, or choose another folder.\n"
    )


# In this order on one folder, so that only one start has to make the database.
MOMENTS = (
    End((signal.SIGINT,), after_s=0.2),
    End((signal.SIGHUP,), once_it_says="Isolation: "),
    End((signal.SIGTERM, signal.SIGINT), once_it_says="Starting the web server", apart_s=0.5),
)


def test_site_ended_at_any_moment_leaves_nothing(tmp_path):
    assert {str(end): faults_of(end, tmp_path) for end in MOMENTS} == {
        str(end): [] for end in MOMENTS
    }


def test_what_an_end_leaves_is_found(tmp_path):
    """The check of the last test can fail."""
    environment = {"DRAPEAU_DATA_DIR": str(tmp_path)}
    with hold(tmp_path), subprocess.Popen(["sleep", "60"], env=environment) as left:
        (tmp_path / "wheels").mkdir()
        (tmp_path / "wheels" / ".building").mkdir()
        found = what_is_left(tmp_path, tmp_path / "wheels")
        left.kill()

    assert found == [
        "process sleep 60 ",
        *[f"file {tmp_path}/wheels/.building"] * 2,
        "the lock",
    ]


def test_a_kit_of_another_version_is_refused(tmp_path):
    for name, version in (("drapeau", "0.4.0"), ("drapeau_server", "0.5.0")):
        info = tmp_path / f"{name}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    done = subprocess.run(
        [*IN_CHECKOUT, "up", "--data", "/sys/drapeau"],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        env=environment() | {"PYTHONPATH": str(tmp_path)},
    )

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "drapeau 0.4.0 and drapeau-server 0.5.0 are in one environment and share the package "
        "botkit: install both in one version, or each in an environment of its own.\n"
    )


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("up", "--data", "/sys/drapeau"), 1, "the folder /sys/drapeau cannot be used: "),
        (("manage", "--data", "/sys/drapeau", "check"), 1, "there is no site in /sys/drapeau: "),
        (("up", "--data", "/etc/passwd"), 1, "the folder /etc/passwd cannot be used: File exists"),
        (("up", "--port", "70000"), 2, "70000 is not in the range 0<=x<=65535."),
    ],
)
def test_useless_words_are_answered_with_sentence(words, status, said):
    done = subprocess.run(
        [*IN_CHECKOUT, *words], cwd=ROOT, check=False, capture_output=True, text=True
    )

    assert done.returncode == status
    assert said in done.stderr.splitlines()[-1]
    assert done.stdout == ""
