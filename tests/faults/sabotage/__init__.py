"""Celery apps of a site with one guard taken out each: the suite has to find that.

`python -m tests.faults --sabotage no_sweeper`. Nothing of this is reachable from the product.
"""

import django

django.setup()  # the modules here change the domain as soon as they are imported
