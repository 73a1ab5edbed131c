"""The environment of the tests: no setting of a site that a user runs reaches them."""

import os
from collections.abc import Mapping

# What services hand to the tests, and what a user chooses for them.
_OURS = ("DRAPEAU_TEST_", "DRAPEAU_RUN_DIR", "DRAPEAU_OSV")
_FOREIGN = ("DATABASE_URL", "DJANGO_SETTINGS_MODULE", "DRAPEAU_")
# Numerical libraries start a thread for each core, which mostly wait for each other.


def environment_of_tests(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the environment without the settings of a site, except those of the tests."""
    one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return one_thread | {
        name: value
        for name, value in environment.items()
        if name.startswith(_OURS) or not name.startswith(_FOREIGN)
    }
