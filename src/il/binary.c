/* SPDX-License-Identifier: MIT */
/* The binary stream (chapter 2): reader and writer.
 *
 *   stream   macro definitions, IL_Lang, IL_Version, packets, one END, nothing after it
 *   packet   opcode, primary modifier (bit 31), secondary (30), resource type (28), address offset
 *            (29), destinations, sources, data
 *   operand  token, high half of an extended number, modifier, relative address or index source,
 *            immediate, then the second dimension with parts of its own (2.2.8)
 *
 * The reader is total: it never looks past the end.  What it cannot keep exactly (an opcode of
 * unknown shape, a reserved enumerant in an operand) it refuses, and says at which dword.
 */
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool
il_fail(struct il_error *err, uint32_t where, uint32_t column, const char *fmt, ...)
{
   if (err) {
      va_list ap;
      err->where = where;
      err->column = column;
      va_start(ap, fmt);
      vsnprintf(err->text, sizeof(err->text), fmt, ap);
      va_end(ap);
   }
   return false;
}

/* ------------------------------------------------------------------------------------ writer -- */

struct writer {
   uint32_t *d;
   uint32_t n, cap;
   bool oom;
   enum il_numbering numbering;
   struct il_error *err;
};

static void
put(struct writer *w, uint32_t v)
{
   if (w->n == w->cap) {
      uint32_t cap = w->cap ? w->cap * 2 : 256;
      uint32_t *d = cap > w->cap ? realloc(w->d, (size_t)cap * 4) : NULL;
      if (!d) {
         w->oom = true;
         return;
      }
      w->d = d;
      w->cap = cap;
   }
   w->d[w->n++] = v;
}

static uint32_t
pack_src_mod(const struct il_src *s)
{
   uint32_t v = 0;
   for (unsigned c = 0; c < 4; c++)
      v |= (uint32_t)((s->swz[c] & 7) | (s->neg >> c & 1) << 3) << (4 * c);
   v |= (uint32_t) !!(s->flags & IL_SRC_INVERT) << 16;
   v |= (uint32_t) !!(s->flags & IL_SRC_BIAS) << 17;
   v |= (uint32_t) !!(s->flags & IL_SRC_X2) << 18;
   v |= (uint32_t) !!(s->flags & IL_SRC_SIGN) << 19;
   v |= (uint32_t) !!(s->flags & IL_SRC_ABS) << 20;
   v |= (uint32_t)(s->divcomp & 7) << 21;
   v |= (uint32_t) !!(s->flags & IL_SRC_CLAMP) << 24;
   v |= (uint32_t)(s->reserved & 127) << 25;
   return v;
}

static uint32_t
pack_dst_mod(const struct il_dst *d)
{
   uint32_t v = 0;
   for (unsigned c = 0; c < 4; c++)
      v |= (uint32_t)(d->comp[c] & 3) << (2 * c);
   return v | (uint32_t)d->clamp << 8 | (uint32_t)(d->shift & 15) << 9 | d->reserved << 13;
}

static uint32_t
pack_ref(const struct il_ref *r, bool has_mod, bool dim2)
{
   return (r->num & 0xffff) | (uint32_t)(r->type & 63) << 16 | (uint32_t)has_mod << 22 |
          (uint32_t)(r->rel & 3) << 23 | (uint32_t)dim2 << 25 | (uint32_t)r->has_imm << 26 |
          (uint32_t)(r->reserved & 15) << 27 | (uint32_t)r->extended << 31;
}

static void put_src(struct writer *w, const struct il_src *s);

static void
put_ref_head(struct writer *w, const struct il_ref *r, bool has_mod, bool dim2)
{
   put(w, pack_ref(r, has_mod, dim2));
   if (r->extended)
      put(w, r->num >> 16);
}

static void
put_ref_tail(struct writer *w, const struct il_ref *r)
{
   if (r->rel == IL_ADDR_RELATIVE)
      put(w, r->rel_addr);
   else if (r->rel == IL_ADDR_REG_RELATIVE && r->index)
      put_src(w, r->index);
   if (r->has_imm)
      put(w, r->imm);
}

static void
put_dim2(struct writer *w, const struct il_ref *dim2)
{
   if (!dim2)
      return;
   put_ref_head(w, dim2, false, false);
   put_ref_tail(w, dim2);
}

static void
put_src(struct writer *w, const struct il_src *s)
{
   put_ref_head(w, &s->r, s->has_mod, s->dim2 != NULL);
   if (s->has_mod)
      put(w, pack_src_mod(s));
   put_ref_tail(w, &s->r);
   put_dim2(w, s->dim2);
}

static void
put_dst(struct writer *w, const struct il_dst *d)
{
   put_ref_head(w, &d->r, d->has_mod, d->dim2 != NULL);
   if (d->has_mod)
      put(w, pack_dst_mod(d));
   put_ref_tail(w, &d->r);
   put_dim2(w, d->dim2);
}

static bool
put_opcode(struct writer *w, uint32_t index, unsigned op, unsigned ctl)
{
   if (w->numbering == IL_NUMBERING_DOCUMENT) {
      if (op == IL_OP_MOVA)
         return il_fail(w->err, index, 0, "mova has no number in the document's Appendix B");
      if (op < IL_OP_LAST)
         op = IL_OPCODE_DOC(op);
   }
   put(w, (uint32_t)op | (uint32_t)ctl << 16);
   return true;
}

static bool
put_inst(struct writer *w, uint32_t index, const struct il_inst *inst)
{
   const struct il_op_info *info = il_op_info(inst->op);
   if (!info || !info->shape_known)
      return il_fail(w->err, index, 0, "opcode %u cannot be written", inst->op);
   if (inst->has_prefix && !put_opcode(w, index, IL_OP_PREFIX, inst->prefix))
      return false;
   if (!put_opcode(w, index, inst->op, inst->ctl))
      return false;
   if (il_inst_has_pri(info, inst))
      put(w, inst->pri);
   if (il_inst_has_sec(info, inst))
      put(w, inst->sec);
   if (il_inst_has_restype(info, inst))
      put(w, inst->restype);
   if (il_inst_has_aoff(info, inst))
      put(w, inst->aoff);
   if (info->data == IL_DATA_MACROCALL)
      put(w, (uint32_t)inst->ndst | (uint32_t)inst->nsrc << 16);
   else if (inst->ndst != info->dsts || inst->nsrc != il_inst_num_srcs(info, inst))
      return il_fail(w->err, index, 0, "%s has %u destinations and %u sources, not %u and %u",
                     info->name, inst->ndst, inst->nsrc, info->dsts, il_inst_num_srcs(info, inst));
   for (unsigned i = 0; i < inst->ndst; i++)
      put_dst(w, &inst->dst[i]);
   for (unsigned i = 0; i < inst->nsrc; i++)
      put_src(w, &inst->src[i]);
   if (info->data != IL_DATA_MACROCALL)
      for (uint32_t i = 0; i < inst->ndata; i++)
         put(w, inst->data[i]);
   return true;
}

uint32_t *
il_write(const struct il_program *p, enum il_numbering numbering, uint32_t *ndwords,
         struct il_error *err)
{
   struct writer w = { .numbering = numbering, .err = err };
   bool ok = !p->oom;

   if (!ok)
      il_fail(err, 0, 0, "the program is incomplete: memory was out");
   for (uint32_t i = 0; ok && i <= p->ninsts; i++) {
      if (i == p->first_main) {
         put(&w, p->lang | p->lang_reserved << 8);
         put(&w, p->minor | (uint32_t)p->major << 8 | (uint32_t)p->shader << 16 |
                    (uint32_t)p->multipass << 24 | (uint32_t)p->realtime << 25 |
                    (uint32_t)p->version_reserved << 26);
      }
      if (i < p->ninsts)
         ok = put_inst(&w, i, &p->insts[i]);
   }
   if (ok && w.oom)
      ok = il_fail(err, 0, 0, "out of memory");
   if (!ok) {
      free(w.d);
      return NULL;
   }
   *ndwords = w.n;
   return w.d;
}

/* ------------------------------------------------------------------------------------ reader -- */

struct reader {
   const uint32_t *d;
   uint32_t n, at;
   enum il_numbering numbering;
   struct il_program *p;
   struct il_error *err;
};

static bool
get(struct reader *r, uint32_t *v)
{
   *v = 0;
   if (r->at >= r->n)
      return il_fail(r->err, r->at, 0, "the stream ends inside an instruction");
   *v = r->d[r->at++];
   return true;
}

static bool get_src(struct reader *r, struct il_src *s, bool is_index);

/* Takes a token apart; gives back its modifier and dimension bits. */
static bool
get_ref_head(struct reader *r, struct il_ref *ref, bool *has_mod, bool *has_dim2)
{
   uint32_t t, hi, at = r->at;
   if (!get(r, &t))
      return false;
   ref->num = t & 0xffff;
   ref->type = t >> 16 & 63;
   *has_mod = t >> 22 & 1;
   ref->rel = t >> 23 & 3;
   *has_dim2 = t >> 25 & 1;
   ref->has_imm = t >> 26 & 1;
   ref->reserved = t >> 27 & 15;
   ref->extended = t >> 31;
   if (ref->type >= IL_REGTYPE_LAST)
      return il_fail(r->err, at, 0, "register type %u does not exist (5)", ref->type);
   if (ref->rel > IL_ADDR_REG_RELATIVE)
      return il_fail(r->err, at, 0, "addressing mode 3 does not exist (6.1)");
   if (ref->extended) {
      if (!get(r, &hi))
         return false;
      if (hi >> 16)
         return il_fail(r->err, r->at - 1, 0, "reserved bits of an extended register number");
      ref->num |= hi << 16;
   }
   return true;
}

static bool
get_ref_tail(struct reader *r, struct il_ref *ref, bool is_index)
{
   if (ref->rel == IL_ADDR_RELATIVE) {
      if (!get(r, &ref->rel_addr))
         return false;
   } else if (ref->rel == IL_ADDR_REG_RELATIVE) {
      if (is_index)
         return il_fail(r->err, r->at, 0, "an index may not be indexed itself (2.2.6)");
      ref->index = il_alloc(r->p, sizeof(*ref->index));
      if (!ref->index || !get_src(r, ref->index, true))
         return false;
   }
   return !ref->has_imm || get(r, &ref->imm);
}

static bool
get_dim2(struct reader *r, bool has_dim2, struct il_ref **out, bool is_index)
{
   bool mod, dim;
   if (!has_dim2)
      return true;
   *out = il_alloc(r->p, sizeof(**out));
   if (!*out || !get_ref_head(r, *out, &mod, &dim))
      return false;
   if (mod || dim)
      return il_fail(r->err, r->at, 0, "a second dimension has no modifier and no third (2.2.8)");
   return get_ref_tail(r, *out, is_index);
}

static bool
get_src(struct reader *r, struct il_src *s, bool is_index)
{
   bool dim;
   uint32_t m;
   *s = il_src(0, 0);
   if (!get_ref_head(r, &s->r, &s->has_mod, &dim))
      return false;
   if (s->has_mod) {
      if (!get(r, &m))
         return false;
      for (unsigned c = 0; c < 4; c++) {
         s->swz[c] = m >> (4 * c) & 7;
         s->neg |= (m >> (4 * c + 3) & 1) << c;
         if (s->swz[c] > IL_COMPSEL_1)
            return il_fail(r->err, r->at - 1, 0, "component selector %u does not exist (6.4)",
                           s->swz[c]);
      }
      s->flags = (m >> 16 & 1 ? IL_SRC_INVERT : 0) | (m >> 17 & 1 ? IL_SRC_BIAS : 0) |
                 (m >> 18 & 1 ? IL_SRC_X2 : 0) | (m >> 19 & 1 ? IL_SRC_SIGN : 0) |
                 (m >> 20 & 1 ? IL_SRC_ABS : 0) | (m >> 24 & 1 ? IL_SRC_CLAMP : 0);
      s->divcomp = m >> 21 & 7;
      s->reserved = m >> 25;
      if (s->divcomp > IL_DIVCOMP_UNKNOWN)
         return il_fail(r->err, r->at - 1, 0, "divComp %u does not exist (6.6)", s->divcomp);
   }
   return get_ref_tail(r, &s->r, is_index) && get_dim2(r, dim, &s->dim2, is_index);
}

static bool
get_dst(struct reader *r, struct il_dst *d)
{
   bool dim;
   uint32_t m;
   *d = il_dst(0, 0);
   if (!get_ref_head(r, &d->r, &d->has_mod, &dim))
      return false;
   if (d->has_mod) {
      if (!get(r, &m))
         return false;
      for (unsigned c = 0; c < 4; c++)
         d->comp[c] = m >> (2 * c) & 3;
      d->clamp = m >> 8 & 1;
      d->shift = m >> 9 & 15;
      d->reserved = m >> 13;
      if (d->shift > IL_SHIFT_D8)
         return il_fail(r->err, r->at - 1, 0, "shift scale %u does not exist (6.26)", d->shift);
   }
   return get_ref_tail(r, &d->r, false) && get_dim2(r, dim, &d->dim2, false);
}

/* How many data dwords follow; more than the stream holds is caught by the caller. */
static uint64_t
data_length(const struct reader *r, const struct il_op_info *info, const struct il_inst *inst)
{
   uint32_t left = r->n - r->at;
   switch (info->data) {
   case IL_DATA_NONE:
   case IL_DATA_MACROCALL:
      return 0;
   case IL_DATA_WORD:
   case IL_DATA_FLOAT:
   case IL_DATA_BOOL:
   case IL_DATA_LABEL:
   case IL_DATA_FORMATS:
   case IL_DATA_MACRODEF:
      return 1;
   case IL_DATA_WORD2:
      return 2;
   case IL_DATA_FLOAT4:
   case IL_DATA_BITS4:
      return 4;
   case IL_DATA_DIMS: {
      unsigned n = il_number(inst);
      return n ? n : 3;
   }
   case IL_DATA_STRING:
   case IL_DATA_BLOB:
      return left < 1 ? 1 : 1 + (uint64_t)(r->d[r->at] & 0xffff);
   case IL_DATA_TABLE:
      return left < 1 ? 1 : 1 + (uint64_t)r->d[r->at];
   case IL_DATA_INTERFACE:
      return left < 3 ? 3 : 3 + (uint64_t)r->d[r->at + 2];
   case IL_DATA_DCL_CB:
      if (!il_immediate(inst))
         return 0;
      return left < 1 ? 1 : 1 + (uint64_t)r->d[r->at];
   }
   return 0;
}

static unsigned
stream_opcode(enum il_numbering numbering, unsigned v)
{
   /* The document's last number is 481; 482 becomes one that no row has. */
   return numbering == IL_NUMBERING_DOCUMENT && v >= 72 && v < IL_OP_LAST ? v + 1 : v;
}

/* Reads one packet, with its prefix, and appends it. */
static bool
get_inst(struct reader *r)
{
   uint32_t t, at = r->at, prefix = 0;
   bool has_prefix = false;
   struct il_inst in = { .offset = at };

   if (!get(r, &t))
      return false;
   if (stream_opcode(r->numbering, t & 0xffff) == IL_OP_PREFIX) {
      has_prefix = true;
      prefix = t >> 16;
      if (!get(r, &t))
         return false;
   }
   in.op = stream_opcode(r->numbering, t & 0xffff);
   in.ctl = t >> 16;
   in.has_prefix = has_prefix;
   in.prefix = prefix;
   if (prefix >> 4)
      return il_fail(r->err, at, 0, "reserved bits of a prefix (7.3)");

   const struct il_op_info *info = il_op_info(in.op);
   if (!info)
      return il_fail(r->err, r->at - 1, 0, "opcode %u does not exist", in.op);
   if (!info->shape_known)
      return il_fail(r->err, r->at - 1, 0, "opcode %u (%s): its operands are not documented", in.op,
                     info->name[0] ? info->name : "unknown");
   if (has_prefix && in.op == IL_OP_PREFIX)
      return il_fail(r->err, r->at - 1, 0, "a prefix before a prefix (7.3)");
   if (il_inst_has_pri(info, &in) && !get(r, &in.pri))
      return false;
   if (il_inst_has_sec(info, &in) && !get(r, &in.sec))
      return false;
   if (il_inst_has_restype(info, &in) && !get(r, &in.restype))
      return false;
   if (il_inst_has_aoff(info, &in) && !get(r, &in.aoff))
      return false;

   unsigned ndst = info->dsts, nsrc = il_inst_num_srcs(info, &in);
   if (info->data == IL_DATA_MACROCALL) {
      uint32_t counts;
      if (!get(r, &counts))
         return false;
      ndst = counts & 0xffff;
      nsrc = counts >> 16;
      if (ndst > UINT8_MAX || nsrc > UINT8_MAX)
         return il_fail(r->err, r->at - 1, 0, "a macro call has at most 255 operands of a kind");
   }
   in.ndst = ndst;
   in.nsrc = nsrc;
   if (ndst && !(in.dst = il_alloc(r->p, ndst * sizeof(*in.dst))))
      return false;
   if (nsrc && !(in.src = il_alloc(r->p, nsrc * sizeof(*in.src))))
      return false;
   for (unsigned i = 0; i < ndst; i++)
      if (!get_dst(r, &in.dst[i]))
         return false;
   for (unsigned i = 0; i < nsrc; i++)
      if (!get_src(r, &in.src[i], false))
         return false;

   uint64_t ndata = data_length(r, info, &in);
   if (ndata > r->n - r->at)
      return il_fail(r->err, r->at, 0, "%s: the stream ends inside its data", info->name);
   if (ndata) {
      in.ndata = (uint32_t)ndata;
      in.data = il_alloc(r->p, ndata * 4);
      if (!in.data)
         return false;
      memcpy(in.data, r->d + r->at, ndata * 4);
      r->at += in.ndata;
   }

   struct il_inst *inst = il_emit(r->p, in.op, in.ctl, NULL, 0, NULL);
   if (!inst)
      return false;
   *inst = in;
   return true;
}

/* Macro definitions stand before the header (7.19). */
static bool
get_macros(struct reader *r)
{
   unsigned mdef = IL_OP_MACRODEF;
   while (r->at < r->n && stream_opcode(r->numbering, r->d[r->at] & 0xffff) == mdef) {
      do {
         if (!get_inst(r))
            return false;
      } while (r->p->insts[r->p->ninsts - 1].op != IL_OP_MACROEND);
   }
   r->p->first_main = r->p->ninsts;
   return true;
}

static bool
get_program(struct reader *r)
{
   uint32_t lang, version;
   if (!get_macros(r))
      return false;
   if (r->n - r->at < 2)
      return il_fail(r->err, r->at, 0, "the stream ends inside its header");
   lang = r->d[r->at++];
   version = r->d[r->at++];
   r->p->lang = lang & 0xff;
   r->p->lang_reserved = lang >> 8;
   r->p->minor = version & 0xff;
   r->p->major = version >> 8 & 0xff;
   r->p->shader = version >> 16 & 0xff;
   r->p->multipass = version >> 24 & 1;
   r->p->realtime = version >> 25 & 1;
   r->p->version_reserved = version >> 26;
   if (r->p->shader > IL_SHADER_DOMAIN)
      return il_fail(r->err, r->at - 1, 0, "shader type %u does not exist (6.25)", r->p->shader);
   do {
      if (r->at == r->n)
         return il_fail(r->err, r->at, 0, "the stream has no END (4.1)");
      if (!get_inst(r))
         return false;
   } while (r->p->insts[r->p->ninsts - 1].op != IL_OP_END);
   if (r->at != r->n)
      return il_fail(r->err, r->at, 0, "%u dwords after END (4.1)", r->n - r->at);
   return true;
}

struct il_program *
il_read(const uint32_t *dwords, uint32_t ndwords, enum il_numbering numbering, struct il_error *err)
{
   struct reader r = { dwords, ndwords, 0, numbering, il_program_new(IL_SHADER_VERTEX), err };
   if (!r.p) {
      il_fail(err, 0, 0, "out of memory");
      return NULL;
   }
   bool ok = get_program(&r);
   if (r.p->oom)
      ok = il_fail(err, r.at, 0, "out of memory");
   if (!ok) {
      il_program_free(r.p);
      return NULL;
   }
   return r.p;
}
