/* SPDX-License-Identifier: MIT */
/*
 * Every instruction with every field, words to listing and back: each modifier of each opcode.
 * Fields of up to five bits have all their values, those of up to nine for one opcode of each form;
 * wider ones each bit, none, all, and steps between.
 *
 *    fields [all]     all values of up to thirteen bits, and each opcode with an index, too
 *
 * The fields are counted: one of cayman/formats.def that no instruction was tried with fails the
 * test, and so does one that the listing has no words for (BITS) and that is not named here, or
 * the other way round.
 */
#include "formats.h"
#include "round_trip.h"

struct field {
   const char *format, *name; /* name NULL: reserved bits */
   uint8_t lo, width;
   bool tried, all; /* with some value, with all of them */
   bool said;       /* a value has a text of its own, without BITS */
};

static struct field fields[] = {
#define CAYMAN_FIELD(format, field, lo, width, remark) { #format, #field, lo, width },
#define CAYMAN_RESERVED(format, lo, width)             { #format, NULL, lo, width },
#include "isa/cayman/formats.def"
};
#define NUM_FIELDS (sizeof(fields) / sizeof(*fields))

/* What only BITS say: MOVA has one source and writes no register. */
static const char *const bits_only[] = {
   "ALU_WORD1_OP2_MOVA.SRC1_ABS",
   "ALU_WORD1_OP2_MOVA.WRITE_MASK",
   "ALU_WORD1_OP2_MOVA.DST_REL",
};

static unsigned num_checked;
static unsigned full_width = 9; /* of fields that have all their values where `full` says so */

/* An instruction among words that do not change. */
struct subject {
   uint32_t words[16];
   unsigned at, count; /* its words; how many there are in all */
   const char *formats[4];
   bool full; /* all values of wide fields */
};

static void
try_value(const struct subject *s, unsigned word, struct field *f, uint32_t value, const char *zero)
{
   uint32_t words[16], mask = f->width >= 32 ? ~0u : (1u << f->width) - 1;

   memcpy(words, s->words, sizeof(words));
   words[s->at + word] = (words[s->at + word] & ~(mask << f->lo)) | (value & mask) << f->lo;
   char *text = round_trip(words, s->count);
   f->tried = true;
   f->said |= zero && !strstr(text, "BITS(") && strcmp(text, zero) != 0;
   free(text);
   num_checked++;
}

static void
each_value(const struct subject *s, unsigned word, struct field *f)
{
   uint32_t mask = f->width >= 32 ? ~0u : (1u << f->width) - 1, words[16];

   memcpy(words, s->words, sizeof(words));
   words[s->at + word] &= ~(mask << f->lo);
   char *zero = round_trip(words, s->count);
   if (f->width <= 5 || (s->full && f->width <= full_width)) {
      for (uint32_t v = 0; v <= mask; v++)
         try_value(s, word, f, v, zero);
      f->all = true;
   } else {
      for (unsigned b = 0; b < f->width; b++)
         try_value(s, word, f, 1u << b, zero);
      for (unsigned v = 0; v <= 8; v++)
         try_value(s, word, f, v == 8 ? mask : mask / 8 * v, zero);
   }
   free(zero);
}

static void
each_field(const struct subject *s)
{
   for (unsigned w = 0; w < 4 && s->formats[w]; w++) {
      for (unsigned f = 0; f < NUM_FIELDS; f++)
         if (strcmp(fields[f].format, s->formats[w]) == 0)
            each_value(s, w, &fields[f]);
   }
}

/* A clause instruction and the end; the clause's instruction comes third. */
static void
start(struct subject *s, unsigned op, unsigned form, unsigned count)
{
   struct cayman_cf cf = { .op = (uint16_t)op, .form = (uint8_t)form, .addr = 2, .barrier = true };
   const struct cayman_cf end = { .op = CAYMAN_CF_END,
                                  .form = CAYMAN_CF_FORM_BRANCH,
                                  .barrier = true };

   memset(s, 0, sizeof(*s));
   cayman_encode_cf(&cf, s->words);
   cayman_encode_cf(&end, s->words + 2);
   s->at = 4;
   s->count = 4 + count;
}

/* One ALU operation, its operands registers without or with an index. */
static void
alu_operation(unsigned op, bool indexed)
{
   const struct cayman_alu_info *info = cayman_alu_info(op);
   struct cayman_alu alu = { .op = (uint16_t)op,
                             .write_mask = op != CAYMAN_ALU_MOVA_INT,
                             .dst_gpr = op == CAYMAN_ALU_MOVA_INT ? 0 : 5,
                             .dst_rel = indexed && op != CAYMAN_ALU_MOVA_INT,
                             .last = true };
   struct subject s;

   for (unsigned i = 0; i < info->num_src; i++)
      alu.src[i] = (struct cayman_alu_src){ .sel = 1 + i, .chan = i, .rel = indexed };
   start(&s, CAYMAN_CF_ALU, CAYMAN_CF_FORM_ALU, 2);
   cayman_encode_alu(CAYMAN_VLIW4, &alu, s.words + s.at);
   s.formats[0] = "ALU_WORD0";
   s.formats[1] = op >= CAYMAN_OP3_BASE       ? "ALU_WORD1_OP3"
                  : op == CAYMAN_ALU_MOVA_INT ? "ALU_WORD1_OP2_MOVA"
                                              : "ALU_WORD1_OP2";
   s.full = op == CAYMAN_ALU_ADD || op == CAYMAN_ALU_MULADD || op == CAYMAN_ALU_MOVA_INT;
   each_field(&s);
   if (info->flags & CAYMAN_ALU_FLAG_PRED) {
      alu.update_exec_mask = true;
      cayman_encode_alu(CAYMAN_VLIW4, &alu, s.words + s.at);
      s.formats[1] = "ALU_WORD1_OP2_EXECUTE_MASK";
      s.full = op == CAYMAN_ALU_PRED_SETE;
      each_field(&s);
   }
}

static void
alu_fields(void **state)
{
   (void)state;
   num_checked = 0;
   for (unsigned op = 0; op < CAYMAN_ALU_OP_COUNT; op++) {
      if (cayman_alu_info(op)->name && op != CAYMAN_ALU_LDS_IDX_OP) {
         alu_operation(op, false);
         if (full_width > 9 || op == CAYMAN_ALU_ADD || op == CAYMAN_ALU_MULADD ||
             op == CAYMAN_ALU_PRED_SETE)
            alu_operation(op, true);
      }
   }
   print_message("%u ALU instructions\n", num_checked);
}

static void
lds_fields(void **state)
{
   (void)state;
   struct subject s;

   num_checked = 0;
   for (unsigned op = 0; op < 2 * CAYMAN_LDS_OP_COUNT; op++) {
      if (op > 1 && op % 2 && full_width == 9)
         continue;
      const struct cayman_alu alu = { .op = CAYMAN_ALU_LDS_IDX_OP,
                                      .lds_op = (uint8_t)(op / 2),
                                      .last = true,
                                      .src[0].rel = op % 2 };
      start(&s, CAYMAN_CF_ALU, CAYMAN_CF_FORM_ALU, 2);
      cayman_encode_alu(CAYMAN_VLIW4, &alu, s.words + s.at);
      s.formats[0] = "ALU_WORD0_LDS_IDX_OP";
      s.formats[1] = "ALU_WORD1_LDS_IDX_OP";
      s.full = op == 0;
      each_field(&s);
   }
   /* The literals that say where LDS_DIRECT_A and _B read, with operands that select them. */
   const struct cayman_alu direct = { .op = CAYMAN_ALU_MULADD,
                                      .last = true,
                                      .src = { { .sel = CAYMAN_SRC_LDS_DIRECT_A },
                                               { .sel = CAYMAN_SRC_LITERAL, .chan = 0 },
                                               { .sel = CAYMAN_SRC_LITERAL, .chan = 1 } } };
   start(&s, CAYMAN_CF_ALU, CAYMAN_CF_FORM_ALU, 4);
   s.words[1] |= 1u << 18; /* two quadwords: CF_ALU_WORD1 COUNT */
   cayman_encode_alu(CAYMAN_VLIW4, &direct, s.words + s.at);
   s.at += 2;
   s.full = true;
   s.formats[0] = "ALU_WORD1_LDS_DIRECT_LITERAL_LO";
   s.formats[1] = "ALU_WORD1_LDS_DIRECT_LITERAL_HI";
   each_field(&s);
   print_message("%u LDS instructions\n", num_checked);
}

/* `rich`: with an index (memory reads), or with a UAV (GDS). */
static void
fetch_operation(unsigned inst, unsigned mem, unsigned gds, bool rich)
{
   struct cayman_fetch fetch;
   struct subject s;

   start(&s, CAYMAN_CF_TC, CAYMAN_CF_FORM_BRANCH, 4);
   s.words[s.at] = inst | mem << 8;
   s.words[s.at + 1] = gds << 9;
   if (cayman_decode_fetch(CAYMAN_VLIW4, s.words + s.at, &fetch) != CAYMAN_OK)
      return;
   fetch.mem.indexed = fetch.kind == CAYMAN_FETCH_MEM ? rich : fetch.mem.indexed;
   fetch.gds.alloc_consume = fetch.kind == CAYMAN_FETCH_GDS ? rich : fetch.gds.alloc_consume;
   cayman_encode_fetch(CAYMAN_VLIW4, &fetch, s.words + s.at);
   memcpy(s.formats, fetch_formats[fetch.kind], sizeof(fetch_formats[fetch.kind]));
   if (fetch.kind == CAYMAN_FETCH_VTX && fetch.vtx.op == CAYMAN_VTX_SEMANTIC)
      s.formats[1] = "VTX_WORD1_SEM";
   s.full = inst == CAYMAN_TEX_SAMPLE || inst == CAYMAN_VTX_FETCH || inst == CAYMAN_VTX_SEMANTIC ||
            (inst == CAYMAN_MEM_INST_MEM && gds == 0);
   each_field(&s);
}

static void
fetch_fields(void **state)
{
   (void)state;
   num_checked = 0;
   for (unsigned inst = 0; inst < 32; inst++) {
      bool memory = inst == CAYMAN_MEM_INST_MEM;
      for (unsigned mem = 0; mem < (memory ? 8 : 1); mem++) {
         for (unsigned gds = 0; gds < (memory && mem == CAYMAN_MEM_GDS ? 64 : 1); gds++) {
            fetch_operation(inst, mem, gds, false);
            fetch_operation(inst, mem, gds, true);
         }
      }
   }
   print_message("%u fetches\n", num_checked);
}

/* `rich`: with locked constants (clauses), or with an index (memory writes). */
static void
cf_operation(unsigned op, unsigned form, bool rich, bool full)
{
   struct subject s = { .words = { 1, op >= CAYMAN_CF_ALU_BASE ? (op - CAYMAN_CF_ALU_BASE) << 26
                                                               : op << 22 },
                        .count = 2,
                        .full = full,
                        .formats = { cf_formats[form][0], cf_formats[form][1] } };
   struct cayman_cf alu = { .op = CAYMAN_CF_ALU,
                            .form = CAYMAN_CF_FORM_ALU,
                            .addr = 9,
                            .barrier = true,
                            .extended = form == CAYMAN_CF_FORM_ALU_EXT };

   if (form == CAYMAN_CF_FORM_ALU || form == CAYMAN_CF_FORM_ALU_EXT) {
      for (unsigned i = 0; rich && i < 4; i++) {
         alu.kcache[i] =
            (struct cayman_kcache){ .mode = CAYMAN_KCACHE_LOCK_1, .addr = 3, .bank = i };
      }
   }
   if (form == CAYMAN_CF_FORM_ALU_EXT) { /* and the ALU instruction that it extends */
      cayman_encode_extended(&alu, s.words);
      cayman_encode_cf(&alu, s.words + 2);
      s.count = 4;
   } else if (form == CAYMAN_CF_FORM_ALU) {
      alu.op = (uint16_t)op;
      cayman_encode_cf(&alu, s.words);
   } else if (form == CAYMAN_CF_FORM_MEM || form == CAYMAN_CF_FORM_RAT) {
      s.words[0] |= rich ? 1u << 13 : 0; /* TYPE: with an index */
   }
   each_field(&s);
}

static void
cf_fields(void **state)
{
   (void)state;
   bool forms[8] = { false };

   num_checked = 0;
   for (unsigned op = 0; op < CAYMAN_CF_OP_COUNT; op++) {
      unsigned form = cayman_cf_info(op)->form;
      if (op >= CAYMAN_CF_ALU_BASE && op < CAYMAN_CF_ALU_BASE + 8)
         continue; /* bit 29 makes it one of the upper eight */
      cf_operation(op, form, false, !forms[form]);
      cf_operation(op, form, true, false);
      forms[form] = true;
   }
   print_message("%u control-flow instructions\n", num_checked);
}

/* No field was forgotten, and the list of those without words is what it says. */
static void
all_fields(void **state)
{
   (void)state;
   unsigned named = 0, wrong = 0;

   for (unsigned f = 0; f < NUM_FIELDS; f++) {
      char full[80];
      bool listed = false;
      if (!fields[f].name) {
         wrong += !fields[f].tried;
         continue;
      }
      snprintf(full, sizeof(full), "%s.%s", fields[f].format, fields[f].name);
      for (unsigned i = 0; i < sizeof(bits_only) / sizeof(*bits_only); i++)
         listed |= strcmp(bits_only[i], full) == 0;
      if (!fields[f].tried || (fields[f].width <= full_width && !fields[f].all)) {
         print_message("%s: %s\n", full, fields[f].tried ? "not with all values" : "not tried");
         wrong++;
      }
      if (fields[f].said == listed) {
         print_message("%s: %s\n", full, listed ? "the listing has words for it" : "BITS alone");
         wrong++;
      }
      named++;
   }
   print_message("%u fields\n", named);
   assert_int_equal(wrong, 0);
}

int
main(int argc, char **argv)
{
   if (argc > 1 && strcmp(argv[1], "all") == 0)
      full_width = 13;

   const struct CMUnitTest tests[] = {
      cmocka_unit_test(alu_fields), cmocka_unit_test(lds_fields), cmocka_unit_test(fetch_fields),
      cmocka_unit_test(cf_fields),  cmocka_unit_test(all_fields),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
