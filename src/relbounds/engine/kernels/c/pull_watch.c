/* Which weights are near what sets them free? All are looked at now and then; those that may get
   there before the next look are *near*. Of these, those that may get there in a few steps are
   *watched*, and when the multipliers have moved so far that another one might, all that are near
   are looked at. How far gradients move with the multipliers is known from look to look. */

#include "lines.h"
#include "pull.h"
#include <string.h>

static const double SPREADS = 3.5; /* further than that few gradients move */
static const double NARROWER = 0.2; /* of the window of those that are near */
static const double PASSED = 1e-8; /* of the price of the norm: a gradient that is beyond it */
static const double ROUNDING = 1e-12;

static double norm_price(const Pull *t) { return total_price(t, t->at.prices, 0); }

/* Gradients that are beyond are not what they should be. */
static double beyond(const Pull *t) {
    return (1 + PASSED) * norm_price(t) + ROUNDING * fabs(*t->at.pull);
}

/* Own weights, and those that are pulled at, move in their own way. */
static int is_always_near(const Pull *t, ptrdiff_t weight) {
    return (weight >= t->d - t->own) | (t->goal[weight] != 0);
}

static void note(Mark *mark, const Pull *t) {
    memcpy(mark->paid, t->paid, t->n * sizeof(double));
    mark->price = norm_price(t);
}

/* Square of how far the multipliers, point by point, are from a mark if they move on. */
WIDE static double distance_from(const Mark *mark, const Pull *t, double by) {
    double lanes[LANES] = {0};
    ptrdiff_t whole = t->n - t->n % LANES;
    for (ptrdiff_t p = 0; p < whole; p += LANES)
        for (int k = 0; k < LANES; k++) {
            double off = t->paid[p + k] + by * t->by_point[p + k] - mark->paid[p + k];
            lanes[k] += off * off;
        }
    for (ptrdiff_t p = whole; p < t->n; p++) {
        double off = t->paid[p] + by * t->by_point[p] - mark->paid[p];
        lanes[0] += off * off;
    }
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

/* By how much gradients, and the price, may have changed since a mark. */
static double moved_since(const Mark *mark, const Pull *t, double by) {
    double price = norm_price(t) + by * total_price(t, t->d_prices, 0);
    return SPREADS * t->spread * sqrt(distance_from(mark, t, by)) + fabs(price - mark->price);
}

int is_beyond_watched(const Pull *t, double by) {
    return !(moved_since(&t->at_watch, t, by) <= t->watch_window);
}

int is_beyond_near(const Pull *t) { return !(moved_since(&t->at_look, t, 0.0) <= t->window); }

/* How far gradients move as multipliers do: since the last look, or, at the first, from nothing. */
void measure_spread(Pull *t, int is_first) {
    double total = 0.0, distance = 0.0;
    for (ptrdiff_t w = 0; w < t->d; w++) {
        double moved = is_first ? t->all[w] : t->all[w] - t->all_before[w];
        total += moved * moved;
    }
    if (is_first)
        distance = product_of(t->paid, t->paid, t->n);
    else
        distance = distance_from(&t->at_look, t, 0.0);
    if (distance > 0)
        t->spread = sqrt(total / t->d / distance);
}

/* A window for so many steps as wide as it should have been for those since the last look. */
void widen_for(Pull *t, double more) {
    t->window = SPREADS * t->spread * sqrt(more * distance_from(&t->at_look, t, 0.0));
}

/* Whether a weight that is not watched was passed. */
int is_passed(const Pull *t) {
    double limit = beyond(t);
    for (ptrdiff_t w = 0; w < t->count; w++) /* these are looked after */
        t->all[t->watched[w]] = most(least(t->all[t->watched[w]], limit), -limit);
    for (ptrdiff_t w = 0; w < t->d; w++)
        if (fabs(t->all[w]) > limit && !t->at.turn[w])
            return 1;
    return 0;
}

/* Weights within the window of what sets them free, and those that are free. */
void find_near(Pull *t) {
    double edge = norm_price(t) - t->window;
    ptrdiff_t count = 0;
    for (ptrdiff_t w = 0; w < t->d; w++) {
        t->near[count] = w;
        count += (fabs(t->all[w]) >= edge) | (t->at.turn[w] != 0) | is_always_near(t, w);
    }
    t->n_near = count;
    note(&t->at_look, t);
    t->count = 0;
}

/* Of the weights that are near, those that are to be watched: with all of a window, or with as
   much of it as a few steps need. 0: one was passed. */
int watch(Pull *t, int with_all) {
    double price = norm_price(t), limit = beyond(t), close = (1 - 2 * ROUGHLY) * price;
    ptrdiff_t count = 0, kept = 0, is_first = t->count == 0;
    for (ptrdiff_t w = 0; w < t->count; w++)
        t->was_watched[t->watched[w]] = 1;
    for (ptrdiff_t u = 0; u < t->n_near; u++) {
        t->watched[count] = t->near[u];
        count += !t->at.turn[t->near[u]];
    }
    fill_rough_gradients(t, t->paid, *t->at.pull, t->watched, count, t->gradients);
    t->watch_window = with_all ? t->window : NARROWER * t->window;
    int passed = 0;
    for (ptrdiff_t u = 0; u < count; u++) {
        ptrdiff_t w = t->watched[u];
        double gradient = t->gradients[u];
        if (fabs(gradient) > close && !t->was_watched[w] && !is_first)
            passed |= fabs(gradient_of(t, t->paid, *t->at.pull, w)) > limit;
        t->was_watched[w] = 0;
        t->watched[kept] = w;
        t->gradients[kept] = gradient;
        kept += (fabs(gradient) >= price - t->watch_window) | is_always_near(t, w);
    }
    t->count = kept;
    note(&t->at_watch, t);
    return !passed;
}

/* One that is set free is watched no more. */
void watch_no_more(Pull *t, Event weight) {
    t->watched[weight.place] = t->watched[--t->count];
    t->gradients[weight.place] = t->gradients[t->count];
}

/* One that is zero again is worth its price still. */
void watch_again(Pull *t, ptrdiff_t weight) {
    t->gradients[t->count] = t->at.turn[weight] * norm_price(t);
    t->watched[t->count++] = weight;
}
