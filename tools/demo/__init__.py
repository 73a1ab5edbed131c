"""A whole arena on this machine with the house bots in it: `python -m tools.demo --help`."""
