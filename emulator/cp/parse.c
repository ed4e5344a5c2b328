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

void
cp_ignore(const struct cp *cp)
{
   (void)cp;
}

void
cp_missing(const struct cp *cp)
{
   cp_complain(cp, "not implemented");
}

static const struct packet {
   void (*run)(const struct cp *cp);
   uint16_t needs; /* payload dwords */
} packets[256] = {
#define PACKET(name, opcode, needs, demands, admitted, rule, run, registers) \
   [opcode] = { cp_##run, needs },
#include <atoll/cayman/packets.def>
};

/* R600's and R700's under the number of DRAW_INDIRECT: nothing to do. */
static const struct packet start_3d = { cp_ignore, 1 };

/* How long the WAIT_REG_MEMs of an IB may wait for another party to write.  All that came before
 * in the stream has happened, so only a CPU can. */
#define WAIT_MS 100

struct cp_state *
cp_create(enum chip_id chip)
{
   struct cp_state *cp = calloc(1, sizeof(*cp));

   if (cp) {
      cp->num_instances = 1;
      cp->predicate = true;
      cp->regs.dirty = REGS_DIRTY_ALL;
      cp->regs.chip = cp->compute.chip = chip;
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
   cp_check_written(cp, va, size, vm_write(cp->env->vm, va, data, size));
}

void
cp_check_written(const struct cp *cp, uint64_t va, uint64_t size, uint64_t written)
{
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

   const bool old = regs_chip(&s->regs)->old;

   s->wait_ms = WAIT_MS;
   s->skip = 0;
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

      cp.left = num_words - cp.at - 1 - cp.count;

      const struct packet *packet =
         pm4_op(header) == PM4_START_3D_CMDBUF && old ? &start_3d : &packets[pm4_op(header)];

      if (env->trace)
         cp_trace(&cp);
      if (env->packet)
         env->packet(env->packet_data, cp.at, words + cp.at);
      if (!packet->run)
         cp_complain(&cp, "unknown packet");
      else if (cp.count < packet->needs)
         cp_complain(&cp, "%u payload dwords, needs %u", cp.count, packet->needs);
      else if (!pm4_predicated(header) || s->predicate)
         packet->run(&cp);
      cp.at += 1 + cp.count;
      if (s->skip) {
         cp.at = s->skip < num_words - cp.at ? cp.at + s->skip : num_words;
         s->skip = 0;
      }
   }
   cp_flush(&cp);
   if (env->packet)
      env->packet(env->packet_data, cp.at, NULL);
}
