/* Where what a pull works with stands in memory. */

#include "pull.h"
#include <stdlib.h>
#include <string.h>

enum { SET = 11, CHANGING = 10 }; /* arrays of a set, and of where in it we are */

/* Fields of a place and how many numbers of eight bytes each has. */
static void arrange(const Pull *t, Place *place, size_t *lengths, void ***fields) {
    void **all[] = {
        (void **)&place->x, (void **)&place->multipliers, (void **)&place->prices,
        (void **)&place->pull, (void **)&place->side, (void **)&place->turn,
        (void **)&place->number, (void **)&place->row, (void **)&place->inverse,
        (void **)&place->size, (void **)&place->values, (void **)&place->totals,
        (void **)&place->lines,
    };
    size_t most = t->most, sizes[] = {
        t->d + t->k, t->m, t->costs, 1, t->m, t->d, most, most, most * most, 1, t->m, 2, most * t->n,
    };
    memcpy(fields, all, sizeof(all));
    memcpy(lengths, sizes, sizeof(sizes));
}

enum { FIELDS_OF_PLACE = CHANGING + 3 };

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
    double **fields[] = {&t->d_tied, &t->way, &t->scratch, &t->by_point, &t->scores,
                         &t->d_values, &t->d_prices, &t->d_totals, &t->gradients, &t->d_gradients, &t->all,
                         &t->all_before, &t->near};
    size_t most = t->most + t->k, d = t->d;
    size_t lengths[] = {most, most, most, t->n, t->n, t->m, t->costs, 2, d, d, d, d, d * t->n};
    size_t count = sizeof(lengths) / sizeof(*lengths), total = d;
    for (size_t f = 0; f < count; f++)
        total += lengths[f];
    double *next = t->room = malloc(total * sizeof(double) + 1);
    for (size_t f = 0; next && f < count; f++) {
        *fields[f] = next;
        next += lengths[f];
    }
    t->watched = (int64_t *)next;
    return next != NULL;
}

/* What was given is where the way begins. */
static void begin(const Array *arrays, Pull *t) {
    size_t lengths[FIELDS_OF_PLACE];
    void **fields[FIELDS_OF_PLACE];
    arrange(t, &t->at, lengths, fields);
    for (int f = 0; f < CHANGING; f++)
        memcpy(*fields[f], arrays[SET + f].data, lengths[f] * sizeof(double));
    for (ptrdiff_t i = 0; i < *t->at.size; i++)
        if (t->at.number[i] < t->d)
            fill_points_column(t, t->at.number[i], t->at.lines + i * t->n);
}

/* A pull of the arrays of a set, of a place in it, and a goal; 0: there is no memory. */
int pull_of(const Array *arrays, Pull *t) {
    *t = (Pull){
        .n = arrays[0].shape[0], .d = arrays[2].shape[0], .own = arrays[1].shape[0],
        .k = arrays[5].shape[1], .m = arrays[6].shape[0], .costs = arrays[10].shape[0],
        .most = arrays[SET + 6].shape[0], .points = arrays[0].data, .columns = arrays[1].data,
        .worth = arrays[2].data, .point = arrays[3].data, .sign = arrays[4].data,
        .offsets = arrays[5].data, .margin = arrays[6].data, .weight = arrays[7].data,
        .surplus = arrays[8].data, .shares = arrays[9].data, .limits = arrays[10].data,
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
        size_t length = *fields[f] == (void *)to->inverse ? used * t->most
                        : *fields[f] == (void *)to->lines ? used * t->n
                                                          : lengths[f];
        memcpy(*fields[f], *sources[f], length * sizeof(double));
    }
}
