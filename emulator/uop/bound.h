/* SPDX-License-Identifier: MIT */
/*
 * Micro-operations as a kernel build runs them: the handler, offsets, and what every handler does
 * with operands and result.  Kernels only; uop.h has the form that they are made from.
 */
#ifndef ATOLL_UOP_BOUND_H
#define ATOLL_UOP_BOUND_H

#include "arith.h"
#include "kernel.h"
#include "uop/binding.h"
#include "uop/exec.h"

struct bound_uop;
typedef void uop_fn(struct exec *x, const struct bound_uop *u);

struct bound_uop {
   uop_fn *fn;
   uint32_t dst;     /* offset in the register file; result U: in the table of uniform values */
   uint32_t src[3];  /* offset in the register file or, where `uni` has the operand's bit, in the
                        table */
   uint32_t keep[3]; /* operand modifiers: (x & keep) ^ flip */
   uint32_t flip[3];
   uint16_t op;    /* enum uop_id */
   uint8_t uni;    /* bit n: operand n is one value for all lanes */
   uint8_t mods;   /* bit n: operand n has modifiers */
   uint8_t scale;  /* enum uop_scale */
   uint8_t when;   /* enum uop_when */
   uint8_t length; /* records that this one consumes, at least 1 */
   bool clamp;
   uint32_t origin; /* see struct uop */
   uint32_t native; /* of run_native(): where its machine code starts; of uop_pred_finish() */
   union uop_params p;
};

/* The handlers, by the table's columns. */
#define UOP(name, handler, ...) void K(uop_##handler)(struct exec * x, const struct bound_uop *u);
#include "uop/uops.def"

/* Specialised forms of a lane-wise operation, by kinds of operands (bit n: uniform). */
struct uop_forms {
   uop_fn *plain[8], *on_source[8], *on_result[8], *masked[8];
};
/** NULL: it has none. */
const struct uop_forms *K(uop_lane_forms)(unsigned op);
/** The form of `count` (2 to 4) equal operations, NULL if there is none. */
uop_fn *K(uop_fused_form)(unsigned op, unsigned kinds, bool mods, unsigned count);

/** Binds runs of a lifted program to this build, and its regions (or NULL); false: no memory.
 *  uop_bound_free() gives back what `bound` owns. */
bool K(uop_bind)(const struct uop_code *code, const struct uop_bind_options *options,
                 struct uop_binding *bindings, uint32_t count, const struct uop_regions *regions,
                 struct uop_bound *bound);
/** The same for blocks (blocks.h). */
struct uop_blocks;
bool K(uop_bind_blocks)(const struct uop_code *code, const struct uop_bind_options *options,
                        struct uop_blocks *blocks, struct uop_bound *bound);
void K(uop_bound_free)(struct uop_bound *bound);

/** Runs one micro-operation as it was lifted, by the handler of its id. */
void K(uop_step)(struct exec *x, const struct uop_code *code, const struct uop *u);

/** Runs a region's code, which begins at offset `at`, for x->lanes.  False: its loop went on beyond
 *  x->loop_limit iterations.  x->loop_leaves, which the caller clears, has an element for each
 *  clause outside of branches after which lanes break, and one for the loop's end: the last
 *  iteration in which a vector left the loop there. */
bool K(uop_run_region)(struct exec *x, uint32_t at);

/** The machine code that a bound run is, if it is that alone; or NULL. */
struct uop_native;
const struct uop_native *K(uop_native_of)(const struct uop_bound *bound, struct uop_run run);
/** Runs it. */
void K(uop_run_native)(struct exec *x, const struct uop_native *code);

/** Whether a bound run is one function of machine code with one predicate that changes the
 *  execution mask; *predicate is that. */
bool K(uop_is_test)(const struct uop_bound *bound, struct uop_run run,
                    struct uop_predicate *predicate);

V_INLINE void
uop_run_bound(struct exec *x, const struct bound_uop *u, uint32_t count)
{
   for (const struct bound_uop *end = u + count; u < end; u += u->length)
      u->fn(x, u);
}

/* Operand n in lanes [i * VW, (i + 1) * VW). */
V_INLINE vu
uop_src(const struct exec *x, const struct bound_uop *u, unsigned n, unsigned i)
{
   vu v;
   if (u->uni >> n & 1)
      v = vu_splat(*(const uint32_t *)((const uint8_t *)x->uni + u->src[n]));
   else
      v = vu_load(x->file + u->src[n] + i * (VW * 4));
   if (u->mods >> n & 1)
      v = (v & vu_splat(u->keep[n])) ^ vu_splat(u->flip[n]);
   return v;
}

/* The lanes a uop writes. */
V_INLINE uint64_t
uop_lanes(const struct exec *x, const struct bound_uop *u)
{
   uint64_t lanes = x->lanes;
   if (u->when == UOP_IF_PRED)
      lanes &= x->pred;
   else if (u->when == UOP_UNLESS_PRED)
      lanes &= ~x->pred;
   return lanes;
}

/* Output modifiers, of float results. */
V_INLINE vu
uop_post(const struct exec *x, const struct bound_uop *u, vu r)
{
   if (u->scale) {
      float scale = u->scale == UOP_SCALE_2 ? 2.0f : u->scale == UOP_SCALE_4 ? 4.0f : 0.5f;
      r = (vu)vf_canon((vf)r * vf_splat(scale));
   }
   if (u->clamp) {
      vm nan = vf_isnan((vf)r);
      vu s = (vu)vf_saturate((vf)r);
      r = x->dx10_clamp ? s : vu_select(nan, vu_splat(0x7fc00000u), s);
   }
   return r;
}

V_INLINE void
uop_store(const struct exec *x, uint32_t dst, unsigned i, uint64_t lanes, vu r)
{
   uint8_t *p = x->file + dst + i * (VW * 4);
   if (lanes == x->launch)
      vu_store(p, r);
   else
      vu_store_masked(p, vm_lanes(lanes, i), r);
}

#endif
