"""The files of the images of bots, read into the memory of the host before bots run.

Under a runtime with its own kernel, containers cannot see which file is in the host's memory, but
the first reading of one that is not takes longer: a bit for each file from one bot to another,
once. After all files have been read, there is nothing left to see. Where the host runs short of
memory, it may drop files again.
"""

import logging
import time

from engine.protocol import PlatformFault
from sandbox.launcher import container_options, docker_engine
from sandbox.launcher.embedded import OWN_INODES, find_images
from sandbox.launcher.oci_runtime import has_own_kernel

READER = "runc"  # seven times as fast as gVisor, and the host keeps the same files in memory

logger = logging.getLogger(__name__)


def read_all(oci_runtime: str) -> list[str]:
    """Read all files that bots of any image can read; return the runtimes that were read.

    Do nothing where it changes nothing: under the host's kernel, and where each container has its
    own files. An image that cannot be read is logged, and bots run all the same. Raise
    `IsolationUnavailable` if the engine does not answer.
    """
    done: list[str] = []
    if not has_own_kernel(oci_runtime):
        return done
    with docker_engine.connected() as engine:
        if docker_engine.storage_driver(engine) in OWN_INODES:
            return done
        _, listed = docker_engine.oci_runtimes(engine)
        reader = READER if READER in listed else oci_runtime
        for runtime, image in find_images(engine).items():
            began_s = time.monotonic()
            try:
                docker_engine.run(engine, container_options.reader(image, reader))
            except PlatformFault as why:
                logger.warning(
                    "the files of the image of %s were not all read, so bots can tell those that"
                    " others have read from those that nobody has: %s",
                    runtime,
                    why,
                )
            else:
                took_s = time.monotonic() - began_s
                logger.info("the files of the image of %s were read in %.1f s", runtime, took_s)
                done.append(runtime)
    return done
