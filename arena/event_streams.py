"""Streams of events."""

from django.http import StreamingHttpResponse

WITHOUT_TAILER_MS = 30_000  # until a browser asks again, where another web server runs


class EventStream(StreamingHttpResponse):
    """A stream of events, which `arena.server` sends: the checks are done, the events come later.

    `after` is the id of the last event that the client has.
    """

    def __init__(self, *, topic: str, after: str) -> None:
        super().__init__(
            [f"retry: {WITHOUT_TAILER_MS}\n\n".encode()],
            content_type="text/event-stream",
            headers={"Cache-Control": "private, no-store", "X-Accel-Buffering": "no"},
        )
        self.topic, self.after = topic, after
