/* The rows that are looked at between two looks at all of them. */

#ifndef RELBOUNDS_WATCH_H
#define RELBOUNDS_WATCH_H

#include "corner.h"

/* How many rows are watched, for how many steps (and of all there were), and how near to their
   other side they were. */
typedef struct {
    ptrdiff_t count, steps, all_steps;
    double window;
    double *seen;          /* x, where values were computed */
    int64_t *places;       /* of all pieces among those that are watched; -1 of others */
    int64_t *numbers;      /* of x that have moved since then, in a block */
    float *moved, *way;    /* how far all have, and those */
    float *tops;           /* of blocks: how far rows are on the wrong side there */
    float *values, *signs; /* of the rows: whose product is how far each is on the wrong side */
    float *blocks;         /* copies of the rows, a block of some after another */
    void *room;            /* of all these */
} Watch;

enum { STEPS_TILL_ALL = 80 };
enum { BLOCK = 32 }; /* rows of a block */

HIDDEN int begin_watch(const Corner *t, Watch *watch);
HIDDEN void look_anew(const Corner *t, Watch *watch);
HIDDEN void watch_rows(const Corner *t, Watch *watch);
HIDDEN void note_side(const Corner *t, const Watch *watch, ptrdiff_t piece);
HIDDEN ptrdiff_t worst_of_watched(const Corner *t, const Watch *watch);

/* blocks.c */
HIDDEN void set_top(const Watch *watch, ptrdiff_t block);
HIDDEN void move_blocks(const Watch *watch, ptrdiff_t q, ptrdiff_t count);

/* widest.c */
HIDDEN void widest_move_blocks(const Watch *watch, ptrdiff_t q, ptrdiff_t count);

#endif
