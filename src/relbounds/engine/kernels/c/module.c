/* Python's side of the kernels: arrays are lent to them, and other threads work meanwhile.

   The limited API of Python 3.11, so that one build serves all later versions. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <stdint.h>
#include <string.h>

#include "kernels.h"

enum { MOST_ARRAYS = 28 };

typedef union {
    int64_t whole;
    double real;
} Number;

typedef struct {
    Py_buffer views[MOST_ARRAYS];
    Array arrays[MOST_ARRAYS];
    Number numbers[MOST_ARRAYS];
    int count;
} Loan;

static void give_back(Loan *loan) {
    while (loan->count)
        PyBuffer_Release(&loan->views[--loan->count]);
}

/* n is a whole number and x is any. */
static int read_number(PyObject *object, char kind, Number *number) {
    if (kind == 'n')
        number->whole = PyLong_AsLongLong(object);
    else
        number->real = PyFloat_AsDouble(object);
    return !PyErr_Occurred();
}

/* d and r are numbers that are written or only read, i and j 64-bit integers, f are numbers of single
   precision that are only read and b truth values that are written. */
static int read_array(Py_buffer *view, char kind, Array *array) {
    if (view->itemsize != (kind == 'b' ? 1 : kind == 'f' ? 4 : 8) || view->ndim > 3) {
        PyErr_Format(PyExc_TypeError, "Expected an array of kind %c; got items of %zd bytes.", kind,
                     view->itemsize);
        return 0;
    }
    array->data = view->buf;
    for (int axis = 0; axis < view->ndim; axis++)
        array->shape[axis] = view->shape[axis];
    return 1;
}

static int borrow(PyObject *object, char kind, Loan *loan) {
    Py_buffer *view = &loan->views[loan->count];
    Array *array = &loan->arrays[loan->count];
    Number *number = &loan->numbers[loan->count];
    int flags = PyBUF_C_CONTIGUOUS | (strchr("rjf", kind) ? 0 : PyBUF_WRITABLE);
    *array = (Array){.data = number, .shape = {1, 1, 1}};
    if (kind == 'n' || kind == 'x') {
        view->obj = NULL; /* nothing is to be given back */
        loan->count++;
        return read_number(object, kind, number);
    }
    if (PyObject_GetBuffer(object, view, flags) < 0)
        return 0;
    loan->count++;
    return read_array(view, kind, array);
}

/* ``kinds`` has a letter for each array or number. */
static int borrow_all(PyObject *const *objects, Py_ssize_t count, const char *kinds, Loan *loan) {
    loan->count = 0;
    if (count != (Py_ssize_t)strlen(kinds)) {
        PyErr_Format(PyExc_TypeError, "Expected %zu arrays or numbers; got %zd.", strlen(kinds),
                     count);
        return 0;
    }
    for (Py_ssize_t k = 0; k < count; k++)
        if (!borrow(objects[k], kinds[k], loan)) {
            give_back(loan);
            return 0;
        }
    return 1;
}

static PyObject *run(void (*kernel)(const Array *), const char *kinds, PyObject *const *objects,
                     Py_ssize_t count) {
    Loan loan;
    if (!borrow_all(objects, count, kinds, &loan))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    kernel(loan.arrays);
    Py_END_ALLOW_THREADS
    give_back(&loan);
    Py_RETURN_NONE;
}

/* The same of kernels that have an answer. */
static PyObject *ask(int (*kernel)(const Array *), const char *kinds, PyObject *const *objects,
                     Py_ssize_t count) {
    Loan loan;
    int answer;
    if (!borrow_all(objects, count, kinds, &loan))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    answer = kernel(loan.arrays);
    Py_END_ALLOW_THREADS
    give_back(&loan);
    return answer < 0 ? PyErr_NoMemory() : PyLong_FromLong(answer);
}

#define EXPOSE(kernel, way, kinds)                                                                 \
    static PyObject *py_##kernel(PyObject *module, PyObject *const *objects, Py_ssize_t count) {   \
        (void)module;                                                                              \
        return way(kernel, kinds, objects, count);                                                 \
    }

EXPOSE(divide, run, "rrrdddd")
EXPOSE(wish, run, "rrrrrddd")
EXPOSE(row_duals, run, "rrrrrrd")
EXPOSE(foresee, run, "rrrrdd")
EXPOSE(correct, run, "rrrrrrd")
EXPOSE(steps, run, "rrrrdd")
EXPOSE(move, run, "rrd")
EXPOSE(factor, run, "d")
EXPOSE(solve, run, "rdd")
#define ROWS "irii" "rrrr"
EXPOSE(miss, run, ROWS "rrd")
EXPOSE(price, run, ROWS "rdd")
EXPOSE(combine, run, ROWS "rdddd")
EXPOSE(limit, run, ROWS "rxrd")

EXPOSE(resolve, ask, "rddddibbddiddn")

#define CORNER "rrrrriiddi"
EXPOSE(corner, ask, CORNER "d")
EXPOSE(multipliers, ask, CORNER "rdd")
EXPOSE(find, ask, CORNER "rdi")
EXPOSE(ascend, ask, CORNER "rn")
EXPOSE(descend, ask, CORNER "rnx")
EXPOSE(follow, ask, "rrrrdiiddi" "rnxrrddii")
EXPOSE(settled, ask, CORNER "n")
EXPOSE(depart, ask, CORNER "rn")
EXPOSE(outward, ask, "drrrdiiddi" "jjrrrjrrrrnnddi")

#if defined(HAS_LANES) /* or else NumPy's products are faster */
#define PROGRAM "rrrrrrrrrrrrxdddd"
EXPOSE(reach, ask, PROGRAM "rrrxn")
EXPOSE(centre, ask, PROGRAM)
#endif

EXPOSE(pull, ask, "rrfrrrrrrrrr" "ddddiiiidi" "rrnxxx")

EXPOSE(logit, ask, "rirrxddd")

#define LISTED(kernel) {#kernel, (PyCFunction)(void (*)(void))py_##kernel, METH_FASTCALL, NULL}

static PyMethodDef methods[] = {
    LISTED(divide), LISTED(wish),   LISTED(row_duals),   LISTED(foresee), LISTED(correct),
    LISTED(steps),  LISTED(move),   LISTED(factor),      LISTED(solve),   LISTED(resolve),
    LISTED(corner), LISTED(find),   LISTED(multipliers), LISTED(ascend),  LISTED(descend),
    LISTED(follow), LISTED(pull),   LISTED(logit),       LISTED(miss),    LISTED(price),
    LISTED(combine), LISTED(limit), LISTED(outward), LISTED(settled), LISTED(depart),
#if defined(HAS_LANES)
    LISTED(reach),  LISTED(centre),
#endif
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef_Slot slots[] = {{0, NULL}};

static struct PyModuleDef native = {
    PyModuleDef_HEAD_INIT, "native", "Kernels, compiled ahead.", 0, methods, slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit_native(void) { return PyModuleDef_Init(&native); }
