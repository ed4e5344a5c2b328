/* SPDX-License-Identifier: MIT */
/*
 * Events: queries, fences, cache control; and predication, which reads what queries wrote.
 *
 * Query slots, as drivers read them:
 *   - occlusion: each render backend writes count | 1 << 63 at its own 16 bytes; one pipe does
 *     all of the counting here, so the first slot has the count and the others zero;
 *   - streamout: u64 primitives needed, u64 primitives written, bit 63 set in both;
 *   - pipeline statistics: eleven u64.
 */
#include "cp/internal.h"

#include <string.h>

#define VALID (UINT64_C(1) << 63)

/* The address of an event that writes: 8-byte aligned. */
static bool
event_address(const struct cp *cp, uint64_t *va)
{
   if (cp->count < 3) {
      cp_complain(cp, "event 0x%02X writes, but the packet has no address",
                  pm4_event_type(cp->payload[0]));
      return false;
   }
   *va = cp_address(cp->payload[1], cp->payload[2]) & ~UINT64_C(7);
   return true;
}

static void
zpass_done(const struct cp *cp)
{
   uint64_t va;

   if (!event_address(cp, &va))
      return;
   cp_flush(cp);
   for (unsigned rb = 0; rb < CP_BACKENDS; rb++) {
      uint64_t value = VALID | (rb ? 0 : gfx_counters(cp->env->gfx)->samples_passed);

      cp_write(cp, va + 16 * rb, &value, sizeof value);
   }
}

static void
streamout_stats(const struct cp *cp, unsigned stream)
{
   const struct gfx_counters *counters = gfx_counters(cp->env->gfx);
   uint64_t va, value[2];

   if (!event_address(cp, &va))
      return;
   cp_flush(cp);
   value[0] = VALID | counters->stream_needed[stream];
   value[1] = VALID | counters->stream_written[stream];
   cp_write(cp, va, value, sizeof value);
}

static void
pipeline_stats(const struct cp *cp)
{
   const struct gfx_counters *c = gfx_counters(cp->env->gfx);
   uint64_t va, value[11] = { 0 };

   if (!event_address(cp, &va))
      return;
   cp_flush(cp);
   value[0] = c->ps_invocations;
   value[1] = c->clip_primitives;
   value[2] = c->clip_invocations;
   value[3] = c->vs_invocations;
   value[4] = c->gs_invocations;
   value[5] = c->gs_primitives;
   value[6] = c->ia_primitives;
   value[7] = c->ia_vertices;
   value[8] = c->hs_invocations;
   value[9] = c->ds_invocations;
   value[10] = c->cs_invocations;
   cp_write(cp, va, value, sizeof value);
}

void
cp_event_write(const struct cp *cp)
{
   uint32_t type = pm4_event_type(cp->payload[0]);
   uint32_t *strmout;

   switch (type) {
   case EVENT_ZPASS_DONE:
      zpass_done(cp);
      break;
   case EVENT_SAMPLE_STREAMOUTSTATS:
      streamout_stats(cp, 0);
      break;
   case EVENT_SAMPLE_STREAMOUTSTATS1:
   case EVENT_SAMPLE_STREAMOUTSTATS2:
   case EVENT_SAMPLE_STREAMOUTSTATS3:
      streamout_stats(cp, type);
      break;
   case EVENT_SAMPLE_PIPELINESTAT:
      pipeline_stats(cp);
      break;
   case EVENT_SO_VGTSTREAMOUT_FLUSH:
      /* Software polls this bit for the offsets to be final. */
      cp_flush(cp);
      strmout = cp_register(cp->s, R_CP_STRMOUT_CNTL);
      *strmout |= REG_FIELD(CP_STRMOUT_CNTL, OFFSET_UPDATE_DONE, 1);
      break;
   case EVENT_CS_PARTIAL_FLUSH:
   case EVENT_VS_PARTIAL_FLUSH:
   case EVENT_PS_PARTIAL_FLUSH:
   case EVENT_CACHE_FLUSH:
   case EVENT_CACHE_FLUSH_AND_INV:
   case EVENT_FLUSH_AND_INV_DB_META:
   case EVENT_FLUSH_AND_INV_CB_META:
      cp_flush(cp);
      break;
   default:
      /* Counters always run; the remaining events have no effect software can see. */
      break;
   }
}

void
cp_event_eop(const struct cp *cp)
{
   struct cp_state *s = cp->s;
   uint32_t select = cp->payload[2] >> 29;
   struct cp_token token = {
      .va = cp_address(cp->payload[1], cp->payload[2]) & ~UINT64_C(3),
      .value = (uint64_t)cp->payload[4] << 32 | cp->payload[3],
   };

   switch (select) {
   case EOP_DATA_DISCARD:
      return;
   case EOP_DATA_VALUE_32:
      token.bytes = 4;
      break;
   case EOP_DATA_VALUE_64:
      token.bytes = 8;
      break;
   case EOP_DATA_TIMESTAMP:
      token.bytes = 8;
      token.timestamp = true;
      break;
   default:
      cp_complain(cp, "data select %u", select);
      return;
   }
   if (vm_extent(cp->env->vm, token.va, token.bytes) < token.bytes) {
      cp_complain(cp, "writes %u bytes at 0x%llX, which is not mapped", token.bytes,
                  (unsigned long long)token.va);
      return;
   }
   if (s->num_tokens == CP_MAX_TOKENS)
      cp_flush(cp);
   s->tokens[s->num_tokens++] = token;
   /* A time is one of this place in the stream, so nothing may follow in the same pass. */
   if (token.timestamp)
      cp_flush(cp);
}

void
cp_event_eos(const struct cp *cp)
{
   uint64_t va = cp_address(cp->payload[1], cp->payload[2]) & ~UINT64_C(3);
   uint32_t command = cp->payload[2] >> 29, data = cp->payload[3];

   cp_flush(cp);
   if (command == EOS_VALUE_32) {
      cp_write(cp, va, &data, sizeof data);
   } else if (command == EOS_GDS_TO_MEM) {
      uint32_t first = (data & 0xffff) * 4, bytes = (data >> 16) * 4;

      if (first >= CP_GDS_BYTES || bytes > CP_GDS_BYTES - first) {
         cp_complain(cp, "copies GDS bytes %u..%u of %u", first, first + bytes, CP_GDS_BYTES);
         return;
      }
      cp_write(cp, va, cp->s->gds + first, bytes);
   } else {
      cp_complain(cp, "not implemented: command %u", command);
   }
}

/* Texture, vertex and constant caches do not exist apart from memory: only what waits for the
 * results of rendering ends the pass. */
void
cp_surface_sync(const struct cp *cp)
{
   const uint32_t caches =
      REG_FIELD_MASK(CP_COHER_CNTL, TC_ACTION_ENA) | REG_FIELD_MASK(CP_COHER_CNTL, VC_ACTION_ENA) |
      REG_FIELD_MASK(CP_COHER_CNTL, SH_ACTION_ENA) | REG_FIELD_MASK(CP_COHER_CNTL, CR0_ACTION_ENA) |
      REG_FIELD_MASK(CP_COHER_CNTL, CR1_ACTION_ENA) | REG_FIELD_MASK(CP_COHER_CNTL, CR2_ACTION_ENA);

   if (cp->payload[0] & ~caches)
      cp_flush(cp);
}

/* Adds the query result at `va` to the predicate; true if it was complete. */
static bool
add_result(const struct cp *cp, uint64_t va, uint32_t op)
{
   struct cp_state *s = cp->s;
   uint64_t slots[2 * CP_BACKENDS];
   bool complete = true;

   if (op == PREDICATION_ZPASS) {
      cp_read(cp, va, slots, sizeof slots);
      for (unsigned rb = 0; rb < CP_BACKENDS; rb++) {
         uint64_t begin = slots[2 * rb], end = slots[2 * rb + 1];

         if (begin & end & VALID)
            s->predicate_samples += end - begin;
         else
            complete = false;
      }
   } else {
      cp_read(cp, va, slots, 4 * sizeof slots[0]); /* needed, written; the same at the end */
      complete = slots[0] & slots[1] & slots[2] & slots[3] & VALID;
      if (complete && slots[2] - slots[0] != slots[3] - slots[1])
         s->predicate_overflow = true;
   }
   return complete;
}

void
cp_set_predication(const struct cp *cp)
{
   struct cp_state *s = cp->s;
   uint32_t control = cp->payload[1], op = control >> 16 & 7;
   uint64_t va = cp_address(cp->payload[0], control) & ~UINT64_C(15);
   bool visible;

   if (op == PREDICATION_CLEAR) {
      s->predicate = true;
      return;
   }
   if (op != PREDICATION_ZPASS && op != PREDICATION_PRIMCOUNT) {
      cp_complain(cp, "operation %u", op);
      s->predicate = true;
      return;
   }
   cp_flush(cp);
   if (!(control & PREDICATION_CONTINUE)) {
      s->predicate_samples = 0;
      s->predicate_overflow = false;
   }
   /* Everything before has executed: a slot that is not valid now never will be. */
   if (!add_result(cp, va, op)) {
      s->predicate = true;
      return;
   }
   visible = op == PREDICATION_ZPASS ? s->predicate_samples != 0 : !s->predicate_overflow;
   s->predicate = visible == !!(control & PREDICATION_DRAW_VISIBLE);
}
