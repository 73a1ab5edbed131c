"""compose.runner.yaml, really started: a host plays for a site that it reaches with TLS."""

import json
import os
import shutil
import subprocess
from dataclasses import replace

import pytest

from arena.models import MatchStatus
from tests.e2e.compose.stack import build_images, running_stack
from tests.tree import ROOT

pytestmark = [pytest.mark.docker]

SITE = ("web", "worker", "beat")  # with what they need, and without a runner
TLS = {
    "DATABASE_URL": "sslmode=verify-full&sslrootcert=/certificates/ca.crt",
    "DRAPEAU_BROKER_URL": "ssl_ca_certs=/certificates/ca.crt",
}


@pytest.fixture(scope="module")
def address():
    """The address at which containers reach this machine, which other hosts have in its place."""
    name = f"drapeau-wire-{os.getpid()}"
    subprocess.run(("docker", "network", "create", name), check=True, capture_output=True)
    try:
        said = subprocess.run(
            ("docker", "network", "inspect", name), check=True, capture_output=True
        ).stdout
        yield json.loads(said)[0]["IPAM"]["Config"][0]["Gateway"]
    finally:
        subprocess.run(("docker", "network", "rm", name), check=True, capture_output=True)


@pytest.fixture(scope="module")
def certificates(address, tmp_path_factory):
    """The folders of certificates of the host of the site and of a host of runners."""
    site, runner = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("runner")
    make_certificate(site, "server", address)
    shutil.copy(site / "ca.crt", runner)
    make_certificate(runner / "foreign", "server", address)
    for folder in (runner, runner / "foreign"):
        folder.chmod(0o755)
    return site, runner


def make_certificate(folder, *words):
    command = (ROOT / "tools/certificates.sh", *words)
    environment = {**os.environ, "DRAPEAU_CERTIFICATES": str(folder)}
    subprocess.run(command, check=True, env=environment, capture_output=True)


@pytest.fixture(scope="module")
def site(address, certificates):
    """The site without a runner, whose database and broker listen for other hosts."""
    with running_stack(
        build_images(),
        *SITE,
        COMPOSE_FILE="compose.yaml:compose.hosts.yaml",
        DRAPEAU_HOSTS_LISTEN=address,
        DRAPEAU_CERTIFICATES=str(certificates[0]),
    ) as started:
        started.wait_until_ready()
        yield started


@pytest.fixture(scope="module")
def urls(site, address):
    """What an operator writes into .env of the host of runners."""
    database, broker = (
        site.environment[f"DRAPEAU_{name}_PASSWORD"] for name in ("RUNNER_DB", "BROKER_RUNNER")
    )
    return {
        "DATABASE_URL": f"postgresql://arena_runner:{database}@{address}:5432/drapeau?",
        "DRAPEAU_BROKER_URL": f"rediss://runner:{broker}@{address}:6380/0?",
    }


@pytest.fixture(scope="module")
def host(site, urls, certificates):
    images = {name: text for name, text in site.environment.items() if name.endswith("_IMAGE")}
    with running_stack(
        images,
        name="host",
        COMPOSE_FILE="compose.runner.yaml",
        DRAPEAU_CERTIFICATES=str(certificates[1]),
        DRAPEAU_OUT_BRIDGE=f"out-{os.getpid()}",
        **{name: url + TLS[name] for name, url in urls.items()},
    ) as started:
        yield started


def test_host_with_only_launcher_and_runner_plays_match(site, host):
    site.enter_bots()

    assert services(site) == {"certificates", "db", "broker", "migrate", *SITE}
    assert services(host) == {"run-dir", "stores", "launcher", "runner"}
    match = site.finished()[0]
    assert match["status"] == MatchStatus.FINISHED
    assert [game["fault"] for game in match["games"]] == ["", ""]
    assert [game["isolation"] for game in match["games"]] == [host.isolation()] * 2


def services(stack):
    return set(stack.compose("ps", "--all", "--services").split())


def test_host_has_one_runner_network_and_publishes_nothing(host):
    runner, launcher = host.container("runner"), host.container("launcher")

    assert list(runner["NetworkSettings"]["Networks"]) == [f"{host.project}_out"]
    assert launcher["HostConfig"]["NetworkMode"] == "none"
    assert {*runner["HostConfig"]["PortBindings"], *launcher["HostConfig"]["PortBindings"]} == set()
    mounts = {mount["Destination"]: mount["RW"] for mount in runner["Mounts"]}
    assert mounts == {"/run/drapeau": False, "/keys": True, "/certificates": False}


def test_site_publishes_no_broker_port_without_tls(site, address):
    assert site.container("broker")["HostConfig"]["PortBindings"] == {
        "6380/tcp": [{"HostIp": address, "HostPort": "6380"}]
    }


REFUSALS = [
    ("DATABASE_URL", ("arena_runner:", "arena_runner:x"), "password", "Put the password"),
    ("DRAPEAU_BROKER_URL", ("ca.crt", "foreign/ca.crt"), "certificate", "Check the file"),
]
MORE_REFUSALS = [
    ("DATABASE_URL", ("ca.crt", "foreign/ca.crt"), "certificate", "Check the file"),
    ("DATABASE_URL", ("verify-full", "disable"), "no encryption", "Add sslmode=verify-full"),
    ("DATABASE_URL", ("5432", "5433"), "refused", "Check that the address"),
    ("DRAPEAU_BROKER_URL", ("runner:", "runner:x"), "password", "Put the password"),
    ("DRAPEAU_BROKER_URL", (TLS["DRAPEAU_BROKER_URL"], ""), "certificate", "Check the file"),
]


@pytest.mark.parametrize(
    ("store", "changed", "reason", "advice"),
    [*REFUSALS, *(pytest.param(*each, marks=pytest.mark.soak) for each in MORE_REFUSALS)],
)
def test_a_host_that_is_refused_says_why(host, store, changed, reason, advice):
    url = host.environment[store]
    assert changed[0] in url
    wrong = replace(host, environment=host.environment | {store: url.replace(*changed)})

    with pytest.raises(AssertionError) as refused:
        wrong.compose("run", "--rm", "--no-deps", "stores")

    lines = [line for line in str(refused.value).splitlines() if "store_refuses" in line]
    assert len(lines) == 1
    assert reason in lines[0]
    assert advice in lines[0]
    assert "Traceback" not in str(refused.value)
