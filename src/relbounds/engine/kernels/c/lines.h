/* Lines of numbers: their products, and sums of their shares.

   To be used in functions that are WIDE, which they become a part of. */

#ifndef RELBOUNDS_LINES_H
#define RELBOUNDS_LINES_H

#include "lanes.h"

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

/* Of one line with four others: what it holds is read once. */
INLINE void four_products(const double *one, const double *const others[4], ptrdiff_t n,
                          double *products) {
    Lanes first = {0}, second = {0}, third = {0}, fourth = {0};
    ptrdiff_t whole = n - n % LANES;
    for (ptrdiff_t i = 0; i < whole; i += LANES) {
        add_products(&first, one + i, others[0] + i);
        add_products(&second, one + i, others[1] + i);
        add_products(&third, one + i, others[2] + i);
        add_products(&fourth, one + i, others[3] + i);
    }
    products[0] = total_of(&first), products[1] = total_of(&second);
    products[2] = total_of(&third), products[3] = total_of(&fourth);
    for (int line = 0; line < 4; line++)
        for (ptrdiff_t i = whole; i < n; i++)
            products[line] += one[i] * others[line][i];
}

/* Of one line with many others that lie together. */
INLINE void fill_products(const double *one, const double *others, ptrdiff_t count, ptrdiff_t n,
                          double *products) {
    ptrdiff_t whole = count - count % 4;
    for (ptrdiff_t k = 0; k < whole; k += 4) {
        const double *line = others + k * n;
        const double *const four[4] = {line, line + n, line + 2 * n, line + 3 * n};
        four_products(one, four, n, products + k);
    }
    for (ptrdiff_t k = whole; k < count; k++)
        products[k] = product_of(one, others + k * n, n);
}

/* Of four in single precision. */
INLINE void four_rough_products(const float *one, const float *const others[4], ptrdiff_t n,
                                double *products) {
    RoughLanes first = {0}, second = {0}, third = {0}, fourth = {0};
    ptrdiff_t whole = n - n % ROUGH_LANES;
    for (ptrdiff_t i = 0; i < whole; i += ROUGH_LANES) {
        add_rough_products(&first, one + i, others[0] + i);
        add_rough_products(&second, one + i, others[1] + i);
        add_rough_products(&third, one + i, others[2] + i);
        add_rough_products(&fourth, one + i, others[3] + i);
    }
    products[0] = rough_total_of(&first), products[1] = rough_total_of(&second);
    products[2] = rough_total_of(&third), products[3] = rough_total_of(&fourth);
    for (int line = 0; line < 4; line++)
        for (ptrdiff_t i = whole; i < n; i++)
            products[line] += one[i] * others[line][i];
}

static inline void add_line(double share, const double *restrict line, ptrdiff_t n,
                            double *restrict sums) {
    for (ptrdiff_t i = 0; i < n; i++)
        sums[i] += share * line[i];
}

/* The same of four lines, which begin so far apart: fewer passes over the sums. */
static inline void add_four(const double *restrict shares, const double *restrict lines,
                            ptrdiff_t apart, ptrdiff_t n, double *restrict sums) {
    const double *restrict first = lines, *restrict second = first + apart;
    const double *restrict third = second + apart, *restrict fourth = third + apart;
    double a = shares[0], b = shares[1], c = shares[2], d = shares[3];
    if (a == 0 && b == 0 && c == 0 && d == 0)
        return;
    for (ptrdiff_t i = 0; i < n; i++)
        sums[i] += (a * first[i] + b * second[i]) + (c * third[i] + d * fourth[i]);
}

/* Sums of the shares of many lines. */
static inline void add_many(const double *restrict shares, const double *restrict lines,
                            ptrdiff_t count, ptrdiff_t n, double *restrict sums) {
    ptrdiff_t whole = count - count % 4;
    for (ptrdiff_t k = 0; k < whole; k += 4)
        add_four(shares + k, lines + k * n, n, n, sums);
    for (ptrdiff_t k = whole; k < count; k++)
        if (shares[k] != 0)
            add_line(shares[k], lines + k * n, n, sums);
}

#endif
