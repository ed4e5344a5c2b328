/* SPDX-License-Identifier: MIT */
/*
 * The rules a program must obey, by name and section.  What a back end relies on is checked here:
 * structure, declarations before use, operand kinds, enumerants in range.
 *
 * - end, structure: one END, last; if, loop, switch and func nest; a func ends with RET or ENDFUNC
 *   (4.1, 7.4)
 *
 * - stage, model: opcode and registers exist in this stage; the sets of shader models 3 and 4
 *   exclude each other (C)
 *
 * - enumerant: control fields hold members of their enumeration (6)
 *
 * - access: no write to a read-only register, no read of a write-only one (5)
 *
 * - modifier: float modifiers on float operands only (2.2.7, Table 2.10)
 *
 * - index: one component, one level (2.2.6)
 *
 * - declared: literals, arrays, buffers, resources, inputs and outputs before use (7.5)
 *
 * - range: element numbers inside what was declared (7.5)
 *
 * - extension: x_* opcodes and cb15 only after dcl_x_version, never under 2.4, and so UAVs, global
 *   data and fences in other stages than the pixel and the compute shader; vpc and fence in a hull
 *   shader only after dcl_x_flat_hs
 */
#include "conventions.h"
#include "fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ARRAYS 4096

/* A set of numbers below 65536, as large as those in it need: programs have few of them, and a
 * driver validates each one. */
struct map {
   uint8_t *bits;
   uint32_t bytes;
};

struct checker {
   const struct il_program *p;
   struct il_error *err;
   enum il_standard std;
   uint32_t at;
   bool extended; /* dcl_x_version was seen */
   bool flat;     /* dcl_x_flat_hs was seen */
   bool sm30, sm40;
   uint32_t depth;
   uint8_t open[IL_MAX_DEPTH]; /* il_flow of what opened the blocks */
   bool had_else[IL_MAX_DEPTH];
   bool after_main;
   bool returned; /* the last func ended with RET; up to ENDFUNC nothing is executed */
   struct map literal, input, output;
   struct map vertex_input; /* v[vertex][n] */
   uint32_t *array_size;
   uint32_t num_arrays; /* of which there is a size, or 0 */
   uint32_t cb_size[IL_LAST_CB + 1];
   uint32_t icb_size;
   bool resource[256];
};

static bool
broken(struct checker *c, const char *rule, const char *what)
{
   char text[160] = "";
   if (c->at < c->p->ninsts)
      il_print_inst(c->p, &c->p->insts[c->at], text, 100);
   return il_fail(c->err, c->at, 0, "%s: %s: %.90s", rule, what, text);
}

static bool
bit(const struct map *map, uint32_t n)
{
   return n / 8 < map->bytes && (map->bits[n / 8] >> (n % 8) & 1);
}

static bool
set_bits(struct checker *c, struct map *map, uint32_t n, uint32_t count)
{
   const uint32_t end = n >= 65536 ? n : count < 65536 - n ? n + count : 65536;

   if (end > n && (end - 1) / 8 >= map->bytes) {
      uint32_t bytes = map->bytes ? map->bytes : 16;
      while ((end - 1) / 8 >= bytes)
         bytes *= 2;
      uint8_t *bits = realloc(map->bits, bytes);
      if (!bits)
         return il_fail(c->err, c->at, 0, "out of memory");
      memset(bits + map->bytes, 0, bytes - map->bytes);
      map->bits = bits;
      map->bytes = bytes;
   }
   for (uint32_t i = n; i < end; i++)
      map->bits[i / 8] |= 1 << (i % 8);
   return true;
}

static uint32_t
array_size(const struct checker *c, uint32_t n)
{
   return n < c->num_arrays ? c->array_size[n] : 0;
}

static bool
set_array_size(struct checker *c, uint32_t n, uint32_t size)
{
   if (n >= c->num_arrays) {
      uint32_t count = c->num_arrays ? c->num_arrays : 8;
      while (n >= count)
         count *= 2;
      uint32_t *sizes = realloc(c->array_size, count * sizeof(*sizes));
      if (!sizes)
         return il_fail(c->err, c->at, 0, "out of memory");
      memset(sizes + c->num_arrays, 0, (count - c->num_arrays) * sizeof(*sizes));
      c->array_size = sizes;
      c->num_arrays = count;
   }
   c->array_size[n] = size;
   return true;
}

/* ---------------------------------------------------------------------------------- operands -- */

static bool
check_element(struct checker *c, const struct il_ref *r)
{
   uint32_t size;
   switch (r->type) {
   case IL_REGTYPE_LITERAL:
      return bit(&c->literal, r->num) ||
             broken(c, "declared", "literal without dcl_literal (7-39)");
   case IL_REGTYPE_ITEMP:
      size = array_size(c, r->num);
      if (!size)
         return broken(c, "declared", "array without dcl_indexed_temp_array (7-34)");
      break;
   case IL_REGTYPE_CONST_BUFF:
      if (r->num >= IL_DRIVER_CB && !c->extended)
         return broken(c, "extension", "cb15 and cb16 need dcl_x_version");
      size = r->num <= IL_LAST_CB ? c->cb_size[r->num] : 0;
      if (!size)
         return broken(c, "declared", "constant buffer without dcl_cb (7-32)");
      break;
   case IL_REGTYPE_IMMED_CONST_BUFF:
      size = c->icb_size;
      if (!size)
         return broken(c, "declared", "icb without data (7-32)");
      break;
   default:
      return true;
   }
   if (!r->has_imm && r->rel == IL_ADDR_ABSOLUTE)
      return broken(c, "range", "an array register needs an element");
   if (r->rel == IL_ADDR_ABSOLUTE && r->imm >= size)
      return broken(c, "range", "element outside the declared size");
   return true;
}

static bool check_src(struct checker *c, const struct il_op_info *info, const struct il_src *s,
                      bool is_index);

static bool
check_ref(struct checker *c, const struct il_ref *r, const struct il_ref *dim2, bool write,
          bool is_index)
{
   const struct il_reg_info *reg = il_reg_info(r->type);
   const struct il_ref *parts[2] = { r, dim2 };
   if (!reg)
      return broken(c, "enumerant", "register type does not exist (5)");
   if (!(reg->stages >> c->p->shader & 1) &&
       !(c->extended && r->type == IL_REGTYPE_GENERIC_MEM)) /* of a UAV */
      return broken(c, "stage", "the register does not exist in this stage (5)");
   if (!(reg->access & (write ? IL_ACCESS_W : IL_ACCESS_R)))
      return broken(c, "access",
                    write ? "write to a read-only register (5)"
                          : "read of a write-only register (5)");
   if (r->type == IL_REGTYPE_PATCHCONST && c->p->shader == IL_SHADER_HULL && !c->flat)
      return broken(c, "stage", "vpc in a hull shader needs dcl_x_flat_hs");
   if (r->type == IL_REGTYPE_PATCHCONST && c->p->shader == IL_SHADER_DOMAIN && write)
      return broken(c, "access", "write to a read-only register (5)");
   for (unsigned i = 0; i < 2; i++) {
      if (!parts[i] || parts[i]->rel != IL_ADDR_REG_RELATIVE)
         continue;
      const struct il_src *x = parts[i]->index;
      if (is_index)
         return broken(c, "index", "one level of indexing only (2.2.6)");
      if (!x || !check_src(c, il_op_info(IL_OP_MOV), x, true))
         return x ? false : broken(c, "index", "no index");
      for (unsigned k = 1; k < 4; k++)
         if (il_src_swz(x, k) != il_src_swz(x, 0))
            return broken(c, "index", "an index selects one component (2.2.6)");
   }
   if (dim2)
      return r->type != IL_REGTYPE_INPUT || dim2->rel != IL_ADDR_ABSOLUTE ||
             bit(&c->vertex_input, dim2->num) ||
             broken(c, "declared", "vertex input without dcl_input (7-35)");
   if (r->type == IL_REGTYPE_INPUT && r->rel == IL_ADDR_ABSOLUTE && !bit(&c->input, r->num))
      return broken(c, "declared", "input without dcl_input (7-35)");
   if (r->type == IL_REGTYPE_OUTPUT && r->rel == IL_ADDR_ABSOLUTE && !bit(&c->output, r->num))
      return broken(c, "declared", "output without dcl_output (7-45)");
   return check_element(c, r);
}

static bool
check_src(struct checker *c, const struct il_op_info *info, const struct il_src *s, bool is_index)
{
   if (!check_ref(c, &s->r, s->dim2, false, is_index))
      return false;
   if (!s->has_mod)
      return true;
   for (unsigned k = 0; k < 4; k++)
      if (s->swz[k] > IL_COMPSEL_1)
         return broken(c, "enumerant", "component selector (6.4)");
   const unsigned wrong = il_src_modifiers(s) & (is_index ? ~0u : ~il_op_modifiers(info));
   if (wrong && is_index)
      return broken(c, "modifier", "a modifier of an index");
   if (wrong & ~(unsigned)(IL_SRC_ABS | IL_SRC_NEG))
      return broken(c, "modifier", "float modifier on an operand that is no float (Table 2.10)");
   if (wrong & IL_SRC_ABS)
      return broken(c, "modifier", "_abs on an operand that is no float (Table 2.10)");
   if (wrong)
      return broken(c, "modifier", "_neg on bits (2.2.7)");
   return true;
}

static bool
check_dst(struct checker *c, const struct il_op_info *info, const struct il_dst *d)
{
   if (!check_ref(c, &d->r, d->dim2, true, false))
      return false;
   if (!d->has_mod)
      return true;
   if (d->shift > IL_SHIFT_D8)
      return broken(c, "enumerant", "shift scale (6.26)");
   bool is_float = info->type == IL_TYPE_FLOAT || il_is_move(info->value) ||
                   info->category == IL_CAT_IO || info->category == IL_CAT_CONV;
   if ((d->clamp || d->shift) && !is_float && info->type != IL_TYPE_DOUBLE)
      return broken(c, "modifier", "_sat or scale on a result that is no float (2.2.5)");
   return true;
}

/* ------------------------------------------------------------------------------ declarations -- */

static bool
check_declaration(struct checker *c, const struct il_inst *i)
{
   const struct il_ref *d = i->ndst ? &i->dst[0].r : NULL;
   const struct il_ref *s = i->nsrc ? &i->src[0].r : NULL;
   switch (i->op) {
   case IL_OP_DCL_X_VERSION:
      c->extended = true;
      return true;
   case IL_OP_DCL_X_FLAT_HS:
      c->flat = true;
      return true;
   case IL_OP_DCL_LITERAL:
      if (s->type != IL_REGTYPE_LITERAL)
         return broken(c, "access", "dcl_literal declares l# (7-39)");
      if (bit(&c->literal, s->num))
         return broken(c, "declared", "literal declared twice (7-39)");
      return set_bits(c, &c->literal, s->num, 1);
   case IL_OP_DCL_INDEXED_TEMP_ARRAY:
      if (s->type != IL_REGTYPE_ITEMP || s->num >= MAX_ARRAYS || !s->has_imm || !s->imm ||
          s->imm > 4096)
         return broken(c, "range", "xN[1..4096] (7-34)");
      if (array_size(c, s->num))
         return broken(c, "declared", "array declared twice (7-34)");
      return set_array_size(c, s->num, s->imm);
   case IL_OP_DCL_CONST_BUFFER:
      if (il_immediate(i)) {
         c->icb_size = i->ndata > 4 ? (i->ndata - 1) / 4 : 1;
         return true;
      }
      if (s->type != IL_REGTYPE_CONST_BUFF || s->num > IL_LAST_CB || !s->has_imm || !s->imm ||
          s->imm > 4096)
         return broken(c, "range", "cbN[1..4096], N 0-16 (7-32)");
      if (s->num >= IL_DRIVER_CB && !c->extended)
         return broken(c, "extension", "cb15 and cb16 need dcl_x_version");
      c->cb_size[s->num] = s->imm;
      return true;
   case IL_OP_DCL_RESOURCE:
      c->resource[il_resource(i)] = true;
      return true;
   case IL_OP_DCL_INPUT:
      if (d->type == IL_REGTYPE_INPUT && i->dst[0].dim2)
         return set_bits(c, &c->vertex_input, i->dst[0].dim2->num, 1);
      return d->type != IL_REGTYPE_INPUT || set_bits(c, &c->input, d->num, d->has_imm ? d->imm : 1);
   case IL_OP_DCL_OUTPUT:
      return d->type != IL_REGTYPE_OUTPUT ||
             set_bits(c, &c->output, d->num, d->has_imm ? d->imm : 1);
   case IL_OP_DCL_X_STREAMOUT:
      return (d->type == IL_REGTYPE_OUTPUT && bit(&c->output, d->num)) ||
             broken(c, "declared", "streamout of an output that is not declared");
   default:
      return true;
   }
}

/* --------------------------------------------------------------------------------- structure -- */

static bool
push(struct checker *c, enum il_flow flow)
{
   if (c->depth == IL_MAX_DEPTH)
      return broken(c, "structure", "nested too deeply");
   c->had_else[c->depth] = false;
   c->open[c->depth++] = flow;
   return true;
}

static enum il_flow
innermost(const struct checker *c)
{
   return c->depth ? (enum il_flow)c->open[c->depth - 1] : IL_FLOW_NONE;
}

static bool
inside(const struct checker *c, bool loops_only)
{
   for (uint32_t d = c->depth; d-- > 0;)
      if (c->open[d] == IL_FLOW_LOOP || (!loops_only && c->open[d] == IL_FLOW_SWITCH))
         return true;
   return false;
}

static bool
pop(struct checker *c, enum il_flow opened_by, const char *what)
{
   if (innermost(c) != opened_by)
      return broken(c, "structure", what);
   c->depth--;
   return true;
}

static bool
check_end(struct checker *c, const struct il_inst *i)
{
   if (i->op == IL_OP_ENDMAIN) {
      if (c->depth || c->after_main)
         return broken(c, "structure", "endmain inside a block or twice (7-23)");
      c->after_main = true;
      return true;
   }
   if (innermost(c) == IL_FLOW_FUNC)
      return broken(c, "structure", "a func without ret or endfunc (7-24)");
   if (c->depth)
      return broken(c, "structure", "end inside a block (7-21)");
   return c->at == c->p->ninsts - 1 || broken(c, "end", "instructions after end (4.1)");
}

static bool
check_structure(struct checker *c, const struct il_op_info *info, const struct il_inst *i)
{
   switch (info->flow) {
   case IL_FLOW_IF:
   case IL_FLOW_LOOP:
   case IL_FLOW_SWITCH:
      return push(c, info->flow);
   case IL_FLOW_FUNC:
      if (innermost(c) == IL_FLOW_FUNC)
         return broken(c, "structure", "a func in front of it has no ret or endfunc (7-24)");
      if (c->depth || !c->after_main)
         return broken(c, "structure", "func only after endmain (7-24)");
      c->returned = false;
      return push(c, info->flow);
   case IL_FLOW_PHASE:
      if (c->depth)
         return broken(c, "structure", "a phase inside a block (7-25)");
      if (c->flat)
         return broken(c, "structure", "a phase in a flat hull shader");
      return push(c, info->flow);
   case IL_FLOW_ELSE:
      if (innermost(c) != IL_FLOW_IF || c->had_else[c->depth - 1])
         return broken(c, "structure", "else without if (7-20)");
      c->had_else[c->depth - 1] = true;
      return true;
   case IL_FLOW_ENDIF:
      return pop(c, IL_FLOW_IF, "endif without if (7-22)");
   case IL_FLOW_ENDLOOP:
      return pop(c, IL_FLOW_LOOP, "endloop without loop (7-22)");
   case IL_FLOW_ENDSWITCH:
      return pop(c, IL_FLOW_SWITCH, "endswitch without switch (7-24)");
   case IL_FLOW_RETURN:
      if (i->op == IL_OP_RET && innermost(c) == IL_FLOW_FUNC) {
         c->returned = true;
         return pop(c, IL_FLOW_FUNC, "");
      }
      return true;
   case IL_FLOW_ENDFUNC:
      if (c->returned && !c->depth) {
         c->returned = false;
         return true;
      }
      return pop(c, IL_FLOW_FUNC, "endfunc without func (7-21)");
   case IL_FLOW_ENDPHASE:
      return pop(c, IL_FLOW_PHASE, "endphase without a phase (7-23)");
   case IL_FLOW_LABEL:
      return innermost(c) == IL_FLOW_SWITCH ||
             broken(c, "structure", "a label outside a switch (7-18)");
   case IL_FLOW_BREAK:
      return inside(c, false) || broken(c, "structure", "break outside a loop or switch (7-13)");
   case IL_FLOW_CONTINUE:
      return inside(c, true) || broken(c, "structure", "continue outside a loop (7-18)");
   case IL_FLOW_END:
      return check_end(c, i);
   default:
      return true;
   }
}

/* ------------------------------------------------------------------------------ instructions -- */

static bool
check_fields(struct checker *c, const struct il_op_info *info, const struct il_inst *i)
{
   const uint32_t words[3] = { i->ctl, i->pri, i->ndata ? i->data[0] : 0 };
   for (const struct il_field *f = il_fields(info->ctl, i->op); f->name; f++) {
      uint32_t v = words[f->where] >> f->shift & (uint32_t)(((uint64_t)1 << f->width) - 1);
      const struct il_name *n = f->names;
      while (n && n->text && n->value != v)
         n++;
      if (n && !n->text)
         return broken(c, "enumerant", f->name);
   }
   return true;
}

static bool
uses_resource(const struct il_op_info *info, const struct il_inst *i)
{
   return !il_indexed(i) &&
          (info->ctl == IL_CTL_SAMPLE || info->ctl == IL_CTL_LOAD || info->ctl == IL_CTL_INFO) &&
          !(il_inst_has_pri(info, i) && (i->pri & 0x10));
}

/* Memory that any stage writes: IL 2.4 has it in two of them. */
static bool
in_stage(const struct checker *c, const struct il_op_info *info)
{
   const bool memory = info->category == IL_CAT_UAV || info->category == IL_CAT_MEMDECL ||
                       info->category == IL_CAT_GDS || info->value == IL_OP_FENCE;

   return info->stages >> c->p->shader & 1 ||
          (c->extended && memory && info->stages >> IL_SHADER_PIXEL & 1);
}

static bool
check_inst(struct checker *c, const struct il_inst *i)
{
   const struct il_op_info *info = il_op_info(i->op);
   if (!info || !info->shape_known)
      return il_fail(c->err, c->at, 0, "enumerant: opcode %u", i->op);
   if (i->op >= IL_OP_X_FIRST) {
      if (c->std == IL_STD_2_4)
         return broken(c, "extension", "not in IL 2.4");
      if (i->op != IL_OP_DCL_X_VERSION && !c->extended)
         return broken(c, "extension", "needs dcl_x_version in front");
   }
   if (!in_stage(c, info))
      return broken(c, "stage", "the instruction does not exist in this stage (C)");
   if (i->op == IL_OP_FENCE && c->p->shader == IL_SHADER_HULL && !c->flat)
      return broken(c, "stage", "a fence in a hull shader needs dcl_x_flat_hs");
   c->sm30 |= info->model == IL_MODEL_SM30;
   c->sm40 |= info->model == IL_MODEL_SM40;
   if (c->sm30 && c->sm40)
      return broken(c, "model", "shader model 3 and 4 instructions in one program (C.2, C.3)");
   unsigned ndst = info->dsts, nsrc = il_inst_num_srcs(info, i);
   if (info->data != IL_DATA_MACROCALL && (i->ndst != ndst || i->nsrc != nsrc))
      return broken(c, "structure", "wrong number of operands");
   if (!check_fields(c, info, i) || !check_structure(c, info, i))
      return false;
   if (info->category == IL_CAT_DECL)
      return check_declaration(c, i);
   if (uses_resource(info, i) && !c->resource[il_resource(i)])
      return broken(c, "declared", "resource without dcl_resource (7-47)");
   for (unsigned n = 0; n < i->nsrc; n++)
      if (!check_src(c, info, &i->src[n], false))
         return false;
   for (unsigned n = 0; n < i->ndst; n++)
      if (!check_dst(c, info, &i->dst[n]))
         return false;
   return true;
}

bool
il_validate(const struct il_program *p, enum il_standard std, struct il_error *err)
{
   if (p->shader > IL_SHADER_DOMAIN)
      return il_fail(err, 0, 0, "enumerant: shader type (6.25)");
   struct checker checker = { .p = p, .err = err, .std = std }, *c = &checker;
   bool ok = true;
   /* Macro bodies are templates: their operands mean nothing before expansion (7.19). */
   for (c->at = p->first_main; ok && c->at < p->ninsts; c->at++)
      ok = check_inst(c, &p->insts[c->at]);
   if (ok && (!p->ninsts || p->insts[p->ninsts - 1].op != IL_OP_END))
      ok = il_fail(err, p->ninsts, 0, "end: the program has no END (4.1)");
   free(c->literal.bits);
   free(c->input.bits);
   free(c->output.bits);
   free(c->vertex_input.bits);
   free(c->array_size);
   return ok;
}
