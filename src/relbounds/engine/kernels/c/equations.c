/* Equations of one symmetric matrix, of as many lines as strips are long or a multiple of that.

   Its upper half becomes Cholesky's factor, whose lines are read as they lie: sums over lines above
   run in squares of 4 x 8 numbers that stay in registers. */

#include "interior.h"
#include "lanes.h"
#include <math.h>

enum { HIGH = 4, LINES_AT_ONCE = 48 }; /* as many stay at hand */

/* Take off four lines, from a column on, what lines above have to do with them. */
INLINE void take_off(const double *restrict above, ptrdiff_t n, ptrdiff_t count, ptrdiff_t line,
                     ptrdiff_t column, double *restrict lines) {
    Lanes left[HIGH] = {0}, right[HIGH] = {0};
    for (ptrdiff_t k = 0; k < count; k++, above += n)
        for (int h = 0; h < HIGH; h++) {
            add_share(&left[h], -above[line + h], above + column);
            add_share(&right[h], -above[line + h], above + column + LANES);
        }
    for (int h = 0; h < HIGH; h++) {
        add_to(lines + h * n + column, &left[h]);
        add_to(lines + h * n + column + LANES, &right[h]);
    }
}

/* The same of all lines that begin at ``first``, up to ``last``. */
INLINE void take_off_all(double *matrix, ptrdiff_t n, ptrdiff_t from, ptrdiff_t count,
                         ptrdiff_t first, ptrdiff_t last) {
    for (ptrdiff_t line = first; count && line < last; line += HIGH)
        for (ptrdiff_t column = line / STRIP * STRIP; column < n; column += STRIP)
            take_off(matrix + from * n, n, count, line, column, matrix + line * n);
}

/* Four lines among themselves. */
INLINE void finish_lines(double *restrict lines, ptrdiff_t n, ptrdiff_t first) {
    for (int h = 0; h < HIGH; h++) {
        double *restrict line = lines + h * n;
        for (int above = 0; above < h; above++) {
            const double *restrict other = lines + above * n;
            double share = other[first + h];
            for (ptrdiff_t i = first + h; i < n; i++)
                line[i] -= share * other[i];
        }
        double root = sqrt(line[first + h]), inverse = 1 / root;
        line[first + h] = root;
        for (ptrdiff_t i = first + h + 1; i < n; i++)
            line[i] *= inverse;
    }
}

/* Not numbers where there is no factor. */
FUSED void factor_upper(double *matrix, ptrdiff_t n) {
    for (ptrdiff_t from = 0; from < n; from += LINES_AT_ONCE) {
        ptrdiff_t end = from + LINES_AT_ONCE < n ? from + LINES_AT_ONCE : n;
        for (ptrdiff_t line = from; line < end; line += HIGH) {
            take_off_all(matrix, n, from, line - from, line, line + HIGH);
            finish_lines(matrix + line * n, n, line);
        }
        take_off_all(matrix, n, from, end - from, end, n);
    }
}

/* Four right-hand sides at once, (n, 4), which become solutions; ``inverse``: room for a line. */
FUSED void solve_four(const double *restrict factor, ptrdiff_t n, double *restrict inverse,
                      double *restrict sides) {
    for (ptrdiff_t k = 0; k < n; k++)
        inverse[k] = 1 / factor[k * (n + 1)];
    for (ptrdiff_t k = 0; k < n; k++) {
        Lanes found = {0};
        add_share(&found, inverse[k], sides + k * LANES);
        put(sides + k * LANES, &found);
        for (ptrdiff_t i = k + 1; i < n; i++)
            take_share(sides + i * LANES, factor[k * n + i], &found);
    }
    for (ptrdiff_t k = n - 1; k >= 0; k--) {
        const double *line = factor + k * n;
        Lanes sums[2] = {0}, found = {0};
        ptrdiff_t i = k + 1;
        for (; i + 2 <= n; i += 2) {
            add_share(&sums[0], -line[i], sides + i * LANES);
            add_share(&sums[1], -line[i + 1], sides + (i + 1) * LANES);
        }
        if (i < n)
            add_share(&sums[0], -line[i], sides + i * LANES);
        add_to(sides + k * LANES, &sums[0]);
        add_to(sides + k * LANES, &sums[1]);
        add_share(&found, inverse[k], sides + k * LANES);
        put(sides + k * LANES, &found);
    }
}
