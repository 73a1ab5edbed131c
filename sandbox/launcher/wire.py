"""The messages between a client and the launcher service: one each way per connection.

A message is one datagram of JSON. The files of an order come beside it in a sealed memory file, one
after another; the started container comes back as descriptors. Nothing a client sends is trusted:
this module checks its form, and `sandbox.launcher.container_options` its content.
"""

import errno
import fcntl
import json
import os
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from sandbox import limits
from sandbox.launcher.order import Order, Purpose

SEALS = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE
# stdin, stdout, stderr, the control socket, the locks of the slot and of its range of user ids
HANDED_OVER = 6
HANDED_OVER_MAX = HANDED_OVER + 3  # and the counters, if there are any
KEYS = {"ask", "purpose", "language", "entry", "files"}
MEMORY_KEYS = {"ask", "container"}
CONTAINER_ID = re.compile(r"[0-9a-f]{64}")


class BadRequest(Exception):
    """A message that no valid client sends."""


@dataclass(frozen=True, slots=True)
class Images:
    """The request for the ids of the existing images."""


@dataclass(frozen=True, slots=True)
class Memory:
    """The question whether memory ran out in a container that has ended."""

    container: str  # its id


@dataclass(frozen=True, slots=True)
class Figures:
    """The request for the figures of the service.

    `running` containers have a bot, `waiting` ones wait for one. `started`, `failed` and `refused`
    count since the service started: containers that were handed over, those that could not be
    started, and requests or callers that were turned away.
    """


Request = Images | Memory | Figures | Order


@dataclass(frozen=True, slots=True)
class Reply:
    """The service's reply: images, descriptors, an answer, or the reason of a refusal."""

    word: Literal["images", "launched", "yes", "no", "figures", "fault", "unavailable"]
    images: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""
    container: str = ""  # the id of the launched container
    own_image_files: bool = False  # with images: no two containers share files of an image
    oci_runtime: str = ""  # with images, and with a launched container
    figures: Mapping[str, int] = field(default_factory=dict)
    descriptors: tuple[int, ...] = ()


def send_request(connection: socket.socket, request: Request) -> None:
    """Send a question or an order. Raise OSError."""
    if isinstance(request, Images):
        connection.send(json.dumps({"ask": "images"}).encode())
        return
    if isinstance(request, Figures):
        connection.send(json.dumps({"ask": "figures"}).encode())
        return
    if isinstance(request, Memory):
        connection.send(json.dumps({"ask": "memory", "container": request.container}).encode())
        return
    message = {
        "ask": "launch",
        "purpose": request.purpose,
        "language": request.language,
        "entry": request.entry,
        "files": [[path, len(content)] for path, content in request.files.items()],
    }
    # A memory file that is sealed against any change.
    contents = os.memfd_create("order", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    with open(contents, "wb", closefd=False) as out:
        out.writelines(request.files.values())
    fcntl.fcntl(contents, fcntl.F_ADD_SEALS, SEALS)
    try:
        socket.send_fds(connection, [json.dumps(message, ensure_ascii=False).encode()], [contents])
    finally:
        os.close(contents)


def receive_request(connection: socket.socket) -> Request | None:
    """Receive a request; None if the other side hung up. Raise `BadRequest` or OSError."""
    flags = socket.MSG_CMSG_CLOEXEC
    message, descriptors, received_flags, _ = socket.recv_fds(
        connection, limits.LAUNCHER_REQUEST_BYTES, 1, flags
    )
    try:
        if not message:
            return None
        if received_flags & (socket.MSG_TRUNC | socket.MSG_CTRUNC):
            raise BadRequest("a request is too long, or brings more than one file")
        return _read_request(message, descriptors)
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def send_reply(connection: socket.socket, reply: Reply) -> None:
    """Send a reply with copies of its descriptors. Raise OSError."""
    words: dict[str, object] = {
        "word": reply.word,
        "images": dict(reply.images),
        "reason": reply.reason[: limits.LAUNCHER_REASON_CHARS],
        "container": reply.container,
        "own_image_files": reply.own_image_files,
        "oci_runtime": reply.oci_runtime,
    }
    if reply.figures:  # only a client that asks for them knows the word
        words["figures"] = dict(reply.figures)
    socket.send_fds(connection, [json.dumps(words).encode()], list(reply.descriptors))


def receive_reply(connection: socket.socket) -> Reply:
    """Receive a reply and own its descriptors. On errors, raise OSError and keep no descriptor."""
    flags = socket.MSG_CMSG_CLOEXEC
    message, descriptors, received_flags, _ = socket.recv_fds(
        connection, limits.LAUNCHER_REPLY_BYTES, HANDED_OVER_MAX, flags
    )
    try:
        return _read_reply(message, received_flags, descriptors)
    except OSError:
        for descriptor in descriptors:
            os.close(descriptor)
        raise


def _read_reply(message: bytes, received_flags: int, descriptors: list[int]) -> Reply:
    """Parse the reply of a launcher, whose version may be older or newer than the client's."""
    if not message:
        raise ConnectionResetError("it hung up")
    if received_flags & socket.MSG_CTRUNC:
        raise OSError(errno.EMFILE, "this process can open no more files")
    try:
        reply = Reply(**json.loads(message), descriptors=tuple(descriptors))
    except (ValueError, TypeError) as error:
        raise OSError(errno.EPROTO, "its answer is not understood") from error
    wanted = (HANDED_OVER, HANDED_OVER_MAX) if reply.word == "launched" else (0,)
    if len(descriptors) not in wanted:
        raise OSError(errno.EPROTO, f"its answer brings {len(descriptors)} files")
    return reply


def _read_request(message: bytes, descriptors: list[int]) -> Request:
    try:
        asked: Any = json.loads(message)
    except (ValueError, RecursionError) as error:
        raise BadRequest("a request is not JSON") from error
    if not isinstance(asked, dict):
        raise BadRequest("a request is no object")
    if asked == {"ask": "images"} and not descriptors:
        return Images()
    if asked == {"ask": "figures"} and not descriptors:
        return Figures()
    if set(asked) == MEMORY_KEYS and asked["ask"] == "memory" and not descriptors:
        container = asked["container"]
        if not (isinstance(container, str) and CONTAINER_ID.fullmatch(container)):
            raise BadRequest("a container is named by its whole id")
        return Memory(container)
    if set(asked) != KEYS or asked["ask"] != "launch":
        raise BadRequest("a request asks for nothing that there is")
    words = [asked["purpose"], asked["language"], asked["entry"]]
    if not all(isinstance(word, str) for word in words):
        raise BadRequest("purpose, language and entry of an order must be text")
    sizes = _sizes(asked["files"])
    purpose, language, entry = words
    contents = _contents(sizes, descriptors)
    return Order(language, entry, contents, cast("Purpose", purpose))


def _sizes(listed: object) -> dict[str, int]:
    if not isinstance(listed, list) or not 1 <= len(listed) <= limits.ENTRIES_MAX + 1:
        raise BadRequest("an order has no files or too many")
    sizes: dict[str, int] = {}
    for item in listed:
        match item:
            case [str(path), int(size)] if type(size) is int and size >= 0 and path not in sizes:
                sizes[path] = size
            case _:
                raise BadRequest("a file of an order must be a new path and a size")
    if sum(sizes.values()) > limits.ORDER_MAX_BYTES:
        raise BadRequest(f"an order has more than {limits.ORDER_MAX_BYTES} bytes")
    return sizes


def _contents(sizes: Mapping[str, int], descriptors: list[int]) -> dict[str, bytes]:
    """Read the files from the memory file; its seal ensures that no read blocks or falls short."""
    if len(descriptors) != 1:
        raise BadRequest("an order brings no file with its contents")
    try:
        sealed = fcntl.fcntl(descriptors[0], fcntl.F_GET_SEALS) & SEALS == SEALS
    except OSError:
        sealed = False
    if not sealed:
        raise BadRequest("the contents of an order are not in a sealed memory file")
    if os.fstat(descriptors[0]).st_size != sum(sizes.values()):
        raise BadRequest("the contents of an order do not have the size it says")
    files: dict[str, bytes] = {}
    offset = 0
    for path, size in sizes.items():
        files[path] = os.pread(descriptors[0], size, offset)
        offset += size
    return files
