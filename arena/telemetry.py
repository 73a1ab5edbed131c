"""Traces and errors for an OpenTelemetry collector, where `DRAPEAU_OTLP_URL` names one.

Without the setting nothing of OpenTelemetry is loaded. Each process starts this once, before it
serves: a web server before its handlers exist, and each process of a worker after its fork.
"""

from typing import Any

from celery.signals import worker_process_init, worker_process_shutdown
from django.conf import settings

from arena import release


def start_if_wanted(*, service: str) -> None:
    """Send the traces of this process, if the setting names a collector. Raise SystemExit."""
    if not settings.OTLP_URL:
        return
    try:
        from opentelemetry import trace  # noqa: PLC0415 - only where it is wanted
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415 - the same
            OTLPSpanExporter,
        )
        from opentelemetry.instrumentation.celery import CeleryInstrumentor  # noqa: PLC0415 - the same
        from opentelemetry.instrumentation.django import DjangoInstrumentor  # noqa: PLC0415 - the same
        from opentelemetry.instrumentation.psycopg import (  # noqa: PLC0415 - the same
            PsycopgInstrumentor,
        )
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - the same
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415 - the same
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 - the same

        about = {
            "service.namespace": "drapeau",
            "service.name": service,
            "service.version": release.version(),
        }
        provider = TracerProvider(resource=Resource.create(about))
        exporter = OTLPSpanExporter(endpoint=f"{settings.OTLP_URL.rstrip('/')}/v1/traces")
        provider.add_span_processor(BatchSpanProcessor(exporter))
        trace.set_tracer_provider(provider)
        kinds: tuple[Any, ...] = (DjangoInstrumentor, CeleryInstrumentor, PsycopgInstrumentor)
        for kind in kinds:
            kind().instrument()
    except ImportError as why:
        raise SystemExit(
            f"DRAPEAU_OTLP_URL is set, but OpenTelemetry is not installed ({why}). Install the "
            'extra: pip install "drapeau-server[telemetry]". Or leave the variable empty.'
        ) from why
    worker_process_shutdown.connect(lambda **_: provider.shutdown(), weak=False)


@worker_process_init.connect  # type: ignore[untyped-decorator] # celery has no types
def _start_in_worker(**_: object) -> None:
    start_if_wanted(service="worker")
