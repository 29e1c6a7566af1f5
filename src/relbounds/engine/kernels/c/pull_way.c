/* A step on the way of a model that is pulled at: how prices change, and where the model goes. */

#include "lines.h"
#include "pull.h"
#include <string.h>

/* Of a cost, as it is. */
double cost_of(const Pull *t, ptrdiff_t cost) {
    return share_of(t, cost, 0) * t->at.totals[0] + share_of(t, cost, 1) * t->at.totals[1];
}

static double loss_of(const Pull *t, const double *values) {
    return -product_of(t->slopes, values, t->m);
}

/* Norm and loss of the model. */
void fill_totals(const Pull *t) {
    t->at.totals[0] = 0.0;
    for (ptrdiff_t i = 0; i < *t->at.size; i++)
        if (t->at.number[i] < t->d)
            t->at.totals[0] += t->worth[t->at.number[i]] * fabs(t->at.x[t->at.number[i]]);
    t->at.totals[1] = loss_of(t, t->at.values);
}

/* How fast they grow along the way. */
void fill_d_totals(const Pull *t, Event in) {
    double norm = in.kind == A_WEIGHT ? t->worth[in.which] : 0.0;
    for (ptrdiff_t i = 0; i < *t->at.size; i++)
        if (t->at.number[i] < t->d)
            norm += t->worth[t->at.number[i]] * t->at.turn[t->at.number[i]] * t->way[i];
    t->d_totals[0] = norm;
    t->d_totals[1] = loss_of(t, t->d_values);
}

/* What a free number is worth more as the pull grows: by the goal, and by costs that get dearer. */
static double growing_worth(const Pull *t, ptrdiff_t i, double of_norm, double of_loss) {
    ptrdiff_t number = t->at.number[i];
    double worth = t->goal[number], slope = 0.0;
    if (number < t->d) {
        if (of_loss != 0)
            slope = product_of(t->by_point, column_of(t, number), t->n);
        return worth + of_loss * slope - of_norm * t->worth[number] * t->at.turn[number];
    }
    for (ptrdiff_t r = 0; of_loss != 0 && r < t->m; r++)
        slope += t->slopes[r] * t->offsets[r * t->k + number - t->d];
    return worth + of_loss * slope;
}

/* What points pay for a weight, and a pull adds, in units of what it counts. */
WIDE double gradient_of(const Pull *t, const double *paid, double pull, ptrdiff_t weight) {
    double worth = product_of(paid, column_of(t, weight), t->n);
    return (worth + pull * t->goal[weight]) / t->worth[weight];
}

/* The same of some weights, or without a list of all, roughly. */
WIDE void fill_rough_gradients(const Pull *t, const double *paid, double pull,
                               const int64_t *weights, ptrdiff_t count, double *gradients) {
    ptrdiff_t whole = count - count % 4;
    for (ptrdiff_t p = 0; p < t->n; p++)
        t->rough_paid[p] = (float)paid[p];
    for (ptrdiff_t w = 0; w < whole; w += 4) {
        const float *columns[4];
        for (int k = 0; k < 4; k++)
            columns[k] = rough_column_of(t, weights ? weights[w + k] : w + k);
        four_rough_products(t->rough_paid, columns, t->n, gradients + w);
    }
    for (ptrdiff_t w = 0; w < whole; w++) {
        ptrdiff_t weight = weights ? weights[w] : w;
        gradients[w] = (gradients[w] + pull * t->goal[weight]) / t->worth[weight];
    }
    for (ptrdiff_t w = whole; w < count; w++)
        gradients[w] = gradient_of(t, paid, pull, weights ? weights[w] : w);
}

/* How all prices change with the pull: of what is tied, and by that of all rows, point by point. */
WIDE void fill_dual_way(const Pull *t) {
    ptrdiff_t size = *t->at.size;
    for (ptrdiff_t j = 0; j < t->costs; j++)
        t->d_prices[j] = is_tied(t, j) ? 0.0 : t->rates[j];
    double of_norm = total_price(t, t->d_prices, 0), of_loss = total_price(t, t->d_prices, 1);
    if (of_loss != 0)
        fill_slope_by_point(t);
    for (ptrdiff_t i = 0; i < size; i++)
        t->scratch[i] = -growing_worth(t, i, of_norm, of_loss);
    fill_line_product(t, t->scratch, t->d_tied);
    for (ptrdiff_t c = 0; c < size; c++)
        if (t->at.row[c] < 0)
            t->d_prices[-1 - t->at.row[c]] = t->d_tied[c];
    of_loss = total_price(t, t->d_prices, 1);
    memset(t->by_point, 0, t->n * sizeof(double));
    if (of_loss != 0) {
        for (ptrdiff_t r = 0; r < t->m; r++)
            t->by_point[t->point[r]] += of_loss * t->sign[r] * t->slopes[r];
    }
    for (ptrdiff_t c = 0; c < size; c++)
        if (t->at.row[c] >= 0)
            t->by_point[t->point[t->at.row[c]]] += t->sign[t->at.row[c]] * t->d_tied[c];
    fill_watched_way(t);
}

/* How gradients of the watched weights change. */
void fill_watched_way(const Pull *t) {
    fill_rough_gradients(t, t->by_point, 1.0, t->watched, t->count, t->d_gradients);
}

void pull_harder(const Pull *t, double by) {
    *t->at.pull += by;
    for (ptrdiff_t j = 0; j < t->costs; j++)
        t->at.prices[j] += by * t->d_prices[j];
    for (ptrdiff_t c = 0; c < *t->at.size; c++)
        if (t->at.row[c] >= 0)
            t->at.multipliers[t->at.row[c]] += by * t->d_tied[c];
    for (ptrdiff_t p = 0; p < t->n; p++)
        t->paid[p] += by * t->by_point[p];
    for (ptrdiff_t w = 0; w < t->count; w++)
        t->gradients[w] += by * t->d_gradients[w];
}

/* How scores change along the way: of a point with a row that is tied as that one has it, less
   what offsets add. */
static void fill_d_scores(const Pull *t, Event in) {
    fill_loose_scores(t, in);
    for (ptrdiff_t c = 0; c < *t->at.size; c++) {
        int64_t row = t->at.row[c];
        if (row < 0 || t->sign[row] == 0)
            continue;
        double change = in.kind == A_ROW && c == in.place ? in.side : 0.0;
        t->scores[t->point[row]] = (change - t->d_values[row]) / t->sign[row];
    }
}

/* How rows change along the way. */
WIDE void fill_d_values(const Pull *t, Event in) {
    memset(t->d_values, 0, t->m * sizeof(double));
    for (ptrdiff_t i = 0; i < *t->at.size; i++)
        if (t->at.number[i] >= t->d)
            add_line(t->way[i], t->by_offset + (t->at.number[i] - t->d) * t->m, t->m, t->d_values);
    fill_d_scores(t, in);
    for (ptrdiff_t r = 0; r < t->m; r++)
        t->d_values[r] += t->sign[r] * t->scores[t->point[r]];
}

void move_on(const Pull *t, Event in, double step) {
    for (ptrdiff_t i = 0; i < *t->at.size; i++)
        t->at.x[t->at.number[i]] += step * t->way[i];
    if (in.kind == A_WEIGHT)
        t->at.x[in.which] += step * in.side;
    for (ptrdiff_t r = 0; r < t->m; r++)
        t->at.values[r] += step * t->d_values[r];
    for (int of_loss = 0; of_loss < 2; of_loss++)
        t->at.totals[of_loss] += step * t->d_totals[of_loss];
}

/* How far the model goes in the direction that it is pulled in. */
double gained(const Pull *t) {
    double total = 0.0;
    for (ptrdiff_t i = 0; i < *t->at.size; i++)
        total += t->goal[t->at.number[i]] * t->at.x[t->at.number[i]];
    return total;
}
