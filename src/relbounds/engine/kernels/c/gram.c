/* ``Z' diag(theta) Z`` of the points of one part, in squares of 4 x 12 numbers that stay in registers;
   4 x 24 in the twins of ``widest``.

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

/* Lines of what is coupled with points, from one to another; the last four are filled up. */
INLINE void add_coupled(const Program *p, const Part *part, ptrdiff_t begin, ptrdiff_t n,
                        ptrdiff_t from, ptrdiff_t to, const Newton *newton, double *squares) {
    for (ptrdiff_t k = from; k < to; k += HIGH, squares += HIGH * part->width) {
        const double *lines[HIGH];
        for (ptrdiff_t h = 0; h < HIGH; h++)
            lines[h] = coupled_with(p, part, begin, k + h < to ? k + h : k, newton);
        add_lines(lines, 1, part->values + begin * part->width, part->width, n, 0, squares);
    }
}

/* Of weights the upper half of ``squares``, (lines, width). A few points at a time, which stay at
   hand. */
FUSED void gram(const Program *p, const Part *part, const Newton *newton) {
    ptrdiff_t width = part->width, coupled = part->columns - part->weights + p->e + VECTORS;
    double *scaled = newton->scaled, *of_coupled = newton->squares + part->high * width;
    memset(newton->squares, 0, (part->high + padded(coupled)) * width * sizeof(double));
    for (ptrdiff_t begin = 0; begin < part->points; begin += POINTS_AT_ONCE) {
        ptrdiff_t left = part->points - begin, n = left < POINTS_AT_ONCE ? left : POINTS_AT_ONCE;
        const double *points = part->values + begin * width, *theta = newton->coupled + part->first;
        for (ptrdiff_t r = 0; r < n; r++)
            for (ptrdiff_t i = 0; i < width; i++)
                scaled[r * width + i] = theta[begin + r] * points[r * width + i];
        for (ptrdiff_t i = 0; i < part->high; i += HIGH) {
            const double *lines[HIGH] = {scaled + i, scaled + i + 1, scaled + i + 2, scaled + i + 3};
            add_lines(lines, width, points, width, n, i / LANES * LANES, newton->squares + i * width);
        }
        add_coupled(p, part, begin, n, 0, coupled, newton, of_coupled);
    }
}

/* The same in single precision, twice as many numbers in a register. */
INLINE void add_rough_square(const float *const lines[HIGH], ptrdiff_t stride,
                             const float *restrict points, ptrdiff_t width, ptrdiff_t n, int count,
                             float *restrict squares) {
    RoughLanes sums[HIGH][MOST_LANES] = {0};
    for (ptrdiff_t r = 0; r < n; r++, points += width)
        for (int k = 0; k < HIGH; k++)
            for (int l = 0; l < count; l++)
                add_rough_share(&sums[k][l], lines[k][r * stride], points + l * ROUGH_LANES);
    for (int k = 0; k < HIGH; k++)
        for (int l = 0; l < count; l++)
            add_rough_to(squares + k * width + l * ROUGH_LANES, &sums[k][l]);
}

INLINE void add_rough_lines(const float *const lines[HIGH], ptrdiff_t stride, const float *points,
                            ptrdiff_t width, ptrdiff_t n, ptrdiff_t from, float *squares) {
    for (ptrdiff_t left = (width - from) / ROUGH_LANES, count; left;
         left -= count, from += count * ROUGH_LANES) {
        count = left == 4 || left == 2 ? 2 : left == 1 ? 1 : 3;
        if (count == 3)
            add_rough_square(lines, stride, points + from, width, n, 3, squares + from);
        else if (count == 2)
            add_rough_square(lines, stride, points + from, width, n, 2, squares + from);
        else
            add_rough_square(lines, stride, points + from, width, n, 1, squares + from);
    }
}

/* Those of ``add_coupled``, copied. */
INLINE void add_rough_coupled(const Program *p, const Part *part, ptrdiff_t begin, ptrdiff_t n,
                              ptrdiff_t count, const Newton *newton, float *copies, float *squares) {
    ptrdiff_t width = part->rough_width;
    for (ptrdiff_t k = 0; k < count; k++) {
        const double *line = coupled_with(p, part, begin, k, newton);
        for (ptrdiff_t r = 0; r < n; r++)
            copies[k * POINTS_AT_ONCE + r] = (float)line[r];
    }
    for (ptrdiff_t k = 0; k < count; k += HIGH) {
        const float *lines[HIGH];
        for (ptrdiff_t h = 0; h < HIGH; h++)
            lines[h] = copies + (k + h < count ? k + h : k) * POINTS_AT_ONCE;
        add_rough_lines(lines, 1, part->rough + begin * width, width, n, 0, squares + k * width);
    }
}

/* ``gram`` with lines of weights, offsets and own columns in single precision: half the time. Those of
   vectors stay exact. */
FUSED void rough_gram(const Program *p, const Part *part, const Newton *newton) {
    ptrdiff_t width = part->rough_width, coupled = part->columns - part->weights + p->e;
    ptrdiff_t lines_in_all = part->high + coupled;
    float *scaled = newton->rough_scaled, *squares = newton->rough_squares;
    double *of_vectors = newton->squares + lines_in_all * part->width;
    memset(squares, 0, (part->high + padded(coupled)) * width * sizeof(float));
    memset(of_vectors, 0, HIGH * part->width * sizeof(double));
    for (ptrdiff_t begin = 0; begin < part->points; begin += POINTS_AT_ONCE) {
        ptrdiff_t left = part->points - begin, n = left < POINTS_AT_ONCE ? left : POINTS_AT_ONCE;
        const float *points = part->rough + begin * width;
        const double *together = newton->coupled + part->first + begin;
        for (ptrdiff_t r = 0; r < n; r++) {
            float theta = (float)together[r];
            for (ptrdiff_t i = 0; i < width; i++)
                scaled[r * width + i] = theta * points[r * width + i];
        }
        for (ptrdiff_t i = 0; i < part->high; i += HIGH) {
            const float *lines[HIGH] = {scaled + i, scaled + i + 1, scaled + i + 2, scaled + i + 3};
            add_rough_lines(lines, width, points, width, n, i / ROUGH_LANES * ROUGH_LANES,
                            squares + i * width);
        }
        add_rough_coupled(p, part, begin, n, coupled, newton, scaled + POINTS_AT_ONCE * width,
                          squares + part->high * width);
        add_coupled(p, part, begin, n, coupled, coupled + VECTORS, newton, of_vectors);
    }
    for (ptrdiff_t i = 0; i < lines_in_all; i++)
        for (ptrdiff_t j = 0; j < part->width; j++)
            newton->squares[i * part->width + j] = squares[i * width + j];
}
