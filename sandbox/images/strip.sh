#!/bin/sh
# The last step of every runtime image: mount points, and nothing that could make a bot anyone else.
# No setuid file may be left, and no package tools: dpkg and apt go last, since nothing can be
# installed or removed after them.
set -eu
mkdir -p /bot /arena
find / -xdev -perm /6000 -type f -exec chmod a-s {} +
rm -rf /var/lib/apt /var/lib/dpkg /var/cache /var/log \
       /etc/apt /usr/lib/apt /usr/bin/apt* /usr/bin/dpkg* \
       /usr/bin/perl* /usr/lib/*/perl-base /usr/share/perl* \
       /usr/share/doc /usr/share/man /usr/share/locale \
       "$0"
