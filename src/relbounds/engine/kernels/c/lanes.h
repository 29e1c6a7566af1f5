/* Four sums at a time, kept in registers. To be used in functions that are WIDE or FUSED. */

#ifndef RELBOUNDS_LANES_H
#define RELBOUNDS_LANES_H

#include "kernels.h"

enum { LANES = 4 };

#if defined(HAS_LANES)

typedef double Lanes __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double))));

#define INLINE static inline __attribute__((always_inline))

INLINE void add_share(Lanes *sums, double share, const double *line) {
    *sums += share * *(const Lanes *)line;
}

INLINE void add_products(Lanes *sums, const double *ones, const double *others) {
    *sums += *(const Lanes *)ones * *(const Lanes *)others;
}

INLINE void add_to(double *line, const Lanes *sums) { *(Lanes *)line += *sums; }

INLINE double total_of(const Lanes *sums) {
    return ((*sums)[0] + (*sums)[1]) + ((*sums)[2] + (*sums)[3]);
}

#else

typedef struct {
    double at[LANES];
} Lanes;

#define INLINE static inline

INLINE void add_share(Lanes *sums, double share, const double *line) {
    for (int k = 0; k < LANES; k++)
        sums->at[k] += share * line[k];
}

INLINE void add_products(Lanes *sums, const double *ones, const double *others) {
    for (int k = 0; k < LANES; k++)
        sums->at[k] += ones[k] * others[k];
}

INLINE void add_to(double *line, const Lanes *sums) {
    for (int k = 0; k < LANES; k++)
        line[k] += sums->at[k];
}

INLINE double total_of(const Lanes *sums) {
    return (sums->at[0] + sums->at[1]) + (sums->at[2] + sums->at[3]);
}

#endif
#endif
