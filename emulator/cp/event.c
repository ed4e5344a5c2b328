/* SPDX-License-Identifier: MIT */
/*
 * Events: queries, fences, cache control; and predication, which reads what queries wrote.
 *
 * Query slots, as drivers read them:
 *   - occlusion: each render backend of the chip writes count | 1 << 63 at its own 16 bytes; one
 *     pipe does all of the counting here, so the first slot has the count and the others zero;
 *   - streamout: u64 primitives needed, u64 primitives written, bit 63 set in both;
 *   - pipeline statistics: eleven u64; on R600 and R700 the first eight.
 *
 * Between PIPELINESTAT_STOP and PIPELINESTAT_START the last two do not count: drivers bracket
 * their own blits with these.
 */
#include "cp/internal.h"

#include <string.h>

#include <atoll/cayman/r600.h>

#define VALID (UINT64_C(1) << 63)

/* Backends that a chip may have: a nibble names one. */
#define MAX_BACKENDS 16

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
   const unsigned backends = chips[cp->s->regs.chip].backends;
   uint64_t va;

   if (!event_address(cp, &va))
      return;
   cp_flush(cp);
   for (unsigned rb = 0; rb < backends; rb++) {
      uint64_t value = VALID | (rb ? 0 : gfx_counters(cp->env->gfx)->samples_passed);

      cp_write(cp, va + 16 * rb, &value, sizeof(value));
   }
}

/* The counters that can be stopped, in the order in which they are written. */
static struct cp_stats
running_stats(const struct cp *cp)
{
   const struct gfx_counters *c = gfx_counters(cp->env->gfx);
   struct cp_stats stats = {
      .pipeline = { c->ps_invocations, c->clip_primitives, c->clip_invocations, c->vs_invocations,
                    c->gs_invocations, c->gs_primitives, c->ia_primitives, c->ia_vertices,
                    c->hs_invocations, c->ds_invocations, c->cs_invocations },
   };

   for (unsigned i = 0; i < CP_STREAMS; i++) {
      stats.streams[i][0] = c->stream_needed[i];
      stats.streams[i][1] = c->stream_written[i];
   }
   return stats;
}

/* As the counters stand here in the stream.  Ends the pass. */
static struct cp_stats
sample_stats(const struct cp *cp)
{
   struct cp_state *s = cp->s;
   struct cp_stats stats;

   cp_flush(cp);
   if (!s->stats_sampled && s->stats_stopped)
      s->stats_at_stop = running_stats(cp);
   s->stats_sampled = true;
   stats = s->stats_stopped ? s->stats_at_stop : running_stats(cp);
   for (unsigned i = 0; i < CP_STAT_WORDS; i++)
      stats.words[i] -= s->stats_excluded.words[i];
   return stats;
}

/* Until something was sampled nobody can tell, and the pass need not end for it. */
static void
stop_stats(const struct cp *cp, bool stop)
{
   struct cp_state *s = cp->s;

   if (s->stats_stopped == stop)
      return;
   s->stats_stopped = stop;
   if (!s->stats_sampled)
      return;
   cp_flush(cp);
   if (stop) {
      s->stats_at_stop = running_stats(cp);
   } else {
      struct cp_stats now = running_stats(cp);

      for (unsigned i = 0; i < CP_STAT_WORDS; i++)
         s->stats_excluded.words[i] += now.words[i] - s->stats_at_stop.words[i];
   }
}

static void
streamout_stats(const struct cp *cp, unsigned stream)
{
   struct cp_stats stats;
   uint64_t va;

   if (!event_address(cp, &va))
      return;
   stats = sample_stats(cp);
   stats.streams[stream][0] |= VALID;
   stats.streams[stream][1] |= VALID;
   cp_write(cp, va, stats.streams[stream], sizeof(stats.streams[stream]));
}

static void
pipeline_stats(const struct cp *cp)
{
   struct cp_stats stats;
   uint64_t va;

   if (!event_address(cp, &va))
      return;
   stats = sample_stats(cp);
   /* R600 and R700 have neither tessellation nor compute. */
   cp_write(cp, va, stats.pipeline,
            (regs_chip(&cp->s->regs)->old ? 8 : CP_PIPELINE_STATS) * sizeof(stats.pipeline[0]));
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
   case EVENT_PIPELINESTAT_START:
   case EVENT_PIPELINESTAT_STOP:
      stop_stats(cp, type == EVENT_PIPELINESTAT_STOP);
      break;
   case EVENT_SAMPLE_PIPELINESTAT:
      pipeline_stats(cp);
      break;
   case EVENT_SO_VGTSTREAMOUT_FLUSH:
      /* Software polls this bit for the offsets to be final. */
      cp_flush(cp);
      strmout = cp_register(cp->s, regs_chip(&cp->s->regs)->old ? (uint32_t)R_R600_CP_STRMOUT_CNTL
                                                                : (uint32_t)R_CP_STRMOUT_CNTL);
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
      /* The remaining events have no effect software can see. */
      break;
   }
}

void
cp_event_write_eop(const struct cp *cp)
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
   /* A time is one of this point of the stream, so nothing may follow in the same pass. */
   if (token.timestamp)
      cp_flush(cp);
}

void
cp_event_write_eos(const struct cp *cp)
{
   uint64_t va = cp_address(cp->payload[1], cp->payload[2]) & ~UINT64_C(3);
   uint32_t command = cp->payload[2] >> 29, data = cp->payload[3];

   cp_flush(cp);
   if (command == EOS_VALUE_32) {
      cp_write(cp, va, &data, sizeof(data));
   } else if (command == EOS_GDS_TO_MEM) {
      uint32_t first = (data & 0xffff) * 4, bytes = (data >> 16) * 4;

      if (first >= CP_GDS_BYTES || bytes > CP_GDS_BYTES - first) {
         cp_complain(cp, "copies GDS bytes %u..%u of %u", first, first + bytes, CP_GDS_BYTES);
         return;
      }
      if (cp_may_copy(cp->env, bytes))
         cp_write(cp, va, cp->s->gds + first, bytes);
   } else if (command == EOS_APPEND_TO_MEM) {
      const uint32_t *counter = cp_append_counter(cp, data * 4);

      if (counter)
         cp_write(cp, va, counter, sizeof(*counter));
   } else {
      cp_complain(cp, "command %u", command);
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
   const unsigned backends = chips[s->regs.chip].backends;
   uint64_t slots[2 * MAX_BACKENDS];
   bool complete = true;

   if (op == PREDICATION_ZPASS) {
      cp_read(cp, va, slots, backends * 2 * sizeof(slots[0]));
      for (unsigned rb = 0; rb < backends; rb++) {
         uint64_t begin = slots[2 * rb], end = slots[2 * rb + 1];

         if (begin & end & VALID)
            s->predicate_samples += end - begin;
         else
            complete = false;
      }
   } else {
      cp_read(cp, va, slots, 4 * sizeof(slots[0])); /* needed, written; the same at the end */
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
