"""The launcher: the only code that talks to Docker, and its orders."""
