/* From a point inside to the best one, for each program of a batch: predictor and corrector. */

#include "interior.h"
#include "lines.h"
#include <math.h>
#include <stdlib.h>

enum { MOST_STEPS = 200, PATIENCE = 70 }; /* in which products have to become half as large */
static const double TO_LIMIT = 0.99;  /* how much of the way to the nearest limit a step may go */
static const double FAR = 1e4; /* times enough: as long as products are larger, rough matrices do, */
static const double SHORT = 0.1; /* until a step can only be gone by so much */
static const double ROUNDING = 1e-3; /* of enough: with products this small the rest is rounding */

/* What is asked of a program, and what was measured where it is. */
typedef struct {
    Line line;
    const double *goal, *fixed_prices;
    double *residual;
    double enough, allowed, product, reached, earlier[PATIENCE];
    int has_ended, is_exact;
} Run;

static double price_of(const Program *p, const Run *run, int kind) {
    double price = run->fixed_prices[kind];
    for (ptrdiff_t j = 0; j < p->limits; j++)
        price += run->line.dual[at_limits(p) + j] * p->shares[2 * j + kind];
    return price;
}

/* What the dual equations lack, from what the table makes of U. */
static void set_residual(const Program *p, const Run *run, const double *held) {
    const double *up = run->line.dual + at_plus(p), *down = run->line.dual + at_minus(p);
    double loss_price = price_of(p, run, 1);
    for (ptrdiff_t i = 0; i < p->model; i++)
        run->residual[i] =
            held[i] - loss_price * (i < p->q ? p->linear[i] : run->line.own_linear[i - p->q]);
    for (ptrdiff_t i = 0; i < p->weights; i++)
        run->residual[place_of(p, i)] -= (down[i] - up[i]) / 2 - run->goal[i];
}

/* How much what the dual equations lack may matter. */
static double unmatched(const Program *p, Run *run, Newton *newton) {
    const double *plus = run->line.primal + at_plus(p), *minus = run->line.primal + at_minus(p);
    double norm = 0, worst = 0, found = 0;
    if (run->line.has_gap)
        return INFINITY;
    back(p, &run->line, run->line.dual, newton->back[HELD]);
    set_residual(p, run, newton->back[HELD]);
    for (ptrdiff_t i = 0; i < p->weights; i++) {
        worst = most(worst, fabs(run->residual[place_of(p, i)]) / p->prices[i]);
        norm += (plus[i] + minus[i]) * p->prices[i];
    }
    for (ptrdiff_t k = p->d; k < p->q; k++)
        found += fabs(run->residual[k] * run->line.offsets[k - p->d]);
    return found + worst * norm;
}

WIDE static void measure(const Program *p, Run *run) {
    const double *plus = run->line.primal + at_plus(p), *minus = run->line.primal + at_minus(p);
    run->product = product_of(run->line.primal, run->line.dual, p->size);
    run->reached = 0;
    for (ptrdiff_t i = 0; i < p->weights; i++)
        run->reached += run->goal[i] * (plus[i] - minus[i]);
}

/* What fixed prices make of norm and loss. */
WIDE static double objective(const Program *p, const Run *run, double constant) {
    const double *primal = run->line.primal;
    double norm = 0, loss = constant + product_of(primal + p->m, p->slack_price, p->soft);
    for (ptrdiff_t i = 0; i < p->d; i++) {
        double plus = primal[at_plus(p) + i], minus = primal[at_minus(p) + i];
        norm += (plus + minus) * p->prices[i];
        loss += (plus - minus) * p->linear[i];
    }
    loss += product_of(run->line.offsets, p->linear + p->d, p->q - p->d);
    return run->fixed_prices[0] * norm + run->fixed_prices[1] * loss;
}

/* The predictor's step, and from what it foresees what V should change by if U stays. */
static void foresee_and_correct(const Program *p, const Run *run, Newton *newton) {
    const Array primal = line_of(run->line.primal, p->size), dual = line_of(run->line.dual, p->size);
    const Array d_dual = line_of(newton->dual, p->size);
    double after, share;
    for (ptrdiff_t i = 0; i < p->size; i++)
        newton->wanted[i] = -run->line.primal[i];
    prepare(p, &run->line, !run->is_exact && run->product > FAR * run->allowed, newton);
    set_residual(p, run, newton->back[HELD]);
    first_step(p, &run->line, run->residual, newton);
    foresee((Array[]){primal, dual, d_dual, line_of(&run->product, 1), line_of(&after, 1),
                      line_of(&share, 1)});
    double aim = pow(after / run->product, 3) * run->product / p->size;
    correct((Array[]){primal, dual, line_of(newton->ratio, p->size), d_dual, line_of(&aim, 1),
                      line_of(&share, 1), line_of(newton->wanted, p->size)});
}

/* Whether products have become half as large in the last steps. */
static int goes_on(Run *run, int step) {
    run->earlier[step % PATIENCE] = run->product;
    return step < PATIENCE - 1 || !(run->earlier[(step + 1) % PATIENCE] < 2 * run->product);
}

/* One predictor and one corrector step, unless rounding stops the program. */
static void advance(const Program *p, Run *run, int number, Newton *newton) {
    Line *line = &run->line;
    double found[2];
    foresee_and_correct(p, run, newton);
    next_step(p, line, run->residual, newton);
    Array primal = line_of(line->primal, p->size), dual = line_of(line->dual, p->size);
    Array d_primal = line_of(newton->wanted, p->size), d_dual = line_of(newton->dual, p->size);
    steps((Array[]){primal, dual, line_of(newton->ratio, p->size), d_dual, d_primal,
                    {.data = found, .shape = {2, 1, 1}}});
    run->has_ended = !isfinite(found[0]) || !isfinite(found[1]) || !goes_on(run, number);
    if (run->has_ended)
        return;
    run->is_exact |= least(found[0], found[1]) < SHORT;
    for (int side = 0; side < 2; side++)
        found[side] *= found[side] < 1 ? TO_LIMIT : 1;
    move((Array[]){line_of(found, 1), d_primal, primal});
    move((Array[]){line_of(found + 1, 1), d_dual, dual});
    add_line(found[0], newton->model + p->d, p->q - p->d, line->offsets);
    shrink_gap(p, line, found[0]);
}

/* Whether a program is as near to its end as is asked, or rounding is all that is left. ``other``: what
   is reached by the one beside which it need not go on; not a number if there is none. What the dual
   equations lack, a pass over the table, is only looked at where it can matter. */
static int is_close(const Program *p, Run *run, double other, Newton *newton) {
    int has_company = run->reached >= 0 && run->reached + run->product <= other;
    if (run->product > run->allowed && !has_company)
        return 0;
    double beyond = run->product + unmatched(p, run, newton);
    return beyond <= run->allowed || run->product <= ROUNDING * run->allowed ||
           (has_company && run->reached + beyond <= other);
}

/* Programs that end together: in pairs, one that has reached zero also ends as soon as it cannot
   exceed the other. ``constant``: not a number, unless enough is a share of the objective. */
static void finish(const Program *p, Run *runs, int count, double constant, Newton *newton) {
    for (int number = 0, open = count; open; number++) {
        open = 0;
        for (int k = 0; k < count; k++)
            if (!runs[k].has_ended)
                measure(p, &runs[k]);
        for (int k = 0; k < count; k++) {
            Run *run = &runs[k];
            run->allowed = run->enough * (isnan(constant) ? 1 : objective(p, run, constant));
            if (!run->has_ended)
                run->has_ended = number == MOST_STEPS ||
                                 is_close(p, run, count > 1 ? runs[!k].reached : NAN, newton);
        }
        for (int k = 0; k < count; k++)
            if (!runs[k].has_ended) {
                advance(p, &runs[k], number, newton);
                open++;
            }
    }
}

static Run run_of(const Array *arrays, const Program *p, ptrdiff_t index, double *residual) {
    return (Run){
        .line = line_at(arrays, p, index),
        .goal = (double *)arrays[17].data + index * p->weights,
        .fixed_prices = (double *)arrays[18].data + 2 * index,
        .enough = ((double *)arrays[19].data)[index],
        .residual = residual,
    };
}

/* coefficients, slack_price, linear, prices, shares; order, first, ends, columns of parts; own
   columns, linear, spans, price; V, U, offsets, gap; goals, fixed prices, enough, constant, paired.
   V, U and offsets are moved to where programs end. */
int reach(const Array *arrays) {
    Program p;
    Newton newton;
    void *loan = loan_of(arrays, 2, &p, &newton);
    if (!loan)
        return -1;
    ptrdiff_t batch = arrays[13].shape[0];
    double constant = *(double *)arrays[20].data;
    int together = *(int64_t *)arrays[21].data ? 2 : 1;
    for (ptrdiff_t first = 0; first < batch; first += together) {
        Run runs[2];
        for (int k = 0; k < together; k++)
            runs[k] = run_of(arrays, &p, first + k, newton.residual + k * p.model);
        finish(&p, runs, together, constant, &newton);
    }
    free(loan);
    return 1;
}
