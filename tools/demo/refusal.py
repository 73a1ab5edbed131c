"""The one way in which the demo says no."""


class DemoFailed(Exception):
    """What the person at the terminal has to know, in words; the demo ends with status 1."""
