/* arena_init: process 1 of a bot's container.
 *
 *   arena-init WAIT_S LIFETIME_S      how long to wait for an order, and how long the bot may live after it
 *
 * It connects to the unix socket /arena/control, where every message stays whole, and sends "counters" with three
 * open files of the container's own control group: CPU time, memory events, peak memory (all three, or no file where
 * one is missing). From here on it is under the system-call filter, and so is all that it starts. It gets one order:
 * the bot's command line as NUL-terminated strings, and the three pipe ends that become the bot's stdin, stdout and
 * stderr. It starts the bot and reports "start" once the bot's program runs; or "exec ERRNO" where that program cannot
 * run, "fork ERRNO" where there was no process to run it in. When the bot ends it kills whatever the bot left behind,
 * reports "exit STATUS" or "signal NUMBER", and waits for the other side to hang up. Any message after the order asks how
 * long the tasks of the container were ready to run but did not run: it answers "waits TASK:MS TASK:MS ...".
 *
 * The kernel kills everything in a PID namespace with its process 1. So there is one way to end a bot with all that it
 * started: close the other end of the socket. The death of the runner does just that.
 * No byte that the bot sends or receives passes through here, or through the Docker engine.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "filter.h"

#define CONTROL_PATH "/arena/control"
#define COUNTERS 3
#define PIPES 3
#define ARGUMENTS_MAX 16
#define ORDER_MAX 4096
#define REPORT_MAX 64
#define WAITS_MAX 4096 /* TASKS of sandbox/limits.py times the longest entry, with a margin */
#define TASKS "/proc/[0-9]*/task/[0-9]*/schedstat"
#define TICK_MS 1000
#define NS_PER_MS 1000000
#define FIRST_TO_GO "1000"
#define LAST_TO_GO "0" /* below, only the privileged can go */
#define SECONDS_MAX 86400 /* poll() counts milliseconds in an int */

/* Exit statuses of this program itself: what it could not do. The bot's are reported, and the runner needs no other. */
enum { OK = 0, BAD_USAGE = 64, NO_CONTROL = 65, BAD_ORDER = 66, NO_FILTER = 67, NO_ORDER = 68, TOO_OLD = 69, DEAF = 70 };

struct order {
    char text[ORDER_MAX];
    char *arguments[ARGUMENTS_MAX + 1]; /* into `text`, and NULL after the last */
    int pipes[PIPES];
};

static long now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / NS_PER_MS;
}

/* A whole number of seconds from a command line; 0 for anything that is none, or too many. */
static int seconds(const char *text) {
    char *end;
    long value = strtol(text, &end, 10);
    return *end == '\0' && value > 0 && value <= SECONDS_MAX ? (int)value : 0;
}

/* Drop what we were given: stdio leads to the log of the engine, which a bot should not reach even through us, and whoever
 * starts a container has been known to leave files of the host open in it. What comes is counted from 0 again. */
static void drop_descriptors(void) {
    int end = (int)sysconf(_SC_OPEN_MAX);
    for (int each = 0; each < end; each++)
        close(each);
}

/* Where memory runs out the kernel ends the process with the highest score, of equals the largest. It should be one of the
 * bot's: with us the container ends, and nothing is reported. An engine that has CAP_SYS_RESOURCE fixes the lowest score
 * that anybody here may take; then this changes nothing, all are equal, and a bot whose own processes are tiny can make us
 * the largest. The launcher tells such an end from an accident by what the engine has seen. */
static void score_when_memory_ends(const char *score) {
    int own = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (own < 0)
        return;
    ssize_t refused_or_not = write(own, score, strlen(score));
    (void)refused_or_not;
    close(own);
}

static int connect_control(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = CONTROL_PATH};
    int control = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (control < 0 || connect(control, (struct sockaddr *)&address, sizeof address) < 0)
        _exit(NO_CONTROL);
    return control;
}

/* Open the first of some files that is there; -1 if none is. Control groups look different on each host. */
static int open_first(const char *const *paths) {
    int counter = -1;
    for (; *paths != NULL && counter < 0; paths++)
        counter = open(*paths, O_RDONLY | O_CLOEXEC);
    return counter;
}

static void send_counters(int control) {
    static const char *const cpu[] = {"/sys/fs/cgroup/cpuacct/cpuacct.usage",
                                      "/sys/fs/cgroup/cpu,cpuacct/cpuacct.usage", "/sys/fs/cgroup/cpu.stat", NULL};
    static const char *const events[] = {"/sys/fs/cgroup/memory/memory.oom_control", "/sys/fs/cgroup/memory.events",
                                         NULL};
    /* Before Linux 5.19 cgroup v2 keeps no peak; there the use at the moment of reading has to stand in for it. */
    static const char *const peak[] = {"/sys/fs/cgroup/memory/memory.max_usage_in_bytes", "/sys/fs/cgroup/memory.peak",
                                       "/sys/fs/cgroup/memory.current", NULL};
    int counters[COUNTERS] = {open_first(cpu), open_first(events), open_first(peak)};
    union {
        struct cmsghdr header; /* for its alignment */
        char space[CMSG_SPACE(sizeof counters)];
    } rights = {.header = {.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof counters)}};
    char text[] = "counters";
    struct iovec body = {.iov_base = text, .iov_len = strlen(text)};
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

static void receive_order(int control, int wait_s, struct order *order) {
    struct pollfd order_or_hangup = {.fd = control, .events = POLLIN};
    if (poll(&order_or_hangup, 1, wait_s * 1000) <= 0)
        _exit(NO_ORDER);

    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof order->pipes)];
    } rights;
    struct iovec body = {.iov_base = order->text, .iov_len = sizeof order->text};
    struct msghdr message = {
        .msg_iov = &body, .msg_iovlen = 1, .msg_control = rights.space, .msg_controllen = sizeof rights.space};
    ssize_t length = recvmsg(control, &message, MSG_CMSG_CLOEXEC);
    if (length <= 0)
        _exit(OK); /* the other side changed its mind, or died */

    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) || header == NULL || header->cmsg_level != SOL_SOCKET ||
        header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof order->pipes) ||
        order->text[length - 1] != '\0')
        _exit(BAD_ORDER);
    memcpy(order->pipes, CMSG_DATA(header), sizeof order->pipes);

    int count = 0;
    for (char *at = order->text; at < order->text + length; at += strlen(at) + 1) {
        if (count == ARGUMENTS_MAX)
            _exit(BAD_ORDER);
        order->arguments[count++] = at;
    }
    order->arguments[count] = NULL;
}

__attribute__((format(printf, 2, 3))) static void report(int control, const char *format, ...) {
    char text[REPORT_MAX];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    /* Where nobody listens any more there is nobody to tell, and the next poll() will say so. */
    if (send(control, text, (size_t)length, MSG_NOSIGNAL) < 0)
        return;
}

/* What the bot's process does before it becomes the bot. Gives only where it cannot: then errno says why. */
static void become_bot(const struct order *order) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* as exec will; files of our own in /proc are not ours without */
    score_when_memory_ends(FIRST_TO_GO);
    /* The socket came before them, so each is above its place and none is overwritten. Only the copies outlive exec. */
    for (int end = 0; end < PIPES; end++)
        dup2(order->pipes[end], end);
    execv(order->arguments[0], order->arguments);
}

/* Start the bot, wait until its program runs, and report. Gives its process, or 0 if its end is no news. The pipe between
 * the two closes on exec: then it ends empty. It also ends so where the bot is killed that early, and its end is reported. */
static pid_t start_bot(int control, const struct order *order) {
    int failure[2], error = 0;
    pid_t bot = pipe2(failure, O_CLOEXEC) < 0 ? -1 : fork();
    if (bot < 0) {
        report(control, "fork %d", errno);
        return 0;
    }
    if (bot == 0) {
        become_bot(order);
        error = errno;
        _exit(write(failure[1], &error, sizeof error) < 0);
    }
    close(failure[1]);
    if (read(failure[0], &error, sizeof error) < 0)
        error = errno;
    close(failure[0]);
    if (error != 0) {
        report(control, "exec %d", error);
        return 0;
    }
    report(control, "start");
    return bot;
}

/* Bury the dead. Once the bot is among them, end all it left behind and report: 1 if so. */
static int reap(int control, pid_t bot) {
    int status, ended = 0;
    pid_t dead;
    while ((dead = waitpid(-1, &status, WNOHANG)) > 0) {
        if (dead != bot)
            continue;
        ended = 1;
        kill(-1, SIGKILL); /* everybody here but ourselves */
        if (WIFSIGNALED(status))
            report(control, "signal %d", WTERMSIG(status));
        else
            report(control, "exit %d", WEXITSTATUS(status));
    }
    return ended;
}

/* Append how long a task waited for the CPU since its start, as the kernel counts it; give the length. A task that has
 * just ended adds nothing. */
static int add_task(char *text, int length, const char *path) {
    char content[REPORT_MAX];
    int task, file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    ssize_t size = read(file, content, sizeof content - 1);
    close(file);
    content[size > 0 ? size : 0] = '\0';
    unsigned long long waited_ns;
    if (sscanf(path, "/proc/%*d/task/%d", &task) != 1 || sscanf(content, "%*u %llu", &waited_ns) != 1)
        return 0;
    int added = snprintf(text, (size_t)length, " %d:%llu", task, waited_ns / NS_PER_MS);
    return added < length ? added : 0;
}

/* Answer how long each task waited. Number 0 is ourselves: by how much our ticks were late. That shows a container that was
 * frozen, and it is all that there is where the kernel counts nothing for a task, as gVisor does not. */
static void report_waits(int control, long late_ms) {
    char text[WAITS_MAX];
    int length = snprintf(text, sizeof text, "waits 0:%ld", late_ms);
    glob_t tasks;
    if (glob(TASKS, GLOB_NOSORT, NULL, &tasks) == 0)
        for (size_t each = 0; each < tasks.gl_pathc; each++)
            length += add_task(text + length, (int)sizeof text - length, tasks.gl_pathv[each]);
    globfree(&tasks);
    if (send(control, text, (size_t)length, MSG_NOSIGNAL) < 0)
        return; /* the next poll() will say so */
}

/* Until the other side hangs up, or the time is over: this is how arena_init ends, and everything here with it. */
static void watch(int control, int deaths, pid_t bot, long until_ms) {
    struct pollfd watched[] = {{.fd = control, .events = POLLIN}, {.fd = deaths, .events = POLLIN}};
    long late_ms = 0;
    for (;;) {
        long began_ms = now_ms();
        if (began_ms >= until_ms)
            _exit(TOO_OLD);
        int ready = poll(watched, 2, TICK_MS);
        if (ready == 0)
            late_ms += now_ms() - began_ms - TICK_MS;
        if (ready <= 0)
            continue; /* a tick, or a debugger was here */
        char question;
        if (watched[0].revents && recv(control, &question, sizeof question, 0) <= 0)
            _exit(OK);
        if (watched[0].revents)
            report_waits(control, late_ms);
        struct signalfd_siginfo death;
        if (read(deaths, &death, sizeof death) > 0 && reap(control, bot))
            bot = 0; /* its number may be given again, to one of the orphans that are dying */
    }
}

int main(int count, char **values) {
    int wait_s = count == 3 ? seconds(values[1]) : 0, lifetime_s = count == 3 ? seconds(values[2]) : 0;
    /* Where this is not process 1, kill(-1) would reach every process of our user. */
    if (wait_s == 0 || lifetime_s == 0 || getpid() != 1)
        return BAD_USAGE;
    drop_descriptors();
    score_when_memory_ends(LAST_TO_GO);
    /* The bot has our user id: without this it could write our memory or borrow our socket. */
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);

    int control = connect_control();
    send_counters(control);
    if (refuse_calls() < 0)
        return NO_FILTER;
    struct order order;
    receive_order(control, wait_s, &order);

    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    int deaths = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    if (deaths < 0)
        return DEAF;
    pid_t bot = start_bot(control, &order);
    for (int end = 0; end < PIPES; end++)
        close(order.pipes[end]);
    watch(control, deaths, bot, now_ms() + lifetime_s * 1000L);
}
