/* SPDX-License-Identifier: MIT */
/* IL text to programs (chapter 3).
 *
 * An instruction ends where its operands do; there may be several in a line, or several lines of
 * operands, each but the last with a comma at its end.  `;`, slash-slash and slash-star comments;
 * mnemonics and names in any case; modifiers in any order; the spellings of the document and of
 * AMD's own tools both accepted (docs/il.rst, Dialects).  Total: any bytes give a program or one
 * error with line and column.
 */
#include "parse.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* -------------------------------------------------------------------------------- suffixes -- */

struct building {
   struct il_inst inst;
   const struct il_op_info *info;
   const struct il_field *fields;
   uint32_t data0;
   bool sat;
   uint8_t shift;
};

static void
set_field(struct building *b, const struct il_field *f, uint32_t v)
{
   uint32_t mask = (uint32_t)(((uint64_t)1 << f->width) - 1);
   uint32_t bits = (v & mask) << f->shift;
   switch (f->where) {
   case IL_IN_CTL:
      b->inst.ctl = (b->inst.ctl & ~(mask << f->shift)) | bits;
      break;
   case IL_IN_PRI:
      b->inst.pri = (b->inst.pri & ~(mask << f->shift)) | bits;
      b->inst.ctl |= il_ctl_has_pri(true);
      break;
   case IL_IN_DATA:
      b->data0 = (b->data0 & ~(mask << f->shift)) | bits;
      break;
   }
}

static bool
parse_field(struct parser *s, struct building *b, const struct il_field *f)
{
   const char *at = s->at + (f->form != IL_FIELD_SUFFIX); /* the value */
   uint32_t v = 1;
   if (f->form == IL_FIELD_SUFFIX) { /* a member without a name */
      if (!il_text_uint(s, &v))
         return false;
   } else if (f->form != IL_FIELD_FLAG) {
      if (!il_text_expect(s, '(') || !il_text_member(s, f->names, &v))
         return false;
      if (b->inst.op == IL_OP_DCL_RESOURCE && f->names == il_names_pixtex) {
         il_text_skip_blank(s);
         if (il_text_accept(s, ',')) {
            il_text_skip_blank(s);
            if (!il_text_matches(s, "unnorm"))
               return il_text_fail(s, "expected 'unnorm'");
            s->at += 6;
            b->inst.ctl |= il_ctl_resource_unnorm(true);
         }
      }
      if (!il_text_expect(s, ')'))
         return false;
   }
   if ((uint64_t)v >> f->width) {
      s->at = at;
      return il_text_fail(s, "the value does not fit its field");
   }
   set_field(b, f, v);
   return true;
}

/* Texel offsets in halves: "1", "-0.5", "7.5". */
static bool
parse_half(struct parser *s, int *out)
{
   uint32_t v;
   il_text_skip_blank(s);
   bool neg = il_text_accept(s, '-');
   if (!il_text_uint(s, &v) || v > 64)
      return il_text_fail(s, "a texel offset is -64 to 63.5 (7-83)");
   int n = (int)v * 2;
   if (il_text_accept(s, '.')) {
      n += il_text_peek(s) == '5';
      while (il_text_peek(s) >= 0 && isdigit(il_text_peek(s)))
         s->at++;
   }
   *out = neg ? -n : n;
   return true;
}

static bool
parse_offsets(struct parser *s, struct building *b)
{
   if (!il_text_expect(s, '('))
      return false;
   b->inst.ctl |= il_ctl_has_aoff(true);
   b->inst.aoff = 0;
   for (unsigned i = 0; i < 3; i++) {
      int n = 0;
      if (!parse_half(s, &n))
         return false;
      b->inst.aoff |= (uint32_t)(n & 0xff) << (8 * i);
      il_text_skip_blank(s);
      if (!il_text_accept(s, ','))
         return il_text_expect(s, ')');
   }
   uint32_t high;
   if (!il_text_uint(s, &high))
      return false;
   b->inst.aoff |= high << 24;
   return il_text_expect(s, ')');
}

static bool
parse_hex_suffix(struct parser *s, uint32_t *v)
{
   return il_text_expect(s, '(') && il_text_uint(s, v) && il_text_expect(s, ')');
}

static bool
parse_precise(struct parser *s, struct building *b)
{
   b->inst.has_prefix = true;
   b->inst.prefix = 15;
   if (!il_text_accept(s, '('))
      return true;
   b->inst.prefix = 0;
   while (il_text_component(il_text_peek(s)) >= 0 && il_text_component(il_text_peek(s)) < 4)
      b->inst.prefix |= 1 << il_text_component(*s->at++);
   return il_text_expect(s, ')');
}

enum generic_suffix {
   GEN_NONE,
   GEN_PREC,
   GEN_EXT,
   GEN_RESTYPE,
   GEN_OFFSET,
   GEN_PRI,
   GEN_SEC,
   GEN_CTL,
   GEN_DATA,
   GEN_SAT,
   GEN_SHIFT, /* + il_shift */
};

static bool
parse_generic(struct parser *s, struct building *b, unsigned which)
{
   uint32_t v = 0;
   switch (which) {
   case GEN_PREC:
      return parse_precise(s, b);
   case GEN_EXT:
      b->inst.ctl |= il_ctl_indexed(true);
      return true;
   case GEN_RESTYPE:
      return il_text_expect(s, '(') && il_text_member(s, il_names_pixtex, &b->inst.restype) &&
             il_text_expect(s, ')');
   case GEN_OFFSET:
      return parse_offsets(s, b);
   case GEN_PRI:
      if (!parse_hex_suffix(s, &v))
         return false;
      b->inst.pri |= v;
      b->inst.ctl |= il_ctl_has_pri(true);
      return true;
   case GEN_SEC:
      if (!parse_hex_suffix(s, &v))
         return false;
      b->inst.sec = v;
      b->inst.ctl |= il_ctl_has_sec(true);
      return true;
   case GEN_CTL:
      if (!parse_hex_suffix(s, &v) || v > 0xffff)
         return il_text_fail(s, "control bits are 16");
      b->inst.ctl |= v;
      return true;
   case GEN_DATA:
      if (!parse_hex_suffix(s, &v))
         return false;
      b->data0 |= v;
      return true;
   case GEN_SAT:
      b->sat = true;
      return true;
   default:
      b->shift = which - GEN_SHIFT;
      return true;
   }
}

/* Fields with members that may be suffixes: dcl_input_primitive_triangle, ffb_hi, and
 * dcl_input_position for dcl_input_usage(position), uav_raw_load_id(1)_cached (7-274). */
static bool
is_bare(const struct il_field *f)
{
   return f->form == IL_FIELD_SUFFIX || f->form == IL_FIELD_PAREN ||
          (f->form == IL_FIELD_ENUM && (!strcmp(f->name, "usage") || !strcmp(f->name, "cache")));
}

static bool
parse_suffix(struct parser *s, struct building *b)
{
   static const struct {
      const char *text;
      uint8_t which;
   } generic[] = {
      { "prec", GEN_PREC },
      { "ext", GEN_EXT },
      { "resourcetype", GEN_RESTYPE },
      { "aoffimmi", GEN_OFFSET },
      { "addroffimmi", GEN_OFFSET },
      { "pri", GEN_PRI },
      { "sec", GEN_SEC },
      { "ctl", GEN_CTL },
      { "data", GEN_DATA },
      { "sat", GEN_SAT },
      { "x2", GEN_SHIFT + IL_SHIFT_X2 },
      { "x4", GEN_SHIFT + IL_SHIFT_X4 },
      { "x8", GEN_SHIFT + IL_SHIFT_X8 },
      { "d2", GEN_SHIFT + IL_SHIFT_D2 },
      { "d4", GEN_SHIFT + IL_SHIFT_D4 },
      { "d8", GEN_SHIFT + IL_SHIFT_D8 },
   };
   size_t best = 0, n;
   const struct il_field *field = NULL, *member_of = NULL;
   unsigned which = GEN_NONE;
   uint32_t member = 0;

   for (const struct il_field *f = b->fields; f->name; f++) {
      if (f->form != IL_FIELD_OPERAND && (n = il_text_matches(s, f->name)) > best) {
         best = n;
         field = f;
      }
      for (const struct il_name *m = is_bare(f) ? f->names : NULL; m && m->text; m++)
         if ((n = il_text_matches(s, m->text)) > best ||
             (m->member && (n = il_text_matches(s, m->member)) > best)) {
            best = n;
            member_of = f;
            member = m->value;
         }
   }
   for (size_t i = 0; i < sizeof(generic) / sizeof(generic[0]); i++)
      if ((n = il_text_matches(s, generic[i].text)) > best) {
         best = n;
         which = generic[i].which;
      }
   if (!best && b->fields->form == IL_FIELD_SUFFIX && il_text_peek(s) >= 0 &&
       isdigit(il_text_peek(s)))
      return parse_field(s, b, b->fields);
   if (!best)
      return il_text_fail(s, "unknown suffix");
   s->at += best;
   if (which)
      return parse_generic(s, b, which);
   if (member_of && (!field || strlen(field->name) < best)) {
      set_field(b, member_of, member);
      return true;
   }
   return parse_field(s, b, field);
}

/* ------------------------------------------------------------------------------------ data -- */

struct words {
   uint32_t *v;
   uint32_t n, cap;
};

static bool
push(struct parser *s, struct words *w, uint32_t v)
{
   if (w->n == w->cap) {
      uint32_t cap = w->cap ? w->cap * 2 : 16;
      uint32_t *mem = cap > w->cap ? il_alloc(s->p, (size_t)cap * 4) : NULL;
      if (!mem)
         return il_text_fail(s, "out of memory");
      if (w->n)
         memcpy(mem, w->v, (size_t)w->n * 4);
      w->v = mem;
      w->cap = cap;
   }
   w->v[w->n++] = v;
   return true;
}

static bool
parse_list(struct parser *s, struct words *w, uint32_t want, bool comma_first)
{
   uint32_t v;
   for (uint32_t i = 0; !want || i < want; i++) {
      il_text_skip_blank(s);
      if ((i || comma_first) && !il_text_accept(s, ',')) {
         if (want)
            return il_text_fail(s, "expected ',' and another value");
         return true;
      }
      if (i || comma_first)
         il_text_skip_lines(s);
      if (!il_text_literal(s, &v) || !push(s, w, v))
         return false;
   }
   return true;
}

static bool
parse_braces(struct parser *s, struct words *w, uint32_t *count)
{
   uint32_t v;
   *count = 0;
   if (!il_text_expect(s, '=') || !il_text_expect(s, '{'))
      return false;
   il_text_skip_blank(s);
   while (!il_text_accept(s, '}')) {
      if (*count && !il_text_expect(s, ','))
         return false;
      if (!il_text_uint(s, &v) || !push(s, w, v))
         return false;
      ++*count;
      il_text_skip_blank(s);
   }
   return true;
}

static bool
parse_data(struct parser *s, struct building *b, bool any)
{
   struct words w = { 0 };
   uint32_t count, v;
   bool ok = true;
   switch (b->info->data) {
   case IL_DATA_NONE:
   case IL_DATA_MACROCALL:
      return true;
   case IL_DATA_FORMATS:
   case IL_DATA_MACRODEF:
      ok = push(s, &w, b->data0);
      break;
   case IL_DATA_WORD:
   case IL_DATA_BOOL:
   case IL_DATA_LABEL:
   case IL_DATA_FLOAT:
      ok = parse_list(s, &w, 1, any);
      break;
   case IL_DATA_WORD2:
      ok = parse_list(s, &w, 2, any);
      break;
   case IL_DATA_FLOAT4:
   case IL_DATA_BITS4:
      ok = parse_list(s, &w, 4, any);
      break;
   case IL_DATA_DIMS:
      ok = parse_list(s, &w, 0, any);
      if (ok && (w.n < 1 || w.n > 3))
         return il_text_fail(s, "one to three sizes");
      b->inst.ctl |= w.n;
      break;
   case IL_DATA_STRING:
   case IL_DATA_BLOB:
      ok = parse_list(s, &w, 0, any);
      if (ok && (!w.n || (w.v[0] & 0xffff) != w.n - 1))
         return il_text_fail(s, "the first value must be the number of values after it");
      break;
   case IL_DATA_TABLE:
      ok = push(s, &w, 0) && parse_braces(s, &w, &count);
      if (ok)
         w.v[0] = count;
      break;
   case IL_DATA_INTERFACE:
      for (unsigned i = 0; ok && i < 2; i++)
         ok = il_text_expect(s, '[') && il_text_uint(s, &v) && il_text_expect(s, ']') &&
              push(s, &w, v);
      ok = ok && push(s, &w, 0) && parse_braces(s, &w, &count);
      if (ok)
         w.v[2] = count;
      break;
   case IL_DATA_DCL_CB:
      if (!il_immediate(&b->inst))
         return true;
      s->at += 3;
      ok = il_text_expect(s, '[') && il_text_uint(s, &count) && il_text_expect(s, ']') &&
           push(s, &w, count) && parse_list(s, &w, 0, true);
      if (ok && w.n - 1 != count)
         return il_text_fail(s, "icb[n] must be followed by n values");
      break;
   }
   b->inst.data = w.v;
   b->inst.ndata = w.n;
   return ok;
}

/* ---------------------------------------------------------------------------- instructions -- */

static const struct {
   const char *text;
   uint16_t op;
} op_aliases[] = {
   { "and", IL_OP_AND },
   { "emitcut", IL_OP_EMIT_THEN_CUT },
   { "nt", IL_OP_NE },
   { "round_posinf", IL_OP_ROUND_PLUS_INF },
   { "d_add", IL_OP_D_ADD },
   { "dcl_num_instance", IL_OP_DCL_NUM_INSTANCES },
   { "buifinfo", IL_OP_BUFINFO },
   { "dmove", IL_OP_D_MOVC },
   { "dcl_num_thread_per_blk", IL_OP_DCL_NUM_THREAD_PER_GROUP },
   { "sample_clz", IL_OP_SAMPLE_C_LZ },
};

static const struct il_op_info *
parse_mnemonic(struct parser *s)
{
   const struct il_op_info *best = NULL;
   size_t len = 0, n;
   for (unsigned i = 0; il_op_row(i); i++) {
      const struct il_op_info *row = il_op_row(i);
      if ((row->name[0] | 32) == (il_text_peek(s) | 32) &&
          (n = il_text_matches(s, row->name)) > len) {
         best = row;
         len = n;
      }
   }
   for (size_t i = 0; i < sizeof(op_aliases) / sizeof(op_aliases[0]); i++)
      if ((n = il_text_matches(s, op_aliases[i].text)) > len) {
         best = il_op_info(op_aliases[i].op);
         len = n;
      }
   s->at += len;
   return best;
}

static bool
parse_global_flags(struct parser *s, struct building *b)
{
   uint32_t v;
   il_text_skip_blank(s);
   if (il_text_peek(s) < 0 || il_text_peek(s) == '\n')
      return true;
   do {
      if (!il_text_member(s, il_names_global_flag, &v))
         return false;
      if (v < 4)
         b->inst.ctl |= 1 << v;
      il_text_skip_blank(s);
   } while (il_text_accept(s, '|'));
   return true;
}

/* What the instruction's suffixes say of its first result. */
static bool
modify_result(struct parser *s, struct building *b)
{
   if (!b->sat && !b->shift)
      return true;
   if (!b->inst.ndst)
      return il_text_fail(s, "_sat and scales need a destination");
   b->inst.dst[0].has_mod = true;
   b->inst.dst[0].clamp |= b->sat;
   b->inst.dst[0].shift = b->shift ? b->shift : b->inst.dst[0].shift;
   return true;
}

static bool
parse_call_operands(struct parser *s, struct building *b)
{
   enum { MAX_OPERANDS = UINT8_MAX }; /* of each kind, as in a stream */
   struct il_dst dst[MAX_OPERANDS];
   struct il_src src[MAX_OPERANDS];
   unsigned n = 0;
   il_text_skip_blank(s);
   il_text_accept(s, ','); /* mcall(2), (r1),(r2) (7.19) */
   if (!il_text_expect(s, '('))
      return false;
   for (il_text_skip_blank(s); !il_text_accept(s, ')'); il_text_skip_blank(s), n++) {
      if (n == MAX_OPERANDS)
         return il_text_fail(s, "a macro call has at most 255 operands of a kind");
      if ((n && !il_text_expect(s, ',')) || !il_text_dst(s, &dst[n]))
         return false;
   }
   b->inst.ndst = n;
   if (n && !(b->inst.dst = il_alloc(s->p, n * sizeof(*dst))))
      return false;
   if (n)
      memcpy(b->inst.dst, dst, n * sizeof(*dst));
   if (!modify_result(s, b))
      return false;
   n = 0;
   if (!il_text_expect(s, ',') || !il_text_expect(s, '('))
      return false;
   for (il_text_skip_blank(s); !il_text_accept(s, ')'); il_text_skip_blank(s), n++) {
      if (n == MAX_OPERANDS)
         return il_text_fail(s, "a macro call has at most 255 operands of a kind");
      if ((n && !il_text_expect(s, ',')) || !il_text_src(s, &src[n], false))
         return false;
   }
   b->inst.nsrc = n;
   if (n && !(b->inst.src = il_alloc(s->p, n * sizeof(*src))))
      return false;
   if (n)
      memcpy(b->inst.src, src, n * sizeof(*src));
   return true;
}

static bool
parse_operands(struct parser *s, struct building *b)
{
   bool any = false;
   for (const struct il_field *f = b->fields; f->name; f++)
      if (f->form == IL_FIELD_OPERAND) {
         uint32_t v;
         il_text_skip_blank(s);
         size_t n = strlen(f->name);
         if ((size_t)(s->end - s->at) >= n && !strncasecmp(s->at, f->name, n))
            s->at += n;
         const char *at = s->at;
         if (!il_text_member(s, f->names, &v))
            return false;
         if ((uint64_t)v >> f->width) {
            s->at = at;
            return il_text_fail(s, "the value does not fit its field");
         }
         set_field(b, f, v);
         any = true;
      }
   if (b->info->ctl == IL_CTL_GLOBAL_FLAGS)
      return parse_global_flags(s, b);
   if (b->info->data == IL_DATA_MACROCALL)
      return parse_call_operands(s, b);
   if (b->info->data == IL_DATA_DCL_CB) {
      il_text_skip_blank(s);
      if (s->end - s->at >= 4 && !strncasecmp(s->at, "icb", 3))
         b->inst.ctl |= il_ctl_immediate(true);
   }
   b->inst.ndst = b->info->dsts;
   b->inst.nsrc = il_inst_num_srcs(b->info, &b->inst);
   if (b->inst.ndst && !(b->inst.dst = il_alloc(s->p, b->inst.ndst * sizeof(struct il_dst))))
      return false;
   if (b->inst.nsrc && !(b->inst.src = il_alloc(s->p, b->inst.nsrc * sizeof(struct il_src))))
      return false;
   for (unsigned i = 0; i < b->inst.ndst; i++, any = true)
      if ((any && !il_text_expect(s, ',')) || !il_text_dst(s, &b->inst.dst[i]))
         return false;
   for (unsigned i = 0; i < b->inst.nsrc; i++, any = true)
      if ((any && !il_text_expect(s, ',')) || !il_text_src(s, &b->inst.src[i], false))
         return false;
   if (!modify_result(s, b))
      return false;
   il_text_skip_blank(s);
   return parse_data(s, b, any);
}

static bool
parse_inst(struct parser *s)
{
   struct building b = { 0 };
   const char *from = s->at;
   b.inst.offset = s->line;
   b.info = parse_mnemonic(s);
   if (!b.info)
      return il_text_fail(s, "unknown instruction");
   if (!b.info->shape_known || b.info->value == IL_OP_PREFIX) {
      s->at = from;
      return il_text_fail(s, "the operands of this instruction are not documented");
   }
   b.inst.op = b.info->value;
   b.fields = il_fields(b.info->ctl, b.inst.op);
   if (b.inst.op == IL_OP_DCLV || b.inst.op == IL_OP_INITV)
      s->sm30_inputs = true;
   bool commas = b.inst.op == IL_OP_MACRODEF; /* mdef(2)_out(1),in(3) (7.19) */
   bool bracket = false;                      /* a second one is of mcall's operands */
   while (il_text_peek(s) == '_' || (il_text_peek(s) == '(' && !bracket) ||
          (commas && il_text_peek(s) == ',')) {
      if (il_text_accept(s, '_') || (commas && il_text_accept(s, ','))) {
         if (!parse_suffix(s, &b))
            return false;
         continue;
      }
      const struct il_field *f = b.fields;
      while (f->name && f->form != IL_FIELD_PAREN)
         f++;
      if (!f->name)
         return il_text_fail(s, "unexpected '('");
      if (!parse_field(s, &b, f))
         return false;
      bracket = true;
   }
   if (il_text_peek(s) == '(' && b.info->data != IL_DATA_MACROCALL)
      return il_text_fail(s, "unexpected '('");
   if (il_text_word_char(il_text_peek(s)))
      return il_text_fail(s, "unknown instruction");
   if (!parse_operands(s, &b))
      return false;
   struct il_inst *inst = il_emit(s->p, b.inst.op, 0, NULL, 0, NULL);
   if (!inst)
      return il_text_fail(s, "out of memory");
   *inst = b.inst;
   return true;
}

static bool
parse_header(struct parser *s)
{
   static const char *const stages[] = { "il_vs", "il_ps", "il_gs", "il_cs", "il_hs", "il_ds" };
   uint32_t v;
   for (unsigned i = 0; i < 6; i++) {
      size_t n = il_text_matches(s, stages[i]);
      if (!n)
         continue;
      s->at += n;
      s->p->shader = i;
      if (s->end - s->at > 1 && s->at[0] == '_' && isdigit((unsigned char)s->at[1])) {
         s->at++;
         if (!il_text_uint(s, &v) || v > 255)
            return il_text_fail(s, "a version is 0 to 255");
         s->p->major = v;
         s->p->minor = 0;
         if (s->end - s->at > 1 && s->at[0] == '_' && isdigit((unsigned char)s->at[1])) {
            s->at++;
            if (!il_text_uint(s, &v) || v > 255)
               return il_text_fail(s, "a version is 0 to 255");
            s->p->minor = v;
         }
      }
      while (il_text_accept(s, '_')) {
         if (il_text_matches(s, "mp"))
            s->p->multipass = true;
         else if (il_text_matches(s, "rt"))
            s->p->realtime = true;
         else
            return il_text_fail(s, "unknown suffix of the header");
         s->at += 2;
      }
      s->p->first_main = s->p->ninsts;
      return true;
   }
   return il_text_fail(s, "expected il_vs, il_ps, il_gs, il_cs, il_hs or il_ds");
}

static bool
parse_program(struct parser *s)
{
   bool header = false;
   for (il_text_skip_lines(s); s->at < s->end; il_text_skip_lines(s)) {
      if (!header && s->end - s->at >= 3 && !strncasecmp(s->at, "il_", 3)) {
         header = true;
         if (!parse_header(s))
            return false;
      } else {
         bool macro = s->p->ninsts && s->p->insts[s->p->ninsts - 1].op != IL_OP_MACROEND;
         if (!header && !macro && !il_text_matches(s, "mdef"))
            return il_text_fail(s, "a program starts with its header (3)");
         if (header && s->p->ninsts && s->p->insts[s->p->ninsts - 1].op == IL_OP_END)
            return il_text_fail(s, "text after end (4.1)");
         if (!parse_inst(s))
            return false;
      }
      il_text_skip_blank(s);
      if (s->at < s->end && *s->at != '\n' && !isalpha((unsigned char)*s->at))
         return il_text_fail(s, "unexpected text after the instruction");
   }
   if (!header)
      return il_text_fail(s, "there is no program");
   if (!s->p->ninsts || s->p->insts[s->p->ninsts - 1].op != IL_OP_END)
      return il_text_fail(s, "the program has no end (4.1)");
   return true;
}

struct il_program *
il_parse(const char *text, size_t len, struct il_error *err)
{
   struct parser s = { .at = text, .end = text + len, .line_start = text, .line = 1, .err = err };
   s.p = il_program_new(IL_SHADER_VERTEX);
   s.c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
   bool ok = s.p && s.c_locale;
   if (!ok)
      il_fail(err, 0, 0, "out of memory");
   ok = ok && parse_program(&s);
   if (ok && s.p->oom)
      ok = il_fail(err, s.line, 0, "out of memory");
   if (s.c_locale)
      freelocale(s.c_locale);
   if (ok)
      return s.p;
   il_program_free(s.p);
   return NULL;
}
