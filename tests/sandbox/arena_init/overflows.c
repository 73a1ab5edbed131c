/* Stands where arena-init stands, and has the kind of error that the tests of arena-init must not overlook. */

#include <stdlib.h>
#include <string.h>

int main(int count, char **values) {
    char *place = malloc(strlen(values[0]));
    strcpy(place, values[0]); /* one byte too long */
    return place[0] == values[0][0] && count < 0;
}
