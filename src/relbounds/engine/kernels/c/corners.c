/* From corner to corner of a set of good models, to the best one: a simplex method.

   ``ascend`` mends prices and keeps sides, ``descend`` keeps prices and mends sides: so the best
   corner within other limits, or of a set that was cut, is a few steps away from one that is
   known. */

#include "corners.h"
#include "exits.h"
#include "lines.h"
#include <stdlib.h>
#include <string.h>

static const double OFF_PRICE = 1e-8; /* by which a price may be beyond its limits */

static int is_right(Wrong wrong) { return wrong.piece < 0 && wrong.cost < 0; }

/* What is at a place goes to a side, or a cost below its limit. */
void leave(const Corner *t, ptrdiff_t place, int64_t side) {
    int64_t left = t->place[place];
    if (left < 0) {
        t->at[-1 - left] = -1;
    } else {
        if (left < t->weights)
            wake(t, left);
        lean(t, left, place, side, 1.0);
        t->side[left] = side;
    }
}

/* The place whose price is furthest beyond its limits; ``far`` is by how much. */
static Exit worst_price(const Corner *t) {
    Exit worst = {.place = NONE, .far = OFF_PRICE};
    for (ptrdiff_t p = 0; p < t->q; p++) {
        int64_t piece = t->place[p];
        double price = t->prices[p];
        double above = piece < 0 ? -INFINITY : price - worth(t, piece, 1);
        double below = piece < 0 ? -price : worth(t, piece, -1) - price;
        if (most(above, below) > worst.far)
            worst = (Exit){.place = p, .side = above > below ? 1 : -1, .far = most(above, below)};
    }
    return worst;
}

/* The first piece that changes its side along the way of the changes; -1: none. */
static ptrdiff_t first_met(const Corner *t, ptrdiff_t leaving) {
    ptrdiff_t met = -1;
    double far = INFINITY;
    for (ptrdiff_t i = 0; i < t->pieces; i++) {
        double side = (double)t->side[i], towards = -side * t->changes[i];
        double away = most(side * t->values[i], 0.0);
        if (away > (far + TIE) * towards || i == leaving || !(towards > MOVES))
            continue; /* mostly by the first: what is further away is not divided */
        double step = away / towards;
        int is_tie = met >= 0 && step < far + TIE && towards > fabs(t->changes[met]);
        if (step < far - TIE || is_tie) {
            met = i;
            far = step;
        }
    }
    return met;
}

/* Along the changes until a piece is met. */
static void move_values(const Corner *t, ptrdiff_t met) {
    double step = most(-t->values[met] / t->changes[met], 0.0);
    add_line(step, t->changes, t->pieces, t->values);
    t->values[met] = 0.0;
}

/* A place is left to a side, along its way, until a piece is met; the column becomes that of the
   piece. -1: none is met. */
ptrdiff_t meet(const Corner *t, ptrdiff_t place, int64_t side) {
    ptrdiff_t left = t->place[place];
    leave(t, place, side);
    memset(t->scratch, 0, t->q * sizeof(double));
    add_way(t, place, (double)side, t->scratch);
    fill_changes(t, t->scratch, t->changes);
    ptrdiff_t met = first_met(t, left);
    if (met < 0)
        return -1;
    move_values(t, met);
    fill_column_of_piece(t, met);
    return met;
}

static int climb(const Corner *t, const double *goal, ptrdiff_t most_steps) {
    locate(t, t->x);
    fill_values(t);
    for (ptrdiff_t step = 0; step < most_steps; step++) {
        price_places(t, goal);
        Exit leaving = worst_price(t);
        if (leaving.place < 0)
            return FOUND;
        ptrdiff_t met = meet(t, leaving.place, leaving.side);
        if (met < 0 || !enter(t, leaving.place, met))
            return LOST;
    }
    return LOST;
}

/* a corner on the right sides, goal, most steps. The outcome.

   Costs that fall below their limits are not watched: ``descend`` looks after them. */
int ascend(const Array *arrays) {
    Corner t;
    if (!corner_of(arrays, &t))
        return -1;
    int outcome = climb(&t, arrays[FIELDS].data, *(int64_t *)arrays[FIELDS + 1].data);
    free(t.room);
    return outcome;
}

/* The piece that is furthest on the wrong side; -1: none. */
static ptrdiff_t worst_of_all(const Corner *t) {
    ptrdiff_t worst = -1;
    double far = OFF;
    for (ptrdiff_t i = 0; i < t->pieces; i++)
        if (-t->side[i] * t->values[i] > far) {
            worst = i;
            far = fabs(t->values[i]);
        }
    return worst;
}

/* A cost that was below its limit and is above it; -1: none. */
static ptrdiff_t exceeded(const Corner *t) {
    for (ptrdiff_t j = 0; j < t->costs; j++)
        if (t->at[j] < 0 && excess(t, j, t->x, t->values) > OFF)
            return j;
    return -1;
}

/* What is to be mended next; only a look at all rows shows that nothing is. */
static Wrong next_wrong(const Corner *t, Watch *watch) {
    Wrong wrong = {-1, -1};
    if (++watch->steps <= STEPS_TILL_ALL)
        wrong.piece = worst_of_watched(t, watch);
    if (wrong.piece >= 0)
        return wrong;
    locate(t, t->x);
    fill_values(t);
    wrong.piece = worst_of_all(t);
    if (wrong.piece < 0)
        wrong.cost = exceeded(t);
    if (!is_right(wrong))
        watch_rows(t, watch);
    return wrong;
}

/* A piece that is on the wrong side takes a place, and x moves. */
static int exchange(const Corner *t, Exit leaving, ptrdiff_t piece) {
    int64_t side = t->side[piece];
    double value = t->values[piece];
    leave(t, leaving.place, leaving.side);
    if (!enter(t, leaving.place, piece))
        return 0;
    add_way(t, leaving.place, -value, t->x);
    for (ptrdiff_t j = 0; j < t->costs; j++) {
        double share = value * slope_of(t, piece, j, side);
        if (t->at[j] >= 0 && share != 0)
            add_way(t, t->at[j], share, t->x);
    }
    if (piece < t->weights)
        t->x[piece] = t->margin[piece];
    return 1;
}

static int exchange_for_cost(const Corner *t, Exit leaving, ptrdiff_t cost) {
    leave(t, leaving.place, leaving.side);
    fill_column_of_cost(t, cost);
    return enter_cost(t, leaving.place, cost);
}

/* What is wrong takes the first place that can be left; FOUND: it has. */
static int mend(const Corner *t, const Watch *watch, Wrong wrong) {
    int is_below = wrong.piece >= 0 && t->values[wrong.piece] < 0;
    if (wrong.piece >= 0)
        fill_column_of_piece(t, wrong.piece);
    else
        fill_column_of_cost(t, wrong.cost);
    Exit leaving = first_exit(t, wrong, is_below ? 1.0 : -1.0);
    if (leaving.place == NONE)
        return EMPTY;
    int is_done;
    ptrdiff_t left = leaving.place >= 0 ? t->place[leaving.place] : NONE;
    if (leaving.place >= 0 && wrong.piece >= 0) {
        is_done = exchange(t, leaving, wrong.piece);
    } else {
        is_done = wrong.piece >= 0 ? take_side(t, wrong.piece, -t->side[wrong.piece])
                                   : exchange_for_cost(t, leaving, wrong.cost);
        locate(t, t->x);
    }
    if (leaving.place >= 0)
        note_place(t, leaving.place);
    note_side(t, watch, left);
    note_side(t, watch, wrong.piece);
    return is_done ? FOUND : LOST;
}

/* To the best corner; counts its steps. */
int go_down(const Corner *t, Watch *watch, const double *goal, ptrdiff_t most_steps,
            double below) {
    locate(t, t->x);
    for (ptrdiff_t p = 0; p < t->q; p++)
        note_place(t, p);
    for (ptrdiff_t step = 0; step < most_steps; step++) {
        price_places(t, goal);
        if (below > -INFINITY && product_of(goal, t->x, t->q) <= below)
            return FALLS_SHORT;
        Wrong wrong = next_wrong(t, watch);
        if (is_right(wrong))
            return FOUND;
        watch->all_steps++;
        int outcome = mend(t, watch, wrong);
        if (outcome != FOUND)
            return outcome;
    }
    return LOST;
}

/* a corner with the right prices, goal, most steps, and the gain at which it is known to fall
   short. The outcome. */
int descend(const Array *arrays) {
    Corner t;
    if (!corner_of(arrays, &t))
        return -1;
    Watch watch;
    int outcome = begin_watch(&t, &watch)
                      ? go_down(&t, &watch, arrays[FIELDS].data,
                                *(int64_t *)arrays[FIELDS + 1].data,
                                *(double *)arrays[FIELDS + 2].data)
                      : -1;
    free(watch.room);
    free(t.room);
    return outcome;
}

/* What is met within each of several limits. */
typedef struct {
    ptrdiff_t count;
    const double *limits, *below;
    double *points, *worths;
    int64_t *proofs, *outcomes;
} Course;

/* Other limits, instead of their own. */
void turn_to(const Corner *t, const double *limits, double *own) {
    for (ptrdiff_t j = 0; j < t->costs; j++) {
        t->height[j] += limits[j] - own[j];
        own[j] = limits[j];
    }
}

/* From limits to limits, as far as walks are not lost. Where no step is taken, what was worth
   something before still proves how far none reaches. The first limits may leave nothing, by
   rounding: the next ones do. */
static void go_along(const Corner *t, Watch *watch, const double *goal, ptrdiff_t most_steps,
                     double *limits, double reached, const Course *course) {
    int outcome = FOUND;
    double of_costs[MOST_COSTS];
    for (ptrdiff_t leg = 0; leg < course->count; leg++) {
        ptrdiff_t before = watch->all_steps;
        if (outcome != LOST) {
            turn_to(t, course->limits + leg * t->costs, limits);
            double below = reached >= 0 ? course->below[leg] : -INFINITY;
            outcome = go_down(t, watch, goal, most_steps, below);
        }
        course->outcomes[leg] = outcome;
        course->proofs[leg] = leg;
        if (outcome == LOST)
            continue;
        memcpy(course->points + leg * t->q, t->x, t->q * sizeof(double));
        if (outcome == FOUND)
            reached = most(product_of(goal, t->x, t->q), reached);
        if (leg && watch->all_steps == before)
            course->proofs[leg] = course->proofs[leg - 1];
        else
            fill_worths(t, goal, course->worths + leg * t->pieces, of_costs);
    }
}

/* a corner with the right prices, goal, most steps, what is reached; limits that grow, and for each
   the gain at which it is known to fall short, which counts once zero is reached; points, worths of
   all pieces, whose worths prove it, outcomes. */
int follow(const Array *arrays) {
    const Array *more = arrays + FIELDS;
    Course course = {
        .count = more[3].shape[0], .limits = more[3].data, .below = more[4].data,
        .points = more[5].data, .worths = more[6].data, .proofs = more[7].data,
        .outcomes = more[8].data,
    };
    Corner t;
    Watch watch;
    if (!corner_of(arrays, &t))
        return -1;
    int is_ready = t.costs <= MOST_COSTS && begin_watch(&t, &watch);
    if (is_ready) {
        go_along(&t, &watch, more[0].data, *(int64_t *)more[1].data, arrays[4].data,
                 *(double *)more[2].data, &course);
        free(watch.room);
    }
    free(t.room);
    return is_ready ? 0 : -1;
}
