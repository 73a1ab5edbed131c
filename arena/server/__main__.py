"""Start the web server: `python -m arena.server --host 0.0.0.0 --port 8000`.

This is the one way to start it. Started as `uvicorn arena.asgi:application`, uvicorn would trust
proxy headers from this machine and wait without end for slow clients.
"""

import argparse
import contextlib
import os
import resource
import sys

import uvicorn
from uvicorn.config import STARTUP_FAILURE

OTHER_FILES = 200  # beside connections: the database, the broker, logs, uploads
# The loop that refuses a surplus waits for its turn, behind threads at work, whenever it reads or
# writes: so turns are short.
SWITCH_S = 0.0005
LEFT_OPEN_S = 5  # what open requests have left when the server is told to end


def main() -> int:
    """Serve until a signal ends it. Return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m arena.server", description="Serve the site.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (%(default)s)")
    parser.add_argument("--port", type=int, default=8000, help="port (%(default)s)")
    parser.add_argument("--fd", type=int, help="listen on this open socket instead")
    options = parser.parse_args()

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
    from django.conf import settings  # noqa: PLC0415 - its module is named now

    from arena import telemetry  # noqa: PLC0415 - the same
    from arena.logs import configure  # noqa: PLC0415 - the same
    from arena.server.connections import (  # noqa: PLC0415 - uses it
        REFUSED_AT_ONCE,
        BoundedConnection,
        BoundedServer,
    )
    from arena.server.threads import use_pool  # noqa: PLC0415 - the same

    files = settings.CONNECTIONS + REFUSED_AT_ONCE + OTHER_FILES
    if not _may_open(files):
        parser.error(
            f"with DRAPEAU_CONNECTIONS={settings.CONNECTIONS} this process needs {files} open "
            "files, and the system allows fewer. Set it lower, or raise the limit (ulimit -n)."
        )
    sys.setswitchinterval(SWITCH_S)
    use_pool(settings.DATABASES["default"])
    telemetry.start_if_wanted(service="web")
    configure(settings.LOGGING)  # before the server, whose lines are those of the site then
    server = BoundedServer(
        uvicorn.Config(
            "arena.asgi:application",
            host=options.host,
            port=options.port,
            fd=options.fd,
            http=BoundedConnection,
            ws="none",
            proxy_headers=False,
            timeout_keep_alive=settings.KEEP_ALIVE_S,
            timeout_graceful_shutdown=LEFT_OPEN_S,
            access_log=False,
            log_config=None,
        )
    )
    with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C, once the open requests are answered
        server.run()
    return 0 if server.started else STARTUP_FAILURE


def _may_open(files: int) -> bool:
    """Raise the limit of open files as far as needed; return False if the system forbids it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and files > hard:
        return False
    if soft != resource.RLIM_INFINITY and files > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    return True


if __name__ == "__main__":
    sys.exit(main())
