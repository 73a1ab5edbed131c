"""What the Docker engine says about containers, asked past our own launcher."""

from pathlib import Path
from typing import Any

import docker
from docker.errors import NotFound


def engine() -> docker.APIClient:
    """Reach the engine that DOCKER_HOST names."""
    return docker.from_env().api


def containers(run_dir: Path) -> list[str]:
    """Return the ids of all containers, running or not, that have a run directory mounted."""
    api = engine()
    try:
        found = _listed(api)
        return [each["Id"] for each in found if _mounts(each, run_dir) and _is_there(api, each)]
    finally:
        api.close()


def _listed(api: docker.APIClient) -> list[dict[str, Any]]:
    try:
        return list(api.containers(all=True))
    except NotFound:  # one vanished while they were listed
        return list(api.containers(all=True))


def _is_there(api: docker.APIClient, listed: dict[str, Any]) -> bool:
    """Ask for one by its id: an engine that was killed may list as dead what it has removed."""
    try:
        api.inspect_container(listed["Id"])
    except NotFound:
        return False
    return True


def _mounts(container, run_dir: Path) -> bool:
    sources = [mount.get("Source", "") for mount in container["Mounts"]]
    return any(Path(source).is_relative_to(run_dir) for source in sources)
