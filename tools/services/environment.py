"""The environment of the tests: no setting of a site that a user runs reaches them."""

import os
from collections.abc import Mapping

# What services hand to the tests, and what a user chooses for them.
_OURS = ("DRAPEAU_TEST_", "DRAPEAU_RUN_DIR", "DRAPEAU_OSV")
_FOREIGN = ("DATABASE_URL", "DJANGO_SETTINGS_MODULE", "DRAPEAU_")


def without_foreign_settings(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the environment without the settings of the site, except those of the tests."""
    return {
        name: value
        for name, value in environment.items()
        if name.startswith(_OURS) or not name.startswith(_FOREIGN)
    }
