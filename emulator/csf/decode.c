/* SPDX-License-Identifier: MIT */
/* Texts of instructions and what is wrong with them, from the table. */
#include "csf/csf.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum kind {
   READS,
   WRITES,
   READS_PAIR,
   WRITES_PAIR,
   FIRST,
   HEX,
   NUMBER,
   SIGNED,
   FLAG,
   SLOT,
   SLOTS,
   AXIS,
   ORDER,
   CONDITION,
   STATE,
   HEAP,
   FLUSH,
   SCOPE,
   HANDLED,
};

static const struct field {
   uint8_t opcode;
   const char *name;
   enum cs_field at;
   enum kind kind;
} fields[] = {
#define CS_FIELD(instruction, name, start, bits, kind) \
   { CS_##instruction, #name, CS_AT_##instruction##_##name, kind },
#include "csf/instructions.def"
};

static const struct value {
   enum kind kind;
   uint8_t number;
   const char *name;
} values[] = {
#define CS_VALUE(kind, name, number) { kind, number, #name },
#include "csf/instructions.def"
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Fields of an opcode stand together. */
static const struct field *
first_field(uint8_t opcode)
{
   const struct field *f = fields;

   while (f < fields + COUNT(fields) && f->opcode != opcode)
      f++;
   return f;
}

static bool
is_field(const struct field *f, uint8_t opcode)
{
   return f < fields + COUNT(fields) && f->opcode == opcode;
}

static const char *
value_name(enum kind kind, uint64_t number)
{
   for (size_t n = 0; n < COUNT(values); n++)
      if (values[n].kind == kind && values[n].number == number)
         return values[n].name;
   return NULL;
}

/* ---- Rules ---- */

static const char *
rule_none(uint64_t word)
{
   (void)word;
   return NULL;
}

static const char *
rule_draw_id(uint64_t word)
{
   return cs_field(word, CS_AT_RUN_IDVS_draw_id_enable) &&
                cs_field(word, CS_AT_RUN_IDVS_draw_id) >= CS_REGISTERS
             ? "no such register"
             : NULL;
}

_Static_assert((int)CS_AT_LOAD_MULTIPLE_mask == CS_AT_STORE_MULTIPLE_mask &&
                  (int)CS_AT_LOAD_MULTIPLE_base == CS_AT_STORE_MULTIPLE_base,
               "one rule for both");

static const char *
rule_multiple(uint64_t word)
{
   const uint64_t mask = cs_field(word, CS_AT_LOAD_MULTIPLE_mask);
   uint64_t end = cs_field(word, CS_AT_LOAD_MULTIPLE_base);

   for (unsigned n = 0; n < 16; n++)
      if (mask >> n & 1 && end + n >= CS_REGISTERS)
         return "no such register";
   return NULL;
}

static const char *
rule_trace(uint64_t word)
{
   return cs_field(word, CS_AT_TRACE_POINT_base) + cs_field(word, CS_AT_TRACE_POINT_count) >
                CS_REGISTERS
             ? "no such register"
             : NULL;
}

static const struct instruction {
   const char *name;
   const char *(*rule)(uint64_t word);
} instructions[256] = {
#define CS_INSTRUCTION(name, opcode, cost, rule, run) [opcode] = { #name, rule_##rule },
#include "csf/instructions.def"
};

static const char *
check_field(const struct field *f, uint64_t value, bool strict)
{
   switch (f->kind) {
   case READS:
   case WRITES:
      return value >= CS_REGISTERS ? "no such register" : NULL;
   case READS_PAIR:
   case WRITES_PAIR:
      if (value + 1 >= CS_REGISTERS)
         return "no such register";
      return strict && value % 2 ? "64 bits in an odd register" : NULL;
   case SLOT:
      return value >= CS_SLOTS ? "no such slot" : NULL;
   case SLOTS:
      return strict && value >> CS_SLOTS ? "a wait for no slot" : NULL;
   case CONDITION:
      return value_name(f->kind, value) ? NULL : "no such condition";
   case HANDLED:
      return value_name(f->kind, value) ? NULL : "no such exception";
   case AXIS:
   case ORDER:
   case STATE:
   case HEAP:
   case FLUSH:
   case SCOPE:
      return strict && !value_name(f->kind, value) ? "a value without a meaning" : NULL;
   default:
      return NULL;
   }
}

const char *
cs_check(uint64_t word, bool strict)
{
   const uint8_t opcode = word >> 56;
   const struct instruction *i = &instructions[opcode];
   uint64_t known = UINT64_C(0xff) << 56;
   const char *wrong;

   if (!i->name)
      return "no such instruction";
   for (const struct field *f = first_field(opcode); is_field(f, opcode); f++) {
      wrong = check_field(f, cs_field(word, f->at), strict);
      if (wrong)
         return wrong;
      known |= (UINT64_MAX >> (64 - (f->at >> 8))) << (f->at & 0xff);
   }
   wrong = i->rule(word);
   if (!wrong && strict && word & ~known)
      wrong = "reserved bits are set";
   return wrong;
}

/* ---- Texts ---- */

const char *
cs_name(uint64_t word)
{
   const char *name = instructions[word >> 56].name;

   return name ? name : "unknown";
}

struct text {
   char *to;
   size_t size, length;
};

__attribute__((format(printf, 2, 3))) static void
add(struct text *t, const char *format, ...)
{
   va_list args;
   int length;

   va_start(args, format);
   length = vsnprintf(t->length < t->size ? t->to + t->length : NULL,
                      t->length < t->size ? t->size - t->length : 0, format, args);
   va_end(args);
   t->length += length > 0 ? (size_t)length : 0;
}

static void
print_field(struct text *t, const struct field *f, uint64_t word)
{
   const uint64_t value = cs_field(word, f->at);
   const char *name = value_name(f->kind, value);

   switch (f->kind) {
   case READS:
   case WRITES:
   case FIRST:
      add(t, " %s=r%" PRIu64, f->name, value);
      break;
   case READS_PAIR:
   case WRITES_PAIR:
      add(t, " %s=d%" PRIu64, f->name, value);
      break;
   case HEX:
   case SLOTS:
      add(t, " %s=0x%" PRIx64, f->name, value);
      break;
   case SIGNED:
      add(t, " %s=%" PRId64, f->name, cs_signed_field(word, f->at));
      break;
   case FLAG:
      if (value)
         add(t, " %s", f->name);
      break;
   default:
      if (name)
         add(t, " %s=%s", f->name, name);
      else
         add(t, " %s=%" PRIu64, f->name, value);
   }
}

size_t
cs_print(uint64_t word, char *text, size_t size)
{
   struct text t = { text, size, 0 };
   const uint8_t opcode = word >> 56;

   if (size)
      *text = 0;
   if (!instructions[opcode].name) {
      add(&t, "unknown 0x%016" PRIx64, word);
      return t.length;
   }
   add(&t, "%s", instructions[opcode].name);
   for (const struct field *f = first_field(opcode); is_field(f, opcode); f++)
      print_field(&t, f, word);
   return t.length;
}
