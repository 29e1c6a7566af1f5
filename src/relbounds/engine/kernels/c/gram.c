/* ``Z' diag(theta) Z`` of one part, in squares of 4 x 8 numbers that stay in registers. */

#include "interior.h"
#include "lanes.h"
#include <string.h>

enum { HIGH = 4 };

INLINE void add_square(const double *restrict scaled, const double *restrict rows, ptrdiff_t n,
                       ptrdiff_t width, double *restrict squares) {
    Lanes left[HIGH] = {0}, right[HIGH] = {0};
    for (ptrdiff_t r = 0; r < n; r++, scaled += width, rows += width)
        for (int k = 0; k < HIGH; k++) {
            add_share(&left[k], scaled[k], rows);
            add_share(&right[k], scaled[k], rows + LANES);
        }
    for (int k = 0; k < HIGH; k++) {
        add_to(squares + k * width, &left[k]);
        add_to(squares + k * width + LANES, &right[k]);
    }
}

/* Into the lower half of ``squares``, (width, width). A few rows at a time, which stay at hand. */
FUSED void gram(const Part *part, const double *theta, double *scaled, double *squares) {
    ptrdiff_t width = part->width;
    memset(squares, 0, width * width * sizeof(double));
    for (ptrdiff_t begin = 0; begin < part->rows; begin += ROWS_AT_ONCE) {
        ptrdiff_t left = part->rows - begin, n = left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE;
        const double *rows = part->squared + begin * width;
        for (ptrdiff_t r = 0; r < n; r++)
            for (ptrdiff_t i = 0; i < width; i++)
                scaled[r * width + i] = theta[begin + r] * rows[r * width + i];
        for (ptrdiff_t i = 0; i < part->columns; i += HIGH)
            for (ptrdiff_t j = 0; j < i + HIGH; j += STRIP)
                add_square(scaled + i, rows + j, n, width, squares + i * width + j);
    }
}
