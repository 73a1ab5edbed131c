"""Run in a tree that has one variant more: plays it and opens its pages; prints what there is.

Usage: python -m tests.integration.meta.one_folder SLUG, with a settings module and a new
database.
"""

import json
import sys

import django
from django.core.management import call_command

django.setup()

from django.test import Client  # noqa: E402 - Django is set up by now, not before

from arena.domain.variants import rulebook  # noqa: E402 - likewise
from engine.registry import find, variants  # noqa: E402 - likewise
from tests.unit.engine.games import random_game  # noqa: E402 - likewise


def main(slug):
    call_command("migrate", verbosity=0)
    *_, (state, _, _) = random_game(find(slug), 1)
    paths = (f"/variants/{slug}/", f"/variants/{slug}/ledger/", f"/ladders/{slug}/")
    found = {
        "variants": list(variants()),
        "ended": find(slug).phase(state) == "over",
        "sentences": len(rulebook.ledger(slug)),
        "untested": [sentence.id for sentence in rulebook.ledger(slug) if not sentence.tests],
        "pages": {path: Client().get(path, secure=True).status_code for path in paths},
    }
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
