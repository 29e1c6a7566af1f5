/* The twins of ``gram`` and ``rough_gram`` in registers of 512 bits. */

#include "kernels.h"

#if defined(WIDEST)
#define IS_TWIN
#define gram widest_gram
#define rough_gram widest_rough_gram
#undef FUSED
#define FUSED WIDEST
#include "gram.c"
#else
typedef int nothing; /* a file may not be empty */
#endif
