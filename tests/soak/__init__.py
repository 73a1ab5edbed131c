"""What goes on for too long for `make test`: `python -m tests.soak --help`."""
