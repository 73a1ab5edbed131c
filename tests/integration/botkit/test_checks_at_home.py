"""`drapeau check` comes to the verdict of the site, in its words."""

import re
from dataclasses import asdict
from pathlib import Path

import pytest

from arena.domain.bots import bots
from arena.models import Ladder
from botkit.home import find_bot, house_bots
from botkit.home_checks import verdict
from botkit.manifest import MANIFEST_NAME
from botkit.package import read_described, zipped
from engine.clock import ClockSpec
from engine.registry import variants
from tests import factories
from tests.sandbox.attack.cases import read
from tests.unit.botkit.homes import drapeau

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

IMPATIENT = ClockSpec(startup_ms=5000, bank_ms=5000, increment_ms=0, action_ms=1000)
GENEROUS = ClockSpec(startup_ms=60_000, bank_ms=600_000, increment_ms=0, action_ms=60_000)
HOSTILE = (  # one for each way to lose
    *("close_stdout", "exit_after", "long_line", "mem_bomb", "moves_ahead", "segv"),
    *("sleep_forever", "stderr_flood"),
)


def of_site(manifest, clock):
    """Return the verdict of the site on a bot: its games, and what each step says."""
    version = bots.submit_version(
        bot=factories.make_bot(), filename="bot.zip", data=zipped(read_described(manifest).files)
    )
    Ladder.objects.update(options={}, **asdict(clock))
    factories.validate(version_pk=version.pk)
    version.refresh_from_db()
    steps = version.checks.filter(step__in=("protocol", "smoke")).exclude(message="")
    said = {each.step: (each.state, each.message) for each in steps}
    return said, version.reason, [] if version.reason else version.variants


def at_home(manifest, clock):
    """Return the same of `drapeau check`, which prints the games of the last step one by one."""
    said: dict[str, tuple[str, str]] = {}
    games = []

    def tell(step, state, message):
        if state == "running":
            games.extend([message] if message else [])
            return
        before = " ".join(games) if (step, state) == ("smoke", "passed") else ""
        said[step] = (state, f"{before}\n{message}".strip())

    bot = find_bot(str(manifest))
    found = verdict(bot, bot.variants, clock=clock, rng_seed=1, tell=tell)
    return said, found.reason, [*found.variants]


@pytest.fixture(autouse=True)
def _in_processes(settings, tmp_path, monkeypatch):
    settings.ISOLATION, settings.TRUST_BOTS = "process", True
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_bot_has_the_same_verdict(name, tmp_path):
    for file, content in read(name).package.files.items():
        (tmp_path / file).write_bytes(content)
    manifest = tmp_path / MANIFEST_NAME
    manifest.write_text('[bot]\nname = "rook"\nvariants = ["classic"]\n')

    found = [repr(each(manifest, IMPATIENT)) for each in (at_home, of_site)]

    assert len({re.sub(r"used \d+ ms", "used some ms", each) for each in found}) == 1, found


@pytest.mark.parametrize("name", house_bots())
@pytest.mark.kept("veteran", "cardsharp")
def test_a_house_bot_has_the_same_verdict(name):
    path = house_bots()[name]
    manifest = path / MANIFEST_NAME if path.is_dir() else path

    assert at_home(manifest, GENEROUS) == of_site(manifest, GENEROUS)


@pytest.mark.parametrize("slug", variants())
@pytest.mark.kept("cards", "siege")
def test_a_starter_has_the_same_verdict(slug, tmp_path, capfd):
    drapeau(capfd, "init", slug, tmp_path / "mine")
    manifest = tmp_path / "mine" / MANIFEST_NAME

    assert at_home(manifest, GENEROUS) == of_site(manifest, GENEROUS)


def test_bot_of_no_named_game_same_verdict(tmp_path):
    quits = (
        '    if "siege@" in line:\n        sys.exit("unknown")\n'
        '    if message.get("phase") == "turn" and message["view"]["variant"] == "general@1":\n'
        """        print('{"action": "resign"}', flush=True)\n        continue\n"""
    )
    source = factories.RANDOM_BOT.replace("    if message", f"{quits}    if message", 1)
    (tmp_path / "bot.py").write_text(source)
    manifest = Path(tmp_path / MANIFEST_NAME)
    manifest.write_text('[bot]\nname = "rook"\n')

    said, _, games = found = at_home(manifest, GENEROUS)

    assert found == of_site(manifest, GENEROUS)
    assert "\nSiege, " in said["protocol"][1]
    assert " resigned. " in said["protocol"][1]
    assert not {"siege", "general"} & {*games}
