# verdict: plays | kept in
# contained by: read-only /proc and /sys
# levels: docker, bubblewrap
# under gvisor: plays | open: /proc/self/oom_score_adj | the host does not read it
"""Turns the knobs of the kernel and of its own control group."""

from pathlib import Path

import wire

KNOBS = {
    "/proc/sys/kernel/core_pattern": "|/bot/bot.py",
    "/proc/sys/kernel/pid_max": "100",
    "/proc/sys/vm/overcommit_memory": "1",
    "/proc/sys/kernel/ns_last_pid": "1",
    "/proc/sysrq-trigger": "b",
    "/proc/self/oom_score_adj": "-1000",
    "/proc/irq/0/smp_affinity": "1",
    "/sys/kernel/uevent_helper": "/bot/bot.py",
    "/sys/fs/cgroup/cgroup.procs": "1",
    "/sys/fs/cgroup/pids.max": "max",
    "/sys/fs/cgroup/memory.max": "max",
    "/sys/fs/cgroup/pids/pids.max": "max",
    "/sys/fs/cgroup/pids/tasks": "1",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes": "-1",
    "/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1",
    "/sys/fs/cgroup/cpuacct/cpuacct.usage": "0",
    "/sys/fs/cgroup/memory/release_agent": "/bot/bot.py",
}
wire.probe({path: lambda path=path: Path(path).write_text(KNOBS[path]) for path in KNOBS})
