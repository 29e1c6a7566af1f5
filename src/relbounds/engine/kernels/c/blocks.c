/* Rows that are watched, block by block: all values move, and the worst of each block is told. */

#include "watch.h"
#include "lanes.h"

enum { PARTS = BLOCK / ROUGH_LANES };

INLINE void add_way_of(const float *numbers, float far, RoughLanes *sums) {
    for (int part = 0; part < PARTS; part++)
        add_rough_share(&sums[part], far, numbers + part * ROUGH_LANES);
}

/* What the way changes in the values of a block; in sums of every other number, since one alone would
   wait for itself. */
INLINE void move_block(const Watch *watch, ptrdiff_t count, const float *block, float *values) {
    RoughLanes even[PARTS] = {{0}}, odd[PARTS] = {{0}};
    const int64_t *numbers = watch->numbers;
    ptrdiff_t whole = count - count % 2;
    for (ptrdiff_t k = 0; k < whole; k += 2) {
        add_way_of(block + numbers[k], watch->way[k], even);
        add_way_of(block + numbers[k + 1], watch->way[k + 1], odd);
    }
    if (whole < count)
        add_way_of(block + numbers[whole], watch->way[whole], even);
    for (int part = 0; part < PARTS; part++) {
        add_rough_to(values + part * ROUGH_LANES, &even[part]);
        add_rough_to(values + part * ROUGH_LANES, &odd[part]);
    }
}

/* How far the row of a block that is furthest on the wrong side is there, or zero. */
INLINE float top_of(const Watch *watch, ptrdiff_t block) {
    const float *signs = watch->signs + block * BLOCK, *values = watch->values + block * BLOCK;
    RoughLanes best = {0};
    for (int part = 0; part < PARTS; part++)
        keep_rough_most(&best, signs + part * ROUGH_LANES, values + part * ROUGH_LANES);
    return rough_most_of(&best);
}

/* The same, noted. */
FUSED void set_top(const Watch *watch, ptrdiff_t block) { watch->tops[block] = top_of(watch, block); }

/* All blocks along the way, of so many numbers. */
FUSED void move_blocks(const Watch *watch, ptrdiff_t q, ptrdiff_t count) {
    for (ptrdiff_t first = 0; first < watch->count; first += BLOCK) {
        move_block(watch, count, watch->blocks + first * q, watch->values + first);
        watch->tops[first / BLOCK] = top_of(watch, first / BLOCK);
    }
}
