/* The matrix of Newton's equations, in its upper half, and what the table makes of vectors. */

#include "interior.h"
#include "lines.h"
#include <string.h>

static const double REGULAR = 1e-13; /* of the diagonal: keeps factors of singular matrices finite */

/* Rows of each point, added up: what they weigh, and their vectors. */
static void couple_vectors(const Program *p, const Line *line, Newton *newton) {
    double *restrict together = newton->coupled;
    double *restrict lean = newton->coupled + coupled_vector(p, LEAN) * p->n_points;
    double *restrict wish = newton->coupled + coupled_vector(p, WISH) * p->n_points;
    double *restrict held = newton->coupled + coupled_vector(p, HELD) * p->n_points;
    for (ptrdiff_t r = 0; r < p->m; r++) {
        int64_t point = p->point[r];
        double sign = p->sign[r];
        together[point] += newton->theta[r];
        wish[point] += sign * newton->weighted[r];
        held[point] += sign * line->dual[r];
    }
    for (ptrdiff_t r = 0; r < p->soft; r++)
        lean[p->point[r]] += p->sign[r] * newton->lean[r];
}

/* All that is coupled with points. */
static void couple(const Program *p, const Line *line, Newton *newton) {
    memset(newton->coupled, 0, coupled_lines(p) * p->n_points * sizeof(double));
    couple_vectors(p, line, newton);
    for (ptrdiff_t k = 0; k < p->q - p->d; k++) {
        double *restrict offset = newton->coupled + coupled_offset(k) * p->n_points;
        for (int64_t at = p->ends[k]; at < p->ends[k + 1]; at++) {
            int64_t r = p->row[at];
            offset[p->point[r]] += p->sign[r] * p->value[at] * newton->theta[r];
        }
    }
    for (ptrdiff_t e = 0; e < p->e; e++) {
        double *restrict own = newton->coupled + coupled_own(p, e) * p->n_points;
        for (int64_t r = p->spans[2 * e]; r < p->spans[2 * e + 1]; r++)
            own[p->point[r]] += p->sign[r] * newton->theta[r] * line->own[e * p->m + r];
    }
}

/* Squares of a part, added in its columns, which others may have, too. */
static void place(const Program *p, const Part *part, Newton *newton) {
    ptrdiff_t offsets = part->columns - part->weights;
    const double *squares = newton->squares, *of_offsets = squares + part->high * part->width;
    const double *of_own = of_offsets + offsets * part->width;
    const double *of_vectors = of_own + p->e * part->width;
    for (ptrdiff_t i = 0; i < part->weights; i++) {
        double *line = newton->matrix + part->column[i] * newton->lines;
        for (ptrdiff_t j = i; j < part->weights; j++)
            line[part->column[j]] += squares[i * part->width + j];
        for (ptrdiff_t k = 0; k < offsets; k++)
            line[part->column[part->weights + k]] += of_offsets[k * part->width + i];
        for (ptrdiff_t e = 0; e < p->e; e++)
            line[p->q + e] += of_own[e * part->width + i];
        for (int k = 0; k < VECTORS; k++)
            newton->back[k][part->column[i]] += of_vectors[k * part->width + i];
    }
}

/* Squares of offsets, where these are all. */
static void add_squares_of_offsets(const Program *p, Newton *newton) {
    for (ptrdiff_t k = 0; k < p->q - p->d; k++) {
        double sum = 0;
        for (int64_t at = p->ends[k]; at < p->ends[k + 1]; at++)
            sum += p->value[at] * p->value[at] * newton->theta[p->row[at]];
        newton->matrix[(p->d + k) * (newton->lines + 1)] = sum;
    }
}

/* Squares and products of offsets, which ``moved`` has room for. */
static void add_offsets(const Program *p, Newton *newton) {
    if (p->are_apart) {
        add_squares_of_offsets(p, newton);
        return;
    }
    memset(newton->moved, 0, p->m * sizeof(double));
    for (ptrdiff_t k = 0; k < p->q - p->d; k++) {
        double *line = newton->matrix + (p->d + k) * newton->lines + p->d;
        for (int64_t at = p->ends[k]; at < p->ends[k + 1]; at++)
            newton->moved[p->row[at]] = p->value[at] * newton->theta[p->row[at]];
        for (ptrdiff_t l = k; l < p->q - p->d; l++)
            line[l] = offset_back(p, l, newton->moved, 0, p->m);
        for (int64_t at = p->ends[k]; at < p->ends[k + 1]; at++)
            newton->moved[p->row[at]] = 0;
    }
}

/* Products of an own column with offsets, and with own ones up to it. */
WIDE static void add_own(const Program *p, const Line *line, ptrdiff_t e, Newton *newton) {
    ptrdiff_t from = p->spans[2 * e], to = p->spans[2 * e + 1], n = newton->lines;
    double *of = newton->matrix + p->q + e;
    for (ptrdiff_t r = from; r < to; r++)
        newton->moved[r] = newton->theta[r] * line->own[e * p->m + r];
    for (ptrdiff_t k = p->d; k < p->q; k++)
        of[k * n] = offset_back(p, k - p->d, newton->moved, from, to);
    for (ptrdiff_t f = 0; f <= e; f++) {
        ptrdiff_t begin = p->spans[2 * f] > from ? p->spans[2 * f] : from;
        ptrdiff_t end = p->spans[2 * f + 1] < to ? p->spans[2 * f + 1] : to;
        const double *other = line->own + f * p->m;
        of[(p->q + f) * n] = 0;
        if (end > begin)
            of[(p->q + f) * n] = product_of(newton->moved + begin, other + begin, end - begin);
    }
}

void normal_matrix(const Program *p, const Line *line, int is_rough, Newton *newton) {
    ptrdiff_t n = newton->lines;
    memset(newton->matrix, 0, n * n * sizeof(double));
    couple(p, line, newton);
    for (int k = 0; k < VECTORS; k++)
        memset(newton->back[k], 0, p->d * sizeof(double));
    for (ptrdiff_t index = 0; index < p->n_parts; index++) {
        (is_rough ? WIDEST_OF(rough_gram) : WIDEST_OF(gram))(p, &p->parts[index], newton);
        place(p, &p->parts[index], newton);
    }
    add_offsets(p, newton);
    for (ptrdiff_t e = 0; e < p->e; e++)
        add_own(p, line, e, newton);
    back_beside(p, line, newton->lean, p->soft, newton->back[LEAN]);
    back_beside(p, line, newton->weighted, p->m, newton->back[WISH]);
    back_beside(p, line, line->dual, p->m, newton->back[HELD]);
    for (ptrdiff_t i = 0; i < p->weights; i++)
        newton->matrix[place_of(p, i) * (n + 1)] += newton->stiff[i];
    for (ptrdiff_t i = 0; i < p->model; i++)
        newton->matrix[i * (n + 1)] *= 1 + REGULAR;
    for (ptrdiff_t i = p->model; i < n; i++)
        newton->matrix[i * (n + 1)] = 1; /* equations of nothing: lines come in strips */
}
