/* Which corner of a set of good models is at a model that is known? */

#include "corner.h"
#include <stdlib.h>
#include <string.h>

static const double AT_LIMIT = 1e-5; /* of it: a cost that is no further from its limit is at it */
static const double INDEPENDENT = 1e-7;

/* The free place at which the column is largest; -1: none is free. */
static ptrdiff_t best_free(const Corner *t) {
    ptrdiff_t best = -1;
    for (ptrdiff_t p = 0; p < t->q; p++)
        if (t->place[p] == FREE && (best < 0 || fabs(t->column[p]) > fabs(t->column[best])))
            best = p;
    return best;
}

/* All places free, and pieces on the sides of their values. */
static void begin(const Corner *t, const double *values, const int64_t *zero, ptrdiff_t n_zero) {
    memset(t->inverse, 0, t->q * t->q * sizeof(double));
    for (ptrdiff_t p = 0; p < t->q; p++) {
        t->inverse[p * t->q + p] = 1.0;
        t->place[p] = FREE;
    }
    for (ptrdiff_t i = 0; i < t->pieces; i++)
        t->side[i] = values[i] > 0 ? 1 : -1;
    for (ptrdiff_t k = 0; k < n_zero; k++)
        t->side[zero[k]] = 0;
    for (ptrdiff_t j = 0; j < t->costs; j++)
        t->at[j] = -1;
    part_numbers(t);
}

/* Costs that are at their limits take places. */
static int take_costs(const Corner *t, const double *x, const double *values) {
    for (ptrdiff_t j = 0; j < t->costs; j++)
        if (fabs(excess(t, j, x, values)) <= AT_LIMIT) {
            fill_column_of_cost(t, j);
            ptrdiff_t place = best_free(t);
            if (place < 0 || !enter_cost(t, place, j))
                return 0;
        }
    return 1;
}

/* A piece that is zero takes a place, or a side if it depends on those that have one. */
static int take_piece(const Corner *t, ptrdiff_t piece, double value) {
    fill_column_of_piece(t, piece);
    ptrdiff_t place = best_free(t);
    if (place >= 0 && fabs(t->column[place]) > INDEPENDENT)
        return enter(t, place, piece);
    return take_side(t, piece, value >= 0 || is_hard(t, piece) ? 1 : -1);
}

/* The piece that is nearest, forwards or backwards, along the way of the changes; -1: none. */
static ptrdiff_t nearest_on_way(const Corner *t, const double *values, double *step) {
    ptrdiff_t met = -1;
    *step = INFINITY;
    for (ptrdiff_t i = 0; i < t->pieces; i++)
        if (t->side[i] && fabs(t->changes[i]) > MOVES) {
            double far = -values[i] / t->changes[i];
            if (fabs(far) < fabs(*step)) {
                met = i;
                *step = far;
            }
        }
    return met;
}

/* Along the face, each free place on a way of its own, to the next piece that becomes zero. */
static int fill_places(const Corner *t, double *values) {
    for (ptrdiff_t p = 0; p < t->q; p++) {
        if (t->place[p] != FREE)
            continue;
        double step;
        memset(t->scratch, 0, t->q * sizeof(double));
        add_way(t, p, 1.0, t->scratch);
        fill_changes(t, t->scratch, t->changes);
        ptrdiff_t met = nearest_on_way(t, values, &step);
        if (met < 0)
            return 0;
        for (ptrdiff_t i = 0; i < t->pieces; i++)
            values[i] += step * t->changes[i];
        fill_column_of_piece(t, met);
        if (!enter(t, p, met))
            return 0;
    }
    return 1;
}

static int found(const Corner *t, const double *x, double *values, const Array *zero) {
    const int64_t *pieces = zero->data;
    begin(t, values, pieces, zero->shape[0]);
    if (!take_costs(t, x, values))
        return 0;
    for (ptrdiff_t k = 0; k < zero->shape[0]; k++)
        if (!take_piece(t, pieces[k], values[pieces[k]]))
            return 0;
    return fill_places(t, values);
}

/* a corner, x; its pieces, those that count as zero. Whether a corner was found. */
int find(const Array *arrays) {
    Corner t;
    if (!corner_of(arrays, &t))
        return -1;
    int is_found = found(&t, arrays[FIELDS].data, arrays[FIELDS + 1].data, &arrays[FIELDS + 2]);
    free(t.room);
    return is_found;
}
