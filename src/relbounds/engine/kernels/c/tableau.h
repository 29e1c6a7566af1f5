/* Where a dense simplex method is; the fields of ``Tableau`` in ``dense_simplex``, and room. */

#ifndef RELBOUNDS_TABLEAU_H
#define RELBOUNDS_TABLEAU_H

#include "kernels.h"
#include <stdint.h>

typedef struct {
    ptrdiff_t q, m;
    const double *rows;
    double *cost, *lower, *upper, *slack;
    int64_t *basis;
    uint8_t *is_basic, *at_upper;
    double *value, *reduced;
    int64_t *place;
    double *inverse, *edge;
    /* of q numbers */
    double *leaving_row, *moved, *column, *rest, *values, *scratch, *shares;
    const double **lines;
    int64_t *old_basis;
    /* of q + m */
    double *row, *ratios, *true_cost, *sizes, *lowest;
    double *way; /* that a variable can go from its limit: up 1, down -1, none 0 */
    uint8_t *helps;
    int64_t *candidates;
} Tableau;

static inline int is_free(const Tableau *t, ptrdiff_t j) { return !t->is_basic[j]; }

static inline void set_way(const Tableau *t, ptrdiff_t j) {
    int has_one = is_free(t, j) && t->upper[j] != t->lower[j];
    t->way[j] = has_one ? (t->at_upper[j] ? -1.0 : 1.0) : 0.0;
}

HIDDEN void settle(const Tableau *t);
HIDDEN void restore(const Tableau *t);
HIDDEN void inverse_times(const Tableau *t, const double *vector, double *out);
HIDDEN void pivot(const Tableau *t, ptrdiff_t place, const double *column);
HIDDEN int is_off(const Tableau *t);
HIDDEN void fill_column(const Tableau *t, ptrdiff_t entering, double *scratch, double *column);

#endif
