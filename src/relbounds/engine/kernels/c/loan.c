/* What the arrays of a call say, and room to work in: one block of memory for a whole batch. */

#include "interior.h"
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

static ptrdiff_t padded(ptrdiff_t n) { return (n + STRIP - 1) / STRIP * STRIP; }

/* ``ends``, (parts, 3): where distinct rows, all rows and columns of each part end. */
static Part part_of(const Array *arrays, ptrdiff_t index) {
    const int64_t none[3] = {0}, *ends = (const int64_t *)arrays[7].data + 3 * index;
    const int64_t *before = index ? ends - 3 : none;
    return (Part){
        .rows = ends[0] - before[0], .columns = ends[2] - before[2],
        .width = padded(ends[2] - before[2]),
        .order = (const int64_t *)arrays[5].data + before[1],
        .first = (const int64_t *)arrays[6].data + before[0] + index,
        .column = (const int64_t *)arrays[8].data + before[2],
    };
}

static Program program_of(const Array *arrays) {
    ptrdiff_t q = arrays[0].shape[1], d = arrays[3].shape[0], e = arrays[9].shape[1];
    return (Program){
        .m = arrays[0].shape[0], .soft = arrays[1].shape[0], .d = d, .q = q, .e = e,
        .weights = d + e, .model = q + e, .limits = arrays[4].shape[0], .width = padded(q),
        .size = arrays[13].shape[1], .n_parts = arrays[7].shape[0], .slack_price = arrays[1].data,
        .linear = arrays[2].data, .shares = arrays[4].data, .spans = arrays[11].data,
    };
}

static ptrdiff_t lay_out_parts(Room *room, const Array *arrays, Program *p) {
    ptrdiff_t widest = 0;
    p->parts = (Part *)take(room, p->n_parts * ((sizeof(Part) - 1) / sizeof(double) + 1));
    for (ptrdiff_t index = 0; index < p->n_parts; index++) {
        Part part = part_of(arrays, index);
        part.squared = take(room, part.rows * part.width);
        widest = part.width > widest ? part.width : widest;
        if (p->parts)
            p->parts[index] = part;
    }
    return widest;
}

static void lay_out(Room *room, const Array *arrays, ptrdiff_t lines, Program *p, Newton *newton) {
    ptrdiff_t widest = lay_out_parts(room, arrays, p), model = p->model;
    p->rows = take(room, p->m * p->width);
    p->prices = take(room, p->weights);
    p->sums = take(room, p->width);
    *newton = (Newton){
        .ratio = take(room, p->size), .wanted = take(room, p->size), .dual = take(room, p->size),
        .theta = take(room, p->m), .rows = take(room, p->m), .weighted = take(room, p->m),
        .moved = take(room, p->m), .together = take(room, p->m), .lean = take(room, p->soft),
        .stiff = take(room, p->weights), .weight_lean = take(room, p->weights),
        .matrix = take(room, model * model), .border = take(room, p->limits * model),
        .solved_border = take(room, p->limits * model), .model = take(room, model),
        .values = take(room, p->width + model), .scaled = take(room, ROWS_AT_ONCE * widest),
        .squares = take(room, widest * widest), .residual = take(room, lines * model),
    };
}

static void fill(const double *coefficients, const Program *p) {
    memset(p->rows, 0, p->m * p->width * sizeof(double));
    for (ptrdiff_t r = 0; r < p->m; r++)
        memcpy(p->rows + r * p->width, coefficients + r * p->q, p->q * sizeof(double));
}

static void fill_part(const double *coefficients, ptrdiff_t q, const Part *part) {
    memset(part->squared, 0, part->rows * part->width * sizeof(double));
    for (ptrdiff_t r = 0; r < part->rows; r++) {
        const double *line = coefficients + part->order[part->first[r]] * q;
        for (ptrdiff_t i = 0; i < part->columns; i++)
            part->squared[r * part->width + i] = line[part->column[i]];
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
    fill(arrays[0].data, p);
    for (ptrdiff_t index = 0; index < p->n_parts; index++)
        fill_part(arrays[0].data, p->q, &p->parts[index]);
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
