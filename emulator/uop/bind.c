/* SPDX-License-Identifier: MIT */
/*
 * Binds lifted micro-operations to this kernel build: ids become handlers, the specialised one
 * where there is one; operands become offsets, modifiers pairs of masks; and what native.c knows
 * becomes machine code.
 */
#include <stdlib.h>

#include "core/core.h"
#include "uop/blocks.h"
#include "uop/native.h"

static uop_fn *const handlers[UOP_COUNT] = {
#define UOP(name, handler, ...) [UOP_##name] = K(uop_##handler),
#include "uop/uops.def"
};

uop_fn *
K(uop_form)(const struct bound_uop *u, bool masked)
{
   if (u->length > 1 && uop_infos[u->op].records == 1) {
      bool mods = false;
      for (unsigned n = 0; n < u->length; n++)
         mods |= u[n].mods != 0;
      uop_fn *fused = K(uop_fused_form)(u->op, u->uni, mods, u->length);
      return fused ? fused : handlers[u->op];
   }
   const struct uop_forms *f = u->when ? NULL : K(uop_lane_forms)(u->op);
   bool result = u->scale || u->clamp;
   uop_fn *fn = !f        ? NULL
                : masked  ? (result ? NULL : f->masked[u->uni])
                : result  ? f->on_result[u->uni]
                : u->mods ? f->on_source[u->uni]
                          : f->plain[u->uni];
   return fn ? fn : handlers[u->op];
}

static void
bind_operand(const struct uop_code *code, const struct uop_operand *v, unsigned n,
             struct bound_uop *to)
{
   uint32_t base = v->kind == UOP_LITERAL   ? code->num_uniforms
                   : v->kind == UOP_DYNAMIC ? code->num_uniforms + code->num_literals
                                            : 0;
   bool uniform = uop_is_uniform(v);

   to->src[n] = uniform ? (base + v->at) * 4 : v->at;
   to->uni |= (uint8_t)(uniform << n);
   to->keep[n] = v->mods & UOP_ABS ? 0x7fffffffu : ~0u;
   to->flip[n] = (v->mods & UOP_NEG ? 0x80000000u : 0) ^ (v->mods & UOP_NOT ? ~0u : 0);
   to->mods |= (uint8_t)((v->mods != 0) << n);
}

static void
bind_one(const struct uop_code *code, const struct uop *u, struct bound_uop *to)
{
   bool in_table = uop_infos[u->op].result == UOP_RESULT_U;

   *to = (struct bound_uop){
      .dst = in_table ? (code->num_uniforms + code->num_literals + u->dst) * 4 : u->dst,
      .op = u->op,
      .scale = u->scale,
      .when = u->when,
      .length = u->length,
      .clamp = u->clamp,
      .origin = u->origin,
      .p = u->p,
   };
   /* Every handler may load three: one that is not there is a row, the first's if that is one. */
   for (unsigned n = 0; n < 3; n++) {
      const struct uop_operand none = { .kind = UOP_ROW, .at = to->uni & 1 ? 0 : to->src[0] };
      bind_operand(code, u->src[n].kind ? &u->src[n] : &none, n, to);
   }
}

void
K(uop_step)(struct exec *x, const struct uop_code *code, const struct uop *u)
{
   struct bound_uop one[UOP_RECORDS];
   const bool fused = u->length > 1 && uop_infos[u->op].records == 1;
   const struct core_observer *observer = x->watcher;

   for (unsigned n = 0; n < u->length && n < UOP_RECORDS; n++)
      bind_one(code, &u[n], &one[n]);
   if (observer && observer->micro)
      observer->micro(observer->data, x, code, u, false);
   (fused ? K(uop_form)(one, true) : handlers[u->op])(x, one);
   if (observer && observer->micro)
      observer->micro(observer->data, x, code, u, true);
}

struct bound_uop *
K(uop_bound_add)(struct uop_bound *bound, uint32_t count)
{
   if (count > bound->cap_uops - bound->num_uops) {
      uint32_t cap = bound->cap_uops ? bound->cap_uops : 64;
      while (count > cap - bound->num_uops)
         cap *= 2;
      struct bound_uop *more = realloc(bound->uops, cap * sizeof(*more));
      if (!more)
         return NULL;
      bound->uops = more;
      bound->cap_uops = cap;
   }
   bound->num_uops += count;
   return &bound->uops[bound->num_uops - count];
}

/* Component of the file that another record of the same index may name, too: a register's, not a
 * temporary's. */
static bool
may_be_indexed(const struct uop_bind_options *options, uint32_t offset, unsigned chan)
{
   const uint32_t component = offset / COMP_BYTES;

   return component % 4 == chan &&
          (component < options->first_temp || component >= options->end_temp);
}

/* How many of u[0] to u[count - 1] read, or write, registers by one index, and none what another
 * writes: their handlers take them together. */
static uint32_t
of_one_index(const struct uop_bind_options *options, const struct bound_uop *u, uint32_t count)
{
   const bool gathers = u->op == UOP_GATHER;
   uint32_t n = 1;

   if (!gathers && u->op != UOP_SCATTER)
      return 1;
   for (; n < count && n < UOP_RECORDS; n++) {
      const struct uop_register *reg = &u[n].p.reg;

      if (u[n].op != u->op || u[n].when != u->when || u[n].length != 1 ||
          reg->gpr != u->p.reg.gpr || reg->by_loop != u->p.reg.by_loop)
         return n;
      for (uint32_t k = 0; k < n; k++)
         if (gathers ? may_be_indexed(options, u[k].dst, reg->chan) || u[k].dst == u[n].dst
                     : may_be_indexed(options, u[n].src[0], u[k].p.reg.chan))
            return n;
   }
   return n;
}

static bool
bind_run(const struct uop_code *code, const struct uop_bind_options *options, struct uop_run *run,
         bool masked, struct uop_bound *bound)
{
   if (!run->count)
      return true;
   struct bound_uop *to = K(uop_bound_add)(bound, run->count);
   if (!to)
      return false;
   for (uint32_t n = 0; n < run->count; n++)
      bind_one(code, &code->uops[run->first + n], &to[n]);
   for (uint32_t n = 0; n < run->count; n += to[n].length)
      if (to[n].length == 1)
         to[n].length = (uint8_t)of_one_index(options, &to[n], run->count - n);
   for (uint32_t n = 0; n < run->count; n += to[n].length)
      to[n].fn = K(uop_form)(&to[n], masked);
   run->first = bound->num_uops - run->count;
   return true;
}

bool
K(uop_bind)(const struct uop_code *code, const struct uop_bind_options *options,
            struct uop_binding *bindings, uint32_t count, const struct uop_regions *regions,
            struct uop_bound *bound)
{
   const bool native = options->native && UOP_NATIVE;
   bool ok = true;

   /* Of what may become native the plain run is only wanted if that comes to nothing. */
   for (uint32_t n = 0; n < count && ok; n++) {
      ok = bind_run(code, options, &bindings[n].masked, true, bound);
      if (ok && !(native && bindings[n].native))
         ok = bind_run(code, options, &bindings[n].plain, false, bound);
   }
   if (!ok || !native)
      return ok;
   if (K(native_bind)(code, options, bindings, count, regions, bound))
      return true;
   for (uint32_t n = 0; n < count && ok; n++)
      if (bindings[n].native)
         ok = bind_run(code, options, &bindings[n].plain, false, bound);
   return ok;
}

bool
K(uop_bind_blocks)(const struct uop_code *code, const struct uop_bind_options *options,
                   struct uop_blocks *blocks, struct uop_bound *bound)
{
   struct uop_binding *bindings = calloc(blocks->count ? blocks->count : 1, sizeof(*bindings));

   if (!bindings)
      return false;
   for (uint32_t n = 0; n < blocks->count; n++) {
      const struct uop_block *b = &blocks->blocks[n];
      bindings[n] = (struct uop_binding){
         .plain = b->code,
         .masked = b->code,
         .native = b->code.count != 0,
         .diverges = true,
         .kept = { b->kept[0], b->kept[1] },
      };
   }
   bool ok = K(uop_bind)(code, options, bindings, blocks->count, NULL, bound);
   for (uint32_t n = 0; n < blocks->count; n++) {
      blocks->blocks[n].plain = bindings[n].plain;
      blocks->blocks[n].masked = bindings[n].masked;
   }
   free(bindings);
   return ok;
}

void
K(uop_bound_free)(struct uop_bound *bound)
{
   free(bound->uops);
   uop_native_unmap(bound->pool, bound->native, bound->native_bytes);
   memset(bound, 0, sizeof(*bound));
}
