"""The command that the server brings: it declares it as an entry point, and the kit finds it."""

from importlib.metadata import entry_points

import click

from botkit.commands import CommandFailed
from botkit.exit_statuses import USAGE

GROUP = "drapeau.commands"


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def _missing(words: tuple[str, ...]) -> None:  # noqa: ARG001 - whatever is for the server
    """Start a whole site on this machine, until Ctrl-C ends it.

    This needs the distribution drapeau-server, which is not installed here.
    """
    raise CommandFailed(
        "drapeau up needs the server: install drapeau-server, with `pip install .` in a checkout "
        "of Drapeau, or start the site there with `make up`.",
        USAGE,
    )


up: click.Command = next(
    (entry_point.load() for entry_point in entry_points(group=GROUP, name="up")), _missing
)
