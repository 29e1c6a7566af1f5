/* Where a model is that is pulled at; the fields of ``Pulled`` in ``pull``, and room. */

#ifndef RELBOUNDS_PULL_H
#define RELBOUNDS_PULL_H

#include "kernels.h"
#include <math.h>
#include <stdint.h>

enum { ARRAYS_OF_PULL = 24 }; /* a set, a place, goal and rates */

enum { MOST_LATER = 8 }; /* changes of the inverse that are made at once */
enum { BLOCK = 16 }; /* events of which the first is found at a time */

#define ROUGHLY 1e-5 /* by which numbers of single precision may be off */
#define MOVING 1e-9 /* what changes more slowly along a way stands still */
#define SAME 1e-12 /* what is nearer to each other happens at once */

/* What changes on the way: one piece of memory, so that a step back is a copy. */
typedef struct {
    double *x, *multipliers, *prices, *pull; /* prices: of costs */
    int64_t *side, *turn, *number, *row;
    double *inverse;
    int64_t *size;
    double *values, *totals;
    void *memory;
} Place;

/* What points paid, and the norm cost, at some time. */
typedef struct {
    double *paid, price;
} Mark;

typedef struct {
    ptrdiff_t n, d, own, k, m, costs, most; /* how many there are; d: with own columns */
    const double *columns, *own_columns; /* a line of points for each weight */
    const float *rough_columns;
    const double *worth;
    const int64_t *point;
    const double *sign, *offsets, *margin, *weight, *surplus, *shares, *limits, *goal, *rates;
    Place at, before; /* ``before``: where all weights were looked at last */
    /* of the inverse: columns and lines whose products are to be added to it, and how many */
    double *lefts, *rights;
    ptrdiff_t later;
    /* of the rows and costs that are tied, of the numbers that are free */
    double *d_tied, *way, *scratch;
    /* of points, rows, costs; paid: by all multipliers, ``by_point``: by what they change */
    double *paid, *by_point, *scores, *d_values, *d_prices, *d_totals;
    double *slopes, *by_offset; /* of rows: slopes on their sides, offsets line by line */
    /* of what may happen next: how far it is, and how fast it comes; when the first of a block is
       there */
    double *fars, *speeds, *soonest;
    /* points none of whose rows is tied, and where they stand among these; of all points, how many
       rows are tied; a line for each free number of what it has at loose points, and how scores of
       these change */
    int64_t *loose, *place_of_loose, *ties;
    ptrdiff_t n_loose;
    double *loose_lines, *of_loose;
    float *rough_own, *rough_paid;
    /* of weights: those that are zero and watched, their gradients and how these change, roughly;
       gradients of all */
    int64_t *watched, *was_watched, *near;
    ptrdiff_t count, n_near;
    double *gradients, *d_gradients, *all, *all_before;
    /* of a gradient: weights that are further from their limit are not near, or not watched; and by
       how much it moves with the multipliers */
    double window, watch_window, spread;
    Mark at_look, at_watch;
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

/* The column of a weight, point by point. */
static inline const double *column_of(const Pull *t, ptrdiff_t weight) {
    ptrdiff_t of_all = t->d - t->own;
    return weight < of_all ? t->columns + weight * t->n : t->own_columns + (weight - of_all) * t->n;
}

static inline const float *rough_column_of(const Pull *t, ptrdiff_t weight) {
    ptrdiff_t of_all = t->d - t->own;
    return weight < of_all ? t->rough_columns + weight * t->n
                           : t->rough_own + (weight - of_all) * t->n;
}

static inline double *line_of(const Pull *t, ptrdiff_t i) { return t->at.inverse + i * t->most; }

/* Of two events the first; of equal ones the one that comes faster. */
static inline Event first_event(Event one, Event other) {
    if (!(other.speed > MOVING))
        return one;
    double same = SAME * (1 + fabs(one.far));
    if (other.far > (one.far + same) * other.speed)
        return one;
    other.far = most(other.far, 0.0) / other.speed;
    if (one.kind == NOTHING)
        return other;
    int is_tie = other.far < one.far + same && other.speed > one.speed;
    return other.far < one.far - same || is_tie ? other : one;
}

/* pull_room.c */
HIDDEN int pull_of(const Array *arrays, Pull *t);
HIDDEN void give_room_back(Pull *t);
HIDDEN void tell(const Array *arrays, const Pull *t);
HIDDEN void copy_place(const Pull *t, Place *to, const Place *from);

/* pull_basis.c */
HIDDEN int is_tied(const Pull *t, ptrdiff_t cost);
HIDDEN void fill_slopes(const Pull *t);
HIDDEN void fill_slope_by_point(const Pull *t);
HIDDEN void let_go(const Pull *t, Event row);
HIDDEN int exchange_places(Pull *t, Event in, Event met);

/* pull_inverse.c */
HIDDEN void fill_inverse_line(const Pull *t, ptrdiff_t i, double *line);
HIDDEN void fill_inverse_column(const Pull *t, ptrdiff_t c, double *column);
HIDDEN void put_line(const Pull *t, ptrdiff_t i, const double *line);
HIDDEN void put_column(const Pull *t, ptrdiff_t c, const double *column);
HIDDEN void fill_product(const Pull *t, const double *column, double *product);
HIDDEN void fill_line_product(const Pull *t, const double *shares, double *product);
HIDDEN void add_now(Pull *t);
HIDDEN void add_later(Pull *t, double share, const double *left, const double *right);
HIDDEN void add_zeros(Pull *t);
HIDDEN void take_out(Pull *t, ptrdiff_t line, ptrdiff_t column);
HIDDEN void add_column(const Pull *t, double share, ptrdiff_t of, ptrdiff_t to);

/* pull_loose.c */
HIDDEN void gather_loose(Pull *t);
HIDDEN void fill_loose_line(const Pull *t, ptrdiff_t i);
HIDDEN void move_loose_line(const Pull *t, ptrdiff_t last, ptrdiff_t to);
HIDDEN void loosen(Pull *t, int64_t row);
HIDDEN void fasten(Pull *t, int64_t row);
HIDDEN void fill_loose_scores(const Pull *t, Event in);

/* pull_events.c */
HIDDEN Event next_change(const Pull *t);
HIDDEN Event next_met(const Pull *t, Event in);

/* pull_watch.c */
HIDDEN int is_beyond_watched(const Pull *t, double by);
HIDDEN int is_beyond_near(const Pull *t);
HIDDEN void measure_spread(Pull *t, int is_first);
HIDDEN void widen_for(Pull *t, double more);
HIDDEN int is_passed(const Pull *t);
HIDDEN void find_near(Pull *t);
HIDDEN int watch(Pull *t, int with_all);
HIDDEN void watch_no_more(Pull *t, Event weight);
HIDDEN void watch_again(Pull *t, ptrdiff_t weight);

/* pull_way.c */
HIDDEN double cost_of(const Pull *t, ptrdiff_t cost);
HIDDEN void fill_totals(const Pull *t);
HIDDEN void fill_rough_gradients(const Pull *t, const double *paid, double pull,
                                 const int64_t *weights, ptrdiff_t count, double *gradients);
HIDDEN double gradient_of(const Pull *t, const double *paid, double pull, ptrdiff_t weight);
HIDDEN void fill_dual_way(const Pull *t);
HIDDEN void fill_watched_way(const Pull *t);
HIDDEN void pull_harder(const Pull *t, double by);
HIDDEN void fill_way(const Pull *t, Event in);
HIDDEN void fill_d_values(const Pull *t, Event in);
HIDDEN void fill_d_totals(const Pull *t, Event in);
HIDDEN void move_on(const Pull *t, Event in, double step);
HIDDEN double gained(const Pull *t);

#endif
