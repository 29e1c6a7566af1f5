/* What the arrays of a call say, and room to work in: one block of memory for a whole batch. */

#include "interior.h"
#include "lanes.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
    double *memory; /* NULL: it is only counted how much is needed */
    ptrdiff_t used;
} Room;

static double *take(Room *room, ptrdiff_t n) {
    double *taken = room->memory ? room->memory + room->used : NULL;
    room->used += n;
    return taken;
}

/* So many numbers, and as many more as fill the last lanes. */
static ptrdiff_t whole_of(ptrdiff_t n, ptrdiff_t lanes) { return (n + lanes - 1) / lanes * lanes; }

/* ``ends``, (parts, 3): where points, rows and columns of each part end. */
static Part part_of(const Array *arrays, ptrdiff_t d, ptrdiff_t index) {
    const int64_t none[3] = {0}, *ends = (const int64_t *)arrays[7].data + 3 * index;
    const int64_t *before = index ? ends - 3 : none;
    Part part = {
        .points = ends[0] - before[0], .first = before[0], .columns = ends[2] - before[2],
        .column = (const int64_t *)arrays[8].data + before[2],
    };
    while (part.weights < part.columns && part.column[part.weights] < d)
        part.weights++;
    ptrdiff_t lanes = HAS_WIDEST ? WIDEST_LANES : LANES;
    part.high = whole_of(part.weights, LANES);
    part.width = whole_of(part.weights, lanes);
    part.rough_width = whole_of(part.weights, 2 * lanes);
    return part;
}

static ptrdiff_t entries_of(const double *coefficients, ptrdiff_t m, ptrdiff_t d, ptrdiff_t q) {
    ptrdiff_t found = 0;
    for (ptrdiff_t r = 0; r < m; r++)
        for (ptrdiff_t k = d; k < q; k++)
            found += coefficients[r * q + k] != 0;
    return found;
}

static Program program_of(const Array *arrays) {
    ptrdiff_t m = arrays[0].shape[0], q = arrays[0].shape[1];
    ptrdiff_t d = arrays[3].shape[0], e = arrays[9].shape[1], n_parts = arrays[7].shape[0];
    return (Program){
        .m = m, .soft = arrays[1].shape[0], .d = d, .q = q, .e = e, .weights = d + e,
        .model = q + e, .limits = arrays[4].shape[0], .size = arrays[13].shape[1],
        .n_parts = n_parts, .n_points = ((const int64_t *)arrays[7].data)[3 * n_parts - 3],
        .entries = entries_of(arrays[0].data, m, d, q), .are_apart = 1, .slack_price = arrays[1].data,
        .linear = arrays[2].data, .shares = arrays[4].data, .spans = arrays[11].data,
    };
}

/* Room that the largest of all parts needs. */
typedef struct {
    ptrdiff_t width, stride, rough_width, rough_stride;
} Largest;

/* Room for so many numbers of single precision. */
static ptrdiff_t halves(ptrdiff_t n) { return (n + 1) / 2; }

static ptrdiff_t larger(ptrdiff_t one, ptrdiff_t other) { return one > other ? one : other; }

static Largest lay_out_parts(Room *room, const Array *arrays, Program *p) {
    Largest largest = {0};
    p->parts = (Part *)take(room, p->n_parts * ((sizeof(Part) - 1) / sizeof(double) + 1));
    for (ptrdiff_t index = 0; index < p->n_parts; index++) {
        Part part = part_of(arrays, p->d, index);
        ptrdiff_t offsets = part.columns - part.weights;
        part.values = take(room, part.points * part.width);
        part.rough = (float *)take(room, halves(part.points * part.rough_width));
        largest.width = larger(largest.width, part.width);
        largest.rough_width = larger(largest.rough_width, part.rough_width);
        largest.stride = larger(largest.stride, part.width + padded(offsets + p->e + VECTORS));
        largest.rough_stride = larger(largest.rough_stride, part.rough_width + padded(offsets + p->e));
        if (p->parts)
            p->parts[index] = part;
    }
    return largest;
}

static void lay_out(Room *room, const Array *arrays, ptrdiff_t runs, Program *p, Newton *newton) {
    Largest largest = lay_out_parts(room, arrays, p);
    ptrdiff_t model = p->model, lines = padded(model);
    p->point = (int64_t *)take(room, p->m);
    p->sign = take(room, p->m);
    p->ends = (int64_t *)take(room, p->q - p->d + 1);
    p->row = (int64_t *)take(room, p->entries);
    p->value = take(room, p->entries);
    p->prices = take(room, p->weights);
    p->sums = take(room, largest.width);
    p->of_points = take(room, p->n_points);
    *newton = (Newton){
        .lines = lines,
        .ratio = take(room, p->size), .wanted = take(room, p->size), .dual = take(room, p->size),
        .theta = take(room, p->m), .rows = take(room, p->m), .weighted = take(room, p->m),
        .moved = take(room, p->m), .lean = take(room, p->soft),
        .coupled = take(room, coupled_lines(p) * p->n_points),
        .stiff = take(room, p->weights), .weight_lean = take(room, p->weights),
        .matrix = take(room, lines * lines), .border = take(room, p->limits * model),
        .solved_border = take(room, p->limits * model), .model = take(room, model),
        .inverse = take(room, lines), .sides = take(room, lines * LANES),
        .scaled = take(room, POINTS_AT_ONCE * largest.stride),
        .squares = take(room, (largest.stride + LANES) * largest.width),
        .rough_scaled = (float *)take(room, halves(POINTS_AT_ONCE * largest.rough_stride)),
        .rough_squares = (float *)take(room, halves(largest.rough_stride * largest.rough_width)),
        .residual = take(room, runs * model),
    };
    for (int k = 0; k < VECTORS; k++)
        newton->back[k] = take(room, model);
}

/* Whether rows are the same in some columns; they are alike up to their sign. */
static int are_same(const double *one, const double *other, const Part *part) {
    for (ptrdiff_t i = 0; i < part->weights; i++)
        if (one[part->column[i]] != other[part->column[i]])
            return 0;
    return 1;
}

/* ``order`` and ``first`` of all parts: those of rows from ``first[i]`` to ``first[i + 1]`` in
   ``order`` have the same point, up to its sign. */
static void fill_part(const Array *arrays, const Program *p, ptrdiff_t index) {
    const Part *part = &p->parts[index];
    const double *coefficients = arrays[0].data;
    const int64_t *ends = (const int64_t *)arrays[7].data + 3 * index;
    const int64_t *order = (const int64_t *)arrays[5].data + (index ? ends[-2] : 0);
    const int64_t *first = (const int64_t *)arrays[6].data + part->first + index;
    memset(part->values, 0, part->points * part->width * sizeof(double));
    memset(part->rough, 0, part->points * part->rough_width * sizeof(float));
    for (ptrdiff_t i = 0; i < part->points; i++) {
        const double *line = coefficients + order[first[i]] * p->q;
        for (ptrdiff_t k = 0; k < part->weights; k++)
            part->rough[i * part->rough_width + k] = (float)(part->values[i * part->width + k] =
                                                                 line[part->column[k]]);
        for (int64_t at = first[i]; at < first[i + 1]; at++) {
            p->point[order[at]] = part->first + i;
            p->sign[order[at]] = are_same(line, coefficients + order[at] * p->q, part) ? 1 : -1;
        }
    }
}

static void fill_entries(const double *coefficients, Program *p) {
    ptrdiff_t at = 0;
    for (ptrdiff_t r = 0; r < p->m; r++)
        p->point[r] = 0; /* filled later: how many offsets a row has */
    p->ends[0] = 0;
    for (ptrdiff_t k = p->d; k < p->q; k++) {
        for (ptrdiff_t r = 0; r < p->m; r++)
            if (coefficients[r * p->q + k] != 0) {
                p->row[at] = r;
                p->are_apart &= !p->point[r]++;
                p->value[at++] = coefficients[r * p->q + k];
            }
        p->ends[k - p->d + 1] = at;
    }
}

/* What programs share and their equations, with residuals of so many of them. Returns what has to
   be freed; NULL: there is no memory. */
void *loan_of(const Array *arrays, ptrdiff_t lines, Program *p, Newton *newton) {
    Room room = {0};
    *p = program_of(arrays);
    lay_out(&room, arrays, lines, p, newton);
    room = (Room){.memory = malloc((room.used + 1) * sizeof(double))};
    if (!room.memory)
        return NULL;
    lay_out(&room, arrays, lines, p, newton);
    fill_entries(arrays[0].data, p);
    for (ptrdiff_t index = 0; index < p->n_parts; index++)
        fill_part(arrays, p, index);
    for (ptrdiff_t i = 0; i < p->weights; i++)
        p->prices[i] = i < p->d ? ((double *)arrays[3].data)[i] : *(double *)arrays[12].data;
    return room.memory;
}

Line line_at(const Array *arrays, const Program *p, ptrdiff_t index) {
    ptrdiff_t of_gap = arrays[16].shape[1];
    Line line = {
        .primal = (double *)arrays[13].data + index * p->size,
        .dual = (double *)arrays[14].data + index * p->size,
        .offsets = (double *)arrays[15].data + index * (p->q - p->d),
        .gap = (double *)arrays[16].data + index * of_gap,
        .own = (double *)arrays[9].data + index * p->e * p->m,
        .own_linear = (double *)arrays[10].data + index * p->e,
        .has_gap = of_gap == p->m,
    };
    shrink_gap(p, &line, 0);
    return line;
}
