/* What is at a corner, and what a change of its places does; see ``corners`` for the form. */

#include "corner.h"
#include "lines.h"
#include <stdlib.h>
#include <string.h>

/* A corner of the first arrays, with room to work in; 0: there is no memory. */
int corner_of(const Array *arrays, Corner *t) {
    *t = (Corner){
        .q = arrays[0].shape[1], .weights = arrays[1].shape[0] - arrays[0].shape[0],
        .pieces = arrays[1].shape[0], .costs = arrays[4].shape[0], .rows = arrays[0].data,
        .margin = arrays[1].data, .slopes = arrays[2].data, .linear = arrays[3].data,
        .limits = arrays[4].data, .place = arrays[5].data, .side = arrays[6].data,
        .inverse = arrays[7].data, .height = arrays[8].data, .at = arrays[9].data,
    };
    size_t q = t->q, pieces = t->pieces, of_places = (10 + 2 * t->costs) * q;
    size_t in_bytes = (of_places + 2 * pieces) * sizeof(double);
    char *room = malloc(in_bytes + (pieces + 2 * q + 1) * sizeof(int64_t));
    if (!room)
        return 0;
    double *numbers = (double *)room;
    t->room = room;
    t->x = numbers;
    t->prices = numbers + q;
    t->column = numbers + 2 * q;
    t->scratch = numbers + 3 * q;
    t->far = numbers + 4 * q;
    t->size = numbers + 6 * q;
    t->open = numbers + 8 * q;
    t->sides = numbers + 10 * q;
    t->values = numbers + of_places;
    t->changes = t->values + pieces;
    t->watched = (int64_t *)(room + in_bytes);
    t->numbers = t->watched + pieces;
    t->rest = t->numbers + q;
    t->moving = t->rest + q;
    part_numbers(t);
    return 1;
}

/* A piece with a side, or none, takes a place; the column is its. 0: it cannot. */
int enter(const Corner *t, ptrdiff_t place, ptrdiff_t piece) {
    if (is_too_small(t->column[place]))
        return 0;
    replace_gradient(t, place);
    if (t->side[piece])
        lean(t, piece, place, t->side[piece], -1.0);
    t->side[piece] = 0;
    t->place[place] = piece;
    if (piece < t->weights)
        lay_to_rest(t, piece, place);
    return 1;
}

/* A cost that is at its limit takes a place; the column is its. 0: it cannot. */
int enter_cost(const Corner *t, ptrdiff_t place, ptrdiff_t cost) {
    if (is_too_small(t->column[place]))
        return 0;
    replace_gradient(t, place);
    t->place[place] = -1 - cost;
    t->at[cost] = place;
    return 1;
}

/* A piece that is at no place goes over to a side. 0: it cannot. */
int take_side(const Corner *t, ptrdiff_t piece, int64_t side) {
    for (ptrdiff_t j = 0; j < t->costs; j++) {
        double share = slope_of(t, piece, j, side);
        if (t->side[piece])
            share -= slope_of(t, piece, j, t->side[piece]);
        if (t->at[j] < 0 || share == 0)
            continue;
        fill_column_of_piece(t, piece);
        for (ptrdiff_t p = 0; p < t->q; p++)
            t->column[p] *= share;
        t->column[t->at[j]] += 1;
        if (is_too_small(t->column[t->at[j]]))
            return 0;
        replace_gradient(t, t->at[j]);
        t->height[j] += share * t->margin[piece];
    }
    t->side[piece] = side;
    return 1;
}

/* Of all pieces along a way. */
WIDE void fill_changes(const Corner *t, const double *way, double *changes) {
    memcpy(changes, way, t->weights * sizeof(double));
    fill_products(way, t->rows, t->pieces - t->weights, t->q, changes + t->weights);
}

/* Of all pieces where we are. */
void fill_values(const Corner *t) {
    fill_changes(t, t->x, t->values);
    for (ptrdiff_t i = t->weights; i < t->pieces; i++)
        t->values[i] -= t->margin[i];
}

/* By how much a cost exceeds its limit, as a share of it. */
double excess(const Corner *t, ptrdiff_t cost, const double *x, const double *values) {
    double total = 0.0, limit = t->limits[cost];
    for (ptrdiff_t c = 0; c < t->q; c++)
        total += t->linear[cost * t->q + c] * x[c];
    for (ptrdiff_t i = 0; i < t->pieces; i++) {
        double slope = slope_of(t, i, cost, values[i] > 0);
        if (slope != -INFINITY)
            total += slope * values[i];
    }
    return (total - limit) / most(fabs(limit), OFF);
}

/* The price of a piece on a side. */
double worth(const Corner *t, ptrdiff_t piece, int64_t side) {
    double total = 0.0;
    for (ptrdiff_t j = 0; j < t->costs; j++) {
        double slope = slope_of(t, piece, j, side);
        if (slope == -INFINITY)
            return -INFINITY;
        if (t->at[j] >= 0)
            total += slope * t->prices[t->at[j]];
    }
    return total;
}

/* a corner; x */
int corner(const Array *arrays) {
    Corner t;
    if (!corner_of(arrays, &t))
        return -1;
    locate(&t, arrays[FIELDS].data);
    free(t.room);
    return 0;
}

/* What a unit of each piece, and of each limit, is worth. */
void fill_worths(const Corner *t, const double *goal, double *of_pieces, double *of_costs) {
    price_places(t, goal);
    for (ptrdiff_t j = 0; j < t->costs; j++)
        of_costs[j] = t->at[j] >= 0 ? t->prices[t->at[j]] : 0.0;
    for (ptrdiff_t i = 0; i < t->pieces; i++)
        of_pieces[i] = t->side[i] ? worth(t, i, t->side[i]) : 0.0;
    for (ptrdiff_t p = 0; p < t->q; p++)
        if (t->place[p] >= 0)
            of_pieces[t->place[p]] = t->prices[p];
}

/* a corner, goal; what a unit of each piece, and of each limit, is worth */
int multipliers(const Array *arrays) {
    Corner t;
    if (!corner_of(arrays, &t))
        return -1;
    fill_worths(&t, arrays[FIELDS].data, arrays[FIELDS + 1].data, arrays[FIELDS + 2].data);
    free(t.room);
    return 0;
}
