"""What is left under /proc and /sys for a bot to read does not tell what others do."""

import json

import pytest

from tests.sandbox.tables import answered_by

ITS_OWN = ("self", "thread-self", "net")  # of its processes and its network, which has nobody else
LEFT_MOST = 60
# The JVM reads it. It counts control groups, which no bot can make.
CHANGES = {"/proc/cgroups"}
READER = f"""
import json, os, sys, time
def files():
    for top in ("/proc", "/sys"):
        for folder, folders, names in os.walk(top):
            if folder == "/proc":
                kept = [each for each in folders if not each.isdigit()]
                folders[:] = [each for each in kept if each not in {ITS_OWN}]
            if folder == "/sys/fs/cgroup":
                folders.clear()
                continue
            yield from (os.path.join(folder, each) for each in names)
def read():
    found = {{}}
    for path in files():
        try:
            with open(path, "rb") as file:
                found[path] = file.read(1 << 20)
        except OSError:
            pass
    return found
def make_work():
    until = time.process_time() + 0.2
    while time.process_time() < until:
        for end in os.pipe():
            os.close(end)
        with open("/tmp/file", "wb") as file:
            file.write(bytes(1 << 16))
        os.unlink("/tmp/file")
for line in sys.stdin:
    before = read()
    make_work()
    after = read()
    changed = [path for path in before if before[path] != after.get(path)]
    told = {{"with content": sum(map(bool, before.values())), "changed": changed}}
    print(json.dumps(told), flush=True)
""".encode()


@pytest.mark.parametrize(
    "level",
    [
        pytest.param("docker", marks=pytest.mark.docker),
        pytest.param("bubblewrap", marks=pytest.mark.services),
    ],
)
def test_no_readable_file_changes_with_host_activity(level, tmp_path):
    told = json.loads(answered_by(READER, level, tmp_path))
    assert set(told["changed"]) <= CHANGES
    assert 0 < told["with content"] <= LEFT_MOST
