/* SPDX-License-Identifier: MIT */
/* The compiler's program as text: each kind of line, and the dump of a compilation. */
#include "ir_text.h"

#include "compiler/cayman/cayman_compile.h"
#include "il/il.h"

/* Each line as it is printed, but for its offset, which stands in a column. */
static void
line(const char *text)
{
   struct compiler *c = ir_begin(text);
   char *printed = ir_print(c);

   if (!strstr(printed, text))
      fail_msg("no \"%s\" in\n%s", text, printed);
   /* and what is printed can be read */
   struct compiler *again = ir_begin(printed);
   char *same = ir_print(again);
   assert_string_equal(same, printed);
   free(printed);
   free(same);
   ir_end(c);
   ir_end(again);
}

static void
alu(void **state)
{
   (void)state;
   line("%3 = MULADD_IEEE -%1, $2, CB3[17].w CLAMP");
   line("%3 = ADD*4 |%1|, -|%2|");
   line("%3 = ADD/2 1.5, -0.100000001");
   line("%3 = ADD 0x7FC00000, -0x3F800000"); /* no number; the sign is the operand's */
   line("%3 = ADD_INT 5, 0xFFFFFFFF");
   line("%3.x!:R5 = ADD %1.y, %2.z:R7");
   line("PRED_SETGT %1, 0.0 UPDATE_EXEC_MASK UPDATE_PRED {effect}");
   line("A0.x = MOVA_INT %1 {keep}");
   line("CF_IDX0 = MOVA_INT %1 {keep}");
   line("x0[3+AR].y = MOV x1[0].w {AR=%3, effect}");
   line("GROUP_BARRIER {barrier, keep}");
   line("x: %3 = DOT4_IEEE %1, %2 | y: DOT4_IEEE %1, %2 | z: DOT4_IEEE %1, %2 | w: DOT4_IEEE 0.0, "
        "0x80000000 {terms 3}");
   line("z: %3.z! = INTERP_LOAD_P0 Param2.z");
   line("%4 = MOV QA.pop.x {keep}");
   line("x: LDS_ADD_RET %1, 3, 0 {writes lds, keep}");
}

static void
others(void **state)
{
   (void)state;
   line("(%3 _ _ %4) = SAMPLE_L (%1 %2 0.0 1.0) RESOURCE_ID(18)");
   line("(%3 _ _ _) = VTX_FETCH (%1 _ _ _) BUFFER_ID(3)");
   line("(%3 _ _ _) = MEM_GDS.ADD_RET (%1 %2 0.0 _) {writes gds, keep}");
   line("(_ _ %3 _) = MEM_RD_SCRATCH (_ _ _ _) ELEM_SIZE(3) UNCACHED(1)");
   line("(_ _ _ _) = SET_GRADIENTS_H (%1 %1 0.0 0.0) | (%3 _ _ _) = SAMPLE_G (%1 %2 0.0 0.0)");
   line("(%3 _ _ _) = LD (%1 %1 0.0 0.0) RESOURCE_ID(18) {CF_IDX0=%2}");
   line("EXPORT_DONE (%1 _ 0.0 1.0) ARRAY_BASE(60) TYPE(1) {effect}");
   line("MEM_RAT.ADD_RTN (%1 %2 _ _) (%4 _ _ _) RAT_ID(3) COMP_MASK(15) MARK(1) {writes uav, "
        "effect}");
   line("EMIT_VERTEX (_ _ _ _) COUNT(2) {effect}");
}

/* Blocks, and what holds for all of the program. */
static void
structure(void **state)
{
   static const char text[] =
      "input %1.x:R0 %2.y:R0\n"
      "array x0[4].xw R1\n"
      "array x1[900] scratch 5\n"
      "tuple %3 %4\n"
      "block 0:\n"
      "   PRED_SETGT %1.x:R0, 0.0 {effect}                                     @1\n"
      "if                                                                      @2\n"
      "   block 1:\n"
      "   loop                                                                 @3\n"
      "      block 2:\n"
      "      break                                                             @4\n"
      "      block 3:\n"
      "   endloop                                                              @5\n"
      "   block 4:\n"
      "else                                                                    @6\n"
      "   block 5:\n"
      "endif                                                                   @7\n"
      "block 6:\n"
      "   EXPORT (%3 %4 _ _) {effect}                                          @8\n"
      "end                                                                     @9\n";
   struct compiler *c = ir_begin(text);
   char *printed = ir_print(c);

   (void)state;
   assert_string_equal(printed, text);
   free(printed);
   ir_end(c);
}

/* --- dumps ------------------------------------------------------------------------------------ */

static struct shader_code shader;

static bool
compile(const char *text, unsigned flags)
{
   struct il_error il_error;
   char error[300];
   struct il_program *il = il_parse(text, strlen(text), &il_error);

   shader_code_finish(&shader);
   if (!il)
      fail_msg("line %u:%u: %s", il_error.where, il_error.column, il_error.text);
   bool ok = cayman_compile(il, flags, &shader, error, sizeof(error));
   il_program_free(il);
   return ok;
}

/* The offset of each of these, one after the other. */
static void
in_order(const char *const *needles)
{
   const char *at = shader.ir;

   for (; *needles; needles++) {
      const char *found = strstr(at, *needles);
      if (!found)
         fail_msg("no \"%s\" in\n%s", *needles, at);
      at = found + strlen(*needles);
   }
}

#define PIXEL                                                         \
   "il_ps_2_0\ndcl_cb cb0[2]\ndcl_input_generic_interp(linear) v32\n" \
   "dcl_output_generic o0\n"

static void
dumps(void **state)
{
   static const char text[] =
      PIXEL "mul_ieee r0, v32, cb0[0]\nadd r1, r0, cb0[1]\nmov o0, r1\nend\n";
   static const char *const all[] = { "; after import\n",
                                      "; dcl_input_usage(generic)_interp(linear) v32\n",
                                      "INTERP_XY",
                                      "@1\n",
                                      "; mul_ieee r0, v32, cb0[0]\n",
                                      "MUL_IEEE",
                                      "@3\n",
                                      "; add r1, r0, cb0[1]\n",
                                      "ADD",
                                      "@4\n",
                                      "; after fold\n",
                                      "MULADD_IEEE",
                                      "@4\n",
                                      "; after drop_dead: no change\n",
                                      "; after simplify: no change\n",
                                      "; after coalesce: no change\n",
                                      "; after drop_dead: no change\n",
                                      "; after limit_constants: no change\n",
                                      "; after collect\n",
                                      "tuple",
                                      "; after schedule\n",
                                      "alu clause CB0[0-15]\n",
                                      "export clause\n",
                                      "; after allocate\n",
                                      ":R0",
                                      NULL };
   static const char *const unoptimized[] = { "; after import\n", "; after drop_dead: no change\n",
                                              "; after collect\n", NULL };

   (void)state;
   assert_true(compile(text, 0));
   assert_null(shader.ir);
   assert_true(compile(text, SHADER_COMPILE_PRINT_IR));
   in_order(all);
   assert_true(compile(text, SHADER_COMPILE_PRINT_IR | SHADER_COMPILE_NO_OPT));
   in_order(unoptimized);
   assert_null(strstr(shader.ir, "; after fold\n"));
}

/* The words are the same, printed or not. */
static void
same_words(void **state)
{
   static const char text[] = PIXEL "mul_ieee r0, v32, cb0[0]\nwhileloop\nbreak_logicalnz r0.x\n"
                                    "add r0, r0, cb0[1]\nendloop\nmov o0, r0\nend\n";
   struct shader_code first;

   (void)state;
   assert_true(compile(text, 0));
   first = shader;
   memset(&shader, 0, sizeof(shader));
   assert_true(compile(text, SHADER_COMPILE_PRINT_IR));
   assert_int_equal(shader.num_dwords, first.num_dwords);
   assert_memory_equal(shader.words, first.words, 4 * first.num_dwords);
   shader_code_finish(&first);
   shader_code_finish(&shader);
}

/* More than the few registers hold, in front of a loop. */
static const char *
too_much(const char *before)
{
   static char text[8192];

   strcpy(text, PIXEL);
   strcat(text, before);
   for (unsigned i = 0; i < 30; i++) {
      snprintf(text + strlen(text), sizeof(text) - strlen(text),
               "mul_ieee r%u, v32, v32.%s\nrsq_vec r%u, r%u\n", i, i % 2 ? "yzwx" : "wxyz", i,
               i ? i - 1 : 0);
   }
   strcat(text, "whileloop\nbreak_logicalnz r0.x\nmov r0.x, r0.y\nendloop\n");
   for (unsigned i = 1; i < 30; i++)
      snprintf(text + strlen(text), sizeof(text) - strlen(text), "add r0, r0, r%u\n", i);
   return strcat(text, "mov o0, r0\nend\n");
}

/* With spills, and of a program that is refused, up to where it is. */
static void
spills(void **state)
{
   static const char *const spilled[] = { "; after schedule\n", "; after spill\n", "MEM_WR_SCRATCH",
                                          "; after allocate\n", NULL };
   static const char *const refused[] = { "; after import\n", "; after schedule\n", NULL };

   (void)state;
   assert_true(compile(too_much(""), SHADER_COMPILE_FEW_GPRS | SHADER_COMPILE_PRINT_IR));
   in_order(spilled);
   /* scratch memory is full of the array */
   assert_false(
      compile(too_much("dcl_indexed_temp_array x0[4094]\nftoi r40.x, v32.x\nmov x0[r40.x], v32\n"
                       "mov r41, x0[r40.y]\n"),
              SHADER_COMPILE_FEW_GPRS | SHADER_COMPILE_PRINT_IR));
   in_order(refused);
   assert_null(strstr(shader.ir, "; after allocate\n"));
   assert_null(shader.words);
   shader_code_finish(&shader);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(alu),   cmocka_unit_test(others),     cmocka_unit_test(structure),
      cmocka_unit_test(dumps), cmocka_unit_test(same_words), cmocka_unit_test(spills),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
