"""The images in which bots run."""

import io
import shutil
import tarfile

import pytest

from sandbox.__main__ import main
from sandbox.images import build
from sandbox.launcher import docker_engine
from sandbox.refusal import IsolationUnavailable

BASE = build.DEFAULT_BASE


def test_build_context_holds_the_sdk_and_nothing_else_of_ours():
    with tarfile.open(fileobj=io.BytesIO(build.context())) as archive:
        names = archive.getnames()
    assert {name.partition("/")[0] for name in names} == {"Dockerfile", "arena_init.c", "botkit"}
    assert not [name for name in names if "__pycache__" in name]


def test_same_sources_give_the_same_build_context():
    assert build.context() == build.context()


def test_release_is_read_out_of_the_tag():
    assert build.suite_of("debian:bookworm-slim") == "bookworm"
    assert build.suite_of("debian:bookworm") == "bookworm"


@pytest.mark.parametrize("tag", ["python:3.11-slim-bookworm", "debian"])
def test_base_that_debootstrap_cannot_make_is_refused(tag):
    with pytest.raises(IsolationUnavailable, match="only an image called debian"):
        build.suite_of(tag)


@pytest.mark.docker
def test_base_that_is_there_is_left_alone(capsys, tmp_path):
    assert main(["build-base", "--cache", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"base image {BASE}: already here\n"


@pytest.mark.docker
def test_failed_build_says_what_failed(capsys):
    assert main(["build-image", "--tag", "never:made", "--base", "no-such-image:1"]) == 1
    assert "the build of never:made failed" in capsys.readouterr().err
    with docker_engine.connected() as engine:
        assert docker_engine.image_id(engine, "never:made") is None


def test_the_image_is_named_after_what_it_is_made_of(monkeypatch, tmp_path):
    name = build.runtime_tag()
    source = tmp_path / "arena_init" / "arena_init.c"
    shutil.copytree(build.SANDBOX, tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr(build, "SANDBOX", tmp_path)
    build.runtime_tag.cache_clear()

    same = build.runtime_tag()
    source.write_text(source.read_text() + "\n")
    build.runtime_tag.cache_clear()
    other = build.runtime_tag()
    build.runtime_tag.cache_clear()

    assert same == name
    assert other != name
