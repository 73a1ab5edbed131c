"""What to say where the libraries of the extra `learn` are not installed."""


def not_installed(problem: ModuleNotFoundError) -> ModuleNotFoundError:
    """Return an error that says how to install what an import did not find."""
    return ModuleNotFoundError(
        f"botkit.learning needs {problem.name}, which the bot kit does not install by itself. "
        'Install the kit with its extra, such as "drapeau[learn]", or: '
        "pip install gymnasium numpy pettingzoo",
        name=problem.name,
    )
