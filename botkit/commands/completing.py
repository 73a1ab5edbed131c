"""What a shell completes besides commands and options: games, bots and files."""

import click
from click.shell_completion import CompletionItem

from botkit.home import house_bots
from engine.registry import variants


def complete_game(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    """Return the games that begin so."""
    return [slug for slug in variants() if slug.startswith(begun)]


def complete_bot(
    context: click.Context, parameter: click.Parameter, begun: str
) -> list[CompletionItem]:
    """Return the house bots that begin so, and what makes the shell complete a file."""
    names = [CompletionItem(name) for name in house_bots() if name.startswith(begun)]
    return names + complete_file(context, parameter, begun)


def complete_file(
    _context: click.Context, _parameter: click.Parameter, begun: str
) -> list[CompletionItem]:
    """Return what makes the shell complete a file."""
    return [CompletionItem(begun, type="file")]
