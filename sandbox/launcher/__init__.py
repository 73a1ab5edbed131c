"""The launcher: the only code that talks to Docker, and what it is asked for."""
