/* From the best model to the ends of many directions, one after another; see ``outward`` for why
   walks that begin there have the right prices at once. */

#include "corners.h"
#include "lines.h"
#include <stdlib.h>
#include <string.h>

static const double SHARP = 1e-9; /* of a direction, or a slope: what is smaller is rounding */

/* Behind a corner, which is room: the corner of the best model; point and sign of rows; own columns;
   what is asked; and what is met. */
enum { PLACE = FIELDS, SIDE, INVERSE, MARGIN, POINT, SIGN, COLUMNS, GOALS, LIMITS, STEPS, PAIRED, MET };

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

static void go_home(Outward *o) {
    const Corner *t = &o->t;
    memcpy(t->place, o->home.place, t->q * sizeof(int64_t));
    memcpy(t->side, o->home.side, t->pieces * sizeof(int64_t));
    memcpy(t->inverse, o->home.inverse, t->q * t->q * sizeof(double));
    memcpy(o->cost, o->home.cost, t->q * sizeof(double));
    o->height = o->home.height;
    for (ptrdiff_t j = 0; j < t->costs; j++)
        t->at[j] = -1;
    part_numbers(t);
}

static void call_it_home(Outward *o) {
    const Corner *t = &o->t;
    memcpy(o->home.place, t->place, t->q * sizeof(int64_t));
    memcpy(o->home.side, t->side, t->pieces * sizeof(int64_t));
    memcpy(o->home.inverse, t->inverse, t->q * t->q * sizeof(double));
    memcpy(o->home.cost, o->cost, t->q * sizeof(double));
    o->home.height = o->height;
}

/* What a unit of the piece at a place costs on a side of it. */
static double slope_at(const Outward *o, ptrdiff_t p, int64_t side) {
    return o->cost[p] + slope_of(&o->t, o->t.place[p], 0, side);
}

/* A place is left to a side, until another piece takes it. 0: none can. */
static int cross(Outward *o, ptrdiff_t p, int64_t side) {
    const Corner *t = &o->t;
    ptrdiff_t left = t->place[p];
    double slope = slope_of(t, left, 0, side);
    o->cost[p] += slope;
    o->height += slope * t->margin[left];
    ptrdiff_t met = meet(t, p, side);
    if (met < 0 || is_too_small(t->column[p]))
        return 0;
    slope = slope_of(t, met, 0, t->side[met]);
    o->height -= slope * t->margin[met];
    double of_met = o->cost[p] / t->column[p] - slope;
    add_line(-of_met - slope, t->column, t->q, o->cost);
    o->cost[p] = of_met;
    return enter(t, p, met);
}

/* A place to be left to a side: where that saves most, or where it costs nothing and is what a goal
   wants. No place: there is none. */
static Departure saving(const Outward *o, const double *goal) {
    Departure best = {.place = -1, .price = SHARP};
    for (ptrdiff_t p = 0; p < o->t.q; p++)
        for (int64_t side = -1; side <= 1; side += 2) {
            double slope = (double)side * slope_at(o, p, side);
            int is_wanted = goal && (double)side * o->t.prices[p] > SHARP;
            if (slope < best.price && (slope < -SHARP || is_wanted))
                best = (Departure){p, side, slope};
        }
    return best;
}

/* To where no place can be left without a cost: the best model, if columns have joined that are
   worth more than they cost, and of equal ones the furthest. 0: it is not found. */
static int settle(Outward *o, const double *goal) {
    const Corner *t = &o->t;
    for (ptrdiff_t step = 0; step < o->most_steps; step++) {
        if (goal)
            price_places(t, goal);
        Departure best = saving(o, goal);
        if (best.place < 0)
            return 1;
        if (!step) {
            locate(t, t->x);
            fill_values(t);
        }
        if (!cross(o, best.place, best.side))
            return 0;
    }
    return 0;
}

/* What the gradient of the first cost has of places. */
static void note_cost(Outward *o) {
    fill_column_of_cost(&o->t, 0);
    memcpy(o->cost, o->t.column, o->t.q * sizeof(double));
    o->height = o->t.height[0] - o->t.limits[0];
}

/* What an own number has to do with all others at the places of rows. */
static void fill_own_column(const Outward *o, ptrdiff_t own) {
    const Corner *t = &o->t;
    const double *base = o->arrays[INVERSE].data;
    for (ptrdiff_t p = 0; p < t->q; p++) {
        ptrdiff_t row = o->home.place[p] - t->weights;
        t->scratch[p] = row >= 0 ? t->rows[row * t->q + own] : 0.0;
    }
    for (ptrdiff_t c = o->own; c < t->q; c++)
        o->home.inverse[c * t->q + own] = -product_of(t->scratch, base + c * t->q, t->q);
}

/* Own columns of points join the set, instead of those before. 0: their best model is not found. */
static int join(Outward *o, ptrdiff_t index) {
    const Array *columns = &o->arrays[COLUMNS];
    const int64_t *point = o->arrays[POINT].data;
    const double *sign = o->arrays[SIGN].data, *base = o->arrays[INVERSE].data;
    double *rows = o->arrays[0].data;
    ptrdiff_t q = o->t.q;
    memcpy(o->home.place, o->arrays[PLACE].data, q * sizeof(int64_t));
    memcpy(o->home.side, o->arrays[SIDE].data, o->t.pieces * sizeof(int64_t));
    memcpy(o->home.inverse, base, q * q * sizeof(double));
    for (ptrdiff_t own = 0; own < o->own; own++) {
        const double *column = (double *)columns->data + (index * o->own + own) * columns->shape[2];
        for (ptrdiff_t r = 0; r < o->rows; r++)
            rows[r * q + own] = sign[r] * column[point[r]];
        fill_own_column(o, own);
    }
    go_home(o);
    note_cost(o);
    locate(&o->t, o->best);
    if (!settle(o, NULL))
        return 0;
    call_it_home(o);
    return 1;
}

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

/* From home to the corner at which the direction leaves the best model; 0: there is none. */
static int set_out(Outward *o, const double *goal) {
    const Corner *t = &o->t;
    go_home(o);
    if (!settle(o, goal))
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

static const double *goal_of(const Outward *o, ptrdiff_t index) {
    return (double *)o->arrays[GOALS].data + index * o->t.q;
}

/* To the end of a direction, from limits to limits. The outcome. */
static int go_out(Outward *o, const double *goal, double below) {
    const Array *limits = &o->arrays[LIMITS];
    ptrdiff_t last = limits->shape[0] - 1;
    int outcome = set_out(o, goal) ? FOUND : LOST;
    look_anew(&o->watch);
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
        t->height[j] = t->limits[j];
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

static void walk_all(Outward *o) {
    ptrdiff_t count = o->arrays[GOALS].shape[0], size = *(int64_t *)o->arrays[PAIRED].data ? 2 : 1;
    int is_home = 0;
    for (ptrdiff_t index = 0; index < count; index += size) {
        if (!index || o->own)
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
    if (!o->room || !begin_watch(&o->t, &o->watch)) {
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

/* a corner of all whose costs are below their limits, most steps. Whether that of the best model was
   found: the corner becomes it. */
int settled(const Array *arrays) {
    Outward o = {.most_steps = *(int64_t *)arrays[FIELDS].data};
    if (!corner_of(arrays, &o.t))
        return -1;
    o.cost = malloc(o.t.q * sizeof(double));
    int is_found = -1;
    if (o.cost) {
        note_cost(&o);
        is_found = settle(&o, NULL);
    }
    free(o.cost);
    free(o.t.room);
    return is_found;
}

/* a corner, which is room but for what it is one of; that of the best model; margins as they are,
   point and sign of each row; own columns of each direction, (b, e, n), or of both of a pair; goals, limits that grow, most
   steps, whether goals are pairs; points, multipliers of rows, outcomes. */
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
