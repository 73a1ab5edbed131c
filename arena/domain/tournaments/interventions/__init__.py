"""What organizers do to a tournament that runs: one class each, in a file of this folder.

To add one, add its class: the console, the API and the log find it. Importing this package imports
every file of it; classes register in the order of the files and of their lines.
"""

import pkgutil
from importlib import import_module

for _found in pkgutil.iter_modules(__path__):
    import_module(f"{__name__}.{_found.name}")
