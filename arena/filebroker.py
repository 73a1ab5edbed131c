"""Messages in files, each there whole or not at all.

kombu opens a message under the name by which it is found and writes it then: a worker that looks in
between takes an empty file, and dies of it. Here it is written beside and renamed.
"""

import uuid
from pathlib import Path
from time import monotonic
from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import filesystem
from kombu.utils.json import dumps

SUFFIX = ".part"  # nobody looks for a message by it


class FileChannel(filesystem.Channel):
    """kombu's channel, but for how a message is put down."""

    def _put(  # type: ignore[override] # kombu's own two differ in their names
        self,
        queue: str,
        payload: object,
        **_: Any,  # noqa: ANN401 - as kombu has it
    ) -> None:
        """Put a message into a queue. Raise ChannelError where the folder does not take it."""
        folder = Path(self.data_folder_out)
        own = uuid.uuid4()
        path = folder / f"{round(monotonic() * 1000)}_{own}.{queue}.msg"
        part = folder / f"{own}{SUFFIX}"
        try:
            part.write_text(dumps(payload), encoding="utf-8")  # type: ignore[no-untyped-call] # kombu
            part.rename(path)
        except OSError as exc:
            said = f"Cannot add file {path} to its folder"
            raise ChannelError(said) from exc


class Transport(filesystem.Transport):
    """kombu's transport `filesystem://` with these channels."""

    Channel = FileChannel
