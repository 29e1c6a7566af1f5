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

/* Sums of the shares of many lines, four at a time: fewer passes over the sums. */
static inline void add_many(const double *restrict shares, const double *restrict lines,
                            ptrdiff_t count, ptrdiff_t n, double *restrict sums) {
    ptrdiff_t whole = count - count % 4;
    for (ptrdiff_t k = 0; k < whole; k += 4) {
        const double *restrict first = lines + k * n, *restrict second = first + n;
        const double *restrict third = second + n, *restrict fourth = third + n;
        double a = shares[k], b = shares[k + 1], c = shares[k + 2], d = shares[k + 3];
        if (a == 0 && b == 0 && c == 0 && d == 0)
            continue;
        for (ptrdiff_t i = 0; i < n; i++)
            sums[i] += (a * first[i] + b * second[i]) + (c * third[i] + d * fourth[i]);
    }
    for (ptrdiff_t k = whole; k < count; k++)
        if (shares[k] != 0)
            add_line(shares[k], lines + k * n, n, sums);
}

#endif
