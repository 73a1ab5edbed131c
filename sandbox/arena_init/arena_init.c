/* arena_init: process 1 of a bot's container.
 *
 *   arena-init WAIT_S LIFETIME_S      how long to wait for an order, and how long the bot may live after it
 *
 * It connects to the unix socket /arena/control, where each message is one datagram, and sends "counters" with
 * three open files of the container's own control group: CPU time used, memory events, peak memory (no files at
 * all where it lacks one). It gets one order: the bot's command line as NUL-terminated strings, and the three
 * pipe ends that become the bot's stdin, stdout and stderr. It starts the bot and reports "start" once the bot
 * runs, or "exec ERRNO". It waits, kills whatever the bot left behind, reports how the bot ended ("exit STATUS" or
 * "signal NUMBER") and then waits for the other side to hang up.
 *
 * The kernel kills everything in a PID namespace with its process 1, so there is one way to end a bot
 * with all it started: close the other end of the socket. The death of the runner does just that.
 * No byte that the bot sends or receives passes through here, or through the Docker engine.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CONTROL_PATH "/arena/control"
#define COUNTERS 3
#define PIPES 3
#define ARGUMENTS_MAX 16
#define MESSAGE_MAX 4096
#define SECONDS_MAX 86400

#if defined(__x86_64__)
#define OUR_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCH AUDIT_ARCH_AARCH64
#else
#error "name the architecture whose system call numbers are checked"
#endif
#define X32_CALLS 0x40000000 /* where the numbers of a second table for the same architecture begin */

/* Exit statuses of this program itself: what it could not do. The runner never relies on them. */
enum { OK = 0, BAD_USAGE = 64, NO_CONTROL = 65, BAD_ORDER = 66, NO_BOT = 67, TOO_OLD = 68, NO_ORDER = 69 };

static long now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

static int connect_control(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = CONTROL_PATH};
    int control = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (control < 0 || connect(control, (struct sockaddr *)&address, sizeof address) < 0)
        _exit(NO_CONTROL);
    return control;
}

static void report(int control, const char *format, ...) {
    char text[64];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    /* Where nobody listens any more there is nobody to tell, and the next poll() will say so. */
    if (send(control, text, (size_t)length, MSG_NOSIGNAL) < 0)
        return;
}

/* Open the first of some files that is there; -1 if none is. Control groups look different on each host. */
static int open_first(const char *const *paths) {
    for (; *paths != NULL; paths++) {
        int counter = open(*paths, O_RDONLY | O_CLOEXEC);
        if (counter >= 0)
            return counter;
    }
    return -1;
}

static void send_counters(int control) {
    static const char *const cpu[] = {"/sys/fs/cgroup/cpuacct/cpuacct.usage", "/sys/fs/cgroup/cpu,cpuacct/cpuacct.usage",
                                      "/sys/fs/cgroup/cpu.stat", NULL};
    static const char *const memory[] = {"/sys/fs/cgroup/memory/memory.oom_control", "/sys/fs/cgroup/memory.events",
                                         NULL};
    /* Kernels before 5.19 keep no peak in cgroup v2: there the use at the moment of reading stands in for it. */
    static const char *const peak[] = {"/sys/fs/cgroup/memory/memory.max_usage_in_bytes", "/sys/fs/cgroup/memory.peak",
                                       "/sys/fs/cgroup/memory.current", NULL};
    int counters[COUNTERS] = {open_first(cpu), open_first(memory), open_first(peak)};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(COUNTERS * sizeof(int))];
    } rights = {.header = {.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof counters)}};
    char hello_text[] = "counters";
    struct iovec body = {.iov_base = hello_text, .iov_len = strlen(hello_text)};
    struct msghdr hello = {.msg_iov = &body, .msg_iovlen = 1};

    if (counters[0] >= 0 && counters[1] >= 0 && counters[2] >= 0) {
        memcpy(CMSG_DATA(&rights.header), counters, sizeof counters);
        hello.msg_control = rights.space;
        hello.msg_controllen = sizeof rights.space;
    }
    if (sendmsg(control, &hello, MSG_NOSIGNAL) < 0)
        _exit(NO_CONTROL);
    for (int each = 0; each < COUNTERS; each++)
        if (counters[each] >= 0)
            close(counters[each]);
}

/* Fill `arguments` with pointers into `message`, and `pipes` with the three descriptors. */
static void receive_order(int control, long wait_s, char *message, char **arguments, int *pipes) {
    struct pollfd order_or_hangup = {.fd = control, .events = POLLIN};
    if (poll(&order_or_hangup, 1, (int)wait_s * 1000) == 0)
        _exit(NO_ORDER);

    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(PIPES * sizeof(int))];
    } rights;
    struct iovec body = {.iov_base = message, .iov_len = MESSAGE_MAX};
    struct msghdr order = {
        .msg_iov = &body, .msg_iovlen = 1, .msg_control = rights.space, .msg_controllen = sizeof rights.space};

    ssize_t length = recvmsg(control, &order, MSG_CMSG_CLOEXEC);
    if (length <= 0)
        _exit(OK); /* the runner changed its mind, or died */
    struct cmsghdr *header = CMSG_FIRSTHDR(&order);
    if (header == NULL || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(PIPES * sizeof(int)) ||
        (order.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) || message[length - 1] != '\0')
        _exit(BAD_ORDER);
    memcpy(pipes, CMSG_DATA(header), PIPES * sizeof(int));

    int count = 0;
    for (char *at = message; at < message + length; at += strlen(at) + 1) {
        if (count == ARGUMENTS_MAX)
            _exit(BAD_ORDER);
        arguments[count++] = at;
    }
    arguments[count] = NULL;
}

/* What the bot's process gives up before it becomes the bot, beyond what the container took already. Every
 * bot has our user id, and prlimit() asks for no more than that: with a CPU limit of one second on process 1
 * and enough orphans to bury, a bot that loses could end the container, and the game would count as void.
 * So it may set limits of its own only, and calls of another ABI, which have other numbers, are not there. */
static int harden(void) {
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_prlimit64, 0, 3),
        /* The process, an int: its low half, on a machine that puts that first. */
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof rules / sizeof *rules, .filter = rules};

    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

/* Start the bot and report it. A pipe that closes on exec tells success from failure: it ends empty, or with an errno. */
static pid_t start_bot(int control, char **arguments, const int *pipes) {
    int started[2], error = 0;
    if (pipe2(started, O_CLOEXEC) < 0)
        _exit(NO_BOT);
    pid_t bot = fork();
    if (bot < 0)
        _exit(NO_BOT);
    if (bot == 0) {
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        setsid();
        for (int end = 0; end < PIPES; end++)
            dup2(pipes[end], end); /* clears close-on-exec, which everything else keeps */
        if (harden() == 0)
            execv(arguments[0], arguments);
        error = errno;
        _exit(write(started[1], &error, sizeof error) == sizeof error ? NO_BOT : NO_CONTROL);
    }
    close(started[1]);
    if (read(started[0], &error, sizeof error) == 0) {
        report(control, "start");
    } else {
        report(control, "exec %d", error);
        bot = 0; /* whose end is not worth a report of its own */
    }
    close(started[0]);
    return bot;
}

/* Collect the dead. Once the bot is among them, end all it left behind and report. */
static void reap(int control, pid_t bot, int *reported) {
    int status;
    pid_t dead;
    while ((dead = waitpid(-1, &status, WNOHANG)) > 0) {
        if (dead != bot || *reported)
            continue;
        *reported = 1;
        kill(-1, SIGKILL); /* everybody here but ourselves */
        if (WIFSIGNALED(status))
            report(control, "signal %d", WTERMSIG(status));
        else
            report(control, "exit %d", WEXITSTATUS(status));
    }
}

static void watch(int control, int deaths, pid_t bot, long until_s) {
    struct pollfd watched[] = {{.fd = control, .events = POLLIN}, {.fd = deaths, .events = POLLIN}};
    int reported = 0;
    for (;;) {
        long left_s = until_s - now_s();
        if (left_s <= 0)
            _exit(TOO_OLD);
        if (poll(watched, 2, (int)left_s * 1000) < 0 && errno != EINTR)
            _exit(NO_CONTROL);
        if (watched[0].revents)
            _exit(OK); /* nothing more is ever sent to us: this is the other side hanging up */
        if (watched[1].revents) {
            struct signalfd_siginfo death;
            if (read(deaths, &death, sizeof death) < 0)
                _exit(NO_CONTROL);
            reap(control, bot, &reported);
        }
    }
}

/* A number of seconds that poll() can wait for; 0 for anything else. */
static long seconds(const char *text) {
    char *end;
    long value = strtol(text, &end, 10);
    return *end == '\0' && value > 0 && value <= SECONDS_MAX ? value : 0;
}

int main(int count, char **values) {
    if (count != 3 || seconds(values[1]) == 0 || seconds(values[2]) == 0)
        return BAD_USAGE;
    if (getpid() != 1)
        return BAD_USAGE; /* kill(-1) would reach every process of our user, not those of one bot */
    /* The bot has our user id: without this it could write our memory or borrow our socket. */
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);

    char message[MESSAGE_MAX];
    char *arguments[ARGUMENTS_MAX + 1];
    int pipes[PIPES];
    int control = connect_control();
    send_counters(control);
    receive_order(control, seconds(values[1]), message, arguments, pipes);
    if (arguments[0] == NULL)
        return BAD_ORDER;
    long until_s = now_s() + seconds(values[2]);

    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    int deaths = signalfd(-1, &child, SFD_CLOEXEC);
    if (deaths < 0)
        return NO_BOT;
    pid_t bot = start_bot(control, arguments, pipes);
    for (int end = 0; end < PIPES; end++)
        close(pipes[end]);
    watch(control, deaths, bot, until_s);
}
