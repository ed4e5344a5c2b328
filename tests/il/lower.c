/* SPDX-License-Identifier: MIT */
/* The legaliser's passes over flow and registers, a line of IL before and after. */
#include "lower.h"

#include "il/conventions.h"

_Static_assert(IL_DRV_INTERFACES == 12, "the index in interfaces()");

#define STAGE(body) "il_ps_2_0\ndclpt_stage(2)_type(2d)_coordmode(normalized)\n" body "\nend\n"
#define RESOURCE(body)                                                          \
   "il_ps_2_0\ndcl_resource_id(2)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)" \
   "_fmtw(float)\n" body "\nend\n"

/* Texture stages are resources and samplers of their number. */
static void
stages(void **state)
{
   compare_text(STAGE("texld_stage(2) r0, r1"), RESOURCE("sample_resource(2)_sampler(2) r0, r1"),
                &has_all);
   compare_text(STAGE("texldb_stage(2)_absolute r0, r1, r2"),
                RESOURCE("sample_l_resource(2)_sampler(2) r0, r1, r2.w"), &has_all);
   compare_text(STAGE("texldd_stage(2)_shadowmode(z) r0, r1_neg(z), r2, r3"),
                RESOURCE("mov r4.x, r1.z_neg(xyzw)\n"
                         "sample_c_g_resource(2)_sampler(2) r0, r1_neg(z), r4.x, r2, r3"),
                &has_all);
   compare_text(STAGE("lod_stage(2) r0.xy, r1"),
                RESOURCE("getlod_resource(2)_sampler(2) r2.x, r1\nmov r0.xy, r2.x"), &has_all);
   compare_text(STAGE("kill_stage(2)_sample r1"),
                RESOURCE("sample_resource(2)_sampler(2) r2, r1\nkill r2"), &has_all);
   compare_text(
      "il_vs_2_0\ndclpt_stage(0)_type(1d)_coordmode(unnormalized)\n"
      "texld_stage(0) r0, r1\nend\n",
      "il_vs_2_0\ndcl_literal l0, 0, 0, 0, 0\n"
      "dcl_resource_id(0)_type(1d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
      "sample_l_resource(0)_sampler(0) r0, r1, l0.x\nend\n",
      &has_all);
   refused("il_ps_2_0\ndclpt_stage(1)_type(2d)_coordmode(normalized)\ntexld_stage(2) r0, r1\nend\n",
           "a stage that is not declared");
   refused(STAGE("texldms_stage(2) r0, r1"), "one sample");
   refused(STAGE("texld_stage(2)_mip(linear) r0, r1"), "filters of the instruction's own");
   refused(STAGE("texld_stage(2)_shadowmode(unknown) r0, r1"), "state of the driver's");
}

/* Local data with owners: addresses in an area of its own, of whole waves. */
static void
owners(void **state)
{
#define OWNERS(body)                                                                            \
   "il_cs_2_0\ndcl_num_thread_per_group 65\ndcl_lds_size_per_thread 8\ndcl_lds_id(0) 16\n" body \
   "\nend\n"
#define LOCAL(literals, body)                                                               \
   "il_cs_2_0\ndcl_literal " literals "\ndcl_lds_id(1) 4096\ndcl_num_thread_per_group 65\n" \
   "dcl_lds_size_per_thread 8\ndcl_lds_id(0) 16\n" body "\nend\n"
   compare_text(OWNERS("lds_read_vec_sharingMode(abs) r0.xy, r1.xy"),
                LOCAL("l0, 63, 32, 2, 0",
                      "iand r2.x, r1.x, l0.x\numul24 r2.y, r2.x, l0.y\nishl r2.z, r1.y, l0.z\n"
                      "iadd r2.w, r2.y, r2.z\nlds_load_vec_id(1) r0.xy, r2.w, l0.w"),
                &has_all);
   compare_text(OWNERS("lds_write_vec_lOffset(4) mem.xz, r1"),
                LOCAL("l0, 63, -64, 32, 16\ndcl_literal l1, 0, 0, 0, 0",
                      "mov r2.x, vTidInGrpFlat.x\niand r2.y, r2.x, l0.x\n"
                      "mov r2.z, vTidInGrpFlat.x\niand r2.w, r2.z, l0.y\nior r3.x, r2.w, r2.y\n"
                      "umul24 r3.y, r3.x, l0.z\niadd r3.z, r3.y, l0.w\n"
                      "lds_store_vec_id(1) mem.x_z_, r3.z, l1.x, r1"),
                &has_all);
   refused("il_cs_2_0\nlds_read_vec r0, r1.xy\nend\n", "an operation that the target has not");
   /* What is declared and not used is for any target. */
   compare_text("il_cs_2_0\ndcl_lds_size_per_thread 8\nmov r0, r1\nend\n",
                "il_cs_2_0\ndcl_lds_size_per_thread 8\nmov r0, r1\nend\n", &has_nothing);
}

static void
macros(void **state)
{
   compare_text("mdef(1)_out(1)_in(1)\ndcl_literal l0, 5, 5, 5, 5\nmov r0, in0\n"
                "iadd out0, r0, l0\nmend\nil_ps_2_0\nmcall(1) (r1), (r2.x)\nend\n",
                "il_ps_2_0\nmov r4, r2.x\ndcl_literal l1, 5, 5, 5, 5\nmov r3, r4\n"
                "iadd r5, r3, l1\nmov r1, r5\nend\n",
                &has_all);
   refused("il_ps_2_0\nmcall(2) (r1), (r0)\nend\n", "macro 2, which is not defined");
   refused("mdef(1)_out(1)_in(1)\nmcall(1) (out0), (in0)\nmend\n"
           "il_ps_2_0\nmcall(1) (r1), (r0)\nend\n",
           "without end");
   refused("mdef(1)_out(1)_in(1)\nret\nmend\nil_ps_2_0\nmcall(1) (r1), (r0)\nend\n",
           "a return inside a macro");
}

static void
calls(void **state)
{
   compare_text("il_ps_2_0\ncall 1\nendmain\nfunc 1\nmov r0, r1\nret\nendfunc\nend\n",
                "il_ps_2_0\nmov r0, r1\nend\n", &has_all);
   compare_text("il_ps_2_0\ncall_logicalz r0.x, 1\nendmain\nfunc 1\nmov r0, r1\nendfunc\nend\n",
                "il_ps_2_0\nif_logicalz r0.x\nmov r0, r1\nendif\nend\n", &has_all);
   /* A return inside a block leaves a loop that is run once. */
   compare_text(
      "il_ps_2_0\nif_logicalnz r0.x\nret\nendif\nmov r0, r1\nend\n",
      "il_ps_2_0\ndcl_literal l0, 0, -1, 0, 0\nmov r2.x, l0.x\nwhileloop\n"
      "if_logicalnz r0.x\nmov r2.x, l0.y\nbreak\nendif\nmov r0, r1\nbreak\nendloop\nend\n",
      &has_all);
   /* Out of a loop in front of it. */
   compare_text("il_ps_2_0\nwhileloop\nret_logicalnz r0.x\nendloop\nmov r0, r1\nend\n",
                "il_ps_2_0\ndcl_literal l0, 0, -1, 0, 0\nmov r2.x, l0.x\nwhileloop\nwhileloop\n"
                "if_logicalnz r0.x\nmov r2.x, l0.y\nbreak\nendif\nendloop\nbreak_logicalnz r2.x\n"
                "mov r0, r1\nbreak\nendloop\nend\n",
                &has_all);
   /* Out of a phase: what is after it there is gone, the next phase is not. */
   compare_text("il_hs_2_0\nhs_cp_phase\nmov r0, r1\nret\nmov r0, r2\nendphase\n"
                "hs_join_phase 1\nmov r0, r3\nret_dyn\nendphase\nend\n",
                "il_hs_2_0\nhs_cp_phase\nmov r0, r1\nendphase\n"
                "hs_join_phase 1\nmov r0, r3\nendphase\nend\n",
                &has_all);
   /* The 33rd call on top of each other is skipped. */
   char *text = lowered_text("il_ps_2_0\ncall 1\nendmain\nfunc 1\nmov r0, r1\ncall 1\nendfunc\n"
                             "end\n",
                             &has_all);
   unsigned moves = 0;
   for (const char *at = text; (at = strstr(at, "mov r0")); at++)
      moves++;
   assert_int_equal(moves, 32);
   free(text);
   refused("il_ps_2_0\ncall 3\nendmain\nend\n", "label 3, which no func has");
   refused("il_ps_2_0\ncall 1\nendmain\nfunc 1\ncall 1\ncall 1\nendfunc\nend\n",
           "calls that expand");
}

/* Subroutines in a row, each to its ret; nested, with returns inside. */
static void
rows_of_functions(void **state)
{
   (void)state;
   compare_text("il_ps_2_0\ncall 7\nmov r9, r1\nendmain\nfunc 7\ncall 9\nmul r1, r2, r0\nret\n"
                "func 9\nadd r2, r0, r0\nret_dyn\nmov r2, r1\nret\nend\n",
                "il_ps_2_0\nadd r2, r0, r0\nmul r1, r2, r0\nmov r9, r1\nend\n", &has_all);
   compare_text("il_ps_2_0\ncall 0\nendmain\nfunc 1\nmov r1, r2\nret\n\nfunc 0\ncall 1\ncall 1\n"
                "ret\nend\n",
                "il_ps_2_0\nmov r1, r2\nmov r1, r2\nend\n", &has_all);
   /* A ret inside a block returns, and is no end. */
   compare_text(
      "il_ps_2_0\ncall 1\nendmain\nfunc 1\nif_logicalnz r0.x\nret\nendif\nmov r0, r1\nret\nend\n",
      "il_ps_2_0\ndcl_literal l0, 0, -1, 0, 0\nmov r2.x, l0.x\nwhileloop\n"
      "if_logicalnz r0.x\nmov r2.x, l0.y\nbreak\nendif\nmov r0, r1\nbreak\nendloop\nend\n",
      &has_all);
}

static void
interfaces(void **state)
{
   compare_text("il_ps_2_0\ndcl_function_body 0\ndcl_function_table_id(3) = {0}\n"
                "dcl_interface_ptr_id(2)_dynamic(0)[1][1] = {3}\nfcall_id(2) r1.x, 0\nendmain\n"
                "func 0\nmov r0, r1\nendfunc\nend\n",
                "il_ps_2_0\ndcl_literal l0, 2, 15, 3, 1\niadd r2.x, r1.x, l0.x\n"
                "iand r2.x, r2.x, l0.y\nushr r2.y, r2.x, l0.x\niand r2.z, r2.x, l0.z\n"
                "mov r3, cb15[r2.y+12]\nieq r2.w, r2.z, l0.w\ncmov_logical r3.x, r2.w, r3.y, r3.x\n"
                "ieq r2.w, r2.z, l0.x\ncmov_logical r3.x, r2.w, r3.z, r3.x\n"
                "ieq r2.w, r2.z, l0.z\ncmov_logical r3.x, r2.w, r3.w, r3.x\n"
                "ieq r4.x, r3.x, l0.z\nif_logicalnz r4.x\nmov r0, r1\nendif\nend\n",
                &has_all);
   refused("il_ps_2_0\nfcall_id(2) r1.x, 0\nendmain\nend\n", "interface 2, which is not declared");
   refused("il_ps_2_0\ndcl_function_table_id(3) = {0}\n"
           "dcl_interface_ptr_id(2)_dynamic(0)[1][1] = {3}\nfcall_id(2) r1.x, 1\nendmain\nend\n",
           "function table 3 has no entry 1");
}

static void
phases(void **state)
{
   compare_text("il_hs_2_0\nhs_fork_phase 2\nmov r0, vInstanceID\nendphase\nhs_join_phase 1\n"
                "mov r0, vInstanceID\nendphase\nend\n",
                "il_hs_2_0\ndcl_literal l0, 0, 2, 1, 0\nhs_fork_phase 1\nmov r1, l0.x\nwhileloop\n"
                "uge r2.x, r1.x, l0.y\nbreak_logicalnz r2.x\nmov r0, r1\niadd r1, r1, l0.z\n"
                "endloop\nendphase\nhs_join_phase 1\nmov r3, l0.x\nmov r0, r3\nendphase\nend\n",
                &has_all);
}

static void
counted_loops(void **state)
{
   compare_text("il_ps_2_0\nloop i0\nmov r0, c[aL+2]\nendloop\nend\n",
                "il_ps_2_0\ndcl_literal l0, 255, -1, 0, 0\niand r1.xyz, i0.yzxx, l0.x\n"
                "iadd r1.x, r1.x, r1.y_neg(xyzw)\nwhileloop\nbreak_logicalz r1.z\n"
                "iadd r1.z, r1.z, l0.y\niadd r1.x, r1.x, r1.y\nmov r0, c[r1.x+2]\nendloop\nend\n",
                &has_all);
   /* One that repeats has no aL of its own. */
   compare_text("il_ps_2_0\nloop_repeat i0\nmov r0, r1\nendloop\nend\n",
                "il_ps_2_0\ndcl_literal l0, 255, -1, 0, 0\niand r2.xyz, i0.yzxx, l0.x\n"
                "iadd r2.x, r2.x, r2.y_neg(xyzw)\nwhileloop\nbreak_logicalz r2.z\n"
                "iadd r2.z, r2.z, l0.y\nmov r0, r1\nendloop\nend\n",
                &has_all);
   refused("il_ps_2_0\nloop_repeat i0\nmov r0, c[aL+2]\nendloop\nend\n", "aL outside");
   refused("il_ps_2_0\nmov r0, c[aL+2]\nend\n", "aL outside");
}

static void
addresses(void **state)
{
   compare_text("il_vs_2_0\nmova a0.x, r1\nmov r0, c[a0.x+9].z\nend\n",
                "il_vs_2_0\nround_neginf r18, r1\nftoi r2.x, r18\nmov r0, c[r2.x+9].z\nend\n",
                &has_all);
   compare_text("il_vs_2_0\nmova_round a1, r1\nend\n",
                "il_vs_2_0\nround_nearest r18, r1\nftoi r3, r18\nend\n", &has_all);
   refused("il_vs_2_0\nmov r0, c[a0.x+9]\nend\n", "an address register that nothing writes");
}

static void
old_registers(void **state)
{
   compare_text("il_ps_2_0\ndclpin_usage(generic)_usageIndex(2) vPixIn3\nmov oC1, vPixIn3\nend\n",
                "il_ps_2_0\ndcl_output_usage(generic) o1\n"
                "dcl_input_usage(generic)_interp(linear) v34\nmov o1, v34\nend\n",
                &has_all);
   /* First named in a subroutine that nobody calls. */
   compare_text("il_ps_2_0\ndclpin_usage(generic)_usageIndex(2) vPixIn3\ncall 2\nendmain\n"
                "func 1\nmov r0, vPixIn3\nret\nendfunc\nfunc 2\nmov oC1, vPixIn3\nret\n"
                "endfunc\nend\n",
                "il_ps_2_0\ndcl_input_usage(generic)_interp(linear) v34\n"
                "dcl_output_usage(generic) o1\nmov o1, v34\nend\n",
                &has_all);
   refused("il_ps_2_0\nmov r0, vPixIn3\nend\n", "not implemented");
}

/* Global memory is a raw UAV of its own; an element has 16 bytes. */
static void
global_memory(void **state)
{
   (void)state;
   compare_text("il_ps_2_0\nmov g[r0.x], r1\nend\n",
                "il_ps_2_0\ndcl_literal l0, 0x0fffffff, 4, 0, 0\ndcl_raw_uav_id(0)\n"
                "umin r2.x, r0.x, l0.x\nishl r3.x, r2.x, l0.y\nmov r4, r1\n"
                "uav_raw_store_id(0) mem, r3.x, r4\nend\n",
                &has_all);
   /* The first UAV that is not declared; what the mask forces is stored, and nothing else. */
   compare_text("il_cs_2_0\ndcl_raw_uav_id(1)\ndcl_uav_id(0)_type(2d)_fmtx(float)\n"
                "add g[2].x_0_, r4, g[r0.y+4]_neg(x).y\nend\n",
                "il_cs_2_0\ndcl_literal l0, 4, 0x0fffffff, 32, 0\ndcl_raw_uav_id(2)\n"
                "dcl_raw_uav_id(1)\ndcl_uav_id(0)_type(2d)_fmtx(float)\n"
                "iadd r5.x, r0.y, l0.x\numin r6.x, r5.x, l0.y\nishl r7.x, r6.x, l0.x\n"
                "uav_raw_load_id(2) r8, r7.x\nadd r9.x_0_, r4, r8.y_neg(x)\n"
                "uav_raw_store_id(2) mem.x_z_, l0.z, r9\nend\n",
                &has_all);
   /* An element by another element, in a subroutine; one that no address reaches. */
   compare_text("il_ps_2_0\ncall 1\nendmain\nfunc 1\nmov r0, g[g[3].w]\nmov g[268435456], r0\n"
                "ret\nend\n",
                "il_ps_2_0\ndcl_literal l0, 48, 0x0fffffff, 4, -1\ndcl_raw_uav_id(0)\n"
                "uav_raw_load_id(0) r1, l0.x\numin r2.x, r1.w, l0.y\nishl r3.x, r2.x, l0.z\n"
                "uav_raw_load_id(0) r4, r3.x\nmov r0, r4\nmov r5, r0\n"
                "uav_raw_store_id(0) mem, l0.w, r5\nend\n",
                &has_all);
   /* CMOV keeps what it does not move; conditions read memory before them. */
   compare_text("il_ps_2_0\nif_logicalnz g[0].z\ncmov g[1].xy, r0, r1\nendif\nend\n",
                "il_ps_2_0\ndcl_literal l0, 0, 16, 0, 0\ndcl_raw_uav_id(0)\n"
                "uav_raw_load_id(0) r2, l0.x\nif_logicalnz r2.z\nuav_raw_load_id(0) r3, l0.y\n"
                "cmov r3.xy, r0, r1\nuav_raw_store_id(0) mem.xy, l0.y, r3\nendif\nend\n",
                &has_all);
   compare_text("il_vs_2_0\nmova a0.x, r1\nmov g[a0.x+1], r0\nend\n",
                "il_vs_2_0\ndcl_literal l0, 1, 0x0fffffff, 4, 0\ndcl_raw_uav_id(0)\n"
                "round_neginf r18, r1\nftoi r2.x, r18\niadd r19.x, r2.x, l0.x\n"
                "umin r20.x, r19.x, l0.y\nishl r21.x, r20.x, l0.z\nmov r22, r0\n"
                "uav_raw_store_id(0) mem, r21.x, r22\nend\n",
                &has_all);
   refused("il_ps_2_0\nmov r0, p[1]\nend\n", "persistent memory, which the R670 alone has");
   char *text = calloc(1, 4096);
   strcpy(text, "il_ps_2_0\n");
   for (unsigned n = 0; n < IL_MAX_UAVS; n++)
      snprintf(text + strlen(text), 40, "dcl_raw_uav_id(%u)\n", n);
   strcat(text, "mov g[1], r0\nend\n");
   refused(text, "global memory beside 48 UAVs");
   free(text);
}

/* No derivatives: level 0, from which a bias counts. */
static void
sample_levels(void **state)
{
   (void)state;
   compare_text("il_cs_2_0\nsample_resource(1)_sampler(2)_aoffimmi(1,0,0) r0, r1.xy00\nend\n",
                "il_cs_2_0\ndcl_literal l0, 0, 0, 0, 0\n"
                "sample_l_resource(1)_sampler(2)_aoffimmi(1,0,0) r0, r1.xy00, l0.x\nend\n",
                &has_all);
   compare_text("il_cs_2_0\nsample_ext_resource(1)_sampler(2)_resourcetype(2d) r0, r1, r2.x, r3.y\n"
                "end\n",
                "il_cs_2_0\ndcl_literal l0, 0, 0, 0, 0\n"
                "sample_l_ext_resource(1)_sampler(2)_resourcetype(2d) r0, r1, l0.x, r2.x, r3.y\n"
                "end\n",
                &has_all);
   compare_text("il_cs_2_0\nsample_b_resource(1)_sampler(2) r0, r1, r2.y\n"
                "sample_c_resource(1)_sampler(2) r0, r1, r2.x\n"
                "sample_c_b_resource(1)_sampler(2) r0, r1, r2.x, r3.z\nend\n",
                "il_cs_2_0\nsample_l_resource(1)_sampler(2) r0, r1, r2.y\n"
                "sample_c_lz_resource(1)_sampler(2) r0, r1, r2.x\n"
                "sample_c_l_resource(1)_sampler(2) r0, r1, r2.x, r3.z\nend\n",
                &has_all);
   compare_text("il_ps_2_0\nsample_resource(1)_sampler(2) r0, r1\nend\n",
                "il_ps_2_0\nsample_resource(1)_sampler(2) r0, r1\nend\n", &has_all);
}

/* What nothing has to be done for, is not copied. */
static void
core_programs(void **state)
{
   struct il_program *p = parse_program("il_ps_2_0\nmov r0, r1\nif_logicalnz r0.x\nendif\n"
                                        "ret_dyn\nend\n");
   struct il_program *lowered;
   struct il_error err;

   assert_true(il_lower(p, &has_nothing, &lowered, &err));
   assert_null(lowered);
   assert_true(il_is_core(p, &has_nothing, &err));
   il_program_free(p);
}

/* The first instruction outside the core is named, with its line. */
static void
outside(void **state)
{
   struct il_program *p =
      parse_program("il_ps_2_0\nmov r0, r1\nudiv r0, r1, r2\nabs r0, r1\nend\n");
   struct il_error err;

   assert_false(il_is_core(p, &has_nothing, &err));
   assert_string_equal(err.text, "not implemented: an operation that the target has not: "
                                 "udiv r0, r1, r2");
   assert_int_equal(err.where, 3);
   assert_false(il_is_core(p, &has_all, &err));
   assert_string_equal(err.text, "not implemented: an opcode that is not of the core: abs r0, r1");
   assert_int_equal(err.where, 4);
   il_program_free(p);
   /* There is no formula for doubles. */
   refused("il_ps_2_0\ndadd r0.xy, r1, r2\nend\n", "an operation that the target has not: dadd");
}

/* What a pass makes has the offset of what it is made of. */
static void
places(void **state)
{
   struct il_program *p = parse_program("il_ps_2_0\nmov r0, r1\n\nlrp r0, r1, r2, r3\nend\n");
   struct il_program *lowered;
   struct il_error err;
   unsigned made = 0;

   assert_true(il_lower(p, &has_nothing, &lowered, &err));
   assert_non_null(lowered);
   for (uint32_t n = 0; n < lowered->ninsts; n++)
      made += lowered->insts[n].offset == 4;
   assert_int_equal(made, 3);
   il_program_free(lowered);
   il_program_free(p);
   /* What stands in front of the first instruction that a pass reads, after another pass. */
   p = parse_program(
      "mdef(0)_out(1)_in(1)\nmov out0, in0\nmend\nil_ps_2_0\n"
      "mcall(0) (r0), (r1)\nif_logicalnz r0.x\nret\nendif\nmov r0, r1\nendmain\nend\n");
   assert_true(il_lower(p, &has_nothing, &lowered, &err));
   assert_non_null(lowered);
   for (uint32_t n = 0; n < lowered->ninsts; n++)
      assert_in_range(il_place(lowered, n), 0, p->ninsts - 1);
   il_program_free(lowered);
   il_program_free(p);
}

/* No opcode is left that the table says is expanded, whatever its operands. */
static void
every_opcode(void **state)
{
   struct il_error err;
   unsigned expanded = 0;

   for (unsigned i = 0; il_op_row(i); i++) {
      const struct il_op_info *info = il_op_row(i);
      if (!info->shape_known || (info->core != IL_CORE_EXPAND && info->core < IL_CORE_DOT))
         continue;
      for (unsigned variant = 0; variant < 3; variant++) {
         struct il_program *p = one_inst(info, variant), *lowered;
         struct il_target_caps caps = { 1u << IL_CORE_DOUBLE };
         assert_true(il_lower(p, &caps, &lowered, &err));
         if (!il_is_core(lowered ? lowered : p, &caps, &err))
            fail_msg("%s: %s", info->name, err.text);
         expanded += lowered != NULL;
         il_program_free(lowered);
         il_program_free(p);
      }
   }
   assert_true(expanded > 250);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(stages),        cmocka_unit_test(owners),
      cmocka_unit_test(macros),        cmocka_unit_test(calls),
      cmocka_unit_test(interfaces),    cmocka_unit_test(phases),
      cmocka_unit_test(counted_loops), cmocka_unit_test(addresses),
      cmocka_unit_test(old_registers), cmocka_unit_test(core_programs),
      cmocka_unit_test(outside),       cmocka_unit_test(places),
      cmocka_unit_test(every_opcode),  cmocka_unit_test(rows_of_functions),
      cmocka_unit_test(global_memory), cmocka_unit_test(sample_levels),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
