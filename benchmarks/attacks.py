"""What a hostile bot may have the kernel do, as the body of a function: `over()` ends it."""

ATTACKS = {
    # What is written is edited and echoed, byte by byte, by a worker of the kernel.
    "terminals": """
while not over():
    ends = os.openpty()
    os.set_blocking(ends[0], False)
    for _ in range(200):
        try:
            os.write(ends[0], b"x" * 4000)
        except BlockingIOError:
            time.sleep(0.0005)
    for end in ends:
        os.close(end)
""",
    # Barriers that interrupt all processors.
    "barriers": """
libc = ctypes.CDLL(None, use_errno=True)
while not over():
    if libc.syscall({"x86_64": 324, "aarch64": 283}[os.uname().machine], 1, 0, 0) < 0:
        raise OSError(ctypes.get_errno(), "refused")
""",
    # What is closed is freed later, by whoever runs then.
    "files": """
while not over():
    for _ in range(100):
        os.close(os.open("/tmp/file", os.O_RDWR | os.O_CREAT))
        os.unlink("/tmp/file")
""",
    "pipes": """
while not over():
    for end in [end for _ in range(50) for end in os.pipe()]:
        os.close(end)
""",
    # Sockets that hold each other are found and closed by a worker of the kernel.
    "sockets": """
while not over():
    pair = socket.socketpair()
    try:
        socket.send_fds(pair[0], [b"x"], [each.fileno() for each in pair])
    except OSError:
        time.sleep(0.001)  # too many are on their way: the worker is behind
    for end in pair:
        end.close()
""",
    "forks": """
while not over():
    if os.fork() == 0:
        os._exit(0)
    os.wait()
""",
    "mappings": """
while not over():
    for _ in range(20):
        mapped = mmap.mmap(-1, 1 << 20)
        mapped[:] = b"x" * (1 << 20)
        mapped.close()
""",
    # Timers that go off while the bot sleeps, in the time of whoever runs then.
    "timers": """
while not over():
    signal.setitimer(signal.ITIMER_REAL, 0.00002)
    signal.sigtimedwait({signal.SIGALRM}, 0.01)
""",
    "yields": """
while not over():
    os.sched_yield()
""",
}
