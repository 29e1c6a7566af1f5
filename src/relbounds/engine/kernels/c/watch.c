/* Which rows are looked at between two looks at all of them? Those on the wrong side or near to it.

   They are copied in blocks, number by number of all rows of a block: so the values of a block are
   sums side by side, and nothing is read but what is used. */

#include "watch.h"
#include <stdlib.h>

#if defined(__GNUC__)
typedef double Lane __attribute__((vector_size(32), aligned(8)));
#else
typedef double Lane;
#endif
enum { LANES = 4 * sizeof(Lane) / sizeof(double) }; /* rows of a block */
enum { WATCHED = 2 }; /* rows that are watched, times the places */
enum { MOST_WINDOWS = 30 };
static const double FIRST_WINDOW = 0.1, WIDER = 1.6;

static ptrdiff_t numbers_of_block(const Corner *t) { return LANES * (t->q + 1); }

/* Room for the copies of all rows, of which mostly few are used; 0: there is no memory. */
int begin_watch(const Corner *t, Watch *watch) {
    size_t blocks = (t->pieces - t->weights) / LANES + 1;
    watch->count = 0;
    watch->window = FIRST_WINDOW;
    watch->blocks = malloc(blocks * numbers_of_block(t) * sizeof(double));
    return watch->blocks != NULL;
}

/* How many rows that are at no place are less far on their side. */
WIDE static ptrdiff_t count_below(const Corner *t, double window) {
    ptrdiff_t count = 0;
    for (ptrdiff_t i = t->weights; i < t->pieces; i++)
        count += t->changes[i] < window;
    return count;
}

/* A window in which some rows for each place are on the wrong side, or near to it. */
static double fitting_window(const Corner *t, double window) {
    ptrdiff_t few = WATCHED * t->q, half = (t->pieces - t->weights) / 2;
    ptrdiff_t wrong = count_below(t, 0.0);
    for (int tried = 0; tried < MOST_WINDOWS; tried++) {
        ptrdiff_t near = count_below(t, window);
        if (near < few && near < half)
            window *= WIDER;
        else if (near > 2 * few && wrong < few)
            window /= WIDER;
        else
            break;
    }
    return window;
}

/* A row, and behind it its margin, among the others of its block. */
static void copy_row(const Corner *t, ptrdiff_t piece, double *lane) {
    const double *row = t->rows + (piece - t->weights) * t->q;
    for (ptrdiff_t c = 0; c < t->q; c++)
        lane[c * LANES] = row[c];
    lane[t->q * LANES] = t->margin[piece];
}

/* Take down the rows of a window, and those at places: until the next look no others enter.
   Changes become how far rows are on their side. */
void watch_rows(const Corner *t, Watch *watch) {
    for (ptrdiff_t i = t->weights; i < t->pieces; i++)
        t->changes[i] = t->side[i] ? t->side[i] * t->values[i] : INFINITY;
    watch->window = fitting_window(t, watch->window);
    watch->count = watch->steps = 0;
    for (ptrdiff_t i = t->weights; i < t->pieces; i++) { /* without a branch: any may be near */
        t->watched[watch->count] = i;
        watch->count += (t->changes[i] < watch->window) | !t->side[i];
    }
    for (ptrdiff_t k = 0; k < watch->count; k++)
        copy_row(t, t->watched[k], watch->blocks + k / LANES * numbers_of_block(t) + k % LANES);
}

/* The values of the rows of a block; in four sums: one alone would wait for itself. */
static inline void fill_values_of_block(const Corner *t, const double *block, double *values) {
    const Lane *numbers = (const Lane *)block;
    Lane sums[4] = {0};
    for (ptrdiff_t c = 0; c < t->q; c++, numbers += 4)
        for (int k = 0; k < 4; k++)
            sums[k] += t->x[c] * numbers[k];
    for (int k = 0; k < 4; k++)
        ((Lane *)values)[k] = sums[k] - numbers[k];
}

/* The piece that is furthest on the wrong side, of weights and of the rows that are watched; -1:
   none. Notes its value. */
WIDE ptrdiff_t worst_of_watched(const Corner *t, const Watch *watch) {
    ptrdiff_t worst = -1;
    double far = OFF, values[LANES];
    for (ptrdiff_t i = 0; i < t->weights; i++)
        if (-t->side[i] * t->x[i] > far) {
            worst = i;
            far = fabs(t->values[i] = t->x[i]);
        }
    for (ptrdiff_t k = 0; k < watch->count; k++) {
        if (k % LANES == 0)
            fill_values_of_block(t, watch->blocks + k * (t->q + 1), values);
        ptrdiff_t i = t->watched[k];
        if (-t->side[i] * values[k % LANES] > far) {
            worst = i;
            far = fabs(t->values[i] = values[k % LANES]);
        }
    }
    return worst;
}
