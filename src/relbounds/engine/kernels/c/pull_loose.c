/* Points none of whose rows is tied are *loose*: only their scores have to be computed as a model
   moves, since a row that is tied tells the score of its point. What free weights have at loose
   points lies together, a line for each of them. */

#include "lines.h"
#include "pull.h"
#include <string.h>

static double *loose_line(const Pull *t, ptrdiff_t i) { return t->loose_lines + i * t->n; }

/* What a number has at a point; offsets have nothing there. */
static double at_point(const Pull *t, ptrdiff_t number, ptrdiff_t point) {
    return number < t->d ? column_of(t, number)[point] : 0.0;
}

/* What a free number has at loose points. */
void fill_loose_line(const Pull *t, ptrdiff_t i) {
    for (ptrdiff_t u = 0; u < t->n_loose; u++)
        loose_line(t, i)[u] = at_point(t, t->at.number[i], t->loose[u]);
}

/* The last free number takes the place of another. */
void move_loose_line(const Pull *t, ptrdiff_t last, ptrdiff_t to) {
    memcpy(loose_line(t, to), loose_line(t, last), t->n_loose * sizeof(double));
}

/* Whether a row has a say in scores: a cost has none, nor does the order of offsets. */
static int has_point(const Pull *t, int64_t row) { return row >= 0 && t->sign[row] != 0; }

/* All of it, as the model stands. */
void gather_loose(Pull *t) {
    memset(t->ties, 0, t->n * sizeof(int64_t));
    for (ptrdiff_t c = 0; c < *t->at.size; c++)
        if (has_point(t, t->at.row[c]))
            t->ties[t->point[t->at.row[c]]]++;
    t->n_loose = 0;
    for (ptrdiff_t p = 0; p < t->n; p++)
        if (!t->ties[p]) {
            t->place_of_loose[p] = t->n_loose;
            t->loose[t->n_loose++] = p;
        }
    for (ptrdiff_t i = 0; i < *t->at.size; i++)
        fill_loose_line(t, i);
}

/* A row is not tied any more. */
void loosen(Pull *t, int64_t row) {
    if (!has_point(t, row) || --t->ties[t->point[row]])
        return;
    ptrdiff_t point = t->point[row], place = t->n_loose++;
    t->loose[place] = point;
    t->place_of_loose[point] = place;
    for (ptrdiff_t i = 0; i < *t->at.size; i++)
        loose_line(t, i)[place] = at_point(t, t->at.number[i], point);
}

/* A row is tied. */
void fasten(Pull *t, int64_t row) {
    if (!has_point(t, row) || t->ties[t->point[row]]++)
        return;
    ptrdiff_t place = t->place_of_loose[t->point[row]], last = --t->n_loose;
    t->loose[place] = t->loose[last];
    t->place_of_loose[t->loose[place]] = place;
    for (ptrdiff_t i = 0; i < *t->at.size; i++)
        loose_line(t, i)[place] = loose_line(t, i)[last];
}

/* How scores of loose points change along the way. */
WIDE void fill_loose_scores(const Pull *t, Event in) {
    ptrdiff_t size = *t->at.size, whole = size - size % 4;
    for (ptrdiff_t u = 0; u < t->n_loose; u++)
        t->of_loose[u] = in.kind == A_WEIGHT ? in.side * at_point(t, in.which, t->loose[u]) : 0.0;
    for (ptrdiff_t i = 0; i < whole; i += 4)
        add_four(t->way + i, loose_line(t, i), t->n, t->n_loose, t->of_loose);
    for (ptrdiff_t i = whole; i < size; i++)
        add_line(t->way[i], loose_line(t, i), t->n_loose, t->of_loose);
    for (ptrdiff_t u = 0; u < t->n_loose; u++)
        t->scores[t->loose[u]] = t->of_loose[u];
}
