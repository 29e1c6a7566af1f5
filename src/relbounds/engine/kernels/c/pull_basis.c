/* What is free and what is tied: a change of it, and what that does to the inverse.

   M has a line for each row at its hinge and each cost at its limit, which are *tied*, and a column
   for each weight that is not zero and each offset, which are *free*: as many of both. A cost's
   line is its gradient, turned. */

#include "lines.h"
#include "pull.h"
#include <string.h>

int is_tied(const Pull *t, ptrdiff_t cost) {
    for (ptrdiff_t c = 0; c < *t->at.size; c++)
        if (t->at.row[c] == -1 - cost)
            return 1;
    return 0;
}

/* Whether any cost is. */
static int is_any_tied(const Pull *t) {
    for (ptrdiff_t j = 0; j < t->costs; j++)
        if (is_tied(t, j))
            return 1;
    return 0;
}

/* Slopes of all rows on their sides. */
void fill_slopes(const Pull *t) {
    for (ptrdiff_t r = 0; r < t->m; r++)
        t->slopes[r] = slope_on(t, r, t->at.side[r]);
}

/* The same point by point. */
void fill_slope_by_point(const Pull *t) {
    memset(t->by_point, 0, t->n * sizeof(double));
    for (ptrdiff_t r = 0; r < t->m; r++)
        t->by_point[t->point[r]] += t->sign[r] * t->slopes[r];
}

/* The entry of a number in a cost's line; slopes by point are known. */
static double cost_entry(const Pull *t, ptrdiff_t cost, ptrdiff_t number, int64_t turn) {
    double of_loss = 0.0, share = share_of(t, cost, 1);
    if (number < t->d) {
        if (share != 0)
            of_loss = product_of(t->by_point, column_of(t, number), t->n);
        return share * of_loss - share_of(t, cost, 0) * t->worth[number] * turn;
    }
    for (ptrdiff_t r = 0; r < t->m; r++)
        of_loss += t->slopes[r] * t->offsets[r * t->k + number - t->d];
    return share * of_loss;
}

static double row_entry(const Pull *t, ptrdiff_t row, ptrdiff_t number) {
    if (number < t->d)
        return t->sign[row] * column_of(t, number)[t->point[row]];
    return t->offsets[row * t->k + number - t->d];
}

/* The entry of a free number in the line of a row, or of a cost. */
static double entry(const Pull *t, Event met, ptrdiff_t number) {
    if (met.kind == A_ROW)
        return row_entry(t, met.which, number);
    return cost_entry(t, met.which, number, number < t->d ? t->at.turn[number] : 0);
}

/* The inverse times the column of a weight, into ``way``. */
WIDE static void fill_weight_way(const Pull *t, Event in) {
    if (is_any_tied(t))
        fill_slope_by_point(t);
    for (ptrdiff_t c = 0; c < *t->at.size; c++) {
        int64_t row = t->at.row[c];
        t->scratch[c] = row >= 0 ? row_entry(t, row, in.which)
                                 : cost_entry(t, -1 - row, in.which, in.side);
    }
    fill_product(t, t->scratch, t->way);
}

/* How free numbers move as something comes in: a weight gets larger, or a row leaves its hinge. */
void fill_way(const Pull *t, Event in) {
    double sign = in.kind == A_WEIGHT ? -in.side : in.side;
    if (in.kind == A_WEIGHT)
        fill_weight_way(t, in);
    else
        fill_inverse_column(t, in.place, t->way);
    for (ptrdiff_t i = 0; i < *t->at.size; i++)
        t->way[i] *= sign;
}

/* Costs that are tied gain (1) or lose (-1) the loss of the row at a column, of a side. */
static void lean_on(const Pull *t, ptrdiff_t row, ptrdiff_t place, int64_t side, double sign) {
    double slope = slope_on(t, row, side);
    for (ptrdiff_t c = 0; slope != 0 && c < *t->at.size; c++)
        if (t->at.row[c] < 0)
            add_column(t, -sign * slope * share_of(t, -1 - t->at.row[c], 1), c, place);
}

static void put_on_side(const Pull *t, ptrdiff_t row, int64_t side) {
    t->at.side[row] = side;
    t->slopes[row] = slope_on(t, row, side);
}

/* A row leaves its hinge for a side; its column stays for whatever comes. */
void let_go(const Pull *t, Event row) {
    lean_on(t, row.which, row.place, row.side, 1.0);
    put_on_side(t, row.which, row.side);
}

/* What is met, as a line of M, times the inverse, into ``d_tied``; its entry at the weight that
   comes in, less what the others have of that: the pivot, if there is one. */
WIDE static double met_times_inverse(const Pull *t, Event met, Event in) {
    ptrdiff_t size = *t->at.size;
    if (met.kind == A_COST)
        fill_slope_by_point(t);
    for (ptrdiff_t i = 0; i < size; i++)
        t->scratch[i] = entry(t, met, t->at.number[i]);
    fill_line_product(t, t->scratch, t->d_tied);
    double pivot = in.side * product_of(t->scratch, t->way, size); /* it goes against the column */
    return in.kind == A_WEIGHT ? pivot + entry(t, met, in.which) : pivot;
}

static void tie(Pull *t, ptrdiff_t column, Event met) {
    t->at.row[column] = met.kind == A_ROW ? met.which : -1 - met.which;
    if (met.kind == A_ROW) {
        int64_t side = t->at.side[met.which];
        lean_on(t, met.which, column, side, -1.0);
        t->at.multipliers[met.which] =
            total_price(t, t->at.prices, 1) * slope_on(t, met.which, side);
        put_on_side(t, met.which, 0);
    }
    fasten(t, t->at.row[column]);
}

/* A weight comes in and something is tied: M grows. */
static int grow(Pull *t, Event in, Event met) {
    ptrdiff_t size = *t->at.size;
    double pivot = met_times_inverse(t, met, in);
    if (size + 1 > t->most || !(fabs(pivot) >= SMALLEST_PIVOT))
        return 0;
    add_zeros(t);
    t->way[size] = in.side;
    t->d_tied[size] = -1.0;
    add_later(t, -in.side / pivot, t->way, t->d_tied);
    t->at.number[size] = in.which;
    fill_loose_line(t, size);
    tie(t, size, met);
    return 1;
}

/* A weight comes in for another. */
static int swap_weights(Pull *t, Event in, Event met) {
    double pivot = -in.side * t->way[met.place];
    if (!(fabs(pivot) >= SMALLEST_PIVOT))
        return 0;
    fill_inverse_line(t, met.place, t->d_tied);
    for (ptrdiff_t c = 0; c < *t->at.size; c++)
        t->d_tied[c] /= pivot;
    put_line(t, met.place, t->d_tied);
    t->way[met.place] = 0.0;
    add_later(t, in.side, t->way, t->d_tied);
    t->at.number[met.place] = in.which;
    fill_loose_line(t, met.place);
    return 1;
}

/* A row left its hinge, and something else is tied. */
static int swap_ties(Pull *t, Event in, Event met) {
    met_times_inverse(t, met, in);
    double pivot = t->d_tied[in.place];
    if (!(fabs(pivot) >= SMALLEST_PIVOT))
        return 0;
    for (ptrdiff_t i = 0; i < *t->at.size; i++)
        t->way[i] *= in.side / pivot;
    put_column(t, in.place, t->way);
    t->d_tied[in.place] = 0.0;
    add_later(t, -1.0, t->way, t->d_tied);
    loosen(t, t->at.row[in.place]);
    tie(t, in.place, met);
    return 1;
}

/* A row left its hinge, and a weight is zero: M shrinks. */
static int shrink(Pull *t, Event in, Event met) {
    ptrdiff_t last = *t->at.size - 1;
    int64_t left = t->at.row[in.place];
    fill_inverse_line(t, met.place, t->d_tied);
    double pivot = t->d_tied[in.place];
    if (!(fabs(pivot) >= SMALLEST_PIVOT))
        return 0;
    add_later(t, -in.side / pivot, t->way, t->d_tied);
    take_out(t, met.place, in.place);
    t->at.number[met.place] = t->at.number[last];
    t->at.row[in.place] = t->at.row[last];
    move_loose_line(t, last, met.place);
    loosen(t, left);
    return 1;
}

/* What came in and what was met take their places; 0: they cannot. */
int exchange_places(Pull *t, Event in, Event met) {
    if (in.kind == A_WEIGHT)
        return met.kind == A_WEIGHT ? swap_weights(t, in, met) : grow(t, in, met);
    return met.kind == A_WEIGHT ? shrink(t, in, met) : swap_ties(t, in, met);
}
