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

/* as in ``pull``; none yet; none, since a weight was passed */
enum { FOUND, LOST, FALLS_SHORT, GOES_BEYOND, GOES_ON, PASSED };
enum { UNTIL, BELOW, BEYOND, WISHES };
enum { FIRST_STEPS = 8, FEWEST_STEPS = 60, WEIGHTS_A_STEP = 50, MOST_RETURNS = 200 };
static const double FIRST_WINDOW = 0.3; /* of the price of the norm */
static const double WIDER = 3.0, ROUGH = 1e-7, FAR = 1e8;

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
    fill_product(t, t->scratch, t->way);
    for (ptrdiff_t i = 0; i < size; i++)
        t->at.x[t->at.number[i]] -= t->way[i];
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
    for (ptrdiff_t i = 0; i < size; i++) {
        t->scratch[i] = -off_price(t, i, norm);
        worst = most(worst, fabs(t->scratch[i]));
    }
    fill_line_product(t, t->scratch, t->d_tied);
    for (ptrdiff_t c = 0; c < size; c++) {
        int64_t row = t->at.row[c];
        *(row >= 0 ? t->at.multipliers + row : t->at.prices - 1 - row) += t->d_tied[c];
    }
    return worst;
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

/* What is the first to be free; 0: one that was not watched was before. */
static int find_change(Pull *t, double until, Event *in) {
    fill_dual_way(t);
    *in = next_change(t);
    for (int with_all = 0; with_all < 2; with_all++) {
        if (!is_beyond_watched(t, least(in->far, until - *t->at.pull)))
            return 1;
        if (!watch(t, with_all))
            return 0;
        fill_watched_way(t);
        *in = next_change(t);
    }
    return 1;
}

static int step(Pull *t, const double *asked) {
    Event in;
    if (!find_change(t, asked[UNTIL], &in))
        return PASSED;
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
    t->later = 0;
    memcpy(t->all, t->all_before, t->d * sizeof(double));
    t->window *= WIDER;
    fill_slopes(t);
    fill_multipliers(t);
    gather_loose(t);
}

/* Steps until the next look, and how many; the outcome of the last one. */
static int walk(Pull *t, const double *asked, ptrdiff_t most_steps, ptrdiff_t *steps) {
    int outcome = GOES_ON;
    for (*steps = 0; outcome == GOES_ON && *steps < most_steps; ++*steps) {
        if (*steps && is_beyond_near(t))
            break;
        outcome = step(t, asked);
    }
    return outcome;
}

static int go(Pull *t, ptrdiff_t most_steps, const double *asked) {
    ptrdiff_t till_look = FIRST_STEPS, returns = 0, steps;
    int outcome = GOES_ON;
    if (!look(t, 1))
        return LOST;
    gather_loose(t);
    measure_spread(t, 1);
    t->window = FIRST_WINDOW * total_price(t, t->at.prices, 0);
    while (outcome == GOES_ON && most_steps > 0) {
        add_now(t);
        copy_place(t, &t->before, &t->at);
        memcpy(t->all_before, t->all, t->d * sizeof(double));
        find_near(t);
        watch(t, 0);
        outcome = walk(t, asked, till_look, &steps);
        most_steps -= steps;
        if (outcome == LOST || outcome == GOES_BEYOND)
            return outcome;
        if (outcome != PASSED && !look(t, outcome == GOES_ON))
            return LOST;
        if ((outcome == PASSED || is_passed(t)) && returns++ < MOST_RETURNS) {
            return_to_look(t);
            outcome = GOES_ON;
            continue;
        }
        till_look = FEWEST_STEPS + t->d / WEIGHTS_A_STEP;
        measure_spread(t, 0);
        widen_for(t, (double)till_look / steps);
    }
    return outcome == GOES_ON || outcome == PASSED ? LOST : outcome;
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
    add_now(&t);
    tell(arrays, &t);
    give_room_back(&t);
    return outcome;
}
