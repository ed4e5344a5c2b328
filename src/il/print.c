/* SPDX-License-Identifier: MIT */
/* Programs as canonical IL text (chapter 3, the syntax lines of chapter 7).
 *
 *   op[_prec[(mask)]][_ext][fields][_shift][_sat] dst, src, ..., data
 *
 * Whatever a stream may hold is printed: control bits without a field as _ctl(0x..), modifier
 * dwords without one as _pri/_sec.  Literals are printed as the bits they are, with their float
 * value in a comment.
 */
#include "fields.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct out {
   char *buf;
   size_t size, len; /* len may exceed size: what would have been written */
};

static void emit(struct out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void
emit(struct out *o, const char *fmt, ...)
{
   va_list ap;
   va_start(ap, fmt);
   int n = vsnprintf(o->len < o->size ? o->buf + o->len : NULL,
                     o->len < o->size ? o->size - o->len : 0, fmt, ap);
   va_end(ap);
   if (n > 0)
      o->len += (size_t)n;
}

static const char *
name_of(const struct il_name *names, unsigned value)
{
   for (; names && names->text; names++)
      if (names->value == value)
         return names->text;
   return NULL;
}

static void
print_value(struct out *o, const struct il_name *names, unsigned value)
{
   const char *text = name_of(names, value);
   if (text)
      emit(o, "%s", text);
   else
      emit(o, "%u", value);
}

/* ---------------------------------------------------------------------------------- operands -- */

static void print_src(struct out *o, const struct il_program *p, const struct il_src *s);

/* Five register types are called v... where they are read and o... where they are written. */
static void
print_reg_name(struct out *o, const struct il_program *p, unsigned type)
{
   const struct il_reg_info *info = il_reg_info(type);
   bool both = info->access == IL_ACCESS_RW && info->name[0] == 'v' && type >= IL_REGTYPE_INTERP &&
               type <= IL_REGTYPE_SECCOLOR;
   if (both && p->shader == IL_SHADER_VERTEX)
      emit(o, "o%s", info->name + 1);
   else
      emit(o, "%s", info->name);
}

/* [index+number]; an array's element may be the index alone, which then stands without a number. */
static void
print_bracket(struct out *o, const struct il_program *p, const struct il_ref *r, bool has_number,
              uint32_t number)
{
   bool has_index = true;
   emit(o, "[");
   if (r->rel == IL_ADDR_RELATIVE) {
      static const char comps[8] = "xyzw01??";
      if (r->rel_addr >> 16 & 1)
         emit(o, "aL");
      else
         emit(o, "a%u.%c", r->rel_addr & 0xffff, comps[r->rel_addr >> 17 & 7]);
   } else if (r->rel == IL_ADDR_REG_RELATIVE && r->index) {
      print_src(o, p, r->index);
   } else {
      has_index = false;
   }
   if (!has_index)
      emit(o, "%u]", number);
   else if (has_number)
      emit(o, "+%u]", number);
   else
      emit(o, "]");
}

static void
print_ref(struct out *o, const struct il_program *p, const struct il_ref *r,
          const struct il_ref *dim2)
{
   const struct il_reg_info *reg = il_reg_info(r->type);
   if (!reg) {
      emit(o, "?%u", r->type); /* built by hand; the validator prints what it refuses */
      return;
   }
   unsigned form = reg->form;
   print_reg_name(o, p, r->type);
   if (r->has_imm || (r->rel && (form == IL_FORM_ARRAY || form == IL_FORM_MEM))) {
      if (r->num || !(form == IL_FORM_MEM || form == IL_FORM_BARE || form == IL_FORM_PAIR || dim2))
         emit(o, "%u", r->num);
      print_bracket(o, p, r, r->has_imm, r->imm);
   } else if (r->rel || dim2) {
      print_bracket(o, p, r, true, r->num);
   } else if (form != IL_FORM_BARE || r->num) {
      emit(o, "%u", r->num);
   }
   if (dim2)
      print_bracket(o, p, dim2, true, dim2->has_imm ? dim2->imm : dim2->num);
}

static void
print_src(struct out *o, const struct il_program *p, const struct il_src *s)
{
   static const char sel[8] = "xyzw01??";
   print_ref(o, p, &s->r, s->dim2);
   if (!s->has_mod)
      return;
   bool same = s->swz[0] == s->swz[1] && s->swz[0] == s->swz[2] && s->swz[0] == s->swz[3];
   emit(o, ".");
   for (unsigned c = 0; c < (same ? 1 : 4); c++)
      emit(o, "%c", sel[s->swz[c] & 7]);
   if (s->flags & IL_SRC_INVERT)
      emit(o, "_invert");
   if (s->flags & IL_SRC_BIAS)
      emit(o, "_bias");
   if (s->flags & IL_SRC_X2)
      emit(o, "_x2");
   if (s->flags & IL_SRC_SIGN)
      emit(o, "_sign");
   if (s->divcomp) {
#define X(m, v, t) [v] = t,
      static const char *const divcomp[] = { IL_DIVCOMP_LIST(X) };
#undef X
      emit(o, "_divcomp(%s)", s->divcomp <= IL_DIVCOMP_UNKNOWN ? divcomp[s->divcomp] : "?");
   }
   if (s->flags & IL_SRC_ABS)
      emit(o, "_abs");
   if (s->neg) {
      emit(o, "_neg(");
      for (unsigned c = 0; c < 4; c++)
         if (s->neg >> c & 1)
            emit(o, "%c", sel[c]);
      emit(o, ")");
   }
   if (s->flags & IL_SRC_CLAMP)
      emit(o, "_clamp");
}

static void
print_shift_and_sat(struct out *o, const struct il_dst *d)
{
#define X(m, v, t) [v] = t,
   static const char *const shift[] = { IL_SHIFT_LIST(X) };
#undef X
   if (!d->has_mod)
      return;
   if (d->shift && d->shift <= IL_SHIFT_D8)
      emit(o, "_%s", shift[d->shift]);
   if (d->clamp)
      emit(o, "_sat");
}

/* `own`: scale and saturation stand with it, not with the instruction, of a macro call's many. */
static void
print_dst(struct out *o, const struct il_program *p, const struct il_dst *d, bool own)
{
   print_ref(o, p, &d->r, d->dim2);
   if (!d->has_mod)
      return;
   if (own)
      print_shift_and_sat(o, d);
   emit(o, ".");
   for (unsigned c = 0; c < 4; c++)
      emit(o, "%c", d->comp[c] == IL_MODCOMP_WRITE ? "xyzw"[c] : "_?01"[d->comp[c] & 3]);
}

/* ------------------------------------------------------------------------------------ fields -- */

static uint32_t
mask_of(const struct il_field *f)
{
   return (uint32_t)(((uint64_t)1 << f->width) - 1) << f->shift;
}

/* Prints the suffixes and gives back which bits they cover. */
static void
print_fields(struct out *o, const struct il_inst *inst, const struct il_field *f,
             uint32_t covered[3])
{
   const uint32_t words[3] = { inst->ctl, inst->pri, inst->ndata ? inst->data[0] : 0 };
   for (; f->name; f++) {
      uint32_t v = (words[f->where] & mask_of(f)) >> f->shift;
      covered[f->where] |= mask_of(f);
      if (f->form == IL_FIELD_OPERAND || (f->omit_zero && !v))
         continue;
      switch (f->form) {
      case IL_FIELD_FLAG:
         emit(o, "_%s", f->name);
         break;
      case IL_FIELD_PAREN:
         emit(o, "(");
         print_value(o, f->names, v);
         emit(o, ")");
         break;
      case IL_FIELD_SUFFIX:
         emit(o, "_");
         print_value(o, f->names, v);
         break;
      default:
         emit(o, "_%s(", f->name);
         print_value(o, f->names, v);
         if (inst->op == IL_OP_DCL_RESOURCE && f->names == il_names_pixtex &&
             il_resource_unnorm(inst))
            emit(o, ",unnorm");
         emit(o, ")");
      }
   }
}

static bool
pri_printed(const struct il_inst *inst, const struct il_field *f)
{
   for (; f->name; f++)
      if (f->where == IL_IN_PRI && (inst->pri & mask_of(f)))
         return true;
   return false;
}

/* -------------------------------------------------------------------------------------- data -- */

static void
print_words(struct out *o, const struct il_inst *inst, uint32_t first, const char *lead)
{
   for (uint32_t i = first; i < inst->ndata; i++) {
      emit(o, "%s0x%08X", lead, inst->data[i]);
      lead = ", ";
   }
}

static void
print_float_comment(struct out *o, const struct il_inst *inst)
{
   emit(o, " ;");
   for (uint32_t i = 0; i < inst->ndata; i++) {
      float f;
      memcpy(&f, &inst->data[i], 4);
      emit(o, " %g", f);
   }
}

static void
print_data(struct out *o, const struct il_op_info *info, const struct il_inst *inst, bool any)
{
   const char *lead = any ? ", " : " ";
   switch (info->data) {
   case IL_DATA_NONE:
   case IL_DATA_FORMATS:
   case IL_DATA_MACRODEF:
   case IL_DATA_MACROCALL:
      break;
   case IL_DATA_WORD:
   case IL_DATA_WORD2:
   case IL_DATA_BOOL:
   case IL_DATA_LABEL:
   case IL_DATA_DIMS:
      for (uint32_t i = 0; i < inst->ndata; i++) {
         emit(o, "%s%u", lead, inst->data[i]);
         lead = ", ";
      }
      break;
   case IL_DATA_FLOAT:
   case IL_DATA_FLOAT4:
   case IL_DATA_BITS4:
      print_words(o, inst, 0, lead);
      print_float_comment(o, inst);
      break;
   case IL_DATA_STRING:
   case IL_DATA_BLOB:
      print_words(o, inst, 0, lead);
      break;
   case IL_DATA_TABLE:
      emit(o, " = {");
      for (uint32_t i = 1; i < inst->ndata; i++)
         emit(o, "%s%u", i > 1 ? ", " : "", inst->data[i]);
      emit(o, "}");
      break;
   case IL_DATA_INTERFACE:
      if (inst->ndata < 3)
         break;
      emit(o, "[%u][%u] = {", inst->data[0], inst->data[1]);
      for (uint32_t i = 3; i < inst->ndata; i++)
         emit(o, "%s%u", i > 3 ? ", " : "", inst->data[i]);
      emit(o, "}");
      break;
   case IL_DATA_DCL_CB:
      if (il_immediate(inst)) {
         emit(o, " icb[%u]", inst->ndata ? inst->data[0] : 0);
         print_words(o, inst, 1, ", ");
      }
      break;
   }
}

/* ------------------------------------------------------------------------------ instructions -- */

static void
print_global_flags(struct out *o, const struct il_inst *inst)
{
#define X(m, v, t) t,
   static const char *const flags[] = { IL_GLOBAL_FLAG_LIST(X) };
#undef X
   const char *lead = " ";
   for (unsigned i = 0; i < 4; i++)
      if (il_global_flags(inst) >> i & 1) {
         emit(o, "%s%s", lead, flags[i]);
         lead = "|";
      }
}

static void
print_prefix(struct out *o, const struct il_inst *inst, const struct il_field *fields)
{
   if (!inst->has_prefix)
      return;
   emit(o, "_prec");
   if ((inst->prefix & 15) == 15 && !(fields->name && fields->form == IL_FIELD_PAREN))
      return; /* in front of another bracket the mask is said */
   emit(o, "(");
   for (unsigned c = 0; c < 4; c++)
      if (inst->prefix >> c & 1)
         emit(o, "%c", "xyzw"[c]);
   emit(o, ")");
}

static void
print_operands(struct out *o, const struct il_program *p, const struct il_op_info *info,
               const struct il_inst *inst, const struct il_field *fields)
{
   const char *lead = " ";
   bool call = info->data == IL_DATA_MACROCALL;
   for (const struct il_field *f = fields; f->name; f++)
      if (f->form == IL_FIELD_OPERAND) {
         emit(o, "%s%s", lead, f->name);
         print_value(o, f->names, (inst->ctl & mask_of(f)) >> f->shift);
         lead = ", ";
      }
   if (call)
      emit(o, " (");
   for (unsigned i = 0; i < inst->ndst; i++) {
      emit(o, "%s", call && !i ? "" : lead);
      print_dst(o, p, &inst->dst[i], call);
      lead = ", ";
   }
   if (call)
      emit(o, "), (");
   for (unsigned i = 0; i < inst->nsrc; i++) {
      emit(o, "%s", call && !i ? "" : lead);
      print_src(o, p, &inst->src[i]);
      lead = ", ";
   }
   if (call)
      emit(o, ")");
   print_data(o, info, inst, lead[0] == ',');
}

static void
print_inst(struct out *o, const struct il_program *p, const struct il_inst *inst)
{
   const struct il_op_info *info = il_op_info(inst->op);
   if (!info) {
      emit(o, "; opcode %u does not exist", inst->op);
      return;
   }
   const struct il_field *fields = il_fields(info->ctl, inst->op);
   uint32_t covered[3] = { il_structural_bits(info->ctl), 0, 0 };

   if (info->name[0])
      emit(o, "%s", info->name);
   else
      emit(o, "op%u", inst->op);
   print_prefix(o, inst, fields);
   if (il_indexed(inst) && (il_structural_bits(info->ctl) & 0x1000))
      emit(o, "_ext");
   print_fields(o, inst, fields, covered);
   if (il_inst_has_restype(info, inst)) {
      emit(o, "_resourcetype(");
      print_value(o, il_names_pixtex, inst->restype);
      emit(o, ")");
   }
   if (il_inst_has_aoff(info, inst)) {
      emit(o, "_aoffimmi(");
      for (unsigned i = 0; i < 3; i++) {
         int half = (int8_t)(inst->aoff >> (8 * i));
         emit(o, "%s%s%d%s", i ? "," : "", half < 0 ? "-" : "", abs(half) / 2,
              half & 1 ? ".5" : "");
      }
      if (inst->aoff >> 24)
         emit(o, ",0x%X", inst->aoff >> 24);
      emit(o, ")");
   }
   if (il_inst_has_pri(info, inst) &&
       ((inst->pri & ~covered[IL_IN_PRI]) || !pri_printed(inst, fields)))
      emit(o, "_pri(0x%X)", inst->pri & ~covered[IL_IN_PRI]);
   if (il_inst_has_sec(info, inst))
      emit(o, "_sec(0x%X)", inst->sec);
   if (inst->ctl & ~covered[IL_IN_CTL] & 0xffff)
      emit(o, "_ctl(0x%X)", inst->ctl & ~covered[IL_IN_CTL] & 0xffff);
   if (covered[IL_IN_DATA] && inst->ndata && (inst->data[0] & ~covered[IL_IN_DATA]))
      emit(o, "_data(0x%X)", inst->data[0] & ~covered[IL_IN_DATA]);
   if (inst->ndst && info->data != IL_DATA_MACROCALL)
      print_shift_and_sat(o, &inst->dst[0]);
   if (info->ctl == IL_CTL_GLOBAL_FLAGS)
      print_global_flags(o, inst);
   print_operands(o, p, info, inst, fields);
}

size_t
il_print_inst(const struct il_program *p, const struct il_inst *inst, char *buf, size_t size)
{
   struct out o = { buf, size, 0 };
   if (size)
      buf[0] = 0;
   print_inst(&o, p, inst);
   return o.len;
}

static bool
opens(unsigned op)
{
   switch (op) {
   case IL_OP_IFC:
   case IL_OP_IFNZ:
   case IL_OP_IF_LOGICALZ:
   case IL_OP_IF_LOGICALNZ:
   case IL_OP_LOOP:
   case IL_OP_WHILE:
   case IL_OP_SWITCH:
   case IL_OP_FUNC:
   case IL_OP_MACRODEF:
   case IL_OP_HS_CP_PHASE:
   case IL_OP_HS_FORK_PHASE:
   case IL_OP_HS_JOIN_PHASE:
      return true;
   default:
      return false;
   }
}

static bool
closes(unsigned op)
{
   switch (op) {
   case IL_OP_ENDIF:
   case IL_OP_ENDLOOP:
   case IL_OP_ENDSWITCH:
   case IL_OP_ENDFUNC:
   case IL_OP_MACROEND:
   case IL_OP_ENDPHASE:
      return true;
   default:
      return false;
   }
}

/* What stands outside of subroutines, which may end without a word of their own (7.4). */
static bool
outermost(unsigned op)
{
   return op == IL_OP_FUNC || op == IL_OP_ENDMAIN || op == IL_OP_END;
}

static bool
outdented(unsigned op)
{
   return op == IL_OP_ELSE || op == IL_OP_CASE || op == IL_OP_DEFAULT;
}

static void
print_program(struct out *o, const struct il_program *p)
{
   unsigned depth = 0;
   for (uint32_t i = 0; i <= p->ninsts; i++) {
      if (i == p->first_main) {
#define X(m, v, t) [v] = t,
         static const char *const shader[] = { IL_SHADER_LIST(X) };
#undef X
         emit(o, "%s_%u_%u%s%s\n", p->shader <= IL_SHADER_DOMAIN ? shader[p->shader] : "il_unknown",
              p->major, p->minor, p->multipass ? "_mp" : "", p->realtime ? "_rt" : "");
      }
      if (i == p->ninsts)
         break;
      unsigned op = p->insts[i].op;
      if (outermost(op))
         depth = 0;
      else if (closes(op) && depth)
         depth--;
      unsigned indent = outdented(op) && depth ? depth - 1 : depth;
      for (unsigned d = 0; d < indent && d < 40; d++)
         emit(o, "   ");
      print_inst(o, p, &p->insts[i]);
      emit(o, "\n");
      depth += opens(op);
   }
}

char *
il_print(const struct il_program *p)
{
   size_t size = 256 + (size_t)p->ninsts * 64;
   for (;;) {
      char *buf = malloc(size);
      if (!buf)
         return NULL;
      struct out o = { buf, size, 0 };
      buf[0] = 0;
      print_program(&o, p);
      if (o.len < size)
         return buf;
      free(buf);
      size = o.len + 1;
   }
}
