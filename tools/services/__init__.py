"""Real services, private to one run of the tests: `python -m tools.services --help`."""
