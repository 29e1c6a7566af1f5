/* Where a model is that is pulled at; the fields of ``Pulled`` in ``pull``, and room. */

#ifndef RELBOUNDS_PULL_H
#define RELBOUNDS_PULL_H

#include "kernels.h"
#include <math.h>
#include <stdint.h>

enum { ARRAYS_OF_PULL = 23 }; /* a set, a place, goal and rates */

#define MOVING 1e-9 /* what changes more slowly along a way stands still */

/* What changes on the way: one piece of memory, so that a step back is a copy. */
typedef struct {
    double *x, *multipliers, *prices, *pull; /* prices: of costs */
    int64_t *side, *turn, *number, *row;
    double *inverse;
    int64_t *size;
    double *values, *totals, *lines;
    void *memory;
} Place;

typedef struct {
    ptrdiff_t n, d, own, k, m, costs, most; /* how many there are; d: with own columns */
    const double *points, *columns, *worth;
    const int64_t *point;
    const double *sign, *offsets, *margin, *weight, *surplus, *shares, *limits, *goal, *rates;
    Place at, before; /* ``before``: where all weights were looked at last */
    /* of the rows and costs that are tied, of the numbers that are free */
    double *d_tied, *way, *scratch;
    /* of points, rows, costs */
    double *by_point, *scores, *d_values, *d_prices, *d_totals;
    /* of weights: those that are watched, their columns, gradients and how these change */
    int64_t *watched;
    ptrdiff_t count;
    double *near, *gradients, *d_gradients, *all, *all_before;
    double window; /* of a gradient: weights that are further from their limit are not watched */
    void *room;
} Pull;

/* What happens first: a weight (0), a row (1) or a cost (2), which one, on which side. */
enum { A_WEIGHT, A_ROW, A_COST, NOTHING };
typedef struct {
    int kind;
    ptrdiff_t which, place; /* place: its line or column of the inverse */
    int64_t side;
    double far, speed;
} Event;

/* Multiplier of a row on a side, in units of the price of the loss. */
static inline double slope_on(const Pull *t, ptrdiff_t row, int64_t side) {
    return side == 0 ? 0.0 : side < 0 ? t->weight[row] : -t->surplus[row];
}

static inline double share_of(const Pull *t, ptrdiff_t cost, int of_loss) {
    return t->shares[2 * cost + of_loss];
}

/* The price of the norm (0) or the loss (1) by those of costs. */
static inline double total_price(const Pull *t, const double *prices, int of_loss) {
    double total = 0.0;
    for (ptrdiff_t j = 0; j < t->costs; j++)
        total += prices[j] * share_of(t, j, of_loss);
    return total;
}

static inline double *line_of(const Pull *t, ptrdiff_t i) { return t->at.inverse + i * t->most; }

/* Of two events the first; of equal ones the one that comes faster. */
static inline Event first_event(Event one, Event other) {
    if (!(other.speed > MOVING))
        return one;
    other.far = most(other.far, 0.0) / other.speed;
    if (one.kind == NOTHING)
        return other;
    double same = 1e-12 * (1 + fabs(one.far));
    int is_tie = other.far < one.far + same && other.speed > one.speed;
    return other.far < one.far - same || is_tie ? other : one;
}

/* pull_room.c */
HIDDEN int pull_of(const Array *arrays, Pull *t);
HIDDEN void give_room_back(Pull *t);
HIDDEN void tell(const Array *arrays, const Pull *t);
HIDDEN void copy_place(const Pull *t, Place *to, const Place *from);

/* pull_basis.c */
HIDDEN void fill_points_column(const Pull *t, ptrdiff_t weight, double *column);
HIDDEN int is_tied(const Pull *t, ptrdiff_t cost);
HIDDEN void fill_slope_by_point(const Pull *t);
HIDDEN void let_go(const Pull *t, Event row);
HIDDEN int exchange_places(const Pull *t, Event in, Event met);

/* pull_way.c */
HIDDEN double cost_of(const Pull *t, ptrdiff_t cost);
HIDDEN void fill_totals(const Pull *t);
HIDDEN void fill_dual_way(const Pull *t);
HIDDEN Event next_change(const Pull *t);
HIDDEN void pull_harder(const Pull *t, double by);
HIDDEN void fill_way(const Pull *t, Event in);
HIDDEN Event next_met(const Pull *t, Event in);
HIDDEN void move_on(const Pull *t, Event in, double step);
HIDDEN double gained(const Pull *t);

#endif
