/* SPDX-License-Identifier: MIT */
/* What the columns of il/opcodes.def and il/alu.def, and the fields of il/control.def, say of an
 * instruction. */
#include "common.h"

#include "il/alu.h"

static struct il_program *
parse_inst(const char *text)
{
   struct il_error err;
   char buf[400];
   snprintf(buf, sizeof(buf), "il_ps_2_0\n%s\nend\n", text);
   struct il_program *p = il_parse(buf, strlen(buf), &err);
   if (!p)
      fail_msg("%s: %u:%u: %s", text, err.where, err.column, err.text);
   return p;
}

/* The components that are read of each source, as masks. */
static void
reads(const char *text, const unsigned want[3])
{
   struct il_program *p = parse_inst(text);
   const struct il_inst *inst = &p->insts[0];

   for (unsigned s = 0; s < inst->nsrc; s++) {
      unsigned is = il_part_mask(il_src_part(inst, s), inst);
      if (is != want[s])
         fail_msg("%s: source %u is read in %x, not %x", text, s, is, want[s]);
   }
   il_program_free(p);
}

#define READS(text, ...) reads(text, (const unsigned[3]){ __VA_ARGS__ })

static void
source_parts(void **state)
{
   READS("add r0.x_z_, r1, r2", 5, 5);
   READS("add r0.x_01, r1, r2", 1, 1);
   READS("cmov r0.x_01, r1, r2", 13, 13);
   READS("dp2 r0.x, r1, r2", 3, 3);
   READS("dp3 r0.x, r1, r2", 7, 7);
   READS("dp4 r0.x, r1, r2", 15, 15);
   READS("dp2add r0, r1, r2, r3", 3, 3, 4);
   READS("rcp r0.x, r1", 8);
   READS("crs r0.x, r1, r2", 7, 7);
   READS("nrm r0.x, r1", 15);
   READS("if_logicalnz r1\nendif", 1);
   READS("i64add r0.xy, r1, r2", 3, 3);
   READS("f2d r0.xy, r1", 1);
   READS("eval_snapped r0.xyz_, v0, r1", 7, 3);
   READS("lds_store_id(0) r0.x, r1", 15, 15);
   READS("mcall(2) (r1), (r2)", 15);
   /* After the operands, the index sources. */
   READS("load_ext_resource(1)_resourcetype(2d) r0, r1, r2.x, r3.y", 15, 1, 1);
   struct il_program *p = parse_inst("sample_g_resource(0)_sampler(0) r0, r1, r2, r3");
   assert_int_equal(il_src_part(&p->insts[0], 0), IL_PART_COORD);
   assert_int_equal(il_src_part(&p->insts[0], 1), IL_PART_XYZ);
   assert_int_equal(il_src_part(&p->insts[0], 2), IL_PART_XYZ);
   il_program_free(p);
}

static void
fields(void **state)
{
   struct il_program *p = parse_inst("sample_resource(17)_sampler(3)_aoffimmi(1,2,3) r0, r1");
   assert_int_equal(il_resource(&p->insts[0]), 17);
   assert_int_equal(il_sampler(&p->insts[0]), 3);
   assert_true(il_has_aoff(&p->insts[0]));
   assert_false(il_indexed(&p->insts[0]));
   il_program_free(p);
   p = parse_inst("dcl_input_usage(position)_interp(noperspective) v0.xy__");
   const struct il_inst *inst = &p->insts[0];
   assert_int_equal(il_usage(inst), IL_IMPORTUSAGE_POS);
   assert_int_equal(il_interp(inst), IL_INTERPMODE_LINEAR_NOPERSPECTIVE);
   assert_int_equal(il_ctl_input_usage(il_usage(inst)) | il_ctl_interp(il_interp(inst)), inst->ctl);
   il_program_free(p);
}

/* Blocks open and close by the table, and what needs a condition has a source for it. */
static void
flow(void **state)
{
   static const struct {
      unsigned op, depth;
   } steps[] = {
      { IL_OP_IFC, 1 },         { IL_OP_ELSE, 1 },    { IL_OP_WHILE, 2 },     { IL_OP_SWITCH, 3 },
      { IL_OP_CASE, 3 },        { IL_OP_BREAKC, 3 },  { IL_OP_ENDSWITCH, 2 }, { IL_OP_ENDLOOP, 1 },
      { IL_OP_LOOP, 2 },        { IL_OP_ENDLOOP, 1 }, { IL_OP_ENDIF, 0 },     { IL_OP_ENDIF, 0 },
      { IL_OP_HS_CP_PHASE, 0 },
   };
   unsigned depth = 0, tests = 0;

   for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
      depth = il_block_depth(depth, steps[i].op);
      assert_int_equal(depth, steps[i].depth);
   }
   for (unsigned i = 0; il_op_row(i); i++) {
      const struct il_op_info *info = il_op_row(i);
      if (info->test != IL_TEST_NONE && info->srcs != (info->test == IL_TEST_RELATION ? 2 : 1))
         fail_msg("%s: %u sources for its condition", info->name, info->srcs);
      tests += info->test != IL_TEST_NONE;
      if (info->flow == IL_FLOW_STATIC && info->unit != IL_UNIT_NONE)
         fail_msg("%s: a declaration that code is made of", info->name);
   }
   assert_int_equal(tests, 15);
}

/* Rows of il/alu.def: an opcode each, of which the control says what the row asks it for. */
static void
operations(void **state)
{
   static const struct {
      unsigned op;
      struct il_alu row;
   } rows[] = {
#define CHOICE(il, by, a, b, c, operands) \
   { IL_OP_##il, { true, IL_ALU_BY_##by, IL_ALU_##operands, { 10, 11, 12 } } },
#include "il/alu.def"
   };
   static const uint8_t ctl[] = {
      [IL_ALU_BY_IEEE] = IL_CTL_IEEE,
      [IL_ALU_BY_ZEROOP] = IL_CTL_ZEROOP,
      [IL_ALU_BY_FIRSTBIT] = IL_CTL_FIRSTBIT,
   };
   bool seen[IL_OP_LAST] = { false };

   for (unsigned n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      const struct il_op_info *info = il_op_info(rows[n].op);
      const unsigned by = rows[n].row.by;
      assert_false(seen[rows[n].op]);
      seen[rows[n].op] = true;
      if (info->unit != IL_UNIT_ALU || info->dsts != 1 || (by && info->ctl != ctl[by]))
         fail_msg("%s: a row that is not of it", info->name);
   }
}

static void
choices(void **state)
{
   static const struct {
      const char *text;
      unsigned by, op;
   } cases[] = {
      { "mul r0, r0, r0", IL_ALU_BY_NOTHING, 10 },
      { "mul r0, r0, r0", IL_ALU_BY_IEEE, 11 },
      { "mul_ieee r0, r0, r0", IL_ALU_BY_IEEE, 10 },
      { "rcp_zeroop(fltmax) r0.x, r0", IL_ALU_BY_ZEROOP, 11 },
      { "rcp_zeroop(zero) r0.x, r0", IL_ALU_BY_ZEROOP, 12 },
      { "rcp_zeroop(infinity) r0.x, r0", IL_ALU_BY_ZEROOP, 10 },
      { "ffb_lo r0, r0", IL_ALU_BY_FIRSTBIT, 10 },
      { "ffb_hi r0, r0", IL_ALU_BY_FIRSTBIT, 11 },
      { "ffb_shi r0, r0", IL_ALU_BY_FIRSTBIT, 12 },
   };

   for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      const struct il_alu row = { .known = true, .by = cases[n].by, .op = { 10, 11, 12 } };
      struct il_program *p = parse_inst(cases[n].text);
      assert_int_equal(il_alu_op(&row, &p->insts[0]), cases[n].op);
      il_program_free(p);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(source_parts), cmocka_unit_test(fields),  cmocka_unit_test(flow),
      cmocka_unit_test(operations),   cmocka_unit_test(choices),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
