"""Containers that break one guarantee: an altered option, or a first process that forgets one."""

import io
import os
import shutil
import subprocess
import tarfile
from functools import lru_cache
from pathlib import Path
from tempfile import mkdtemp

from sandbox.doctor.probes.calls import class_of
from sandbox.images.recipe import SANDBOX, runtime_image
from sandbox.launcher import container_options, docker_engine
from sandbox.levels.filter import ROW

UNFILTERED = ["no-new-privileges:true", "seccomp=unconfined"]  # without the engine's own profile
CROWD = (
    "for (int i = 0; i < 12; i++) if (fork() == 0) for (;;) pause();\n    prctl(PR_SET_DUMPABLE, 0"
)
READABLE = ("    prctl(PR_SET_DUMPABLE, 0", "    prctl(PR_SET_DUMPABLE, 1")
FOLDERS: list[Path] = []
IMAGES: list[str] = []
EDITS = {
    "no filter": ("filter.c", "    /* Without this", "    return 0; /* Without this"),
    "foreign calls": ("filter.c", "RETURN(SECCOMP_RET_KILL_PROCESS)", "RETURN(SECCOMP_RET_ALLOW)"),
    "new calls": ("filter.h", "#define NEWEST_CALL 450", "#define NEWEST_CALL 100000"),
    "readable": ("arena_init.c", *READABLE),
    "keeps streams": ("arena_init.c", *READABLE, "close(each)", "continue"),
    "has a secret": ("arena_init.c", *READABLE, "setsid();", 'setsid(); unsetenv("LANG");'),
    "hears signals": (
        *("arena_init.c", "if (refuse_calls() < 0)"),
        "signal(SIGTERM, (void (*)(int))_exit); if (0)",
    ),
    "crowded": ("arena_init.c", "prctl(PR_SET_DUMPABLE, 0", CROWD),
    "leaks one": ("arena_init.c", "SFD_CLOEXEC | SFD_NONBLOCK", "SFD_NONBLOCK"),
    "starts nothing": ("arena_init.c", "execv(order->arguments[0]", 'execv("/nowhere"'),
    "nobody first": ("arena_init.c", '#define FIRST_TO_GO "1000"', '#define FIRST_TO_GO "0"'),
    "hears no hang-up": (
        "arena_init.c",
        "if (watched[0].revents && recv",
        "if (watched[0].revents > 255 && recv",
    ),
}


def altering(monkeypatch):
    """Return a function that makes a change to every container from now on."""
    whole = container_options.container

    def with_change(change):
        def changed(*arguments, **options):
            given = whole(*arguments, **options)
            change(given)
            return given

        monkeypatch.setattr(container_options, "container", changed)

    return with_change


@lru_cache
def arena_init(edit):
    """Compile arena-init with one edit, or without the rows of some classes of system calls."""
    folder = Path(mkdtemp(prefix="doctored-"))
    FOLDERS.append(folder)
    for path in (SANDBOX / "arena_init").glob("*.[ch]"):
        (folder / path.name).write_text(path.read_text())
    if edit not in EDITS:
        _drop_rows(folder / "denied.h", edit)
    else:
        name, *changes = EDITS[edit]
        text = (folder / name).read_text()
        for old, new in zip(changes[::2], changes[1::2], strict=True):
            assert old in text, f"{name} has changed: {old}"
            text = text.replace(old, new)
        (folder / name).write_text(text)
    sources = [str(folder / "arena_init.c"), str(folder / "filter.c")]
    command = ["gcc", "-std=gnu17", "-w", "-static", "-o", str(folder / "arena-init"), *sources]
    subprocess.run(command, check=True)
    return folder / "arena-init"


@lru_cache
def image(*lines):
    """Build an image on top of that of Python bots, give its id."""
    dockerfile = "\n".join([f"FROM {runtime_image('python')}", *lines]).encode()
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        entry = tarfile.TarInfo("Dockerfile")
        entry.size = len(dockerfile)
        archive.addfile(entry, io.BytesIO(dockerfile))
    tag = f"drapeau-doctored:{os.getpid()}-{len(IMAGES)}"  # others run beside us
    with docker_engine.connected() as engine:
        for _ in docker_engine.build(engine, buffer.getvalue(), tag, {}):
            pass
        IMAGES.append(tag)
        return docker_engine.image_id(engine, tag)


def clear():
    """Remove everything that was made here."""
    arena_init.cache_clear()
    image.cache_clear()
    while FOLDERS:
        shutil.rmtree(FOLDERS.pop())
    while IMAGES:
        with docker_engine.connected() as engine:
            engine.remove_image(IMAGES.pop())


def host(**options):
    """Alter options of the host config; a function gets what was there."""

    def alter(body):
        config = body["HostConfig"]
        for name, value in options.items():
            config[name] = value(config.get(name)) if callable(value) else value

    return alter


def ulimit(name, value):
    """Alter one resource limit."""

    def altered(limits):
        others = [each for each in limits if each["Name"] != name]
        return [*others, {"Name": name, "Soft": value, "Hard": value}]

    return host(Ulimits=altered)


def unmasked(path):
    """Show one thing of the host that is hidden."""
    return host(MaskedPaths=lambda paths: [each for each in paths if each != path])


def scratch(option, instead=""):
    """Take an option of the scratch folder away."""

    def altered(tmpfs):
        words = tmpfs["/tmp"].split(",")
        assert any(word.startswith(option) for word in words)
        kept = [word for word in words if not word.startswith(option)]
        return {"/tmp": ",".join([*kept, *([instead] if instead else [])])}

    return host(Tmpfs=altered)


def mount(source, target):
    """Mount one thing more."""
    more = {"Type": "bind", "Target": target, "Source": str(source), "ReadOnly": True}
    return host(Mounts=lambda mounts: [*mounts, more])


def init(edit, **options):
    """Put a doctored arena-init in the place of the one of the image."""

    def alter(body):
        mount(arena_init(edit), "/arena-init")(body)
        host(**options)(body)

    return alter


def body(**options):
    """Alter what lies outside the host config."""

    def alter(given):
        given.update(options)

    return alter


def both(*changes):
    """Make several changes that only together break one guarantee."""

    def alter(given):
        for change in changes:
            change(given)

    return alter


def _drop_rows(path, classes):
    """Take all rows of some classes away."""

    def kept(line):
        found = ROW.match(line)
        return not found or class_of(found[2], found[3].split(", ")) not in classes

    path.write_text("\n".join(filter(kept, path.read_text().splitlines())) + "\n")
