/* SPDX-License-Identifier: MIT */
/*
 * Programs that fuzz-il-run found to differ, or never to end, as Valhall's code: what they are
 * about, in as few instructions as it takes.
 */
#include "case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "atoll/cayman/descriptors.h"
#include "atoll/cayman/enums.h"
#include "compiler/valhall/valhall_compile.h"

#define ROUNDS 20
#define VERTEX                                                                               \
   "il_vs_2_0\ndcl_input_usage(generic) v0\ndcl_output_usage(position) o0\n"                 \
   "dcl_output_usage(generic) o32\ndcl_output_usage(generic) o39\nmov o0, v0\nmov o32, v0\n" \
   "mov o39, v0\ndcl_literal l0, 0x7F800000, 0, 4, 8\n"
#define PIXEL                                                                                     \
   "il_ps_2_0\ndcl_x_version 1\ndcl_gds_id(0) 512\ndcl_input_usage(generic)_interp(linear) v32\n" \
   "dcl_output_usage(generic) o0\ndcl_literal l0, 8, 0, 4, 12\nmov o0, v32\n"

#define LAYERS                                                                      \
   "dcl_literal l1, 0, 1, 2, 3\ndcl_literal l2, 0.0, 1.0, 2.0, 3.0\n"               \
   "dcl_resource_id(8)_type(1darray)_fmtx(uint)_fmty(uint)_fmtz(uint)_fmtw(uint)\n" \
   "dcl_resource_id(9)_type(buffer)_fmtx(uint)_fmty(uint)_fmtz(uint)_fmtw(uint)\n"

/* What is no number of its own is made by an operation with a bound, and goes to o39. */
static const struct {
   const char *text;
   unsigned op; /* that the bound is of; 0: all is exact */
} found[] = {
   /* Denormals are zeros to what looks at bits, too. */
   { VERTEX "log_zeroop(fltmax) r0, v0.x\nmov o39, r0\nend\n", IL_OP_LOG },
   { VERTEX "exp_vec r0, v0\nmov o39, r0\nend\n", IL_OP_EXP_VEC },
   { VERTEX "mul r0, v0, l0.x\nmov o32, r0\nend\n", 0 },
   /* Counters lie in front of global data, and there are twelve. */
   { PIXEL "append_buf_alloc_id(2) r0.x\ngds_add_id(0) l0.x, l0.w\nend\n", 0 },
   /* What a pixel that is gone has in an array counts in derivatives. */
   { PIXEL "dcl_indexed_temp_array x0[90]\ndcl_literal l1, 1, 7, 0, 3\niand r1.x, v32.y, l1.y\n"
           "mov x0[r1.x+1], l1.wwww\ndiscard_logicalnz v32.z\nmov x0[r1.x+1], l0.xyzw\n"
           "iadd r1.y, r1.x, v32.x\nutof r2, x0[r1.x+1]\ndsy_fine r2, r2\nmov o0, r2\nend\n",
     0 },
   /* Layers are height and depth of one dimension, and there are none of a level that is not. */
   { VERTEX LAYERS "resinfo_resource(8)_uint r0, l1.x\nmov o32, r0\n"
                   "resinfo_resource(8)_uint r0, l1.z\nmov o39, r0\nend\n",
     0 },
   /* Offsets of samples have five bits; those of loads move the elements of a buffer, too. */
   { VERTEX LAYERS "sample_l_resource(8)_sampler(0)_aoffimmi(-30,0,0) r0, l2, l1.x\nmov o32, r0\n"
                   "load_resource(9)_aoffimmi(3,0,0) r0, l1.y\nmov o39, r0\nend\n",
     0 },
   /* Operations that are tried again end where a pixel is gone. */
   { PIXEL "discard_logicalnz l0.x\ngds_dec_id(0) l0.x, l0.w\nend\n", 0 },
   { PIXEL "discard_logicalnz v32.x\ngds_read_inc_id(0) r0.x, l0.x, l0.w\nend\n", 0 },
};

/* A texture of one dimension with three layers and two levels, and a buffer of five elements. */
static void
make_two_views(struct inputs *in)
{
   static uint32_t elements[20];
   const struct machine_texture layers = { .there = true,
                                           .dim = SQ_TEX_DIM_1D_ARRAY,
                                           .format = FMT_32,
                                           .num_format = SQ_NUM_FORMAT_INT,
                                           .levels = 2,
                                           .samples = 1,
                                           .select = { 0, 1, 2, 3 },
                                           .width = 4,
                                           .height = 1,
                                           .depth = 3,
                                           .data = elements,
                                           .dwords = 20 };

   for (uint32_t n = 0; n < 20; n++)
      elements[n] = n + 1;
   memset(&in->views, 0, sizeof(in->views));
   in->views.texture[8] = in->views.texture[9] = layers;
   in->views.texture[9].is_buffer = true;
   in->views.texture[9].width = 5;
   in->views.texture[9].levels = 1;
   in->views.sampler[0].there = true;
   in->views.sampler[0].words[1] = REG_FIELD(SAMPLER_WORD1, MAX_LOD, 4095);
   in->views.sampler[0].words[2] = REG_FIELD(SAMPLER_WORD2, TYPE, 1);
}

static void
test_found(void **state)
{
   static struct inputs in;
   struct il_error where;
   char error[256];

   (void)state;
   for (unsigned k = 0; k < sizeof(found) / sizeof(*found); k++) {
      struct il_program *p = il_parse(found[k].text, strlen(found[k].text), &where);
      if (!p)
         fail_msg("line %u: %s\n%s", where.where, where.text, found[k].text);
      for (unsigned n = 0; n < ROUNDS; n++) {
         struct rng r = { n };
         make_inputs(&in, &r);
         fit_inputs(&in);
         memset(&in.bound, 0, sizeof(in.bound));
         make_two_views(&in);
         if (found[k].op)
            assert_true(valhall_compiler.bound(found[k].op, &in.bound));
         for (unsigned flags = 0; flags < 8; flags++)
            if (run_case(p, flags | CASE_VALHALL, 0, &in, error, sizeof(error)) != SAME)
               fail_msg("round %u, flags %u: %s\n%s", n, flags, error, found[k].text);
      }
      il_program_free(p);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_found) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
