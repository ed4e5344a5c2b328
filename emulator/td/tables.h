/* SPDX-License-Identifier: MIT */
/* The tables that texture instructions name resources and samplers of: what whoever binds a stage
 * has, from registers or otherwise. */
#ifndef ATOLL_TD_TABLES_H
#define ATOLL_TD_TABLES_H

#include <stddef.h>

#include "td/td.h"

/* A stage's resources and samplers, as instructions number them; what is beyond is not there. */
struct td_tables {
   const uint32_t (*resources)[8];
   const uint32_t (*samplers)[3];
   const struct td_border *borders; /* one a sampler */
   uint32_t num_resources, num_samplers;
   const struct vm *vm;
};

/** The draw's part of what selects a sampler. */
static inline void
td_describe(struct td_tex_desc *desc, const struct td_tables *t, uint32_t resource,
            uint32_t sampler)
{
   const bool sampled = sampler < t->num_samplers;

   desc->resource = resource < t->num_resources ? t->resources[resource] : NULL;
   desc->sampler = sampled ? t->samplers[sampler] : NULL;
   desc->border = sampled ? &t->borders[sampler] : NULL;
   desc->vm = t->vm;
}

#endif
