/* SPDX-License-Identifier: MIT */
/* See condition.h. */
#include "condition.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/core.h"

bool
condition_read(struct condition *c, const char *name, const char *op, const char *number)
{
   static const struct {
      const char *text;
      enum condition_op op;
   } ops[] = {
      { "==", CONDITION_EQ },  { "!=", CONDITION_NE }, { "<", CONDITION_LT },
      { "<=", CONDITION_LE },  { ">", CONDITION_GT },  { ">=", CONDITION_GE },
      { "is", CONDITION_NAN },
   };
   char *end;

   *c = (struct condition){ 0 };
   for (unsigned n = 0; n < sizeof(ops) / sizeof(*ops); n++)
      if (!strcmp(op, ops[n].text))
         c->op = ops[n].op;
   if (!c->op || !*name || strlen(name) >= sizeof(c->name))
      return false;
   strcpy(c->name, name);
   if (c->op == CONDITION_NAN)
      return !strcmp(number, "nan");
   c->is_float = strncmp(number, "0x", 2) != 0 && strpbrk(number, ".e") != NULL;
   c->number = c->is_float ? strtod(number, &end) : (double)strtoll(number, &end, 0);
   /* 0xffffffff is what -1 is. */
   if (!c->is_float && c->number > INT32_MAX && c->number <= UINT32_MAX)
      c->number -= 4294967296.0;
   return (isdigit((unsigned char)*number) || strchr("-.", *number)) && end != number && !*end;
}

static bool
holds(const struct condition *c, uint32_t bits)
{
   double value = (int32_t)bits;

   if (c->is_float || c->op == CONDITION_NAN) {
      float f;

      memcpy(&f, &bits, sizeof(f));
      value = (double)f;
   }
   switch ((enum condition_op)c->op) {
   case CONDITION_EQ:
      return value == c->number;
   case CONDITION_NE:
      return value != c->number;
   case CONDITION_LT:
      return value < c->number;
   case CONDITION_LE:
      return value <= c->number;
   case CONDITION_GT:
      return value > c->number;
   case CONDITION_GE:
      return value >= c->number;
   case CONDITION_NAN:
      return isnan(value);
   case CONDITION_NONE:
      break;
   }
   return true;
}

uint64_t
condition_lanes(const struct condition *c, const struct core_wave *wave, const void *state)
{
   struct core_seen seen;
   uint64_t lanes = 0;

   if (c->op == CONDITION_NONE)
      return UINT64_MAX;
   for (uint32_t n = 0; core_look(state, wave, n, &seen); n++) {
      if (strcasecmp(seen.name, c->name) != 0)
         continue;
      if (seen.kind != CORE_SEEN_ROW)
         return holds(c, seen.kind == CORE_SEEN_MASK ? (uint32_t)seen.mask : seen.value)
                   ? UINT64_MAX
                   : 0;
      for (unsigned lane = 0; lane < WAVE_LANES; lane++)
         lanes |= (uint64_t)holds(c, seen.row[lane]) << lane;
      return lanes;
   }
   return 0;
}
