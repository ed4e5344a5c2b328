/* SPDX-License-Identifier: MIT */
/*
 * What programs declare, each rule on a line or two of text; declarations that are refused, and
 * what is read of an instruction's sources.
 */
#include "common.h"

#include <stdio.h>
#include <stdlib.h>

#include "il/declare.h"

#define MAX_BLOCKS 16

struct owner {
   void *blocks[MAX_BLOCKS];
   unsigned num_blocks, num_refused;
   uint32_t inst; /* the last one that is refused */
   char what[80];
};

static void *
allocate(void *data, size_t bytes)
{
   struct owner *o = data;
   assert_true(o->num_blocks < MAX_BLOCKS);
   return o->blocks[o->num_blocks++] = calloc(1, bytes);
}

static void
refuse(void *data, uint32_t inst, const char *what)
{
   struct owner *o = data;
   o->num_refused++;
   o->inst = inst;
   snprintf(o->what, sizeof(o->what), "%s", what);
}

static struct owner owner;
static struct il_declared d;
static struct il_program *program;

static void
declare(const char *text)
{
   const struct il_declare_to to = { allocate, refuse, &owner };
   struct il_error error;

   owner = (struct owner){ 0 };
   memset(&d, 0, sizeof(d));
   program = il_parse(text, strlen(text), &error);
   if (!program)
      fail_msg("line %u: %s", error.where, error.text);
   il_declare(&d, program, il_has_counters(program), &to);
}

static void
done(void)
{
   for (unsigned n = 0; n < owner.num_blocks; n++)
      free(owner.blocks[n]);
   il_program_free(program);
}

static void
registers(void **state)
{
   (void)state;
   declare("il_ps_2_0\ndcl_literal l3, 1, 2, 3, 4\ndcl_indexed_temp_array x1[6]\n"
           "dcl_indexed_temp_array x2[5]\ndcl_indexed_temp_array x4[2]\n"
           "dcl_input_usage(generic)_interp(constant) v33\ndcl_output_usage(generic) o2.xy__\n"
           "mov r7, x2[r9.x + 1]\nmov x1[r8.y], r0\nmov x4[1], r0\nend\n");
   assert_int_equal(owner.num_refused, 0);
   assert_int_equal(d.num_temps, 10);
   assert_int_equal(d.num_literals, 4);
   assert_null(d.literal[2]);
   assert_int_equal(d.literal[3][2], 3);
   assert_int_equal(d.num_arrays, 5);
   assert_int_equal(d.array[1].size, 6);
   assert_true(d.array[1].indexed && d.array[2].indexed);
   assert_false(d.array[4].indexed);
   assert_int_equal(d.array[3].size, 0);
   assert_true(d.input[33].declared);
   assert_int_equal(d.input[33].mode, IL_INTERPMODE_CONSTANT);
   assert_int_equal(d.input[33].inst, 4);
   assert_false(d.input[32].declared);
   assert_int_equal(d.output[2], 3);
   assert_false(d.outputs_indexed);
   done();
}

static void
memory(void **state)
{
   (void)state;
   declare("il_cs_2_0\ndcl_num_thread_per_group 16, 4\ndcl_lds_id(2) 10\n"
           "dcl_struct_lds_id(1) 8, 3\ndcl_gds_id(0) 64\ndcl_raw_uav_id(3)\n"
           "dcl_struct_srv_id(5) 12\nappend_buf_alloc_id(3) r0.x\nend\n");
   assert_int_equal(owner.num_refused, 0);
   assert_int_equal(d.block[0], 16);
   assert_int_equal(d.block[1], 4);
   assert_int_equal(d.block[2], 1);
   /* one after the other in the order of declarations, whole dwords */
   assert_int_equal(d.lds[2].base, 0);
   assert_int_equal(d.lds[2].size, 12);
   assert_int_equal(d.lds[1].base, 12);
   assert_int_equal(d.lds[1].stride, 8);
   assert_int_equal(d.lds_bytes, 36);
   /* counters first */
   assert_int_equal(d.gds[0].base, IL_COUNTER_BYTES);
   assert_int_equal(d.gds_bytes, IL_COUNTER_BYTES + 64);
   assert_true(d.uav[3].declared && !d.uav[3].typed);
   assert_int_equal(d.srv[5].stride, 12);
   done();
}

static void
refusals(void **state)
{
   static const struct {
      const char *text, *what;
   } cases[] = {
      { "il_cs_2_0\ndcl_num_thread_per_group 2048\nend\n", "size of the work group" },
      { "il_cs_2_0\ndcl_num_thread_per_group 64, 64\nend\n", "size of the work group" },
      { "il_cs_2_0\ndcl_lds_id(0) 32768\ndcl_lds_id(1) 4\nend\n", "more than 32 KB of local data" },
      { "il_cs_2_0\ndcl_struct_lds_id(0) 0, 4\nend\n", "more than 32 KB of local data" },
      { "il_cs_2_0\ndcl_raw_uav_id(48)\nend\n", "UAV above 47" },
      { "il_cs_2_0\ndcl_raw_srv_id(32)\nend\n", "read-only buffer above 31" },
      { "il_ps_2_0\ndcl_output_usage(generic) o64\nend\n", "output register out of range" },
      { "il_ps_2_0\ndcl_input_usage(generic) v128\nend\n", "input register out of range" },
      { "il_ps_2_0\ndcl_indexed_temp_array x0[4097]\nend\n",
        "an array of more than 4096 elements" },
      { "il_ps_2_0\ndcl_indexed_temp_array x4096[1]\nend\n", "register number out of range" },
   };

   (void)state;
   for (unsigned n = 0; n < sizeof(cases) / sizeof(*cases); n++) {
      declare(cases[n].text);
      assert_int_equal(owner.num_refused, 1);
      assert_string_equal(owner.what, cases[n].what);
      done();
   }
   /* what is refused is left out, and the rest is read */
   declare("il_cs_2_0\ndcl_raw_uav_id(48)\ndcl_raw_uav_id(1)\nend\n");
   assert_int_equal(owner.inst, 0);
   assert_true(d.uav[1].declared);
   done();
}

static void
note(const struct il_src *src, unsigned mask, void *data)
{
   char *text = data;
   snprintf(text + strlen(text), 100 - strlen(text), "%c%u:%x:%x ",
            src->r.type == IL_REGTYPE_TEMP ? 'r' : '?', src->r.num, mask,
            il_swizzled_mask(src, mask));
}

static void
reads(void **state)
{
   static const struct {
      const char *inst, *reads; /* register: components of the source: those of the register */
   } cases[] = {
      { "mov r0.x__w, r1.wzyx", "r1:9:9 " },
      { "dp3 r0.x, r1.yzwx, r2", "r1:7:e r2:7:7 " },
      { "add r0._y, r1.01xy, r2", "r1:2:0 r2:2:2 " },
      { "mov r0.x, r1_divcomp(w)", "r1:f:f " },
      { "sample_resource(0)_sampler(0) r0, r1.wzyx", "r1:3:c " },
      { "mov x0[r3.z], r1.x", "r1:f:1 r3:1:4 " },
   };

   (void)state;
   for (unsigned n = 0; n < sizeof(cases) / sizeof(*cases); n++) {
      char text[400], found[100] = "";
      snprintf(text, sizeof(text),
               "il_ps_2_0\ndcl_indexed_temp_array x0[2]\n"
               "dcl_resource_id(0)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
               "%s\nend\n",
               cases[n].inst);
      declare(text);
      il_visit_reads(&d, &program->insts[2], note, found);
      assert_string_equal(found, cases[n].reads);
      done();
   }
}

static void
system_values(void **state)
{
   unsigned vec4 = 0, comp = 0;

   (void)state;
   assert_true(il_sysval_constant(IL_SYSVAL_DRAW_ID, &vec4, &comp));
   assert_int_equal(vec4, IL_DRV_DRAW);
   assert_int_equal(comp, 2);
   assert_false(il_sysval_constant(IL_SYSVAL_LANE, &vec4, &comp));
   assert_false(il_sysval_constant(UINT32_MAX, &vec4, &comp));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(registers), cmocka_unit_test(memory),        cmocka_unit_test(refusals),
      cmocka_unit_test(reads),     cmocka_unit_test(system_values),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
