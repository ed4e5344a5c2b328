/* SPDX-License-Identifier: MIT */
/*
 * Where Cayman's programs find their entry values.
 *
 * Of vertices and their like, VGT fills registers that are always the same, here as stock r600 has
 * them; of pixels and threads, the chip says which and where (struct core_layout).
 */
#include <string.h>

#include "sq/sq.h"

#define ROW(gpr, chan)   (4 * (gpr) + (chan))
#define PLACE(gpr, chan) (ROW(gpr, chan) + 1)

static const struct core_entry *
vertex_entry(enum core_stage stage)
{
   static const struct core_entry vertex = {
      .place = { [CORE_VERTEX_INDEX] = PLACE(0, 0),
                 [CORE_LANE] = PLACE(0, 1),
                 [CORE_PRIMITIVE] = PLACE(0, 2),
                 [CORE_INSTANCE] = PLACE(0, 3) },
      .filled = { 0xf },
   };
   static const struct core_entry local = {
      .place = { [CORE_VERTEX_INDEX] = PLACE(0, 0),
                 [CORE_GROUP_VERTEX] = PLACE(0, 1),
                 [CORE_PRIMITIVE] = PLACE(0, 2),
                 [CORE_INSTANCE] = PLACE(0, 3) },
      .filled = { 0xf },
   };
   static const struct core_entry control = {
      .place = { [CORE_PRIMITIVE] = PLACE(0, 0),
                 [CORE_PATCH] = PLACE(0, 1),
                 [CORE_CONTROL_POINT] = PLACE(0, 2),
                 [CORE_FACTORS] = PLACE(0, 3) },
      .filled = { 0xf },
   };
   static const struct core_entry evaluation = {
      .place = { [CORE_DOMAIN_U] = PLACE(0, 0),
                 [CORE_DOMAIN_V] = PLACE(0, 1),
                 [CORE_PATCH] = PLACE(0, 2),
                 [CORE_PRIMITIVE] = PLACE(0, 3) },
      .filled = { 0xf },
   };
   static const struct core_entry geometry = {
      .place = { [CORE_RING_VERTEX] = PLACE(0, 0),
                 [CORE_RING_VERTEX + 1] = PLACE(0, 1),
                 [CORE_PRIMITIVE] = PLACE(0, 2),
                 [CORE_RING_VERTEX + 2] = PLACE(0, 3),
                 [CORE_RING_VERTEX + 3] = PLACE(1, 0),
                 [CORE_RING_VERTEX + 4] = PLACE(1, 1),
                 [CORE_RING_VERTEX + 5] = PLACE(1, 2),
                 [CORE_INVOCATION] = PLACE(1, 3) },
      .filled = { 0xff },
   };
   static const struct core_entry copy = {
      .place = { [CORE_RING_VERTEX] = PLACE(0, 0), [CORE_LANE] = PLACE(0, 1) },
      .filled = { 3 },
   };

   switch (stage) {
   case CORE_LOCAL:
      return &local;
   case CORE_CONTROL:
      return &control;
   case CORE_EVALUATION:
      return &evaluation;
   case CORE_GEOMETRY:
      return &geometry;
   case CORE_COPY:
      return &copy;
   default:
      return &vertex;
   }
}

static void
pixel_entry(struct core_entry *e, const struct core_layout *layout)
{
   unsigned rows = layout->pairs_row;

   /* Pairs follow each other, two to a register. */
   for (unsigned p = 0; p < CORE_PAIRS; p++) {
      if (!(layout->pairs >> p & 1))
         continue;
      core_entry_take(e, CORE_BARYCENTRIC + 2 * p, rows++);
      core_entry_take(e, CORE_BARYCENTRIC + 2 * p + 1, rows++);
   }
   for (unsigned c = 0; c < 4 && layout->position != CORE_NO_ROW; c++)
      core_entry_take(e, CORE_POSITION + c, layout->position + c);
   if (layout->face != CORE_NO_ROW) {
      core_entry_take(e, CORE_FACE, layout->face);
      core_entry_take(e, CORE_COVERAGE, layout->face + 2u);
   }
   if (layout->pixel != CORE_NO_ROW) {
      core_entry_take(e, CORE_PIXEL_X, layout->pixel);
      core_entry_take(e, CORE_PIXEL_Y, layout->pixel + 1u);
      core_entry_take(e, CORE_SAMPLE, layout->pixel + 3u);
   }
}

const struct core_entry *
sq_entry(const struct core_program *program, enum core_stage stage,
         const struct core_layout *layout, struct core_entry *room)
{
   if (stage != CORE_PIXEL && stage != CORE_COMPUTE)
      return vertex_entry(stage);
   memset(room, 0, sizeof(*room));
   if (stage == CORE_PIXEL)
      pixel_entry(room, layout);
   for (unsigned c = 0; c < 3 && stage == CORE_COMPUTE; c++) {
      if (layout->thread != CORE_NO_ROW)
         core_entry_take(room, CORE_THREAD + c, layout->thread + c);
      if (layout->group != CORE_NO_ROW)
         core_entry_take(room, CORE_GROUP + c, layout->group + c);
   }
   return room;
}
