"""Compile a bot in a real container, and see that nothing of it is left."""

import subprocess

import pytest

from botkit import languages
from sandbox.compiling import build
from sandbox.levels.isolation import choose
from sandbox.refusal import BuildFailed
from sandbox.uploads.unpacking import unpack
from tests.sandbox import zips


def row(name):
    """Return a language that is known."""
    found = languages.find(name)
    assert found is not None
    return found


def single(language, source):
    """Make a bot of one file."""
    return unpack(source, row(language).entry)


def several(language, files):
    """Make a bot of several files."""
    manifest = f'[bot]\nname = "Tester"\nlanguage = "{language}"\n'.encode()
    return unpack(zips.zipped([("drapeau.toml", manifest), *files.items()]), "bot.zip")


def compiled(package, folder, **more):
    """Build a bot in containers whose folders are in this one."""
    try:
        return build(package, isolation=choose("docker"), work_dir=folder, **more)
    finally:
        assert left_in(folder) == []


def refusal(package, folder, **more):
    """Return what a build that fails is refused with."""
    with pytest.raises(BuildFailed) as caught:
        compiled(package, folder, **more)
    return caught.value


def left_in(folder):
    """List containers and folders of bots that are still there."""
    folders = [each.name for each in folder.glob("bot-*")]
    command = ["docker", "ps", "-aq", "--filter", f"label=arena.run={folder}"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return folders + done.stdout.split()


def printed_in(image, script):
    """Run a script as root in an image, as it never is when bots run; give the lines it printed."""
    command = ["docker", "run", "--rm", "--network", "none", image, "/bin/sh", "-c", script]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
