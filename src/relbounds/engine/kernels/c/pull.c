/* How far does a model go that is pulled at more and more? From corner to corner, as one weight or
   row after another is set free, until the limits stop it.

   At every pull the model is the one of least cost, less pull times gain: so its multipliers prove
   at every corner what no model can pass. Gradients of few weights are near what sets them free.
   These are watched; after some steps all are looked at, and if another one was passed, the way is
   gone again from the last look with more of them. */

#include "lines.h"
#include "pull.h"
#include <stdlib.h>
#include <string.h>

enum { FOUND, LOST, FALLS_SHORT, GOES_BEYOND, GOES_ON }; /* as in ``pull``; the last: none yet */
enum { UNTIL, BELOW, BEYOND, WISHES };
enum { FIRST_STEPS = 8, FEWEST_STEPS = 20, WEIGHTS_A_STEP = 200, MOST_RETURNS = 200 };
static const double FIRST_WINDOW = 0.3; /* of the price of the norm */
static const double SPREADS = 4.0, WIDER = 3.0;
static const double PASSED = 1e-8; /* of the price of the norm: a gradient that is beyond it */
static const double ROUGH = 1e-7, ROUNDING = 1e-12, FAR = 1e8;

/* Multipliers of all rows that have a side, and of all point by point. */
static void fill_multipliers(const Pull *t) {
    double price = total_price(t, t->at.prices, 1);
    for (ptrdiff_t r = 0; r < t->m; r++)
        if (t->at.side[r])
            t->at.multipliers[r] = price * slope_on(t, r, t->at.side[r]);
    memset(t->paid, 0, t->n * sizeof(double));
    for (ptrdiff_t r = 0; r < t->m; r++)
        t->paid[t->point[r]] += t->sign[r] * t->at.multipliers[r];
}

/* Gradients of all weights: roughly of those that are far from what sets them free. */
static void fill_all(const Pull *t) {
    fill_multipliers(t);
    fill_rough_gradients(t, t->paid, *t->at.pull, NULL, t->d, t->all);
    double close = (1 - 2 * ROUGHLY) * total_price(t, t->at.prices, 0);
    for (ptrdiff_t w = 0; w < t->d; w++)
        if (fabs(t->all[w]) > close && !t->at.turn[w])
            t->all[w] = gradient_of(t, t->paid, *t->at.pull, w);
}

/* Rows as they are. */
WIDE static void fill_values(const Pull *t) {
    memset(t->scores, 0, t->n * sizeof(double));
    for (ptrdiff_t i = 0; i < *t->at.size; i++)
        if (t->at.number[i] < t->d)
            add_line(t->at.x[t->at.number[i]], column_of(t, t->at.number[i]), t->n, t->scores);
    for (ptrdiff_t r = 0; r < t->m; r++) {
        double value = t->sign[r] * t->scores[t->point[r]] - t->margin[r];
        for (ptrdiff_t b = 0; b < t->k; b++)
            value += t->offsets[r * t->k + b] * t->at.x[t->d + b];
        t->at.values[r] = value;
    }
    fill_totals(t);
}

/* Takes off the model what keeps tied rows from their hinge and tied costs from their limit.
   The most that was. */
WIDE static double mend_model(const Pull *t) {
    ptrdiff_t size = *t->at.size;
    double worst = 0.0;
    fill_values(t);
    for (ptrdiff_t c = 0; c < size; c++) {
        int64_t row = t->at.row[c];
        t->scratch[c] = row >= 0 ? t->at.values[row] : t->limits[-1 - row] - cost_of(t, -1 - row);
        worst = most(worst, fabs(t->scratch[c]));
    }
    for (ptrdiff_t i = 0; i < size; i++)
        t->at.x[t->at.number[i]] -= product_of(line_of(t, i), t->scratch, size);
    fill_values(t);
    return worst;
}

/* By how much a free number is worth more than it costs. */
static double off_price(const Pull *t, ptrdiff_t i, double norm) {
    ptrdiff_t number = t->at.number[i];
    double worth = *t->at.pull * t->goal[number];
    if (number < t->d) {
        worth += product_of(t->paid, column_of(t, number), t->n);
        return worth - norm * t->at.turn[number] * t->worth[number];
    }
    for (ptrdiff_t r = 0; r < t->m; r++)
        worth += t->at.multipliers[r] * t->offsets[r * t->k + number - t->d];
    return worth;
}

/* The same of prices: free weights are worth theirs, and offsets have none. */
WIDE static double mend_prices(const Pull *t) {
    ptrdiff_t size = *t->at.size;
    double worst = 0.0, norm = total_price(t, t->at.prices, 0);
    fill_multipliers(t);
    memset(t->d_tied, 0, size * sizeof(double));
    for (ptrdiff_t i = 0; i < size; i++) {
        double off = off_price(t, i, norm);
        worst = most(worst, fabs(off));
        add_line(-off, line_of(t, i), size, t->d_tied);
    }
    for (ptrdiff_t c = 0; c < size; c++) {
        int64_t row = t->at.row[c];
        *(row >= 0 ? t->at.multipliers + row : t->at.prices - 1 - row) += t->d_tied[c];
    }
    return worst;
}

/* Whether a weight that is not watched was passed. */
static int is_passed(const Pull *t) {
    double limit = (1 + PASSED) * total_price(t, t->at.prices, 0) + ROUNDING * fabs(*t->at.pull);
    for (ptrdiff_t w = 0; w < t->count; w++) /* these are looked after */
        t->all[t->watched[w]] = most(least(t->all[t->watched[w]], limit), -limit);
    for (ptrdiff_t w = 0; w < t->d; w++)
        if (fabs(t->all[w]) > limit && !t->at.turn[w])
            return 1;
    return 0;
}

/* How far gradients moved since the last look, in the root mean square. */
static double spread_since(const Pull *t) {
    double total = 0.0;
    for (ptrdiff_t w = 0; w < t->d; w++)
        total += (t->all[w] - t->all_before[w]) * (t->all[w] - t->all_before[w]);
    return sqrt(total / t->d);
}

/* Weights that are zero, within the window of what sets them free. */
static void watch(Pull *t) {
    double edge = total_price(t, t->at.prices, 0) - t->window;
    ptrdiff_t of_all = t->d - t->own, count = 0;
    for (ptrdiff_t w = 0; w < t->d; w++) {
        int is_near = (fabs(t->all[w]) >= edge) | (w >= of_all) | (t->goal[w] != 0);
        t->watched[count] = w;
        t->gradients[count] = t->all[w];
        count += is_near & !t->at.turn[w];
    }
    t->count = count;
}

/* One that is set free is watched no more. */
static void watch_no_more(Pull *t, Event weight) {
    t->watched[weight.place] = t->watched[--t->count];
    t->gradients[weight.place] = t->gradients[t->count];
}

/* One that is zero again is worth its price still. */
static void watch_again(Pull *t, ptrdiff_t weight) {
    t->gradients[t->count] = t->at.turn[weight] * total_price(t, t->at.prices, 0);
    t->watched[t->count++] = weight;
}

/* Whether all costs are at their limits, or free of charge; one may be about to get there. */
static int is_at_limits(const Pull *t, Event met) {
    for (ptrdiff_t j = 0; j < t->costs; j++)
        if (t->at.prices[j] > 0 && !is_tied(t, j) && !(met.kind == A_COST && met.which == j))
            return 0;
    return 1;
}

/* Up to a pull, or, if there is none, so far that only what is tied has a price left. */
static int pull_to_end(const Pull *t, double until) {
    pull_harder(t, until < INFINITY ? until - *t->at.pull : FAR * (1 + fabs(*t->at.pull)));
    return FOUND;
}

/* What is set free moves until it is stopped, and takes its place; GOES_ON: that is not the end. */
static int let_move(Pull *t, Event in) {
    if (in.kind == A_WEIGHT) {
        t->at.turn[in.which] = in.side;
        watch_no_more(t, in);
    } else if (in.kind == A_ROW)
        let_go(t, in);
    else
        t->at.prices[in.which] = 0.0;
    fill_way(t, in);
    Event met = next_met(t, in);
    if (met.kind == NOTHING)
        return LOST;
    move_on(t, in, met.far);
    if (met.kind == A_COST && is_at_limits(t, met))
        return FOUND;
    if (!exchange_places(t, in, met))
        return LOST;
    if (met.kind == A_WEIGHT) {
        watch_again(t, met.which);
        t->at.turn[met.which] = 0;
        t->at.x[met.which] = 0.0;
    }
    return GOES_ON;
}

/* Whether what is known is all that was asked. */
static int told(const Pull *t, const double *asked) {
    double gain = gained(t), spare = 0.0;
    if (gain >= asked[BEYOND])
        return GOES_BEYOND;
    for (ptrdiff_t j = 0; j < t->costs; j++)
        if (t->at.prices[j] > 0)
            spare += t->at.prices[j] * (t->limits[j] - cost_of(t, j));
    double most_gain = *t->at.pull > 0 ? gain + spare / *t->at.pull : INFINITY;
    return gain >= 0 && most_gain <= asked[BELOW] ? FALLS_SHORT : GOES_ON;
}

static int step(Pull *t, const double *asked) {
    fill_dual_way(t);
    Event in = next_change(t);
    if (in.kind == NOTHING || *t->at.pull + in.far >= asked[UNTIL])
        return pull_to_end(t, asked[UNTIL]);
    pull_harder(t, in.far);
    int outcome = let_move(t, in);
    return outcome == GOES_ON ? told(t, asked) : outcome;
}

/* Prices that are right, and how all gradients stand. 0: they cannot be made right. */
static int look(const Pull *t, int is_at_corner) {
    if (is_at_corner && mend_model(t) > ROUGH && mend_model(t) > ROUGH)
        return 0;
    double rough = ROUGH * (1 + fabs(*t->at.pull)); /* prices grow with it */
    if (mend_prices(t) > rough && mend_prices(t) > rough)
        return 0;
    fill_all(t);
    return 1;
}

/* Back to the last look, to watch more. */
static void return_to_look(Pull *t) {
    copy_place(t, &t->at, &t->before);
    memcpy(t->all, t->all_before, t->d * sizeof(double));
    t->window *= WIDER;
    fill_multipliers(t);
    gather_loose(t);
}

/* Steps until the next look; the outcome of the last one. */
static int walk(Pull *t, const double *asked, ptrdiff_t steps) {
    int outcome = GOES_ON;
    while (outcome == GOES_ON && steps-- > 0)
        outcome = step(t, asked);
    return outcome;
}

static int go(Pull *t, ptrdiff_t most_steps, const double *asked) {
    ptrdiff_t till_look = FIRST_STEPS, returns = 0;
    int outcome = GOES_ON;
    if (!look(t, 1))
        return LOST;
    gather_loose(t);
    t->window = FIRST_WINDOW * total_price(t, t->at.prices, 0);
    while (outcome == GOES_ON && most_steps > 0) {
        copy_place(t, &t->before, &t->at);
        memcpy(t->all_before, t->all, t->d * sizeof(double));
        watch(t);
        outcome = walk(t, asked, till_look);
        most_steps -= till_look;
        if (outcome == LOST || outcome == GOES_BEYOND)
            return outcome;
        if (!look(t, outcome == GOES_ON))
            return LOST;
        if (is_passed(t) && returns++ < MOST_RETURNS) {
            return_to_look(t);
            outcome = GOES_ON;
            continue;
        }
        ptrdiff_t next = FEWEST_STEPS + t->d / WEIGHTS_A_STEP;
        t->window = SPREADS * spread_since(t) * sqrt((double)next / till_look);
        till_look = next;
    }
    return outcome == GOES_ON ? LOST : outcome;
}

/* a set, a place in it, goal, rates; most steps, the pull at which it ends, gains at which it falls
   short and goes beyond. The outcome. */
int pull(const Array *arrays) {
    Pull t;
    if (!pull_of(arrays, &t))
        return -1;
    const Array *wishes = arrays + ARRAYS_OF_PULL;
    double asked[WISHES];
    for (int wish = 0; wish < WISHES; wish++)
        asked[wish] = *(double *)wishes[1 + wish].data;
    int outcome = go(&t, *(int64_t *)wishes[0].data, asked);
    tell(arrays, &t);
    give_room_back(&t);
    return outcome;
}
