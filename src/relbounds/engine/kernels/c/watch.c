/* Which rows are looked at between two looks at all of them? Those on the wrong side or near to it.

   They are copied in blocks, number by number of all rows of a block: so the values of a block are
   sums side by side, and nothing is read but what is used. In single precision: of a step only the
   change of values is computed, which is small, and the row that is to be mended is looked at
   again, precisely. */

#include "watch.h"
#include "lines.h"
#include <stdlib.h>
#include <string.h>

enum { WATCHED = 3 }; /* rows that are watched, times the places */
enum { MOST_WINDOWS = 30 };
static const double FIRST_WINDOW = 0.1, WIDER = 1.6;

enum { LINE = 64 }; /* bytes that a processor reads at once: nothing is to lie across two */

static float *aligned(float *numbers) {
    return (float *)(((uintptr_t)numbers + LINE - 1) / LINE * LINE);
}

static size_t blocks_of(size_t rows) { return (rows + BLOCK - 1) / BLOCK; }

/* All are looked at first, and nothing that was copied counts: rows may be others. */
void look_anew(const Corner *t, Watch *watch) {
    for (ptrdiff_t k = 0; k < watch->count; k++)
        watch->places[t->watched[k]] = -1;
    watch->count = 0;
    watch->window = FIRST_WINDOW;
    watch->steps = STEPS_TILL_ALL;
}

/* Room for the copies of all rows, of which mostly few are used; 0: there is no memory. */
int begin_watch(const Corner *t, Watch *watch) {
    size_t blocks = blocks_of(t->pieces - t->weights), q = t->q, pieces = t->pieces;
    size_t rough = (2 * BLOCK + 1) * blocks + 2 * q + blocks * BLOCK * q + LINE / sizeof(float);
    *watch = (Watch){0};
    look_anew(t, watch);
    watch->room = malloc(q * sizeof(double) + (pieces + q) * sizeof(int64_t) + rough * sizeof(float));
    if (!watch->room)
        return 0;
    watch->seen = watch->room;
    watch->places = (int64_t *)(watch->seen + q);
    watch->numbers = watch->places + pieces;
    watch->moved = (float *)(watch->numbers + q);
    watch->way = watch->moved + q;
    watch->tops = watch->way + q;
    watch->values = aligned(watch->tops + blocks);
    watch->signs = watch->values + blocks * BLOCK;
    watch->blocks = watch->signs + blocks * BLOCK;
    memset(watch->places, -1, pieces * sizeof(int64_t));
    return 1;
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

static float *lane_of(const Corner *t, const Watch *watch, ptrdiff_t k) {
    return watch->blocks + k / BLOCK * BLOCK * t->q + k % BLOCK;
}

static void copy_row(const Corner *t, const Watch *watch, ptrdiff_t k) {
    ptrdiff_t piece = t->watched[k];
    const double *row = t->rows + (piece - t->weights) * t->q;
    float *lane = lane_of(t, watch, k);
    for (ptrdiff_t c = 0; c < t->q; c++)
        lane[c * BLOCK] = (float)row[c];
    watch->places[piece] = k;
}

/* The rest of the last block: rows without a side. */
static void fill_last_block(const Corner *t, const Watch *watch) {
    for (ptrdiff_t k = watch->count; k % BLOCK; k++) {
        float *lane = lane_of(t, watch, k);
        for (ptrdiff_t c = 0; c < t->q; c++)
            lane[c * BLOCK] = 0.0f;
        watch->values[k] = watch->signs[k] = 0.0f;
    }
}

static int is_near(const Corner *t, ptrdiff_t piece, double window) {
    return (t->changes[piece] < window) | !t->side[piece];
}

/* Rows of a window that are not watched yet stand behind those that are, and take the places of those
   that have left it. How many there are. */
static ptrdiff_t choose_rows(const Corner *t, const Watch *watch, ptrdiff_t count) {
    double window = watch->window;
    for (ptrdiff_t i = t->weights; i < t->pieces; i++) { /* without a branch: any may be near */
        t->watched[count] = i;
        count += is_near(t, i, window) & (watch->places[i] < 0);
    }
    for (ptrdiff_t k = 0; k < count;) {
        ptrdiff_t piece = t->watched[k];
        if (is_near(t, piece, window)) {
            k++;
        } else {
            watch->places[piece] = -1;
            t->watched[k] = t->watched[--count];
        }
    }
    return count;
}

/* Take down the rows of a window, and those at places: until the next look no others enter.
   Changes become how far rows are on their side. Rows that were watched before mostly still lie where
   they did. */
void watch_rows(const Corner *t, Watch *watch) {
    for (ptrdiff_t i = t->weights; i < t->pieces; i++)
        t->changes[i] = t->side[i] ? t->side[i] * t->values[i] : INFINITY;
    watch->window = fitting_window(t, watch->window);
    watch->steps = 0;
    watch->count = choose_rows(t, watch, watch->count);
    for (ptrdiff_t k = 0; k < watch->count; k++) {
        ptrdiff_t piece = t->watched[k];
        if (watch->places[piece] != k)
            copy_row(t, watch, k);
        watch->values[k] = (float)t->values[piece];
        watch->signs[k] = (float)-t->side[piece];
    }
    fill_last_block(t, watch);
    memcpy(watch->seen, t->x, t->q * sizeof(double));
}

/* A piece has another side than before, or none. */
void note_side(const Corner *t, const Watch *watch, ptrdiff_t piece) {
    if (piece >= 0 && watch->places[piece] >= 0)
        watch->signs[watch->places[piece]] = (float)-t->side[piece];
}

/* The numbers of x that have moved since values were computed, and how far; how many there are. */
WIDE static ptrdiff_t fill_way(const Corner *t, const Watch *watch) {
    ptrdiff_t count = 0;
    float *restrict moved = watch->moved;
    double *restrict seen = watch->seen;
    const double *restrict x = t->x;
    for (ptrdiff_t c = 0; c < t->q; c++) {
        moved[c] = (float)(x[c] - seen[c]);
        seen[c] = x[c];
    }
    for (ptrdiff_t c = 0; c < t->q; c++) {
        watch->numbers[count] = c * BLOCK;
        watch->way[count] = moved[c];
        count += moved[c] != 0;
    }
    return count;
}

/* All values where x is now, and how far each block is on the wrong side. */
static void follow_values(const Corner *t, const Watch *watch) {
    WIDEST_OF(move_blocks)(watch, t->q, fill_way(t, watch));
}

/* The row that is furthest on the wrong side, and further than so much; -1: none. */
static ptrdiff_t furthest(const Watch *watch, double far) {
    ptrdiff_t block = -1;
    for (ptrdiff_t k = 0; k * BLOCK < watch->count; k++)
        if (watch->tops[k] > far) {
            block = k;
            far = watch->tops[k];
        }
    if (block < 0)
        return -1;
    ptrdiff_t k = block * BLOCK;
    while (!(watch->signs[k] * watch->values[k] >= watch->tops[block]))
        k++;
    return k;
}

WIDE static double precise_value(const Corner *t, ptrdiff_t piece) {
    const double *row = t->rows + (piece - t->weights) * t->q;
    return product_of(row, t->x, t->q) - t->margin[piece];
}

/* The piece that is furthest on the wrong side, of weights and of the rows that are watched; -1:
   none. Notes its value. */
ptrdiff_t worst_of_watched(const Corner *t, const Watch *watch) {
    ptrdiff_t worst = -1, k;
    double far = OFF;
    for (ptrdiff_t k = 0; k < *t->moving; k++) {
        ptrdiff_t i = t->numbers[k];
        if (i < t->weights && -t->side[i] * t->x[i] > far) {
            worst = i;
            far = fabs(t->values[i] = t->x[i]);
        }
    }
    follow_values(t, watch);
    while ((k = furthest(watch, far)) >= 0) {
        ptrdiff_t i = t->watched[k];
        watch->values[k] = (float)(t->values[i] = precise_value(t, i));
        watch->signs[k] = (float)-t->side[i];
        if (watch->signs[k] * watch->values[k] > far)
            return i;
        set_top(watch, k / BLOCK);
    }
    return worst;
}
