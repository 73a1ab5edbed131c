"""What to say where the libraries of an extra are not installed."""

LIBRARIES = {"learn": "gymnasium numpy pettingzoo", "render": "pillow resvg-py"}


def not_installed(problem: ModuleNotFoundError, extra: str = "learn") -> ModuleNotFoundError:
    """Return an error that says how to install what an import did not find."""
    return ModuleNotFoundError(
        f"botkit.learning needs {problem.name}, which the bot kit does not install by itself. "
        f'Install the kit with its extra, such as "drapeau[{extra}]", or: '
        f"pip install {LIBRARIES[extra]}",
        name=problem.name,
    )
