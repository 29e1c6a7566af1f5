/* ``Z' diag(theta) Z`` of the points of one part, in squares of 4 x 8 numbers that stay in registers.

   Below the lines of weights stand those of offsets, which are coupled with points by their rows. */

#include "interior.h"
#include "lanes.h"
#include <string.h>

enum { HIGH = 4 };

INLINE void add_square(const double *restrict scaled, ptrdiff_t stride, const double *restrict points,
                       ptrdiff_t width, ptrdiff_t n, double *restrict squares) {
    Lanes left[HIGH] = {0}, right[HIGH] = {0};
    for (ptrdiff_t r = 0; r < n; r++, scaled += stride, points += width)
        for (int k = 0; k < HIGH; k++) {
            add_share(&left[k], scaled[k], points);
            add_share(&right[k], scaled[k], points + LANES);
        }
    for (int k = 0; k < HIGH; k++) {
        add_to(squares + k * width, &left[k]);
        add_to(squares + k * width + LANES, &right[k]);
    }
}

/* The lower half of ``squares``, (columns, width). A few points at a time, which stay at hand. */
FUSED void gram(const Part *part, const double *theta, const Newton *newton) {
    ptrdiff_t width = part->width, offsets = part->columns - part->weights;
    ptrdiff_t stride = width + padded(offsets);
    const double *coupled = newton->coupled;
    memset(newton->squares, 0, stride * width * sizeof(double));
    for (ptrdiff_t begin = 0; begin < part->points; begin += POINTS_AT_ONCE) {
        ptrdiff_t left = part->points - begin, n = left < POINTS_AT_ONCE ? left : POINTS_AT_ONCE;
        const double *points = part->values + begin * width;
        for (ptrdiff_t r = 0; r < n; r++) {
            double *scaled = newton->scaled + r * stride;
            for (ptrdiff_t i = 0; i < width; i++)
                scaled[i] = theta[begin + r] * points[r * width + i];
            for (ptrdiff_t k = 0; k < offsets; k++)
                scaled[part->weights + k] = coupled[(begin + r) * offsets + k];
        }
        for (ptrdiff_t i = 0; i < part->columns; i += HIGH)
            for (ptrdiff_t j = 0; j < i + HIGH && j < part->weights; j += STRIP)
                add_square(newton->scaled + i, stride, points + j, width, n,
                           newton->squares + i * width + j);
    }
}
