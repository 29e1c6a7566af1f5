/* A step from corner to corner, and walks of many. */

#ifndef RELBOUNDS_CORNERS_H
#define RELBOUNDS_CORNERS_H

#include "watch.h"

enum { FOUND, EMPTY, LOST, FALLS_SHORT }; /* as in ``corners`` */
enum { MOST_COSTS = 3 };                  /* of a set that nothing was cut from */

HIDDEN void leave(const Corner *t, ptrdiff_t place, int64_t side);
HIDDEN ptrdiff_t meet(const Corner *t, ptrdiff_t place, int64_t side);
HIDDEN void turn_to(const Corner *t, const double *limits, double *own);
HIDDEN int go_down(const Corner *t, Watch *watch, const double *goal, ptrdiff_t most_steps,
                   double below);

#endif
