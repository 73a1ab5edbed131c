"""What the kernel tells everybody about the whole host, and bots must not see.

Each of these files counts something for all containers together. What one bot does, another one
could read there, even in the next game. A masked file is empty, and so is a masked folder.
"""

FILES = (
    # Docker's own list.
    *("/proc/kcore", "/proc/keys", "/proc/latency_stats", "/proc/sched_debug", "/proc/timer_list"),
    "/proc/timer_stats",
    # How busy the host is, its memory, its disks, its interrupts, and who holds a lock.
    *("/proc/buddyinfo", "/proc/cpuinfo", "/proc/diskstats", "/proc/interrupts", "/proc/key-users"),
    *("/proc/loadavg", "/proc/locks", "/proc/mdstat", "/proc/meminfo", "/proc/modules"),
    *("/proc/pagetypeinfo", "/proc/partitions", "/proc/schedstat", "/proc/slabinfo"),
    *("/proc/softirqs", "/proc/stat", "/proc/swaps", "/proc/uptime", "/proc/vmallocinfo"),
    *("/proc/vmstat", "/proc/zoneinfo", "/proc/crypto"),
)
FOLDERS = (
    # Docker's own list.
    *("/proc/acpi", "/proc/asound", "/proc/scsi", "/sys/firmware"),
    # Counters of file systems, drivers and settings: `fs/file-nr` and `kernel/pty/nr` are exact.
    *("/proc/bus", "/proc/driver", "/proc/fs", "/proc/irq", "/proc/pressure", "/proc/sys"),
    "/proc/tty",
    # Of /sys, a virtual machine needs the folder of the control groups and nothing else.
    *("/sys/block", "/sys/bus", "/sys/class", "/sys/dev", "/sys/devices", "/sys/hypervisor"),
    *("/sys/kernel", "/sys/module", "/sys/power", "/sys/fs/bcachefs", "/sys/fs/btrfs"),
    *("/sys/fs/erofs", "/sys/fs/ext4", "/sys/fs/f2fs", "/sys/fs/fuse", "/sys/fs/xfs"),
    # Pseudo-terminals, of which the host has only so many.
    "/dev/pts",
)
PATHS = (*FILES, *FOLDERS)
