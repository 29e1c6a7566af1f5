/* Lines of numbers: their products, and sums of their shares.

   To be used in functions that are WIDE, which they become a part of. */

#ifndef RELBOUNDS_LINES_H
#define RELBOUNDS_LINES_H

#include "kernels.h"

/* In four sums: one alone would wait for itself. */
static inline double product_of(const double *restrict ones, const double *restrict others,
                                ptrdiff_t n) {
    double lanes[4] = {0};
    ptrdiff_t whole = n - n % 4;
    for (ptrdiff_t i = 0; i < whole; i += 4)
        for (int k = 0; k < 4; k++)
            lanes[k] += ones[i + k] * others[i + k];
    for (ptrdiff_t i = whole; i < n; i++)
        lanes[0] += ones[i] * others[i];
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

static inline void add_line(double share, const double *restrict line, ptrdiff_t n,
                            double *restrict sums) {
    for (ptrdiff_t i = 0; i < n; i++)
        sums[i] += share * line[i];
}

#endif
