/* SPDX-License-Identifier: MIT */
/*
 * The least number divided by -1 in constant expressions of GLSL: see divide.c.
 *
 * An expression's operands are evaluated once, here, and the expression is then one of constants.
 */
#include "compiler/glsl/ir.h"

#include <stdint.h>
#include <string.h>

extern "C" {
ir_constant *
__real__ZN13ir_expression25constant_expression_valueEPvP10hash_table(ir_expression *e,
                                                                     void *memory,
                                                                     hash_table *variables);
ir_constant *
__wrap__ZN13ir_expression25constant_expression_valueEPvP10hash_table(ir_expression *e,
                                                                     void *memory,
                                                                     hash_table *variables);
}

static int64_t
component(const ir_constant *c, unsigned n)
{
   const unsigned at = glsl_type_is_scalar(c->type) ? 0 : n;

   return c->type->base_type == GLSL_TYPE_INT ? c->value.i[at] : c->value.i64[at];
}

/* The divisor, with 1 for -1 where the least number is divided. */
static ir_constant *
divisor_of(void *memory, const ir_constant *dividend, ir_constant *divisor)
{
   const bool wide = dividend->type->base_type == GLSL_TYPE_INT64;
   const int64_t least = wide ? INT64_MIN : INT32_MIN;
   const glsl_type *type = glsl_type_is_scalar(divisor->type) ? dividend->type : divisor->type;
   ir_constant_data data;
   bool found = false;

   memset(&data, 0, sizeof(data));
   for (unsigned n = 0; n < type->vector_elements; n++) {
      int64_t by = component(divisor, n);

      if (by == -1 && component(dividend, n) == least) {
         by = 1;
         found = true;
      }
      if (wide)
         data.i64[n] = by;
      else
         data.i[n] = (int)by;
   }
   return found ? new (memory) ir_constant(type, &data) : divisor;
}

ir_constant *
__wrap__ZN13ir_expression25constant_expression_valueEPvP10hash_table(ir_expression *e,
                                                                     void *memory,
                                                                     hash_table *variables)
{
   if ((e->operation != ir_binop_div && e->operation != ir_binop_mod) ||
       (e->operands[0]->type->base_type != GLSL_TYPE_INT &&
        e->operands[0]->type->base_type != GLSL_TYPE_INT64))
      return __real__ZN13ir_expression25constant_expression_valueEPvP10hash_table(e, memory,
                                                                                  variables);
   ir_constant *dividend = e->operands[0]->constant_expression_value(memory, variables);
   ir_constant *divisor = dividend ? e->operands[1]->constant_expression_value(memory, variables)
                                   : NULL;

   if (!divisor || dividend->type->base_type != divisor->type->base_type)
      return NULL;
   ir_expression *constant = new (memory) ir_expression(
      e->operation, e->type, dividend, divisor_of(memory, dividend, divisor));
   return __real__ZN13ir_expression25constant_expression_valueEPvP10hash_table(constant, memory,
                                                                               variables);
}
