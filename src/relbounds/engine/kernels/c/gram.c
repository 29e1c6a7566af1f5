/* ``Z' diag(theta) Z`` of the points of one part, in squares of 4 x 8 numbers that stay in registers.

   Below the lines of weights stand those of offsets, of own columns and of vectors, which are coupled
   with points by their rows: what else the table is multiplied with takes no pass of its own. */

#include "interior.h"
#include "squares.h"
#include <string.h>

/* What is coupled with points of a part from one on: its offsets, then own columns, then vectors. */
INLINE const double *coupled_with(const Program *p, const Part *part, ptrdiff_t begin, ptrdiff_t k,
                                  const Newton *newton) {
    ptrdiff_t offsets = part->columns - part->weights;
    ptrdiff_t at = k < offsets ? coupled_offset(part->column[part->weights + k] - p->d)
                               : coupled_own(p, k - offsets);
    return newton->coupled + at * p->n_points + part->first + begin;
}

/* Of weights the upper half of ``squares``, (lines, width). A few points at a time, which stay at
   hand. */
FUSED void gram(const Program *p, const Part *part, const Newton *newton) {
    ptrdiff_t width = part->width, lines = part->columns + p->e + VECTORS;
    ptrdiff_t stride = width + padded(lines - part->weights);
    memset(newton->squares, 0, stride * width * sizeof(double));
    for (ptrdiff_t begin = 0; begin < part->points; begin += POINTS_AT_ONCE) {
        ptrdiff_t left = part->points - begin, n = left < POINTS_AT_ONCE ? left : POINTS_AT_ONCE;
        const double *points = part->values + begin * width, *theta = newton->coupled + part->first;
        for (ptrdiff_t r = 0; r < n; r++)
            for (ptrdiff_t i = 0; i < width; i++)
                newton->scaled[r * stride + i] = theta[begin + r] * points[r * width + i];
        for (ptrdiff_t k = part->weights; k < lines; k++) {
            const double *coupled = coupled_with(p, part, begin, k - part->weights, newton);
            for (ptrdiff_t r = 0; r < n; r++)
                newton->scaled[r * stride + k] = coupled[r];
        }
        for (ptrdiff_t i = 0; i < lines; i += HIGH)
            add_lines(newton->scaled + i, stride, points, width, n, i + HIGH <= part->weights ? i : 0,
                      newton->squares + i * width);
    }
}

/* The same in single precision, eight numbers in a register. */
INLINE void add_rough_square(const float *restrict scaled, ptrdiff_t stride,
                             const float *restrict points, ptrdiff_t width, ptrdiff_t n, int count,
                             float *restrict squares) {
    RoughLanes sums[HIGH][MOST_LANES] = {0};
    for (ptrdiff_t r = 0; r < n; r++, scaled += stride, points += width)
        for (int k = 0; k < HIGH; k++)
            for (int l = 0; l < count; l++)
                add_rough_share(&sums[k][l], scaled[k], points + l * ROUGH_LANES);
    for (int k = 0; k < HIGH; k++)
        for (int l = 0; l < count; l++)
            add_rough_to(squares + k * width + l * ROUGH_LANES, &sums[k][l]);
}

INLINE void add_rough_lines(const float *scaled, ptrdiff_t stride, const float *points,
                            ptrdiff_t width, ptrdiff_t n, ptrdiff_t from, float *squares) {
    for (ptrdiff_t left = (width - from) / ROUGH_LANES, count; left;
         left -= count, from += count * ROUGH_LANES) {
        count = left == 4 || left == 2 ? 2 : left == 1 ? 1 : 3;
        if (count == 3)
            add_rough_square(scaled, stride, points + from, width, n, 3, squares + from);
        else if (count == 2)
            add_rough_square(scaled, stride, points + from, width, n, 2, squares + from);
        else
            add_rough_square(scaled, stride, points + from, width, n, 1, squares + from);
    }
}

/* ``gram`` with lines of weights, offsets and own columns in single precision: half the time. Those of
   vectors stay exact. */
FUSED void rough_gram(const Program *p, const Part *part, const Newton *newton) {
    ptrdiff_t width = part->rough_width, lines = part->columns + p->e;
    ptrdiff_t stride = width + padded(lines - part->weights);
    float *scaled = newton->rough_scaled, *squares = newton->rough_squares;
    double *of_vectors = newton->squares + lines * part->width;
    memset(squares, 0, stride * width * sizeof(float));
    memset(of_vectors, 0, HIGH * part->width * sizeof(double));
    for (ptrdiff_t begin = 0; begin < part->points; begin += POINTS_AT_ONCE) {
        ptrdiff_t left = part->points - begin, n = left < POINTS_AT_ONCE ? left : POINTS_AT_ONCE;
        const float *points = part->rough + begin * width;
        const double *together = newton->coupled + part->first + begin;
        for (ptrdiff_t r = 0; r < n; r++) {
            float theta = (float)together[r];
            for (ptrdiff_t i = 0; i < width; i++)
                scaled[r * stride + i] = theta * points[r * width + i];
        }
        for (ptrdiff_t k = part->weights; k < lines; k++) {
            const double *coupled = coupled_with(p, part, begin, k - part->weights, newton);
            for (ptrdiff_t r = 0; r < n; r++)
                scaled[r * stride + k] = (float)coupled[r];
        }
        for (ptrdiff_t i = 0; i < lines; i += HIGH)
            add_rough_lines(scaled + i, stride, points, width, n,
                            i + HIGH <= part->weights ? i / ROUGH_LANES * ROUGH_LANES : 0,
                            squares + i * width);
        for (ptrdiff_t k = 0; k < HIGH; k++) {
            const double *coupled =
                coupled_with(p, part, begin, lines - part->weights + (k < VECTORS ? k : 0), newton);
            for (ptrdiff_t r = 0; r < n; r++)
                newton->scaled[r * HIGH + k] = coupled[r];
        }
        add_lines(newton->scaled, HIGH, part->values + begin * part->width, part->width, n, 0,
                  of_vectors);
    }
    for (ptrdiff_t i = 0; i < lines; i++)
        for (ptrdiff_t j = 0; j < part->width; j++)
            newton->squares[i * part->width + j] = squares[i * width + j];
}
