/* The passes of ``plain``, a line at a time, without arrays in between.

   Sums run in four lanes: one alone would wait for itself. Nothing else is reordered, and no
   compiler is told that it may: last digits would depend on where arrays happen to lie. */

#include "kernels.h"
#include <math.h>

enum { LANES = 4 };

static double sum_of(const double *lanes) { return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]); }

static double least_of(const double *lanes) {
    return least(least(lanes[0], lanes[1]), least(lanes[2], lanes[3]));
}

static double most_of(const double *lanes) {
    return most(most(lanes[0], lanes[1]), most(lanes[2], lanes[3]));
}

/* primal, dual, slack_price; ratio, theta, lean, stiff */
WIDE void divide(const Array *arrays) {
    ptrdiff_t batch = arrays[0].shape[0], size = arrays[0].shape[1];
    ptrdiff_t m = arrays[4].shape[1], soft = arrays[2].shape[0];
    const double *restrict omega = arrays[2].data;
    for (ptrdiff_t b = 0; b < batch; b++) {
        const double *restrict primal = (double *)arrays[0].data + b * size;
        const double *restrict dual = (double *)arrays[1].data + b * size;
        double *restrict ratio = (double *)arrays[3].data + b * size;
        double *restrict theta = (double *)arrays[4].data + b * m;
        double *restrict lean = (double *)arrays[5].data + b * soft;
        double total[LANES] = {0};
        for (ptrdiff_t i = 0; i < size; i++)
            ratio[i] = primal[i] / dual[i];
        const double *restrict slack_ratio = ratio + m;
        for (ptrdiff_t i = 0; i < soft; i++) {
            theta[i] = 1 / (ratio[i] + slack_ratio[i]);
            lean[i] = omega[i] * slack_ratio[i] * theta[i];
        }
        for (ptrdiff_t i = soft; i < m; i++)
            theta[i] = 1 / ratio[i];
        ptrdiff_t whole = soft - soft % LANES;
        for (ptrdiff_t i = 0; i < whole; i += LANES)
            for (int k = 0; k < LANES; k++)
                total[k] += omega[i + k] * lean[i + k] * ratio[i + k];
        for (ptrdiff_t i = whole; i < soft; i++)
            total[0] += omega[i] * lean[i] * ratio[i];
        ((double *)arrays[6].data)[b] = sum_of(total);
    }
}

/* wanted, gap, theta, lean, slack_price; rows, weighted, cost. A gap of one column is none. */
WIDE void wish(const Array *arrays) {
    ptrdiff_t batch = arrays[2].shape[0], m = arrays[2].shape[1], size = arrays[0].shape[1];
    ptrdiff_t soft = arrays[4].shape[0];
    int has_gap = arrays[1].shape[1] == m;
    const double *restrict omega = arrays[4].data;
    for (ptrdiff_t b = 0; b < batch; b++) {
        const double *restrict wanted = (double *)arrays[0].data + b * size;
        const double *restrict slacks = wanted + m;
        const double *restrict gap = (double *)arrays[1].data + (has_gap ? b * m : 0);
        const double *restrict theta = (double *)arrays[2].data + b * m;
        const double *restrict lean = (double *)arrays[3].data + b * soft;
        double *restrict rows = (double *)arrays[5].data + b * m;
        double *restrict weighted = (double *)arrays[6].data + b * m;
        double total[LANES] = {0};
        for (ptrdiff_t i = 0; i < m; i++)
            rows[i] = has_gap ? wanted[i] + gap[i] : wanted[i];
        for (ptrdiff_t i = 0; i < soft; i++)
            rows[i] -= slacks[i];
        for (ptrdiff_t i = 0; i < m; i++)
            weighted[i] = theta[i] * rows[i];
        ptrdiff_t whole = soft - soft % LANES;
        for (ptrdiff_t i = 0; i < whole; i += LANES)
            for (int k = 0; k < LANES; k++)
                total[k] += omega[i + k] * slacks[i + k] + lean[i + k] * rows[i + k];
        for (ptrdiff_t i = whole; i < soft; i++)
            total[0] += omega[i] * slacks[i] + lean[i] * rows[i];
        ((double *)arrays[7].data)[b] = sum_of(total);
    }
}

/* rows, moved, theta, lean, loss_price, slack_price; out */
WIDE void row_duals(const Array *arrays) {
    ptrdiff_t batch = arrays[2].shape[0], m = arrays[2].shape[1], size = arrays[6].shape[1];
    ptrdiff_t soft = arrays[5].shape[0];
    const double *restrict omega = arrays[5].data;
    for (ptrdiff_t b = 0; b < batch; b++) {
        double price = ((double *)arrays[4].data)[b];
        const double *restrict rows = (double *)arrays[0].data + b * m;
        const double *restrict moved = (double *)arrays[1].data + b * m;
        const double *restrict theta = (double *)arrays[2].data + b * m;
        const double *restrict lean = (double *)arrays[3].data + b * soft;
        double *restrict alpha = (double *)arrays[6].data + b * size;
        double *restrict beta = alpha + m;
        for (ptrdiff_t i = 0; i < soft; i++) {
            double value = theta[i] * (rows[i] - moved[i]) + lean[i] * price;
            alpha[i] = value;
            beta[i] = price * omega[i] - value;
        }
        for (ptrdiff_t i = soft; i < m; i++)
            alpha[i] = theta[i] * (rows[i] - moved[i]);
    }
}

/* primal, dual, d_dual, product; after, share */
WIDE void foresee(const Array *arrays) {
    ptrdiff_t batch = arrays[0].shape[0], size = arrays[0].shape[1];
    for (ptrdiff_t b = 0; b < batch; b++) {
        const double *restrict primal = (double *)arrays[0].data + b * size;
        const double *restrict dual = (double *)arrays[1].data + b * size;
        const double *restrict d_dual = (double *)arrays[2].data + b * size;
        double product = ((double *)arrays[3].data)[b];
        double lowest[LANES] = {0}, highest[LANES] = {0}, first[LANES] = {0}, second[LANES] = {0};
        for (ptrdiff_t i = 0; i < size;) {
            int lanes = size - i < LANES ? 1 : LANES;
            for (int k = 0; k < lanes; k++, i++) {
                double relative = d_dual[i] / dual[i], change = primal[i] * d_dual[i];
                lowest[k] = least(lowest[k], relative);
                highest[k] = most(highest[k], relative);
                first[k] += change;
                second[k] += (1 + relative) * change;
            }
        }
        double dual_step = 1 / most(1.0, -least_of(lowest));
        double primal_step = 1 / most(1.0, 1 + most_of(highest));
        ((double *)arrays[4].data)[b] = (1 - primal_step) * product +
                                        (dual_step - primal_step) * sum_of(first) -
                                        primal_step * dual_step * sum_of(second);
        ((double *)arrays[5].data)[b] = least(primal_step, dual_step);
    }
}

/* primal, dual, ratio, d_dual, aim, share; wanted */
WIDE void correct(const Array *arrays) {
    ptrdiff_t batch = arrays[0].shape[0], size = arrays[0].shape[1];
    for (ptrdiff_t b = 0; b < batch; b++) {
        const double *restrict primal = (double *)arrays[0].data + b * size;
        const double *restrict dual = (double *)arrays[1].data + b * size;
        const double *restrict ratio = (double *)arrays[2].data + b * size;
        const double *restrict d_dual = (double *)arrays[3].data + b * size;
        double aim = ((double *)arrays[4].data)[b], share = ((double *)arrays[5].data)[b];
        double *restrict wanted = (double *)arrays[6].data + b * size;
        for (ptrdiff_t i = 0; i < size; i++) {
            double product = (ratio[i] * d_dual[i] + primal[i]) * d_dual[i];
            wanted[i] = (aim + share * product) / dual[i] - primal[i];
        }
    }
}

/* primal, dual, ratio, d_dual; wanted, found */
WIDE void steps(const Array *arrays) {
    ptrdiff_t batch = arrays[0].shape[0], size = arrays[0].shape[1];
    double *restrict found = arrays[5].data;
    for (ptrdiff_t b = 0; b < batch; b++) {
        const double *restrict primal = (double *)arrays[0].data + b * size;
        const double *restrict dual = (double *)arrays[1].data + b * size;
        const double *restrict ratio = (double *)arrays[2].data + b * size;
        const double *restrict d_dual = (double *)arrays[3].data + b * size;
        double *restrict wanted = (double *)arrays[4].data + b * size;
        double of_primal[LANES] = {0}, of_dual[LANES] = {0}, total[LANES] = {0};
        for (ptrdiff_t i = 0; i < size;) {
            int lanes = size - i < LANES ? 1 : LANES;
            for (int k = 0; k < lanes; k++, i++) {
                wanted[i] -= ratio[i] * d_dual[i];
                of_primal[k] = least(of_primal[k], wanted[i] / primal[i]);
                of_dual[k] = least(of_dual[k], d_dual[i] / dual[i]);
                total[k] += wanted[i];
            }
        }
        found[b] = 1 / most(1.0, -least_of(of_primal));
        found[batch + b] = 1 / most(1.0, -least_of(of_dual));
        if (!isfinite(sum_of(total))) /* what is not a number compares as it likes */
            found[b] = found[batch + b] = NAN;
    }
}

/* step, change; values */
WIDE void move(const Array *arrays) {
    ptrdiff_t batch = arrays[2].shape[0], size = arrays[2].shape[1];
    for (ptrdiff_t b = 0; b < batch; b++) {
        double step = ((double *)arrays[0].data)[b];
        const double *restrict change = (double *)arrays[1].data + b * size;
        double *restrict values = (double *)arrays[2].data + b * size;
        for (ptrdiff_t i = 0; i < size; i++)
            values[i] += step * change[i];
    }
}
