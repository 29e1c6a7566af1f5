/* The inverse of the matrix whose columns are the gradients at places, a line for each number of x.

   A weight that is zero since its piece has a place is at rest: it takes no part in any other place,
   its line is that of a unit, and nothing that happens at other places changes it. So lines of such
   numbers are passed over. */

#include "corner.h"
#include "lines.h"
#include <string.h>

enum { AT_ONCE = 4, PLACES = AT_ONCE * LANES }; /* sums that are kept in registers */

static double *line_of_number(const Corner *t, ptrdiff_t number) {
    return t->inverse + number * t->q;
}

/* A number whose piece has a place is at rest there. */
void lay_to_rest(const Corner *t, ptrdiff_t number, ptrdiff_t place) {
    for (ptrdiff_t k = 0; k < *t->moving; k++)
        if (t->numbers[k] == number) {
            t->numbers[k] = t->numbers[--*t->moving];
            t->numbers[*t->moving] = number;
        }
    t->rest[number] = place;
    memset(line_of_number(t, number), 0, t->q * sizeof(double));
    line_of_number(t, number)[place] = 1.0;
}

/* A number whose piece is to leave its place moves. */
void wake(const Corner *t, ptrdiff_t number) {
    for (ptrdiff_t k = *t->moving; k < t->q; k++)
        if (t->numbers[k] == number) {
            t->numbers[k] = t->numbers[*t->moving];
            t->numbers[(*t->moving)++] = number;
        }
}

/* All numbers move but those whose pieces have places. */
void part_numbers(const Corner *t) {
    *t->moving = t->q;
    for (ptrdiff_t c = 0; c < t->q; c++)
        t->numbers[c] = c;
    for (ptrdiff_t p = 0; p < t->q; p++)
        if (t->place[p] >= 0 && t->place[p] < t->weights)
            lay_to_rest(t, t->place[p], p);
}

#if defined(HAS_LANES)
/* Sums of shares of lines, of some places from the first on. */
INLINE void fill_places_from(const Corner *t, const double *shares, ptrdiff_t first) {
    Lanes sums[AT_ONCE] = {{0}};
    for (ptrdiff_t k = 0; k < *t->moving; k++) {
        ptrdiff_t c = t->numbers[k];
        const double *line = t->inverse + c * t->q + first;
        for (int part = 0; part < AT_ONCE; part++)
            add_share(&sums[part], shares[c], line + part * LANES);
    }
    for (int part = 0; part < AT_ONCE; part++)
        put(t->column + first + part * LANES, &sums[part]);
}
#endif

/* How much of the gradient at each place is in another. */
FUSED static void fill_column(const Corner *t, const double *gradient) {
    ptrdiff_t q = t->q;
#if defined(HAS_LANES)
    if (q >= PLACES) { /* the last ones overlap those before */
        for (ptrdiff_t first = 0; first < q - PLACES; first += PLACES)
            fill_places_from(t, gradient, first);
        fill_places_from(t, gradient, q - PLACES);
    } else
#endif
    {
        memset(t->column, 0, q * sizeof(double));
        for (ptrdiff_t k = 0; k < *t->moving; k++)
            add_line(gradient[t->numbers[k]], line_of_number(t, t->numbers[k]), q, t->column);
    }
    for (ptrdiff_t k = *t->moving; k < q; k++)
        t->column[t->rest[t->numbers[k]]] += gradient[t->numbers[k]];
}

/* The same of a piece's. */
void fill_column_of_piece(const Corner *t, ptrdiff_t piece) {
    if (piece >= t->weights)
        fill_column(t, t->rows + (piece - t->weights) * t->q);
    else
        memcpy(t->column, line_of_number(t, piece), t->q * sizeof(double));
}

/* The same of a cost on all sides; notes its height. */
WIDE void fill_column_of_cost(const Corner *t, ptrdiff_t cost) {
    ptrdiff_t q = t->q;
    double *gradient = t->scratch, height = t->limits[cost];
    memcpy(gradient, t->linear + cost * q, q * sizeof(double));
    for (ptrdiff_t i = 0; i < t->pieces; i++) {
        double slope = t->side[i] ? slope_of(t, i, cost, t->side[i]) : 0.0;
        if (slope == 0)
            continue;
        height += slope * t->margin[i];
        if (i < t->weights)
            gradient[i] += slope;
        else
            add_line(slope, t->rows + (i - t->weights) * q, q, gradient);
    }
    t->height[cost] = height;
    fill_column(t, gradient);
}

/* Along the way on which a place alone is left; x is changed. */
void add_way(const Corner *t, ptrdiff_t place, double far, double *x) {
    for (ptrdiff_t k = 0; k < *t->moving; k++)
        x[t->numbers[k]] += far * line_of_number(t, t->numbers[k])[place];
}

/* The inverse after the gradient at a place was replaced by that of the column. */
WIDE void replace_gradient(const Corner *t, ptrdiff_t place) {
    double share = 1 / t->column[place];
    for (ptrdiff_t k = 0; k < *t->moving; k++) {
        double *line = line_of_number(t, t->numbers[k]), own = line[place] * share;
        if (own == 0)
            continue;
        add_line(-own, t->column, t->q, line);
        line[place] = own;
    }
}

/* Costs on all sides gain (1) or lose (-1) the piece at a place. */
void lean(const Corner *t, ptrdiff_t piece, ptrdiff_t place, int64_t side, double sign) {
    for (ptrdiff_t j = 0; j < t->costs; j++) {
        double share = sign * slope_of(t, piece, j, side);
        if (t->at[j] < 0 || share == 0)
            continue;
        t->height[j] += share * t->margin[piece];
        t->column[place] -= share * t->column[t->at[j]];
        for (ptrdiff_t k = 0; k < *t->moving; k++) {
            double *line = line_of_number(t, t->numbers[k]);
            line[place] -= share * line[t->at[j]];
        }
    }
}

/* Where a walk was lost before all places were taken, free ones count as zero. */
static double height_at(const Corner *t, ptrdiff_t p) {
    if (t->place[p] == FREE)
        return 0.0;
    return t->place[p] < 0 ? t->height[-1 - t->place[p]] : t->margin[t->place[p]];
}

/* Where we are. */
WIDE void locate(const Corner *t, double *x) {
    for (ptrdiff_t p = 0; p < t->q; p++)
        t->scratch[p] = height_at(t, p);
    fill_products(t->scratch, t->inverse, t->q, t->q, x);
}

/* What a unit at each place is worth. */
WIDE void price_places(const Corner *t, const double *goal) {
    memset(t->prices, 0, t->q * sizeof(double));
    for (ptrdiff_t c = 0; c < t->q; c++)
        if (goal[c] != 0)
            add_line(goal[c], line_of_number(t, c), t->q, t->prices);
}
