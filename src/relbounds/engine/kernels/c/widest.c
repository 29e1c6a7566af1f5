/* Twins of functions for registers of 512 bits: the same lines, compiled with lanes twice as long. */

#include "kernels.h"

#if defined(WIDEST)
#define IS_TWIN
#undef FUSED
#define FUSED WIDEST
#define gram widest_gram
#define rough_gram widest_rough_gram
#define move_blocks widest_move_blocks
#define set_top widest_set_top
#include "gram.c"
#include "blocks.c"
#else
typedef int Nothing; /* a file may not be empty */
#endif
