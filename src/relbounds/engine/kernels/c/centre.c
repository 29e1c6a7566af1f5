/* The analytic centre: Newton's method for the sum of logarithms of V. */

#include "interior.h"
#include <math.h>
#include <stdlib.h>

static const int MOST_STEPS = 60;
static const double CENTRED = 0.5; /* length of a step, relative to the distances from all limits */
static const double TO_LIMIT = 0.9;

typedef struct {
    double length, worst; /* not a number if lost */
} Move;

/* How V should move, in its own units, into ``wanted``. */
static Move moves(const Program *p, const Line *line, Newton *newton) {
    Move found = {0};
    for (ptrdiff_t i = 0; i < p->size; i++) {
        double move = (line->primal[i] - newton->ratio[i] * newton->dual[i]) / line->primal[i];
        newton->wanted[i] = move;
        found.length += move * move;
        found.worst = least(found.worst, move);
    }
    found.length = sqrt(found.length);
    return found;
}

static void go(const Program *p, double share, Line *line, const Newton *newton) {
    for (ptrdiff_t i = 0; i < p->size; i++)
        line->primal[i] += share * newton->wanted[i] * line->primal[i];
    for (ptrdiff_t k = 0; k < p->q - p->d; k++)
        line->offsets[k] += share * newton->model[p->d + k];
    shrink_gap(p, line, share);
}

/* ``U`` that belongs to ``V``. */
static void set_dual(const Program *p, const Line *line, const double *values) {
    for (ptrdiff_t i = 0; i < p->size; i++)
        line->dual[i] = values ? values[i] : 1 / line->primal[i];
}

/* A program, as of ``reach``, of one line: V and offsets move, U becomes that of the centre. */
int centre(const Array *arrays) {
    Program p;
    Newton newton;
    void *loan = loan_of(arrays, 1, &p, &newton);
    if (!loan)
        return -1;
    Line line = line_at(arrays, &p, 0);
    int found = 0;
    for (ptrdiff_t i = 0; i < p.model; i++)
        newton.residual[i] = 0;
    for (int steps = 0; steps < MOST_STEPS && !found; steps++) {
        set_dual(&p, &line, NULL);
        for (ptrdiff_t i = 0; i < p.size; i++)
            newton.wanted[i] = line.primal[i];
        prepare(&p, &line, 0, &newton);
        first_step(&p, &line, newton.residual, &newton);
        Move move = moves(&p, &line, &newton);
        if (!isfinite(move.length))
            break;
        found = move.length < CENTRED && !line.has_gap;
        if (!found)
            go(&p, least(1.0, TO_LIMIT / most(-move.worst, 1e-9)), &line, &newton);
    }
    if (found)
        set_dual(&p, &line, newton.dual);
    free(loan);
    return found;
}
