/* SPDX-License-Identifier: MIT */
/* See quads.h.  What a program's results are needed for decides how pixels are worked on. */
#include "pass/quads.h"

#include <stdio.h>

#include "cb/cb.h"
#include "core/core.h"
#include "db/db.h"
#include "sc/sc.h"
#include "spi/spi.h"
#include "sx/sx.h"

/* Whether some sample is never written. */
static bool
masks_samples(const struct sc_state *sc)
{
   const uint32_t all = (1u << (1u << sc->log2_samples)) - 1;
   bool masked = false;

   for (unsigned p = 0; p < 4 && sc->log2_samples; p++)
      masked |= (sc->sample_mask[p] & all) != all;
   return masked;
}

/* Whether one colour replaces what was there. */
static bool
fills(const struct draw_state *draw)
{
   if (!draw->spi->constant || draw->cb->dual_source || draw->db->export_mask)
      return false;
   for (unsigned i = 0; i < CB_TARGETS; i++) {
      const struct cb_key key = draw->cb->target[i].key;

      if ((draw->cb->bound & 1u << i) && (key.reads || key.rule != RULE_COPY))
         return false;
   }
   return true;
}

struct quads_key
quads_key(const struct draw_state *draw)
{
   const struct core_program *ps = draw->ps->program;
   const struct db_state *db = draw->db;
   const struct sc_state *sc = draw->sc;
   const struct sx_state *sx = draw->sx;
   const bool program = ps && !ps->error, copies = db->copy_z || db->copy_s;
   const bool drops = sx->alpha_test || sx->alpha_to_mask || (program && ps->uses_kill);
   const unsigned num_samples = sc->over ? 1u : 1u << sc->log2_samples;
   struct quads_key key = {
      .early = db->forced_early ||
               (db->early && !(drops && (db->writes || db->count)) &&
                !(db->late_order && program && (ps->writes_memory || draw->reads_targets))),
      .count = db->count,
      .simple = !sc->log2_samples && !sc->cliprects && !sc->line_stipple,
      .masked = masks_samples(sc),
      .no_color = db->color_disable || sx->kill_all,
      .overwrites = db_overwrites(db, num_samples),
   };
   const bool color = draw->cb->bound && draw->cb->mode == CB_COLORS && !key.no_color;

   key.before = key.early && num_samples > 1 && !db->coverage_after_tests &&
                (draw->spi->entry.place[CORE_COVERAGE] || draw->spi->entry.place[CORE_COVERED]);
   if (copies || draw->cb->mode == CB_RESOLVE) {
      key.mode = copies ? PIXEL_COPY : PIXEL_RESOLVE;
      key.early = true;
   } else if (!program || (!color && !ps->writes_memory && key.early)) {
      key.mode = PIXEL_DEPTH_ONLY;
      key.early = true;
   } else {
      key.mode = key.early && !drops && fills(draw) ? PIXEL_FILL : PIXEL_PACK;
      key.plain = key.early && !sc->log2_samples && !sx->alpha_test && !sx->alpha_to_mask &&
                  !sc->log2_iter && !sc->over && draw->cb->bound && !ps->stores_tile &&
                  (!db->export_mask || db->forced_early);
   }
   return key;
}

void
quads_key_print(struct quads_key key, char *out, size_t size)
{
   static const char *const modes[] = { [PIXEL_DEPTH_ONLY] = "depth_only",
                                        [PIXEL_FILL] = "fill",
                                        [PIXEL_PACK] = "pack",
                                        [PIXEL_COPY] = "copy",
                                        [PIXEL_RESOLVE] = "resolve" };

   snprintf(out, size, "%s%s%s%s%s%s%s%s%s", modes[key.mode], key.early ? " early" : "",
            key.count ? " count" : "", key.simple ? " simple" : "", key.masked ? " masked" : "",
            key.before ? " before" : "", key.no_color ? " no_color" : "", key.plain ? " plain" : "",
            key.overwrites ? " overwrites" : "");
}

void
quads_print(const struct draw_state *draw)
{
   char text[128];

   quads_key_print(draw->quads, text, sizeof(text));
   fprintf(stderr, "draw %u: quads: %s", draw->number, text);
   for (unsigned i = 0; i < CB_TARGETS; i++) {
      if (!(draw->cb->bound & 1u << i))
         continue;
      cb_key_print(draw->cb->target[i].key, text, sizeof(text));
      fprintf(stderr, "; colour %u: %s", i, text);
   }
   fputc('\n', stderr);
}
