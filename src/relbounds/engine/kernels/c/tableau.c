/* What follows from a basis, and what a change of it does to its inverse. */

#include "lines.h"
#include "tableau.h"
#include <math.h>
#include <string.h>

/* By which rows and reduced costs may be off before all is computed anew. */
static const double ROUNDING = 1e-10;

/* Of a line of Z times the values of so many candidates, one after another. */
static inline void add_up(const Tableau *t, ptrdiff_t n, ptrdiff_t p, double *sum) {
    *sum = 0.0;
    for (ptrdiff_t c = 0; c < n; c++)
        *sum += t->rows[p * t->m + t->candidates[c]] * t->value[t->candidates[c]];
}

/* The same of four lines: a sum alone would wait for itself. */
static inline void add_up_four(const Tableau *t, ptrdiff_t n, ptrdiff_t p, double *sums) {
    ptrdiff_t m = t->m;
    const double *first = t->rows + p * m, *second = first + m, *third = second + m;
    const double *fourth = third + m;
    double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
    for (ptrdiff_t k = 0; k < n; k++) {
        ptrdiff_t j = t->candidates[k];
        double value = t->value[j];
        a += first[j] * value, b += second[j] * value;
        c += third[j] * value, d += fourth[j] * value;
    }
    sums[0] = a, sums[1] = b, sums[2] = c, sums[3] = d;
}

/* Values of all variables from which limit they are at, and which way they can go from it. */
WIDE void settle(const Tableau *t) {
    ptrdiff_t q = t->q, m = t->m;
    double *restrict rest = t->rest;
    for (ptrdiff_t j = 0; j < m + q; j++)
        set_way(t, j);
    for (ptrdiff_t j = 0; j < m + q; j++)
        if (is_free(t, j))
            t->value[j] = t->at_upper[j] ? t->upper[j] : t->lower[j];
    ptrdiff_t n = 0, fours = q - q % 4;
    for (ptrdiff_t j = 0; j < m; j++) {
        t->candidates[n] = j;
        n += t->value[j] != 0 && is_free(t, j);
    }
    for (ptrdiff_t p = 0; p < fours; p += 4)
        add_up_four(t, n, p, rest + p);
    for (ptrdiff_t p = fours; p < q; p++)
        add_up(t, n, p, rest + p);
    for (ptrdiff_t p = 0; p < q; p++)
        if (is_free(t, m + p))
            rest[p] -= t->value[m + p];
    inverse_times(t, rest, t->values);
    for (ptrdiff_t i = 0; i < q; i++)
        t->value[t->basis[i]] = -t->values[i];
}

/* The place of a row that left the basis in which a column is largest; -1 if there is none. */
static ptrdiff_t place_for(const Tableau *t, const double *column) {
    ptrdiff_t place = -1, m = t->m;
    for (ptrdiff_t i = 0; i < t->q; i++)
        if (t->basis[i] == m + i && is_free(t, m + i))
            if (place < 0 || fabs(column[i]) > fabs(column[place]))
                place = i;
    return place;
}

/* The inverse anew: one by one, columns of Z take the places of rows that left the basis.
   A column that depends on those before it leaves the basis itself. */
static void invert(const Tableau *t) {
    ptrdiff_t q = t->q, m = t->m;
    for (ptrdiff_t j = 0; j < m + q; j++)
        t->sizes[j] = 1.0;
    for (ptrdiff_t i = 0; i < q; i++) {
        t->sizes[t->basis[i]] = t->edge[i];
        t->old_basis[i] = t->basis[i];
        t->basis[i] = m + i;
        t->place[i] = i;
        for (ptrdiff_t p = 0; p < q; p++)
            t->inverse[i * q + p] = i == p ? -1.0 : 0.0;
    }
    for (ptrdiff_t i = 0; i < q; i++) {
        ptrdiff_t j = t->old_basis[i];
        if (j >= m)
            continue;
        fill_column(t, j, t->scratch, t->values);
        ptrdiff_t place = place_for(t, t->values);
        if (place >= 0 && fabs(t->values[place]) > SMALLEST_PIVOT) {
            pivot(t, place, t->values);
            t->basis[place] = j;
        } else {
            t->is_basic[j] = 0;
        }
    }
    for (ptrdiff_t i = 0; i < q; i++) {
        t->is_basic[t->basis[i]] = 1;
        t->edge[i] = t->sizes[t->basis[i]];
    }
}

/* All from the basis alone; variables go to the limits that their reduced costs prefer. */
WIDE void restore(const Tableau *t) {
    ptrdiff_t q = t->q, m = t->m;
    double *restrict reduced = t->reduced;
    invert(t);
    memcpy(reduced, t->cost, m * sizeof(double));
    for (ptrdiff_t p = 0; p < q; p++) {
        const double *restrict row = t->rows + p * m;
        double price = 0.0;
        for (ptrdiff_t i = 0; i < q; i++)
            price += t->cost[t->basis[i]] * t->inverse[p * q + i];
        for (ptrdiff_t j = 0; j < m; j++)
            reduced[j] -= price * row[j];
        reduced[m + p] = t->cost[m + p] + price;
    }
    for (ptrdiff_t i = 0; i < q; i++)
        reduced[t->basis[i]] = 0.0;
    for (ptrdiff_t j = 0; j < m + q; j++)
        if (fabs(reduced[j]) > ROUNDING && is_free(t, j))
            t->at_upper[j] = reduced[j] < 0;
    settle(t);
}

/* The inverse times a vector; rows whose own variable is basic have one number in it. */
WIDE void inverse_times(const Tableau *t, const double *vector, double *out) {
    ptrdiff_t q = t->q, m = t->m;
    double *restrict sums = out;
    memset(sums, 0, q * sizeof(double));
    for (ptrdiff_t p = 0; p < q; p++) {
        double share = vector[p];
        if (share != 0 && t->is_basic[m + p]) {
            sums[t->place[p]] -= share;
        } else if (share != 0) {
            const double *restrict line = t->inverse + p * q;
            for (ptrdiff_t i = 0; i < q; i++)
                sums[i] += share * line[i];
        }
    }
}

/* The inverse after a column of the basis was replaced; ``column``: it times the new one. */
WIDE void pivot(const Tableau *t, ptrdiff_t place, const double *column) {
    ptrdiff_t q = t->q;
    const double *restrict shares = column;
    for (ptrdiff_t p = 0; p < q; p++) {
        double *restrict line = t->inverse + p * q;
        double share = line[place] / shares[place];
        if (share != 0) {
            for (ptrdiff_t i = 0; i < q; i++)
                line[i] -= share * shares[i];
            line[place] = share;
        }
    }
}

/* The size of the terms of a row of Z. */
static double size_of_row(const Tableau *t, ptrdiff_t p) {
    double size = 1.0;
    for (ptrdiff_t j = 0; j < t->m; j++)
        size += fabs(t->rows[p * t->m + j] * t->value[j]);
    return size;
}

/* Whether rounding has added up in rows or reduced costs. */
WIDE int is_off(const Tableau *t) {
    ptrdiff_t q = t->q, m = t->m;
    double *restrict prices = t->scratch, *restrict reduced = t->sizes;
    fill_products(t->value, t->rows, q, m, t->values);
    for (ptrdiff_t p = 0; p < q; p++) {
        double off = fabs(t->values[p] - t->value[m + p]);
        if (off > ROUNDING && off > ROUNDING * size_of_row(t, p))
            return 1;
        prices[p] = t->cost[m + p] - t->reduced[m + p];
    }
    memcpy(reduced, t->cost, m * sizeof(double));
    add_many(prices, t->rows, q, m, reduced);
    for (ptrdiff_t j = 0; j < m; j++)
        if (fabs(reduced[j] - t->reduced[j]) > ROUNDING * (1 + fabs(t->cost[j])))
            return 1;
    return 0;
}

/* The inverse times the column of a variable. */
WIDE void fill_column(const Tableau *t, ptrdiff_t entering, double *scratch, double *column) {
    ptrdiff_t q = t->q, m = t->m;
    if (entering < m) {
        for (ptrdiff_t p = 0; p < q; p++)
            scratch[p] = t->rows[p * m + entering];
        inverse_times(t, scratch, column);
    } else {
        for (ptrdiff_t i = 0; i < q; i++)
            column[i] = -t->inverse[(entering - m) * q + i];
    }
}
