"""The keeper: a thread that starts containers before they are needed and clears those given back.

No game waits for it. Without a pool (`warm` is 0) it only clears.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack

from engine.protocol import PlatformFault
from sandbox import limits
from sandbox.launcher import containers, docker_engine
from sandbox.launcher.containers import Container
from sandbox.launcher.docker_engine import Engine
from sandbox.refusal import IsolationUnavailable

logger = logging.getLogger(__name__)

TROUBLE = (PlatformFault, IsolationUnavailable)


class WarmPool:
    """Containers that wait for a bot, by runtime, and containers that wait to be cleared.

    `start(engine, runtime)` starts a waiting container; `reap(engine)` clears what others left.
    """

    def __init__(
        self,
        *,
        warm: int,
        start: Callable[[Engine, str], Container],
        reap: Callable[[Engine], int],
    ) -> None:
        self._warm = warm
        self._start = start
        self._reap = reap
        self._lock = threading.Lock()  # for the three collections; not held during external calls
        self._waiting: dict[str, deque[Container]] = {}
        self._used_s: dict[str, float] = {}  # the last request for a runtime
        self._given_back: deque[Container] = deque()
        self._woken = threading.Event()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._reaped_s = time.monotonic()

    def take(self, runtime: str, image: str) -> Container | None:
        """Return a waiting container of that runtime and image, or None."""
        with self._lock:
            waiting = self._waiting.get(runtime, deque())
            while waiting:
                container = waiting.popleft()
                if container.image == image and container.waits():
                    return container
                self._drop(container)
        return None

    def want(self, runtime: str) -> None:
        """Keep containers of a runtime waiting from now on, for a while."""
        with self._lock:
            self._waiting.setdefault(runtime, deque())
            self._used_s[runtime] = time.monotonic()
        self._wake()

    def waiting(self) -> int:
        """Return how many containers wait for a bot."""
        with self._lock:
            return sum(map(len, self._waiting.values()))

    def give_back(self, container: Container) -> None:
        """Queue a container whose life line was cut; its place is free once it is gone."""
        with self._lock:
            self._given_back.append(container)
        if self._closing.is_set():
            self._clear_the_rest()
        else:
            self._wake()

    def close(self) -> None:
        """Drop all waiting containers, and wait until everything given back is cleared."""
        self._closing.set()
        self._woken.set()
        if self._thread is not None:
            self._thread.join()
        with self._lock:
            for waiting in self._waiting.values():
                while waiting:
                    self._drop(waiting.popleft())
        self._clear_the_rest()

    def _wake(self) -> None:
        """Wake the keeper thread; start it on the first call."""
        with self._lock:
            if self._thread is None and not self._closing.is_set():
                self._thread = threading.Thread(target=self._keep, name="keeper", daemon=True)
                self._thread.start()
        self._woken.set()

    def _keep(self) -> None:
        while not self._closing.is_set():
            self._woken.wait(limits.REAP_EVERY_S)
            self._woken.clear()
            try:
                self._chores()
            except TROUBLE as why:
                logger.warning("the keeper tries again: %s", why)
                self._pause()
            except Exception:  # of any kind: only this thread refills, clears and reaps
                logger.exception("the keeper had an accident and tries again")
                self._pause()

    def _pause(self) -> None:
        self._closing.wait(limits.KEEPER_PAUSE_S)
        self._woken.set()

    def _chores(self) -> None:
        # Containers are dropped that have ended, or whose runtime was unused for a while.
        since_s = time.monotonic() - limits.WARM_S
        with self._lock:
            for runtime, waiting in self._waiting.items():
                for container in list(waiting):
                    if self._used_s[runtime] <= since_s or not container.waits():
                        waiting.remove(container)
                        self._drop(container)
        due = time.monotonic() - self._reaped_s >= limits.REAP_EVERY_S
        if not (due or self._given_back or self._lacking()):
            return
        with docker_engine.connected() as engine, ExitStack() as all_of_them:
            if due:
                self._reaped_s = time.monotonic()
                all_of_them.callback(self._reap, engine)
            all_of_them.callback(self._clear, engine)
            all_of_them.callback(self._refill, engine)  # runs first, because games wait for this

    def _refill(self, engine: Engine) -> None:
        while not self._closing.is_set() and (runtime := self._lacking()):
            container = self._start(engine, runtime)
            with self._lock:
                self._waiting[runtime].append(container)

    def _lacking(self) -> str | None:
        """Return a runtime in use that has too few waiting containers, or None."""
        since_s = time.monotonic() - limits.WARM_S
        with self._lock:
            for runtime, used_s in self._used_s.items():
                if used_s > since_s and len(self._waiting[runtime]) < self._warm:
                    return runtime
        return None

    def _drop(self, container: Container) -> None:
        container.drop()
        self._given_back.append(container)

    def _clear(self, engine: Engine) -> None:
        """Clear what was given back, each container in one thread only; keep failures for later.

        Raise the last failure after the other containers are cleared.
        """
        still_there: list[Container] = []
        failure: Exception | None = None
        while (container := self._next_given_back()) is not None:
            try:
                containers.clear(engine, container)
            except Exception as why:  # noqa: BLE001 - one failure must not stop the others
                still_there.append(container)
                failure = why
        with self._lock:
            self._given_back.extend(still_there)
        if failure is not None:
            raise failure

    def _next_given_back(self) -> Container | None:
        with self._lock:
            return self._given_back.popleft() if self._given_back else None

    def _clear_the_rest(self) -> None:
        """Clear at the end. A container that cannot be cleared keeps its slot until `reap`."""
        if not self._given_back:
            return
        try:
            with docker_engine.connected() as engine:
                self._clear(engine)
        except (*TROUBLE, OSError) as why:
            logger.warning("containers are left to be reaped: %s", why)
            while (container := self._next_given_back()) is not None:
                container.place.abandon()
