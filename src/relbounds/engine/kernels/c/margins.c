/* Passes over rows of a feasible set, a line of a batch at a time: what models make of rows, and what
   multipliers make of points and offsets; see ``rows`` and ``multipliers``. */

#include "kernels.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Rows ``sign * x_point . w + t . b >= margin``; entries of t lie row by row. */
typedef struct {
    ptrdiff_t m;
    const int64_t *point, *ends, *column;
    const double *sign, *value, *margin, *weight, *surplus_weight;
} Rows;

enum { OF_ROWS = 8 }; /* arrays */

static Rows rows_of(const Array *arrays) {
    return (Rows){
        .m = arrays[0].shape[0],
        .point = arrays[0].data, .sign = arrays[1].data, .ends = arrays[2].data,
        .column = arrays[3].data, .value = arrays[4].data, .margin = arrays[5].data,
        .weight = arrays[6].data, .surplus_weight = arrays[7].data,
    };
}

/* rows; scores, offsets; by how much each margin is missed */
void miss(const Array *arrays) {
    Rows rows = rows_of(arrays);
    const Array *given = arrays + OF_ROWS;
    for (ptrdiff_t b = 0; b < given[0].shape[0]; b++) {
        const double *restrict scores = (double *)given[0].data + b * given[0].shape[1];
        const double *restrict offsets = (double *)given[1].data + b * given[1].shape[1];
        double *restrict missed = (double *)given[2].data + b * rows.m;
        for (ptrdiff_t r = 0; r < rows.m; r++) {
            double value = rows.sign[r] * scores[rows.point[r]], added = 0;
            for (int64_t at = rows.ends[r]; at < rows.ends[r + 1]; at++)
                added += rows.value[at] * offsets[rows.column[at]];
            missed[r] = rows.margin[r] - (value + added);
        }
    }
}

/* rows; by how much margins are missed; losses, and the most by which a row is that has to be kept */
void price(const Array *arrays) {
    Rows rows = rows_of(arrays);
    const Array *given = arrays + OF_ROWS;
    for (ptrdiff_t b = 0; b < given[0].shape[0]; b++) {
        const double *restrict missed = (double *)given[0].data + b * rows.m;
        double loss = 0, worst = 0;
        for (ptrdiff_t r = 0; r < rows.m; r++) {
            if (!(missed[r] > 0))
                loss -= rows.surplus_weight[r] * missed[r];
            else if (!isinf(rows.weight[r]))
                loss += rows.weight[r] * missed[r];
            else if (missed[r] > worst)
                worst = missed[r];
        }
        ((double *)given[1].data)[b] = loss;
        ((double *)given[2].data)[b] = isnan(loss) ? NAN : worst;
    }
}

/* What a multiplier asks the loss to cost at least; not a number if that is nothing. */
static inline double worth_of(const Rows *rows, ptrdiff_t r, double alpha) {
    return alpha < 0 ? -alpha / rows->surplus_weight[r] : alpha / rows->weight[r];
}

/* rows; multipliers; their sums by point and by offset, what the loss has to cost, and their sum over
   margins. Negative ones count where a surplus costs something. */
void combine(const Array *arrays) {
    Rows rows = rows_of(arrays);
    const Array *given = arrays + OF_ROWS;
    ptrdiff_t n = given[1].shape[1], k = given[2].shape[1];
    for (ptrdiff_t b = 0; b < given[0].shape[0]; b++) {
        const double *restrict multipliers = (double *)given[0].data + b * rows.m;
        double *restrict of_points = (double *)given[1].data + b * n;
        double *restrict of_offsets = (double *)given[2].data + b * k;
        double worth = 0, margins = 0;
        memset(of_points, 0, n * sizeof(double));
        memset(of_offsets, 0, k * sizeof(double));
        for (ptrdiff_t r = 0; r < rows.m; r++) {
            double alpha = multipliers[r];
            if (alpha == 0 || (alpha < 0 && !(rows.surplus_weight[r] > 0)))
                continue;
            worth = most(worth_of(&rows, r, alpha), worth);
            margins += alpha * rows.margin[r];
            of_points[rows.point[r]] += alpha * rows.sign[r];
            for (int64_t at = rows.ends[r]; at < rows.ends[r + 1]; at++)
                of_offsets[rows.column[at]] += alpha * rows.value[at];
        }
        ((double *)given[3].data)[b] = worth;
        ((double *)given[4].data)[b] = margins;
    }
}

/* The most, or minus the least, that offsets of a row other than one add to it. */
static double others(const Rows *rows, ptrdiff_t r, int64_t own, const double *low,
                     const double *high) {
    double sum = 0;
    for (int64_t at = rows->ends[r]; at < rows->ends[r + 1]; at++)
        if (at != own)
            sum += rows->value[at] * (rows->value[at] > 0 ? high : low)[rows->column[at]];
    return sum;
}

/* Limits of the offsets of a row by what is known of others. */
static void narrow(const Rows *rows, ptrdiff_t r, double reach, double loss, const double *known,
                   ptrdiff_t k, double *box) {
    double surplus = rows->surplus_weight[r];
    double below = rows->margin[r] - loss / rows->weight[r] - reach;
    double above = rows->margin[r] + (surplus > 0 ? loss / surplus : INFINITY) + reach;
    for (int64_t at = rows->ends[r]; at < rows->ends[r + 1]; at++) {
        double value = rows->value[at], *low = box + rows->column[at], *high = low + k;
        double one = (below - others(rows, r, at, known, known + k)) / value;
        double other = (above - others(rows, r, at, known + k, known)) / value;
        double from = value > 0 ? one : other, to = value > 0 ? other : one;
        if (from > *low)
            *low = from;
        if (to < *high)
            *high = to;
    }
}

/* rows; reach of points, loss, what is known of offsets, lowest and then highest values; the same, with
   what rows say of them */
void limit(const Array *arrays) {
    Rows rows = rows_of(arrays);
    const Array *given = arrays + OF_ROWS;
    const double *reach = given[0].data;
    double loss = *(double *)given[1].data, *box = given[3].data;
    for (ptrdiff_t r = 0; r < rows.m; r++)
        narrow(&rows, r, reach[rows.point[r]] * fabs(rows.sign[r]), loss, given[2].data,
               given[2].shape[1], box);
}
