"""compose.yaml, really started: two developers' bots play a rated match in containers."""

import os
import re
import signal
import subprocess
import sys

import httpx2
import pytest

from arena import release
from engine.record import Record
from engine.signature import check_signature, read_keys
from tests.e2e.compose.stack import (
    BOTS,
    BUSY_S,
    LASTING,
    answers_ok,
    build_images,
    running_stack,
)
from tests.tree import ROOT
from tests.waiting import until
from tools.demo.api import Account, Api

pytestmark = [pytest.mark.docker, pytest.mark.smoke]

SECRETS = ("DATABASE_URL", "DRAPEAU_SECRET_KEY", "DRAPEAU_BROKER_URL", "DRAPEAU_EMAIL_URL")
KEY_FILE_MODE = "import os; print(oct(os.stat('/keys/record_key').st_mode))"
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
# Prints every socket file that it can find and connect to, wherever that is in its container. One
# that is mounted looks like a plain file to the folder it is in, so all mounts are tried as well.
FIND_SOCKETS = """
import os, socket
folders, odd = ["/"], {line.split()[4] for line in open("/proc/self/mountinfo")}
while folders:
    try:
        found = list(os.scandir(folders.pop()))
    except OSError:
        continue
    folders += [each.path for each in found
                if each.is_dir(follow_symlinks=False) and each.path not in ("/proc", "/sys")]
    odd.update(each.path for each in found
               if not (each.is_dir() or each.is_file() or each.is_symlink()))
for path in odd:
    for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
        with socket.socket(socket.AF_UNIX, kind) as door:
            if door.connect_ex(path) == 0:
                print(path)
"""


@pytest.fixture(scope="module")
def stack():
    with running_stack(build_images()) as started:
        started.wait_until_ready()
        yield started
    started.stage.until(
        lambda: started.left_behind() == "", within_s=BUSY_S, what="removing it all"
    )


@pytest.fixture(scope="module")
def played(stack):
    """The stack with two developers' bots on it that have met: tests come in any order."""
    stack.enter_bots()
    return stack


def status(stack, match):
    return httpx2.get(f"{stack.stage.url}/api/v1/matches/{match}", timeout=30).json()["status"]


def ids(listed):
    return {match["id"] for match in listed}


def variables(stack, service):
    """Return the names of the variables that a container has."""
    given = stack.container(service)["Config"]["Env"]
    return {variable.partition("=")[0] for variable in given}


def busy(stack):
    """Count the containers in which a bot runs beside the first process."""
    return sum(processes > 1 for processes in stack.bots().values())


def wait_for_health(stack):
    stack.stage.until(
        lambda: set(stack.health().values()) == {"healthy"}, within_s=BUSY_S, what="getting healthy"
    )


def wait_for_play(stack):
    stack.stage.until(lambda: busy(stack) > 0, within_s=BUSY_S, what="bots at play")


def test_the_site_is_ready_on_postgresql_and_redis(stack):
    checks = httpx2.get(f"{stack.stage.url}/readyz", timeout=30).json()["checks"]

    assert {name: check["ok"] for name, check in checks.items()} == {
        "database": True,
        "migrations": True,
        "connections": True,
        "broker": True,
        "disk": True,
        "queue": True,
        "runners": True,
    }
    assert checks["database"]["detail"] == "postgresql"
    assert checks["broker"]["detail"] == "redis"


def test_site_serves_manual_starters_kit_and_style_sheets(stack):
    def get(path):
        return httpx2.get(f"{stack.stage.url}{path}", timeout=30)

    assert "This site plays bots in Python (.py)" in get("/docs/reference/languages/").text
    assert get("/docs/starters/classic/python-kit.zip").content.startswith(b"PK")
    wheel = f"/kit/drapeau-{release.version()}-py3-none-any.whl"
    assert wheel in get("/kit/").text
    assert get(wheel).content.startswith(b"PK")
    sheets = re.findall(r'href="([^"]+\.css[^"]*)"', get("/").text)
    assert sheets != []
    assert all(answers_ok(f"{stack.stage.url}{sheet}") for sheet in sheets)


def rated(stack, match_id):
    """Return what a match did to the rating of each entrant, once the worker has rated them."""

    def known():
        (match,) = (match for match in stack.finished() if match["id"] == match_id)
        changes = [entrant["rating"] for entrant in match["entrants"]]
        return changes if all(change["after"] is not None for change in changes) else None

    return stack.stage.until(known, within_s=BUSY_S, what="the ratings after a match")


def test_two_uploaded_bots_play_rated_match_in_containers(played):
    stack = played
    match = stack.finished()[0]

    assert {entrant["bot"] for entrant in match["entrants"]} == {bot for bot, _ in BOTS}
    assert [game["isolation"] for game in match["games"]] == [stack.isolation()] * 2
    assert [game["fault"] for game in match["games"]] == ["", ""]
    record = httpx2.get(f"{stack.stage.url}/api/v1/games/{match['id']}/1/record", timeout=30)
    assert record.json()["clock"]["basis"] == "cpu"
    keys = httpx2.get(f"{stack.stage.url}/api/v1/record-keys", timeout=30)
    (key,) = read_keys(keys.content)
    assert check_signature(Record.from_json(record.content), [key]) == key
    assert stack.run_inside("runner", KEY_FILE_MODE).strip() == "0o100600"
    changes = rated(stack, match["id"])
    assert sum(change["score"] for change in changes) == 1
    assert sum(change["after"] for change in changes) == pytest.approx(2 * 1500)


def test_visitor_plays_against_a_bot_in_a_container(played):
    bot, owner = BOTS[0]
    with httpx2.Client(base_url=played.stage.url, follow_redirects=True, timeout=30) as visitor:
        ask = f"/bots/{owner}/{bot}/play/"
        (token,) = TOKEN.findall(visitor.get(ask).text)[:1]
        sent = {"csrfmiddlewaretoken": token, "game": "general/blue"}
        page = str(visitor.post(ask, data=sent).raise_for_status().url)

        def shown(wanted):
            turn = visitor.get(f"{page}turn").raise_for_status().json()
            return turn if turn["wanted"] == wanted else None

        def answer(turn, text):
            body = {"number": turn["number"], "answer": text}
            headers = {"X-CSRFToken": token}
            assert visitor.post(f"{page}answer", json=body, headers=headers).json() == {}

        set_up = until(lambda: shown("set-up"), within_s=BUSY_S)
        answer(set_up, set_up["draft"]["codes"])
        answer(until(lambda: shown("move"), within_s=BUSY_S), "resign")
        assert until(lambda: shown("last"))["title"] == "You lost."


def make_folder_of_locks(stack, run_lock):
    """Run the service `run-dir` with a folder in the place of /run/lock of the host."""
    override = run_lock.with_suffix(".yaml")
    override.write_text(f'services: {{run-dir: {{volumes: ["{run_lock}:/run/lock"]}}}}\n')
    files = ("-f", str(ROOT / "compose.yaml"), "-f", str(override))
    stack.compose(*files, "run", "--rm", "--no-deps", "run-dir")


def test_locks_folder_is_made_by_root_for_everybody(stack, tmp_path):
    tmp_path.chmod(0o755)  # as /run/lock is on some hosts, so that the launcher cannot make it
    make_folder_of_locks(stack, tmp_path)
    made = (tmp_path / "drapeau").stat()
    assert (made.st_uid, made.st_gid, oct(made.st_mode)) == (0, 0, "0o41777")


def test_link_in_place_of_locks_folder_is_refused(stack, tmp_path):
    (tmp_path / "target").mkdir(mode=0o700)
    (tmp_path / "drapeau").symlink_to("target")
    with pytest.raises(AssertionError, match="is a link; remove it"):
        make_folder_of_locks(stack, tmp_path)
    assert oct((tmp_path / "target").stat().st_mode) == "0o40700"


def test_only_the_launcher_reaches_docker(stack):
    wait_for_health(stack)  # another test may have killed one, which starts again until then
    sockets = {
        service: set(stack.run_inside(service, FIND_SOCKETS).split())
        for service in ("web", "worker", "beat", "launcher", "runner")
    }
    # There the launcher hears from the containers that it is starting, if it just starts some.
    started = f"{stack.environment['DRAPEAU_RUN_DIR']}/bot-"
    sockets["launcher"] = {each for each in sockets["launcher"] if not each.startswith(started)}

    assert sockets == {
        "web": set(),
        "worker": set(),
        "beat": set(),
        "launcher": {"/run/docker.sock", "/run/drapeau/launcher.sock"},
        "runner": {"/run/drapeau/launcher.sock"},
    }


def test_the_runner_mounts_nothing_of_its_host(stack):
    mounts = stack.container("runner")["Mounts"]

    assert {mount["Destination"]: (mount["Type"], mount["RW"]) for mount in mounts} == {
        "/run/drapeau": ("volume", False),
        "/keys": ("volume", True),
    }
    assert "/keys" not in {mount["Destination"] for mount in stack.container("web")["Mounts"]}


def test_the_launcher_has_no_network_and_no_secret(stack):
    launcher = stack.container("launcher")
    names = variables(stack, "launcher")

    assert launcher["HostConfig"]["NetworkMode"] == "none"
    assert names & set(SECRETS) == set()


def test_service_has_only_the_secrets_it_needs(stack):
    services = ("web", "mail", "beat", "runner")
    known = {each: variables(stack, each) & set(SECRETS) for each in services}

    assert known == {
        "web": set(SECRETS) - {"DRAPEAU_EMAIL_URL"},
        "mail": set(SECRETS),
        "beat": {"DRAPEAU_BROKER_URL"},
        "runner": {"DRAPEAU_BROKER_URL", "DATABASE_URL"},
    }
    users = {
        service: stack.run_inside(service, "import os; print(os.environ['DRAPEAU_BROKER_URL'])")
        for service in ("web", "worker", "beat", "runner")
    }
    assert [url.split(":")[1] for url in users.values()] == [f"//{service}" for service in users]
    assert len({url.split("@")[0].split(":")[2] for url in users.values()}) == len(users)


REFUSED_BY_THE_BROKER = """
import os, redis
own = redis.from_url(os.environ["DRAPEAU_BROKER_URL"])
nobody = redis.from_url("redis://broker:6379/0")
for client, command in (
    (nobody, ("LLEN", "matches")),
    (nobody, ("INFO",)),
    (own, ("LRANGE", "mail", "0", "-1")),
    (own, ("FLUSHALL",)),
    (own, ("CONFIG", "GET", "*")),
    (own, ("ACL", "LIST")),
    (own, ("GET", ":1:throttle")),
    (own, ("PUBLISH", "/0.worker.pidbox", "{}")),
    (own, ("LPUSH", "celery@a.worker.pidbox", "{}")),
):
    try:
        client.execute_command(*command)
        print("allowed", *command)
    except redis.exceptions.NoPermissionError:
        pass
print(nobody.ping(), own.llen("matches") >= 0)
"""


def test_broker_limits_runner_and_refuses_without_password(stack):
    assert stack.run_inside("runner", REFUSED_BY_THE_BROKER).split() == ["True", "True"]


def test_runner_cannot_read_secrets_of_users(stack):
    program = """
import os, psycopg
with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as database:
    print(database.execute("SELECT count(*) FROM arena_user WHERE password <> ''").fetchone()[0])
    for statement in ("SELECT password FROM public.arena_user", "CREATE TABLE mine (a int)"):
        try:
            database.execute(statement)
            print("allowed", statement)
        except psycopg.errors.InsufficientPrivilege:
            pass
"""
    assert stack.run_inside("runner", program).split() == ["0"]


def test_every_service_is_locked_down_and_healthy(stack):
    wait_for_health(stack)
    for service in LASTING:
        container = stack.container(service)
        host = container["HostConfig"]

        assert host["ReadonlyRootfs"], service
        assert host["CapDrop"] == ["ALL"]
        assert not host["CapAdd"]
        assert host["SecurityOpt"] == ["no-new-privileges:true"]
        assert 0 < host["Memory"] <= 2 << 30
        assert 0 < host["PidsLimit"] <= 300
        assert host["RestartPolicy"]["Name"] == "always"
        assert container["Config"]["User"] not in ("", "0", "root")


def test_database_and_broker_network_has_no_way_out(stack):
    assert stack.network("back")["Internal"]
    for service in ("db", "broker", "worker", "beat", "runner"):
        assert list(stack.container(service)["NetworkSettings"]["Networks"]) == [
            f"{stack.project}_back"
        ]


def public(stack, path):
    return httpx2.get(f"{stack.stage.url}/api/v1/{path}", timeout=30).content


def signer(stack, match):
    """Return the id of the key with which the record of the match's last game was signed."""
    record = Record.from_json(public(stack, f"games/{match}/2/record"))
    return check_signature(record, read_keys(public(stack, "record-keys"))).id


class Operator:
    """Who runs `make backup` and `make restore` in the folder of the site, with its .env."""

    def __init__(self, stack, folder):
        self.env_file = folder / ".env"
        given = {name: text for name, text in stack.environment.items() if "DRAPEAU_" in name}
        self.env_file.write_text("".join(f"{name}={text}\n" for name, text in given.items()))
        self.environment = {
            **{name: text for name, text in stack.environment.items() if name not in given},
            "COMPOSE_PROJECT_NAME": stack.project,
        }

    def backs_up(self, *words):
        """Return the status and what was said."""
        done = subprocess.run(
            (sys.executable, "-m", "tools.backup", *words, "--env-file", self.env_file),
            check=False,
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        return done.returncode, done.stdout + done.stderr


@pytest.mark.soak
def test_destroyed_site_restores_from_backup_and_rotates_key(played, tmp_path):
    stack, operator, folder = played, Operator(played, tmp_path), tmp_path / "backup"
    rated = next(each for each in stack.finished() if each["is_rated"])
    match, ladder = rated["id"], rated["ladder"]  # of either ladder, whichever was first
    before = {path: public(stack, path) for path in (f"games/{match}/2/record", "record-keys")}
    variables = operator.env_file.read_bytes()

    status, said = operator.backs_up("make", folder)
    assert status == 0, said
    assert "The backup holds secrets" in said
    assert {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()} == dict.fromkeys(
        ("database.dump", "env", "manifest.json", "record_key"), 0o600
    )
    status, said = operator.backs_up("restore", folder)
    assert (status, "the database of the site has tables already" in said) == (1, True), said

    stack.compose("down", "--volumes", "--timeout", "5")
    operator.env_file.unlink()
    status, said = operator.backs_up("restore", folder)
    assert status == 0, said
    assert operator.env_file.read_bytes() == variables

    stack.compose("up", "-d", "--no-build")
    stack.wait_until_ready()
    assert {path: public(stack, path) for path in before} == before
    rerated = stack.compose("exec", "-T", "web", "python", "manage.py", "rerate", "--check")
    assert " events, 0 differences" in rerated
    assert " 0 events" not in next(line for line in rerated.splitlines() if ladder in line)
    with Api(stack.stage.url) as owner:
        owner.sign_in(Account("ann", "ann-in-a-test"))

    old_key, known = signer(stack, match), ids(stack.finished())
    stack.stage.until(
        lambda: ids(stack.finished()) - known, within_s=BUSY_S, what="a match after the restore"
    )
    assert {signer(stack, each) for each in ids(stack.finished()) - known} == {old_key}

    stack.compose("exec", "-T", "runner", "python", "manage.py", "record_keys", "rotate")
    stack.stage.until(
        lambda: {signer(stack, each) for each in ids(stack.finished())} - {old_key},
        within_s=BUSY_S,
        what="a record that the next key signed",
    )
    assert signer(stack, match) == old_key
    status, said = operator.backs_up("restore", folder, "--replace")
    assert status == 0, said
    stack.compose("up", "-d", "--no-build")
    stack.wait_until_ready()
    assert public(stack, "record-keys") == before["record-keys"]


def test_job_survives_death_of_broker_and_runner(played):
    stack = played
    # Known by their ids: the list shows its newest page only, so its length says nothing.
    before = ids(stack.finished())
    wait_for_play(stack)
    stack.compose("kill", "broker", "runner")

    stack.stage.until(lambda: busy(stack) == 0, within_s=BUSY_S, what="the end of the bots")

    stack.compose("up", "-d", "--no-build")
    stack.stage.until(
        lambda: len(ids(stack.finished()) - before) >= 2, within_s=BUSY_S, what="going on playing"
    )


@pytest.mark.soak
def test_launcher_death_in_mid_play_loses_no_match(played):
    stack = played
    wait_for_play(stack)
    before = ids(stack.finished())
    under_way = ids(stack.matches()) - before
    launcher = stack.process("launcher")

    os.kill(launcher, signal.SIGKILL)

    stack.stage.until(
        lambda: stack.process("launcher") not in (0, launcher),
        within_s=BUSY_S,
        what="a new launcher",
    )
    stack.stage.until(
        lambda: {status(stack, match) for match in under_way} == {"finished"},
        within_s=BUSY_S,
        what="the end of every match that was under way",
    )
    stack.stage.until(
        lambda: ids(stack.finished()) - before - under_way, within_s=BUSY_S, what="another match"
    )
    assert under_way != set()
