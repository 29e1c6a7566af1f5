/* The inverse of what is free and tied. Every change of it is a product of two lines, which is
   added to all of it later: of eight at once, so that it is read and written once and not eight
   times. Until then they are added to whatever is asked. */

#include "lines.h"
#include "pull.h"
#include <string.h>

static double *left_of(const Pull *t, ptrdiff_t later) { return t->lefts + later * t->most; }
static double *right_of(const Pull *t, ptrdiff_t later) { return t->rights + later * t->most; }

/* One line of it. */
WIDE void fill_inverse_line(const Pull *t, ptrdiff_t i, double *line) {
    memcpy(line, line_of(t, i), *t->at.size * sizeof(double));
    for (ptrdiff_t j = 0; j < t->later; j++)
        add_line(left_of(t, j)[i], right_of(t, j), *t->at.size, line);
}

/* One column. */
WIDE void fill_inverse_column(const Pull *t, ptrdiff_t c, double *column) {
    for (ptrdiff_t i = 0; i < *t->at.size; i++)
        column[i] = line_of(t, i)[c];
    for (ptrdiff_t j = 0; j < t->later; j++)
        add_line(right_of(t, j)[c], left_of(t, j), *t->at.size, column);
}

/* A line is that, whatever was to be added to it. */
void put_line(const Pull *t, ptrdiff_t i, const double *line) {
    memcpy(line_of(t, i), line, *t->at.size * sizeof(double));
    for (ptrdiff_t j = 0; j < t->later; j++)
        left_of(t, j)[i] = 0.0;
}

/* The same of a column. */
void put_column(const Pull *t, ptrdiff_t c, const double *column) {
    for (ptrdiff_t i = 0; i < *t->at.size; i++)
        line_of(t, i)[c] = column[i];
    for (ptrdiff_t j = 0; j < t->later; j++)
        right_of(t, j)[c] = 0.0;
}

/* Its product with a column. */
WIDE void fill_product(const Pull *t, const double *column, double *product) {
    ptrdiff_t size = *t->at.size, whole = size - size % 4;
    for (ptrdiff_t i = 0; i < whole; i += 4) {
        const double *const lines[4] = {line_of(t, i), line_of(t, i + 1), line_of(t, i + 2),
                                        line_of(t, i + 3)};
        four_products(column, lines, size, product + i);
    }
    for (ptrdiff_t i = whole; i < size; i++)
        product[i] = product_of(line_of(t, i), column, size);
    for (ptrdiff_t j = 0; j < t->later; j++)
        add_line(product_of(right_of(t, j), column, size), left_of(t, j), size, product);
}

/* The product of a line with it. */
WIDE void fill_line_product(const Pull *t, const double *shares, double *product) {
    ptrdiff_t size = *t->at.size, whole = size - size % 4;
    memset(product, 0, size * sizeof(double));
    for (ptrdiff_t i = 0; i < whole; i += 4)
        add_four(shares + i, line_of(t, i), t->most, size, product);
    for (ptrdiff_t i = whole; i < size; i++)
        add_line(shares[i], line_of(t, i), size, product);
    for (ptrdiff_t j = 0; j < t->later; j++)
        add_line(product_of(shares, left_of(t, j), size), right_of(t, j), size, product);
}

/* Two lines get their shares of what was to be added later. */
INLINE void add_all_later(const Pull *t, double *one, double *other, ptrdiff_t i, ptrdiff_t size) {
    double shares[2][MOST_LATER];
    ptrdiff_t whole = size - size % LANES;
    for (ptrdiff_t j = 0; j < MOST_LATER; j++) {
        shares[0][j] = left_of(t, j)[i];
        shares[1][j] = left_of(t, j)[i + 1];
    }
    for (ptrdiff_t c = 0; c < whole; c += LANES) {
        Lanes first = {0}, second = {0};
        for (ptrdiff_t j = 0; j < MOST_LATER; j++) {
            add_share(&first, shares[0][j], right_of(t, j) + c);
            add_share(&second, shares[1][j], right_of(t, j) + c);
        }
        add_to(one + c, &first);
        add_to(other + c, &second);
    }
    for (ptrdiff_t c = whole; c < size; c++)
        for (ptrdiff_t j = 0; j < MOST_LATER; j++) {
            one[c] += shares[0][j] * right_of(t, j)[c];
            other[c] += shares[1][j] * right_of(t, j)[c];
        }
}

/* What was to be added later is added. */
FUSED void add_now(Pull *t) {
    ptrdiff_t size = *t->at.size, whole = t->later == MOST_LATER ? size - size % 2 : 0;
    for (ptrdiff_t i = 0; i < whole; i += 2)
        add_all_later(t, line_of(t, i), line_of(t, i + 1), i, size);
    for (ptrdiff_t i = whole; i < size; i++)
        for (ptrdiff_t j = 0; j < t->later; j++)
            add_line(left_of(t, j)[i], right_of(t, j), size, line_of(t, i));
    t->later = 0;
}

/* The product of a column, times a share, and a line is to be added; all that is left then has
   its place. */
void add_later(Pull *t, double share, const double *left, const double *right) {
    if (t->later == MOST_LATER)
        add_now(t);
    for (ptrdiff_t i = 0; i < *t->at.size; i++) {
        left_of(t, t->later)[i] = share * left[i];
        right_of(t, t->later)[i] = right[i];
    }
    t->later++;
}

/* A line and a column more, of zeros. */
void add_zeros(Pull *t) {
    ptrdiff_t size = (*t->at.size)++;
    memset(line_of(t, size), 0, (size + 1) * sizeof(double));
    for (ptrdiff_t i = 0; i < size; i++)
        line_of(t, i)[size] = 0.0;
    for (ptrdiff_t j = 0; j < t->later; j++)
        left_of(t, j)[size] = right_of(t, j)[size] = 0.0;
}

/* A line and a column less: the last ones take their places. */
void take_out(Pull *t, ptrdiff_t line, ptrdiff_t column) {
    ptrdiff_t last = --*t->at.size;
    if (line != last)
        memcpy(line_of(t, line), line_of(t, last), (last + 1) * sizeof(double));
    for (ptrdiff_t i = 0; i < last; i++)
        line_of(t, i)[column] = line_of(t, i)[last];
    for (ptrdiff_t j = 0; j < t->later; j++) {
        left_of(t, j)[line] = left_of(t, j)[last];
        right_of(t, j)[column] = right_of(t, j)[last];
    }
}

/* A column gets a share of another. */
void add_column(const Pull *t, double share, ptrdiff_t of, ptrdiff_t to) {
    for (ptrdiff_t i = 0; i < *t->at.size; i++)
        line_of(t, i)[to] += share * line_of(t, i)[of];
    for (ptrdiff_t j = 0; j < t->later; j++)
        right_of(t, j)[to] += share * right_of(t, j)[of];
}
