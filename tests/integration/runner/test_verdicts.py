"""`drapeau check` at home and the checklist of a site come to the same verdict on a bot.

Hostile bots are not run on the machine itself: at home stands for a container here.
"""

import json
import subprocess
from pathlib import Path
from secrets import token_hex

import click
import pytest

from arena import wheels
from arena.domain.bots import bots
from arena.models import VersionStatus
from botkit.package import pack
from sandbox.images.recipe import runtime_image
from tests import factories
from tests.integration.house_bots.house import BOTS, LADDERS
from tests.sandbox.attack import cases

pytestmark = [
    pytest.mark.docker,
    pytest.mark.django_db(transaction=True),
]

SLUG = "classic"
ALWAYS = {"crlf", "exit_now", "garbage", "mem_bomb"}
ATTACK = "attacks the program that plays it, from which nothing keeps it at home"
UNLIKE = {  # hostile bots that are left out, and why
    "kill_init_term": ATTACK,
    "prlimit_init": ATTACK,
    "write_proc1mem": ATTACK,
    "symlinks": "cannot lay its links twice, and at home all games have one folder /tmp",
}
MANIFEST = f'[bot]\nname = "hostile"\nvariants = ["{SLUG}"]\n'
LIBRARIES = Path(click.__file__).parent.parent  # of the command line; all are plain Python
CONTAINED = (
    *("--rm", "--network", "none", "--read-only", "--tmpfs", "/tmp:size=64m,exec"),
    *("--cpus", "1", "--memory", "1g", "--memory-swap", "1g", "--pids-limit", "256"),
    *("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--user", "65534:65534"),
    *("--workdir", "/tmp", "--env", "HOME=/tmp", "--env", "PYTHONPATH=/kit:/libraries"),
)


def parameters():
    """Yield the folder of each bot, or the case of a hostile one."""
    for name in LADDERS[SLUG]:
        yield pytest.param(BOTS / name, id=name, marks=_marks(name))
    for case in cases.cases("docker"):
        if case.name in UNLIKE:
            continue
        yield pytest.param(case, id=case.name, marks=_marks(case.name))


def _marks(name):
    return [] if name in ALWAYS else [pytest.mark.soak]


@pytest.fixture(scope="module")
def kit(tmp_path_factory):
    """Return a folder with the kit as its wheel has it, the engine inside."""
    folder = tmp_path_factory.mktemp("kit")
    folder.chmod(0o755)
    wheels.PACKAGES["botkit"](folder / "botkit")
    return folder


@pytest.fixture
def folder(request, tmp_path):
    """Return the folder of the bot that a test is about."""
    if isinstance(request.param, Path):
        return request.param
    folder = tmp_path / "bot"
    folder.mkdir(mode=0o755)
    for name, file in request.param.package.files.items():
        (folder / name).write_bytes(file)
    (folder / "drapeau.toml").write_text(MANIFEST)
    return folder


def test_those_that_are_left_out_exist():
    assert UNLIKE.keys() <= {case.name for case in cases.cases("docker")}


@pytest.mark.parametrize("folder", list(parameters()), indirect=True)
def test_home_and_site_come_to_the_same_verdict(folder, kit, settings):
    settings.ISOLATION = "docker"
    version = bots.submit_version(bot=factories.make_bot(), filename="x.zip", data=pack(folder))

    factories.validate(version_pk=version.pk)

    version.refresh_from_db()
    assert version.status in (VersionStatus.READY, VersionStatus.REJECTED)
    (found,) = checked_at_home(folder, kit)["checks"]
    assert found["ready"] == (version.status == VersionStatus.READY), (found, version.reason)


def checked_at_home(folder, kit):
    """Return what `drapeau check` says in a container with the kit in it."""
    name = f"verdict-{token_hex(8)}"
    places = {kit: "/kit", LIBRARIES: "/libraries", folder: "/bot"}
    mounts = [f"{path}:{place}:ro" for path, place in places.items()]
    command = [
        *("docker", "run", "--name", name, *CONTAINED),
        *(word for mount in mounts for word in ("--volume", mount)),
        *(runtime_image("python"), "python3", "-m", "botkit.cli"),
        *("check", "/bot", "--variant", SLUG, "--seed", "1", "--json"),
    ]
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True)
    finally:
        subprocess.run(["docker", "rm", "--force", name], check=False, capture_output=True)
    assert done.stdout, done.stderr
    return json.loads(done.stdout)
