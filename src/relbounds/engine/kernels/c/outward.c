/* From the best model to the ends of many directions, one after another; see ``outward`` for why
   walks that begin there have the right prices at once. */

#include "lines.h"
#include "outward.h"
#include <stdlib.h>
#include <string.h>

/* Whether prices at all places lie between those of their sides, if the first cost has this one. */
static int are_right(const Outward *o, double price) {
    double rounding = SHARP * most(price, 1.0);
    for (ptrdiff_t p = 0; p < o->t.q; p++) {
        double share = o->t.prices[p];
        if (share > price * slope_at(o, p, 1) + rounding ||
            share < price * slope_at(o, p, -1) - rounding)
            return 0;
    }
    return 1;
}

/* No place: there is none at which prices would be right. */
static Departure departure(const Outward *o, const double *goal) {
    Departure first = {.place = -1};
    price_places(&o->t, goal);
    for (ptrdiff_t p = 0; p < o->t.q; p++) {
        double share = o->t.prices[p];
        int64_t side = share > 0 ? 1 : -1;
        double slope = slope_at(o, p, side), price = share / slope;
        if (fabs(share) > SHARP && (double)side * slope > SHARP && price > first.price)
            first = (Departure){p, side, price};
    }
    if (!are_right(o, first.price))
        first.place = -1;
    return first;
}

/* To the corner at which the direction leaves the best model; 0: there is none. */
static int leave_best(Outward *o, const double *goal) {
    const Corner *t = &o->t;
    if (!find_best(o, goal))
        return 0;
    Departure first = departure(o, goal);
    if (first.place < 0)
        return 0;
    ptrdiff_t piece = t->place[first.place];
    double slope = slope_of(t, piece, 0, first.side);
    leave(t, first.place, first.side);
    t->height[0] = t->limits[0] + o->height + slope * t->margin[piece];
    memcpy(t->column, o->cost, t->q * sizeof(double));
    t->column[first.place] += slope;
    return enter_cost(t, first.place, 0);
}

static int set_out(Outward *o, const double *goal) {
    go_home(o);
    return leave_best(o, goal);
}

static const double *goal_of(const Outward *o, ptrdiff_t index) {
    return (double *)o->arrays[GOALS].data + index * o->t.q;
}

/* To the end of a direction, from limits to limits. The outcome. */
static int go_out(Outward *o, const double *goal, double below) {
    const Array *limits = &o->arrays[LIMITS];
    ptrdiff_t last = limits->shape[0] - 1;
    int outcome = set_out(o, goal) ? FOUND : LOST;
    look_anew(&o->t, &o->watch);
    for (ptrdiff_t leg = 0; leg <= last && outcome == FOUND; leg++) {
        turn_to(&o->t, (double *)limits->data + leg * o->t.costs, o->arrays[4].data);
        outcome = go_down(&o->t, &o->watch, goal, o->most_steps,
                          leg == last ? below : -INFINITY);
    }
    return outcome == EMPTY ? LOST : outcome;
}

/* To the corner of the same places with margins as they are, which were drawn apart. */
static void move_back(Outward *o) {
    Corner *t = &o->t;
    const double *apart = t->margin;
    t->margin = o->arrays[MARGIN].data;
    for (ptrdiff_t j = 0; j < t->costs; j++) {
        t->height[j] = ((double *)o->arrays[LAST].data)[j];
        for (ptrdiff_t i = t->weights; i < t->pieces; i++)
            t->height[j] += t->side[i] ? slope_of(t, i, j, t->side[i]) * t->margin[i] : 0.0;
    }
    locate(t, t->x);
    t->margin = apart;
}

/* Takes down what is met on the way to an end; what is gained there, or minus infinity. */
static double walk(Outward *o, ptrdiff_t index, double below) {
    const double *goal = goal_of(o, index);
    const Array *met = o->arrays + MET;
    double *point = (double *)met[0].data + index * o->t.q, of_costs[MOST_COSTS];
    double *multipliers = (double *)met[1].data + index * o->rows;
    int64_t *outcome = (int64_t *)met[2].data + index;
    *outcome = go_out(o, goal, below);
    if (*outcome == LOST)
        return -INFINITY;
    if (*outcome == FOUND)
        move_back(o);
    memcpy(point, o->t.x, o->t.q * sizeof(double));
    fill_worths(&o->t, goal, o->worths, of_costs);
    for (ptrdiff_t r = 0; r < o->rows; r++)
        multipliers[r] = -o->worths[o->t.weights + r];
    return *outcome == FOUND ? product_of(goal, point, o->t.q) : -INFINITY;
}

/* How far no model reaches, by what is known where a direction sets out. */
static double promise(Outward *o, ptrdiff_t index) {
    if (!set_out(o, goal_of(o, index)))
        return INFINITY;
    locate(&o->t, o->t.x);
    return product_of(goal_of(o, index), o->t.x, o->t.q);
}

/* Both ends of a weight: the second no further than until it is clear that it falls short of the
   first, if the best model is not beyond zero on the other side. */
static void walk_both_ways(Outward *o, ptrdiff_t index) {
    const Array *limits = &o->arrays[LIMITS];
    turn_to(&o->t, (double *)limits->data + (limits->shape[0] - 1) * o->t.costs, o->arrays[4].data);
    int is_second = promise(o, index + 1) > promise(o, index);
    double reached = walk(o, index + is_second, -INFINITY);
    ptrdiff_t other = index + !is_second;
    int may_fall_short = product_of(goal_of(o, other), o->best, o->t.q) >= 0;
    walk(o, other, may_fall_short ? reached : -INFINITY);
}

static void lose(const Outward *o, ptrdiff_t index, ptrdiff_t count) {
    for (ptrdiff_t k = 0; k < count; k++)
        ((int64_t *)o->arrays[MET + 2].data)[index + k] = LOST;
}

/* Whether a direction, or pair, asks about the columns that have joined for the one before. */
static int have_joined(const Outward *o, ptrdiff_t index) {
    const Array *columns = &o->arrays[COLUMNS];
    size_t size = columns->shape[1] * columns->shape[2] * sizeof(double);
    const char *data = columns->data;
    return index && !memcmp(data + index * size, data + (index - 1) * size, size);
}

static void walk_all(Outward *o) {
    ptrdiff_t count = o->arrays[GOALS].shape[0], size = *(int64_t *)o->arrays[PAIRED].data ? 2 : 1;
    int is_home = 0;
    for (ptrdiff_t index = 0; index < count; index += size) {
        if (!have_joined(o, index / size))
            is_home = join(o, index / size);
        if (!is_home)
            lose(o, index, size);
        else if (size == 2)
            walk_both_ways(o, index);
        else
            walk(o, index, -INFINITY);
    }
}

/* Room; 0: there is none. */
static int outward_of(const Array *arrays, Outward *o) {
    *o = (Outward){.arrays = arrays, .own = arrays[COLUMNS].shape[1], .rows = arrays[0].shape[0],
                   .most_steps = *(int64_t *)arrays[STEPS].data};
    if (!corner_of(arrays, &o->t))
        return 0;
    size_t q = o->t.q, pieces = o->t.pieces, numbers = q * q + 3 * q + pieces;
    o->room = malloc(numbers * sizeof(double) + (q + pieces) * sizeof(int64_t));
    if (o->t.costs > MOST_COSTS || !o->room || !begin_watch(&o->t, &o->watch)) {
        free(o->room);
        free(o->t.room);
        return 0;
    }
    o->best = o->room;
    o->cost = o->best + q;
    o->worths = o->cost + q;
    o->home = (Home){.cost = o->worths + pieces, .inverse = o->worths + pieces + q};
    o->home.place = (int64_t *)((double *)o->room + numbers);
    o->home.side = o->home.place + q;
    return 1;
}

/* a corner, which is room but for what it is one of; that of the best model; margins and last
   limits as they are, point and sign of each row; own columns of each direction, (b, e, n), or of both
   of a pair; goals, limits that grow, most steps, whether goals are pairs; points, multipliers of rows, outcomes. */
int outward(const Array *arrays) {
    Outward o;
    if (!outward_of(arrays, &o))
        return -1;
    walk_all(&o);
    free(o.watch.room);
    free(o.room);
    free(o.t.room);
    return 0;
}

/* the corner of a best model, goal, most steps. Whether the corner is one with the right prices now. */
int depart(const Array *arrays) {
    Outward o = {.most_steps = *(int64_t *)arrays[FIELDS + 1].data};
    int has_left = -1;
    if (!corner_of(arrays, &o.t))
        return -1;
    o.cost = malloc(o.t.q * sizeof(double));
    if (o.cost) {
        note_cost(&o);
        has_left = leave_best(&o, arrays[FIELDS].data);
    }
    free(o.cost);
    free(o.t.room);
    return has_left;
}
