/* What happens first: as the pull grows, and as the model moves then. */

#include "lines.h"
#include "pull.h"

#define LITTLE 1e-150

/* By which rough numbers may be off: of the price, and of the fastest change. */
static void fill_slack(const Pull *t, double price, double change, double *slack, double *d_slack) {
    double fastest = fabs(change);
    for (ptrdiff_t w = 0; w < t->count; w++)
        fastest = most(fastest, fabs(t->d_gradients[w]));
    *slack = ROUGHLY * (price + t->watch_window);
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

/* When the first of each block is there; the soonest of them. */
WIDE static double fill_soonest(const Pull *t, ptrdiff_t blocks) {
    double first = INFINITY;
    for (ptrdiff_t b = 0; b < blocks; b++) {
        const double *fars = t->fars + b * BLOCK, *speeds = t->speeds + b * BLOCK;
        double soonest[LANES];
        for (int k = 0; k < LANES; k++)
            soonest[k] = there_by(fars[k], speeds[k]);
        for (int i = LANES; i < BLOCK; i += LANES)
            for (int k = 0; k < LANES; k++)
                soonest[k] = least(soonest[k], there_by(fars[i + k], speeds[i + k]));
        t->soonest[b] = least(least(soonest[0], soonest[1]), least(soonest[2], soonest[3]));
        first = least(first, t->soonest[b]);
    }
    return first;
}

/* Of the pieces in ``fars`` and ``speeds``, and of what is known, the first. */
static Event first_among(const Pull *t, ptrdiff_t count, Event first,
                         Event (*event_at)(const Pull *, ptrdiff_t)) {
    ptrdiff_t blocks = (count + BLOCK - 1) / BLOCK;
    for (ptrdiff_t i = count; i < blocks * BLOCK; i++)
        t->fars[i] = t->speeds[i] = 0.0;
    double soonest = least(fill_soonest(t, blocks), first.far);
    double until = soonest + 2 * SAME * (1 + soonest);
    for (ptrdiff_t b = 0; b < blocks; b++)
        for (ptrdiff_t i = b * BLOCK; t->soonest[b] <= until && i < (b + 1) * BLOCK; i++)
            if (there_by(t->fars[i], t->speeds[i]) <= until)
                first = first_event(first, event_at(t, i));
    return first;
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

/* What is tied may go to either side: all of it, and all of it again. */
static Event change_at(const Pull *t, ptrdiff_t i) {
    ptrdiff_t size = *t->at.size, c = i < size ? i : i - size;
    int64_t row = t->at.row[c], side = i < size ? -1 : 1;
    if (row < 0)
        return (Event){A_COST, -1 - row, c, side, t->fars[i], t->speeds[i]};
    return (Event){A_ROW, row, c, side, t->fars[i], t->speeds[i]};
}

/* When multipliers of tied rows are those of a side, and prices of costs zero. */
WIDE static void fill_changes(const Pull *t) {
    double price = total_price(t, t->at.prices, 1), change = total_price(t, t->d_prices, 1);
    ptrdiff_t size = *t->at.size;
    for (ptrdiff_t c = 0; c < size; c++) {
        int64_t row = t->at.row[c];
        double now = row < 0 ? t->at.prices[-1 - row] : t->at.multipliers[row];
        double weight = row < 0 ? INFINITY : t->weight[row];
        double surplus = row < 0 ? 0.0 : t->surplus[row];
        int may_be_missed = weight < INFINITY;
        t->fars[c] = may_be_missed ? weight * price - now : INFINITY;
        t->speeds[c] = may_be_missed ? t->d_tied[c] - weight * change : 0.0;
        t->fars[size + c] = now + surplus * price;
        t->speeds[size + c] = -surplus * change - t->d_tied[c];
    }
}

/* What is the first to be free, as the pull grows: a weight or a row; a cost: its limit is not
   needed any more. */
Event next_change(const Pull *t) {
    Event weight = next_weight(t);
    fill_changes(t);
    return first_among(t, 2 * *t->at.size, weight, change_at);
}

/* Rows come first, and then what is free. */
static Event met_at(const Pull *t, ptrdiff_t i) {
    if (i < t->m)
        return (Event){A_ROW, i, 0, 0, t->fars[i], t->speeds[i]};
    return (Event){A_WEIGHT, t->at.number[i - t->m], i - t->m, 0, t->fars[i], t->speeds[i]};
}

/* When rows are at their hinge, and free weights zero. */
WIDE static void fill_meetings(const Pull *t, Event in) {
    double *fars = t->fars + t->m, *speeds = t->speeds + t->m;
    for (ptrdiff_t r = 0; r < t->m; r++) {
        double side = (double)t->at.side[r];
        t->fars[r] = side * t->at.values[r];
        t->speeds[r] = -side * t->d_values[r];
    }
    if (in.kind == A_ROW)
        t->speeds[in.which] = 0.0;
    for (ptrdiff_t i = 0; i < *t->at.size; i++) {
        ptrdiff_t number = t->at.number[i];
        double turn = number < t->d ? (double)t->at.turn[number] : 0.0;
        fars[i] = turn * t->at.x[number];
        speeds[i] = -turn * t->way[i];
    }
}

/* What stops the model first: a row at its hinge, a weight that is zero or a cost at its limit. */
Event next_met(const Pull *t, Event in) {
    Event first = {.kind = NOTHING, .far = INFINITY};
    fill_d_values(t, in);
    fill_d_totals(t, in);
    fill_meetings(t, in);
    for (ptrdiff_t j = 0; j < t->costs; j++)
        if (!is_tied(t, j) && t->limits[j] < INFINITY) {
            double growth = 0.0;
            for (int of_loss = 0; of_loss < 2; of_loss++)
                growth += share_of(t, j, of_loss) * t->d_totals[of_loss];
            Event cost = {A_COST, j, 0, 0, t->limits[j] - cost_of(t, j), growth};
            first = first_event(first, cost);
        }
    return first_among(t, t->m + *t->at.size, first, met_at);
}
