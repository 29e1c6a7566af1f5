/* Ordered logits: how likely classes are, and which way they become likelier; see ``ordered_logit``. */

#include "lines.h"
#include "squares.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double SMALLEST = 1e-300;
enum { SAMPLES_AT_ONCE = 64 }; /* whose products are added while they are at hand */

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

static ptrdiff_t in_lanes(ptrdiff_t n) { return (n + LANES - 1) / LANES * LANES; }

/* How much room ``add_squares`` takes for so many columns. */
static ptrdiff_t room_of_squares(ptrdiff_t d) {
    return in_lanes(d) * (in_lanes(d) + 2 * SAMPLES_AT_ONCE);
}

/* To minus the second derivatives by weights the products of columns, samples counted as they bend. */
WIDE static void add_squares(const Samples *s, const double *bend, double *room, double *curvature) {
    ptrdiff_t d = s->d, width = in_lanes(d), q = s->offsets + d;
    double *squares = room, *lines = squares + width * width, *scaled = lines + SAMPLES_AT_ONCE * width;
    memset(room, 0, room_of_squares(d) * sizeof(double));
    for (ptrdiff_t first = 0; first < s->n; first += SAMPLES_AT_ONCE) {
        ptrdiff_t left = s->n - first, n = left < SAMPLES_AT_ONCE ? left : SAMPLES_AT_ONCE;
        for (ptrdiff_t r = 0; r < n; r++)
            for (ptrdiff_t i = 0; i < d; i++) {
                lines[r * width + i] = s->columns[(first + r) * d + i];
                scaled[r * width + i] = bend[first + r] * lines[r * width + i];
            }
        for (ptrdiff_t i = 0; i < width; i += HIGH) {
            const double *four[HIGH] = {scaled + i, scaled + i + 1, scaled + i + 2, scaled + i + 3};
            add_lines(four, width, lines, width, n, i, squares + i * width);
        }
    }
    double *of_weights = curvature + s->offsets * (q + 1);
    for (ptrdiff_t i = 0; i < d; i++)
        for (ptrdiff_t j = i; j < d; j++)
            of_weights[i * q + j] = squares[i * width + j];
}

/* The lower half as the upper one, and the ridge. */
static void complete(const Samples *s, double ridge, double *curvature) {
    ptrdiff_t q = s->offsets + s->d;
    for (ptrdiff_t i = 0; i < q; i++)
        for (ptrdiff_t j = 0; j < i; j++)
            curvature[i * q + j] = curvature[j * q + i];
    for (ptrdiff_t i = s->offsets; i < q; i++)
        curvature[i * (q + 1)] += ridge;
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

/* The likelihood's logarithm, less the ridge, of a model, and its derivatives. In ``bend`` what each
   sample adds to ``curvature``, which is NULL if it is not asked for. */
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
        if (curvature) {
            bend[i] = s->weight[i] * (found.at_up + found.at_down);
            add_curved(s, i, &found, curvature);
        }
    }
    add_many(scores, s->columns, s->n, s->d, gradient + s->offsets);
    add_line(-ridge, weights, s->d, gradient + s->offsets);
    return ordered ? value - ridge / 2 * product_of(weights, weights, s->d) : -INFINITY;
}

/* columns, y, weight, parameters (models, offsets + d), ridge; values, gradients, and curvature of a
   single model, zeros, or of none. */
int logit(const Array *arrays) {
    ptrdiff_t models = arrays[3].shape[0], q = arrays[3].shape[1];
    Samples s = {
        .n = arrays[0].shape[0], .d = arrays[0].shape[1], .offsets = q - arrays[0].shape[1],
        .columns = arrays[0].data, .y = arrays[1].data, .weight = arrays[2].data,
    };
    double *curvature = arrays[7].shape[0] == q ? arrays[7].data : NULL;
    double ridge = *(double *)arrays[4].data;
    ptrdiff_t of_scores = s.n + s.offsets + 2, of_bend = curvature ? s.n : 0;
    ptrdiff_t of_squares = curvature ? room_of_squares(s.d) : 0;
    double *scores = malloc((of_scores + of_bend + of_squares) * sizeof(double));
    double *bend = scores + of_scores;
    if (!scores)
        return -1;
    for (ptrdiff_t b = 0; b < models; b++)
        ((double *)arrays[5].data)[b] =
            one_model(&s, (double *)arrays[3].data + b * q, ridge, scores,
                      (double *)arrays[6].data + b * q, bend, curvature);
    if (curvature) {
        add_squares(&s, bend, bend + s.n, curvature);
        complete(&s, ridge, curvature);
    }
    free(scores);
    return 1;
}
