/* SPDX-License-Identifier: MIT */
/*
 * The validator's rules: a program that breaks each of them, and the message; programs that break
 * none.  Every message in the validator's source must be that of a case.
 */
#include "common.h"

#include "../rule_cases.h"

static const struct {
   const char *text;
   enum valhall_stage stage;
   unsigned registers, line;
   const char *rule;
} broken[] = {
   { "FADD.f32.end r0, u0, u4", VALHALL_STAGE_OTHER, 0, 1, "one 64-bit uniform slot only" },
   { "FADD.f32.end r0, u1, u2", VALHALL_STAGE_OTHER, 0, 1, "one 64-bit uniform slot only" },
   { "FADD.f32.end r0, u0, lane_id.w0", VALHALL_STAGE_OTHER, 0, 0, "pages 0 and 3" },
   { "LD_ATTR.slot0.f32.end @r0, u0, u2, u4", VALHALL_STAGE_OTHER, 0, 1,
     "two 64-bit uniform slots only" },
   { "FMA.f32.end r0, u0, u1, 0x0", VALHALL_STAGE_OTHER, 0, 1,
     "two words of uniforms and constants only" },
   { "IADD.u32.end r0, lane_id.w0, core_id.w0", VALHALL_STAGE_OTHER, 0, 1,
     "one special value only" },
   { "LD_BUFFER.i32.slot0.end @r0, lane_id.w0, r1", VALHALL_STAGE_OTHER, 0, 1,
     "a message does not read lane_id" },
   { "LD_BUFFER.i32.slot0.end @r0, warp_id.w0, r1", VALHALL_STAGE_OTHER, 0, 1,
     "a message does not read warp_id" },
   { "LOAD.i32.slot0.end @r0, r3, offset:0", VALHALL_STAGE_OTHER, 0, 1,
     "source 0: a 64-bit source is an even pair: register 3 is odd" },
   { "IADD.u64.end r0, u1, r2", VALHALL_STAGE_OTHER, 0, 1, "word 1 is odd" },
   { "IADD.u64.end r1, r2, r4", VALHALL_STAGE_OTHER, 0, 1, "r1 is odd" },
   { "IADD.u64.end r2.h0, r2, r4", VALHALL_STAGE_OTHER, 0, 1, "a 64-bit result has no mask" },
   { "LOAD.i64.slot0.end @r1:r2, r4, offset:0", VALHALL_STAGE_OTHER, 0, 1,
     "staging registers begin at an even register: r1 is odd" },
   { "LOAD.i64.slot0.end @r2, r4, offset:0", VALHALL_STAGE_OTHER, 0, 1,
     "LOAD.i64 has 2 staging registers here, not 1" },
   { "LOAD.i8.slot0.end @r2:r3, r4, offset:0", VALHALL_STAGE_OTHER, 0, 1,
     "LOAD.i8 has 1 staging registers here, not 2" },
   { "STORE.i96.slot0.end @r2:r3, r4, offset:0", VALHALL_STAGE_OTHER, 0, 1, "3 staging registers" },
   { "ATOM_RETURN.i32.slot0.axchg.compare.end @r0, @r2, r4, offset:0x0", VALHALL_STAGE_OTHER, 0, 1,
     "2 staging registers here, not 1" },
   { "LEA_BUFFER.slot0.end @r2, r4, r5", VALHALL_STAGE_OTHER, 0, 1, "2 staging registers" },
   { "TEX_FETCH.slot0.f.32.rgb.2d.end @r0:r1, @r4:r5, u0", VALHALL_STAGE_OTHER, 0, 1,
     "3 staging registers" },
   { "LD_VAR_BUF_IMM.f16.slot0.v4.src_f16.center.store.end @r0, r61, index:0x0",
     VALHALL_STAGE_FRAGMENT, 0, 1, "2 staging registers here, not 1" },
   { "BARRIER.slot0.wait\nNOP.end", VALHALL_STAGE_OTHER, 0, 1, "BARRIER signals slot 7" },
   { "BARRIER.slot7\nNOP.end", VALHALL_STAGE_OTHER, 0, 1, "BARRIER has the flow wait" },
   { "LOAD.i32.slot7.end @r0, r2, offset:0", VALHALL_STAGE_OTHER, 0, 1, "slot 7 is BARRIER's" },
   { "ICMP_OR.u32.gt.u1.end r0, r1, r2, r3", VALHALL_STAGE_OTHER, 0, 1, "the result u1" },
   { "CSEL.u32.total.end r0, r1, r2, r3, r4", VALHALL_STAGE_OTHER, 0, 1, "total is for floats" },
   { "LD_VAR_BUF_IMM.f32.slot0.src_flat16.center.store.end @r0, r61, index:0x0",
     VALHALL_STAGE_FRAGMENT, 0, 1, "src_flat16 is for 16-bit varyings" },
   { "LD_VAR_BUF_IMM.f16.slot0.src_flat32.center.store.end @r0, r61, index:0x0",
     VALHALL_STAGE_FRAGMENT, 0, 1, "src_flat32 is for 32-bit varyings" },
   { "MOV.i32.end r16, r0", VALHALL_STAGE_OTHER, 32, 1, "r0 to r15 and r48 to r63, not r16" },
   { "NOP.discard\nNOP.end", VALHALL_STAGE_OTHER, 0, 1,
     "the flow discard is for fragment shaders" },
   { "DISCARD.f32.eq.end r0, r1", VALHALL_STAGE_OTHER, 0, 1,
     "DISCARD.f32 is for fragment shaders" },
   { "MOV.i32 r0, r1", VALHALL_STAGE_OTHER, 0, 1, "it has no end" },
   { "BRANCHZ.reconverge r0, offset:5\nNOP.end", VALHALL_STAGE_OTHER, 0, 1,
     "the branch leaves the program: its target is instruction 6" },
   { "BRANCHZ.reconverge r0, offset:-2\nNOP.end", VALHALL_STAGE_OTHER, 0, 1,
     "its target is instruction -1" },
   { "LOAD.i32.slot1 @r0, r2, offset:0\nMOV.i32.end r1, r0", VALHALL_STAGE_OTHER, 0, 2,
     "r0 is used, but slot 1, which brings it, was not waited on" },
   { "LOAD.i32.slot1.wait0 @r0, r2, offset:0\nMOV.i32.end r1, r0", VALHALL_STAGE_OTHER, 0, 2,
     "slot 1" },
   { "LOAD.i32.slot0 @r0, r2, offset:0\nMOV.i32.end r0, r1", VALHALL_STAGE_OTHER, 0, 2, "slot 0" },
   { "BRANCHZ.reconverge r5, offset:2\nLOAD.i32.slot0 @r0, r2, offset:0\nNOP.reconverge\n"
     "MOV.i32.end r1, r0",
     VALHALL_STAGE_OTHER, 0, 4, "slot 0" },
   { "MOV.i32 r3, r0\nLOAD.i32.slot2 @r0, r2, offset:0\nBRANCHZ r4, offset:-3\nNOP.end",
     VALHALL_STAGE_OTHER, 0, 1, "slot 2" },
   { "ATEST.end @r60, r60, r3, atest_datum.w0", VALHALL_STAGE_FRAGMENT, 0, 1,
     "ATEST needs the flow wait0126 before it" },
   { "NOP.wait0126\nBLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0",
     VALHALL_STAGE_FRAGMENT, 0, 2, "BLEND needs the flow wait before it: slot 7" },
   { "BRANCHZ r0, offset:0\nNOP.end", VALHALL_STAGE_OTHER, 0, 1,
     "a branch that lanes may take differently has the flow reconverge" },
   { "BRANCHZ.reconverge r0, offset:1\nMOV.i32 r1, r2\nNOP.end", VALHALL_STAGE_OTHER, 0, 2,
     "instruction 2 is a divergent branch's target" },
   { "MOV.i32 r0, u0\nIADD.u32 r0.h1, r0, r1\nBRANCHZ r0, offset:0\nNOP.end", VALHALL_STAGE_OTHER,
     0, 3, "may take differently" },
   { "MOV.i32 r0, lane_id.w0\nBRANCHZ r0, offset:0\nNOP.end", VALHALL_STAGE_OTHER, 0, 2,
     "may take differently" },
   { "MOV.i32 r0, u0\nBRANCHZ.reconverge r1, offset:1\nMOV.i32.reconverge r0, u1\n"
     "BRANCHZ r0, offset:0\nNOP.end",
     VALHALL_STAGE_OTHER, 0, 4, "may take differently" },
   { "", VALHALL_STAGE_OTHER, 0, 0, "there is no program" },
   { ".word 0x8000c00000000000", VALHALL_STAGE_OTHER, 0, 1, "bit 63" },
};

static const struct {
   const char *text;
   enum valhall_stage stage;
} sound[] = {
   { "NOP.end", VALHALL_STAGE_OTHER },
   { "FADD.f32.end r0, u0, u1", VALHALL_STAGE_OTHER },
   { "SHADDX.u64.end r0, u0, r61.w0, shift:0x2", VALHALL_STAGE_OTHER },
   { "LOAD.i32.slot1.wait1 @r0, r2, offset:0\nMOV.i32.end r1, r0", VALHALL_STAGE_OTHER },
   { "LOAD.i32.slot1 @r0, r2, offset:0\nNOP.wait012\nMOV.i32.end r1, r0", VALHALL_STAGE_OTHER },
   { "BRANCHZ.reconverge r0, offset:1\nMOV.i32.reconverge r1, r2\nNOP.end", VALHALL_STAGE_OTHER },
   { "FCMP_OR.f32.ne.m1 r2, u2, 0x0, 0x0\nBRANCHZ.eq r2.h0, offset:1\nMOV.i32 r1, r3\nNOP.end",
     VALHALL_STAGE_OTHER },
   { "BRANCHZ 0xFFFFFFFF, offset:1\nLOAD.i32.slot0 @r0, r2, offset:0\nNOP.end",
     VALHALL_STAGE_OTHER },
   { "NOP.wait\nATEST @r60, r60, r3, atest_datum.w0\nNOP.wait0\n"
     "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0",
     VALHALL_STAGE_FRAGMENT },
   { "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0",
     VALHALL_STAGE_BLEND },
   { "ATOM1_RETURN.i32.slot0.ainc.end @, r50, offset:0x0", VALHALL_STAGE_OTHER },
};

static bool
validate(const char *text, enum valhall_stage stage, unsigned registers, struct isa_error *error)
{
   const struct valhall_limits limits = { registers, stage };
   size_t count;
   uint64_t *words = valhall_assemble(text, strlen(text), &count, error);
   bool ok = words && valhall_validate(words, count, &limits, error);
   if (!words)
      error->line = 0;
   free(words);
   return ok;
}

static void
test_broken(void **state)
{
   for (unsigned i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
      struct isa_error error = { 0 };
      if (validate(broken[i].text, broken[i].stage, broken[i].registers, &error))
         fail_msg("\"%s\" is valid", broken[i].text);
      if (!strstr(error.text, broken[i].rule) || error.line != broken[i].line) {
         fail_msg("\"%s\": line %u: %s (expected line %u: %s)", broken[i].text, error.line,
                  error.text, broken[i].line, broken[i].rule);
      }
   }
}

static void
test_sound(void **state)
{
   for (unsigned i = 0; i < sizeof(sound) / sizeof(*sound); i++) {
      struct isa_error error = { 0 };
      if (!validate(sound[i].text, sound[i].stage, 0, &error))
         fail_msg("\"%s\": line %u: %s", sound[i].text, error.line, error.text);
   }
}

/* What every case gives, and the two messages that no case can. */
static void
test_every_rule(void **state)
{
   enum { CASES = sizeof(broken) / sizeof(*broken) };
   static struct isa_error errors[CASES];
   const char *messages[CASES + 2] = { "no memory", "the program is longer than 0 instructions" };
   unsigned rules = 0;

   for (unsigned i = 0; i < CASES; i++) {
      validate(broken[i].text, broken[i].stage, broken[i].registers, &errors[i]);
      messages[i + 2] = errors[i].text;
   }
   for (unsigned i = 0; i < 2; i++) {
      unsigned missing;
      rules += rules_without_case(VALIDATOR_SOURCE, i ? "return isa_fail(" : "return FAIL(",
                                  messages, CASES + 2, &missing);
      assert_int_equal(missing, 0);
   }
   print_message("%u rules\n", rules);
   assert_true(rules >= 20);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_broken),
      cmocka_unit_test(test_sound),
      cmocka_unit_test(test_every_rule),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
