/* The rows that are looked at between two looks at all of them. */

#ifndef RELBOUNDS_WATCH_H
#define RELBOUNDS_WATCH_H

#include "corner.h"

/* How many rows are watched, for how many steps, and how near to their other side they were. */
typedef struct {
    ptrdiff_t count, steps;
    double window;
    double *blocks; /* copies of the rows, a block of some after another */
} Watch;

HIDDEN int begin_watch(const Corner *t, Watch *watch);
HIDDEN void watch_rows(const Corner *t, Watch *watch);
HIDDEN ptrdiff_t worst_of_watched(const Corner *t, const Watch *watch);

#endif
