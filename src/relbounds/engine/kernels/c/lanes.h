/* Four sums at a time, kept in registers. To be used in functions that are WIDE or FUSED.

   Eight in the twins of functions that are WIDEST. */

#ifndef RELBOUNDS_LANES_H
#define RELBOUNDS_LANES_H

#include "kernels.h"
#include <stdint.h>

#if !defined(IS_TWIN)
enum { LANES = 4, WIDEST_LANES = 8 };
#else
enum { LANES = 8 };
#endif
enum { ROUGH_LANES = 2 * LANES }; /* of numbers of half the length */

#if defined(HAS_LANES)

typedef double Lanes __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double))));

typedef float RoughLanes
    __attribute__((vector_size(ROUGH_LANES * sizeof(float)), aligned(sizeof(float))));

#define INLINE static inline __attribute__((always_inline))

INLINE void add_share(Lanes *sums, double share, const double *line) {
    *sums += share * *(const Lanes *)line;
}

INLINE void add_products(Lanes *sums, const double *ones, const double *others) {
    *sums += *(const Lanes *)ones * *(const Lanes *)others;
}

INLINE void add_rough_products(RoughLanes *sums, const float *ones, const float *others) {
    *sums += *(const RoughLanes *)ones * *(const RoughLanes *)others;
}

INLINE void add_rough_share(RoughLanes *sums, float share, const float *line) {
    *sums += share * *(const RoughLanes *)line;
}

INLINE void add_rough_to(float *line, const RoughLanes *sums) { *(RoughLanes *)line += *sums; }

INLINE void add_to(double *line, const Lanes *sums) { *(Lanes *)line += *sums; }

INLINE void take_share(double *line, double share, const Lanes *of) { *(Lanes *)line -= share * *of; }

INLINE void put(double *line, const Lanes *sums) { *(Lanes *)line = *sums; }

INLINE double total_of(const Lanes *sums) {
    double total = ((*sums)[0] + (*sums)[1]) + ((*sums)[2] + (*sums)[3]);
    for (int k = 4; k < LANES; k++)
        total += (*sums)[k];
    return total;
}

INLINE float rough_total_of(const RoughLanes *sums) {
    float total = 0.0f;
    for (int k = 0; k < ROUGH_LANES; k++)
        total += (*sums)[k];
    return total;
}

typedef int32_t Chosen __attribute__((vector_size(ROUGH_LANES * sizeof(int32_t))));

/* Not by comparing one after the other, which compilers do not do side by side of themselves. */
INLINE void keep_rough_most(RoughLanes *best, const float *signs, const float *values) {
    RoughLanes one = *(const RoughLanes *)signs * *(const RoughLanes *)values;
    Chosen larger = one > *best;
    *best = (RoughLanes)(((Chosen)one & larger) | ((Chosen)*best & ~larger));
}

INLINE float rough_most_of(const RoughLanes *best) {
    float found = (*best)[0];
    for (int k = 1; k < ROUGH_LANES; k++)
        found = (*best)[k] > found ? (*best)[k] : found;
    return found;
}

#else

typedef struct {
    double at[LANES];
} Lanes;

typedef struct {
    float at[ROUGH_LANES];
} RoughLanes;

#define INLINE static inline

INLINE void add_rough_products(RoughLanes *sums, const float *ones, const float *others) {
    for (int k = 0; k < ROUGH_LANES; k++)
        sums->at[k] += ones[k] * others[k];
}

INLINE float rough_total_of(const RoughLanes *sums) {
    float total = 0.0f;
    for (int k = 0; k < ROUGH_LANES; k++)
        total += sums->at[k];
    return total;
}

INLINE void keep_rough_most(RoughLanes *best, const float *signs, const float *values) {
    for (int k = 0; k < ROUGH_LANES; k++)
        if (signs[k] * values[k] > best->at[k])
            best->at[k] = signs[k] * values[k];
}

INLINE float rough_most_of(const RoughLanes *best) {
    float found = best->at[0];
    for (int k = 1; k < ROUGH_LANES; k++)
        found = best->at[k] > found ? best->at[k] : found;
    return found;
}

INLINE void add_share(Lanes *sums, double share, const double *line) {
    for (int k = 0; k < LANES; k++)
        sums->at[k] += share * line[k];
}

INLINE void add_products(Lanes *sums, const double *ones, const double *others) {
    for (int k = 0; k < LANES; k++)
        sums->at[k] += ones[k] * others[k];
}

INLINE void add_rough_share(RoughLanes *sums, float share, const float *line) {
    for (int k = 0; k < ROUGH_LANES; k++)
        sums->at[k] += share * line[k];
}

INLINE void add_rough_to(float *line, const RoughLanes *sums) {
    for (int k = 0; k < ROUGH_LANES; k++)
        line[k] += sums->at[k];
}

INLINE void add_to(double *line, const Lanes *sums) {
    for (int k = 0; k < LANES; k++)
        line[k] += sums->at[k];
}

INLINE void take_share(double *line, double share, const Lanes *of) {
    for (int k = 0; k < LANES; k++)
        line[k] -= share * of->at[k];
}

INLINE void put(double *line, const Lanes *sums) {
    for (int k = 0; k < LANES; k++)
        line[k] = sums->at[k];
}

INLINE double total_of(const Lanes *sums) {
    return (sums->at[0] + sums->at[1]) + (sums->at[2] + sums->at[3]);
}

#endif
#endif
