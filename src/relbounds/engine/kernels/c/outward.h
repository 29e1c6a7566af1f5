/* Where walks from the best model are. */

#ifndef RELBOUNDS_OUTWARD_H
#define RELBOUNDS_OUTWARD_H

#include "corners.h"

#define SHARP 1e-9 /* of a direction, or a slope: what is smaller is rounding */

/* Behind a corner, which is room: the corner of the best model, margins and last limits as they are;
   point and sign of rows; own columns;
   what is asked; and what is met. */
enum {
    PLACE = FIELDS, SIDE, INVERSE, MARGIN, LAST, POINT, SIGN, COLUMNS, GOALS, LIMITS, STEPS, PAIRED, MET
};

/* Where all walks of the same own columns begin. ``cost`` is what the gradient of the first cost has
   of each place, ``height`` what that cost is worth at margins. */
typedef struct {
    int64_t *place, *side;
    double *inverse, *cost, height;
} Home;

typedef struct {
    Corner t;
    Watch watch;
    Home home;
    const Array *arrays;
    ptrdiff_t own, rows, most_steps; /* how many */
    double *best, *cost, *worths, height; /* of the best model: x; as those at home, where we are */
    void *room; /* of these, and of home */
} Outward;

/* The place that is left first, to which side, and the price of the first cost there. */
typedef struct {
    ptrdiff_t place;
    int64_t side;
    double price;
} Departure;

HIDDEN void go_home(Outward *o);
HIDDEN void note_cost(Outward *o);
HIDDEN double slope_at(const Outward *o, ptrdiff_t p, int64_t side);
HIDDEN int find_best(Outward *o, const double *goal);
HIDDEN int join(Outward *o, ptrdiff_t index);

#endif
