"""The launcher inside this process, for processes that may talk to Docker."""

import logging
import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from botkit import languages
from engine.protocol import PlatformFault
from sandbox import limits
from sandbox.host import disk
from sandbox.host.clearing import clear
from sandbox.host.uid_slots import notes
from sandbox.images.recipe import missing_image, runtime_image
from sandbox.launcher import container_options, containers, docker_engine
from sandbox.launcher.containers import Container
from sandbox.launcher.docker_engine import Engine, ImageGone
from sandbox.launcher.keeper import WarmPool
from sandbox.launcher.oci_runtime import has_own_kernel
from sandbox.launcher.order import Launched, Order, Purpose
from sandbox.refusal import IsolationUnavailable

OWN_INODES = ("btrfs", "vfs", "zfs")  # storage drivers that give each container its own

logger = logging.getLogger(__name__)


class Embedded:
    """Start containers in `run_dir`, which must be the same path here and for the engine.

    `warm` containers of every runtime in use wait for their bots. `oci_runtime` is a name that the
    engine lists, or "" for its default. Create one launcher for each process: after a fork it
    belongs to the parent.
    """

    def __init__(self, run_dir: Path, *, warm: int = 0, oci_runtime: str = "") -> None:
        self._run_dir = run_dir.absolute()
        self.oci_runtime = oci_runtime
        self._images: Mapping[str, str] = {}  # by runtime; empty if unknown or outdated
        self.own_image_files = False  # as of the last look at the images
        self._pool = WarmPool(warm=warm, start=self._start, reap=self._reap)

    def images(self) -> Mapping[str, str]:
        """Return the image id of every runtime whose image exists.

        Raise `IsolationUnavailable`, also where a disk is nearly full.
        """
        require_room(self._run_dir)
        with docker_engine.connected() as engine:
            require_room_for_containers(engine)
            self._images = find_images(engine)
            self.own_image_files = keeps_files_apart(engine, self.oci_runtime)
        return self._images

    def launch(self, order: Order) -> Launched:
        """Start one container, or raise `PlatformFault` and leave nothing behind."""
        container, pipes = self.start(order)
        return Launched(
            *pipes,
            container.control,
            container.counters,
            ran_out_of_memory=partial(self.ran_out_of_memory, container.id),
            release=partial(self.give_back, container),
            oci_runtime=self.oci_runtime,
        )

    def start(self, order: Order) -> tuple[Container, tuple[int, int, int]]:
        """Start one container; return it with this side's ends of stdin, stdout and stderr.

        Raise `PlatformFault`. The caller ends the container and gives it back.
        """
        command = container_options.command(order)
        language = languages.find(order.language)
        runtime = language.runtime if language else ""
        if order.purpose == "build":
            container = self._start_now(runtime, "build")
        else:
            waiting = self._pool.take(runtime, self._images.get(runtime, ""))
            container = waiting or self._start_now(runtime, "bot")
            self._pool.want(runtime)
        try:
            return container, container.give(order, command)
        except PlatformFault:
            container.drop()
            self._pool.give_back(container)
            raise

    def give_back(self, container: Container) -> None:
        """Clear up after a container whose life line was cut, without making the caller wait."""
        self._pool.give_back(container)

    def ran_out_of_memory(self, container_id: str) -> bool:
        """Return whether memory ran out in a container that has ended; False if unknown."""
        try:
            with docker_engine.connected(limits.END_ASK_S) as engine:
                return docker_engine.ran_out_of_memory(engine, container_id)
        except IsolationUnavailable as why:
            logger.warning("why a container ended is not known: %s", why)
            return False

    def figures(self) -> None:
        """Return None: each process of a runner has such a launcher, so one has no figures."""

    def waiting(self) -> int:
        """Return how many containers wait for a bot."""
        return self._pool.waiting()

    def reap(self) -> int:
        """Clear what killed launchers left behind; return the number of slots.

        It is safe to call while games run, also those of other runners. Raise
        `IsolationUnavailable` or `PlatformFault` if the engine fails.
        """
        with docker_engine.connected() as engine:
            return self._reap(engine)

    def close(self) -> None:
        """Drop waiting containers and clear those given back. Safe to call twice."""
        self._pool.close()

    def _start_now(self, runtime: str, purpose: Purpose) -> Container:
        try:
            with docker_engine.connected() as engine:
                return self._start(engine, runtime, purpose)
        except IsolationUnavailable as why:
            raise PlatformFault(str(why)) from why

    def _start(self, engine: Engine, runtime: str, purpose: Purpose = "bot") -> Container:
        if runtime not in self._images:
            self._images = find_images(engine)
        if runtime not in self._images:
            raise PlatformFault(missing_image(runtime))
        image = self._images[runtime]
        self._run_dir.mkdir(parents=True, exist_ok=True)
        try:
            return containers.start(
                engine, self._run_dir, image=image, purpose=purpose, oci_runtime=self.oci_runtime
            )
        except ImageGone:
            self._images = {}  # the image's name may now have another id
            raise

    def _reap(self, engine: Engine) -> int:
        docker_engine.remove_expired(engine)
        docker_engine.remove_strays(engine, self._run_dir, partial(notes, self._run_dir))
        run_dir = self._run_dir
        return clear(
            run_dir, end=lambda slot: docker_engine.remove_all(engine, run_dir, slot.number)
        )


def warm_containers() -> int:
    """Return how many containers of a runtime wait for bots. Raise `IsolationUnavailable`."""
    setting = os.environ.get("DRAPEAU_WARM_CONTAINERS") or str(limits.WARM_CONTAINERS)
    if not setting.isdecimal() or int(setting) > limits.SLOTS:
        raise IsolationUnavailable(f"DRAPEAU_WARM_CONTAINERS is no small number: {setting!r}")
    return int(setting)


def keeps_files_apart(engine: Engine, oci_runtime: str) -> bool:
    """Return whether every container has its own copy of the files of its image in memory."""
    return has_own_kernel(oci_runtime) or docker_engine.storage_driver(engine) in OWN_INODES


def require_room(folder: Path) -> None:
    """Raise `IsolationUnavailable` if the disk of a folder is nearly full."""
    if lacks := disk.shortage(folder):
        raise IsolationUnavailable(lacks)


def require_room_for_containers(engine: Engine) -> None:
    """Raise `IsolationUnavailable` if the engine's disk is nearly full.

    A launcher in a container does not see the engine's folder, but its own files are on that disk.
    """
    folder = docker_engine.data_folder(engine)
    require_room(folder if os.access(folder, os.F_OK) else Path("/"))


def find_images(engine: Engine) -> dict[str, str]:
    """Return the image id of every runtime whose image exists."""
    ids = {
        runtime: docker_engine.image_id(engine, runtime_image(runtime))
        for runtime in languages.RUNTIMES
    }
    return {runtime: image for runtime, image in ids.items() if image is not None}
