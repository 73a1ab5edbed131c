"""A ladder that plays while everything under it is killed: `python -m tests.faults --help`."""
