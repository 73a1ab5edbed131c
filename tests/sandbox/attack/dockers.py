"""What the Docker engine says about containers, asked past our own launcher."""

from pathlib import Path

import docker
from docker.errors import NotFound


def engine() -> docker.APIClient:
    """Reach the engine that DOCKER_HOST names."""
    return docker.from_env().api


def containers(run_dir: Path) -> list[str]:
    """Give the ids of all containers, running or not, that have a run directory mounted."""
    api = engine()
    try:
        found = api.containers(all=True)
    except NotFound:  # one vanished while they were listed
        found = api.containers(all=True)
    finally:
        api.close()
    return [each["Id"] for each in found if _mounts(each, run_dir)]


def _mounts(container, run_dir: Path) -> bool:
    sources = [mount.get("Source", "") for mount in container["Mounts"]]
    return any(Path(source).is_relative_to(run_dir) for source in sources)
