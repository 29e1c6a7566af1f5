/* ``Z`` and ``Z'`` times something, and the matrix of Newton's equations; own columns stand last. */

#include "interior.h"
#include "lanes.h"
#include "lines.h"
#include <string.h>

enum { HIGH = 4 };
static const double REGULAR = 1e-13; /* of the diagonal: keeps factors of singular matrices finite */

/* ``Z'`` times values of n rows, four rows at a time; ``sums`` is as wide as they are. */
FUSED static void shared_back(const Program *p, const double *restrict rows,
                              const double *restrict of, ptrdiff_t n, double *restrict model) {
    double *restrict sums = p->sums;
    ptrdiff_t width = p->width, r = 0;
    memset(sums, 0, width * sizeof(double));
    for (; r + HIGH <= n; r += HIGH, rows += HIGH * width)
        for (ptrdiff_t i = 0; i < width; i += LANES) {
            Lanes strip = {0};
            for (int k = 0; k < HIGH; k++)
                add_share(&strip, of[r + k], rows + k * width + i);
            add_to(sums + i, &strip);
        }
    for (; r < n; r++, rows += width)
        add_line(of[r], rows, width, sums);
    memcpy(model, sums, p->q * sizeof(double));
}

WIDE void back(const Program *p, const Line *line, const double *of, ptrdiff_t n, double *model) {
    shared_back(p, p->rows, of, n, model);
    for (ptrdiff_t e = 0; e < p->e; e++) {
        ptrdiff_t from = p->spans[2 * e], end = p->spans[2 * e + 1], to = end < n ? end : n;
        const double *own = line->own + e * p->m;
        model[p->q + e] = to > from ? product_of(of + from, own + from, to - from) : 0;
    }
}

/* ``Z`` times the shared part of a model, with zeros behind it, four rows at a time. */
FUSED static void shared_forth(const Program *p, const double *restrict model,
                               double *restrict moved) {
    ptrdiff_t width = p->width, r = 0;
    for (; r + HIGH <= p->m; r += HIGH) {
        const double *rows = p->rows + r * width;
        Lanes sums[HIGH] = {0};
        for (ptrdiff_t i = 0; i < width; i += LANES)
            for (int k = 0; k < HIGH; k++)
                add_products(&sums[k], rows + k * width + i, model + i);
        for (int k = 0; k < HIGH; k++)
            moved[r + k] = total_of(&sums[k]);
    }
    for (; r < p->m; r++)
        moved[r] = product_of(p->rows + r * width, model, width);
}

WIDE void forth(const Program *p, const Line *line, Newton *newton) {
    memset(newton->values, 0, p->width * sizeof(double));
    memcpy(newton->values, newton->model, p->q * sizeof(double));
    shared_forth(p, newton->values, newton->moved);
    for (ptrdiff_t e = 0; e < p->e; e++) {
        ptrdiff_t from = p->spans[2 * e], n = p->spans[2 * e + 1] - from;
        add_line(newton->model[p->q + e], line->own + e * p->m + from, n, newton->moved + from);
    }
}

/* What rows that are alike weigh together. */
static const double *together(const Program *p, const Part *part, const Newton *newton) {
    if (part->rows == p->m)
        return newton->theta;
    for (ptrdiff_t r = 0; r < part->rows; r++) {
        double sum = 0;
        for (int64_t at = part->first[r]; at < part->first[r + 1]; at++)
            sum += newton->theta[part->order[at]];
        newton->together[r] = sum;
    }
    return newton->together;
}

static void add_part(const Program *p, const Part *part, Newton *newton) {
    gram(part, together(p, part, newton), newton->scaled, newton->squares);
    for (ptrdiff_t i = 0; i < part->columns; i++) {
        double *line = newton->matrix + part->column[i] * p->model;
        for (ptrdiff_t j = 0; j <= i; j++)
            line[part->column[j]] = newton->squares[i * part->width + j];
    }
}

/* The line of an own column. */
WIDE static void add_own(const Program *p, const Line *line, ptrdiff_t e, Newton *newton) {
    ptrdiff_t from = p->spans[2 * e], to = p->spans[2 * e + 1];
    double *of = newton->matrix + (p->q + e) * p->model;
    for (ptrdiff_t r = from; r < to; r++)
        newton->weighted[r] = newton->theta[r] * line->own[e * p->m + r];
    shared_back(p, p->rows + from * p->width, newton->weighted + from, to - from, of);
    for (ptrdiff_t f = 0; f <= e; f++) {
        ptrdiff_t begin = p->spans[2 * f] > from ? p->spans[2 * f] : from;
        ptrdiff_t end = p->spans[2 * f + 1] < to ? p->spans[2 * f + 1] : to;
        const double *other = line->own + f * p->m;
        of[p->q + f] = 0;
        if (end > begin)
            of[p->q + f] = product_of(newton->weighted + begin, other + begin, end - begin);
    }
}

/* Its lower half. */
void normal_matrix(const Program *p, const Line *line, Newton *newton) {
    memset(newton->matrix, 0, p->model * p->model * sizeof(double));
    for (ptrdiff_t index = 0; index < p->n_parts; index++)
        add_part(p, &p->parts[index], newton);
    for (ptrdiff_t e = 0; e < p->e; e++)
        add_own(p, line, e, newton);
    for (ptrdiff_t i = 0; i < p->weights; i++)
        newton->matrix[place_of(p, i) * (p->model + 1)] += newton->stiff[i];
    for (ptrdiff_t i = 0; i < p->model; i++)
        newton->matrix[i * (p->model + 1)] *= 1 + REGULAR;
}
