/* SPDX-License-Identifier: MIT */
/*
 * Descriptors in tables, as instructions number them: port/views.h for whoever binds a stage, from
 * registers or otherwise.
 */
#ifndef ATOLL_CHIP_CAYMAN_DESCRIPTORS_TABLES_H
#define ATOLL_CHIP_CAYMAN_DESCRIPTORS_TABLES_H

#include "chip/cayman/descriptors/texture.h"
#include "port/views.h"

/* What is beyond a table is not there. */
struct cayman_tables {
   struct td_views views; /* `count` is that of the resources */
   const uint32_t (*resources)[8];
   const uint32_t (*samplers)[3];
   const struct cayman_border_color *borders; /* one a sampler */
   const uint32_t (*fetches)[8];              /* TD_VERTEX_BUFFERS and on */
   uint32_t num_samplers, num_fetches;
   uint8_t pipes;         /* of the chip */
   bool border_fractions; /* and whether its borders are so (struct sampler) */
};

extern const struct td_views_ops cayman_views_ops;

#endif
