"""What organizers do to a running tournament: one class per intervention, in this folder.

To add an intervention, add its class. The console, the API and the log find it. Importing this
package imports all its files. Classes register in the order of the files and of their lines.
"""

import pkgutil
from importlib import import_module

for _module in pkgutil.iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
