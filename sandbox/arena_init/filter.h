/* The system-call filter of every bot: see denied.h for what it refuses. */

#ifndef FILTER_H
#define FILTER_H

#include <linux/filter.h>

/* set_mempolicy_home_node(), Linux 5.17: whatever came later has not been looked at, and is answered with ENOSYS, as
 * the kernel of that day would. From 424 on every machine has the same numbers. */
#define NEWEST_CALL 450

extern const struct sock_fprog filter;

/* Put this process, and all that it starts, under the filter for good. Gives 0, or -1 with errno. */
int refuse_calls(void);

#endif
