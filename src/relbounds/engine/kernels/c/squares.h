/* Products of lines with each other, in squares of 4 x 12 numbers that stay in registers.

   To be used in functions that are WIDE or FUSED. */

#ifndef RELBOUNDS_SQUARES_H
#define RELBOUNDS_SQUARES_H

#include "lanes.h"

enum { HIGH = 4, MOST_LANES = 3 };

/* Four lines by as many lanes; ``count`` is known where this is compiled into. */
INLINE void add_square(const double *const lines[HIGH], ptrdiff_t stride,
                       const double *restrict points, ptrdiff_t width, ptrdiff_t n, int count,
                       double *restrict squares) {
    Lanes sums[HIGH][MOST_LANES] = {0};
    for (ptrdiff_t r = 0; r < n; r++, points += width)
        for (int k = 0; k < HIGH; k++)
            for (int l = 0; l < count; l++)
                add_share(&sums[k][l], lines[k][r * stride], points + l * LANES);
    for (int k = 0; k < HIGH; k++)
        for (int l = 0; l < count; l++)
            add_to(squares + k * width + l * LANES, &sums[k][l]);
}

/* Four lines from a column on, three lanes at a time, or two where one would be left. */
INLINE void add_lines(const double *const lines[HIGH], ptrdiff_t stride, const double *points,
                      ptrdiff_t width, ptrdiff_t n, ptrdiff_t from, double *squares) {
    for (ptrdiff_t left = (width - from) / LANES, count; left; left -= count, from += count * LANES) {
        count = left == 4 || left == 2 ? 2 : left == 1 ? 1 : 3;
        if (count == 3)
            add_square(lines, stride, points + from, width, n, 3, squares + from);
        else if (count == 2)
            add_square(lines, stride, points + from, width, n, 2, squares + from);
        else
            add_square(lines, stride, points + from, width, n, 1, squares + from);
    }
}

#endif
