"""The ASGI application. `python -m arena.server` serves it."""

import os

import django
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
django.setup(set_prefix=False)

from arena.server.bodies import BodyLimits  # noqa: E402 - needs Django set up
from arena.server.handler import BoundedHandler  # noqa: E402 - as above
from arena.server.proxies import TrustedProxies  # noqa: E402 - as above

application = TrustedProxies(BodyLimits(BoundedHandler()), count=settings.PROXIES)
