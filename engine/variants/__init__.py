"""The games, a folder each. An installation may have more of them in folders of its own.

`DRAPEAU_VARIANTS` names such folders, with `:` between them. A distribution can name a package that
has games in it as an entry point of the group `drapeau.variants`. `engine.registry` tells what is
wrong with them.
"""

import os
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

SETTING = "DRAPEAU_VARIANTS"
GROUP = "drapeau.variants"
HERE = __path__[0]


def _further() -> dict[str, str]:
    """Map each further folder of games to what names it."""
    given = filter(None, os.environ.get(SETTING, "").split(os.pathsep))
    folders = {str(Path(folder).absolute()): SETTING for folder in given}
    if folders:
        os.environ[SETTING] = os.pathsep.join(folders)  # for programs that run in another folder
    for point in entry_points(group=GROUP):
        try:
            spec = find_spec(point.value)
        except ModuleNotFoundError:  # of a package around it
            spec = None
        for folder in (spec and spec.submodule_search_locations) or (point.value,):
            folders[folder] = f"the entry point {point.name} of {GROUP}"
    return folders


def further_games() -> list[Path]:
    """Return the folders of the games that are not in this one."""
    return sorted(rules.parent for folder in FURTHER for rules in Path(folder).glob("*/rules.py"))


# In the bot kit, which has another name, all games of a site stand in this folder.
FURTHER = _further() if __name__ == "engine.variants" else {}
__path__ += [folder for folder in FURTHER if Path(folder).is_dir()]
