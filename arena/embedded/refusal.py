"""The one way in which the embedded site says no."""


class StartFailed(Exception):
    """What the person at the terminal has to know and can do; nothing is left running."""
