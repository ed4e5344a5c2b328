/* SPDX-License-Identifier: MIT */
/*
 * Every opcode with every field of its control, prefix, modifier dword and data; every source with
 * each selector, sign, modifier, register type and form of addressing; every destination with each
 * mask, scale, saturation, register type and form: bits to program to the same bits, and text to
 * program to the same text.  What the text can say gives the same program, too.
 *
 *    modifiers [all]     all: each register type in each form for each operand; 12 s
 *
 * All of it is counted: an opcode that was left out, a field that was not tried at each of its
 * values, or one that changes nothing in the text, fails the test.
 */
#include "common.h"

#include "il/fields.h"

static unsigned num_tried, num_wrong;
static bool all; /* each register type in each form, for each operand of each opcode */

/* One combination.  `sayable`: the text gives the program back. */
static void
try_program(const struct il_program *p, bool sayable, const char *what)
{
   struct il_error err = { 0 };
   uint32_t n, m;
   uint32_t *a = il_write(p, IL_NUMBERING_STREAM, &n, &err);
   struct il_program *q = a ? il_read(a, n, IL_NUMBERING_STREAM, &err) : NULL;
   uint32_t *b = q ? il_write(q, IL_NUMBERING_STREAM, &m, &err) : NULL;
   bool bits = b && n == m && memcmp(a, b, 4 * (size_t)n) == 0 && il_equal(p, q);
   char *text = il_print(p), *again = NULL;
   struct il_program *r = il_parse(text, strlen(text), &err);
   bool same = !sayable && !r;

   if (r) {
      again = il_print(r);
      struct il_program *s = il_parse(again, strlen(again), &err);
      char *third = s ? il_print(s) : NULL;
      same = third && strcmp(again, third) == 0 &&
             (!sayable || (strcmp(text, again) == 0 && il_equal(p, r)));
      free(third);
      il_program_free(s);
   }
   if (!bits || !same) {
      if (num_wrong++ < 40) {
         print_message("%s: %s\n%s%s", what, !bits ? "other bits" : "other text", text,
                       err.text[0] ? err.text : "");
      }
   }
   num_tried++;
   free(a);
   free(b);
   free(text);
   free(again);
   il_program_free(q);
   il_program_free(r);
}

/* An instruction of the row in front of END: operands r8, r1, r2... and data that fits. */
static struct il_program *
plain(const struct il_op_info *info)
{
   struct il_program *p = one_inst(info, 0);
   struct il_inst *inst = &p->insts[0];

   for (unsigned n = 0; n < inst->nsrc; n++)
      if (info->data != IL_DATA_DCL_CB)
         inst->src[n] = il_src(IL_REGTYPE_TEMP, n + 1);
   return p;
}

static bool
left_out(const struct il_op_info *info)
{
   return !info->shape_known || info->value == IL_OP_PREFIX || info->value == IL_OP_MACRODEF ||
          info->value == IL_OP_END;
}

/* --- fields ----------------------------------------------------------------------------------- */

static bool
is_named(const struct il_field *f, uint32_t value)
{
   for (const struct il_name *n = f->names; n && n->text; n++)
      if (n->value == value)
         return true;
   return f->names == NULL;
}

/* Each value of a field; of wide ones each bit, all and none. */
static unsigned
each_value(const struct il_op_info *info, const struct il_field *f, unsigned index)
{
   uint32_t mask = (uint32_t)(((uint64_t)1 << f->width) - 1);
   unsigned texts = 0, count = f->width <= 8 ? mask + 1 : f->width + 2u;
   char plain_text[400], text[400];

   for (unsigned i = 0; i < count; i++) {
      uint32_t v = f->width <= 8 ? i : i < f->width ? 1u << i : i == f->width ? 0 : mask;
      struct il_program *p = plain(info);
      struct il_inst *inst = &p->insts[0];
      il_print_inst(p, inst, plain_text, sizeof(plain_text));
      if (f->where == IL_IN_CTL) {
         inst->ctl = (uint16_t)((inst->ctl & ~(mask << f->shift)) | v << f->shift);
      } else if (f->where == IL_IN_PRI) {
         inst->ctl |= 0x8000;
         inst->pri = v << f->shift;
      } else {
         inst->data[0] = (inst->data[0] & ~(mask << f->shift)) | v << f->shift;
      }
      il_print_inst(p, inst, text, sizeof(text));
      texts += strcmp(plain_text, text) != 0;
      char what[100];
      snprintf(what, sizeof(what), "%s, field %u '%s' = %u", info->name, index, f->name, v);
      try_program(p, is_named(f, v), what);
      il_program_free(p);
   }
   return texts;
}

static void
fields(void **state)
{
   (void)state;
   unsigned rows = 0, opcodes = 0, tried = 0;

   num_tried = num_wrong = 0;
   for (; il_op_row(rows); rows++) {
      const struct il_op_info *info = il_op_row(rows);
      if (left_out(info))
         continue;
      opcodes++;
      unsigned index = 0;
      for (const struct il_field *f = il_fields(info->ctl, info->value); f->name; f++, tried++) {
         if (each_value(info, f, index++) == 0) {
            print_message("%s: no value of '%s' shows in the text\n", info->name, f->name);
            num_wrong++;
         }
      }
      /* Control bits that no field has, and prefixes. */
      for (unsigned b = 0; b < 16; b++) {
         struct il_program *p = plain(info);
         if (!(il_structural_bits(info->ctl) >> b & 1)) {
            p->insts[0].ctl ^= (uint16_t)(1u << b);
            try_program(p, true, info->name);
         }
         il_program_free(p);
         p = plain(info);
         il_set_prec(&p->insts[0], b);
         try_program(p, true, info->name);
         il_program_free(p);
      }
   }
   print_message("%u opcodes, %u fields, %u instructions\n", opcodes, tried, num_tried);
   assert_int_equal(num_wrong, 0);
   /* UNKNOWN and six of unknown shape; PREFIX, MACRODEF and END have tests of their own. */
   assert_int_equal(rows - opcodes, 7 + 3);
}

/* --- operands --------------------------------------------------------------------------------- */

enum { NUM_FORMS = 11 };

/* A reference in one of its forms; true if the text says all of it. */
static bool
shape(struct il_program *p, struct il_ref *r, struct il_ref **dim2, unsigned type, unsigned form)
{
   /* v# is an input but where an instruction declares it a vertex. */
   bool vertex = p->insts[0].op == IL_OP_DCLV || p->insts[0].op == IL_OP_INITV;
   bool again = type != (vertex ? IL_REGTYPE_INPUT : IL_REGTYPE_VERTEX);
   const struct il_reg_info *reg = il_reg_info(type);
   bool array = reg->form == IL_FORM_ARRAY || reg->form == IL_FORM_MEM;
   bool number = reg->form != IL_FORM_BARE, digits = array || reg->form == IL_FORM_NUM;

   *r = (struct il_ref){ .type = (uint8_t)type, .num = number ? 3 : 0 };
   if (form >= 2 && (reg->form == IL_FORM_MEM || reg->form == IL_FORM_PAIR))
      r->num = 0;
   if (form == 1) {
      r->num = 70000;
      r->extended = true;
      return again;
   }
   if (form >= 3 && form <= 6) {
      r->rel = form <= 4 ? IL_ADDR_RELATIVE : IL_ADDR_REG_RELATIVE;
      r->rel_addr = form <= 4 ? 2u << 17 | 1 : 0;
      if (r->rel == IL_ADDR_REG_RELATIVE) {
         r->index = il_alloc(p, sizeof(*r->index));
         *r->index = il_replicate(il_src(IL_REGTYPE_TEMP, 9), IL_COMPSEL_Z_B);
      }
   }
   switch (form) {
   case 0:
      return again;
   case 2: /* x5[6] */
   case 3: /* x5[a1.z+6] */
   case 5: /* x5[r9.z+6] */
      r->has_imm = true;
      r->imm = 6;
      return again && digits;
   case 4: /* v[a1.z+3], x3[a1.z] */
   case 6: /* v[r9.z+3], x3[r9.z] */
      return again;
   case 7: /* aL */
      r->rel = IL_ADDR_RELATIVE;
      r->rel_addr = 1u << 16;
      r->has_imm = digits && !array;
      return again;
   case 8: /* v[3][2] */
      *dim2 = il_alloc(p, sizeof(**dim2));
      **dim2 = (struct il_ref){ .type = (uint8_t)type, .num = 2 };
      return again && !array;
   case 9: /* cb[6][r9.z+4] */
      *dim2 = il_alloc(p, sizeof(**dim2));
      **dim2 = (struct il_ref){ .rel = IL_ADDR_REG_RELATIVE, .has_imm = true, .imm = 4 };
      (*dim2)->index = il_alloc(p, sizeof(*(*dim2)->index));
      *(*dim2)->index = il_replicate(il_src(IL_REGTYPE_TEMP, 9), 0);
      if (array) {
         r->num = 0;
         r->has_imm = true;
         r->imm = 6;
      }
      return again;
   default: /* reserved bits */
      r->reserved = 5;
      return false;
   }
}

/* Whether a register type is tried in a form: each type and each form with every operand, all of
 * both with those of one opcode. */
static bool
is_tried(const struct il_op_info *info, unsigned type, unsigned form)
{
   return all || info->value == IL_OP_MAD || form == (info->value + type) % NUM_FORMS ||
          type == (info->value + form) % IL_REGTYPE_LAST;
}

static void
each_source(const struct il_op_info *info, unsigned n)
{
   struct il_program *p;

#define TRY(sayable, ...)                     \
   do {                                       \
      p = plain(info);                        \
      struct il_src *s = &p->insts[0].src[n]; \
      s->has_mod = true;                      \
      __VA_ARGS__;                            \
      try_program(p, sayable, info->name);    \
      il_program_free(p);                     \
   } while (0)

   for (unsigned c = 0; c < 4; c++)
      for (unsigned sel = IL_COMPSEL_X_R; sel <= IL_COMPSEL_1; sel++)
         TRY(true, s->swz[c] = (uint8_t)sel);
   for (unsigned sel = IL_COMPSEL_X_R; sel <= IL_COMPSEL_1; sel++)
      TRY(true, memset(s->swz, (int)sel, 4));
   for (unsigned neg = 0; neg < 16; neg++)
      TRY(true, s->neg = (uint8_t)neg);
   for (unsigned flags = 0; flags < 64; flags++)
      if (all || info->value == IL_OP_MAD || (flags & (flags - 1)) == 0)
         TRY(true, s->flags = (uint8_t)flags; s->neg = flags & 1 ? 9 : 0);
   for (unsigned d = 0; d <= IL_DIVCOMP_UNKNOWN; d++)
      TRY(true, s->divcomp = (uint8_t)d);
   TRY(false, s->reserved = 0x55);
#undef TRY
   for (unsigned type = 0; type < IL_REGTYPE_LAST; type++) {
      for (unsigned form = 0; form < NUM_FORMS; form++) {
         if (!is_tried(info, type, form))
            continue;
         p = plain(info);
         struct il_src *s = &p->insts[0].src[n];
         bool sayable = shape(p, &s->r, &s->dim2, type, form);
         try_program(p, sayable, info->name);
         il_program_free(p);
      }
   }
}

static void
each_destination(const struct il_op_info *info)
{
   struct il_program *p;

   for (unsigned mask = 0; mask < 256; mask++) {
      unsigned others = mask ^ (IL_MODCOMP_WRITE * 0x55); /* than a component that is written */
      others = (others | others >> 1) & 0x55;
      if (!all && info->value != IL_OP_MAD && others & (others - 1))
         continue;
      p = plain(info);
      struct il_dst *d = &p->insts[0].dst[0];
      d->has_mod = true;
      for (unsigned c = 0; c < 4; c++)
         d->comp[c] = mask >> (2 * c) & 3;
      try_program(p, true, info->name);
      il_program_free(p);
   }
   for (unsigned i = 0; i < 2 * (IL_SHIFT_D8 + 1) + 1; i++) {
      p = plain(info);
      struct il_dst *d = &p->insts[0].dst[0];
      d->has_mod = true;
      d->clamp = i % 2;
      d->shift = (uint8_t)(i / 2 % (IL_SHIFT_D8 + 1));
      d->reserved = i > 2 * IL_SHIFT_D8 + 1 ? 3 : 0;
      try_program(p, !d->reserved, info->name);
      il_program_free(p);
   }
   for (unsigned type = 0; type < IL_REGTYPE_LAST; type++) {
      for (unsigned form = 0; form < NUM_FORMS; form++) {
         if (!is_tried(info, type, form))
            continue;
         p = plain(info);
         struct il_dst *d = &p->insts[0].dst[0];
         bool sayable = shape(p, &d->r, &d->dim2, type, form);
         try_program(p, sayable, info->name);
         il_program_free(p);
      }
   }
}

static void
operands(void **state)
{
   (void)state;
   unsigned sources = 0, destinations = 0;

   num_tried = num_wrong = 0;
   for (unsigned row = 0; il_op_row(row); row++) {
      const struct il_op_info *info = il_op_row(row);
      if (left_out(info) || info->data == IL_DATA_DCL_CB)
         continue;
      for (unsigned n = 0; n < info->srcs; n++, sources++)
         each_source(info, n);
      if (info->dsts) {
         each_destination(info);
         destinations++;
      }
   }
   print_message("%u sources, %u destinations, %u instructions\n", sources, destinations,
                 num_tried);
   assert_int_equal(num_wrong, 0);
}

int
main(int argc, char **argv)
{
   all = argc > 1 && strcmp(argv[1], "all") == 0;

   const struct CMUnitTest tests[] = {
      cmocka_unit_test(fields),
      cmocka_unit_test(operands),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
