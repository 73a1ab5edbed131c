"""Making a tournament by the wizard, and changing it."""

import pytest
from django.urls import reverse

from arena.domain.tournaments.setup import drafts
from arena.models import Tournament
from tests import factories
from tests.integration.tournaments import making

pytestmark = pytest.mark.django_db

NEW = "/tournaments/new/"
SWISS = {
    "name": "Winter Cup",
    "ladder": "classic",
    "format": "swiss",
    "option_rounds": "4",
    "matches_per_pairing": "2",
    "scoring": "championship",
    "tie_wins": "1",
    "tie_direct_encounter": "2",
    "entry_policy": "open",
    "min_entrants": "8",
    "max_entrants": "16",
    "release": "public",
}


@pytest.fixture
def organizer(client):
    user = factories.make_user("olga")
    client.force_login(user)
    return user


def answer(client, address, data=None, status=200):
    ask = client.get if data is None else client.post
    response = ask(address, data)
    assert response.status_code == status, response.status_code
    return response.content.decode()


def test_every_template_can_be_made_as_it_stands(client, organizer, settings):
    settings.OPEN_TOURNAMENTS_PER_USER = len(drafts.TEMPLATES)
    for number, template in enumerate(drafts.TEMPLATES):
        address, name = f"{NEW}?template={template.slug}", f"a{number}"
        page = client.get(address)
        form = page.context["form"]
        sent = {
            bound.html_name: bound.value()
            for bound in form
            if bound.value() not in (None, "", False)
        }

        answer(client, address, {**sent, "name": name, "do": "create"}, 302)

        made = Tournament.objects.get(slug=name)
        assert (made.status, made.created_by) == ("draft", organizer)
        assert made.format == template.values["format"]
        assert page.context["preview"].games > 0


def test_a_preview_makes_nothing(client, organizer):
    text = answer(client, f"{NEW}?template=swiss", {**SWISS, "do": "preview", "entrants": "9"})

    assert "<dd>4</dd>" in text  # rounds
    assert "<dd>64</dd>" in text  # games: four pairings of four in four rounds
    assert Tournament.objects.count() == 0


def test_round_robin_is_offered_for_too_many_rounds(client, organizer):
    address = f"{NEW}?template=swiss"
    six = {"min_entrants": "6", "max_entrants": "6", "option_rounds": "6", "options_of": "swiss"}
    sent = {**SWISS, **six, "entrants": "6"}
    refused = answer(client, address, {**sent, "do": "preview"})

    taken = client.post(address, {**sent, "do": "instead"})

    assert "Plan this instead: Round robin" in refused
    assert taken.context["form"]["format"].value() == "round_robin"
    assert len(taken.context["preview"].rounds) == 5
    fits = answer(client, address, {**sent, "option_rounds": "5", "do": "preview"})
    assert "Plan this instead: Round robin" not in fits


def test_what_is_wrong_is_said_at_its_field(client, organizer):
    for changed, field, words in (
        ({"name": "???"}, "slug", "Choose an address of letters and digits"),
        ({"tie_wins": "2"}, "tie_wins", "Number 2 is taken"),
        ({"option_rounds": "0"}, "option_rounds", "greater than or equal to 1"),
    ):
        response = client.post(f"{NEW}?template=swiss", {**SWISS, **changed, "do": "create"})

        assert response.status_code == 400
        errors = response.context["form"].errors
        assert words in " ".join(errors[field]), errors
    assert Tournament.objects.count() == 0


def test_switch_off_is_shown_and_stays_off(client, organizer):
    options = {"third_place": 0, "extra_matches": 1}
    row = making.make_draft(organizer, format="single_elimination", format_options=options)
    address = reverse("tournament-edit", args=[row.slug])
    form = client.get(address).context["form"]
    assert "checked" not in str(form["option_third_place"])
    sent = {each.html_name: each.value() for each in form if each.value() not in (None, "", False)}

    answer(client, address, {**sent, "description": "!", "do": "save"}, 302)

    row.refresh_from_db()
    assert (row.description, row.format_options) == ("!", options)
    row.format_options = {**options, "third_place": 1}
    row.save()
    assert "checked" in str(client.get(address).context["form"]["option_third_place"])


def test_another_format_brings_its_usual_options(client, organizer):
    text = answer(client, f"{NEW}?template=swiss")
    assert '<input type="hidden" name="options_of" value="swiss">' in text
    sent = {**SWISS, "name": "", "options_of": "swiss", "do": "preview"}

    response = client.post(f"{NEW}?template=swiss", {**sent, "format": "groups_playoff"})

    form = response.context["form"]
    usual = {each.name: each.default for each in form.options}
    shown = {name: int(form[f"option_{name}"].value() or 0) for name in usual}
    assert response.status_code == 200  # nor is a name wanted of a preview
    assert not form.errors
    assert shown == usual
    chosen = {**sent, "format": "groups_playoff", "options_of": "groups_playoff"}
    kept = client.post(f"{NEW}?template=swiss", {**chosen, "option_groups": "2"})
    assert kept.context["form"]["option_groups"].value() == "2"


def test_organizer_changes_draft_without_overwriting_another(client, organizer):
    row = making.make_draft(organizer)
    address = reverse("tournament-edit", args=[row.slug])
    text = answer(client, address)
    assert f'name="revision" value="{row.revision}"' in text
    sent = {**SWISS, "format": "round_robin", "revision": row.revision, "do": "save"}

    answer(client, address, {**sent, "name": "Renamed"}, 302)
    again = answer(client, address, {**sent, "name": "Renamed by another"}, 400)

    assert "changed the tournament meanwhile" in again
    row.refresh_from_db()
    assert (row.name, row.tie_breaks) == ("Renamed", ["wins", "direct_encounter"])


def test_frozen_tournament_offers_only_changeable_fields(client):
    row = making.make_frozen()
    client.force_login(making.organizer(row))

    response = client.get(reverse("tournament-edit", args=[row.slug]))

    assert list(response.context["form"].fields) == ["name", "description", "starts_at", "release"]
    assert response.context["preview"] is None
