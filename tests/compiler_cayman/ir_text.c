/* SPDX-License-Identifier: MIT */
/* See ir_text.h. */
#include "ir_text.h"

#include "compiler/cayman/print.h"
#include "isa/cayman/listing.h"

#include <ctype.h>

struct reader {
   struct compiler *c;
   const char *text, *at;
   uint32_t open[16]; /* blocks of ifs and loops that are open */
   unsigned depth;
};

static void __attribute__((noreturn)) refuse(const struct reader *r, const char *expected)
{
   fail_msg("expected %s at \"%.40s\" in\n%s", expected, r->at, r->text);
   abort();
}

static void
skip_blanks(struct reader *r)
{
   while (*r->at == ' ')
      r->at++;
}

static bool
at_end(struct reader *r)
{
   skip_blanks(r);
   return !*r->at || *r->at == ';' || *r->at == '\n';
}

/* After the text, if it stands here. */
static bool
take(struct reader *r, const char *text)
{
   skip_blanks(r);
   if (strncmp(r->at, text, strlen(text)) != 0)
      return false;
   r->at += strlen(text);
   return true;
}

static void
need(struct reader *r, const char *text)
{
   if (!take(r, text))
      refuse(r, text);
}

static uint32_t
number(struct reader *r)
{
   char *end;

   skip_blanks(r);
   uint32_t value = (uint32_t)strtoul(r->at, &end, 0);
   if (!isdigit((unsigned char)*r->at))
      refuse(r, "a number");
   r->at = end;
   return value;
}

/* A name of capitals, digits and underscores. */
static void
name(struct reader *r, char text[64])
{
   unsigned n = 0;

   skip_blanks(r);
   while ((isalnum((unsigned char)*r->at) || *r->at == '_') && n < 63)
      text[n++] = *r->at++;
   text[n] = 0;
   if (!n)
      refuse(r, "a name");
}

static unsigned
channel(struct reader *r)
{
   const char *at = *r->at ? strchr("xyzw", *r->at) : NULL;

   if (!at)
      refuse(r, "a channel");
   r->at++;
   return (unsigned)(at - "xyzw");
}

/* --- operands --------------------------------------------------------------------------------- */

static value_id
value(struct reader *r)
{
   struct compiler *c = r->c;
   bool ssa;

   skip_blanks(r);
   if (*r->at != '%' && *r->at != '$')
      refuse(r, "a value");
   ssa = *r->at++ == '%';
   value_id v = number(r);
   while (c->num_values <= v)
      cc_value(c);
   c->values[v].ssa = ssa;
   if (*r->at == '.') {
      r->at++;
      c->values[v].chan = (int8_t)channel(r);
      if (*r->at == '!') {
         r->at++;
         c->values[v].pinned = true;
      }
   }
   if (*r->at == ':') {
      need(r, ":R");
      c->values[v].gpr = (int16_t)number(r);
   }
   return v;
}

static struct cc_operand
constant(struct reader *r, bool negated)
{
   char *end;
   size_t digits = strspn(r->at, "0123456789");
   bool is_float = r->at[digits] == '.' || r->at[digits] == 'e';
   uint32_t bits;

   if (strncmp(r->at, "0x", 2) == 0 || !is_float)
      return op_const(number(r));
   float f = strtof(r->at, &end);
   f = negated ? -f : f;
   r->at = end;
   memcpy(&bits, &f, sizeof(bits));
   return op_const(bits);
}

static struct cc_operand
special(struct reader *r)
{
   const char *longest = NULL;
   unsigned select = 0;

   for (unsigned sel = 0; sel < 512; sel++) {
      const char *text = cayman_source_name(sel);
      if (text && !strncmp(r->at, text, strlen(text)) &&
          (!longest || strlen(text) > strlen(longest))) {
         longest = text;
         select = sel;
      }
   }
   if (!longest)
      refuse(r, "an operand");
   need(r, longest);
   need(r, ".");
   return op_special(select, channel(r));
}

static struct cc_operand
element(struct reader *r)
{
   struct cc_operand o = { .kind = OPERAND_ARRAY };

   o.bank = (uint8_t)number(r);
   need(r, "[");
   o.index = (uint16_t)number(r);
   o.rel = take(r, "+AR");
   need(r, "].");
   o.chan = (uint8_t)channel(r);
   return o;
}

static struct cc_operand
operand(struct reader *r)
{
   struct cc_operand o;
   bool neg = take(r, "-");
   bool abs = take(r, "|");

   skip_blanks(r);
   if (*r->at == '%' || *r->at == '$') {
      o = op_value(value(r));
   } else if (isdigit((unsigned char)*r->at)) {
      /* The sign is the number's own, but for one in hexadecimal. */
      bool flag = abs || strncmp(r->at, "0x", 2) == 0;
      o = constant(r, neg && !flag);
      neg &= flag;
   } else if (take(r, "CB")) {
      unsigned bank = number(r);
      need(r, "[");
      unsigned index = number(r);
      need(r, "].");
      o = op_kcache(bank, index, channel(r));
   } else if (take(r, "Param")) {
      unsigned param = number(r);
      need(r, ".");
      o = op_special(CAYMAN_SRC_PARAM + param, channel(r));
   } else if (take(r, "x")) {
      o = element(r);
   } else if (take(r, "_")) {
      o = op_none();
   } else {
      o = special(r);
   }
   o.neg = neg;
   o.abs = abs;
   if (abs)
      need(r, "|");
   return o;
}

static void
components(struct reader *r, struct cc_operand o[4])
{
   need(r, "(");
   for (unsigned i = 0; i < 4; i++)
      o[i] = operand(r);
   need(r, ")");
}

/* --- words ------------------------------------------------------------------------------------ */

/* FIELD(value) ... into the words of these formats. */
static void
fields(struct reader *r, const char *const *formats, unsigned count, uint32_t *words)
{
   while (!at_end(r) && *r->at != '{' && *r->at != '@' && *r->at != '|') {
      char text[64];
      bool found = false;
      name(r, text);
      need(r, "(");
      uint32_t bits = number(r);
      need(r, ")");
      for (unsigned w = 0; w < count && !found; w++) {
         for (unsigned i = 0; i < cc_num_fields && !found; i++) {
            const struct cc_field *f = &cc_fields[i];
            if (!strcmp(f->format, formats[w]) && !strcmp(f->name, text)) {
               words[w] |= cayman_put(f->field, bits);
               found = true;
            }
         }
      }
      if (!found)
         refuse(r, "a field of the instruction before");
   }
}

/* The number of a name in a table of the instruction set; -1: not there. */
static int
find(const struct cayman_op_info *(*info)(unsigned op), const char *text)
{
   for (unsigned op = 0; op < 64; op++)
      if (info(op)->name && !strcmp(info(op)->name, text))
         return (int)op;
   return -1;
}

/* --- fetches ---------------------------------------------------------------------------------- */

static void
fetch(struct reader *r, struct inst *inst, struct fetch_op *f)
{
   char text[64];
   int op;
   uint32_t words[4] = { 0 };
   struct cayman_fetch proto = { 0 };

   need(r, "(");
   for (unsigned i = 0; i < 4; i++) {
      if (!take(r, "_")) {
         f->dst[i] = value(r);
         r->c->values[f->dst[i]].def = inst;
      }
   }
   need(r, ")");
   need(r, "=");
   name(r, text);
   if ((op = find(cayman_tex_info, text)) >= 0) {
      proto.kind = CAYMAN_FETCH_TEX;
      proto.tex.op = (uint8_t)op;
   } else if (!strncmp(text, "VTX_", 4) && (op = find(cayman_vtx_info, text + 4)) >= 0) {
      proto.kind = CAYMAN_FETCH_VTX;
      proto.vtx.op = (uint8_t)op;
   } else if (!strcmp(text, cc_mem_names[CAYMAN_MEM_RD_SCRATCH])) {
      proto.kind = CAYMAN_FETCH_MEM;
      proto.mem.op = CAYMAN_MEM_RD_SCRATCH;
   } else if (!strcmp(text, cc_mem_names[CAYMAN_MEM_GDS])) {
      need(r, ".");
      name(r, text);
      op = find(cayman_gds_info, text);
      proto.kind = CAYMAN_FETCH_GDS;
      proto.gds.op = CAYMAN_MEM_GDS;
      proto.gds.gds_op = (uint8_t)op;
   }
   if (op < 0 && proto.kind != CAYMAN_FETCH_MEM)
      refuse(r, "a fetch");
   components(r, f->src);
   cayman_encode_fetch(CAYMAN_VLIW4, &proto, words);
   fields(r, cc_fetch_formats[proto.kind], 3, words);
   cayman_decode_fetch(CAYMAN_VLIW4, words, &f->proto);
}

/* --- exports ---------------------------------------------------------------------------------- */

static bool export(struct reader *r, struct inst *inst, const char *text)
{
   struct cayman_cf proto = { .barrier = true };
   uint32_t words[2];
   int op = -1;

   for (unsigned i = 0; i < CAYMAN_CF_ALU_BASE && op < 0; i++)
      op = cayman_cf_info(i)->name && !strcmp(cayman_cf_info(i)->name, text) ? (int)i : -1;
   if (op < 0)
      return false;
   inst->kind = INST_EXPORT;
   proto.op = (uint16_t)op;
   proto.form = cayman_cf_info(proto.op)->form;
   if (take(r, ".")) {
      char rat[64];
      name(r, rat);
      if ((op = find(cayman_rat_info, rat)) < 0)
         refuse(r, "an operation of random access targets before");
      proto.rat_op = (uint8_t)op;
   }
   components(r, inst->export.src);
   skip_blanks(r);
   if (*r->at == '(')
      components(r, inst->export.index);
   cayman_encode_cf(&proto, words);
   fields(r, cc_cf_formats[proto.form], 2, words);
   cayman_decode_cf(CAYMAN_VLIW4, words, &inst->export.proto);
   return true;
}

/* --- ALU -------------------------------------------------------------------------------------- */

static void
operation(struct reader *r, struct lane *lane, const char *text)
{
   static const char *const omod[] = { NULL, "*2", "*4", "/2" };
   const int lds = strncmp(text, "LDS_", 4) ? -1 : find(cayman_lds_info, text);
   unsigned op = lds >= 0 ? CAYMAN_ALU_LDS_IDX_OP : 0;

   while (lds < 0 && op < CAYMAN_ALU_OP_COUNT &&
          !(cayman_alu_info(op)->name && !strcmp(cayman_alu_info(op)->name, text)))
      op++;
   if (op == CAYMAN_ALU_OP_COUNT)
      refuse(r, "an operation before");
   lane->op = (uint16_t)op;
   lane->lds_op = (uint8_t)(lds >= 0 ? lds : 0);
   for (unsigned i = 1; i < 4; i++)
      lane->omod = take(r, omod[i]) ? (uint8_t)i : lane->omod;
   for (unsigned i = 0; i < cayman_alu_info(op)->num_src; i++) {
      if (i)
         need(r, ",");
      lane->src[i] = operand(r);
   }
   lane->clamp = take(r, "CLAMP");
   for (unsigned i = 4; i-- > 0 && !lane->update_exec;) {
      lane->update_exec = take(r, cayman_execute_name[i]);
      lane->mask_op = lane->update_exec ? (uint8_t)i : 0;
   }
   lane->update_pred = take(r, "UPDATE_PRED");
}

static void
lane_of(struct reader *r, struct inst *inst)
{
   struct lane *lane = &inst->lane[inst->num_lanes++];
   char text[64];

   skip_blanks(r);
   if (*r->at && strchr("xyzw", *r->at) && r->at[1] == ':') {
      inst->shape = SHAPE_FIXED;
      lane->slot = (uint8_t)channel(r);
      need(r, ":");
   }
   skip_blanks(r);
   if (*r->at == '%' || *r->at == '$') {
      lane->dst = value(r);
      if (r->c->values[lane->dst].ssa)
         r->c->values[lane->dst].def = inst;
      need(r, "=");
   } else if (*r->at == 'x') {
      need(r, "x");
      struct cc_operand o = element(r);
      need(r, "=");
      lane->to_array = true;
      lane->array = o.bank;
      lane->array_elem = o.index;
      lane->array_chan = o.chan;
      lane->dst_rel = o.rel;
   } else {
      for (unsigned i = 0; i < 8; i++) {
         if (take(r, cayman_mova_name[i])) {
            lane->mova_dst = (uint8_t)i;
            need(r, "=");
            break;
         }
      }
   }
   name(r, text);
   if (inst->num_lanes == 1 && inst->shape != SHAPE_FIXED && export(r, inst, text))
      return;
   operation(r, lane, text);
   if (inst->shape != SHAPE_FIXED)
      inst->shape = (uint8_t)cc_shape_of(r->c, lane->op);
}

/* --- instructions ----------------------------------------------------------------------------- */

/* The operation on local data with a result that is not copied from the queue yet. */
static void
pop(struct reader *r, struct inst *inst)
{
   struct cc_block *b = cc_block(r->c);

   for (uint32_t i = b->num_insts; i-- > 0;) {
      struct inst *of = b->insts[i];
      if (of->kind == INST_ALU && of->lane[0].op == CAYMAN_ALU_LDS_IDX_OP && !of->pop &&
          cayman_lds_info(of->lane[0].lds_op)->returns) {
         of->pop = inst;
         inst->pop_of = of;
         return;
      }
   }
   refuse(r, "an operation on local data before");
}

static bool
memory(struct reader *r, struct inst *inst)
{
   for (unsigned m = MEMORY_READ; m <= MEMORY_BARRIER; m++) {
      if (!take(r, cc_memory_names[m]))
         continue;
      inst->memory = (uint8_t)m;
      for (unsigned s = 0; s < SPACE_COUNT && m != MEMORY_BARRIER; s++)
         if (take(r, cc_space_names[s]))
            inst->space = (uint8_t)s;
      return true;
   }
   return false;
}

static void
properties(struct reader *r, struct inst *inst)
{
   if (!take(r, "{"))
      return;
   do {
      if (take(r, "AR=") || take(r, "CF_IDX0="))
         inst->ar = value(r);
      else if (take(r, "terms"))
         inst->terms = (uint8_t)number(r);
      else if (take(r, "effect"))
         inst->side_effect = true;
      else if (take(r, "keep"))
         inst->keep = true;
      else if (take(r, "pop"))
         pop(r, inst);
      else if (!memory(r, inst))
         refuse(r, "a property");
   } while (take(r, ","));
   need(r, "}");
}

static uint32_t
place(struct reader *r)
{
   return take(r, "@") ? number(r) : 0;
}

static void
instruction(struct reader *r)
{
   struct compiler *c = r->c;
   struct inst *inst = cc_inst(c, INST_ALU);

   skip_blanks(r);
   if (*r->at == '(') {
      inst->kind = INST_FETCH;
      inst->fetch = cc_alloc(c, 4 * sizeof(*inst->fetch));
      do {
         fetch(r, inst, &inst->fetch[inst->num_fetches++]);
      } while (inst->num_fetches < 4 && take(r, "| "));
   } else {
      do {
         lane_of(r, inst);
      } while (inst->num_lanes < 4 && take(r, "| "));
      if (inst->kind != INST_ALU)
         inst->num_lanes = 0;
   }
   properties(r, inst);
   inst->place = place(r);
   cc_append(c, cc_block(c), inst);
}

/* --- blocks ----------------------------------------------------------------------------------- */

static uint32_t
innermost_loop(struct reader *r)
{
   for (unsigned d = r->depth; d-- > 0;)
      if (r->c->blocks[r->open[d]].end == END_LOOP)
         return r->open[d];
   refuse(r, "a loop around");
}

static void
end_block(struct reader *r, enum block_end end)
{
   struct compiler *c = r->c;
   const uint32_t n = c->num_blocks - 1;
   struct cc_block *b = cc_block(c);

   if ((end == END_ELSE || end == END_ENDIF || end == END_ENDLOOP) && !r->depth)
      refuse(r, "something to close before");
   switch (end) {
   case END_IF:
      if (!b->num_insts)
         refuse(r, "a condition before");
      b->pred = b->insts[--b->num_insts];
      r->open[r->depth++ % 16] = n;
      break;
   case END_LOOP:
      r->open[r->depth++ % 16] = n;
      break;
   case END_ELSE:
      c->blocks[r->open[r->depth - 1]].match = n;
      r->open[r->depth - 1] = n;
      break;
   case END_ENDIF:
      c->blocks[r->open[--r->depth]].match = n;
      break;
   case END_ENDLOOP:
      b->match = r->open[--r->depth];
      c->blocks[b->match].match = n;
      break;
   case END_BREAK:
   case END_CONTINUE:
      b->match = innermost_loop(r);
      if (b->num_insts && b->insts[b->num_insts - 1]->kind == INST_ALU &&
          b->insts[b->num_insts - 1]->lane[0].update_exec)
         b->pred = b->insts[--b->num_insts];
      break;
   case END_PROGRAM:
      break;
   }
   c->place = place(r);
   if (end == END_PROGRAM)
      cc_end_program(c);
   else
      cc_end_block(c, end);
   c->place = SHADER_NO_PLACE;
}

static bool
flow(struct reader *r)
{
   const char *before = r->at;
   char text[64];

   if (!isalpha((unsigned char)*r->at))
      return false;
   name(r, text);
   for (unsigned end = END_PROGRAM; end <= END_CONTINUE; end++) {
      if (!strcmp(text, cc_end_names[end])) {
         end_block(r, end);
         return true;
      }
   }
   r->at = before;
   return false;
}

/* --- what holds for all ----------------------------------------------------------------------- */

static void
inputs(struct reader *r)
{
   while (!at_end(r)) {
      value_id v = value(r);
      struct cc_value *input = &r->c->values[v];
      input->input = true;
      if (input->gpr >= (int)r->c->first_free_gpr)
         r->c->first_free_gpr = (unsigned)input->gpr + 1;
   }
}

static void
array(struct reader *r)
{
   struct compiler *c = r->c;
   uint32_t n = number(r), cap = 8;

   if (n != c->num_arrays || n >= cap)
      refuse(r, "the next array, at most seven, before");
   if (!c->arrays)
      c->arrays = cc_alloc(c, cap * sizeof(*c->arrays));
   struct array *a = &c->arrays[c->num_arrays++];
   need(r, "[");
   a->size = number(r);
   need(r, "]");
   if (take(r, "scratch")) {
      a->scratch = true;
      a->base = number(r);
      return;
   }
   need(r, ".");
   while (*r->at && strchr("xyzw", *r->at))
      a->channels |= (uint8_t)(1u << channel(r));
   need(r, "R");
   a->gpr = (int16_t)number(r);
   c->first_free_gpr = (unsigned)a->gpr + a->size;
}

static void
tuple(struct reader *r)
{
   struct compiler *c = r->c;

   c->num_tuples = c->num_tuples ? c->num_tuples : 1;
   c->tuples = cc_grow(c, c->tuples, c->num_tuples, &c->cap_tuples, sizeof(*c->tuples));
   struct tuple *t = &c->tuples[c->num_tuples];
   while (!at_end(r) && t->count < 4) {
      value_id v = value(r);
      c->values[v].tuple = c->num_tuples;
      t->member[t->count++] = v;
   }
   c->num_tuples++;
}

static void
statement(struct reader *r)
{
   if (take(r, "input")) {
      inputs(r);
   } else if (take(r, "array x")) {
      array(r);
   } else if (take(r, "tuple")) {
      tuple(r);
   } else if (take(r, "block")) {
      number(r);
      need(r, ":");
   } else if (!flow(r)) {
      instruction(r);
   }
   if (!at_end(r))
      refuse(r, "the end of the instruction");
}

/* --- the interface ---------------------------------------------------------------------------- */

struct compiler *
ir_begin(const char *text)
{
   struct compiler *c = calloc(1, sizeof(*c));
   struct reader r = { .c = c, .text = text, .at = text };

   assert_non_null(c);
   c->chip = &cc_chips[CAYMAN_VLIW4];
   c->out = calloc(1, sizeof(*c->out));
   assert_non_null(c->out);
   c->out->stage = SHADER_STAGE_PS;
   c->mem.error_size = 200;
   c->mem.error = calloc(1, c->mem.error_size);
   c->window = UINT32_MAX;
   c->place = SHADER_NO_PLACE;
   if (setjmp(c->mem.failed))
      fail_msg("%s", c->mem.error);
   cc_value(c); /* value 1, so that there is one */
   cc_end_block(c, END_PROGRAM);
   while (*r.at)
      if (at_end(&r))
         r.at += *r.at != 0;
      else
         statement(&r);
   if (r.depth)
      refuse(&r, "the end of a branch or loop");
   cc_count(c);
   return c;
}

void
ir_end(struct compiler *c)
{
   shader_code_finish(c->out);
   free(c->out);
   free(c->mem.error);
   compile_free(&c->mem);
   free(c);
}

void
ir_run(struct compiler *c, ir_pass *pass)
{
   if (setjmp(c->mem.failed))
      fail_msg("%s", c->mem.error);
   pass(c);
}

char *
ir_print(const struct compiler *c)
{
   struct isa_text t = { 0 };

   cc_print(&t, c, false);
   text_char(&t, 0);
   assert_false(t.failed);
   return t.data;
}

void
ir_case(ir_pass *pass, const char *before, const char *after, const char *file, int line)
{
   struct compiler *c = ir_begin(before), *want = ir_begin(after);

   ir_run(c, pass);
   char *got_text = ir_print(c), *want_text = ir_print(want);
   if (strcmp(got_text, want_text) != 0) {
      print_error("%s:%d: expected\n%sbut got\n%s", file, line, want_text, got_text);
      _fail(file, line);
   }
   free(got_text);
   free(want_text);
   ir_end(c);
   ir_end(want);
}
