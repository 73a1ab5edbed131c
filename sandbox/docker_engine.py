"""The Docker engine: finding it, images, and the life of a bot's container.

The only module that talks to an engine. It starts and ends containers; no move goes through it.
"""

import io
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

import docker
from docker.constants import DEFAULT_DOCKER_API_VERSION
from docker.errors import APIError, DockerException, ImageNotFound, NotFound
from docker.types import HostConfig, LogConfig, Mount, Ulimit
from docker.utils import kwargs_from_env

from engine.protocol import PlatformFault
from sandbox import limits
from sandbox.cgroup import unified
from sandbox.refusal import IsolationUnavailable
from sandbox.seating import SCRATCH_FOLDER

ENGINE_WAIT_S = 30
BUILD_WAIT_S = 1200
USUAL_ENGINE = "unix:///var/run/docker.sock"

Engine = docker.APIClient
TROUBLE = (DockerException, OSError)  # it refuses, or it went away: that comes as an OSError


@contextmanager
def connected(wait_s: int = ENGINE_WAIT_S) -> Iterator[Engine]:
    """Reach the engine that DOCKER_HOST names, or the usual one. Raises `IsolationUnavailable`."""
    engine = _connect(wait_s)
    try:
        yield engine
    except TROUBLE as error:
        raise IsolationUnavailable(f"docker: {error}") from error
    finally:
        engine.close()


def find_image(name: str) -> str:
    """Give the id of a local image. Raises `IsolationUnavailable`."""
    with connected() as engine:
        found = image_id(engine, name)
    if found is None:
        raise IsolationUnavailable(
            f"docker: no image {name} (python -m sandbox build-image makes it)"
        )
    return found


def image_id(engine: Engine, name: str) -> str | None:
    """Give the id of a local image, None when there is none of that name."""
    try:
        found = engine.inspect_image(name)  # type: ignore[no-untyped-call]  # not in the stubs
    except ImageNotFound:
        return None
    return str(found["Id"])


def pulled(engine: Engine, name: str) -> bool:
    """Try to fetch an image from its registry."""
    repository, _, tag = name.partition(":")
    try:
        engine.pull(repository, tag=tag)
    except DockerException:
        return False
    return True


def import_image(engine: Engine, archive: Path, name: str) -> None:
    """Make an image of a root file system in a tar."""
    repository, _, tag = name.partition(":")
    with archive.open("rb") as stream:
        # The call for streams sends a broken request; this one takes whatever can be sent.
        send = engine.import_image_from_data
        send(stream, repository=repository, tag=tag)


def build(engine: Engine, context: bytes, tag: str, arguments: Mapping[str, str]) -> Iterator[str]:
    """Build an image, giving the lines of the build. Raises `IsolationUnavailable`."""
    steps = engine.build(
        fileobj=io.BytesIO(context),
        custom_context=True,
        tag=tag,
        buildargs=dict(arguments),
        network_mode="host",
        rm=True,
        forcerm=True,
        decode=True,
        timeout=BUILD_WAIT_S,
    )
    for step in steps:
        if "error" in step:
            raise IsolationUnavailable(f"docker: the build of {tag} failed: {step['error']}")
        yield from str(step.get("stream", "")).splitlines()


@dataclass(frozen=True, slots=True)
class Place:
    """Where on this host a container finds its bot and its control socket, and under which slot."""

    bot: Path
    arena: Path
    run: Path
    slot: int
    seat: str

    def labels(self) -> dict[str, str]:
        """Say whose a container is, for whoever finds it left over."""
        return {
            "arena.role": "bot",
            "arena.run": str(self.run),
            "arena.slot": str(self.slot),
            "arena.seat": self.seat,
            "arena.expires": str(int(time.time()) + limits.LIFETIME_S),
        }


def host_config(engine: Engine, place: Place) -> HostConfig:
    """Give the lock on the door. The engine's default seccomp profile stays in force beside it."""
    ulimits = [
        Ulimit(name=each.name, soft=each.value, hard=each.value)
        for each in limits.CONTAINER_ULIMITS
    ]
    room = f"size={limits.SCRATCH_BYTES},nr_inodes={limits.SCRATCH_INODES}"
    by_cgroup = {"cgroupns": "private"} if unified() else {"mem_swappiness": 0}
    return engine.create_host_config(
        network_mode="none",
        read_only=True,
        cap_drop=["ALL"],
        security_opt=["no-new-privileges:true"],
        ipc_mode="none",
        init=False,
        pids_limit=limits.TASKS,
        mem_limit=limits.MEMORY_BYTES,
        memswap_limit=limits.MEMORY_BYTES,
        nano_cpus=limits.CORES * 1_000_000_000,
        cpu_shares=limits.CPU_SHARES,
        tmpfs={SCRATCH_FOLDER: f"rw,noexec,nosuid,nodev,{room},mode=1777"},
        ulimits=ulimits,
        mounts=[_read_only("/bot", place.bot), _read_only("/arena", place.arena)],
        oom_score_adj=1000,
        log_config=LogConfig(type="none"),
        auto_remove=True,
        **by_cgroup,
    )


def start_container(
    engine: Engine, place: Place, image: str, environment: Mapping[str, str]
) -> str:
    """Create and start a bot's container, give its id.

    Raises `PlatformFault`; then `remove_all` clears what an engine that is slow may have made.
    """
    uid = limits.FIRST_UID + place.slot
    try:
        made = engine.create_container(
            image=image,
            command=["/arena-init", str(limits.ORDER_WAIT_S), str(limits.LIFETIME_S)],
            user=f"{uid}:{uid}",
            hostname="bot",
            working_dir="/bot",
            environment=dict(environment),
            stop_signal="SIGKILL",
            labels=place.labels(),
            host_config=host_config(engine, place),
            use_config_proxy=False,
        )
    except TROUBLE as error:
        raise PlatformFault(f"the engine did not make a container: {error}") from error
    container_id = str(made["Id"])
    try:
        engine.start(container_id)
    except TROUBLE as error:
        raise PlatformFault(f"the engine did not start a container: {error}") from error
    return container_id


def wait_until_gone(engine: Engine, container_id: str) -> None:
    """Wait until a container whose life line was cut is removed; if it takes long, remove it.

    Raises `PlatformFault` where it may still be there.
    """
    try:
        engine.wait(container_id, timeout=limits.REMOVE_WAIT_S, condition="removed")
    except NotFound:
        return
    except TROUBLE:
        _remove(engine, container_id)


def remove_all(engine: Engine, run_dir: Path, slot: int) -> None:
    """End and remove what was started under a slot of a run directory. Raises `PlatformFault`."""
    labels = ["arena.role=bot", f"arena.run={run_dir}", f"arena.slot={slot}"]
    try:
        found = engine.containers(all=True, filters={"label": labels})
    except TROUBLE as error:
        raise PlatformFault(f"the engine does not list its containers: {error}") from error
    for each in found:
        _remove(engine, str(each["Id"]))


def _remove(engine: Engine, container_id: str) -> None:
    """End and remove a container, in whatever state it is. Raises `PlatformFault`."""
    try:
        engine.remove_container(container_id, force=True)
    except NotFound:
        return
    except TROUBLE as error:
        if isinstance(error, APIError) and error.status_code == HTTPStatus.CONFLICT:
            return  # its removal is under way
        raise PlatformFault(f"a container could not be removed: {error}") from error


def _read_only(target: str, source: Path) -> Mount:
    return Mount(target, str(source), type="bind", read_only=True)


def _connect(wait_s: int) -> Engine:
    """Open a client that speaks the engine's own version of the API."""
    settings = kwargs_from_env()
    _knock(settings.get("base_url", USUAL_ENGINE))
    speak = docker.APIClient(version=DEFAULT_DOCKER_API_VERSION, timeout=wait_s, **settings)
    try:
        version = str(speak.version(api_version=False)["ApiVersion"])
    except TROUBLE as error:
        raise IsolationUnavailable(f"docker: no engine answers ({error})") from error
    finally:
        speak.close()
    return docker.APIClient(version=version, timeout=wait_s, **settings)


def _knock(address: str) -> None:
    """Find out that nobody is there; the library, finding out by itself, leaks a socket."""
    scheme, _, path = address.partition("://")
    if scheme not in ("unix", "http+unix"):
        return
    with socket.socket(socket.AF_UNIX) as door:
        try:
            door.connect(f"/{path.lstrip('/')}")
        except OSError as error:
            reason = f"docker: no engine answers at {address} ({error.strerror})"
            raise IsolationUnavailable(reason) from error
