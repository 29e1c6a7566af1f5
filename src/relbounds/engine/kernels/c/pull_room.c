/* Where what a pull works with stands in memory. */

#include "pull.h"
#include <stdlib.h>
#include <string.h>

enum { SET = 12, CHANGING = 10 }; /* arrays of a set, and of where in it we are */

/* Fields of a place and how many numbers of eight bytes each has. */
static void arrange(const Pull *t, Place *place, size_t *lengths, void ***fields) {
    void **all[] = {
        (void **)&place->x, (void **)&place->multipliers, (void **)&place->prices,
        (void **)&place->pull, (void **)&place->side, (void **)&place->turn,
        (void **)&place->number, (void **)&place->row, (void **)&place->inverse,
        (void **)&place->size, (void **)&place->values, (void **)&place->totals,
    };
    size_t most = t->most, sizes[] = {
        t->d + t->k, t->m, t->costs, 1, t->m, t->d, most, most, most * most, 1, t->m, 2,
    };
    memcpy(fields, all, sizeof(all));
    memcpy(lengths, sizes, sizeof(sizes));
}

enum { FIELDS_OF_PLACE = CHANGING + 2 };

static int make_place(const Pull *t, Place *place) {
    size_t lengths[FIELDS_OF_PLACE], total = 0;
    void **fields[FIELDS_OF_PLACE];
    arrange(t, place, lengths, fields);
    for (int f = 0; f < FIELDS_OF_PLACE; f++)
        total += lengths[f];
    place->memory = malloc(total * sizeof(double) + 1);
    double *next = place->memory;
    for (int f = 0; next && f < FIELDS_OF_PLACE; f++) {
        *fields[f] = next;
        next += lengths[f];
    }
    return place->memory != NULL;
}

static int make_room(Pull *t) {
    double **fields[] = {&t->d_tied, &t->way, &t->scratch, &t->paid, &t->by_point, &t->scores,
                         &t->d_values, &t->d_prices, &t->d_totals, &t->gradients, &t->d_gradients, &t->all,
                         &t->all_before, &t->at_look.paid, &t->at_watch.paid,
                         &t->of_loose, &t->loose_lines, &t->slopes, &t->by_offset,
                         &t->fars, &t->speeds, &t->soonest, &t->lefts, &t->rights};
    size_t most = t->most + t->k, d = t->d, events = t->m + 2 * most + BLOCK;
    size_t lengths[] = {most, most, most, t->n, t->n, t->n, t->m, t->costs, 2, d, d, d, d,
                        t->n, t->n, t->n,
                        t->most * t->n, t->m, t->m * t->k, events, events, events,
                        MOST_LATER * t->most, MOST_LATER * t->most};
    size_t count = sizeof(lengths) / sizeof(*lengths), total = 3 * d + 3 * t->n;
    for (size_t f = 0; f < count; f++)
        total += lengths[f];
    size_t rough = (t->own + 1) * t->n * sizeof(float);
    double *next = t->room = malloc(total * sizeof(double) + rough + 1);
    for (size_t f = 0; next && f < count; f++) {
        *fields[f] = next;
        next += lengths[f];
    }
    if (!next)
        return 0;
    t->watched = (int64_t *)next;
    t->near = t->watched + d;
    t->was_watched = t->near + d;
    memset(t->was_watched, 0, d * sizeof(int64_t));
    t->loose = t->was_watched + d;
    t->place_of_loose = t->loose + t->n;
    t->ties = t->place_of_loose + t->n;
    t->rough_paid = (float *)(t->ties + t->n);
    t->rough_own = t->rough_paid + t->n;
    return 1;
}

/* What was given is where the way begins. */
static void begin(const Array *arrays, Pull *t) {
    size_t lengths[FIELDS_OF_PLACE];
    void **fields[FIELDS_OF_PLACE];
    arrange(t, &t->at, lengths, fields);
    for (int f = 0; f < CHANGING; f++)
        memcpy(*fields[f], arrays[SET + f].data, lengths[f] * sizeof(double));
    for (ptrdiff_t i = 0; i < t->own * t->n; i++)
        t->rough_own[i] = (float)t->own_columns[i];
    for (ptrdiff_t r = 0; r < t->m; r++)
        for (ptrdiff_t b = 0; b < t->k; b++)
            t->by_offset[b * t->m + r] = t->offsets[r * t->k + b];
    fill_slopes(t);
}

/* A pull of the arrays of a set, of a place in it, and a goal; 0: there is no memory. */
int pull_of(const Array *arrays, Pull *t) {
    *t = (Pull){
        .n = arrays[0].shape[1], .d = arrays[3].shape[0], .own = arrays[1].shape[0],
        .k = arrays[6].shape[1], .m = arrays[7].shape[0], .costs = arrays[11].shape[0],
        .most = arrays[SET + 6].shape[0], .columns = arrays[0].data, .own_columns = arrays[1].data,
        .rough_columns = arrays[2].data, .worth = arrays[3].data, .point = arrays[4].data,
        .sign = arrays[5].data, .offsets = arrays[6].data, .margin = arrays[7].data,
        .weight = arrays[8].data, .surplus = arrays[9].data, .shares = arrays[10].data,
        .limits = arrays[11].data,
        .goal = arrays[SET + CHANGING].data, .rates = arrays[SET + CHANGING + 1].data,
    };
    if (!make_room(t) || !make_place(t, &t->at) || !make_place(t, &t->before)) {
        give_room_back(t);
        return 0;
    }
    begin(arrays, t);
    return 1;
}

void give_room_back(Pull *t) {
    free(t->room);
    free(t->at.memory);
    free(t->before.memory);
}

/* Where the way ended. */
void tell(const Array *arrays, const Pull *t) {
    size_t lengths[FIELDS_OF_PLACE];
    void **fields[FIELDS_OF_PLACE];
    Place place = t->at;
    arrange(t, &place, lengths, fields);
    for (int f = 0; f < CHANGING; f++)
        memcpy(arrays[SET + f].data, *fields[f], lengths[f] * sizeof(double));
}

/* Of lines only those in use. */
void copy_place(const Pull *t, Place *to, const Place *from) {
    size_t lengths[FIELDS_OF_PLACE], used = *from->size;
    void **fields[FIELDS_OF_PLACE], **sources[FIELDS_OF_PLACE];
    Place source = *from;
    arrange(t, &source, lengths, sources);
    arrange(t, to, lengths, fields);
    for (int f = 0; f < FIELDS_OF_PLACE; f++) {
        size_t length = *fields[f] == (void *)to->inverse ? used * t->most : lengths[f];
        memcpy(*fields[f], *sources[f], length * sizeof(double));
    }
}
