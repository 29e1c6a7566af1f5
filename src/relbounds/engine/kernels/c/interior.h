/* The interior point, one program after another; see ``newton`` and ``point`` for its form. */

#ifndef RELBOUNDS_INTERIOR_H
#define RELBOUNDS_INTERIOR_H

#include "kernels.h"
#include <stdint.h>

enum { MOST_LIMITS = 2, STRIP = 8, POINTS_AT_ONCE = 48 };

/* Rows that speak of the same columns, of which other parts may have some, too. A row is a point times its sign, and
   offsets: both rows of a sample share a point. ``values`` are those of the points, from ``first`` on
   in all, with zeros behind each; ``column`` are those of weights and then of offsets. Squares of weights are
   as many lines as are ``high``. */
typedef struct {
    ptrdiff_t points, first, weights, columns, high, width, rough_width;
    const int64_t *column;
    double *values;
    float *rough; /* the same in single precision */
} Part;

/* What all programs of a call share. ``size`` is that of V and U. */
typedef struct {
    ptrdiff_t m, soft, d, q, e, weights, model, limits, size, n_parts, n_points, entries;
    int64_t *point; /* of each row, */
    double *sign;   /* with this sign */
    int64_t *ends, *row; /* of entries of offsets, one column behind the other, */
    double *value;       /* and what they are; */
    int are_apart;       /* whether no row has two */
    const double *slack_price, *linear, *shares;
    double *prices; /* of all weights, own ones last */
    double *sums, *of_points; /* room for a line of weights, and of points */
    const int64_t *spans;
    Part *parts;
} Program;

/* Where a program is, and what only it has. */
typedef struct {
    double *primal, *dual, *offsets, *gap;
    const double *own, *own_linear;
    int has_gap;
} Line;

/* Vectors of rows that the table is multiplied with while it is squared: how rows lean on the loss,
   what they should move by, and U. */
enum { LEAN, WISH, HELD, VECTORS };

/* Newton's equations at a point, with room to work in. ``dual`` and ``model`` are what a step
   changes; ``border`` and ``solved_border`` have a line for each limit, ``matrix`` has ``lines``, and
   ``coupled`` those that follow. */
typedef struct {
    ptrdiff_t lines;
    double *ratio, *theta, *lean, *stiff, *weight_lean, *matrix, *border, *solved_border;
    double *wanted, *rows, *weighted, *moved, *dual, *model, *inverse, *sides;
    double *coupled, *scaled, *squares, *residual, *back[VECTORS];
    float *rough_scaled, *rough_squares;
    double slack_stiff, of_loss, between[MOST_LIMITS][MOST_LIMITS];
} Newton;

/* What is coupled with points by their rows, a line each: what rows weigh together, offsets, own columns
   and vectors. */
static inline ptrdiff_t coupled_offset(ptrdiff_t k) { return 1 + k; }
static inline ptrdiff_t coupled_own(const Program *p, ptrdiff_t e) { return 1 + p->q - p->d + e; }
static inline ptrdiff_t coupled_vector(const Program *p, int k) { return coupled_own(p, p->e) + k; }
static inline ptrdiff_t coupled_lines(const Program *p) { return coupled_vector(p, VECTORS); }

/* As many lanes as hold so many numbers. */
static inline ptrdiff_t padded(ptrdiff_t n) { return (n + STRIP - 1) / STRIP * STRIP; }

static inline Array line_of(const double *data, ptrdiff_t n) {
    return (Array){.data = (void *)data, .shape = {1, n, 1}};
}

/* Where in a model a weight stands, own ones last. */
static inline ptrdiff_t place_of(const Program *p, ptrdiff_t weight) {
    return weight < p->d ? weight : weight - p->d + p->q;
}

/* Where in V and U the parts of weights stand: plus, then minus, then limits. */
static inline ptrdiff_t at_plus(const Program *p) { return p->m + p->soft; }
static inline ptrdiff_t at_minus(const Program *p) { return p->m + p->soft + p->weights; }
static inline ptrdiff_t at_limits(const Program *p) { return p->m + p->soft + 2 * p->weights; }

/* loan.c */
HIDDEN void *loan_of(const Array *arrays, ptrdiff_t lines, Program *p, Newton *newton);
HIDDEN Line line_at(const Array *arrays, const Program *p, ptrdiff_t index);

/* equations.c */
HIDDEN void factor_upper(double *matrix, ptrdiff_t n);
HIDDEN void solve_four(const double *factor, ptrdiff_t n, double *inverse, double *sides);

/* gram.c */
HIDDEN void gram(const Program *p, const Part *part, const Newton *newton);
HIDDEN void rough_gram(const Program *p, const Part *part, const Newton *newton);

/* widest.c */
HIDDEN void widest_gram(const Program *p, const Part *part, const Newton *newton);
HIDDEN void widest_rough_gram(const Program *p, const Part *part, const Newton *newton);

/* rows.c */
HIDDEN double offset_back(const Program *p, ptrdiff_t k, const double *of, ptrdiff_t from,
                          ptrdiff_t to);
HIDDEN void back_beside(const Program *p, const Line *line, const double *of, ptrdiff_t n,
                        double *model);
HIDDEN void back(const Program *p, const Line *line, const double *of, double *model);
HIDDEN void forth(const Program *p, const Line *line, Newton *newton);

/* normal.c */
HIDDEN void normal_matrix(const Program *p, const Line *line, int is_rough, Newton *newton);

/* newton.c */
HIDDEN void prepare(const Program *p, const Line *line, int is_rough, Newton *newton);
HIDDEN void first_step(const Program *p, const Line *line, const double *residual, Newton *newton);
HIDDEN void next_step(const Program *p, const Line *line, const double *residual, Newton *newton);
HIDDEN void shrink_gap(const Program *p, Line *line, double step);

#endif
