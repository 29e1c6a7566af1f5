/* The dual simplex method for programs of few rows; see ``dense_simplex`` for their form.

   A step lets variables change over to their other limit as long as that pays (the long-step
   rule), and leaves in the direction of steepest edge. */

#include "lines.h"
#include "tableau.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PIVOT_ROUNDING = 1e-6; /* by which a pivot may be off before all is anew */
static const double TIE = 1e-11;
static const double SMALLEST_EDGE = 1e-4;
static const double FIRST_SHIFT = 1e-6; /* of costs, where steps gain nothing */
static const double GOLDEN = 0.6180339887498949;
enum { STEPS_TILL_RESTORED = 150 };
enum { SHORT_ONES = 7, LONG_ONES = 6 }; /* of the numbers that a tableau has room for */
enum { EIGHT = 8 };
enum { BLOCK = 64 }; /* candidates whose least price is kept, so that few are looked at again */

static ptrdiff_t least_index(ptrdiff_t one, ptrdiff_t other) { return one < other ? one : other; }

/* Costs a little further from those at which a variable would change over, each by its own. */
static void shift_costs(const Tableau *t, double size) {
    for (ptrdiff_t j = 0; j < t->m + t->q; j++)
        if (is_free(t, j)) {
            double share = fmod(j * GOLDEN, 1.0);
            double change = size * (1 + share) * (t->at_upper[j] ? -1.0 : 1.0);
            t->cost[j] += change;
            t->reduced[j] += change;
        }
}

/* The place in the basis whose variable exceeds its limits most, along its edge; -1: none. */
static ptrdiff_t leaving_place(const Tableau *t) {
    ptrdiff_t place = -1;
    double furthest = 0.0;
    for (ptrdiff_t i = 0; i < t->q; i++) {
        ptrdiff_t j = t->basis[i];
        double excess = most(t->value[j] - t->upper[j], t->lower[j] - t->value[j]);
        if (excess > t->slack[j] && excess * excess > furthest * t->edge[i]) {
            place = i;
            furthest = excess * excess / t->edge[i];
        }
    }
    return place;
}

/* Shares of four lines of Z at a time, added in their order: memory is what takes time. */
WIDE static void add_lines(const double *shares, const double *const lines[4], ptrdiff_t m,
                           double *sums) {
    const double *restrict first = lines[0], *restrict second = lines[1];
    const double *restrict third = lines[2], *restrict fourth = lines[3];
    double *restrict row = sums;
    for (ptrdiff_t j = 0; j < m; j++)
        row[j] = row[j] + shares[0] * first[j] + shares[1] * second[j] + shares[2] * third[j] +
                 shares[3] * fourth[j];
}

/* Lines of Z without a share are passed over: those whose own variable stays in the basis. */
WIDE static void fill_row(const Tableau *t) {
    ptrdiff_t q = t->q, m = t->m, n = 0;
    for (ptrdiff_t p = 0; p < q; p++) {
        t->row[m + p] = -t->leaving_row[p];
        t->shares[n] = t->leaving_row[p];
        t->lines[n] = t->rows + p * m;
        n += t->leaving_row[p] != 0;
    }
    ptrdiff_t fours = n - n % 4;
    memset(t->row, 0, m * sizeof(double));
    for (ptrdiff_t k = 0; k < fours; k += 4)
        add_lines(t->shares + k, t->lines + k, m, t->row);
    for (ptrdiff_t k = fours; k < n; k++)
        add_line(t->shares[k], t->lines[k], m, t->row);
}

/* Whether variables would help the leaving one. */
WIDE static void mark_candidates(const Tableau *t, double towards) {
    const double *restrict way = t->way, *restrict row = t->row;
    uint8_t *restrict helps = t->helps;
    ptrdiff_t all = t->m + t->q;
    for (ptrdiff_t j = 0; j < all; j++)
        helps[j] = towards * way[j] * row[j] > SMALLEST_PIVOT;
}

/* Whether any of eight truth values is true. */
static int any_of_eight(const uint8_t *truths) {
    uint64_t together;
    memcpy(&together, truths, sizeof together);
    return together != 0;
}

/* How many would; which, and at what price they do. */
static ptrdiff_t list_candidates(const Tableau *t, double towards) {
    ptrdiff_t n = 0, all = t->m + t->q;
    mark_candidates(t, towards);
    for (ptrdiff_t first = 0; first < all; first += EIGHT)
        if (any_of_eight(t->helps + first))
            for (ptrdiff_t j = first; j < first + EIGHT; j++) { /* without a branch: half may help */
                t->candidates[n] = j;
                n += t->helps[j];
            }
    for (ptrdiff_t c = 0; c < n; c++) {
        ptrdiff_t j = t->candidates[c];
        t->ratios[c] = most(t->reduced[j] / (towards * t->row[j]), 0.0);
    }
    return n;
}

/* The least price in a block of the first n candidates; infinite where none is left. */
static void look_at_block(const Tableau *t, ptrdiff_t block, ptrdiff_t n) {
    ptrdiff_t end = least_index(n, (block + 1) * BLOCK);
    double lowest = INFINITY;
    for (ptrdiff_t c = block * BLOCK; c < end; c++)
        lowest = least(lowest, t->ratios[c]);
    t->lowest[block] = lowest;
}

/* The place of the candidate with the least price; among equals that of the largest pivot. */
static ptrdiff_t nearest(const Tableau *t, ptrdiff_t n) {
    ptrdiff_t chosen = 0, blocks = (n + BLOCK - 1) / BLOCK;
    double enough = INFINITY, size = -1.0;
    for (ptrdiff_t block = 0; block < blocks; block++)
        enough = least(enough, t->lowest[block] + TIE);
    for (ptrdiff_t block = 0; block < blocks; block++) {
        ptrdiff_t end = least_index(n, (block + 1) * BLOCK);
        for (ptrdiff_t c = block * BLOCK; t->lowest[block] <= enough && c < end; c++) {
            double gradient = fabs(t->row[t->candidates[c]]);
            if (t->ratios[c] <= enough && gradient > size) {
                chosen = c;
                size = gradient;
            }
        }
    }
    return chosen;
}

/* The last candidate takes the place of one. */
static void leave_out(const Tableau *t, ptrdiff_t chosen, ptrdiff_t last) {
    t->candidates[chosen] = t->candidates[last];
    t->ratios[chosen] = t->ratios[last];
    look_at_block(t, chosen / BLOCK, last);
    look_at_block(t, last / BLOCK, last);
}

/* A variable goes to its other limit. */
static void change_over(const Tableau *t, ptrdiff_t j) {
    ptrdiff_t q = t->q, m = t->m;
    double width = t->upper[j] - t->lower[j], change = t->at_upper[j] ? -width : width;
    t->at_upper[j] = !t->at_upper[j];
    set_way(t, j);
    t->value[j] += change;
    if (j >= m)
        t->moved[j - m] -= change;
    else
        for (ptrdiff_t p = 0; p < q; p++)
            t->moved[p] += change * t->rows[p * m + j];
}

/* The variable that enters, -1 if none can; in ``moved`` what rows gain by those that change. */
static ptrdiff_t entering_variable(const Tableau *t, ptrdiff_t leaving, int above) {
    double value = t->value[leaving], towards = above ? 1.0 : -1.0;
    double lack = above ? value - t->upper[leaving] : t->lower[leaving] - value;
    ptrdiff_t n = list_candidates(t, towards);
    memset(t->moved, 0, t->q * sizeof(double));
    for (ptrdiff_t block = 0; block * BLOCK < n; block++)
        look_at_block(t, block, n);
    while (n > 0) {
        ptrdiff_t chosen = nearest(t, n), j = t->candidates[chosen];
        lack -= fabs(t->row[j]) * (t->upper[j] - t->lower[j]);
        if (lack <= 0 || n == 1)
            return j;
        change_over(t, j);
        leave_out(t, chosen, --n);
    }
    return -1;
}

/* Basic variables make up for what rows have gained. */
static void let_move(const Tableau *t) {
    ptrdiff_t gained = 0;
    for (ptrdiff_t p = 0; p < t->q; p++)
        gained += t->moved[p] != 0;
    if (!gained)
        return;
    inverse_times(t, t->moved, t->column);
    for (ptrdiff_t i = 0; i < t->q; i++)
        t->value[t->basis[i]] -= t->column[i];
}

/* The variable at a place of the basis goes to its limit, and another takes the place.
   ``moved`` is the inverse times its own row at that place. */
WIDE static void exchange(const Tableau *t, ptrdiff_t place, ptrdiff_t entering, int above) {
    ptrdiff_t q = t->q, m = t->m, leaving = t->basis[place];
    const double *restrict row = t->row, *restrict column = t->column, *restrict across = t->moved;
    double *restrict reduced = t->reduced;
    double size = column[place], price = reduced[entering] / row[entering];
    for (ptrdiff_t j = 0; j < m + q; j++)
        reduced[j] -= price * row[j];
    double limit = above ? t->upper[leaving] : t->lower[leaving];
    double step = (t->value[leaving] - limit) / size;
    for (ptrdiff_t i = 0; i < q; i++) {
        reduced[t->basis[i]] = 0.0;
        t->value[t->basis[i]] -= step * column[i];
    }
    reduced[entering] = 0.0;
    reduced[leaving] = -price;
    t->value[entering] += step;
    t->value[leaving] = limit;
    t->at_upper[leaving] = above != 0;
    t->is_basic[leaving] = 0;
    t->is_basic[entering] = 1;
    t->basis[place] = entering;
    set_way(t, leaving);
    set_way(t, entering);
    if (entering >= m)
        t->place[entering - m] = place;
    pivot(t, place, column);
    for (ptrdiff_t i = 0; i < q; i++) {
        double share = column[i] / size;
        double length = t->edge[i] - 2 * share * across[i] + share * share * across[place];
        t->edge[i] = most(length, SMALLEST_EDGE);
    }
    t->edge[place] = most(across[place] / (size * size), SMALLEST_EDGE);
}

/* Whether the solution for the present limits was found within so many steps. */
static int found_within(const Tableau *t, ptrdiff_t most_steps) {
    ptrdiff_t q = t->q, idle = 0, in_bytes = (t->m + q) * sizeof(double);
    double shift = FIRST_SHIFT;
    memcpy(t->true_cost, t->cost, in_bytes);
    settle(t);
    int age = is_off(t) ? STEPS_TILL_RESTORED : 0;
    for (ptrdiff_t step = 0; step < most_steps; step++) {
        if (age >= STEPS_TILL_RESTORED) {
            restore(t);
            age = 0;
        }
        if (idle > q) {
            shift_costs(t, shift);
            shift /= 10;
            idle = 0;
        }
        ptrdiff_t place = leaving_place(t);
        if (place < 0) {
            int is_shifted = shift < FIRST_SHIFT && memcmp(t->cost, t->true_cost, in_bytes);
            if (!is_shifted && (age == 0 || !is_off(t)))
                return 1;
            memcpy(t->cost, t->true_cost, in_bytes);
            age = STEPS_TILL_RESTORED;
            continue;
        }
        ptrdiff_t leaving = t->basis[place];
        int above = t->value[leaving] > t->upper[leaving];
        for (ptrdiff_t p = 0; p < q; p++)
            t->leaving_row[p] = t->inverse[p * q + place];
        fill_row(t);
        ptrdiff_t entering = entering_variable(t, leaving, above);
        if (entering < 0)
            break;
        let_move(t);
        fill_column(t, entering, t->moved, t->column);
        double in_row = t->row[entering];
        if (age > 0 && fabs(t->column[place] - in_row) > PIVOT_ROUNDING * fabs(in_row)) {
            age = STEPS_TILL_RESTORED;
            continue;
        }
        idle = fabs(t->reduced[entering]) <= TIE ? idle + 1 : 0;
        inverse_times(t, t->leaving_row, t->moved);
        exchange(t, place, entering, above);
        age++;
    }
    memcpy(t->cost, t->true_cost, in_bytes);
    return 0;
}

static Tableau tableau_of(const Array *arrays) {
    return (Tableau){
        .q = arrays[0].shape[0], .m = arrays[0].shape[1], .rows = arrays[0].data,
        .cost = arrays[1].data, .lower = arrays[2].data, .upper = arrays[3].data,
        .slack = arrays[4].data, .basis = arrays[5].data, .is_basic = arrays[6].data,
        .at_upper = arrays[7].data, .value = arrays[8].data, .reduced = arrays[9].data,
        .place = arrays[10].data, .inverse = arrays[11].data, .edge = arrays[12].data,
    };
}

/* The same for a tableau's arrays and most steps; -1 if there is no memory. */
int resolve(const Array *arrays) {
    Tableau t = tableau_of(arrays);
    ptrdiff_t q = t.q, all = t.m + t.q;
    double *numbers = malloc((SHORT_ONES * q + LONG_ONES * all) * sizeof(double));
    int64_t *places = malloc((q + all + EIGHT) * sizeof(int64_t));
    const double **lines = malloc(q * sizeof(double *));
    uint8_t *truths = calloc(all + EIGHT, 1); /* read eight at a time */
    int found = -1;
    if (numbers && places && lines && truths) {
        double **short_ones[SHORT_ONES] = {&t.leaving_row, &t.moved, &t.column, &t.rest,
                                           &t.values, &t.scratch, &t.shares};
        double **long_ones[LONG_ONES] = {&t.row, &t.ratios, &t.true_cost,
                                         &t.sizes, &t.lowest, &t.way};
        for (int k = 0; k < SHORT_ONES; k++)
            *short_ones[k] = numbers + k * q;
        for (int k = 0; k < LONG_ONES; k++)
            *long_ones[k] = numbers + SHORT_ONES * q + k * all;
        t.old_basis = places;
        t.candidates = places + q;
        t.lines = lines;
        t.helps = truths;
        found = found_within(&t, *(int64_t *)arrays[13].data);
    }
    free(numbers);
    free(places);
    free(lines);
    free(truths);
    return found;
}
