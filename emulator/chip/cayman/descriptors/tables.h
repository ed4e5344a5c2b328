/* SPDX-License-Identifier: MIT */
/* The tables that texture instructions name resources and samplers of: what whoever binds a stage
 * has, from registers or otherwise. */
#ifndef ATOLL_CHIP_CAYMAN_DESCRIPTORS_TABLES_H
#define ATOLL_CHIP_CAYMAN_DESCRIPTORS_TABLES_H

#include <stddef.h>

#include "chip/cayman/descriptors/texture.h"

/* A stage's resources and samplers, as instructions number them; what is beyond is not there. */
struct cayman_tables {
   const uint32_t (*resources)[8];
   const uint32_t (*samplers)[3];
   const struct cayman_border_color *borders; /* one a sampler */
   uint32_t num_resources, num_samplers;
   const struct vm *vm;
};

/** What a texture instruction finds there. */
static inline struct cayman_view
cayman_view_of(const struct cayman_tables *t, uint32_t resource, uint32_t sampler)
{
   const bool sampled = sampler < t->num_samplers;

   return (struct cayman_view){
      .resource = resource < t->num_resources ? t->resources[resource] : NULL,
      .sampler = sampled ? t->samplers[sampler] : NULL,
      .border = sampled ? &t->borders[sampler] : NULL,
      .vm = t->vm,
   };
}

#endif
