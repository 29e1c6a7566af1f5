/* Newton's equations at one point of one program; ``newton`` has them for batches. */

#include "interior.h"
#include "lines.h"
#include <math.h>
#include <string.h>

/* How weights and offsets lean on each limit. */
static void set_borders(const Program *p, const Line *line, Newton *newton) {
    double *of_loss = newton->back[LEAN];
    for (ptrdiff_t i = 0; i < p->model; i++)
        of_loss[i] = (i < p->q ? p->linear[i] : line->own_linear[i - p->q]) - of_loss[i];
    for (ptrdiff_t j = 0; j < p->limits; j++) {
        double *border = newton->border + j * p->model;
        for (ptrdiff_t i = 0; i < p->model; i++)
            border[i] = p->shares[2 * j + 1] * of_loss[i];
        for (ptrdiff_t i = 0; i < p->weights; i++)
            border[place_of(p, i)] += p->shares[2 * j] * newton->weight_lean[i];
    }
}

/* What limits have to do with one another, weights and offsets eliminated. */
WIDE static void set_between(const Program *p, Newton *newton) {
    const double *plus = newton->ratio + at_plus(p), *minus = newton->ratio + at_minus(p);
    double of_norm = 0;
    for (ptrdiff_t i = 0; i < p->weights; i++)
        of_norm += 4 * p->prices[i] * p->prices[i] * plus[i] * minus[i] * newton->stiff[i];
    for (ptrdiff_t j = 0; j < p->limits; j++)
        for (ptrdiff_t l = 0; l < p->limits; l++) {
            const double *one = p->shares + 2 * j, *other = p->shares + 2 * l;
            newton->between[j][l] =
                one[0] * other[0] * of_norm + one[1] * other[1] * newton->slack_stiff +
                (j == l ? newton->ratio[at_limits(p) + j] : 0) +
                product_of(newton->border + j * p->model, newton->solved_border + l * p->model,
                           p->model);
        }
}

/* What rows should move by, and what that costs. */
static void set_wishes(const Program *p, const Line *line, Newton *newton) {
    wish((Array[]){line_of(newton->wanted, p->size), line_of(line->gap, line->has_gap ? p->m : 1),
                   line_of(newton->theta, p->m), line_of(newton->lean, p->soft),
                   {.data = (void *)p->slack_price, .shape = {p->soft, 1, 1}},
                   line_of(newton->rows, p->m), line_of(newton->weighted, p->m),
                   line_of(&newton->of_loss, 1)});
}

/* The equations' matrix, factored; exactly, where single precision leaves none. */
static void set_factor(const Program *p, const Line *line, int is_rough, Newton *newton) {
    normal_matrix(p, line, is_rough, newton);
    factor_upper(newton->matrix, newton->lines);
    if (is_rough && isnan(newton->matrix[newton->lines * newton->lines - 1]))
        set_factor(p, line, 0, newton);
}

/* The equations at V and U, factored, and what the table makes of vectors for ``wanted``. */
void prepare(const Program *p, const Line *line, int is_rough, Newton *newton) {
    divide((Array[]){line_of(line->primal, p->size), line_of(line->dual, p->size),
                     {.data = (void *)p->slack_price, .shape = {p->soft, 1, 1}},
                     line_of(newton->ratio, p->size), line_of(newton->theta, p->m),
                     line_of(newton->lean, p->soft), line_of(&newton->slack_stiff, 1)});
    const double *plus = newton->ratio + at_plus(p), *minus = newton->ratio + at_minus(p);
    for (ptrdiff_t i = 0; i < p->weights; i++) {
        newton->stiff[i] = 1 / (plus[i] + minus[i]);
        newton->weight_lean[i] = (plus[i] - minus[i]) * newton->stiff[i] * p->prices[i];
    }
    set_wishes(p, line, newton);
    set_factor(p, line, is_rough, newton);
    set_borders(p, line, newton);
}

/* In the place of what limits should change by; not numbers where that is not to be had. */
static void solve_limits(const Program *p, const Newton *newton, double *tau) {
    const double(*a)[MOST_LIMITS] = newton->between;
    if (p->limits == 1)
        tau[0] /= a[0][0];
    if (p->limits == MOST_LIMITS) {
        double share = a[1][0] / a[0][0];
        tau[1] = (tau[1] - share * tau[0]) / (a[1][1] - share * a[0][1]);
        tau[0] = (tau[0] - a[0][1] * tau[1]) / a[0][0];
    }
}

/* What prices of the limits change by, and the model with them. */
WIDE static void set_limits(const Program *p, double of_loss, Newton *newton, double *tau) {
    const double *plus = newton->wanted + at_plus(p), *minus = newton->wanted + at_minus(p);
    double of_norm = 0;
    for (ptrdiff_t i = 0; i < p->weights; i++)
        of_norm += (plus[i] + minus[i]) * p->prices[i] -
                   newton->weight_lean[i] * (plus[i] - minus[i]);
    for (ptrdiff_t j = 0; j < p->limits; j++)
        tau[j] = p->shares[2 * j] * of_norm + p->shares[2 * j + 1] * of_loss +
                 newton->wanted[at_limits(p) + j] +
                 product_of(newton->border + j * p->model, newton->model, p->model);
    solve_limits(p, newton, tau);
    for (ptrdiff_t j = 0; j < p->limits; j++)
        add_line(-tau[j], newton->solved_border + j * p->model, p->model, newton->model);
}

/* ``dU`` of weights. */
static void set_weight_duals(const Program *p, double norm_price, Newton *newton) {
    const double *plus = newton->wanted + at_plus(p), *minus = newton->wanted + at_minus(p);
    for (ptrdiff_t i = 0; i < p->weights; i++) {
        double moved = newton->model[place_of(p, i)] - (plus[i] - minus[i]);
        double gradient = moved * newton->stiff[i] + newton->weight_lean[i] * norm_price;
        newton->dual[at_plus(p) + i] = p->prices[i] * norm_price - gradient;
        newton->dual[at_minus(p) + i] = p->prices[i] * norm_price + gradient;
    }
}

/* What the model changes by, limits apart; with the first right-hand side borders are solved, too. */
static void solve_model(const Program *p, const double *residual, int is_first, Newton *newton) {
    const double *plus = newton->wanted + at_plus(p), *minus = newton->wanted + at_minus(p);
    double *sides = newton->sides;
    memset(sides, 0, newton->lines * LANES * sizeof(double));
    for (ptrdiff_t i = 0; i < p->model; i++)
        sides[i * LANES] = newton->back[WISH][i] + residual[i];
    for (ptrdiff_t i = 0; i < p->weights; i++)
        sides[place_of(p, i) * LANES] += (plus[i] - minus[i]) * newton->stiff[i];
    for (ptrdiff_t j = 0; is_first && j < p->limits; j++)
        for (ptrdiff_t i = 0; i < p->model; i++)
            sides[i * LANES + 1 + j] = newton->border[j * p->model + i];
    solve_four(newton->matrix, newton->lines, newton->inverse, sides);
    for (ptrdiff_t i = 0; i < p->model; i++)
        newton->model[i] = sides[i * LANES];
    for (ptrdiff_t j = 0; is_first && j < p->limits; j++)
        for (ptrdiff_t i = 0; i < p->model; i++)
            newton->solved_border[j * p->model + i] = sides[i * LANES + 1 + j];
}

/* ``dU`` and the change of the model with ``dV + ratio * dU = wanted``, all other equations kept. */
static void finish_step(const Program *p, const Line *line, Newton *newton) {
    double tau[MOST_LIMITS], norm_price = 0, loss_price = 0;
    set_limits(p, newton->of_loss, newton, tau);
    for (ptrdiff_t j = 0; j < p->limits; j++) {
        norm_price += tau[j] * p->shares[2 * j];
        loss_price += tau[j] * p->shares[2 * j + 1];
        newton->dual[at_limits(p) + j] = tau[j];
    }
    forth(p, line, newton);
    row_duals((Array[]){line_of(newton->rows, p->m), line_of(newton->moved, p->m),
                        line_of(newton->theta, p->m), line_of(newton->lean, p->soft),
                        line_of(&loss_price, 1),
                        {.data = (void *)p->slack_price, .shape = {p->soft, 1, 1}},
                        line_of(newton->dual, p->size)});
    set_weight_duals(p, norm_price, newton);
}

/* The step for what was ``wanted`` when equations were prepared; ``residual`` is what the dual
   equations still lack. */
void first_step(const Program *p, const Line *line, const double *residual, Newton *newton) {
    solve_model(p, residual, 1, newton);
    set_between(p, newton);
    finish_step(p, line, newton);
}

/* The same for what is wanted now. */
void next_step(const Program *p, const Line *line, const double *residual, Newton *newton) {
    set_wishes(p, line, newton);
    back(p, line, newton->weighted, newton->back[WISH]);
    solve_model(p, residual, 0, newton);
    finish_step(p, line, newton);
}

/* What is left of the gap of rows after a step, if anything. */
void shrink_gap(const Program *p, Line *line, double step) {
    int is_left = 0;
    for (ptrdiff_t r = 0; line->has_gap && r < p->m; r++)
        is_left |= (line->gap[r] *= 1 - step) != 0;
    line->has_gap = is_left;
}
