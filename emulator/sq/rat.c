/* SPDX-License-Identifier: MIT */
/*
 * MEM_RAT, MEM_RAT_CACHELESS and their combined forms: random access targets (port/rat.h; HD 6900
 * ISA 3.4.2, 6.4).
 *
 * INDEX_GPR.xyz is an element of a buffer or a texel's x, y and layer; the layer counts from the
 * view's first one.  Elements outside the surface, or of it outside mapped memory, are not written
 * and read as zero.
 *
 *   STORE_TYPED   RW_GPR.xyzw, converted to the surface's format, components of COMP_MASK.
 *   STORE_DWORD   dwords of COMP_MASK to x, x + 1 ... of a buffer, counted from its start; so does
 *                 STORE_RAW of the older instruction set.
 *   STORE_SHORT, _BYTE   RW_GPR.x to a unit of that size, counted from the buffer's start.
 *   others        an atomic operation on the element's first dword: RW_GPR.x with memory, z (w on
 *                 five-slot chips) the comparison of CMPXCHG, w the mask of MSKOR.  The _RTN forms
 *                 leave the element as it was before in the slot's return buffer, as element
 *                 RW_GPR.y; NOP_RTN changes nothing, so it loads.
 *
 * The combined forms have no INDEX_GPR: the element is RW_GPR.w, so typed stores have but x and y.
 */
#include "core/share.h"
#include "port/rat_wave.h"
#include "sq/engine.h"
#include "uop/tell.h"

/* RAT operation -> enum core_atomic; CORE_ATOMICS: it changes nothing. */
static unsigned
atomic_op(unsigned op)
{
   switch (op & 31) {
   case CAYMAN_RAT_XCHG_RTN & 31:
      return CORE_ATOMIC_EXCHANGE;
   case CAYMAN_RAT_CMPXCHG_INT:
      return CORE_ATOMIC_COMPARE;
   case CAYMAN_RAT_ADD:
      return CORE_ATOMIC_ADD;
   case CAYMAN_RAT_SUB:
      return CORE_ATOMIC_SUB;
   case CAYMAN_RAT_RSUB:
      return CORE_ATOMIC_RSUB;
   case CAYMAN_RAT_MIN_INT:
      return CORE_ATOMIC_MIN_INT;
   case CAYMAN_RAT_MIN_UINT:
      return CORE_ATOMIC_MIN_UINT;
   case CAYMAN_RAT_MAX_INT:
      return CORE_ATOMIC_MAX_INT;
   case CAYMAN_RAT_MAX_UINT:
      return CORE_ATOMIC_MAX_UINT;
   case CAYMAN_RAT_AND:
      return CORE_ATOMIC_AND;
   case CAYMAN_RAT_OR:
      return CORE_ATOMIC_OR;
   case CAYMAN_RAT_XOR:
      return CORE_ATOMIC_XOR;
   case CAYMAN_RAT_MSKOR:
      return CORE_ATOMIC_MSKOR;
   case CAYMAN_RAT_INC_UINT:
      return CORE_ATOMIC_INC;
   case CAYMAN_RAT_DEC_UINT:
      return CORE_ATOMIC_DEC;
   default:
      return CORE_ATOMICS;
   }
}

/* An access of a lane to target `id`, at an offset in it; UINT64_MAX: beyond it. */
static void
tell_one(const struct exec *x, uint32_t id, const struct rat *rat, unsigned how, unsigned lane,
         uint64_t at, uint32_t bytes, uint64_t value, bool image)
{
   const bool buffer = rat->kind == RAT_KIND_BUFFER;
   const uint64_t end = !rat->base ? 0 : buffer ? (uint64_t)rat->width * rat->bytes : UINT64_MAX;
   const bool there = at <= end && end - at >= bytes;

   uop_tell_access(x, &(struct core_access){
                         .memory = CORE_MEMORY_TARGET,
                         .how = (uint8_t)how,
                         .lane = (uint8_t)lane,
                         .number = id,
                         .address = at,
                         .bytes = bytes,
                         .image = image,
                         .limit = buffer || !rat->base ? end
                                  : at == UINT64_MAX   ? 0
                                                       : CORE_NO_LIMIT,
                         .value = value,
                         .host = there && at != UINT64_MAX ? rat->base + at : NULL,
                      });
}

/* A number of what a typed store writes. */
static uint64_t
stored(const wave_lane *data, unsigned components, unsigned lane)
{
   uint64_t value = 0;

   for (unsigned c = 0; c < 4; c++)
      if (components >> c & 1)
         value = (value ^ data[c][lane]) * UINT64_C(0x9e3779b97f4a7c15) + c;
   return value;
}

/* One register of an instruction on target `id`. */
static __attribute__((noinline)) void
tell(const struct exec *x, uint32_t id, const struct rat *rat, const struct sq_cf *cf, unsigned gpr,
     const uint32_t *const index[3], unsigned components, uint32_t step, uint64_t lanes)
{
   const wave_lane *data = (const wave_lane *)(const void *)(x->file + REG(gpr, 0));
   const uint32_t *to = data[1], bytes = rat->bytes;
   const bool returns = cf->rat_op >= CAYMAN_RAT_NOP_RTN;
   const bool changes = atomic_op(cf->rat_op) != CORE_ATOMICS && bytes >= 4;
   const bool texels = rat->kind != RAT_KIND_BUFFER;
   /* An image stores all components of a texel; a storage buffer, one dword. */
   const bool image =
      texels || (rat->aligned && (cf->rat_op != CAYMAN_RAT_STORE_TYPED || components == 0xf));
   const uint32_t unit = cf->rat_op == CAYMAN_RAT_STORE_SHORT  ? 2
                         : cf->rat_op == CAYMAN_RAT_STORE_BYTE ? 1
                                                               : 4;
   struct rat_elements e;

   K(rat_find)(rat, index, step, &e);
   for (; lanes; lanes &= lanes - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(lanes);
      const uint64_t at = ((uint64_t)index[0][lane] + step) * unit;
      const uint64_t element = !texels               ? ((uint64_t)index[0][lane] + step) * bytes
                               : e.there >> lane & 1 ? e.offset[lane]
                                                     : UINT64_MAX;

      switch (cf->rat_op) {
      case CAYMAN_RAT_STORE_TYPED:
         tell_one(x, id, rat, CORE_WRITES, lane, element, bytes, stored(data, components, lane),
                  image);
         break;
      case SQ_RAT_STORE_RAW:
      case CAYMAN_RAT_STORE_DWORD:
         for (unsigned c = 0; c < 4; c++)
            if (components >> c & 1)
               tell_one(x, id, rat, CORE_WRITES, lane, at + 4 * c, unit, data[c][lane], image);
         break;
      case CAYMAN_RAT_STORE_SHORT:
      case CAYMAN_RAT_STORE_BYTE:
         tell_one(x, id, rat, CORE_WRITES, lane, at, unit,
                  data[0][lane] & (unit == 1 ? 0xffu : 0xffffu), image);
         break;
      default:
         if (changes || returns)
            tell_one(x, id, rat, CORE_READS | (changes ? CORE_WRITES : 0u), lane, element,
                     changes ? 4 : bytes, 0, image);
         if (returns)
            uop_tell(x, CORE_MEMORY_RETURNS, id, CORE_WRITES, lane, (uint64_t)to[lane] * bytes,
                     bytes);
         break;
      }
   }
}

void
K(sq_rat)(struct exec *x, const struct sq_cf *cf)
{
   const struct sq_bind *bind = x->bind;
   int64_t id = cf->rat_id + cf_index(x, cf->rat_index_mode);
   if (!bind->rats || id < 0 || id >= RATS)
      return;

   const struct rat *rat = &bind->rats[id];
   uint64_t lanes = x->active;
   if (cf->valid_pixel_mode || x->program->stage == SQ_STAGE_PS)
      lanes &= x->valid;
   const uint32_t *index[3];
   const bool combined =
      cf->op == CAYMAN_CF_MEM_RAT_COMBINED || cf->op == CAYMAN_CF_MEM_RAT_COMBINED_CACHELESS;
   static const wave_lane no_coordinate;
   for (unsigned c = 0; c < 3; c++)
      index[c] = combined ? no_coordinate : (const uint32_t *)(x->file + REG(cf->index_gpr, c));
   if (combined)
      index[0] = (const uint32_t *)(x->file + REG(indexed_gpr(x, cf->rw_gpr, cf->rw_rel), 3));

   /* Where the address is, there is no data; z is an operation's alone. */
   const unsigned components = combined ? cf->comp_mask & 3u : cf->comp_mask;
   const bool returns = cf->rat_op >= CAYMAN_RAT_NOP_RTN;
   const unsigned op = atomic_op(cf->rat_op);
   const unsigned other = op == CORE_ATOMIC_MSKOR     ? 3
                          : op == CORE_ATOMIC_COMPARE ? 2u + cf->rat_compares_w
                                                      : 0;
   for (unsigned b = 0; b <= cf->burst_count; b++) {
      unsigned gpr = indexed_gpr(x, cf->rw_gpr + b, cf->rw_rel);
      uint32_t step = b * (cf->array_size & 0xff);
      if (gpr > 127)
         break;
      const wave_lane *data = (const wave_lane *)(const void *)(x->file + REG(gpr, 0));
      if (__builtin_expect(x->watcher != NULL, 0))
         tell(x, (uint32_t)id, rat, cf, gpr, index, components, step, lanes);
      switch (cf->rat_op) {
      case CAYMAN_RAT_STORE_TYPED:
         K(rat_store)(rat, data, components, index, step, lanes);
         break;
      case SQ_RAT_STORE_RAW:
      case CAYMAN_RAT_STORE_DWORD:
         K(rat_store_dwords)(rat, data, components, index[0], step, lanes);
         break;
      case CAYMAN_RAT_STORE_SHORT:
         K(rat_store_units)(rat, 2, index[0], step, data[0], lanes);
         break;
      case CAYMAN_RAT_STORE_BYTE:
         K(rat_store_units)(rat, 1, index[0], step, data[0], lanes);
         break;
      default:
         K(rat_operate)
         (rat, op, data[0], data[other], returns ? data[1] : NULL, index, lanes, bind->alone);
         break;
      }
   }
}
