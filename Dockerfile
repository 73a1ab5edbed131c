# The image of every service of ours in compose.yaml: web, worker, beat, runner, launcher, migrate.
# It needs nothing but a writable /data, runs as uid 1000 and with a read-only root.
ARG BASE=python:3.11-slim-bookworm

FROM ${BASE} AS build
ENV PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python3 -m venv /opt/venv
COPY requirements/run.lock /opt/
RUN /opt/venv/bin/pip install --no-cache-dir --require-hashes -r /opt/run.lock
WORKDIR /srv/drapeau
COPY . .
RUN /opt/venv/bin/python -m arena.wheels wheels \
 && python3 -m compileall -q . \
 && DRAPEAU_DATA_DIR=/tmp/data DRAPEAU_STATIC_COLLECTED=1 DRAPEAU_STATIC_ROOT=/srv/drapeau/static \
    /opt/venv/bin/python manage.py collectstatic --no-input --verbosity 0 \
 && chmod -R u=rwX,go=rX .

FROM ${BASE}
ARG COMMIT=
RUN groupadd --gid 1000 drapeau && useradd --uid 1000 --gid 1000 --no-create-home --home-dir /data drapeau \
 && install -d -o drapeau -g drapeau -m 700 /data /keys /run/drapeau
COPY --from=build /opt/venv /opt/venv
COPY --from=build /srv/drapeau /srv/drapeau
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    DRAPEAU_COMMIT=${COMMIT} \
    DRAPEAU_DATA_DIR=/data \
    DRAPEAU_LOG_FORMAT=json \
    DRAPEAU_STATIC_COLLECTED=1 \
    DRAPEAU_STATIC_ROOT=/srv/drapeau/static \
    DRAPEAU_WHEELS_DIR=/srv/drapeau/wheels
WORKDIR /srv/drapeau
USER drapeau
VOLUME /data
EXPOSE 8000
CMD ["python", "-m", "arena.server", "--host", "0.0.0.0", "--port", "8000"]
