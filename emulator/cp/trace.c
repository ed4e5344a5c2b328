/* SPDX-License-Identifier: MIT */
/*
 * ATOLL_DEBUG=cs: prints packets as they are parsed, registers and their fields by name.
 */
#include "cp/internal.h"

#include <stdio.h>
#include <string.h>

struct reg_name {
   const char *name;
   uint32_t address, stride, count;
};

static const struct reg_name regs[] = {
#define REG(name, address)                     { #name, address, 0, 1 },
#define REGARRAY(name, address, stride, count) { #name, address, stride, count },
#include <atoll/cayman/registers.def>
};

/* Those that five-slot chips have elsewhere. */
static const struct reg_name moved[] = {
#define EVERGREEN_REG(name, address)                     { #name, address, 0, 1 },
#define EVERGREEN_REGARRAY(name, address, stride, count) { #name, address, stride, count },
#include <atoll/cayman/registers.def>
};

struct field_name {
   const char *reg, *field;
   uint8_t lsb, width;
};

static const struct field_name fields[] = {
#define FIELD(reg, field, lsb, width) { #reg, #field, lsb, width },
#include <atoll/cayman/registers.def>
};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static const struct reg_name *
find(const struct reg_name *list, size_t length, uint32_t address, uint32_t *index)
{
   for (size_t i = 0; i < length; i++) {
      const struct reg_name *r = &list[i];
      uint32_t offset = address - r->address;

      if (address < r->address)
         continue;
      if (r->stride ? offset % r->stride == 0 && offset / r->stride < r->count : offset == 0) {
         *index = r->stride ? offset / r->stride : 0;
         return r;
      }
   }
   return NULL;
}

static void
print_register(const struct chip *chip, uint32_t address, uint32_t value)
{
   uint32_t index;
   const struct reg_name *r = chip->five_slots ? find(moved, LENGTH(moved), address, &index) : NULL;
   float number;

   if (!r)
      r = find(regs, LENGTH(regs), address, &index);

   memcpy(&number, &value, sizeof(number));
   fprintf(stderr, "        %05X %08X", address, value);
   if (r) {
      bool any = false;

      fprintf(stderr, " %s", r->name);
      if (r->stride)
         fprintf(stderr, "[%u]", index);
      for (size_t i = 0; i < LENGTH(fields); i++) {
         uint32_t part;

         if (strcmp(fields[i].reg, r->name))
            continue;
         any = true;
         part = value >> fields[i].lsb & CAYMAN_WIDTH_MASK(fields[i].width);
         if (part)
            fprintf(stderr, " %s=0x%X", fields[i].field, part);
      }
      if (!any && value)
         fprintf(stderr, " (%g)", (double)number);
   }
   fputc('\n', stderr);
}

/* Where the registers begin that a SET packet counts from; 0: it sets none. */
static const uint32_t first_register[256] = {
#define CAYMAN_NONE_BASE 0
#define PACKET(name, opcode, needs, demands, admitted, rule, run, registers) \
   [opcode] = CAYMAN_##registers##_BASE,
#include <atoll/cayman/packets.def>
};

void
cp_trace(const struct cp *cp)
{
   uint32_t opcode = pm4_op(cp->header), range = first_register[opcode];

   flockfile(stderr);
   fprintf(stderr, "cs %llu:%llu %5u  %s%s%s\n", (unsigned long long)cp->env->client,
           (unsigned long long)cp->env->seq, cp->at, pm4_opcode_name(opcode),
           pm4_compute(cp->header) ? " compute" : "",
           !pm4_predicated(cp->header) ? ""
           : cp->s->predicate          ? " predicated"
                                       : " predicated (skipped)");
   if (range) {
      for (uint32_t i = 1; i < cp->count; i++)
         print_register(&chips[cp->s->regs.chip], range + ((cp->payload[0] & 0xffff) + i - 1) * 4,
                        cp->payload[i]);
   } else if (opcode != PM4_NOP) {
      for (uint32_t i = 0; i < cp->count; i++)
         fprintf(stderr, "%s%08X%s", i % 8 ? " " : "        ", cp->payload[i],
                 i % 8 == 7 || i == cp->count - 1 ? "\n" : "");
   }
   funlockfile(stderr);
}
