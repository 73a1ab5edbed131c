"""Build the images in which bots run, with or without an image registry.

The base image is the one that the registry serves under its tag, or else a small Debian system that
debootstrap fetches from the mirror that apt on this machine uses.
"""

import os
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from sandbox.images.recipe import INIT, context, init_tag, runtime_image
from sandbox.launcher import docker_engine
from sandbox.refusal import IsolationUnavailable

APT_SETTINGS = (
    "Acquire::Check-Valid-Until",
    "Acquire::Check-Date",
    "Acquire::http::Proxy",
    "Acquire::https::Proxy",
)
PROXIES = ("http_proxy", "https_proxy", "no_proxy")
UNNEEDED = (
    "usr/share/doc",
    "usr/share/man",
    "usr/share/locale",
    "var/cache/apt",
    "var/lib/apt/lists",
)
Say = Callable[[str], None]


def build_base(*, tag: str, cache: Path, say: Say) -> None:
    """Ensure that the engine has an image under `tag`: existing, pulled, or made by debootstrap.

    Raise `IsolationUnavailable` if none of these is possible.
    """
    with docker_engine.connected() as engine:
        if docker_engine.image_id(engine, tag) is not None:
            say(f"base image {tag}: already here")
            return
        if docker_engine.pulled(engine, tag):
            say(f"base image {tag}: pulled from its registry")
            return
        say(f"base image {tag}: no registry answers, making it with debootstrap")
        archive = debootstrapped(suite=suite_of(tag), cache=cache, say=say)
        docker_engine.import_image(engine, archive, tag)
        say(f"base image {tag}: imported from {archive}")


def build_runtimes(runtimes: Iterable[str], *, base: str, say: Say) -> None:
    """Build the images of some runtimes in parallel, after that of arena-init.

    Raise `IsolationUnavailable` with the engine's message.
    """
    arguments = {"BASE": base} | {name: os.environ[name] for name in PROXIES if name in os.environ}
    init = init_tag()
    _build(INIT, init, arguments, say)
    with ThreadPoolExecutor() as builders:
        builds = [
            builders.submit(
                _build, runtime, runtime_image(runtime), arguments | {"INIT": init}, say
            )
            for runtime in runtimes
        ]
    for build in builds:
        build.result()


def _build(image: str, tag: str, arguments: Mapping[str, str], say: Say) -> None:
    with docker_engine.connected() as engine:
        for line in docker_engine.build(engine, context(image), tag, arguments):
            say(f"{image}: {line}")


def suite_of(tag: str) -> str:
    """Return the Debian release in a tag such as `debian:bookworm-slim`."""
    name, _, version = tag.partition(":")
    if name != "debian" or not version:
        raise IsolationUnavailable(
            f"only an image called debian:<release> can be made here, not {tag}"
        )
    return version.removesuffix("-slim")


def debootstrapped(*, suite: str, cache: Path, say: Say) -> Path:
    """Return a tar archive of a small Debian system, from `cache` if possible. Needs root."""
    archive = cache / f"base-{suite}.tar"
    if archive.exists():
        say(f"using {archive}")
        return archive
    if os.geteuid() != 0:
        raise IsolationUnavailable("making a base image with debootstrap needs root")
    if shutil.which("debootstrap") is None:
        raise IsolationUnavailable("no debootstrap here: apt-get install debootstrap")
    sources = apt_sources(suite)
    cache.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=cache, prefix="root-") as folder:
        root = Path(folder) / "root"
        root.mkdir(mode=0o755)
        command = ["debootstrap", "--variant=minbase", suite, str(root), sources[0][0]]
        done = subprocess.run(  # noqa: S603 - a fixed program
            command, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            last = "; ".join(done.stdout.strip().splitlines()[-3:])
            raise IsolationUnavailable(f"debootstrap failed: {last}")
        # Configure apt in the image as on this machine, and delete unneeded files.
        lines = [f"deb {address} {release} main\n" for address, release in sources]
        (root / "etc/apt/sources.list").write_text("".join(lines))
        settings = [
            f"{line}\n"
            for line in _output("apt-config", "dump").splitlines()
            if line.startswith(APT_SETTINGS)
        ]
        (root / "etc/apt/apt.conf.d/90as-on-the-host").write_text("".join(settings))
        for unneeded in UNNEEDED:
            for path in (root / unneeded).glob("*"):
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path)
                else:
                    path.unlink()
        partial = archive.with_suffix(".partial")
        with tarfile.open(partial, "w") as packed:
            packed.add(root, ".")
        partial.rename(archive)
    return archive


def apt_sources(suite: str) -> list[tuple[str, str]]:
    """Return (URL, release) of apt's sources here for a Debian release, its updates and fixes."""
    listed = _output("apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)")
    sources: list[tuple[str, str]] = []
    for line in listed.splitlines():
        address, release, component = line.split()
        wanted = release == suite or release.startswith(f"{suite}-")
        if wanted and component == "main" and (address, release) not in sources:
            sources.append((address, release))
    sources.sort(key=lambda source: source[1] != suite)
    if not sources or sources[0][1] != suite:
        raise IsolationUnavailable(f"apt on this machine knows no mirror of {suite}")
    return sources


def _output(*command: str) -> str:
    return subprocess.run(  # noqa: S603 - fixed programs of apt
        command, capture_output=True, text=True, check=True
    ).stdout
