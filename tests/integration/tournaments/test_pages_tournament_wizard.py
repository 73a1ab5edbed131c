"""Making a tournament by the wizard, and changing it."""

import pytest
from django.urls import reverse

from arena.domain.tournaments.setup import drafts, durations
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


def answer(client, address, data=None, status=200, **headers):
    ask = client.get if data is None else client.post
    response = ask(address, data, headers=headers)
    assert response.status_code == status, response.status_code
    return response.content.decode()


def test_the_first_step_offers_every_template(client, organizer):
    text = answer(client, NEW)

    assert [f'href="{NEW}?template={each.slug}"' in text for each in drafts.TEMPLATES] == [
        True
    ] * len(drafts.TEMPLATES)
    answer(client, f"{NEW}?template=none", status=404)


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


def test_what_is_made_is_what_was_said(client, organizer):
    answer(client, f"{NEW}?template=swiss", {**SWISS, "do": "create"}, 302)

    made = Tournament.objects.get(slug="winter-cup")
    assert (made.format, made.format_options) == ("swiss", {"rounds": 4})
    assert (made.scoring, made.tie_breaks) == ("championship", ["wins", "direct_encounter"])
    assert (made.matches_per_pairing, made.min_entrants, made.max_entrants) == (2, 8, 16)
    assert made.last_entry_round == 0


def test_a_preview_makes_nothing(client, organizer):
    text = answer(client, f"{NEW}?template=swiss", {**SWISS, "do": "preview", "entrants": "9"})

    assert "<dd>4</dd>" in text  # rounds
    assert "<dd>64</dd>" in text  # games: four pairings of four in four rounds
    assert Tournament.objects.count() == 0


def test_fragment_is_only_preview_without_name(client, organizer):
    sent = {**SWISS, "name": "", "entrants": "9"}

    text = answer(client, f"{NEW}?template=swiss", sent, **{"HX-Request": "true"})

    assert text.lstrip().startswith('<section id="preview"')
    assert "<dd>64</dd>" in text


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


def test_preview_never_exceeds_and_follows_max_entrants(client, organizer):
    page = client.get(f"{NEW}?template=double-elimination")
    most = page.context["form"]["max_entrants"].value()
    few = {**SWISS, "max_entrants": "8"}

    clamped = client.post(f"{NEW}?template=swiss", {**few, "entrants": "16"})
    follows = client.post(f"{NEW}?template=swiss", {**few, "entrants": ""})

    assert f'value="" placeholder="{most}"' in page.content.decode()
    for response, shown in ((clamped, 'value="8"'), (follows, 'value="" placeholder="8"')):
        assert response.context["preview"].entrants == 8
        assert f'min="2" max="1024" {shown}' in response.content.decode()


@pytest.mark.parametrize(("slow_s", "is_said"), [(1685.0, False), (2400.0, True)])
def test_an_estimate_says_the_same_time_once(client, organizer, monkeypatch, slow_s, is_said):
    found = durations.DurationEstimate(1680.0, slow_s, 10, 20, 2, measured=True)
    monkeypatch.setattr(durations, "estimate", lambda **_given: found)

    text = answer(client, f"{NEW}?template=swiss")

    assert "It takes about 28 min" in text
    assert ("rarely more than" in text) == is_said


def test_a_fragment_says_of_which_field_it_speaks(client, organizer):
    sent = {**SWISS, "format": "groups_playoff", "option_groups": "8", "max_entrants": "9"}

    text = answer(client, f"{NEW}?template=swiss", sent, **{"HX-Request": "true"})

    assert "Fewest entrants: This cannot be played with 8" in text
    assert "Most entrants: This cannot be played with 9 entrants." in text


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


def test_it_stands_at_the_address_that_was_given(client, organizer):
    answer(client, f"{NEW}?template=swiss", {**SWISS, "slug": "cup-26", "do": "create"}, 302)
    made = Tournament.objects.get()
    address = reverse("tournament-edit", args=["cup-26"])

    answer(client, address, {**SWISS, "slug": "", "description": "!", "do": "save"}, 302)

    made.refresh_from_db()
    assert (made.slug, made.name, made.description) == ("cup-26", "Winter Cup", "!")


def test_saving_unchanged_draft_changes_nothing_saying_so(client, organizer):
    answer(client, f"{NEW}?template=swiss", {**SWISS, "do": "create"}, 302)
    made = Tournament.objects.get()
    address = reverse("tournament-edit", args=[made.slug])

    response = client.post(address, {**SWISS, "do": "save"}, follow=True)

    assert "Nothing was changed" in response.content.decode()
    assert "noted in the log" not in response.content.decode()
    assert list(made.log.values_list("action", flat=True)) == ["created"]


def test_organizer_changes_draft_without_overwriting_another(client, organizer):
    row = making.make_draft(organizer)
    address = reverse("tournament-edit", args=[row.slug])
    text = answer(client, address)
    assert f'name="revision" value="{row.revision}"' in text
    sent = {**SWISS, "format": "round_robin", "revision": row.revision, "do": "save"}

    answer(client, address, {**sent, "name": "Renamed"}, 302)
    again = answer(client, address, {**sent, "name": "Renamed by another"}, 400)

    assert "changed the tournament meanwhile" in again
    assert "Correct the marked fields" not in again
    assert f'<a href="{address}">Discard my input' in again
    assert '<h2 id="preview-title">' in again
    assert 'class="preview-rounds' in again
    row.refresh_from_db()
    assert (row.name, row.tie_breaks) == ("Renamed", ["wins", "direct_encounter"])


def test_frozen_tournament_offers_only_changeable_fields(client):
    row = making.make_frozen()
    client.force_login(making.organizer(row))

    response = client.get(reverse("tournament-edit", args=[row.slug]))

    assert list(response.context["form"].fields) == ["name", "description", "starts_at", "release"]
    assert response.context["preview"] is None
