"""One file is one format: with a file more, pages, API, log and schema show one more."""

import re

import pytest

from arena.domain.formats.catalogue import FORMATS
from tests.integration.meta.test_one_folder import PARTS
from tests.tree import copy_files, ours, run_in, text, tracked

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

HOME = "arena/domain/formats/"
PRODUCT = ("arena/", "engine/", "sandbox/", "botkit/", "bots/")

ADDED = '''
from arena.domain.formats import results, tables
from arena.domain.formats.base import Format
from arena.domain.formats.types import (
    DecisionNote, Draw, FormatOption, PairingState, RoundOutline, Unplayable, _, by_seed
)

LAPS = FormatOption(
    name="laps",
    label=_("Laps"),
    help=_("How often everybody challenges."),
    default=1,
    least=1,
    most=3,
)


class KingOfTheHill(Format):
    """The winner stays on the hill and meets the next seed."""

    slug = "hill"
    label = _("king of the hill")
    meaning = _("The winner stays, and the next seed challenges.")
    after_leaving = _("The hill waits for nobody.")
    texts = {
        "hill_climb": _("Climb %(number)s"),
        "hill_too_high": _("At most %(most)s can climb it, not %(entrants)s: let fewer enter."),
        "hill_king": _("%(entrant)s is the king of the hill."),
    }

    options = (LAPS,)
    tie_breaks = ("wins",)

    def check(self, setup, entrants):
        if entrants < 2:
            raise Unplayable("too_few_entrants", least=2, entrants=entrants)
        if entrants > 30:
            raise Unplayable("hill_too_high", most=30, entrants=entrants)

    def outline(self, setup, entrants):
        numbers = range(1, self._climbs(setup, entrants) + 1)
        return tuple(RoundOutline("hill_climb", {"number": each}, pairings=1) for each in numbers)

    def next_round(self, state):
        if self.is_finished(state):
            return None
        king = self._king(state)
        others = [each for each in by_seed(state.entries) if each != king]
        number = state.rounds + 1
        met = PairingState(number, 1, (king, others[state.rounds % len(others)]))
        there = {entry.id for entry in state.entries if entry.is_in(number)}
        return Draw((results.walk_over(state.setup, met, there),))

    def standings(self, state):
        return tables.standings(state)

    def closing_notes(self, state):
        return (DecisionNote("hill_king", {"entrant": self._king(state)}),)

    def is_finished(self, state):
        return state.rounds >= self._climbs(state.setup, len(state.entries))

    def _climbs(self, setup, entrants):
        return LAPS.value(setup) * (entrants - 1)

    def _king(self, state):
        if not state.meetings:
            return by_seed(state.entries)[0]
        last = max(state.meetings, key=lambda each: each.round)
        return max(last.entrants, key=lambda each: last.score_of(each).wins)
'''

ITS_TEST = """
import pytest
import yaml
from django.core.management import call_command

from arena.models import Tournament
from tests import factories
from tests.integration.tournaments import making, playing
from tests.integration.tournaments.pages_consoling import text
from tests.integration.tournaments.test_pages_tournament_wizard import NEW, SWISS

pytestmark = pytest.mark.django_db

HILL = {**SWISS, "format": "hill", "option_laps": "2", "options_of": "hill"}


def test_the_wizard_offers_it_with_its_options_and_makes_it(client):
    client.force_login(factories.make_user())

    page = client.get(f"{NEW}?template=swiss").content.decode()
    assert '<option value="hill">King of the hill</option>' in page
    shown = text(client.post(f"{NEW}?template=swiss", {**HILL, "do": "preview"}))
    assert "Laps" in shown
    assert "How often everybody challenges." in shown
    assert "Climb 14" in shown
    refused = client.post(f"{NEW}?template=swiss", {**HILL, "max_entrants": "40", "do": "create"})
    assert "At most 30 can climb it, not 40" in text(refused)
    assert client.post(f"{NEW}?template=swiss", {**HILL, "do": "create"}).status_code == 302
    made = Tournament.objects.get()
    assert (made.format, made.format_options) == ("hill", {"laps": 2})


def test_the_api_takes_it_and_the_schema_describes_it(signed_in, tmp_path):
    api = signed_in(factories.make_user())
    values = {"ladder": "classic", "format": "hill", "format_options": {"laps": 3}}

    made = api.post("/tournaments", {**values, "name": "A", "max_entrants": 8}, format="json")
    assert (made.status_code, made.json()["format_options"]) == (201, {"laps": 3})
    assert made.json()["tie_breaks"] == ["wins"]
    call_command("spectacular", "--file", str(tmp_path / "schema"))
    found = yaml.safe_load((tmp_path / "schema").read_text())["components"]["schemas"]
    assert "hill" in found["FormatEnum"]["enum"]


def test_it_is_played_to_its_end_and_shown_in_its_words(client):
    cup = playing.begin(3, format="hill")
    while cup.status == "running":
        cup = playing.play_round(cup)

    assert (cup.status, cup.rounds.count()) == ("completed", 2)
    assert playing.points(cup) == [4, 0, 0]  # two games in each of two rounds
    client.force_login(making.organizer(cup))
    pages = {
        name: text(client.get(f"{cup.get_absolute_url()}{name}"))
        for name in ("", "standings/", "crosstable/", "log/")
    }
    king = str(cup.entrants.get(seed=1).bot.name)
    assert "King of the hill. The winner stays, and the next seed challenges." in pages[""]
    assert "The hill waits for nobody." in pages[""]
    assert king in pages["standings/"]
    assert king in pages["crosstable/"]
    assert f"{king} is the king of the hill." in pages["log/"]
    listed = client.get("/tournaments/", {"format": "hill"})
    assert cup.name in text(listed)
    assert '<option value="hill" selected>king of the hill</option>' in listed.content.decode()
"""


def test_a_file_more_is_a_format_more(tmp_path):
    parts = (*PARTS, "pyproject.toml")
    copy_files((name for name in tracked() if name.startswith(parts)), to=tmp_path)
    (tmp_path / HOME / "hill.py").write_text(ADDED)
    (tmp_path / "tests/integration/tournaments/test_hill.py").write_text(ITS_TEST)

    done = run_in(
        tmp_path,
        *("-m", "pytest", "-q", "-p", "no:cacheprovider"),
        "tests/integration/tournaments/test_hill.py",
        *("tests/unit/formats/test_catalogue.py", "-k", "hill"),
        timeout_s=300,
    )

    assert done.returncode == 0, done.stdout[-2000:]
    assert "6 passed" in done.stdout


def test_nothing_else_names_a_format():
    """Templates do: they are what a draft begins with."""
    named = re.compile(rf"[\"'](?:{'|'.join(FORMATS)})[\"']")
    files = [name for name in ours(".py", ".html", ".js") if name.startswith(PRODUCT)]

    assert {name for name in files if named.search(text(name)) and not name.startswith(HOME)} == {
        "arena/domain/tournaments/setup/templates.py"
    }
