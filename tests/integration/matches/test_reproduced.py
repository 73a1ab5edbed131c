"""A bot that fails on the site fails at home in the same way, by the line that its page shows."""

import html
import re
import shlex
import subprocess
import sys

import pytest

from tests import factories
from tests.tree import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("short_games_in_processes"),
]

FAILS = {
    "crash": 'raise KeyError("a square")',
    "illegal_action": 'print(\'{"action": "a1a1"}\', flush=True); continue',
    "protocol_error": 'print("let me think", flush=True); continue',
}


def failing(does):
    """Return a bot that does something else in its third turn."""
    turn = 'elif message["type"] == "act":\n        print("thinking"'
    assert turn in factories.RANDOM_BOT
    return factories.RANDOM_BOT.replace(
        turn,
        f'elif message["type"] == "act" and message["ply"] >= 4:\n        {does}\n    {turn}',
    )


@pytest.mark.parametrize("termination", FAILS)
def test_the_line_on_the_page_does_it_again(termination, client, live_server, tmp_path):
    source = failing(FAILS[termination])
    bad = factories.make_ready_with(source=source, variants=["general"])
    good = factories.make_ready_with(variants=["general"])
    match = factories.make_match(bad, good, ladder=factories.get_ladder("general"))
    assert factories.play_match(match_pk=match.pk)
    (tmp_path / "bot.py").write_text(source)
    client.force_login(match.entrants.get(position=0).version.bot.owner)
    host = live_server.url.removeprefix("http://")
    game = match.games.latest("number")
    assert (game.termination, game.seats[game.fault]) == (termination, 0)
    address = f"{game.get_absolute_url()}forensics/"
    page = client.get(address, headers={"host": host}).content.decode()
    (line,) = re.findall(r'<pre class="command"[^>]*><code>(.*?)</code></pre>', page)

    command = shlex.split(html.unescape(re.sub("<[^>]*>", "", line)))
    done = subprocess.run(
        [sys.executable, "-m", "botkit.cli", *command[1:]],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )

    said = done.stdout.splitlines()
    assert (done.returncode, said[-1]) == (0, "reproduced"), done
    assert command[:2] == ["drapeau", "reproduce"]
    assert any(f": {termination}: " in line for line in said if line.startswith("now, "))
