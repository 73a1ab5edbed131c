#!/usr/bin/env bash
# Writes .env with fresh secrets for compose.yaml, readable by its owner only; leaves an existing one alone.
set -eu
cd "$(dirname "$0")/.."
if [ -e .env ]; then
  echo "env: .env is there already and stays as it is"
  exit 0
fi
secret() { head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n'; }
socket=${DRAPEAU_DOCKER_SOCKET:-/var/run/docker.sock}
umask 077
{
  echo "DRAPEAU_SECRET_KEY=$(secret)"
  echo "DRAPEAU_DB_PASSWORD=$(secret)"
  echo "# The group that may use the Docker socket; only the launcher is in it."
  echo "DRAPEAU_DOCKER_GID=$(stat -c %g "$socket" 2>/dev/null || echo 999)"
  echo "# The names under which the site is reached."
  echo "DRAPEAU_ALLOWED_HOSTS=localhost,127.0.0.1"
} >.env
echo "env: wrote .env"
