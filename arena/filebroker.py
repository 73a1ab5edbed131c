"""A file broker that creates each message atomically.

kombu opens a message under its final name before it writes, so a worker may take an empty file and
crash. Here a message is written under another name and then renamed.
"""

import uuid
from pathlib import Path
from time import monotonic
from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import filesystem
from kombu.utils.json import dumps

SUFFIX = ".part"  # workers ignore it


class FileChannel(filesystem.Channel):
    """kombu's channel with atomic messages."""

    def _put(  # type: ignore[override] # kombu's own two differ in their names
        self,
        queue: str,
        payload: object,
        **_: Any,  # noqa: ANN401 - as kombu has it
    ) -> None:
        """Put a message into a queue. Raise ChannelError if it cannot be written."""
        folder = Path(self.data_folder_out)
        own = uuid.uuid4()
        path = folder / f"{round(monotonic() * 1000)}_{own}.{queue}.msg"
        part = folder / f"{own}{SUFFIX}"
        try:
            part.write_text(dumps(payload), encoding="utf-8")  # type: ignore[no-untyped-call] # kombu
            part.rename(path)
        except OSError as exc:
            part.unlink(missing_ok=True)  # a full disk shall keep nothing half-written
            raise ChannelError(f"Cannot add file {path} to its folder") from exc


class Transport(filesystem.Transport):
    """kombu's transport `filesystem://` with `FileChannel`."""

    Channel = FileChannel
