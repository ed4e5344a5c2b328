/* SPDX-License-Identifier: MIT */
/* The offset in the IL that each instruction of the machine code was made for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/cayman/cayman_compile.h"
#include "il/il.h"
#include "isa/cayman/cayman.h"

static struct il_program *il;
static struct shader_code shader;

static void
compile(const char *text, unsigned flags, bool copy)
{
   struct il_error il_error;
   char error[300];

   shader_code_finish(&shader);
   il_program_free(il);
   il = il_parse(text, strlen(text), &il_error);
   if (!il)
      fail_msg("line %u:%u: %s", il_error.where, il_error.column, il_error.text);
   if (!(copy ? cayman_compile_copy : cayman_compile)(il, flags, &shader, error, sizeof(error)))
      fail_msg("%s", error);
}

static void
release(void)
{
   shader_code_finish(&shader);
   il_program_free(il);
   il = NULL;
}

/* What is done with each instruction of the code: its operation, and its offset. */
typedef void visit_fn(unsigned op, uint32_t place, void *data);

/* Operations of the walk: those of the ALU are their own number. */
enum { CF = 0x1000, FETCH = 0x2000 };

static void
note(bool used[], uint32_t at, unsigned op, visit_fn *fn, void *data)
{
   if (shader.places[at] >= il->ninsts)
      fail_msg("operation %x at %u has the place %u of %u", op, at, shader.places[at], il->ninsts);
   used[at] = true;
   if (fn)
      fn(op, shader.places[at], data);
}

static void
walk_alu(bool used[], const uint32_t *clause, size_t size, visit_fn *fn, void *data)
{
   struct cayman_alu_group g;

   for (size_t at = 0; at < size; at += g.num_dwords) {
      assert_int_equal(cayman_decode_alu_group(CAYMAN_VLIW4, clause + at, size - at, &g),
                       CAYMAN_OK);
      for (unsigned s = 0; s < g.num_slots; s++)
         note(used, (uint32_t)(clause + at - shader.words) / 2 + s, g.slot[s].op, fn, data);
   }
}

/* Every instruction has an offset in the program; what is no instruction has none. */
static void
walk(visit_fn *fn, void *data)
{
   bool *used = calloc(shader.num_dwords / 2, 1);
   struct cayman_walk w;
   struct cayman_cf cf;

   assert_non_null(used);
   cayman_walk_init(&w, CAYMAN_VLIW4, shader.words, shader.num_dwords);
   while (cayman_walk_next(&w, &cf) == CAYMAN_OK) {
      const uint32_t *clause;
      size_t size;
      for (uint32_t at = w.pc; at < w.next; at++)
         note(used, at, CF | cf.op, fn, data);
      if (cayman_cf_is_alu(&cf) || cayman_cf_is_fetch(&cf) || cayman_cf_is_gds(&cf)) {
         assert_int_equal(cayman_clause(shader.words, shader.num_dwords, &cf, &clause, &size),
                          CAYMAN_OK);
         if (cayman_cf_is_alu(&cf)) {
            walk_alu(used, clause, size, fn, data);
            continue;
         }
         for (size_t at = 0; at < size; at += 2)
            note(used, (uint32_t)(clause + at - shader.words) / 2, FETCH, fn, data);
      }
   }
   for (uint32_t at = 0; at < shader.num_dwords / 2; at++)
      if (!used[at] && shader.places[at] != SHADER_NO_PLACE)
         fail_msg("no instruction, but a place at %u", at);
   free(used);
}

/* --- all have one ----------------------------------------------------------------------------- */

#define PIXEL                                                                       \
   "il_ps_2_0\ndcl_cb cb0[32]\n"                                                    \
   "dcl_resource_id(0)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"  \
   "dcl_input_generic_interp(linear) v32\ndcl_input_generic_interp(constant) v33\n" \
   "dcl_indexed_temp_array x0[5]\ndcl_indexed_temp_array x1[2000]\n"                \
   "dcl_output_generic o0\ndcl_literal l0, 0x3f800000, 2, 3, 0x3e99999a\n"

#define VERTEX "il_vs_2_0\ndcl_x_version 1\ndcl_input_generic v0\ndcl_output_position o0\n"

#define COMPUTE                                                                    \
   "il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_raw_uav_id(0)\ndcl_gds_id(0) 64\n" \
   "dcl_lds_id(1) 1024\ndcl_literal l0, 4, 8, 0, 0\n"

#define GEOMETRY                                                        \
   "il_gs_2_0\ndcl_x_version 1\ndcl_input_primitive_triangle\n"         \
   "dcl_output_topology trianglestrip\ndcl_max_output_vertex_count 3\n" \
   "dcl_input_usage(position) v[3][0]\ndcl_output_usage(position) o0\n"

/* Each kind of clause and of control flow, indices, arrays in registers and in memory, copies for
 * exports, and what the lowering makes. */
static const char *const programs[] = {
   PIXEL "mov x0[1], v33\nsample_resource(0)_sampler(0) r0, v32.xy00\niand r3.x, v33.x, l0.z\n"
         "sample_g_resource(0)_sampler(0) r2, v32.xy00, v32.zwww, v33.xyyy\n"
         "mad_ieee r0, r0, cb0[0], cb0[1]\nadd r0, r0, x0[r3.x+1]\nmov x0[r3.x].xy__, r2\n"
         "add r0, r0, cb0[r3.x+1]\nmov r4.x, l0.x\nwhileloop\nige r5.x, r4.x, l0.y\n"
         "break_logicalnz r5.x\nwhileloop\nif_logicalnz r3.x\nmov r0.xy__, r0.yx00\nelse\n"
         "mul_ieee r0, r0, r0\ncontinue\nendif\nbreak\nendloop\niadd r4.x, r4.x, l0.y\nendloop\n"
         "lt r6.x, r0.x, l0.w\ndiscard_logicalnz r6.x\nmov x1[r3.x], r0\nmov r7, x1[r3.y]\n"
         "dsx r8, r0\nadd_sat r0, r7, r8\nmov o0, r0\nend\n",
   "mdef(1)_out(1)_in(2)\ndcl_literal l0, 5, 6, 7, 8\niadd r0, in0, in1\nixor out0, r0, "
   "l0\nmend\n" //
   VERTEX "dcl_literal l0, 0, 1, 3, 7\nmov r0, v0\niand r4, r0, l0.w\nmcall(1) (r1), (r0, r4)\n"
   "call_logicalnz r4.x, 2\nddiv r2.xy__, r0, r1\nmova a0.x, r2\n"
   "mov o0, r2\nendmain\nfunc 2\nif_logicalnz r4.y\nret_dyn\nendif\nmov r0, "
   "r1\nret\nendfunc\nend\n",
   COMPUTE "mov r10, vTidInGrpFlat.x\nishl r0.x, r10.x, l0.x\nlds_store_id(1) r0.x, r0.x\n"
           "fence_threads_lds\nlds_load_id(1) r1.x, l0.y\nuav_raw_load_id(0) r2, r0.x\n"
           "uav_read_add_id(0) r3.x, r0.x, r1.x\niadd r2, r2, r3.x\ngds_add_id(0) r0.x, r1.x\n"
           "uav_raw_store_id(0) mem0, r0.x, r2\nend\n",
   GEOMETRY
   "whileloop\nbreak_logicalnz vprim.x\nmov o0, v[0][0]\nemit\nendloop\nmov o0, v[1][0]\nemit\n"
   "mov o0, v[2][0]\nemit\ncut\nend\n",
};

static void
all_have_one(void **state)
{
   static const unsigned flags[] = { 0, SHADER_COMPILE_NO_OPT, SHADER_COMPILE_FEW_GPRS };

   (void)state;
   for (unsigned i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
      for (unsigned f = 0; f < sizeof(flags) / sizeof(flags[0]); f++) {
         compile(programs[i], flags[f], false);
         walk(NULL, NULL);
         if (il->shader == IL_SHADER_GEOMETRY) {
            compile(programs[i], flags[f], true);
            walk(NULL, NULL);
         }
      }
   }
   release();
}

/* --- the right one ---------------------------------------------------------------------------- */

struct expected {
   unsigned op;
   uint32_t il_op;
   unsigned found;
};

static void
expect(unsigned op, uint32_t place, void *data)
{
   struct expected *e = data;

   if (op == e->op) {
      if (il->insts[place].op != e->il_op)
         fail_msg("operation %x at the place of %s", op, il_op_info(il->insts[place].op)->name);
      e->found++;
   }
}

/* All instructions of the operation were made for IL instructions of this one. */
static void
is_of(unsigned op, enum il_opcode il_op)
{
   struct expected e = { .op = op, .il_op = il_op };

   walk(expect, &e);
   if (!e.found)
      fail_msg("no operation %x", op);
}

static void
the_right_one(void **state)
{
   (void)state;
   compile(PIXEL
           "rsq_vec r0, v32.x\nsample_resource(0)_sampler(0) r1, v32.xy00\nmul_ieee r0, r0, r1\n"
           "discard_logicalnz r0.y\nmov o0, r0\nend\n",
           0, false);
   is_of(CAYMAN_ALU_RECIPSQRT_IEEE, IL_OP_RSQ_VEC);
   is_of(CAYMAN_ALU_MUL_IEEE, IL_OP_MUL);
   is_of(FETCH, IL_OP_SAMPLE);
   is_of(CF | CAYMAN_CF_TC, IL_OP_SAMPLE);
   is_of(CAYMAN_ALU_KILLNE_INT, IL_OP_DISCARD_LOGICALNZ);
   is_of(CF | CAYMAN_CF_EXPORT_DONE, IL_OP_END);
   is_of(CF | CAYMAN_CF_END, IL_OP_END);

   /* A fused product is the sum's; a fused comparison the branch's. */
   compile(PIXEL "mul_ieee r2, v32, cb0[0]\nadd r0, r2, cb0[1]\nlt r1.x, v32.x, v32.y\n"
                 "if_logicalnz r1.x\nmov r0.x, r0.y\nendif\nmov o0, r0\nend\n",
           0, false);
   is_of(CAYMAN_ALU_MULADD_IEEE, IL_OP_ADD);
   is_of(CAYMAN_ALU_PRED_SETGT, IL_OP_IF_LOGICALNZ);
   is_of(CF | CAYMAN_CF_ALU_POP_AFTER, IL_OP_MOV);
   compile(PIXEL "sample_resource(0)_sampler(0) r0, v32.xy00\nif_logicalnz v33.x\n"
                 "sample_resource(0)_sampler(0) r0, r0.xy00\nmul_ieee r0, r0, cb0[0]\n"
                 "sample_resource(0)_sampler(0) r0, r0.xy00\nendif\nmov o0, r0\nend\n",
           0, false);
   is_of(CF | CAYMAN_CF_JUMP, IL_OP_IF_LOGICALNZ);

   /* Branches that end together pop together, after what the inner one ends with. */
   compile(PIXEL "mov r0, v32\nif_logicalnz v32.x\nif_logicalnz v32.y\nmul_ieee r0, r0, v33\n"
                 "endif\nendif\nmov o0, r0\nend\n",
           0, false);
   is_of(CF | CAYMAN_CF_ALU_POP2_AFTER, IL_OP_MUL);

   /* What sets an index is its user's. */
   compile(
      PIXEL
      "mov x0[0], v32\nmov x0[1], v32\nftoi r1.x, v33.x\nmov x0[r1.x], v33\nmov o0, x0[1]\nend\n",
      0, false);
   is_of(CAYMAN_ALU_MOVA_INT, IL_OP_MOV);
   is_of(CAYMAN_ALU_FLT_TO_INT, IL_OP_FTOI);
}

/* What the lowering writes has the offset of what it lowers; bodies have their own. */
static void
of_lowered(void **state)
{
   (void)state;
   compile("mdef(1)_out(1)_in(1)\nsqrt_vec out0, in0\nmend\n" VERTEX
           "mov r0, v0\ncall 1\nmcall(1) (r0), (r0)\nmov o0, r0\nendmain\nfunc 1\nrsq_vec r0, r0\n"
           "ret_logicalnz r0.x\nexp_vec r0, r0\nret\nendfunc\nend\n",
           0, false);
   is_of(CAYMAN_ALU_SQRT_IEEE, IL_OP_SQRT_VEC);
   is_of(CAYMAN_ALU_RECIPSQRT_IEEE, IL_OP_RSQ_VEC);
   is_of(CAYMAN_ALU_EXP_IEEE, IL_OP_EXP_VEC);
   is_of(CAYMAN_ALU_PRED_SETE_INT, IL_OP_RET_LOGICALNZ);
   is_of(CF | CAYMAN_CF_LOOP_START_DX10, IL_OP_CALL);
   is_of(CF | CAYMAN_CF_LOOP_END, IL_OP_CALL);

   compile("il_vs_2_0\ndclv_elem(0) v0\nrsq_vec r0, v0\nmov oPos, r0\nend\n", 0, false);
   is_of(CAYMAN_ALU_RECIPSQRT_IEEE, IL_OP_RSQ_VEC);
}

/* --- of spills -------------------------------------------------------------------------------- */

static void
is_near(unsigned op, uint32_t place, void *data)
{
   unsigned *seen = data;

   if (op == (CF | CAYMAN_CF_MEM_WR_SCRATCH) && il->insts[place].op == IL_OP_RSQ_VEC)
      seen[0]++;
   if (op == FETCH && il->insts[place].op == IL_OP_ADD)
      seen[1]++;
}

/* A value is stored at the offset of its writer and loaded at that of its reader. */
static void
of_spills(void **state)
{
   char text[8192] = PIXEL;
   unsigned seen[2] = { 0 };

   (void)state;
   for (unsigned i = 0; i < 30; i++) {
      snprintf(text + strlen(text), sizeof(text) - strlen(text),
               "add r%u, v32, cb0[%u]\nrsq_vec r%u, r%u\n", i + 40, i, i, i + 40);
   }
   strcat(text, "whileloop\nbreak_logicalnz r0.x\nmov r0.x, r0.y\nendloop\n");
   for (unsigned i = 1; i < 30; i++)
      snprintf(text + strlen(text), sizeof(text) - strlen(text), "add r0, r0, r%u\n", i);
   strcat(text, "mov o0, r0\nend\n");
   compile(text, SHADER_COMPILE_FEW_GPRS, false);
   assert_true(shader.num_spilled > 0);
   walk(is_near, seen);
   assert_true(seen[0] > 0);
   assert_true(seen[1] > 0);
   release();
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_have_one),
      cmocka_unit_test(the_right_one),
      cmocka_unit_test(of_lowered),
      cmocka_unit_test(of_spills),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
