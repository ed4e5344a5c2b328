/* SPDX-License-Identifier: MIT */
/* Programs in memory: the arena, the builder, the walker, comparison. */
#include "il.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------ arena -- */

struct il_block {
   struct il_block *next;
   size_t used, size;
   max_align_t bytes[];
};

struct il_arena {
   struct il_block *blocks;
};

#define BLOCK_BYTES 16384

void *
il_alloc(struct il_program *p, size_t bytes)
{
   const size_t align = sizeof(max_align_t);
   if (bytes > SIZE_MAX / 2)
      goto out;
   bytes = (bytes + align - 1) / align * align;
   struct il_block *b = p->arena->blocks;
   if (!b || b->size - b->used < bytes) {
      size_t size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
      b = malloc(sizeof(*b) + size);
      if (!b)
         goto out;
      b->used = 0;
      b->size = size;
      b->next = p->arena->blocks;
      p->arena->blocks = b;
   }
   void *mem = (char *)b->bytes + b->used;
   b->used += bytes;
   return memset(mem, 0, bytes); /* the rest of the block stays untouched */
out:
   p->oom = true;
   return NULL;
}

struct il_program *
il_program_new(enum il_shader shader)
{
   struct il_program *p = calloc(1, sizeof(*p));
   if (!p)
      return NULL;
   p->arena = calloc(1, sizeof(*p->arena));
   if (!p->arena) {
      free(p);
      return NULL;
   }
   p->shader = shader;
   p->major = 2;
   return p;
}

void
il_program_free(struct il_program *p)
{
   if (!p)
      return;
   struct il_block *b = p->arena->blocks;
   while (b) {
      struct il_block *next = b->next;
      free(b);
      b = next;
   }
   free(p->arena);
   free(p->insts);
   free(p);
}

/* ---------------------------------------------------------------------------------- operands -- */

static const uint8_t identity[4] = { IL_COMPSEL_X_R, IL_COMPSEL_Y_G, IL_COMPSEL_Z_B,
                                     IL_COMPSEL_W_A };

struct il_dst
il_dst(enum il_regtype type, unsigned num)
{
   struct il_dst d = { .r = { .type = type, .num = num } };
   memset(d.comp, IL_MODCOMP_WRITE, sizeof(d.comp));
   return d;
}

struct il_dst
il_dst_masked(struct il_dst d, unsigned mask)
{
   for (unsigned c = 0; c < 4; c++)
      d.comp[c] = mask >> c & 1 ? IL_MODCOMP_WRITE : IL_MODCOMP_NOWRITE;
   d.has_mod = d.clamp || d.shift || (mask & 15) != 15;
   return d;
}

struct il_dst
il_dst_saturate(struct il_dst d)
{
   d.clamp = true;
   d.has_mod = true;
   return d;
}

struct il_src
il_src(enum il_regtype type, unsigned num)
{
   struct il_src s = { .r = { .type = type, .num = num } };
   memcpy(s.swz, identity, sizeof(s.swz));
   return s;
}

static void
update_src_mod(struct il_src *s)
{
   s->has_mod = s->neg || s->flags || s->divcomp || memcmp(s->swz, identity, sizeof(identity));
}

struct il_src
il_swizzle(struct il_src s, unsigned x, unsigned y, unsigned z, unsigned w)
{
   s.swz[0] = x;
   s.swz[1] = y;
   s.swz[2] = z;
   s.swz[3] = w;
   update_src_mod(&s);
   return s;
}

struct il_src
il_replicate(struct il_src s, unsigned c)
{
   return il_swizzle(s, c, c, c, c);
}

struct il_src
il_negate(struct il_src s)
{
   s.neg ^= 15;
   update_src_mod(&s);
   return s;
}

struct il_src
il_absolute(struct il_src s)
{
   s.neg = 0;
   s.flags |= IL_SRC_ABS;
   update_src_mod(&s);
   return s;
}

static void
set_element(struct il_program *p, struct il_ref *r, unsigned elem, const struct il_src *index)
{
   r->has_imm = true;
   r->imm = elem;
   if (!index)
      return;
   r->index = il_alloc(p, sizeof(*r->index));
   if (!r->index)
      return;
   *r->index = *index;
   r->rel = IL_ADDR_REG_RELATIVE;
}

struct il_src
il_array_src(struct il_program *p, enum il_regtype type, unsigned num, unsigned elem,
             const struct il_src *index)
{
   struct il_src s = il_src(type, num);
   set_element(p, &s.r, elem, index);
   return s;
}

struct il_dst
il_array_dst(struct il_program *p, enum il_regtype type, unsigned num, unsigned elem,
             const struct il_src *index)
{
   struct il_dst d = il_dst(type, num);
   set_element(p, &d.r, elem, index);
   return d;
}

/* ------------------------------------------------------------------------------ instructions -- */

struct il_inst *
il_emit_data(struct il_program *p, enum il_opcode op, unsigned ctl, const struct il_dst *dst,
             unsigned nsrc, const struct il_src *src, unsigned ndata, const uint32_t *data)
{
   if (!il_op_info(op) || p->oom || nsrc > UINT8_MAX)
      return NULL;
   if (p->ninsts == p->cap) {
      uint32_t cap = p->cap ? p->cap * 2 : 64;
      struct il_inst *insts = cap > p->cap ? realloc(p->insts, (size_t)cap * sizeof(*insts)) : NULL;
      if (!insts) {
         p->oom = true;
         return NULL;
      }
      p->insts = insts;
      p->cap = cap;
   }
   struct il_inst *inst = &p->insts[p->ninsts];
   memset(inst, 0, sizeof(*inst));
   inst->op = op;
   inst->ctl = ctl;
   if (dst) {
      inst->dst = il_alloc(p, sizeof(*dst));
      if (!inst->dst)
         return NULL;
      *inst->dst = *dst;
      inst->ndst = 1;
   }
   if (nsrc) {
      inst->src = il_alloc(p, nsrc * sizeof(*src));
      if (!inst->src)
         return NULL;
      memcpy(inst->src, src, nsrc * sizeof(*src));
      inst->nsrc = nsrc;
   }
   if (ndata) {
      inst->data = il_alloc(p, (size_t)ndata * sizeof(*data));
      if (!inst->data)
         return NULL;
      memcpy(inst->data, data, (size_t)ndata * sizeof(*data));
      inst->ndata = ndata;
   }
   p->ninsts++;
   return inst;
}

struct il_inst *
il_emit(struct il_program *p, enum il_opcode op, unsigned ctl, const struct il_dst *dst,
        unsigned nsrc, const struct il_src *src)
{
   return il_emit_data(p, op, ctl, dst, nsrc, src, 0, NULL);
}

void
il_set_prec(struct il_inst *inst, unsigned mask)
{
   if (!inst)
      return;
   inst->has_prefix = mask != 0;
   inst->prefix = mask & 15;
}

void
il_set_aoff(struct il_inst *inst, int u, int v, int w)
{
   if (!inst)
      return;
   inst->ctl |= il_ctl_has_aoff(true);
   inst->aoff = (uint32_t)(u & 0xff) | (uint32_t)(v & 0xff) << 8 | (uint32_t)(w & 0xff) << 16;
}

void
il_set_pri(struct il_inst *inst, uint32_t pri)
{
   if (!inst)
      return;
   inst->ctl |= il_ctl_has_pri(true);
   inst->pri = pri;
}

/* ------------------------------------------------------------------------------------ walker -- */

static void
visit_ref(struct il_ref *r, void (*fn)(struct il_src *, void *), void *data)
{
   if (r && r->rel == IL_ADDR_REG_RELATIVE && r->index)
      fn(r->index, data);
}

void
il_visit_srcs(struct il_inst *inst, void (*fn)(struct il_src *src, void *data), void *data)
{
   for (unsigned i = 0; i < inst->ndst; i++) {
      visit_ref(&inst->dst[i].r, fn, data);
      visit_ref(inst->dst[i].dim2, fn, data);
   }
   for (unsigned i = 0; i < inst->nsrc; i++) {
      visit_ref(&inst->src[i].r, fn, data);
      visit_ref(inst->src[i].dim2, fn, data);
      fn(&inst->src[i], data);
   }
}

bool
il_equal(const struct il_program *a, const struct il_program *b)
{
   struct il_error err;
   uint32_t na = 0, nb = 0;
   uint32_t *wa = il_write(a, IL_NUMBERING_STREAM, &na, &err);
   uint32_t *wb = il_write(b, IL_NUMBERING_STREAM, &nb, &err);
   bool same = wa && wb && na == nb && !memcmp(wa, wb, (size_t)na * sizeof(*wa));
   free(wa);
   free(wb);
   return same;
}
