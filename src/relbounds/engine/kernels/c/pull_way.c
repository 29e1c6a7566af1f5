/* A step on the way of a model that is pulled at: how prices change, what that sets free, where
   the model goes then, and what stops it. */

#include "lines.h"
#include "pull.h"
#include <string.h>

#define LITTLE 1e-150

/* Of a cost, as it is. */
double cost_of(const Pull *t, ptrdiff_t cost) {
    return share_of(t, cost, 0) * t->at.totals[0] + share_of(t, cost, 1) * t->at.totals[1];
}

static double loss_of(const Pull *t, const double *values) {
    double loss = 0.0;
    for (ptrdiff_t r = 0; r < t->m; r++)
        loss -= slope_on(t, r, t->at.side[r]) * values[r];
    return loss;
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
static void fill_d_totals(const Pull *t, Event in) {
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
        slope += slope_on(t, r, t->at.side[r]) * t->offsets[r * t->k + number - t->d];
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
    memset(t->d_tied, 0, size * sizeof(double));
    for (ptrdiff_t j = 0; j < t->costs; j++)
        t->d_prices[j] = is_tied(t, j) ? 0.0 : t->rates[j];
    double of_norm = total_price(t, t->d_prices, 0), of_loss = total_price(t, t->d_prices, 1);
    if (of_loss != 0)
        fill_slope_by_point(t);
    for (ptrdiff_t i = 0; i < size; i++) {
        double worth = growing_worth(t, i, of_norm, of_loss);
        if (worth != 0)
            add_line(-worth, line_of(t, i), size, t->d_tied);
    }
    for (ptrdiff_t c = 0; c < size; c++)
        if (t->at.row[c] < 0)
            t->d_prices[-1 - t->at.row[c]] = t->d_tied[c];
    of_loss = total_price(t, t->d_prices, 1);
    memset(t->by_point, 0, t->n * sizeof(double));
    if (of_loss != 0) {
        for (ptrdiff_t r = 0; r < t->m; r++)
            t->by_point[t->point[r]] += of_loss * t->sign[r] * slope_on(t, r, t->at.side[r]);
    }
    for (ptrdiff_t c = 0; c < size; c++)
        if (t->at.row[c] >= 0)
            t->by_point[t->point[t->at.row[c]]] += t->sign[t->at.row[c]] * t->d_tied[c];
    fill_rough_gradients(t, t->by_point, 1.0, t->watched, t->count, t->d_gradients);
}

/* By which rough numbers may be off: of the price, and of the fastest change. */
static void fill_slack(const Pull *t, double price, double change, double *slack, double *d_slack) {
    double fastest = fabs(change);
    for (ptrdiff_t w = 0; w < t->count; w++)
        fastest = most(fastest, fabs(t->d_gradients[w]));
    *slack = ROUGHLY * (price + t->window);
    *d_slack = ROUGHLY * fastest;
}

/* A watched weight as it is about to be worth its price, on a side. */
static Event weight_to_side(const Pull *t, ptrdiff_t w, int64_t side, double price, double change) {
    ptrdiff_t weight = t->watched[w];
    return (Event){A_WEIGHT, weight, w, side,
                   price - side * gradient_of(t, t->paid, *t->at.pull, weight),
                   side * gradient_of(t, t->by_point, 1.0, weight) - change};
}

/* When a rough number that has some way to go is there, at the latest; late, if it stands still. */
INLINE double there_by(double far, double speed) {
    return most(far, LITTLE) / (speed > MOVING ? speed : LITTLE * LITTLE);
}

/* When one of the watched weights is worth its price, at the latest. */
WIDE static double soonest_weight(const Pull *t, double price, double change) {
    double soonest[LANES], first = INFINITY;
    ptrdiff_t whole = t->count - t->count % LANES;
    for (int k = 0; k < LANES; k++)
        soonest[k] = INFINITY;
    for (ptrdiff_t w = 0; w < whole; w += LANES)
        for (int k = 0; k < LANES; k++) {
            double gradient = t->gradients[w + k], speed = t->d_gradients[w + k];
            double up = there_by(price - gradient, speed - change);
            double down = there_by(price + gradient, -speed - change);
            soonest[k] = least(soonest[k], least(up, down));
        }
    for (int k = 0; k < LANES; k++)
        first = least(first, soonest[k]);
    for (ptrdiff_t w = whole; w < t->count; w++)
        for (int side = -1; side < 2; side += 2)
            first = least(first, there_by(price - side * t->gradients[w],
                                          side * t->d_gradients[w] - change));
    return first;
}

/* The weight that is the first to be worth its price: rough numbers tell which ones may be. */
static Event next_weight(const Pull *t) {
    double price = total_price(t, t->at.prices, 0), change = total_price(t, t->d_prices, 0);
    double slack, d_slack;
    Event first = {.kind = NOTHING, .far = INFINITY};
    fill_slack(t, price, change, &slack, &d_slack);
    double soonest = soonest_weight(t, price + slack, change + d_slack);
    for (ptrdiff_t w = 0; w < t->count; w++)
        for (int64_t side = -1; side < 2; side += 2) {
            double far = price - slack - side * t->gradients[w];
            double speed = side * t->d_gradients[w] - change + d_slack;
            if (far <= soonest * speed && speed > MOVING)
                first = first_event(first, weight_to_side(t, w, side, price, change));
        }
    return first;
}

/* Of a tied row: when its multiplier is that of a side. */
static Event row_to_side(const Pull *t, ptrdiff_t c, int64_t side, double price, double change) {
    ptrdiff_t row = t->at.row[c];
    double slope = slope_on(t, row, side), multiplier = t->at.multipliers[row];
    return (Event){A_ROW, row, c, side, side * (multiplier - slope * price),
                   side * (slope * change - t->d_tied[c])};
}

/* What is the first to be free, as the pull grows: a weight or a row; a cost: its limit is not
   needed any more. */
Event next_change(const Pull *t) {
    double price = total_price(t, t->at.prices, 1), change = total_price(t, t->d_prices, 1);
    Event first = next_weight(t);
    for (ptrdiff_t c = 0; c < *t->at.size; c++) {
        ptrdiff_t row = t->at.row[c];
        if (row < 0) {
            Event cost = {A_COST, -1 - row, c, 1, t->at.prices[-1 - row], -t->d_tied[c]};
            first = first_event(first, cost);
            continue;
        }
        if (t->weight[row] < INFINITY)
            first = first_event(first, row_to_side(t, c, -1, price, change));
        first = first_event(first, row_to_side(t, c, 1, price, change));
    }
    return first;
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

/* How what offsets add to a row changes along the way. */
static inline double offsets_add(const Pull *t, ptrdiff_t row) {
    double change = 0.0;
    for (ptrdiff_t b = 0; b < t->k; b++)
        change += t->offsets[row * t->k + b] * t->scratch[b];
    return change;
}

/* How scores change along the way: of a point with a row that is tied as that one has it. */
static void fill_d_scores(const Pull *t, Event in) {
    fill_loose_scores(t, in);
    for (ptrdiff_t c = 0; c < *t->at.size; c++) {
        int64_t row = t->at.row[c];
        if (row < 0 || t->sign[row] == 0)
            continue;
        double change = in.kind == A_ROW && c == in.place ? in.side : 0.0;
        t->scores[t->point[row]] = (change - offsets_add(t, row)) / t->sign[row];
    }
}

/* How rows change along the way. */
WIDE static void fill_d_values(const Pull *t, Event in) {
    for (ptrdiff_t i = 0; i < *t->at.size; i++)
        if (t->at.number[i] >= t->d) /* of all offsets: they are free */
            t->scratch[t->at.number[i] - t->d] = t->way[i];
    fill_d_scores(t, in);
    for (ptrdiff_t r = 0; r < t->m; r++)
        t->d_values[r] = t->sign[r] * t->scores[t->point[r]] + offsets_add(t, r);
}

/* What stops the model first: a row at its hinge, a weight that is zero or a cost at its limit. */
Event next_met(const Pull *t, Event in) {
    Event first = {.kind = NOTHING, .far = INFINITY};
    fill_d_values(t, in);
    fill_d_totals(t, in);
    for (ptrdiff_t r = 0; r < t->m; r++) {
        int64_t side = t->at.side[r];
        Event row = {A_ROW, r, 0, 0, side * t->at.values[r], -side * t->d_values[r]};
        if (side && !(in.kind == A_ROW && r == in.which))
            first = first_event(first, row);
    }
    for (ptrdiff_t i = 0; i < *t->at.size; i++) {
        ptrdiff_t number = t->at.number[i];
        int64_t turn = number < t->d ? t->at.turn[number] : 0;
        Event weight = {A_WEIGHT, number, i, 0, turn * t->at.x[number], -turn * t->way[i]};
        if (turn)
            first = first_event(first, weight);
    }
    for (ptrdiff_t j = 0; j < t->costs; j++)
        if (!is_tied(t, j) && t->limits[j] < INFINITY) {
            double growth = 0.0;
            for (int of_loss = 0; of_loss < 2; of_loss++)
                growth += share_of(t, j, of_loss) * t->d_totals[of_loss];
            Event cost = {A_COST, j, 0, 0, t->limits[j] - cost_of(t, j), growth};
            first = first_event(first, cost);
        }
    return first;
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
