/* SPDX-License-Identifier: MIT */
/*
 * The compiler's program as text: what SHADER_COMPILE_PRINT_IR asks for after each pass.
 *
 * A value is %n, a register of a vector %n.i, a register that was allocated r.  Modifiers stand in
 * the order of the instruction's row.
 */
#include "ir.h"

#include <stdarg.h>
#include <stdio.h>

static void __attribute__((format(printf, 2, 3))) put(struct isa_text *t, const char *format, ...)
{
   char line[128];
   va_list args;
   va_start(args, format);
   vsnprintf(line, sizeof(line), format, args);
   va_end(args);
   text_str(t, line);
}

static void
print_value(const struct vc *c, struct isa_text *t, uint32_t value, unsigned comp)
{
   put(t, "%%%u", value);
   if (c->values[value].size > 1)
      put(t, ".%u", comp);
   if (c->values[value].fixed)
      put(t, ":r%u", c->values[value].reg);
}

static void
print_operand(const struct vc *c, struct isa_text *t, const struct vc_operand *o)
{
   if (o->neg)
      text_char(t, '-');
   if (o->invert)
      text_char(t, '~');
   if (o->abs)
      text_char(t, '|');
   switch (o->kind) {
   case VC_VALUE:
      print_value(c, t, o->value, o->comp);
      break;
   case VC_CONST:
      put(t, "0x%x", o->value);
      break;
   case VC_UNIFORM:
      put(t, "u%u", o->value);
      break;
   case VC_SPECIAL:
      put(t, "special%u.%u.%u", o->page, o->value, o->comp);
      break;
   default:
      text_char(t, '_');
      break;
   }
   if (o->abs)
      text_char(t, '|');
   if (o->select)
      put(t, ".s%u", o->select);
}

static void
print_inst(const struct vc *c, struct isa_text *t, const struct vc_inst *inst)
{
   const struct valhall_info *info = inst->op < VALHALL_OP_COUNT ? valhall_info(inst->op) : NULL;

   text_str(t, "   ");
   if (inst->dest) {
      print_value(c, t, inst->dest, inst->dest_comp);
      text_str(t, " = ");
   }
   text_str(t, info ? info->name : inst->op == VC_PHI ? "PHI" : "COLLECT");
   for (unsigned n = 0; info && n < info->num_mod; n++) {
      const struct valhall_mod_info *mod = valhall_mod_info(info->mod[n]);
      const struct valhall_value_info *value =
         mod->en == VALHALL_ENUM_FLAG ? NULL : valhall_value(mod->en, inst->mod[n]);
      if (mod->en == VALHALL_ENUM_FLAG && inst->mod[n])
         put(t, ".%s", mod->name);
      else if (value && !value->standard && info->mod[n] != VALHALL_MOD_SLOT)
         put(t, ".%s", value->name);
   }
   for (unsigned n = 0; info && n < info->num_src; n++) {
      text_str(t, n ? ", " : " ");
      print_operand(c, t, &inst->src[n]);
   }
   for (uint32_t n = 0; n < inst->num_list; n++) {
      text_str(t, n ? ", " : " ");
      print_operand(c, t, &inst->list[n]);
   }
   if (inst->staging)
      put(t, ", @%%%u", inst->staging);
   for (unsigned n = 0; info && n < info->num_imm; n++)
      put(t, ", %s:%d", info->imm[n].name, (int)inst->imm[n]);
   text_char(t, '\n');
}

void
vc_print(const struct vc *c, struct isa_text *t)
{
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      const struct vc_block *b = &c->blocks[n];
      put(t, "block %u:\n", n);
      for (uint32_t i = 0; i < b->num_insts; i++)
         print_inst(c, t, b->insts[i]);
      if (b->jumps && b->cond.kind) {
         text_str(t, b->eq ? "   unless " : "   if ");
         print_operand(c, t, &b->cond);
         put(t, " block %u\n", b->target);
      } else if (b->jumps) {
         put(t, "   goto block %u\n", b->target);
      }
   }
}

void
vc_print_after(struct vc *c, const char *pass)
{
   if (!(c->flags & SHADER_COMPILE_PRINT_IR))
      return;
   put(&c->dump, "; after %s\n", pass);
   vc_print(c, &c->dump);
}
