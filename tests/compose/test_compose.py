"""compose.yaml, really started: two developers' bots play a rated match in containers."""

import httpx2
import pytest

from tests.compose.stack import ROOT, answers_ok, running_stack
from tools.demo import play
from tools.demo.api import Account

pytestmark = [pytest.mark.slow, pytest.mark.docker, pytest.mark.timeout(1500)]

LASTING = ("db", "broker", "web", "worker", "beat", "runner")
BOTS = (("drunkard", "ann"), ("marshal", "bob"))


@pytest.fixture(scope="module")
def stack():
    with running_stack() as started:
        url = f"{started.stage.url}/readyz"
        started.stage.until(lambda: answers_ok(url), within_s=120, what="getting ready")
        yield started
    assert started.left_behind() == ""


@pytest.fixture(scope="module")
def played(stack):
    """The stack with two developers' bots on it that have met: tests come in any order."""
    entered = [
        play.enter(
            stack.stage,
            play.House.read(ROOT / "bots" / bot),
            Account(owner, f"{owner}-in-a-test"),
        )
        for bot, owner in BOTS
    ]
    play.wait_until_validated(stack.stage, entered)
    stack.stage.until(lambda: finished(stack) != [], within_s=300, what="a rated match")
    return stack


def matches(stack):
    return httpx2.get(f"{stack.stage.url}/api/v1/matches", timeout=30).json()["results"]


def finished(stack):
    return [match for match in matches(stack) if match["status"] == "finished"]


def test_the_site_is_ready_on_postgresql_and_redis(stack):
    checks = httpx2.get(f"{stack.stage.url}/readyz", timeout=30).json()["checks"]

    assert {name: check["ok"] for name, check in checks.items()} == {
        "database": True,
        "migrations": True,
        "broker": True,
    }
    assert checks["database"]["detail"] == "postgresql"
    assert checks["broker"]["detail"] == "redis"


def test_two_uploaded_bots_play_a_rated_match_in_containers(played):
    stack = played
    match = finished(stack)[0]

    assert {entrant["bot"] for entrant in match["entrants"]} == {bot for bot, _ in BOTS}
    assert [game["isolation"] for game in match["games"]] == ["docker", "docker"]
    assert [game["fault"] for game in match["games"]] == ["", ""]
    record = httpx2.get(f"{stack.stage.url}/api/v1/games/{match['id']}/1/record", timeout=30)
    assert record.json()["clock"]["basis"] == "cpu"
    changes = [entrant["rating"] for entrant in match["entrants"]]
    assert all(change["before"] != change["after"] for change in changes), changes


def test_the_pages_have_their_style_sheets(stack):
    page = httpx2.get(stack.stage.url, timeout=30).text
    sheets = [part.split('"')[0] for part in page.split('href="') if ".css" in part.split('"')[0]]

    assert sheets != []
    assert all(answers_ok(f"{stack.stage.url}{sheet}") for sheet in sheets)


def test_every_service_gets_healthy(stack):
    def health():
        return {name: stack.container(name)["State"]["Health"]["Status"] for name in LASTING}

    stack.stage.until(
        lambda: set(health().values()) == {"healthy"}, within_s=150, what="getting healthy"
    )

    assert health() == dict.fromkeys(LASTING, "healthy")


def test_only_the_runner_reaches_docker(stack):
    def has_socket(service):
        mounts = stack.container(service)["Mounts"]
        return any(mount["Destination"].endswith("docker.sock") for mount in mounts)

    assert {service for service in LASTING if has_socket(service)} == {"runner"}


@pytest.mark.parametrize("service", LASTING)
def test_every_service_is_locked_down(stack, service):
    container = stack.container(service)
    host = container["HostConfig"]

    assert host["ReadonlyRootfs"]
    assert host["CapDrop"] == ["ALL"]
    assert not host["CapAdd"]
    assert host["SecurityOpt"] == ["no-new-privileges:true"]
    assert host["RestartPolicy"]["Name"] == "unless-stopped"
    assert container["Config"]["User"] not in ("", "0", "root")


def test_database_and_broker_are_on_a_network_without_a_way_out(stack):
    assert stack.network("back")["Internal"]
    for service in ("db", "broker", "worker", "beat", "runner"):
        assert list(stack.container(service)["NetworkSettings"]["Networks"]) == [
            f"{stack.project}_back"
        ]


def test_a_job_survives_the_death_of_the_broker_and_the_runner(played):
    stack = played
    # Known by their ids: the list shows its newest page only, so its length says nothing.
    before = {match["id"] for match in finished(stack)}
    stack.compose("kill", "broker", "runner")
    stack.compose("up", "-d", "--no-build")

    def new():
        return {match["id"] for match in finished(stack)} - before

    stack.stage.until(lambda: len(new()) >= 3, within_s=300, what="going on playing")
