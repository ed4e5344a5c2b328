/* SPDX-License-Identifier: MIT */
/*
 * The packet loop: every dword of an IB is a type-2 filler or belongs to one type-3 packet.
 *
 * A packet shorter than its opcode needs is reported and skipped, since its length still says
 * where the next one is.  A packet that runs past the IB, or of type 0 or 1, ends the IB.
 */
#include "cp/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct packet {
   void (*run)(const struct cp *cp);
   uint16_t least; /* payload dwords */
};

static void
nothing(const struct cp *cp)
{
   (void)cp;
}

static void
not_implemented(const struct cp *cp)
{
   cp_complain(cp, "not implemented");
}

/*
 * NOP carries relocations, which VM mode does not need.  CLEAR_STATE and DEALLOC_STATE are compute
 * bookkeeping; a real reset could undo registers already set for the next dispatch.
 */
static const struct packet packets[256] = {
   [PM4_NOP] = { nothing, 1 },
   [PM4_SET_BASE] = { cp_set_base, 3 },
   [PM4_CLEAR_STATE] = { nothing, 1 },
   [PM4_INDEX_BUFFER_SIZE] = { cp_index_buffer_size, 1 },
   [PM4_DEALLOC_STATE] = { nothing, 1 },
   [PM4_DISPATCH_DIRECT] = { cp_dispatch_direct, 4 },
   [PM4_DISPATCH_INDIRECT] = { cp_dispatch_indirect, 2 },
   [PM4_MODE_CONTROL] = { nothing, 1 },
   [PM4_SET_PREDICATION] = { cp_set_predication, 2 },
   [PM4_REG_RMW] = { not_implemented, 1 },
   [PM4_COND_EXEC] = { not_implemented, 1 },
   [PM4_PRED_EXEC] = { not_implemented, 1 },
   [PM4_DRAW_INDIRECT] = { cp_draw_indirect, 2 },
   [PM4_DRAW_INDEX_INDIRECT] = { cp_draw_index_indirect, 2 },
   [PM4_INDEX_BASE] = { cp_index_base, 2 },
   [PM4_DRAW_INDEX_2] = { cp_draw_index_2, 5 },
   [PM4_CONTEXT_CONTROL] = { nothing, 1 },
   [PM4_DRAW_INDEX_OFFSET] = { cp_draw_index_offset, 3 },
   [PM4_INDEX_TYPE] = { cp_index_type, 1 },
   [PM4_DRAW_INDEX] = { cp_draw_index, 4 },
   [PM4_DRAW_INDEX_AUTO] = { cp_draw_auto, 2 },
   [PM4_DRAW_INDEX_IMMD] = { cp_draw_immediate, 2 },
   [PM4_NUM_INSTANCES] = { cp_num_instances, 1 },
   [PM4_STRMOUT_BUFFER_UPDATE] = { cp_strmout_update, 5 },
   [PM4_COPY_DW] = { cp_copy_dw, 5 },
   [PM4_WAIT_REG_MEM] = { cp_wait_reg_mem, 6 },
   [PM4_MEM_WRITE] = { cp_mem_write, 4 },
   [PM4_COPY_DATA] = { not_implemented, 5 },
   [PM4_CP_DMA] = { cp_dma, 5 },
   [PM4_PFP_SYNC_ME] = { nothing, 1 },
   [PM4_SURFACE_SYNC] = { cp_surface_sync, 4 },
   [PM4_EVENT_WRITE] = { cp_event_write, 1 },
   [PM4_EVENT_WRITE_EOP] = { cp_event_eop, 5 },
   [PM4_EVENT_WRITE_EOS] = { cp_event_eos, 4 },
   [PM4_SET_CONFIG_REG] = { cp_set_config, 1 },
   [PM4_SET_CONTEXT_REG] = { cp_set_context, 1 },
   [PM4_SET_LOOP_CONST] = { cp_set_loop, 1 },
   [PM4_SET_RESOURCE] = { cp_set_resource, 1 },
   [PM4_SET_SAMPLER] = { cp_set_sampler, 1 },
   [PM4_SET_CTL_CONST] = { cp_set_ctl, 1 },
   [PM4_SURFACE_BASE_UPDATE] = { nothing, 1 },
   [PM4_SET_APPEND_CNT] = { cp_set_append_count, 3 },
};

/* How long the WAIT_REG_MEMs of an IB may wait for another party to write.  All that came before
 * in the stream has happened, so only a CPU can. */
#define WAIT_MS 100

struct cp_state *
cp_create(void)
{
   struct cp_state *cp = calloc(1, sizeof(*cp));

   if (cp) {
      cp->num_instances = 1;
      cp->predicate = true;
      cp->regs.dirty = REGS_DIRTY_ALL;
   }
   return cp;
}

void
cp_destroy(struct cp_state *cp)
{
   free(cp);
}

void
cp_complain(const struct cp *cp, const char *format, ...)
{
   char text[160];
   va_list args;

   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   report_message(cp->env->report, "client %llu, IB %llu, dword %u: %s (0x%08X): %s",
                  (unsigned long long)cp->env->client, (unsigned long long)cp->env->seq, cp->at,
                  pm4_type(cp->header) == 3 ? pm4_opcode_name(pm4_op(cp->header)) : "packet",
                  cp->header, text);
}

void
cp_flush(const struct cp *cp)
{
   struct cp_state *s = cp->s;

   gfx_flush(cp->env->gfx);
   for (uint32_t i = 0; i < s->num_tokens; i++) {
      const struct cp_token *t = &s->tokens[i];
      uint64_t value = t->timestamp ? cp->env->ticks(cp->env->ticks_data) : t->value;

      vm_write(cp->env->vm, t->va, &value, t->bytes);
   }
   s->num_tokens = 0;
}

void
cp_write(const struct cp *cp, uint64_t va, const void *data, uint64_t size)
{
   uint64_t written = vm_write(cp->env->vm, va, data, size);

   if (written < size)
      cp_complain(cp, "writes %llu bytes at 0x%llX, %llu of them mapped", (unsigned long long)size,
                  (unsigned long long)va, (unsigned long long)written);
}

void
cp_read(const struct cp *cp, uint64_t va, void *data, uint64_t size)
{
   uint64_t got = vm_read(cp->env->vm, va, data, size);

   if (got < size)
      cp_complain(cp, "reads %llu bytes at 0x%llX, %llu of them mapped", (unsigned long long)size,
                  (unsigned long long)va, (unsigned long long)got);
}

void
cp_execute(struct cp_state *s, const struct cp_env *env, const uint32_t *words, uint32_t num_words)
{
   struct cp cp = { .s = s, .env = env };

   s->wait_ms = WAIT_MS;
   gfx_set_share(env->gfx, s->gds, CP_GDS_BYTES, s->gws);
   while (cp.at < num_words) {
      uint32_t header = words[cp.at];

      cp.header = header;
      if (pm4_type(header) == 2) {
         cp.at++;
         continue;
      }
      if (pm4_type(header) != 3) {
         cp_complain(&cp, "packet of type %u; the rest of the IB is dropped", pm4_type(header));
         break;
      }
      cp.count = pm4_payload(header);
      cp.payload = words + cp.at + 1;
      if (cp.count > num_words - cp.at - 1) {
         cp_complain(&cp, "%u payload dwords, %u left in the IB, which is dropped", cp.count,
                     num_words - cp.at - 1);
         break;
      }

      const struct packet *packet = &packets[pm4_op(header)];

      if (env->trace)
         cp_trace(&cp);
      if (!packet->run)
         cp_complain(&cp, "unknown packet");
      else if (cp.count < packet->least)
         cp_complain(&cp, "%u payload dwords, needs %u", cp.count, packet->least);
      else if (!pm4_predicated(header) || s->predicate)
         packet->run(&cp);
      cp.at += 1 + cp.count;
   }
   cp_flush(&cp);
}
