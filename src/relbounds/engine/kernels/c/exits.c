/* Which place is the first to be left, as the price of what enters moves?

   A price may move until it is that of one of the sides of the piece at its place. What sides cost
   is kept by place, so that all places are looked at side by side. */

#include "exits.h"

/* Without a branch: what is never reached is very far, even if it is near. */
static const double NEAREST = 1e-200, SLOWEST = 1e-300;

/* How far the price of a piece may move until it is that of its other side. */
static double way_to_other_side(const Corner *t, ptrdiff_t piece, double sign) {
    double width = 0.0, narrows = 1.0;
    for (ptrdiff_t j = 0; j < t->costs; j++)
        if (t->at[j] >= 0) {
            double apart = slope_of(t, piece, j, 1) - slope_of(t, piece, j, -1);
            width += t->prices[t->at[j]] * apart;
            narrows -= sign * t->column[t->at[j]] * apart;
        }
    return narrows > SMALLEST_PIVOT ? most(width, 0.0) / narrows : INFINITY;
}

/* What the sides of the piece at a place cost. A cost may fall below its limit, which is as the
   lower side of a piece that costs nothing, and has no other; hard pieces have no lower side. */
void note_place(const Corner *t, ptrdiff_t place) {
    int64_t piece = t->place[place];
    for (int side = 0; side < 2; side++) {
        int is_open = piece < 0 ? !side : side || !is_hard(t, piece);
        t->open[side * t->q + place] = is_open;
        for (ptrdiff_t j = 0; j < t->costs; j++)
            t->sides[(side * t->costs + j) * t->q + place] =
                piece >= 0 && is_open ? slope_of(t, piece, j, side) : 0.0;
    }
}

/* How far the prices at all places are from those of a side, and how fast they get there. */
WIDE static void fill_ways(const Corner *t, int side, double sign, ptrdiff_t entering) {
    ptrdiff_t q = t->q;
    double *restrict far = t->far + side * q, *restrict size = t->size + side * q;
    const double *restrict open = t->open + side * q, *restrict prices = t->prices;
    const double *restrict column = t->column;
    double up = side ? 1.0 : -1.0;
    for (ptrdiff_t p = 0; p < q; p++) {
        far[p] = -up * prices[p];
        size[p] = up * sign * column[p];
    }
    for (ptrdiff_t j = 0; j < t->costs; j++) {
        const double *restrict slopes = t->sides + (side * t->costs + j) * q;
        ptrdiff_t at = t->at[j];
        double price = at >= 0 ? up * prices[at] : 0.0;
        double change = at >= 0 ? up * sign * column[at] : j == entering ? up : 0.0;
        for (ptrdiff_t p = 0; p < q; p++) {
            far[p] += slopes[p] * price;
            size[p] -= slopes[p] * change;
        }
    }
    for (ptrdiff_t p = 0; p < q; p++) {
        size[p] = open[p] * size[p] > SMALLEST_PIVOT ? size[p] : SLOWEST;
        far[p] = most(far[p], NEAREST) / size[p];
    }
}

/* In four, since one alone would wait for itself. */
static double least_of(const double *numbers, ptrdiff_t n) {
    double lanes[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
    ptrdiff_t whole = n - n % 4;
    for (ptrdiff_t i = 0; i < whole; i += 4)
        for (int k = 0; k < 4; k++)
            lanes[k] = least(numbers[i + k], lanes[k]);
    for (ptrdiff_t i = whole; i < n; i++)
        lanes[0] = least(numbers[i], lanes[0]);
    return least(least(lanes[0], lanes[1]), least(lanes[2], lanes[3]));
}

/* The first of all; of equals the one that is reached fastest. */
static Exit nearest(const Corner *t, Exit first) {
    double until = least(least_of(t->far, 2 * t->q), first.far) + TIE;
    if (first.far > until)
        first.place = NONE;
    for (ptrdiff_t k = 0; k < 2 * t->q; k++)
        if (t->far[k] <= until && t->size[k] > first.size)
            first = (Exit){k % t->q, k < t->q ? -1 : 1, t->far[k], t->size[k]};
    return first;
}

/* The first place whose price reaches a limit, if the piece that enters does not reach that of its
   other side before. */
Exit first_exit(const Corner *t, Wrong wrong, double sign) {
    Exit first = {.place = NONE, .far = INFINITY, .size = SMALLEST_PIVOT};
    if (wrong.piece >= 0 && !is_hard(t, wrong.piece))
        first.far = way_to_other_side(t, wrong.piece, sign);
    if (first.far < INFINITY)
        first.place = ITS_OTHER_SIDE;
    fill_ways(t, 0, sign, wrong.cost);
    fill_ways(t, 1, sign, wrong.cost);
    return nearest(t, first);
}
