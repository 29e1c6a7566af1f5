/* Where walks begin: at the best model of a set, which columns may have joined. */

#include "lines.h"
#include "outward.h"
#include <stdlib.h>
#include <string.h>

void go_home(Outward *o) {
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
double slope_at(const Outward *o, ptrdiff_t p, int64_t side) {
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
int find_best(Outward *o, const double *goal) {
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
void note_cost(Outward *o) {
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
int join(Outward *o, ptrdiff_t index) {
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
    if (!find_best(o, NULL))
        return 0;
    call_it_home(o);
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
        is_found = find_best(&o, NULL);
    }
    free(o.cost);
    free(o.t.room);
    return is_found;
}
