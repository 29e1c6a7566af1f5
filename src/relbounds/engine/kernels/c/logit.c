/* Ordered logits: how likely classes are, and which way they become likelier; see ``ordered_logit``. */

#include "lines.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double SMALLEST = 1e-300;

/* Samples, and how many there are of everything. */
typedef struct {
    ptrdiff_t n, d, offsets;
    const double *columns, *weight;
    const int64_t *y;
} Samples;

/* A share below and above, F(u) and F(-u), neither of which rounding takes away. */
typedef struct {
    double below, above;
} Share;

static inline Share share_of(double u) {
    double small = exp(-fabs(u)), larger = 1 / (1 + small), smaller = small * larger;
    return u > 0 ? (Share){larger, smaller} : (Share){smaller, larger};
}

/* What one sample adds: likelihood, and densities at both ends of its class. */
typedef struct {
    Share up, down;
    double likelihood, at_up, at_down;
} Found;

static inline Found found_at(double u, double v) {
    Found found = {.up = share_of(u), .down = share_of(v)};
    double between = u + v > 0 ? found.down.above - found.up.above : found.up.below - found.down.below;
    found.likelihood = between < SMALLEST ? SMALLEST : between; /* what is no number stays so */
    found.at_up = found.up.below * found.up.above;
    found.at_down = found.down.below * found.down.above;
    return found;
}

/* Of one sample of a class to the derivatives by its offsets. */
static inline void add_slopes(const Samples *s, ptrdiff_t i, const Found *found, double *slopes) {
    int64_t rank = s->y[i];
    if (rank < s->offsets)
        slopes[rank] += s->weight[i] * (found->at_up / found->likelihood);
    if (rank > 0)
        slopes[rank - 1] -= s->weight[i] * (found->at_down / found->likelihood);
}

/* Of one sample to minus the second derivatives that offsets have a part in. */
static void add_curved(const Samples *s, ptrdiff_t i, const Found *found, double *curvature) {
    ptrdiff_t q = s->offsets + s->d, rank = s->y[i];
    double weight = s->weight[i], up = found->at_up / found->likelihood;
    double down = found->at_down / found->likelihood;
    const double *line = s->columns + i * s->d;
    double *above = curvature + rank * q, *below = above - q;
    if (rank < s->offsets) {
        above[rank] += weight * (up * up - up * (1 - 2 * found->up.below));
        add_line(-weight * found->at_up, line, s->d, above + s->offsets);
    }
    if (rank > 0) {
        below[rank - 1] += weight * (down * down + down * (1 - 2 * found->down.below));
        add_line(-weight * found->at_down, line, s->d, below + s->offsets);
    }
    if (rank > 0 && rank < s->offsets)
        above[rank - 1] = below[rank] -= weight * up * down;
}

/* Offsets with what lies beyond them, and whether they are in order. */
static int set_ends(const double *offsets, ptrdiff_t n, double *ends) {
    int ordered = 1;
    ends[0] = -INFINITY;
    ends[n + 1] = INFINITY;
    memcpy(ends + 1, offsets, n * sizeof(double));
    for (ptrdiff_t k = 1; k < n; k++)
        ordered &= offsets[k] > offsets[k - 1];
    return ordered;
}

/* The likelihood's logarithm, less the ridge, of a model, and its derivatives. ``bend``, of each
   sample, and ``curvature``: NULL if they are not asked for. */
WIDE static double one_model(const Samples *s, const double *parameters, double ridge, double *scores,
                             double *gradient, double *bend, double *curvature) {
    const double *weights = parameters + s->offsets;
    double *ends = scores + s->n, value = 0;
    int ordered = set_ends(parameters, s->offsets, ends);
    memset(gradient, 0, (s->offsets + s->d) * sizeof(double));
    for (ptrdiff_t i = 0; i < s->n; i++) {
        double predicted = product_of(s->columns + i * s->d, weights, s->d);
        Found found = found_at(ends[s->y[i] + 1] - predicted, ends[s->y[i]] - predicted);
        value += s->weight[i] * log(found.likelihood);
        scores[i] = s->weight[i] * (found.up.below + found.down.below - 1);
        add_slopes(s, i, &found, gradient);
        if (bend) {
            bend[i] = s->weight[i] * (found.at_up + found.at_down);
            add_curved(s, i, &found, curvature);
        }
    }
    add_many(scores, s->columns, s->n, s->d, gradient + s->offsets);
    add_line(-ridge, weights, s->d, gradient + s->offsets);
    return ordered ? value - ridge / 2 * product_of(weights, weights, s->d) : -INFINITY;
}

/* columns, y, weight, parameters (models, offsets + d), ridge; values, gradients, bend of samples and
   curvature of a single model, or of none. */
int logit(const Array *arrays) {
    ptrdiff_t models = arrays[3].shape[0], q = arrays[3].shape[1];
    Samples s = {
        .n = arrays[0].shape[0], .d = arrays[0].shape[1], .offsets = q - arrays[0].shape[1],
        .columns = arrays[0].data, .y = arrays[1].data, .weight = arrays[2].data,
    };
    int is_curved = arrays[7].shape[0] == s.n;
    double *scores = malloc((s.n + s.offsets + 2) * sizeof(double));
    if (!scores)
        return -1;
    for (ptrdiff_t b = 0; b < models; b++)
        ((double *)arrays[5].data)[b] =
            one_model(&s, (double *)arrays[3].data + b * q, *(double *)arrays[4].data, scores,
                      (double *)arrays[6].data + b * q, is_curved ? arrays[7].data : NULL,
                      arrays[8].data);
    free(scores);
    return 1;
}
