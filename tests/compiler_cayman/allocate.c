/* SPDX-License-Identifier: MIT */
/* GPR numbers: whatever way a lane takes through a program, what it reads is what was written; and
 * registers that are free are used again. */
#include "ir_text.h"

static struct compiler *c;

/* Schedules and allocates; whether all fits. */
static bool fits;
static uint32_t *lifetime;

static void
allocate_all(struct compiler *compiler)
{
   cc_collect(compiler);
   cc_schedule(compiler);
   fits = cc_allocate(compiler, &lifetime);
}

static void
allocate_with(const char *text, uint32_t window, unsigned flags)
{
   if (c)
      ir_end(c);
   c = ir_begin(text);
   c->window = window;
   c->flags = flags;
   ir_run(c, allocate_all);
}

/* --- a lane's way through the program --------------------------------------------------------- */

struct lane_state {
   value_id holds[128][4]; /* the value in each register; 0: nothing known */
   unsigned reads;
};

static void
read_value(struct cc_operand *o, void *data)
{
   struct lane_state *s = data;

   if (o->kind == OPERAND_VALUE) {
      const struct cc_value *v = ir_value(c, o->value);
      assert_in_range(v->gpr, 0, 123);
      assert_in_range(v->chan, 0, 3);
      if (s->holds[v->gpr][v->chan] != o->value) {
         fail_msg("%%%u is read in R%d, which holds %%%u", o->value, v->gpr,
                  s->holds[v->gpr][v->chan]);
      }
      s->reads++;
   }
}

static void
write_value(value_id *id, void *data)
{
   struct lane_state *s = data;
   const struct cc_value *v = ir_value(c, *id);
   s->holds[v->gpr][v->chan] = *id;
}

static void
walk_block(struct lane_state *s, const struct cc_block *b)
{
   for (uint32_t k = 0; k < b->num_clauses; k++) {
      const struct clause *clause = &b->clauses[k];
      for (uint32_t g = 0; g < clause->num_groups; g++) {
         const struct group *group = &clause->groups[g];
         for (unsigned p = 0; p < group->num_parts; p++)
            cc_visit_operands(group->part[p], read_value, s);
         for (unsigned p = 0; p < group->num_parts; p++)
            cc_visit_dsts(group->part[p], write_value, s);
      }
      for (uint32_t i = 0; i < clause->num_insts; i++) {
         cc_visit_operands(clause->insts[i], read_value, s);
         cc_visit_dsts(clause->insts[i], write_value, s);
      }
   }
}

static uint32_t
next_block(uint32_t n, bool taken)
{
   const struct cc_block *b = &c->blocks[n];

   switch (b->end) {
   case END_IF:
      return taken ? n + 1 : b->match + 1;
   case END_ELSE:
   case END_ENDLOOP:
      return b->match + 1;
   case END_CONTINUE:
      return b->pred && taken ? n + 1 : b->match + 1;
   case END_BREAK:
      return b->pred && taken ? n + 1 : c->blocks[b->match].match + 1;
   case END_PROGRAM:
      return c->num_blocks;
   default:
      return n + 1;
   }
}

/* Takes each of the first ways that the bits of `way` choose.  The number of reads it saw. */
static unsigned
walk(uint32_t way)
{
   static struct lane_state s;
   uint32_t n = 0;

   memset(&s, 0, sizeof(s));
   for (value_id v = 1; v < c->num_values; v++)
      if (ir_value(c, v)->input)
         s.holds[ir_value(c, v)->gpr][ir_value(c, v)->chan] = v;
   for (unsigned steps = 0; steps < 64 && n < c->num_blocks; steps++) {
      walk_block(&s, &c->blocks[n]);
      bool branch = c->blocks[n].end == END_IF;
      n = next_block(n, branch && way & 1);
      way = branch ? way >> 1 | (way & 1) << 31 : way;
   }
   return s.reads;
}

static void
check_ways(void)
{
   unsigned reads = 0;

   assert_true(fits);
   for (uint32_t way = 0; way < 256; way++)
      reads += walk(way * 0x01010101u);
   assert_true(reads > 0);
   for (uint32_t t = 1; t < c->num_tuples; t++) {
      for (unsigned i = 1; i < c->tuples[t].count; i++) {
         const struct cc_value *a = ir_value(c, c->tuples[t].member[0]),
                               *b = ir_value(c, c->tuples[t].member[i]);
         assert_int_equal(a->gpr, b->gpr);
         assert_int_not_equal(a->chan, b->chan);
      }
   }
}

static void
allocate(const char *text)
{
   allocate_with(text, UINT32_MAX, 0);
   check_ways();
}

/* --- programs --------------------------------------------------------------------------------- */

static void
registers_again(void **state)
{
   (void)state;
   allocate("input %1.x:R0 %2.y:R0; %3.x! = ADD %1, %2; %4.x! = ADD %3, %2; %5.x! = ADD %4, %2;"
            "%6.x! = ADD %5, %2;" OUT("%6 _ _ _"));
   assert_int_equal(c->out->num_gprs, 1); /* each in its operand's register */
   allocate("input %1.x:R0; %3.x! = ADD %1, 1.0; %4.x! = ADD %1, 2.0; %5.x! = ADD %3, %4;" OUT(
      "%5 _ _ _"));
   assert_int_equal(c->out->num_gprs, 2);
   /* all that is alive at once needs a register of its own */
   allocate("input %1.x:R0; %3.x! = ADD %1, 1.0; %4.x! = ADD %1, 2.0; %5.x! = ADD %1, 3.0;"
            "%6 = MULADD %3, %4, %5; %7 = ADD %6, %1;" OUT("%7 _ _ _"));
   assert_int_equal(c->out->num_gprs, 4);
}

static void
tuples(void **state)
{
   (void)state;
   allocate(
      "input %1.x:R0; %3 = ADD %1, 1.0; %4 = ADD %1, 2.0; (%5 %6 %7 %8) = SAMPLE (%3 %4 0.0 0.0);"
      "%9 = ADD %3, %5;" OUT("%5 %6 %7 %9") ";" OUT("%8 %4 _ _"));
}

static void
branches(void **state)
{
   (void)state;
   /* what either arm writes */
   allocate(
      "input %1.x:R0 %2.y:R0; PRED_SETGT %1, 0.0 {effect}; if; $3 = ADD %1, %2; %4 = MUL $3, %1;"
      "$3 = ADD $3, %4; else; $3 = MUL %2, %2; %5 = ADD $3, %1; $3 = ADD $3, %5; endif;" //
      OUT("$3 _ _ _"));
   /* alive across a branch that does not read it, where others want its channel */
   allocate(
      "input %1.x:R0 %2.y:R0; %3.x! = ADD %1, %2; PRED_SETGT %1, 0.0 {effect}; if; %4.x! = ADD %2, "
      "1.0;"
      "%5.x! = ADD %4, %4; %6.x! = ADD %4, %5; KILLGT %6, 0.0 {effect}; endif;" OUT("%3 _ _ _"));
}

static void
loops(void **state)
{
   (void)state;
   /* alive around the loop, though it is read at its top alone */
   allocate("input %1.x:R0 %2.y:R0; %3 = ADD %1, %2; $4 = MOV 0; loop; PRED_SETGT $4, %3 {effect}; "
            "if; break;"
            "endif; %5 = ADD $4, %1; %6 = MUL %5, %5; $4 = ADD %6, %1; endloop;" OUT("$4 _ _ _"));
   allocate("input %1.x:R0 %2.y:R0; $4 = MOV 0; $7 = MOV 1; loop; PRED_SETGT $4, %1 {effect}; if; "
            "$7 = ADD $4, $7;"
            "continue; else; PRED_SETGT $4, %2 {effect}; if; break; endif; endif; %5 = ADD $4, %1;"
            "$4 = ADD %5, $7; endloop;" OUT("$4 $7 _ _"));
   /* alive through a loop that does not read it */
   allocate(
      "input %1.x:R0 %2.y:R0; %3.x! = ADD %1, %2; loop; %4.x! = ADD %2, 1.0; PRED_SETGT %4, 0.0 "
      "{effect};"
      "if; break; endif; %5.x! = ADD %2, 2.0; KILLGT %5, 0.0 {effect}; endloop;" OUT("%3 _ _ _"));
}

/* Long ones, with fetches. */
static void
long_programs(void **state)
{
   static char text[65536];
   uint32_t random = 7;

   (void)state;
   for (unsigned round = 0; round < 20; round++) {
      strcpy(text, "input %1.x:R0 %2.y:R0 %3.x:R1;");
      for (unsigned v = 4; v < 200; v++) {
         unsigned a[2];
         for (unsigned i = 0; i < 2; i++) {
            random = random * 1664525 + 1013904223;
            a[i] = v < 40 ? 1 + (random >> 8) % (v - 1) : v - 1 - (random >> 8) % 36;
         }
         snprintf(text + strlen(text), sizeof(text) - strlen(text),
                  random >> 28 == 0 ? "(%%%u _ _ _) = LD (%%%u %%%u 0.0 0.0);"
                                    : "%%%u = ADD %%%u, %%%u;",
                  v, a[0], a[1]);
      }
      strcat(text, OUT("%197 %198 %199 _"));
      allocate(text);
   }
}

/* Elements of an array keep their registers from the first access to the last. */
static void
arrays(void **state)
{
   (void)state;
   allocate("array x0[2].x R0; input %1.y:R0; x0[0].x = MOV %1 {effect}; %3.x! = ADD %1, 1.0; "
            "%4.x! = ADD %3, %1;"
            "%5.x! = ADD x0[0].x, %4;" OUT("%5 _ _ _"));
   assert_int_not_equal(ir_value(c, 3)->gpr, 0);
   assert_int_not_equal(ir_value(c, 4)->gpr, 0);
   assert_int_equal(ir_value(c, 5)->gpr, 0); /* after it, it is free */
}

/* More than there are: what lives long is told. */
static void
too_many(void **state)
{
   char text[4096] = "input %1.x:R0;";

   (void)state;
   for (unsigned v = 2; v < 30; v++)
      snprintf(text + strlen(text), sizeof(text) - strlen(text), "%%%u.x! = ADD %%1, %u.0;", v, v);
   strcat(text, "$40 = MOV 0.0;");
   for (unsigned v = 2; v < 30; v++)
      snprintf(text + strlen(text), sizeof(text) - strlen(text), "$40 = ADD $40, %%%u;", v);
   strcat(text, OUT("$40 _ _ _"));
   allocate_with(text, 1, 0);
   check_ways();
   assert_true(c->out->num_gprs > CC_FEW_GPRS);
   allocate_with(text, 1, SHADER_COMPILE_FEW_GPRS);
   assert_false(fits);
   assert_int_equal(lifetime[2], 29);  /* after it 27 others, $40 and the first sum */
   assert_int_equal(lifetime[40], 29); /* a sum after the other, up to the export */
   assert_int_equal(lifetime[39], 0);
}

static int
finish(void **state)
{
   (void)state;
   ir_end(c);
   return 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(registers_again), cmocka_unit_test(tuples),
      cmocka_unit_test(branches),        cmocka_unit_test(loops),
      cmocka_unit_test(long_programs),   cmocka_unit_test(arrays),
      cmocka_unit_test(too_many),
   };
   return cmocka_run_group_tests(tests, NULL, finish);
}
