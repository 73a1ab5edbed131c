/* Print the filter as the kernel takes it, for comparison with what Python makes of the same list. */

#include <stdio.h>

#include "filter.h"

int main(void) {
    return fwrite(filter.filter, sizeof *filter.filter, filter.len, stdout) == filter.len ? 0 : 1;
}
