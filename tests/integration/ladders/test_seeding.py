"""The ladders that a new database gets."""

import pytest
from django.core.management import call_command

from arena.models import Ladder

pytestmark = pytest.mark.django_db


def test_the_ladder_for_more_entrants_says_so():
    Ladder.objects.all().delete()

    call_command("seed_ladders", verbosity=0)

    ladder = Ladder.objects.get(slug="siege-3")
    assert (ladder.name, ladder.entrants_per_match) == ("Siege, three players", 3)
    ladder.full_clean()
