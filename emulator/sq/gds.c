/* SPDX-License-Identifier: MIT */
/*
 * GDS clauses: the global data share, append counters, tessellation factors (HD 6900 ISA 6, 8.5,
 * 9.6).
 *
 * Source x is the address in bytes, y and z are data.  With ALLOC_CONSUME an operation that returns
 * something (on five-slot chips, any) is on one of the append counters instead, and x has no
 * meaning.  With BCAST_FIRST_REQ the first active lane asks, and all lanes of the wave get the
 * answer.  Lanes go in ascending order.
 *
 * ATOMIC_ORDERED_ALLOC_RET adds seven bits, the first active lane's, to a count that nothing else
 * reaches, which is zero when a draw or dispatch begins, and gives what it was: offsets that ascend
 * in the order of waves.
 */
#include "sq/engine.h"
#include "uop/lds.h"

#define ORDERED_BITS 0x7fu

static void
write_factors(struct exec *x, wave_lane s[3], uint64_t lanes)
{
   const struct core_group *group = x->wave->group;
   for (; group && group->tf && lanes; lanes &= lanes - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(lanes);
      core_share_store(group->tf, group->tf_bytes, s[0][lane], s[1][lane]);
   }
}

static void
operate(struct exec *x, const struct fetch *f, uint32_t src[3], uint32_t out[2])
{
   const struct sq_bind *bind = x->bind;
   if (f->ordered) {
      out[0] = out[1] = 0;
      if (bind->ordered_count) {
         out[0] = *bind->ordered_count;
         *bind->ordered_count += src[0] & ORDERED_BITS;
      }
   } else if (f->append) {
      int64_t counter = f->counter + cf_index(x, f->resource_index);
      uint32_t bytes = bind->append ? SQ_APPEND_COUNTERS * 4 : 0;
      src[0] = counter >= 0 && counter < SQ_APPEND_COUNTERS ? (uint32_t)counter * 4 : bytes;
      core_share_op((uint8_t *)bind->append, bytes, f->op, 0, src, out);
   } else {
      core_share_op(bind->gds, bind->gds ? bind->gds_bytes : 0, f->op, 0, src, out);
   }
}

/* Neighbours with one address are added up first. */
static void
count(struct exec *x, const struct fetch *f, wave_lane s[3], uint64_t lanes)
{
   const struct sq_bind *bind = x->bind;
   const uint32_t bytes = bind->gds ? bind->gds_bytes : 0;
   const unsigned joined = f->op == CORE_ATOMIC_SUB ? (unsigned)CORE_ATOMIC_ADD : f->op;

   while (lanes) {
      unsigned lane = (unsigned)__builtin_ctzll(lanes);
      const uint32_t at = s[0][lane];
      uint32_t value = s[1][lane];
      while (lanes &= lanes - 1) {
         lane = (unsigned)__builtin_ctzll(lanes);
         if (s[0][lane] != at)
            break;
         value = core_atomic(joined, value, s[1][lane], 0);
      }
      core_share_together(bind->gds, bytes, f->op, at, value);
   }
}

static __attribute__((noinline)) void
tell(const struct exec *x, const struct fetch *f, wave_lane s[3], uint64_t lanes)
{
   const bool returns = f->dst_sel[0] != CAYMAN_SEL_MASK || f->dst_sel[1] != CAYMAN_SEL_MASK ||
                        f->dst_sel[2] != CAYMAN_SEL_MASK || f->dst_sel[3] != CAYMAN_SEL_MASK;
   const uint32_t counter = 4 * (uint32_t)(f->counter + cf_index(x, f->resource_index));

   for (; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(lanes);
      const uint32_t of_lane[3] = { f->append ? counter : s[0][lane], s[1][lane], s[2][lane] };

      if (f->kind == FETCH_TF_WRITE)
         uop_tell(x, CORE_MEMORY_FACTORS, 0, CORE_WRITES, lane, s[0][lane] & ~3u, 4);
      else if (f->ordered)
         uop_tell(x, CORE_MEMORY_COUNTERS, 1, CORE_READS | CORE_WRITES, lane, 0, 4);
      else
         uop_tell_share(x, f->append ? CORE_MEMORY_COUNTERS : CORE_MEMORY_GDS, CORE_NO_LIMIT, f->op,
                        returns, 0, lane, of_lane);
   }
}

void
K(sq_gds)(struct exec *x, const struct fetch *f, uint64_t lanes)
{
   unsigned gpr = indexed_gpr(x, f->src_gpr, f->src_rel);
   unsigned to = indexed_gpr(x, f->dst_gpr, f->dst_rel);
   wave_lane s[3], result[2];
   for (unsigned c = 0; c < 3; c++) {
      if (f->src_sel[c] < 4)
         lanes_copy(s[c], x->file + REG(gpr, f->src_sel[c]));
      else
         for (unsigned lane = 0; lane < WAVE_LANES; lane++)
            s[c][lane] = f->src_sel[c] == CAYMAN_SEL_1 ? 0x3f800000u : 0;
   }
   if (__builtin_expect(x->watcher != NULL, 0))
      tell(x, f, s, f->first_lane ? lanes & -lanes : lanes);
   if (f->kind == FETCH_TF_WRITE) {
      write_factors(x, s, lanes);
      return;
   }

   if (f->commutes) {
      count(x, f, s, lanes);
      return;
   }
   uint32_t out[2] = { 0, 0 };
   for (uint64_t left = f->first_lane ? lanes & -lanes : lanes; left; left &= left - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(left);
      operate(x, f, (uint32_t[]){ s[0][lane], s[1][lane], s[2][lane] }, out);
      result[0][lane] = out[0];
      result[1][lane] = out[1];
   }
   if (f->first_lane) {
      lanes = x->launch;
      for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
         result[0][lane] = out[0];
         result[1][lane] = out[1];
      }
   }
   for (unsigned c = 0; c < 4; c++) {
      unsigned sel = f->dst_sel[c];
      uint32_t *dst = (uint32_t *)(x->file + REG(to, c));
      for (uint64_t left = lanes; left && sel != CAYMAN_SEL_MASK; left &= left - 1) {
         unsigned lane = (unsigned)__builtin_ctzll(left);
         dst[lane] = sel < 2 ? result[sel][lane] : sel == CAYMAN_SEL_1 ? 0x3f800000u : 0;
      }
   }
}
