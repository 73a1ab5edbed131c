"""The files for Prometheus and Grafana, tried by Prometheus itself on a site that it scrapes."""

import json
import os
import re
import subprocess
import sys
from urllib.parse import urlsplit

import httpx2
import psycopg
import pytest
import yaml

from arena.embedded.tcp import LOOPBACK, free_port
from tests.e2e.server.serving import Server, environment
from tests.tree import ROOT
from tests.waiting import until
from tools.services.newer_debian import unpacked

PROMETHEUS = ROOT / "deploy/prometheus"
RULES = PROMETHEUS / "alerts.yaml"
DASHBOARD = ROOT / "deploy/grafana/drapeau.json"
TOKEN = "a token for the metrics"
COMPARISON = re.compile(r"\s(?:==|>|<)\s*[\d.]+$")
HTTP = 'drapeau_http_requests_total{{route="home",method="GET",status="{}"}}'
SECONDS = 'drapeau_http_request_seconds_bucket{{route="home",method="GET",le="{}"}}'
REFUSED = 'drapeau_http_refused_total{reason="body_too_large"}'
REPORTED = 'drapeau_runner_report_timestamp_seconds{runner="runner@one"}'
TROUBLE = 'drapeau_runner_in_trouble{runner="runner@one"}'
FAILED = 'drapeau_matches_ended_total{ladder="classic",kind="ladder",ending="failed"}'
ORDERS = 'drapeau_launcher_orders_total{runner="runner@one",ending="refused"}'
# By alert: series that raise it, and series that do not, a value a minute for an hour.
CASES = {
    "DrapeauDown": ({'up{job="drapeau"}': "0x60"}, {'up{job="drapeau"}': "1x60"}),
    "DrapeauErrors": (
        {HTTP.format(200): "0+9x60", HTTP.format(500): "0+1x60"},
        {HTTP.format(200): "0+99x60", HTTP.format(500): "0+1x60"},
    ),
    "DrapeauSlow": (
        {
            SECONDS.format(1): "0+1x60",
            SECONDS.format(10): "0+9x60",
            SECONDS.format("+Inf"): "0+9x60",
        },
        {
            SECONDS.format(1): "0+9x60",
            SECONDS.format(10): "0+9x60",
            SECONDS.format("+Inf"): "0+9x60",
        },
    ),
    "DrapeauRefuses": ({REFUSED: "0+90x60"}, {REFUSED: "0+30x60"}),
    "DrapeauQueueTooSlow": ({"drapeau_queue_alarm": "1x60"}, {"drapeau_queue_alarm": "0x60"}),
    "DrapeauNoRunner": ({"drapeau_runners": "0x60"}, {"drapeau_runners": "1x60"}),
    "DrapeauRunnerSilent": ({REPORTED: "0x60"}, {REPORTED: "0+60x60"}),
    "DrapeauRunnerInTrouble": ({TROUBLE: "1x60"}, {TROUBLE: "0x60"}),
    "DrapeauDiskIsFull": (
        {"drapeau_disk_free_bytes": "1000x60"},
        {"drapeau_disk_free_bytes": "1000000000x60"},
    ),
    "DrapeauFewConnections": (
        {
            "drapeau_database_connections": "95x60",
            "drapeau_database_connections_limit": "100x60",
        },
        {
            "drapeau_database_connections": "80x60",
            "drapeau_database_connections_limit": "100x60",
        },
    ),
    "DrapeauClockIsOff": (
        {
            "drapeau_clock_skew_seconds": "0x60",
            'drapeau_runner_clock_skew_seconds{runner="a"}': "-9x60",
        },
        {
            "drapeau_clock_skew_seconds": "2x60",
            'drapeau_runner_clock_skew_seconds{runner="a"}': "-2x60",
        },
    ),
    "DrapeauMatchesFail": ({FAILED: "0+1x60"}, {FAILED: "0x58 1 2"}),
    "DrapeauLauncherFails": ({ORDERS: "0+1x60"}, {ORDERS: "7x60"}),
    "DrapeauMailWaits": ({"drapeau_mail_waiting": "3x60"}, {"drapeau_mail_waiting": "3x50 0 3x9"}),
}
EVENTS = """
from arena.domain.matches import lifecycle
from arena.domain.queue import runner_figures

from tests import database_role, factories

database_role.make()
mine, other = factories.make_ready(), factories.make_ready()
factories.play_out(factories.make_match(mine, other), [1.0, 0.0])
factories.make_match(mine, other)
launcher = dict(running=1, waiting=3, started=9, failed=0, refused=0)
runner_figures.report(runner="runner@one", slots=2, busy=1, launcher=launcher)
"""


@pytest.fixture(scope="module")
def programs():
    """Return the folder of Prometheus and promtool, which are not installed."""
    return unpacked("prometheus", "promtool") / "usr/bin"


def promtool(programs, *words):
    done = subprocess.run(
        [programs / "promtool", *words], check=False, capture_output=True, text=True
    )
    return done.returncode, done.stdout + done.stderr


def alerts():
    (group,) = yaml.safe_load(RULES.read_text())["groups"]
    return {rule["alert"]: rule["expr"] for rule in group["rules"]}


def queries():
    """Return every query of the dashboard, and what every alert compares with its limit."""
    panels = json.loads(DASHBOARD.read_text())["panels"]
    shown = [(panel["title"], each["expr"]) for panel in panels for each in panel["targets"]]
    return shown + [(name, COMPARISON.sub("", expr)) for name, expr in alerts().items()]


def test_prometheus_accepts_rules_and_example_configuration(programs):
    assert promtool(programs, "check", "rules", "--lint-fatal", RULES)[0] == 0
    config = PROMETHEUS / "prometheus.yaml"
    assert promtool(programs, "check", "config", "--syntax-only", config)[0] == 0


def rule_tests(alert, series, count):
    """Return what promtool reads: after an hour, so many alerts of this name fire."""
    fires = f'count(ALERTS{{alertname="{alert}",alertstate="firing"}}) or vector(0)'
    return {
        "interval": "1m",
        "input_series": [{"series": name, "values": values} for name, values in series.items()],
        "promql_expr_test": [
            {"expr": fires, "eval_time": "59m", "exp_samples": [{"labels": "{}", "value": count}]}
        ],
    }


def test_each_alert_fires_only_when_it_should(programs, tmp_path):
    assert list(CASES) == list(alerts())
    tests = [
        rule_tests(alert, series, count)
        for alert, (firing, quiet) in CASES.items()
        for series, count in ((firing, 1), (quiet, 0))
    ]
    file = tmp_path / "tests.yaml"
    file.write_text(json.dumps({"rule_files": [str(RULES)], "tests": tests}))

    status, said = promtool(programs, "test", "rules", file)

    assert status == 0, said


@pytest.fixture(scope="module")
def database():
    """The address of an empty database of PostgreSQL, which has connections to count."""
    url = os.environ["DRAPEAU_TEST_POSTGRES_URL"]
    with psycopg.connect(url, autocommit=True) as server:
        server.execute("CREATE DATABASE monitored")
    yield urlsplit(url)._replace(path="/monitored").geturl()
    with psycopg.connect(url, autocommit=True) as server:
        server.execute("DROP DATABASE monitored WITH (FORCE)")


@pytest.fixture(scope="module")
def site(tmp_path_factory, database):
    """A web server on a site where something has happened."""
    folder = tmp_path_factory.mktemp("site")
    env = environment(folder, DATABASE_URL=database)
    for words in (("migrate", "--no-input"), ("shell", "--no-imports", "-c", EVENTS)):
        command = (sys.executable, "manage.py", *words, "--verbosity", "0")
        subprocess.run(command, check=True, cwd=ROOT, env=env)
    server = Server(folder, DATABASE_URL=database, DRAPEAU_METRICS_TOKEN=TOKEN)
    yield server
    server.end()


@pytest.fixture(scope="module")
def prometheus(programs, site, tmp_path_factory):
    """Return the address of a Prometheus that scrapes the site and has the rules."""
    folder = tmp_path_factory.mktemp("prometheus")
    config = yaml.safe_load((PROMETHEUS / "prometheus.yaml").read_text())
    # A scrape may take as long as the interval, which is a lot on a busy machine.
    config["global"] = {
        "scrape_interval": "5s",
        "scrape_timeout": "5s",
        "evaluation_interval": "1s",
    }
    config["rule_files"] = [str(RULES)]
    (job,) = config["scrape_configs"]
    (folder / "token").write_text(TOKEN)
    job["authorization"]["credentials_file"] = str(folder / "token")
    job |= {"scheme": "http", "static_configs": [{"targets": [f"{LOOPBACK}:{site.port}"]}]}
    (folder / "prometheus.yaml").write_text(json.dumps(config))
    address = f"{LOOPBACK}:{free_port()}"
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [
                programs / "prometheus",
                f"--config.file={folder / 'prometheus.yaml'}",
                f"--storage.tsdb.path={folder / 'data'}",
                f"--web.listen-address={address}",
            ],
            stdout=log,
            stderr=log,
        )
    yield f"http://{address}"
    process.terminate()
    process.wait(60)


def answer(prometheus, query):
    try:
        asked = httpx2.get(f"{prometheus}/api/v1/query", params={"query": query}, timeout=20)
    except httpx2.TransportError:
        return []  # it is still starting
    return asked.json()["data"]["result"] if asked.status_code == 200 else []


def numbers(result):
    return [each for each in result if each["value"][1] != "NaN"]


def test_every_dashboard_and_alert_query_has_answer(prometheus, site):
    scraped_twice = (
        f'count_over_time(up{{job="drapeau",instance="{LOOPBACK}:{site.port}"}}[1m]) > 2'
    )
    until(lambda: answer(prometheus, scraped_twice), "three scrapes")
    for _ in range(3):
        assert httpx2.get(f"{site.url}/healthz").status_code == 200
    assert len(queries()) > 30

    def unanswered():
        return [each for each in queries() if not numbers(answer(prometheus, each[1]))]

    try:
        until(lambda: not unanswered(), "an answer to every query")
    finally:
        assert unanswered() == []
