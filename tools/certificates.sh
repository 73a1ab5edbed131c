#!/usr/bin/env bash
# Writes an authority of its own and a certificate that it signed, for the names under which other hosts reach this one:
#   tools/certificates.sh server db.arena.example 10.0.0.5
# makes certificates/server.crt and server.key. The authority, certificates/ca.crt and ca.key, is made once.
set -eu
[ $# -ge 2 ] || { echo "certificates: give a name for the files and the names or addresses of the host" >&2; exit 1; }
folder=${DRAPEAU_CERTIFICATES:-$(dirname "$0")/../certificates}
mkdir -p "$folder"
cd "$folder"
file=$1
shift
if [ -e "$file.key" ]; then
  echo "certificates: $file.key is there already; move it and $file.crt away for a new one" >&2
  exit 1
fi
names=
for name in "$@"; do
  if [[ $name =~ ^[0-9.]+$|: ]]; then names=$names,IP:$name; else names=$names,DNS:$name; fi
done
umask 077
key=(-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes)
if [ ! -e ca.key ]; then
  openssl req -x509 "${key[@]}" -days 3650 -subj "/CN=Drapeau hosts" -keyout ca.key -out ca.crt \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign 2>/dev/null
fi
openssl req -x509 "${key[@]}" -days 825 -subj "/CN=$1" -keyout "$file.key" -out "$file.crt" -CA ca.crt -CAkey ca.key \
  -addext basicConstraints=critical,CA:FALSE -addext "subjectAltName=${names#,}" 2>/dev/null
chmod 644 ca.crt "$file.crt"
echo "certificates: wrote $file.crt and $file.key for $*; keep ca.key away from other hosts, and give them ca.crt"
