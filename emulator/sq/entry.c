/* SPDX-License-Identifier: MIT */
/*
 * Where Cayman's programs find their entry values.
 *
 * Of vertices and their like, VGT fills registers that are always the same, here as stock r600 has
 * them; of pixels and threads, SPI's registers say which and where.
 */
#include <string.h>

#include "regs.h"
#include "sq/sq.h"

#include <atoll/cayman/enums.h>

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
pixel_entry(struct core_entry *e, const struct regs *r)
{
   const uint32_t baryc = reg(r, R_SPI_BARYC_CNTL);
   const uint32_t control0 = reg(r, R_SPI_PS_IN_CONTROL_0),
                  control1 = reg(r, R_SPI_PS_IN_CONTROL_1);
   const uint8_t enabled[CORE_PAIRS] = {
      [CORE_PERSP_SAMPLE] = REG_FIELD_GET(baryc, SPI_BARYC_CNTL, PERSP_SAMPLE_ENA),
      [CORE_PERSP_CENTER] = REG_FIELD_GET(baryc, SPI_BARYC_CNTL, PERSP_CENTER_ENA),
      [CORE_PERSP_CENTROID] = REG_FIELD_GET(baryc, SPI_BARYC_CNTL, PERSP_CENTROID_ENA),
      [CORE_LINEAR_SAMPLE] = REG_FIELD_GET(baryc, SPI_BARYC_CNTL, LINEAR_SAMPLE_ENA),
      [CORE_LINEAR_CENTER] = REG_FIELD_GET(baryc, SPI_BARYC_CNTL, LINEAR_CENTER_ENA),
      [CORE_LINEAR_CENTROID] = REG_FIELD_GET(baryc, SPI_BARYC_CNTL, LINEAR_CENTROID_ENA),
   };
   unsigned rows = 0;

   memset(e, 0, sizeof(*e));
   /* Pairs follow each other, two to a register. */
   for (unsigned p = 0; p < CORE_PAIRS; p++) {
      if (!enabled[p])
         continue;
      core_entry_take(e, CORE_BARYCENTRIC + 2 * p, rows++);
      core_entry_take(e, CORE_BARYCENTRIC + 2 * p + 1, rows++);
   }
   if (REG_FIELD_GET(control0, SPI_PS_IN_CONTROL_0, POSITION_ENA)) {
      const unsigned gpr = REG_FIELD_GET(control0, SPI_PS_IN_CONTROL_0, POSITION_ADDR);

      for (unsigned c = 0; c < 4; c++)
         core_entry_take(e, CORE_POSITION + c, ROW(gpr, c));
   }
   if (REG_FIELD_GET(control1, SPI_PS_IN_CONTROL_1, FRONT_FACE_ENA)) {
      const unsigned gpr = REG_FIELD_GET(control1, SPI_PS_IN_CONTROL_1, FRONT_FACE_ADDR);

      core_entry_take(e, CORE_FACE, ROW(gpr, 0));
      core_entry_take(e, CORE_COVERAGE, ROW(gpr, 2));
   }
   if (REG_FIELD_GET(control1, SPI_PS_IN_CONTROL_1, FIXED_PT_POSITION_ENA)) {
      const unsigned gpr = REG_FIELD_GET(control1, SPI_PS_IN_CONTROL_1, FIXED_PT_POSITION_ADDR);

      core_entry_take(e, CORE_PIXEL_X, ROW(gpr, 0));
      core_entry_take(e, CORE_PIXEL_Y, ROW(gpr, 1));
      core_entry_take(e, CORE_SAMPLE, ROW(gpr, 3));
   }
}

static void
compute_entry(struct core_entry *e, const struct regs *r)
{
   const uint32_t input = reg(r, R_SPI_COMPUTE_INPUT_CNTL);
   unsigned gpr = 0;

   memset(e, 0, sizeof(*e));
   if (REG_FIELD_GET(input, SPI_COMPUTE_INPUT_CNTL, TID_IN_GROUP_ENA)) {
      for (unsigned c = 0; c < 3; c++)
         core_entry_take(e, CORE_THREAD + c, ROW(gpr, c));
      gpr++;
   }
   if (REG_FIELD_GET(input, SPI_COMPUTE_INPUT_CNTL, TGID_ENA))
      for (unsigned c = 0; c < 3; c++)
         core_entry_take(e, CORE_GROUP + c, ROW(gpr, c));
}

const struct core_entry *
sq_entry(const struct core_program *program, enum core_stage stage, const struct regs *r,
         struct core_entry *room)
{
   if (stage != CORE_PIXEL && stage != CORE_COMPUTE)
      return vertex_entry(stage);
   if (stage == CORE_PIXEL)
      pixel_entry(room, r);
   else
      compute_entry(room, r);
   return room;
}
