/* SPDX-License-Identifier: MIT */
/*
 * LDS operations of ALU clauses (HD 6900 ISA 7, 8.6).
 *
 * Every LDS operation that returns something appends an entry to the wave's output queue: a value
 * for A and one for B in each lane.  An operand names the head's A or B; with POP the entry goes at
 * the end of the group, so every operand of a group sees the same head.  Reading an empty queue
 * gives zero; an entry that finds the queue full is lost.
 *
 * Direct reads (7.3.1) have no queue: lane n reads dword OFFSET + n * STRIDE, active or not.
 */
#include "uop/bound.h"
#include "uop/lds.h"
#include "uop/values.h"

/* Where a lane's address 0 is; of a wave without a group there is no LDS. */
static inline uint8_t *
lane_lds(const struct exec *x, const uint32_t *base, unsigned lane)
{
   return base ? x->lds + base[lane] : x->lds;
}

/* How addresses of all lanes are: each its own, all the same dword, or dwords that follow each
 * other. */
enum pattern { APART, ALIKE, IN_A_ROW };

static enum pattern
pattern_of(const uint32_t *at)
{
   const vu first = vu_splat(at[0] & ~3u), dword = vu_splat(~3u);
   vu next = first + vu_shl((vu)vi_lane_index(), 2);
   bool alike = true, row = true;

   for (unsigned i = 0; i < VECTORS && (alike || row); i++, next += vu_splat(VW * 4)) {
      const vu v = vu_load(at + i * VW) & dword;

      alike = alike && !vm_any(vm_not(vu_eq(v, first)));
      row = row && !vm_any(vm_not(vu_eq(v, next)));
   }
   return alike ? ALIKE : row ? IN_A_ROW : APART;
}

/* Dwords of all 64 lanes from `at` on; NULL: not all of them are there. */
static uint8_t *
dwords_in_a_row(const struct exec *x, uint32_t at)
{
   at &= ~3u;
   return at < x->lds_bytes && x->lds_bytes - at >= COMP_BYTES ? x->lds + at : NULL;
}

/* Of each lane the offset of its dword in x->lds, or 0 if there is none.  Which lanes have one. */
static uint64_t
find_dwords(const struct exec *x, const uint32_t *base, const uint32_t *at, uint64_t lanes,
            wave_lane offsets)
{
   const vi end = vi_splat((int32_t)(x->lds_bytes / 4));
   uint64_t found = 0;

   for (unsigned i = 0; i < VECTORS; i++) {
      const vu v = vu_load(at + i * VW);
      const vm inside = vi_lt((vi)vu_shr(v, 2), end), m = vm_and(inside, vm_lanes(lanes, i));
      const vu start = base ? vu_loadu(base + i * VW) : vu_splat(0);

      vu_store(offsets + i * VW, vu_keep(m, (v & vu_splat(~3u)) + start));
      found |= vm_to_lanes(m, i);
   }
   return found;
}

/* Stores a dword of each lane, lane after lane. */
static void
store_dwords(struct exec *x, const uint32_t *base, const uint32_t *at, const uint32_t *values,
             uint64_t lanes)
{
   uint8_t *to = NULL;
   wave_lane offsets;

   if (!base && lanes == ~UINT64_C(0) && pattern_of(at) == IN_A_ROW)
      to = dwords_in_a_row(x, at[0]);
   if (to) {
      for (unsigned i = 0; i < VECTORS; i++)
         vu_storeu(to + i * (VW * 4), vu_load(values + i * VW));
      return;
   }
   lanes = find_dwords(x, base, at, lanes, offsets);
   if (lanes == ~UINT64_C(0)) {
      for (unsigned lane = 0; lane < WAVE_LANES; lane++)
         memcpy(x->lds + offsets[lane], &values[lane], 4);
      return;
   }
   for (; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(lanes);

      memcpy(x->lds + offsets[lane], &values[lane], 4);
   }
}

/* Loads a dword for each lane; 0 for those that have none. */
static void
load_dwords(const struct exec *x, const uint32_t *base, const uint32_t *at, uint64_t lanes,
            uint32_t *values)
{
   const bool all = !base && lanes == ~UINT64_C(0);
   const enum pattern pattern = all ? pattern_of(at) : APART;
   const uint8_t *from = pattern == IN_A_ROW ? dwords_in_a_row(x, at[0]) : NULL;
   wave_lane offsets;

   if (from || pattern == ALIKE) {
      const vu same = vu_splat(core_share_load(x->lds, x->lds_bytes, at[0]));

      for (unsigned i = 0; i < VECTORS; i++)
         vu_store(values + i * VW, from ? vu_loadu(from + i * (VW * 4)) : same);
      return;
   }
   lanes = find_dwords(x, base, at, lanes, offsets);
   if (!lanes) {
      lanes_clear(values);
      return;
   }
   /* With a lane there is a dword at 0. */
   for (unsigned lane = 0; lane < WAVE_LANES; lane++)
      memcpy(&values[lane], x->lds + offsets[lane], 4);
   for (unsigned i = 0; i < VECTORS && lanes != ~UINT64_C(0); i++)
      vu_store(values + i * VW, vu_keep(vm_lanes(lanes, i), vu_load(values + i * VW)));
}

static __attribute__((noinline)) void
tell(const struct exec *x, const struct uop_lds *lds, const uint32_t *const s[3], uint64_t lanes)
{
   const unsigned operands = core_share_operands(lds->op);

   for (; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(lanes);
      const uint32_t of_lane[3] = { s[0][lane], operands > 1 ? s[1][lane] : 0,
                                    operands > 2 ? s[2][lane] : 0 };

      uop_tell_share(x, CORE_MEMORY_LDS, x->lds_bytes, lds->op, lds->returns, lds->offset, lane,
                     of_lane);
   }
}

/* Operations that read and write one dword each, lane after lane; found: what was there, or NULL.
 */
V_INLINE void
operate(const struct exec *x, const uint32_t *base, unsigned op, const uint32_t *const s[3],
        uint64_t lanes, uint32_t *found)
{
   for (; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(lanes);
      uint8_t *mem = lane_lds(x, base, lane);
      const uint32_t old = core_share_load(mem, x->lds_bytes, s[0][lane]);

      core_share_store(mem, x->lds_bytes, s[0][lane], core_atomic(op, old, s[1][lane], s[2][lane]));
      if (found)
         found[lane] = old;
   }
}

/* Operand n of all lanes: the register's row, or in `made`. */
static const uint32_t *
operand(const struct exec *x, const struct bound_uop *u, unsigned n, wave_lane made)
{
   if (!((u->uni | u->mods) >> n & 1))
      return uop_lanes_of(x, u->src[n]);
   uop_load(x, u, n, made);
   return made;
}

void
K(uop_lds)(struct exec *x, const struct bound_uop *u)
{
   static const wave_lane zeros;
   const unsigned op = u->p.lds.op, operands = core_share_operands(op);
   uint64_t lanes = uop_lanes(x, u);
   wave_lane made[3];
   const uint32_t *s[3] = { zeros, zeros, zeros };
   for (unsigned n = 0; n < operands; n++)
      s[n] = operand(x, u, n, made[n]);

   if (__builtin_expect(x->watcher != NULL, 0))
      tell(x, &u->p.lds, s, lanes);

   const uint32_t *base = x->wave->group ? x->wave->group->lane_base : NULL;
   wave_lane(*entry)[2] = NULL;
   if (u->p.lds.returns && x->oq_count < OQ_MAX) {
      entry = &x->oq[(x->oq_head + x->oq_count++) % OQ_MAX];
      lanes_clear((*entry)[1]);
   }

   if (op == CORE_ATOMIC_EXCHANGE && !u->p.lds.returns) {
      store_dwords(x, base, s[0], s[1], lanes);
      return;
   }
   if (op == CORE_SHARE_LOAD && entry) {
      load_dwords(x, base, s[0], lanes, (*entry)[0]);
      return;
   }
   if (entry)
      lanes_clear((*entry)[0]);
   if (op < CORE_ATOMICS) {
      uint32_t *found = entry ? (*entry)[0] : NULL;

      /* The one that counters and histograms do knows what it is. */
      if (op == CORE_ATOMIC_ADD)
         operate(x, base, CORE_ATOMIC_ADD, s, lanes, found);
      else
         operate(x, base, op, s, lanes, found);
      return;
   }
   for (; lanes; lanes &= lanes - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(lanes);
      uint32_t src[3] = { 0 }, out[2];
      for (unsigned n = 0; n < operands; n++)
         src[n] = s[n][lane];
      core_share_op(lane_lds(x, base, lane), x->lds_bytes, op, u->p.lds.offset, src, out);
      if (entry) {
         (*entry)[0][lane] = out[0];
         (*entry)[1][lane] = out[1];
      }
   }
}

/* The head of queue A or B. */
void
K(uop_lds_head)(struct exec *x, const struct bound_uop *u)
{
   uint32_t *dst = (uint32_t *)(x->file + u->dst);
   if (x->oq_count)
      lanes_copy(dst, x->oq[x->oq_head % OQ_MAX][u->p.queue.number]);
   else
      lanes_clear(dst);
}

void
K(uop_lds_pop)(struct exec *x, const struct bound_uop *u)
{
   (void)u;
   if (x->oq_count) {
      x->oq_count--;
      x->oq_head = (x->oq_head + 1) % OQ_MAX;
   }
}

void
K(uop_lds_direct)(struct exec *x, const struct bound_uop *u)
{
   const uint32_t *base = x->wave->group ? x->wave->group->lane_base : NULL;
   uint32_t *dst = (uint32_t *)(x->file + u->dst);
   for (unsigned lane = 0; lane < WAVE_LANES; lane++)
      dst[lane] = core_share_load(lane_lds(x, base, lane), x->lds_bytes,
                                  (u->p.direct.offset + lane * u->p.direct.stride) * 4);
   for (unsigned lane = 0; x->watcher && lane < WAVE_LANES; lane++)
      uop_tell(x, CORE_MEMORY_LDS, 0, CORE_READS, lane,
               (u->p.direct.offset + lane * u->p.direct.stride) * 4, 4);
}

/* GROUP_BARRIER: a wave alone in its group has nobody to wait for. */
void
K(uop_barrier)(struct exec *x, const struct bound_uop *u)
{
   (void)u;
   x->waits = x->wave->group && x->wave->group->num_waves > 1;
}

/* SET_LDS_SIZE: src[0] bytes can be reached, never more than the group has. */
void
K(uop_set_lds_size)(struct exec *x, const struct bound_uop *u)
{
   uint64_t lanes = uop_lanes(x, u);
   wave_lane size;
   if (!lanes)
      return;
   uop_load(x, u, 0, size);
   uint32_t n = size[__builtin_ctzll(lanes)], all = x->wave->group ? x->wave->group->lds_bytes : 0;
   x->lds_bytes = n < all ? n : all;
}
