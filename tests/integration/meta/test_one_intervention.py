"""One file is one intervention: with a file more, pages, API, log and schema show one more."""

import pytest

from tests.integration.meta.test_one_folder import PARTS
from tests.tree import copy_files, run_in, tracked

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

ADDED = '''
from dataclasses import dataclass
from typing import Annotated, ClassVar

from django.utils.translation import gettext_lazy as _

from arena.domain.tournaments.interventions.base import Effect, OnTournament
from arena.domain.tournaments.interventions.inputs import CountInput
from arena.models import TournamentStatus


@dataclass(frozen=True)
class Enlarge(OnTournament):
    """Let more bots enter."""

    places: Annotated[int, CountInput(label=_("More places"))]

    slug: ClassVar = "enlarge"
    label: ClassVar = _("Enlarge the field")
    help: ClassVar = _("More bots can enter than was said.")
    statuses: ClassVar = (TournamentStatus.REGISTRATION,)
    log_action: ClassVar = "enlarged"
    log_text: ClassVar = _("The field was enlarged: there are %(places)s places.")

    def apply(self, tournament, reason):
        tournament.max_entrants += self.places
        tournament.save(update_fields=["max_entrants"])
        return Effect({"places": tournament.max_entrants}, ("It becomes bigger.",))
'''

ITS_TEST = """
import pytest
import yaml
from django.core.management import call_command
from django.urls import reverse

from tests.integration.api.tournament_calls import act
from tests.integration.tournaments import making
from tests.integration.tournaments.pages_consoling import act_url, hidden, text, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup():
    return making.make_open(max_entrants=8)


def places(cup):
    return making.fresh(cup).max_entrants


def test_the_console_offers_it_shows_it_and_does_it(client, cup):
    client.force_login(making.organizer(cup))
    address = act_url(cup, "enlarge", places=2)

    console = client.get(url(cup))
    assert f'href="{url(cup, "act", "enlarge")}"' in console.content.decode()
    assert "Enlarge the field" in text(console)
    assert "More places" in text(client.get(url(cup, "act", "enlarge")))
    shown = client.get(address)
    assert "It becomes bigger." in text(shown)
    assert shown.context["confirmation"] == "Enlarge the field"
    assert places(cup) == 8
    sent = {"revision": hidden(shown, "revision"), "seen": "", "reason": "many asked"}
    assert client.post(address, sent).status_code == 302
    assert places(cup) == 10
    log = text(client.get(reverse("tournament-log", args=[cup.slug])))
    assert "The field was enlarged: there are 10 places." in log


def test_the_api_shows_it_and_does_it(signed_in, cup):
    api = signed_in(making.organizer(cup))

    shown = act(api, cup.slug, "enlarge", dry_run=True, places=2)
    assert shown.json()["shown"]["notes"] == ["It becomes bigger."]
    assert places(cup) == 8
    done = act(api, cup.slug, "enlarge", places=2)
    assert done.json()["entry"]["action"] == "enlarged"
    assert places(cup) == 10


def test_the_schema_describes_it(tmp_path):
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema"))
    found = yaml.safe_load((tmp_path / "schema").read_text())["components"]["schemas"]

    assert "enlarge" in found["ActEnum"]["enum"]
    assert found["NewAct"]["properties"]["places"]["type"] == "integer"
    assert "`enlarge`: places" in found["NewAct"]["description"]
"""


def test_a_file_more_is_an_intervention_more(tmp_path):
    parts = (*PARTS, "pyproject.toml")
    copy_files((name for name in tracked() if name.startswith(parts)), to=tmp_path)
    (tmp_path / "arena/domain/tournaments/interventions/enlarge.py").write_text(ADDED)
    (tmp_path / "tests/integration/tournaments/test_enlarge.py").write_text(ITS_TEST)

    done = run_in(
        tmp_path,
        *("-m", "pytest", "-q", "-p", "no:cacheprovider"),
        "tests/integration/tournaments/test_enlarge.py",
        timeout_s=300,
    )

    assert done.returncode == 0, done.stdout[-2000:]
    assert "3 passed" in done.stdout
