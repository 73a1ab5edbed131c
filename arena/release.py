"""Which version of the product this is."""

import tomllib
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]  # the checkout, or where the server is installed
PROJECT = ROOT / "pyproject.toml"  # of a checkout
SERVER = "drapeau-server"


def version() -> str:
    """Return the version of the project, which all distributions share."""
    if not PROJECT.is_file():
        return metadata.version(SERVER)
    settings = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    return str(settings["project"]["version"])
