/* SPDX-License-Identifier: MIT */
/*
 * The compiler's program as text, one instruction a line:
 *
 *   %5 = MULADD_IEEE -%1, |%2|, CB0[3].x CLAMP                     @12
 *
 * %5 is an SSA value, $5 a variable.  After the name stands what is known of its register: its
 * channel (.x, and ! if it is given), its GPR (:R3).  CB0[3].x is an element of a constant buffer,
 * x0[3+AR].y one of an array; numbers with a point are floats, others integers.  Lanes and fetches
 * of one instruction are divided by |.  (%1 %2 _ _) are the components x to w of a fetch or an
 * export.  What else an operation says stands after its operands, fields of the instruction's
 * words by their names and properties of the instruction in braces.  @12 is the offset in the IL.
 *
 * Blocks end in their control flow.  Before scheduling, the IL instructions stand as comments above
 * what they have become; from then on blocks show clauses and groups, a group by its number and an
 * instruction of it by its slots.
 *
 * Names of operations and fields are those of the instruction set's tables.
 */
#include "print.h"

#include "il/il.h"
#include "isa/cayman/listing.h"

#include <math.h>
#include <stdio.h>

#define PLACE_COLUMN 72
#define INDENT       3

static const char chan_name[4] = { 'x', 'y', 'z', 'w' };

struct printer {
   struct isa_text *t;
   const struct compiler *c;
   size_t line; /* where the line in hand begins */
   uint32_t place;
   bool with_il;
};

static void
print_number(struct printer *p, uint32_t number)
{
   text_uint(p->t, number, 0, ' ');
}

static void
print_chan(struct printer *p, unsigned chan)
{
   text_char(p->t, '.');
   text_char(p->t, chan_name[chan & 3]);
}

static void
begin_line(struct printer *p, unsigned depth)
{
   p->line = p->t->size;
   text_pad(p->t, p->line, (size_t)INDENT * depth);
}

static void
end_line(struct printer *p, uint32_t place)
{
   text_char(p->t, ' ');
   text_pad(p->t, p->line, PLACE_COLUMN);
   text_char(p->t, '@');
   print_number(p, place);
   text_char(p->t, '\n');
}

/* --- operands --------------------------------------------------------------------------------- */

static void
print_value(struct printer *p, value_id v)
{
   const struct cc_value *value = &p->c->values[v];

   text_char(p->t, value->ssa ? '%' : '$');
   print_number(p, v);
   if (value->chan >= 0) {
      print_chan(p, (unsigned)value->chan);
      if (value->pinned)
         text_char(p->t, '!');
   }
   if (value->gpr >= 0) {
      text_str(p->t, ":R");
      print_number(p, (uint32_t)value->gpr);
   }
}

/* As a float if that gives the bits back. */
static void
print_constant(struct printer *p, uint32_t bits, bool as_float)
{
   char text[32];
   float value;

   memcpy(&value, &bits, sizeof(value));
   if (as_float && isfinite(value) && (bits & 0x7f800000 || !bits)) {
      snprintf(text, sizeof(text), "%.9g", (double)value);
      text_str(p->t, text);
      text_str(p->t, strpbrk(text, ".e") ? "" : ".0");
   } else if (bits < 0x10000) {
      print_number(p, bits);
   } else {
      text_hex(p->t, bits, 8);
   }
}

static void
print_special(struct printer *p, const struct cc_operand *o)
{
   const char *name = cayman_source_name(o->index);

   if (o->index >= CAYMAN_SRC_PARAM && o->index <= CAYMAN_SRC_PARAM_LAST) {
      text_str(p->t, "Param");
      print_number(p, o->index - CAYMAN_SRC_PARAM);
   } else if (name) {
      text_str(p->t, name);
   } else {
      text_str(p->t, "SRC");
      print_number(p, o->index);
   }
   print_chan(p, o->chan);
}

static void
print_element(struct printer *p, unsigned array, unsigned element, bool rel, unsigned chan)
{
   text_char(p->t, 'x');
   print_number(p, array);
   text_char(p->t, '[');
   print_number(p, element);
   text_str(p->t, rel ? "+AR]" : "]");
   print_chan(p, chan);
}

static void
print_operand(struct printer *p, const struct cc_operand *o, bool as_float)
{
   text_str(p->t, o->neg ? "-" : "");
   text_str(p->t, o->abs ? "|" : "");
   switch (o->kind) {
   case OPERAND_NONE:
      text_char(p->t, '_');
      break;
   case OPERAND_VALUE:
      print_value(p, o->value);
      break;
   case OPERAND_CONST:
      if (o->neg || o->abs)
         text_hex(p->t, o->value, 8); /* -1.0 are the bits of a number */
      else
         print_constant(p, o->value, as_float);
      break;
   case OPERAND_KCACHE:
      text_str(p->t, "CB");
      print_number(p, o->bank);
      text_char(p->t, '[');
      print_number(p, o->index);
      text_char(p->t, ']');
      print_chan(p, o->chan);
      break;
   case OPERAND_SPECIAL:
      print_special(p, o);
      break;
   case OPERAND_ARRAY:
      print_element(p, o->bank, o->index, o->rel, o->chan);
      break;
   }
   text_str(p->t, o->abs ? "|" : "");
}

/* Components x to w. */
static void
print_components(struct printer *p, const struct cc_operand o[4])
{
   text_str(p->t, " (");
   for (unsigned i = 0; i < 4; i++) {
      text_str(p->t, i ? " " : "");
      print_operand(p, &o[i], true);
   }
   text_char(p->t, ')');
}

/* --- fields of words -------------------------------------------------------------------------- */

const struct cc_field cc_fields[] = {
#define CAYMAN_FIELD(format, field, lo, width, remark) \
   { #format, #field, CAYMAN_##format##__##field },
#include "isa/cayman/formats.def"
};
const unsigned cc_num_fields = sizeof(cc_fields) / sizeof(cc_fields[0]);

const char *const cc_fetch_formats[][3] = {
   [CAYMAN_FETCH_TEX] = { "TEX_WORD0", "TEX_WORD1", "TEX_WORD2" },
   [CAYMAN_FETCH_VTX] = { "VTX_WORD0", "VTX_WORD1_GPR", "VTX_WORD2" },
   [CAYMAN_FETCH_MEM] = { "MEM_RD_WORD0", "MEM_RD_WORD1", "MEM_RD_WORD2" },
   [CAYMAN_FETCH_GDS] = { "MEM_GDS_WORD0", "MEM_GDS_WORD1", "MEM_GDS_WORD2" },
};

const char *const cc_cf_formats[][2] = {
   [CAYMAN_CF_FORM_BRANCH] = { "CF_WORD0", "CF_WORD1" },
   [CAYMAN_CF_FORM_GWS] = { "CF_GWS_WORD0", "CF_WORD1" },
   [CAYMAN_CF_FORM_MEM] = { "CF_ALLOC_EXPORT_WORD0", "CF_ALLOC_EXPORT_WORD1_BUF" },
   [CAYMAN_CF_FORM_RAT] = { "CF_ALLOC_EXPORT_WORD0_RAT", "CF_ALLOC_EXPORT_WORD1_BUF" },
   [CAYMAN_CF_FORM_EXPORT] = { "CF_ALLOC_EXPORT_WORD0", "CF_ALLOC_EXPORT_WORD1_SWIZ" },
};

const char *const cc_mem_names[8] = {
#define CAYMAN_MEM_RD(name, op, text)  [op] = "MEM_RD_" #name,
#define CAYMAN_MEM_GDS(name, op, text) [op] = "MEM_" #name,
#include "isa/cayman/opcodes.def"
};

/* The operation is named; every CF instruction waits for the one before. */
static bool
is_named(const char *field)
{
   static const char *const named[] = { "TEX_INST", "VC_INST", "MEM_INST", "MEM_OP",
                                        "GDS_OP",   "CF_INST", "RAT_INST", "BARRIER" };

   for (unsigned i = 0; i < sizeof(named) / sizeof(named[0]); i++)
      if (!strcmp(named[i], field))
         return true;
   return false;
}

/* What is not zero of a word; registers and selects are known by the end only. */
static void
print_fields(struct printer *p, const char *format, uint32_t word)
{
   for (unsigned i = 0; i < cc_num_fields; i++) {
      const struct cc_field *f = &cc_fields[i];
      uint32_t value;
      if (!strcmp(f->format, format) && !is_named(f->name) &&
          (value = cayman_get(word, f->field)) != 0)
         text_property(p->t, f->name, value);
   }
}

/* --- instructions ----------------------------------------------------------------------------- */

static void
print_name(struct printer *p, const char *prefix, const char *name, unsigned op)
{
   text_str(p->t, prefix);
   if (name)
      text_str(p->t, name);
   else
      print_number(p, op);
}

static void
print_lane(struct printer *p, const struct inst *inst, const struct lane *lane)
{
   static const char *const omod[4] = { "", "*2", "*4", "/2" };
   const struct cayman_alu_info *info = cayman_alu_info(lane->op);

   if (inst->shape == SHAPE_FIXED) {
      text_char(p->t, chan_name[lane->slot & 3]);
      text_str(p->t, ": ");
   }
   if (lane->to_array) {
      print_element(p, lane->array, lane->array_elem, lane->dst_rel, lane->array_chan);
      text_str(p->t, " = ");
   } else if (lane->dst) {
      print_value(p, lane->dst);
      text_str(p->t, " = ");
   } else if (lane->op == CAYMAN_ALU_MOVA_INT) {
      text_str(p->t, cayman_mova_name[lane->mova_dst & 7]);
      text_str(p->t, " = ");
   }
   if (lane->op == CAYMAN_ALU_LDS_IDX_OP)
      print_name(p, "", cayman_lds_info(lane->lds_op)->name, lane->lds_op);
   else
      print_name(p, "", info->name, lane->op);
   text_str(p->t, omod[lane->omod & 3]);
   for (unsigned i = 0; i < info->num_src; i++) {
      text_str(p->t, i ? ", " : " ");
      print_operand(p, &lane->src[i], cc_float_source(lane->op));
   }
   text_str(p->t, lane->clamp ? " CLAMP" : "");
   if (lane->update_exec) {
      text_char(p->t, ' ');
      text_str(p->t, cayman_execute_name[lane->mask_op & 3]);
   }
   text_str(p->t, lane->update_pred ? " UPDATE_PRED" : "");
}

static void
print_fetch(struct printer *p, const struct fetch_op *f)
{
   const char *const *format = cc_fetch_formats[f->proto.kind];
   uint32_t words[4];

   text_char(p->t, '(');
   for (unsigned i = 0; i < 4; i++) {
      text_str(p->t, i ? " " : "");
      if (f->dst[i])
         print_value(p, f->dst[i]);
      else
         text_char(p->t, '_');
   }
   text_str(p->t, ") = ");
   switch (f->proto.kind) {
   case CAYMAN_FETCH_TEX:
      print_name(p, "", cayman_tex_info(f->proto.tex.op)->name, f->proto.tex.op);
      break;
   case CAYMAN_FETCH_VTX:
      print_name(p, "VTX_", cayman_vtx_info(f->proto.vtx.op)->name, f->proto.vtx.op);
      break;
   case CAYMAN_FETCH_MEM:
      print_name(p, "", cc_mem_names[f->proto.mem.op & 7], f->proto.mem.op);
      break;
   case CAYMAN_FETCH_GDS:
      print_name(p, "", cc_mem_names[f->proto.gds.op & 7], f->proto.gds.op);
      print_name(p, ".", cayman_gds_info(f->proto.gds.gds_op)->name, f->proto.gds.gds_op);
      break;
   }
   print_components(p, f->src);
   cayman_encode_fetch(CAYMAN_VLIW4, &f->proto, words);
   for (unsigned i = 0; i < 3; i++)
      print_fields(p, format[i], words[i]);
}

static void
print_export(struct printer *p, const struct inst *inst)
{
   const struct cayman_cf *cf = &inst->export.proto;
   uint32_t words[2];
   bool indexed = false;

   print_name(p, "", cayman_cf_info(cf->op)->name, cf->op);
   if (cf->form == CAYMAN_CF_FORM_RAT)
      print_name(p, ".", cayman_rat_info(cf->rat_op)->name, cf->rat_op);
   print_components(p, inst->export.src);
   for (unsigned i = 0; i < 4; i++)
      indexed |= inst->export.index[i].kind != OPERAND_NONE;
   if (indexed)
      print_components(p, inst->export.index);
   cayman_encode_cf(cf, words);
   for (unsigned i = 0; i < 2; i++)
      print_fields(p, cc_cf_formats[cf->form][i], words[i]);
}

const char *const cc_memory_names[] = {
   [MEMORY_READ] = "reads",
   [MEMORY_WRITE] = "writes",
   [MEMORY_BARRIER] = "barrier",
};
const char *const cc_space_names[SPACE_COUNT] = {
   [SPACE_SCRATCH] = "scratch",
   [SPACE_LDS] = "lds",
   [SPACE_UAV] = "uav",
   [SPACE_GDS] = "gds",
};

/* A property in the list between braces. */
static void
print_property(struct printer *p, bool *first, const char *name)
{
   text_str(p->t, *first ? " {" : ", ");
   text_str(p->t, name);
   *first = false;
}

static void
print_properties(struct printer *p, const struct inst *inst)
{
   bool first = true;

   if (inst->ar) {
      print_property(p, &first, inst->kind == INST_ALU ? "AR=" : "CF_IDX0=");
      print_value(p, inst->ar);
   }
   if (inst->terms) {
      print_property(p, &first, "terms ");
      print_number(p, inst->terms);
   }
   if (inst->memory) {
      print_property(p, &first, cc_memory_names[inst->memory]);
      if (inst->memory != MEMORY_BARRIER) {
         text_char(p->t, ' ');
         text_str(p->t, cc_space_names[inst->space]);
      }
   }
   if (inst->side_effect)
      print_property(p, &first, "effect");
   if (inst->keep)
      print_property(p, &first, "keep");
   if (inst->pop_of)
      print_property(p, &first, "pop");
   if (inst->dead)
      print_property(p, &first, "dead");
   text_str(p->t, first ? "" : "}");
}

static void
print_inst(struct printer *p, const struct inst *inst)
{
   switch (inst->kind) {
   case INST_ALU:
      for (unsigned l = 0; l < inst->num_lanes; l++) {
         text_str(p->t, l ? " | " : "");
         print_lane(p, inst, &inst->lane[l]);
      }
      break;
   case INST_FETCH:
      for (unsigned f = 0; f < inst->num_fetches; f++) {
         text_str(p->t, f ? " | " : "");
         print_fetch(p, &inst->fetch[f]);
      }
      break;
   case INST_EXPORT:
      print_export(p, inst);
      break;
   }
   print_properties(p, inst);
   end_line(p, inst->place);
}

/* The IL instruction that the next line was made for, if the line before was not. */
static void
print_il(struct printer *p, unsigned depth, uint32_t place)
{
   const struct il_program *il = p->c->source;
   char text[400];

   if (!p->with_il || place == p->place || place >= il->ninsts)
      return;
   p->place = place;
   begin_line(p, depth);
   il_print_inst(il, &il->insts[place], text, sizeof(text));
   text_str(p->t, "; ");
   text_str(p->t, text);
   text_char(p->t, '\n');
}

/* --- clauses ---------------------------------------------------------------------------------- */

static void
print_locks(struct printer *p, const struct clause *clause)
{
   for (unsigned i = 0; i < 4; i++) {
      const struct kcache_lock *l = &clause->lock[i];
      if (l->lines) {
         text_str(p->t, " CB");
         print_number(p, l->bank);
         text_char(p->t, '[');
         print_number(p, l->line * 16u);
         text_char(p->t, '-');
         print_number(p, (l->line + l->lines) * 16u - 1);
         text_char(p->t, ']');
      }
   }
}

static void
print_group(struct printer *p, unsigned depth, const struct group *g)
{
   for (unsigned part = 0; part < g->num_parts; part++) {
      begin_line(p, depth);
      text_uint(p->t, g->position, 4, ' ');
      text_char(p->t, ' ');
      for (unsigned s = 0; s < p->c->chip->num_slots; s++)
         text_char(p->t, g->slot[s] == g->part[part] ? "xyzwt"[s] : ' ');
      text_str(p->t, "  ");
      print_inst(p, g->part[part]);
   }
}

static void
print_clause(struct printer *p, unsigned depth, const struct clause *clause)
{
   static const char *const name[] = {
      [CLAUSE_ALU] = "alu", [CLAUSE_FETCH] = "fetch", [CLAUSE_EXPORT] = "export"
   };

   begin_line(p, depth);
   text_str(p->t, clause->gds ? "gds" : name[clause->kind]);
   text_str(p->t, " clause");
   print_locks(p, clause);
   text_str(p->t, clause->push_before ? " push" : "");
   text_char(p->t, '\n');
   for (uint32_t g = 0; g < clause->num_groups; g++)
      print_group(p, depth + 1, &clause->groups[g]);
   for (uint32_t i = 0; i < clause->num_insts; i++) {
      begin_line(p, depth + 1);
      print_inst(p, clause->insts[i]);
   }
}

/* --- blocks ----------------------------------------------------------------------------------- */

const char *const cc_end_names[] = {
   [END_PROGRAM] = "end", [END_IF] = "if",
   [END_ELSE] = "else",   [END_ENDIF] = "endif",
   [END_LOOP] = "loop",   [END_ENDLOOP] = "endloop",
   [END_BREAK] = "break", [END_CONTINUE] = "continue",
};

static void
print_block(struct printer *p, unsigned *depth, uint32_t n)
{
   const struct cc_block *b = &p->c->blocks[n];
   const bool closes = b->end == END_ELSE || b->end == END_ENDIF || b->end == END_ENDLOOP;
   const bool opens = b->end == END_IF || b->end == END_ELSE || b->end == END_LOOP;

   begin_line(p, *depth);
   text_str(p->t, "block ");
   print_number(p, n);
   text_str(p->t, ":\n");
   for (uint32_t i = 0; i < b->num_clauses; i++)
      print_clause(p, *depth + 1, &b->clauses[i]);
   for (uint32_t i = 0; i < b->num_insts && !b->num_clauses; i++) {
      print_il(p, *depth + 1, b->insts[i]->place);
      begin_line(p, *depth + 1);
      print_inst(p, b->insts[i]);
   }
   if (b->pred && !b->num_clauses) {
      print_il(p, *depth + 1, b->pred->place);
      begin_line(p, *depth + 1);
      print_inst(p, b->pred);
   }
   *depth -= closes && *depth ? 1 : 0;
   begin_line(p, *depth);
   text_str(p->t, cc_end_names[b->end]);
   end_line(p, b->place);
   *depth += opens;
}

/* --- what holds for all of it ----------------------------------------------------------------- */

static void
print_array(struct printer *p, uint32_t n)
{
   const struct array *a = &p->c->arrays[n];

   text_str(p->t, "array x");
   print_number(p, n);
   text_char(p->t, '[');
   print_number(p, a->size);
   text_char(p->t, ']');
   if (a->scratch) {
      text_str(p->t, " scratch ");
      print_number(p, a->base);
   } else {
      text_char(p->t, '.');
      for (unsigned i = 0; i < 4; i++)
         if (a->channels >> i & 1)
            text_char(p->t, chan_name[i]);
      text_str(p->t, " R");
      print_number(p, (uint32_t)a->gpr);
   }
   text_char(p->t, '\n');
}

static void
print_header(struct printer *p)
{
   const struct compiler *c = p->c;
   bool inputs = false;

   for (value_id v = 1; v < c->num_values; v++) {
      if (c->values[v].input) {
         text_str(p->t, inputs ? " " : "input ");
         print_value(p, v);
         inputs = true;
      }
   }
   text_str(p->t, inputs ? "\n" : "");
   for (uint32_t n = 0; n < c->num_arrays; n++)
      print_array(p, n);
   for (uint32_t n = 1; n < c->num_tuples; n++) {
      if (c->tuples[n].count > 1) {
         text_str(p->t, "tuple");
         for (unsigned i = 0; i < c->tuples[n].count; i++) {
            text_char(p->t, ' ');
            print_value(p, c->tuples[n].member[i]);
         }
         text_char(p->t, '\n');
      }
   }
}

void
cc_print(struct isa_text *t, const struct compiler *c, bool with_il)
{
   struct printer p = { .t = t, .c = c, .place = SHADER_NO_PLACE, .with_il = with_il };
   unsigned depth = 0;

   print_header(&p);
   for (uint32_t n = 0; n < c->num_blocks; n++)
      print_block(&p, &depth, n);
}

void
cc_print_after(struct compiler *c, const char *pass)
{
   struct isa_text *t = &c->dump.text;

   if (!(c->flags & SHADER_COMPILE_PRINT_IR))
      return;
   text_str(t, "; after ");
   text_str(t, pass);
   const size_t heading = t->size;
   text_char(t, '\n');
   const size_t begin = t->size;
   cc_print(t, c, true);
   const size_t size = t->size - begin;
   if (!t->failed && size == c->dump.size &&
       !memcmp(t->data + begin, t->data + c->dump.begin, size)) {
      t->size = heading;
      text_str(t, ": no change\n");
   } else {
      c->dump.begin = begin;
      c->dump.size = size;
   }
   text_char(t, '\n');
}
