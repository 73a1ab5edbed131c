"""The Docker engine: its connection, images, and the life of a bot's container.

This is the only module that talks to an engine. It starts and ends containers; no moves pass
through it. `sandbox.launcher.container_options` defines what a container may be.
"""

import io
import json
import socket
import time
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

import docker
from docker.constants import DEFAULT_DOCKER_API_VERSION
from docker.errors import APIError, DockerException, ImageNotFound, NotFound
from docker.utils import kwargs_from_env

from engine.protocol import PlatformFault
from sandbox import limits
from sandbox.refusal import IsolationUnavailable

USUAL_ENGINE = "unix:///var/run/docker.sock"
OURS = "arena.role=bot"  # a label of every container of the sandbox

Engine = docker.APIClient

TROUBLE = (DockerException, OSError)  # the engine refuses, or it went away, which raises an OSError


class ImageGone(PlatformFault):
    """The image that a container should start from does not exist."""


@contextmanager
def connected(wait_s: int = limits.ENGINE_WAIT_S) -> Iterator[Engine]:
    """Connect to the engine in DOCKER_HOST, or the default one. Raise `IsolationUnavailable`."""
    settings = kwargs_from_env()
    _knock(settings.get("base_url", USUAL_ENGINE))
    speak = docker.APIClient(version=DEFAULT_DOCKER_API_VERSION, timeout=wait_s, **settings)
    try:
        version = str(speak.version(api_version=False)["ApiVersion"])  # its own, of the API
    except TROUBLE as error:
        raise IsolationUnavailable(f"docker: no engine answers ({error})") from error
    finally:
        speak.close()
    engine = docker.APIClient(version=version, timeout=wait_s, **settings)
    try:
        yield engine
    except TROUBLE as error:
        raise IsolationUnavailable(f"docker: {error}") from error
    finally:
        engine.close()


def image_id(engine: Engine, name: str) -> str | None:
    """Return the id of a local image, or None if there is none with that name."""
    try:
        image = engine.inspect_image(name)  # type: ignore[no-untyped-call]  # not in the stubs
    except ImageNotFound:
        return None
    return str(image["Id"])


def oci_runtimes(engine: Engine) -> tuple[str, frozenset[str]]:
    """Return the engine's default OCI runtime and all that it lists."""
    info = engine.info()
    return str(info["DefaultRuntime"]), frozenset(info["Runtimes"])


def storage_driver(engine: Engine) -> str:
    """Return the name of the driver that makes the file systems of containers."""
    return str(engine.info()["Driver"])


def data_folder(engine: Engine) -> Path:
    """Return where the engine keeps its images and containers, as its host names it."""
    return Path(engine.info()["DockerRootDir"])


def pulled(engine: Engine, name: str) -> bool:
    """Try to pull an image from its registry; return whether that succeeded."""
    repository, _, tag = name.partition(":")
    try:
        engine.pull(repository, tag=tag)
    except DockerException:
        return False
    return True


def import_image(engine: Engine, archive: Path, name: str) -> None:
    """Create an image from a root file system in a tar archive."""
    repository, _, tag = name.partition(":")
    with archive.open("rb") as stream:
        # The library's call for streams sends a broken request; this one accepts any file.
        send = engine.import_image_from_data
        send(stream, repository=repository, tag=tag)


def build(engine: Engine, context: bytes, tag: str, arguments: Mapping[str, str]) -> Iterator[str]:
    """Build an image and yield the lines of the build. Raise `IsolationUnavailable`."""
    steps = engine.build(
        fileobj=io.BytesIO(context),
        custom_context=True,
        tag=tag,
        buildargs=dict(arguments),
        network_mode="host",
        rm=True,
        forcerm=True,
        decode=True,
        timeout=limits.IMAGE_BUILD_WAIT_S,
    )
    for step in steps:
        if "error" in step:
            raise IsolationUnavailable(f"docker: the build of {tag} failed: {step['error']}")
        yield from str(step.get("stream", "")).splitlines()


def start(engine: Engine, spec: Mapping[str, object], remedy: str = "") -> str:
    """Create and start a container and return its id.

    Raise `PlatformFault`, ending with `remedy` if the engine refuses, or `ImageGone` if the image
    is missing; then `remove_all` clears what a slow engine may have created.
    """
    try:
        create = engine.create_container_from_config
        container = create(dict(spec))  # type: ignore[no-untyped-call]  # not in the stubs
        container_id = str(container["Id"])
        engine.start(container_id)
    except ImageNotFound as error:
        raise ImageGone(f"the engine has lost an image: {error}") from error
    except TROUBLE as error:
        advice = remedy if isinstance(error, APIError) else ""
        raise PlatformFault(f"the engine did not start a container: {error}{advice}") from error
    return container_id


def run(engine: Engine, spec: Mapping[str, object]) -> None:
    """Run a container of our own to its end and remove it. Raise `PlatformFault` if it fails."""
    container_id = start(engine, spec)
    try:
        status = engine.wait(container_id, timeout=limits.IMAGE_READ_WAIT_S)["StatusCode"]
    except TROUBLE as error:
        raise PlatformFault(f"a container did not end: {error}") from error
    finally:
        _remove(engine, container_id)
    if status != 0:
        raise PlatformFault(f"a container ended with status {status}")


def wait_until_gone(engine: Engine, container_id: str) -> None:
    """Wait until a container whose life line was cut is removed; remove it if that takes long.

    Raise `PlatformFault` if it may still exist.
    """
    if not _goes(engine, container_id):
        _remove(engine, container_id)


def ran_out_of_memory(engine: Engine, container_id: str) -> bool:
    """Return whether an ended container of the sandbox ran out of memory, by the engine's events.

    The engine reports the events of a container in order: this waits a moment for the first of the
    two events that decide, "oom" and "die". The engine keeps a few hundred old events of all
    containers. Raise `IsolationUnavailable` if the engine is away.
    """
    filters = {"container": [container_id], "label": [OURS], "event": ["oom", "die"]}
    asked = {
        "since": "1",
        "until": f"{time.time() + limits.END_TOLD_S:.3f}",
        "filters": json.dumps(filters),
    }
    address = f"{engine.base_url}/v{engine.api_version}/events"
    try:
        # The library's own call for events has no timeout if the engine hangs.
        answer = engine.get(address, params=asked, stream=True, timeout=limits.END_ASK_S)
        with answer:
            answer.raise_for_status()
            first = next(answer.iter_lines(), b"{}")
    except TROUBLE as error:
        raise IsolationUnavailable(f"docker: {error}") from error
    return bool(json.loads(first).get("Action") == "oom")


def remove_all(engine: Engine, run_dir: Path, slot: int) -> None:
    """End and remove all containers under a slot of a run directory. Raise `PlatformFault`."""
    for container in _listed(engine, [f"arena.run={run_dir}", f"arena.slot={slot}"]):
        _remove(engine, str(container["Id"]))


def remove_expired(engine: Engine) -> None:
    """End containers past their lifetime, which their first process should have ended.

    Raise `PlatformFault`.
    """
    now_s = time.time()
    for container in _listed(engine, []):
        expires_s = _number(container, "arena.expires")
        if expires_s is not None and expires_s < now_s:
            _remove(engine, str(container["Id"]))


def remove_strays(engine: Engine, run_dir: Path, used: Callable[[], Container[int]]) -> None:
    """End containers whose creation finished after their slot was cleared.

    `used()` returns the slots in use. Raise `PlatformFault`.
    """
    containers = _listed(engine, [f"arena.run={run_dir}"])
    in_use = used()  # after the listing, because a slot has its note before its container exists
    for container in containers:
        slot = _number(container, "arena.slot")
        if slot is not None and slot not in in_use:
            _remove(engine, str(container["Id"]))


def _listed(engine: Engine, labels: list[str]) -> list[dict[str, Any]]:
    try:
        return list(engine.containers(all=True, filters={"label": [OURS, *labels]}))
    except TROUBLE as error:
        raise PlatformFault(f"the engine does not list its containers: {error}") from error


def _number(listed: Mapping[str, Any], label: str) -> int | None:
    """Return the number in a label; None for a container of other software with similar labels."""
    try:
        return int(listed["Labels"].get(label, ""))
    except ValueError:
        return None


def _remove(engine: Engine, container_id: str) -> None:
    """End and remove a container in any state. Raise `PlatformFault`."""
    try:
        engine.remove_container(container_id, force=True)
    except NotFound:
        return
    except TROUBLE as error:
        under_way = isinstance(error, APIError) and error.status_code == HTTPStatus.CONFLICT
        if not under_way or not _goes(engine, container_id):
            raise PlatformFault(f"a container could not be removed: {error}") from error


def _goes(engine: Engine, container_id: str) -> bool:
    """Wait until a container is removed; return False if it is not, or if the engine is away."""
    until_s = time.monotonic() + limits.REMOVE_WAIT_S
    while (now_s := time.monotonic()) < until_s:
        try:
            engine.wait(container_id, timeout=limits.REMOVE_LOOK_S, condition="removed")
        except NotFound:
            return True
        except TROUBLE:
            # An engine that is asked at a bad moment never reports the removal: ask again.
            if time.monotonic() - now_s < limits.REMOVE_LOOK_S:
                return False
        else:
            return True
    return False


def _knock(address: str) -> None:
    """Raise if no engine listens; if the library finds this out itself, it leaks a socket."""
    scheme, _, path = address.partition("://")
    if scheme not in ("unix", "http+unix"):
        return
    with socket.socket(socket.AF_UNIX) as door:
        try:
            door.connect(f"/{path.lstrip('/')}")
        except OSError as error:
            reason = f"docker: no engine answers at {address} ({error.strerror})"
            raise IsolationUnavailable(reason) from error
