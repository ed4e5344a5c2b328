/* SPDX-License-Identifier: MIT */
/*
 * Micro-operations that look at what a draw binds or at the wave itself: constants found at run
 * time, state of the wave, elements of constant buffers and random access targets at a lane's
 * index, registers that all waves share.
 */
#include "port/rat.h"

#include "sq/engine.h"
#include "core/share.h"
#include "uop/tell.h"
#include "uop/values.h"

/* ------------------------------------------------------------------------------------------------
 * Constants found at run time.  See struct uop_constant.
 */
static uint32_t
load_const(const struct exec *x, const struct bound_uop *u, int64_t dword, bool window_moves)
{
   int64_t bank = u->p.constant.bank;
   if (u->p.constant.bank_index == UOP_INDEX_0)
      bank += x->cf_idx[0];
   else if (u->p.constant.bank_index == UOP_INDEX_1)
      bank += x->cf_idx[1];
   int64_t end = u->p.constant.end;
   if (window_moves) {
      dword += (int64_t)x->loop_index * 64;
      end += (int64_t)x->loop_index * 64;
   }
   /* Beyond the locked lines: 4.6.3. */
   if (dword < 0 || dword >= end)
      return 0x7fffffffu;
   if (bank < 0 || bank > 15)
      return 0;
   const struct sq_kcache *k = &x->bind->kcache[bank];
   if (!k->base || (uint64_t)dword * 4 + 4 > k->bytes)
      return 0;
   return k->base[dword];
}

/* One value for all lanes, in the table; the index, if any, is aL. */
void
K(uop_load_const)(struct exec *x, const struct bound_uop *u)
{
   int64_t dword = u->p.constant.dword;
   if (u->p.constant.by_loop)
      dword += (int64_t)x->loop_index * 4;
   *(uint32_t *)((uint8_t *)x->uni + u->dst) = load_const(x, u, dword, u->p.constant.moves);
}

/* A value per lane, indexed by AR.X. */
void
K(uop_gather_const)(struct exec *x, const struct bound_uop *u)
{
   uint32_t *dst = (uint32_t *)(x->file + u->dst);
   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      int64_t dword = (int64_t)u->p.constant.dword + (int64_t)(int32_t)x->ar[lane] * 4;
      dst[lane] = load_const(x, u, dword, u->p.constant.moves);
   }
}

/* Operands that are state of the wave. */
void
K(uop_load_special)(struct exec *x, const struct bound_uop *u)
{
   uint32_t v = 0;
   switch (u->p.special.source) {
   case UOP_SPECIAL_CLAUSE_GLOBAL:
      v = x->clause_global;
      break;
   case UOP_SPECIAL_TIME_HI:
      v = (uint32_t)((x->bind->core.clock + x->wave->cycles) >> 32);
      break;
   case UOP_SPECIAL_TIME_LO:
      /* Two looks at the clock never see the same time. */
      v = (uint32_t)(x->bind->core.clock + ++x->wave->cycles);
      break;
   case UOP_SPECIAL_MASK_HI:
      v = (uint32_t)(x->lanes >> 32);
      break;
   case UOP_SPECIAL_MASK_LO:
      v = (uint32_t)x->lanes;
      break;
   case UOP_SPECIAL_LOOP_INDEX:
      v = (uint32_t)x->loop_index;
      break;
   case UOP_SPECIAL_LDS_SIZE:
      v = x->lds_bytes;
      break;
   case UOP_SPECIAL_WAVE_SLOT:
      v = x->wave->slot;
      break;
   case UOP_SPECIAL_WAVE_IN_GROUP:
      v = x->wave->wave_in_group;
      break;
   case UOP_SPECIAL_WAVES_OF_GROUP:
      v = x->wave->group ? x->wave->group->num_waves : 1;
      break;
   default:
      break; /* wave, SIMD and engine numbers: one of each */
   }
   *(uint32_t *)((uint8_t *)x->uni + u->dst) = v;
}

/* ------------------------------------------------------------------------------------------------
 * Elements of buffers
 */
/* src[0]: index of a vec4. */
void
K(uop_constant_at)(struct exec *x, const struct bound_uop *u)
{
   const struct sq_kcache *k = &x->bind->kcache[u->p.element.bank];
   wave_lane index;
   uint32_t *dst = uop_lanes_of(x, u->dst);

   uop_load(x, u, 0, index);
   FOR_LANES(lane, x->lanes)
   {
      uint64_t at = 16 * (uint64_t)(index[lane] + u->p.element.number) + 4 * u->p.element.comp;
      if (x->watcher)
         uop_tell_access(x, &(struct core_access){ .memory = CORE_MEMORY_CONSTANTS,
                                                   .how = CORE_READS,
                                                   .lane = (uint8_t)lane,
                                                   .number = u->p.element.bank,
                                                   .address = at,
                                                   .bytes = 4,
                                                   .limit = k->base ? k->bytes : 0 });
      dst[lane] = k->base && at + 4 <= k->bytes ? k->base[at / 4] : 0;
   }
}

/* Where a lane's results are left: lane + 64 * wave. */
void
K(uop_return_place)(struct exec *x, const struct bound_uop *u)
{
   uint32_t *dst = uop_lanes_of(x, u->dst);

   for (unsigned lane = 0; lane < WAVE_LANES; lane++)
      dst[lane] = x->wave->slot * WAVE_LANES + lane;
}

/* src[0]: which lanes vote, of those that run; a half of the wave, MASK_LO's or MASK_HI's. */
void
K(uop_ballot)(struct exec *x, const struct bound_uop *u)
{
   const unsigned shift = u->p.special.source == UOP_SPECIAL_MASK_HI ? 32 : 0;
   uint32_t *dst = uop_lanes_of(x, u->dst);
   wave_lane vote;
   uint64_t votes = 0;

   uop_load(x, u, 0, vote);
   FOR_LANES(lane, x->lanes)
   {
      votes |= (uint64_t)(vote[lane] != 0) << lane;
   }
   FOR_LANES(lane, x->lanes)
   {
      dst[lane] = (uint32_t)(votes >> shift);
   }
}

static const struct rat *
rat(const struct exec *x, unsigned n)
{
   return x->bind->rats && n < RATS ? &x->bind->rats[n] : NULL;
}

/* src[0]: the slot; the dword that an operation on the RAT left there. */
void
K(uop_returned)(struct exec *x, const struct bound_uop *u)
{
   const struct rat *r = rat(x, u->p.buffer.number);
   wave_lane place;
   uint32_t *dst = uop_lanes_of(x, u->dst);

   uop_load(x, u, 0, place);
   FOR_LANES(lane, x->lanes)
   {
      uint64_t at = 4 * (uint64_t)place[lane];
      if (x->watcher)
         uop_tell(x, CORE_MEMORY_RETURNS, u->p.buffer.number, CORE_READS, lane, at, 4);
      dst[lane] = 0;
      if (r && r->returns && at + 4 <= r->return_bytes)
         memcpy(&dst[lane], r->returns + at, 4);
   }
}

/* src[0]: dword of the RAT, a buffer; the offset is added to it. */
void
K(uop_buffer_load)(struct exec *x, const struct bound_uop *u)
{
   const struct rat *r = rat(x, u->p.buffer.number);
   wave_lane index;
   uint32_t *dst = uop_lanes_of(x, u->dst);

   uop_load(x, u, 0, index);
   FOR_LANES(lane, x->lanes)
   {
      uint64_t at = 4 * ((uint64_t)index[lane] + u->p.buffer.offset);
      if (x->watcher)
         uop_tell_access(x, &(struct core_access){
                               .memory = CORE_MEMORY_TARGET,
                               .how = CORE_READS,
                               .lane = (uint8_t)lane,
                               .number = u->p.buffer.number,
                               .address = at,
                               .bytes = 4,
                               .limit = r && r->base ? (uint64_t)r->width * r->bytes : 0,
                               .host = r && r->base ? r->base + at : NULL,
                            });
      dst[lane] = 0;
      if (r && r->base && at + 4 <= (uint64_t)r->width * r->bytes)
         memcpy(&dst[lane], r->base + at, 4);
   }
}

/* ------------------------------------------------------------------------------------------------
 * Shared registers
 */
static wave_lane *
shared(const struct exec *x, const struct bound_uop *u)
{
   return x->bind->shared && u->p.shared.reg < SQ_SHARED
             ? &x->bind->shared[u->p.shared.reg][u->p.shared.chan]
             : NULL;
}

void
K(uop_shared_load)(struct exec *x, const struct bound_uop *u)
{
   const wave_lane *from = shared(x, u);
   uint32_t *dst = uop_lanes_of(x, u->dst);

   FOR_LANES(lane, x->lanes)
   {
      dst[lane] = from ? (*from)[lane] : 0;
   }
}

/* src[0]: value */
void
K(uop_shared_store)(struct exec *x, const struct bound_uop *u)
{
   wave_lane *to = shared(x, u), value;

   uop_load(x, u, 0, value);
   FOR_LANES(lane, to ? x->lanes : 0)
   {
      (*to)[lane] = value[lane];
   }
}

/* src[0], src[1]: the first register and the one after the last; src[2]: what y becomes; all bits
 * of the others are set (7-66). */
void
K(uop_shared_init)(struct exec *x, const struct bound_uop *u)
{
   wave_lane first, end, value;

   uop_load(x, u, 0, first);
   uop_load(x, u, 1, end);
   uop_load(x, u, 2, value);
   for (uint32_t n = 0; x->bind->shared && n < SQ_SHARED; n++) {
      FOR_LANES(lane, x->lanes)
      {
         for (unsigned c = 0; c < 4 && n >= first[lane] && n < end[lane]; c++)
            x->bind->shared[n][c][lane] = c == 1 ? value[lane] : ~0u;
      }
   }
}
