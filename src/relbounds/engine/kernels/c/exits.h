/* What leaves a corner where something else is to enter. */

#ifndef RELBOUNDS_EXITS_H
#define RELBOUNDS_EXITS_H

#include "corner.h"

enum { NONE = -1, ITS_OTHER_SIDE = -2 }; /* instead of a place */
#define TIE 1e-12

/* The place, the side that it goes to, how far that is and how fast it gets there. */
typedef struct {
    ptrdiff_t place;
    int64_t side;
    double far, size;
} Exit;

/* What is wrong: a piece on the wrong side or a cost above its limit, -1 of the other. */
typedef struct {
    ptrdiff_t piece, cost;
} Wrong;

HIDDEN void note_place(const Corner *t, ptrdiff_t place);
HIDDEN Exit first_exit(const Corner *t, Wrong wrong, double sign);

#endif
