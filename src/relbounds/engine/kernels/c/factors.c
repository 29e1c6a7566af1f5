/* Cholesky's factors of small matrices, and what they solve. */

#include "lines.h"
#include <math.h>

/* matrices: their lower halves become factors, not numbers where there is none. */
WIDE void factor(const Array *arrays) {
    ptrdiff_t batch = arrays[0].shape[0], size = arrays[0].shape[1];
    for (ptrdiff_t b = 0; b < batch; b++) {
        double *matrix = (double *)arrays[0].data + b * size * size;
        for (ptrdiff_t j = 0; j < size; j++) {
            const double *line = matrix + j * size;
            for (ptrdiff_t i = j; i < size; i++) {
                double *other = matrix + i * size;
                double total = other[j] - product_of(line, other, j);
                other[j] = i == j ? sqrt(total) : total / line[j];
            }
        }
    }
}

/* factors, a line of scratch; right-hand sides (batch, size, columns), which become solutions */
WIDE void solve(const Array *arrays) {
    ptrdiff_t batch = arrays[2].shape[0], size = arrays[2].shape[1], columns = arrays[2].shape[2];
    double *restrict values = arrays[1].data;
    for (ptrdiff_t b = 0; b < batch; b++) {
        const double *restrict matrix = (double *)arrays[0].data + b * size * size;
        for (ptrdiff_t c = 0; c < columns; c++) {
            double *restrict rhs = (double *)arrays[2].data + b * size * columns + c;
            for (ptrdiff_t i = 0; i < size; i++) {
                const double *row = matrix + i * size;
                values[i] = (rhs[i * columns] - product_of(row, values, i)) / row[i];
            }
            for (ptrdiff_t i = size - 1; i >= 0; i--) {
                const double *restrict row = matrix + i * size;
                double value = values[i] /= row[i];
                for (ptrdiff_t k = 0; k < i; k++)
                    values[k] -= row[k] * value;
            }
            for (ptrdiff_t i = 0; i < size; i++)
                rhs[i * columns] = values[i];
        }
    }
}
