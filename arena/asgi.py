"""The ASGI application for uvicorn: `uvicorn arena.asgi:application`."""

import os
from typing import cast

from django.conf import settings
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")

_site = get_asgi_application()

from arena.api.body_limit import App, BodyLimit  # noqa: E402 - needs Django set up

application = BodyLimit(cast("App", _site), limit_bytes=settings.BODY_MAX_BYTES)
