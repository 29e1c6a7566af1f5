/* ``Z`` and ``Z'`` times something; own columns stand last. */

#include "interior.h"
#include "lanes.h"
#include "lines.h"
#include <string.h>

enum { HIGH = 4 };

/* Points of a part times their values, four points at a time; ``sums`` is as wide as they are. */
FUSED static void points_back(const Part *part, const double *restrict of, double *restrict sums) {
    const double *restrict points = part->values;
    ptrdiff_t width = part->width, r = 0;
    memset(sums, 0, width * sizeof(double));
    for (; r + HIGH <= part->points; r += HIGH, points += HIGH * width)
        for (ptrdiff_t i = 0; i < width; i += LANES) {
            Lanes strip = {0};
            for (int k = 0; k < HIGH; k++)
                add_share(&strip, of[r + k], points + k * width + i);
            add_to(sums + i, &strip);
        }
    for (; r < part->points; r++, points += width)
        add_line(of[r], points, width, sums);
}

/* Entries of an offset times values of some rows; in four sums, see ``product_of``. */
double offset_back(const Program *p, ptrdiff_t k, const double *of, ptrdiff_t from, ptrdiff_t to) {
    ptrdiff_t begin = p->ends[k], end = p->ends[k + 1];
    double lanes[LANES] = {0};
    while (begin < end && p->row[begin] < from)
        begin++;
    while (begin < end && p->row[end - 1] >= to)
        end--;
    for (; begin + LANES <= end; begin += LANES)
        for (int k = 0; k < LANES; k++)
            lanes[k] += p->value[begin + k] * of[p->row[begin + k]];
    for (; begin < end; begin++)
        lanes[0] += p->value[begin] * of[p->row[begin]];
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

/* What is left of ``Z'`` times values of the first rows: at offsets and own columns. */
WIDE void back_beside(const Program *p, const Line *line, const double *of, ptrdiff_t n,
                      double *model) {
    for (ptrdiff_t k = 0; k < p->q - p->d; k++)
        model[p->d + k] = offset_back(p, k, of, 0, n);
    for (ptrdiff_t e = 0; e < p->e; e++) {
        ptrdiff_t from = p->spans[2 * e], end = p->spans[2 * e + 1], to = end < n ? end : n;
        const double *own = line->own + e * p->m;
        model[p->q + e] = to > from ? product_of(of + from, own + from, to - from) : 0;
    }
}

/* ``Z'`` times values of all rows, which are added up by point first. */
void back(const Program *p, const Line *line, const double *restrict of, double *restrict model) {
    double *restrict of_points = p->of_points;
    memset(of_points, 0, p->n_points * sizeof(double));
    memset(model, 0, p->d * sizeof(double));
    for (ptrdiff_t r = 0; r < p->m; r++)
        of_points[p->point[r]] += p->sign[r] * of[r];
    for (ptrdiff_t index = 0; index < p->n_parts; index++) {
        const Part *part = &p->parts[index];
        points_back(part, of_points + part->first, p->sums);
        for (ptrdiff_t i = 0; i < part->weights; i++)
            model[part->column[i]] += p->sums[i];
    }
    back_beside(p, line, of, p->m, model);
}

/* Scores of the points of a part, four at a time; ``weights`` have zeros behind them. */
FUSED static void points_forth(const Part *part, const double *restrict weights,
                               double *restrict scores) {
    ptrdiff_t width = part->width, r = 0;
    for (; r + HIGH <= part->points; r += HIGH) {
        const double *points = part->values + r * width;
        Lanes sums[HIGH] = {0};
        for (ptrdiff_t i = 0; i < width; i += LANES)
            for (int k = 0; k < HIGH; k++)
                add_products(&sums[k], points + k * width + i, weights + i);
        for (int k = 0; k < HIGH; k++)
            scores[r + k] = total_of(&sums[k]);
    }
    for (; r < part->points; r++)
        scores[r] = product_of(part->values + r * width, weights, width);
}

static void shared_forth(const Program *p, const double *restrict model, double *restrict moved) {
    for (ptrdiff_t index = 0; index < p->n_parts; index++) {
        const Part *part = &p->parts[index];
        for (ptrdiff_t i = 0; i < part->width; i++)
            p->sums[i] = i < part->weights ? model[part->column[i]] : 0;
        points_forth(part, p->sums, p->of_points + part->first);
    }
    for (ptrdiff_t r = 0; r < p->m; r++)
        moved[r] = p->sign[r] * p->of_points[p->point[r]];
    for (ptrdiff_t k = 0; k < p->q - p->d; k++)
        for (int64_t at = p->ends[k]; at < p->ends[k + 1]; at++)
            moved[p->row[at]] += p->value[at] * model[p->d + k];
}

WIDE void forth(const Program *p, const Line *line, Newton *newton) {
    shared_forth(p, newton->model, newton->moved);
    for (ptrdiff_t e = 0; e < p->e; e++) {
        ptrdiff_t from = p->spans[2 * e], n = p->spans[2 * e + 1] - from;
        add_line(newton->model[p->q + e], line->own + e * p->m + from, n, newton->moved + from);
    }
}
