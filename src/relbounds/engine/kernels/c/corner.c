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
    char *room = malloc(in_bytes + pieces * sizeof(int64_t) + 1);
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
    return 1;
}

/* How much of the gradient at a place is in a piece's. */
WIDE double entry_of(const Corner *t, ptrdiff_t piece, ptrdiff_t place) {
    const double *line = t->inverse + place * t->q;
    if (piece < t->weights)
        return line[piece];
    return product_of(line, t->rows + (piece - t->weights) * t->q, t->q);
}

/* The same of all places. */
WIDE void fill_column_of_piece(const Corner *t, ptrdiff_t piece) {
    ptrdiff_t q = t->q;
    if (piece >= t->weights)
        fill_products(t->rows + (piece - t->weights) * q, t->inverse, q, q, t->column);
    else
        for (ptrdiff_t p = 0; p < q; p++)
            t->column[p] = t->inverse[p * q + piece];
}

/* The same of a cost on all sides; notes its height. */
WIDE void fill_column_of_cost(const Corner *t, ptrdiff_t cost) {
    ptrdiff_t q = t->q;
    double *gradient = t->scratch, height = t->limits[cost];
    memcpy(gradient, t->linear + cost * q, q * sizeof(double));
    for (ptrdiff_t i = 0; i < t->pieces; i++) {
        double slope = t->side[i] ? slope_of(t, i, cost, t->side[i]) : 0.0;
        if (slope == 0)
            continue;
        height += slope * t->margin[i];
        if (i < t->weights)
            gradient[i] += slope;
        else
            add_line(slope, t->rows + (i - t->weights) * q, q, gradient);
    }
    t->height[cost] = height;
    for (ptrdiff_t p = 0; p < q; p++)
        t->column[p] = product_of(t->inverse + p * q, gradient, q);
}

/* The inverse after the gradient at a place was replaced by that of the column. */
WIDE void replace_gradient(const Corner *t, ptrdiff_t place) {
    ptrdiff_t q = t->q;
    double *own = t->inverse + place * q, share = 1 / t->column[place];
    for (ptrdiff_t c = 0; c < q; c++)
        own[c] *= share;
    for (ptrdiff_t p = 0; p < q; p++)
        if (p != place && t->column[p] != 0)
            add_line(-t->column[p], own, q, t->inverse + p * q);
}

/* Costs on all sides gain (1) or lose (-1) the piece at a place. */
WIDE void lean(const Corner *t, ptrdiff_t piece, ptrdiff_t place, int64_t side, double sign) {
    ptrdiff_t q = t->q;
    for (ptrdiff_t j = 0; j < t->costs; j++) {
        double share = sign * slope_of(t, piece, j, side);
        if (t->at[j] >= 0 && share != 0) {
            t->height[j] += share * t->margin[piece];
            add_line(-share, t->inverse + t->at[j] * q, q, t->inverse + place * q);
        }
    }
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

/* Where a walk was lost before all places were taken, free ones count as zero. */
static double height_at(const Corner *t, ptrdiff_t p) {
    if (t->place[p] == FREE)
        return 0.0;
    return t->place[p] < 0 ? t->height[-1 - t->place[p]] : t->margin[t->place[p]];
}

/* Where we are. */
WIDE void locate(const Corner *t, double *x) {
    memset(x, 0, t->q * sizeof(double));
    for (ptrdiff_t p = 0; p < t->q; p++) {
        double height = height_at(t, p);
        if (height != 0)
            add_line(height, t->inverse + p * t->q, t->q, x);
    }
}

/* What a unit at each place is worth. */
void price_places(const Corner *t, const double *goal) {
    memset(t->prices, 0, t->q * sizeof(double));
    for (ptrdiff_t c = 0; c < t->q; c++)
        for (ptrdiff_t p = 0; goal[c] != 0 && p < t->q; p++)
            t->prices[p] += t->inverse[p * t->q + c] * goal[c];
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
