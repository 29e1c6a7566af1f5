/* Where in a set of good models we are; the fields of ``Corner`` in ``corners``, and room. */

#ifndef RELBOUNDS_CORNER_H
#define RELBOUNDS_CORNER_H

#include "kernels.h"
#include <math.h>
#include <stdint.h>

#define OFF 1e-9   /* by how much a piece may be on the wrong side, a cost relatively too high */
#define MOVES 1e-9 /* by which a piece has to change along a way to be met on it */
#define FREE INT64_MIN /* a place that nothing has yet */

enum { FIELDS = 10 }; /* of a corner; other arrays come behind them */

typedef struct {
    ptrdiff_t q, weights, pieces, costs; /* how many there are; q: numbers of x */
    const double *rows, *margin, *slopes, *linear, *limits;
    int64_t *place, *side;
    double *inverse, *height;
    int64_t *at;
    /* of q numbers */
    double *x, *prices, *column, *scratch;
    /* of both sides of q places: how far they are and how fast reached, whether there are such */
    double *far, *size, *open;
    double *sides; /* and what they cost */
    /* of all pieces */
    double *values, *changes;
    int64_t *watched;
    /* of q numbers: those that move and then those at rest, and where the latter are */
    int64_t *numbers, *rest, *moving; /* the last: how many move */
    void *room; /* of all these */
} Corner;

static inline double slope_of(const Corner *t, ptrdiff_t piece, ptrdiff_t cost, int64_t side) {
    return t->slopes[2 * (piece * t->costs + cost) + (side > 0)];
}

/* Whether a piece has to stay above zero. */
static inline int is_hard(const Corner *t, ptrdiff_t piece) {
    return slope_of(t, piece, 0, -1) == -INFINITY;
}

/* Whether a number is no pivot, or not even a number. */
static inline int is_too_small(double number) { return !(fabs(number) >= SMALLEST_PIVOT); }

HIDDEN int corner_of(const Array *arrays, Corner *t);
HIDDEN void part_numbers(const Corner *t);
HIDDEN void lay_to_rest(const Corner *t, ptrdiff_t number, ptrdiff_t place);
HIDDEN void wake(const Corner *t, ptrdiff_t number);
HIDDEN void add_way(const Corner *t, ptrdiff_t place, double far, double *x);
HIDDEN void fill_column_of_piece(const Corner *t, ptrdiff_t piece);
HIDDEN void fill_column_of_cost(const Corner *t, ptrdiff_t cost);
HIDDEN void replace_gradient(const Corner *t, ptrdiff_t place);
HIDDEN void lean(const Corner *t, ptrdiff_t piece, ptrdiff_t place, int64_t side, double sign);
HIDDEN int enter(const Corner *t, ptrdiff_t place, ptrdiff_t piece);
HIDDEN int enter_cost(const Corner *t, ptrdiff_t place, ptrdiff_t cost);
HIDDEN int take_side(const Corner *t, ptrdiff_t piece, int64_t side);
HIDDEN void locate(const Corner *t, double *x);
HIDDEN void price_places(const Corner *t, const double *goal);
HIDDEN void fill_changes(const Corner *t, const double *way, double *changes);
HIDDEN void fill_values(const Corner *t);
HIDDEN double excess(const Corner *t, ptrdiff_t cost, const double *x, const double *values);
HIDDEN void fill_worths(const Corner *t, const double *goal, double *of_pieces, double *of_costs);
HIDDEN double worth(const Corner *t, ptrdiff_t piece, int64_t side);

#endif
