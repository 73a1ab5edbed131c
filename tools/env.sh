#!/usr/bin/env bash
# Writes .env with fresh secrets for compose.yaml. To an existing .env it adds the secrets that are missing, as after an
# upgrade, and changes nothing else in it. Either is readable by its owner only from then on.
set -eu
cd "$(dirname "$0")/.."
umask 077
secret() { head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n'; }
added=""
if [ ! -e .env ]; then
  socket=${DRAPEAU_DOCKER_SOCKET:-/var/run/docker.sock}
  {
    echo "# The group that may use the Docker socket; only the launcher is in it."
    echo "DRAPEAU_DOCKER_GID=$(stat -c %g "$socket" 2>/dev/null || echo 999)"
    echo "# The names under which the site is reached."
    echo "DRAPEAU_ALLOWED_HOSTS=localhost,127.0.0.1"
  } >.env
fi
chmod 600 .env
for name in DRAPEAU_SECRET_KEY DRAPEAU_DB_PASSWORD DRAPEAU_RUNNER_DB_PASSWORD DRAPEAU_BROKER_WEB_PASSWORD \
  DRAPEAU_BROKER_WORKER_PASSWORD DRAPEAU_BROKER_BEAT_PASSWORD DRAPEAU_BROKER_RUNNER_PASSWORD; do
  grep -q "^$name=" .env && continue
  echo "$name=$(secret)" >>.env
  added="$added $name"
done
if [ -n "$added" ]; then echo "env: wrote to .env:$added"; else echo "env: .env has every secret and stays as it is"; fi
