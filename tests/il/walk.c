/* SPDX-License-Identifier: MIT */
/* What the walk over a program calls a target for, of masks and of jumps. */
#include "common.h"

#include "il/walk.h"

struct target {
   const struct il_program *il;
   struct il_walk walk;
   char text[400]; /* of the calls */
   uint32_t named; /* names that have been given */
   bool refused;
};

static void __attribute__((format(printf, 2, 3))) say(struct target *t, const char *format, ...)
{
   const size_t length = strlen(t->text);
   va_list args;

   va_start(args, format);
   vsnprintf(t->text + length, sizeof(t->text) - length, format, args);
   va_end(args);
}

static bool
go_to(void *data, uint32_t pos)
{
   struct target *t = data;
   return !t->refused && pos < t->il->ninsts;
}

/* Says how many blocks are open around it; there are no operations on doubles. */
static bool
instruction(void *data, const struct il_inst *inst, enum il_unit unit)
{
   struct target *t = data;

   if (unit == IL_UNIT_WIDE)
      return false;
   say(t, "%s@%u ", il_op_info(inst->op)->name, t->walk.depth);
   return true;
}

static void
refuse(void *data, const char *what)
{
   struct target *t = data;

   say(t, "!%s", what);
   t->refused = true;
}

static uint32_t
begin_if(void *data, const struct il_inst *inst)
{
   struct target *t = data;

   (void)inst;
   say(t, "if%u@%u ", ++t->named, t->walk.depth);
   return t->named;
}

static uint32_t
begin_else(void *data, uint32_t at)
{
   struct target *t = data;

   say(t, "else%u=%u ", at, ++t->named);
   return t->named;
}

static void
end_if(void *data, uint32_t at)
{
   say(data, "endif%u ", at);
}

static uint32_t
begin_loop(void *data, enum il_flow kind)
{
   struct target *t = data;

   say(t, "%s%u ", kind == IL_FLOW_LOOP ? "loop" : "switchloop", ++t->named);
   return t->named;
}

static void
end_loop(void *data, uint32_t at)
{
   say(data, "endloop%u ", at);
}

static void
leave(void *data, uint32_t at, bool go_on, const struct il_inst *inst)
{
   say(data, "%s%u%s ", go_on ? "continue" : "break", at,
       inst && il_op_info(inst->op)->test != IL_TEST_NONE ? "?" : "");
}

static void
begin_switch(void *data, struct il_block *b, const struct il_inst *inst)
{
   struct target *t = data;
   const struct il_inst *label;
   uint32_t at = b->pos;

   (void)inst;
   b->matched = 100;
   b->continued = 101;
   b->at = ++t->named;
   say(t, "switch(");
   while ((label = il_next_label(t->il, &at)))
      say(t, label->op == IL_OP_DEFAULT ? "default " : "%u ", il_label_value(label));
   say(t, ")to %u ", il_block_end(t->il, b->pos));
}

static void
label(void *data, const struct il_block *b, const struct il_inst *inst)
{
   say(data, "label%u:%u ", b->at, inst->op == IL_OP_DEFAULT ? 99 : il_label_value(inst));
}

static void
end_switch(void *data, uint32_t at)
{
   say(data, "endswitch%u ", at);
}

static void
add(void *data, uint32_t lanes)
{
   say(data, "add%u ", lanes);
}

static uint32_t
begin_if_in(void *data, uint32_t lanes)
{
   struct target *t = data;

   say(t, "if%u(%u) ", ++t->named, lanes);
   return t->named;
}

static const struct il_masks masks = { add, begin_if_in };

/* What the target of jumps is called for, and that of masks; one that ends says so. */
static void
calls(const char *body, const char *jumps, const char *of_masks)
{
   struct il_flow_to flow = { begin_if, begin_else,   end_if, begin_loop, end_loop,
                              leave,    begin_switch, label,  end_switch, NULL };
   struct il_error err;
   char program[600];

   snprintf(program, sizeof(program), "il_cs_2_0\n%s\n", body);
   struct il_program *p = il_parse(program, strlen(program), &err);
   assert_non_null(p);
   for (unsigned n = 0; n < 2; n++) {
      struct target t = { .il = p };
      const struct il_walk_to to = { &t, go_to, instruction, refuse, &flow };
      flow.masks = n ? &masks : NULL;
      if (il_walk(&t.walk, p, &to))
         say(&t, "end");
      assert_string_equal(t.text, n ? of_masks : jumps);
   }
   il_program_free(p);
}

static void
blocks(void **state)
{
   calls("if_logicalnz r0.x\nmov r0, r1\nelse\nendif\nret\nmov r0, r1\nend",
         "if1@0 mov@1 else1=2 endif2 end", "if1@0 mov@1 else1=2 endif2 end");
   calls("whileloop\nbreak\nbreak_logicalz r0.x\nif_logicalz r0.x\ncontinue\nendif\nendloop\nend",
         "loop1 break1 break1? if2@1 continue1 endif2 endloop1 end",
         "loop1 break1 if2@1 break1 endif2 if3@1 continue1 endif3 endloop1 end");
}

static void
switches(void **state)
{
   calls("switch r0.x\ncase 4\ncase 5\nmov r0, r1\nbreak\ndefault\nswitch r0.y\ncase 1\n"
         "endswitch\nendswitch\nend",
         "switch(4 5 default )to 9 label1:4 label1:5 mov@1 break1 label1:99 switch(1 )to 8 "
         "label2:1 endswitch2 endswitch1 end",
         "switch(4 5 default )to 9 switchloop2 label2:4 if3(100) endif3 label2:5 if4(100) mov@1 "
         "break2 endif4 label2:99 if5(100) switch(1 )to 8 switchloop7 label7:1 if8(100) endif8 "
         "break7 endloop7 endif5 break2 endloop2 end");
   calls("whileloop\nswitch r0.x\ncase 1\ncontinue\nendswitch\nendloop\nend",
         "loop1 switch(1 )to 4 label2:1 continue1 endswitch2 endloop1 end",
         "loop1 switch(1 )to 4 switchloop3 label3:1 if4(100) add101 break3 endif4 break3 "
         "endloop3 if5(101) continue1 endif5 endloop1 end");
}

static void
same(const char *body, const char *text)
{
   calls(body, text, text);
}

static void
refusals(void **state)
{
   same("endif\nend", "!a part of a block that is not open");
   same("whileloop\nendif\nend", "loop1 !a part of a block that is not open");
   same("if_logicalz r0.x\nelse\nelse\nend", "if1@0 else1=2 !a second elseelse2=3 ");
   same("case 1\nend", "!a part of a block that is not open");
   same("if_logicalz r0.x\nbreak\nendif\nend", "if1@0 !a break or continue outside a loop");
   same("whileloop\nret_dyn\nend", "loop1 !an end inside a blockend");
   same("whileloop\nend", "loop1 !an end inside a blockend");
   same("dadd r0.xy, r0, r0\nend", "!this instruction");
}

static void
no_end(void **state)
{
   struct il_program *p = il_program_new(IL_SHADER_COMPUTE);
   struct target t = { .il = p };
   const struct il_walk_to to = { &t, go_to, instruction, refuse, NULL };

   il_emit(p, IL_OP_DISCARD_LOGICALNZ, 0, NULL, 0, NULL);
   assert_false(il_walk(&t.walk, p, &to));
   assert_string_equal(t.text, "!an operand is missing");
   il_program_free(p);
}

/* As many as there may be, and one more. */
static void
nesting(void **state)
{
   for (unsigned over = 0; over < 2; over++) {
      struct il_flow_to flow = { .begin_if = begin_if, .end_if = end_if };
      struct target *t = calloc(1, sizeof(*t));
      struct il_program *p = il_program_new(IL_SHADER_COMPUTE);
      struct il_src x = il_replicate(il_src(IL_REGTYPE_TEMP, 0), 0);
      const struct il_walk_to to = { t, go_to, instruction, refuse, &flow };
      for (unsigned n = 0; n < IL_MAX_DEPTH + over; n++)
         il_emit(p, IL_OP_IF_LOGICALZ, 0, NULL, 1, &x);
      for (unsigned n = 0; n < IL_MAX_DEPTH + over; n++)
         il_emit(p, IL_OP_ENDIF, 0, NULL, 0, NULL);
      il_emit(p, IL_OP_END, 0, NULL, 0, NULL);
      t->il = p;
      assert_int_equal(il_walk(&t->walk, p, &to), !over);
      assert_int_equal(t->refused, over);
      il_program_free(p);
      free(t);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks), cmocka_unit_test(switches), cmocka_unit_test(refusals),
      cmocka_unit_test(no_end), cmocka_unit_test(nesting),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
