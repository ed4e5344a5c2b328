/* SPDX-License-Identifier: MIT */
/*
 * The table of micro-operations (uops.def) as data.
 */
#include "uop/uop.h"

const struct uop_info uop_infos[UOP_COUNT] = {
#define UOP(name, handler, result, operands, kinds, effects, params, records, cost, native) \
   [UOP_##name] = { #name,                                                                  \
                    kinds,                                                                  \
                    UOP_RESULT_##result,                                                    \
                    operands,                                                               \
                    UOP_EFFECT_##effects,                                                   \
                    UOP_PARAMS_##params,                                                    \
                    UOP_FORM_NONE,                                                          \
                    records,                                                                \
                    cost },
#define ROW(name, result, operands, kinds, effect, forms, cost) \
   [UOP_##name] = { #name,                                      \
                    kinds,                                      \
                    UOP_RESULT_##result,                        \
                    operands,                                   \
                    UOP_EFFECT_##effect,                        \
                    UOP_PARAMS_none,                            \
                    UOP_FORM_##forms,                           \
                    1,                                          \
                    cost },
#define LANE(name, result, operands, kinds, forms, cost, native, value) \
   ROW(name, result, operands, kinds, LANE, forms, cost)
#define QUAD(name, result, operands, kinds, forms, cost, native, value) \
   ROW(name, result, operands, kinds, QUAD, forms, cost)
#include "uop/uops.def"
#undef ROW
};

/* The columns agree with each other. */
#define CHECK(name, operands, kinds)                                                      \
   _Static_assert(sizeof(kinds) - 1 == (operands) && (operands) <= 3, #name ": kinds of " \
                                                                            "operands");
#define UOP(name, handler, result, operands, kinds, effects, params, records, cost, native) \
   CHECK(name, operands, kinds)                                                             \
   _Static_assert((records) >= 1 && (records) <= 4, #name ": records");
#include "uop/uops.def"
