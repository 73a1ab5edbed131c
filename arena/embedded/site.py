"""The embedded site: its folder, its port, its processes."""

import ipaddress
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx2

from arena import further_games, wheels
from arena.embedded.folder import check_database, check_room, hold, name_holder, usable
from arena.embedded.isolation import settle
from arena.embedded.refusal import StartFailed
from arena.embedded.supervise import POLL_S, ServiceProgram, Supervisor, end_leftovers
from arena.embedded.tcp import LOOPBACK, free_port, listening_socket
from engine.protocol import PlatformFault
from sandbox.levels.isolation import Isolation, reap
from sandbox.refusal import IsolationUnavailable

_READY_S = 90.0
_WEB_STOP_S = 8.0  # the server gives open requests 5
_WORKER_STOP_S = 8.0  # a game that is not over by then is played again after the next start
_FOREIGN = ("DATABASE_URL", "DRAPEAU_BROKER_URL", "DJANGO_SETTINGS_MODULE", "DRAPEAU_RUN_DIR")
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class SiteOptions:
    """What the person at the terminal chooses. With port 0 the site takes a free one."""

    data_dir: Path  # absolute
    port: int
    host: str = LOOPBACK
    isolation: str = "auto"
    trust_bots: bool = False

    @property
    def mark(self) -> str:
        """Return the name of this site for the supervisor, the same at every start."""
        return f"site {self.data_dir}"

    @property
    def logs(self) -> Path:
        """Return the folder of the logs."""
        return self.data_dir / "logs"


@dataclass(frozen=True, slots=True)
class RunningSite:
    """A site that answers at `url` for as long as its owner calls `check` again and again."""

    url: str
    check: Callable[[], None]

    def serve(self, say: Say) -> None:
        """Keep the site up until Ctrl-C, which is then the normal end. Raise GaveUp."""
        try:
            while True:
                self.check()
                time.sleep(POLL_S)
        except KeyboardInterrupt:
            say("Ending. The next start continues from here.")


@contextmanager
def running(options: SiteOptions, say: Say) -> Iterator[RunningSite]:
    """Start the site and yield it once it is ready; end all of it afterwards.

    `say` gets one sentence for each stage. Raise StartFailed, or GaveUp if a program of the site
    dies again and again.
    """
    with hold(options.data_dir) as lock, _take_port(options.host, options.port) as listener:
        url = url_of(listener, options.host)
        name_holder(lock, f"process {os.getpid()}, {url}")
        if end_leftovers(options.mark):
            say("Ended what a killed site had left running.")
        check_room(options.data_dir)
        check_database(options.data_dir)
        with usable(options.data_dir):
            if wrong := further_games.problems():
                raise StartFailed("\n".join(wrong))
            (options.data_dir / "run").mkdir(exist_ok=True)
            isolation = settle(options.isolation, options.logs / "image.log", say)
            say(f"Isolation: {isolation.reason}")
            env = environment(options.data_dir) | {
                "DRAPEAU_ALLOWED_HOSTS": allowed_hosts(options.host),
                "DRAPEAU_ISOLATION": isolation.kind,
                "DRAPEAU_TRUST_BOTS": "1" if options.trust_bots else "0",
            }
            say(f"Bringing the database in {options.data_dir} up to date.")
            _migrate(options, env)
            say("Building the bot kit, which the site offers to authors.")
            wheels.build(options.data_dir / "wheels")
        say(f"Starting the web server, the worker and the runner; their logs are in {options.logs}")
        with (
            _nothing_left(options.data_dir, options.mark, isolation),
            Supervisor(options.mark) as supervisor,
        ):
            web, *workers = _programs(options.logs, listener.fileno(), env)
            with usable(options.data_dir):
                for program in (web, *workers):
                    supervisor.start(program)
            supervisor.wait_until(web, lambda: _answers_ok(f"{url}/readyz"), within_s=_READY_S)
            yield RunningSite(url, supervisor.check)


def _take_port(host: str, port: int) -> socket.socket:
    """Return a listening socket; raise StartFailed when it cannot be had."""
    try:
        return listening_socket(port, host)
    except (OSError, UnicodeError) as problem:  # a name that is too long is no Unicode
        why = problem.strerror if isinstance(problem, OSError) else "this is no name of a host"
        raise StartFailed(
            f"port {port} of {host} cannot be used: {why}. Choose another one, such as "
            f"--host {LOOPBACK} --port {free_port()}"
        ) from problem


def url_of(listener: socket.socket, host: str) -> str:
    """Return where a browser on this machine finds the site."""
    address, port = listener.getsockname()[:2]
    if ipaddress.ip_address(address).is_unspecified:
        host = LOOPBACK
    return f"http://{_in_url(host)}:{port}"


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def environment(data_dir: Path) -> dict[str, str]:
    """Return the variables of every process of the site: the embedded default in one folder."""
    kept = {name: value for name, value in os.environ.items() if name not in _FOREIGN}
    return {
        **kept,
        "DJANGO_SETTINGS_MODULE": "arena.settings",
        "DRAPEAU_DATA_DIR": str(data_dir),
        "DRAPEAU_LOG_FORMAT": "console",
        "PYTHONUNBUFFERED": "1",
    }


def allowed_hosts(host: str) -> str:
    """Return under which names the site answers: those of the setting, and that of the option."""
    return ",".join(filter(None, (os.environ.get("DRAPEAU_ALLOWED_HOSTS"), _in_url(host))))


def _migrate(options: SiteOptions, env: dict[str, str]) -> None:
    """Bring the database up to date; raise StartFailed with the last line of the log."""
    argv = (sys.executable, "-m", "django", "migrate", "--no-input", "--skip-checks")
    program = ServiceProgram("migrate", argv, options.logs / "migrate.log", env)
    program.log.unlink(missing_ok=True)
    with Supervisor(options.mark) as steps:
        if steps.run(program) == 0:
            return
    check_room(options.data_dir)  # SQLite's own words would be in the middle of a traceback
    *_, last = ["", *program.tail().splitlines()]
    raise StartFailed(
        f"the database cannot be brought up to date: {last} (log: {program.log}). The log says "
        "more. If the database is damaged, restore a backup with `drapeau-server restore`."
    )


def _programs(logs: Path, listener: int, env: dict[str, str]) -> tuple[ServiceProgram, ...]:
    """Return the web server, the worker that is also beat, the runner, and who sends mail.

    The runner is on its own, so that a queue full of matches never keeps housekeeping waiting. So
    is who sends mail, if it goes to a server, which can hang.
    """
    has_mail_server = bool(env.get("DRAPEAU_EMAIL_URL"))
    web = ServiceProgram(
        name="web",
        argv=(sys.executable, "-m", "arena.server", "--fd", str(listener)),
        log=logs / "web.log",
        env=env,
        stop_s=_WEB_STOP_S,
        fds=(listener,),
    )
    return web, *(
        ServiceProgram(
            name=name,
            argv=(
                *(sys.executable, "-m", "celery", "-A", "arena", "--quiet", "worker"),
                *("-n", f"{name}@%h", "--loglevel", "INFO", *options),
            ),
            log=logs / f"{name}.log",
            env=env,
            stop_s=_WORKER_STOP_S,
        )
        for name, options in (
            ("worker", ("-B", "-Q", "default" if has_mail_server else "default,mail", "-c", "1")),
            ("runner", ("-Q", "matches", "-c", str(os.cpu_count() or 1))),
            *([("mail", ("-Q", "mail", "-c", "1"))] if has_mail_server else []),
        )
    )


def _answers_ok(url: str) -> bool:
    try:
        return httpx2.get(url, timeout=2.0).status_code == httpx2.codes.OK
    except httpx2.TransportError:
        return False


@contextmanager
def _nothing_left(data_dir: Path, mark: str, isolation: Isolation) -> Iterator[None]:
    """Clear at the end what is left: programs just started, and bots whose runner was killed.

    Without an engine nothing of the bots can be cleared: then the next start does so.
    """
    try:
        yield
    finally:
        end_leftovers(mark)
        with suppress(IsolationUnavailable, PlatformFault):
            reap(isolation=isolation, work_dir=data_dir / "run")
