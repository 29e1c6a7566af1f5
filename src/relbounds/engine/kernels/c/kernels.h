/* What the compiled kernels share: arrays as they come from NumPy, in C order. */

#ifndef RELBOUNDS_KERNELS_H
#define RELBOUNDS_KERNELS_H

#include <stddef.h>

#define SMALLEST_PIVOT 1e-9

#if defined(_MSC_VER)
#define restrict __restrict
#endif
#if defined(__GNUC__) /* other libraries may have functions of the same names */
#define HIDDEN __attribute__((visibility("hidden")))
#else
#define HIDDEN
#endif
#if defined(__GNUC__) || defined(__clang__) /* such compilers keep lanes in registers */
#define HAS_LANES
#endif
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__)
#define WIDE __attribute__((target_clones("avx2", "default"))) /* what a processor has is used */
#define FUSED __attribute__((target_clones("fma", "default"))) /* products and sums in one */
#define WIDEST __attribute__((target("avx512f"))) /* twins of functions, in widest.c */
#define HAS_WIDEST __builtin_cpu_supports("avx512f")
#define WIDEST_OF(function) (HAS_WIDEST ? widest_##function : function)
#else
#define WIDE
#define FUSED
#define HAS_WIDEST 0
#define WIDEST_OF(function) function
#endif

typedef struct {
    void *data;
    ptrdiff_t shape[3]; /* 1 where there are fewer dimensions, as of numbers there are */
} Array;

static inline double least(double one, double other) { return one < other ? one : other; }
static inline double most(double one, double other) { return one > other ? one : other; }

/* passes.c */
HIDDEN void divide(const Array *arrays);
HIDDEN void wish(const Array *arrays);
HIDDEN void row_duals(const Array *arrays);
HIDDEN void foresee(const Array *arrays);
HIDDEN void correct(const Array *arrays);
HIDDEN void steps(const Array *arrays);
HIDDEN void move(const Array *arrays);

/* factors.c */
HIDDEN void factor(const Array *arrays);
HIDDEN void solve(const Array *arrays);

/* margins.c */
HIDDEN void miss(const Array *arrays);
HIDDEN void price(const Array *arrays);
HIDDEN void combine(const Array *arrays);
HIDDEN void limit(const Array *arrays);

/* What the following answer is a truth value or an outcome; -1: there is no memory. */

/* simplex.c */
HIDDEN int resolve(const Array *arrays);

/* corner.c */
HIDDEN int corner(const Array *arrays);
HIDDEN int multipliers(const Array *arrays);

/* first_corner.c */
HIDDEN int find(const Array *arrays);

/* corners.c */
HIDDEN int ascend(const Array *arrays);
HIDDEN int descend(const Array *arrays);
HIDDEN int follow(const Array *arrays);

/* home.c */
HIDDEN int settled(const Array *arrays);

/* outward.c */
HIDDEN int depart(const Array *arrays);
HIDDEN int outward(const Array *arrays);

/* reach.c */
HIDDEN int reach(const Array *arrays);

/* centre.c */
HIDDEN int centre(const Array *arrays);

/* pull.c */
HIDDEN int pull(const Array *arrays);

/* logit.c */
HIDDEN int logit(const Array *arrays);

#endif
