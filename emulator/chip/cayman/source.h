/* SPDX-License-Identifier: MIT */
/*
 * A stage of a draw or dispatch as Cayman's registers describe it (bind/source.h).
 *
 * The registers are the same whatever the instruction set of the shader cores.
 */
#ifndef ATOLL_CHIP_CAYMAN_SOURCE_H
#define ATOLL_CHIP_CAYMAN_SOURCE_H

#include "chip/cayman/descriptors/tables.h"
#include "bind/source.h"

struct gfx;
struct regs;

/* Registers of a stage of the hardware. */
struct cayman_stage {
   uint8_t stage;                     /* of the pipeline */
   uint32_t pgm_start, pgm_resources; /* register addresses */
   uint32_t pgm_resources_2;
   uint32_t scratch_item; /* *TMP_RING_ITEMSIZE: dwords of scratch a lane has */
   uint32_t const_cache, const_size;
   uint32_t resource_base, sampler_base;
   uint32_t loop_base; /* of 32 loop constants; the stage's bools are word loop_base / 32 */
   bool fetch;         /* has vertex fetches of its own: SQ_PGM_START_FS */
};

/* vs_inner: copy and domain shaders, which fetch no vertices; es_domain: the same in ES.  ES has
 * VS's constants, resources and samplers. */
extern const struct cayman_stage cayman_ps, cayman_vs, cayman_vs_inner, cayman_gs, cayman_es,
   cayman_es_domain, cayman_hs, cayman_ls, cayman_cs;

struct cayman_source {
   struct bind_source source; /* first */
   struct cayman_tables tables;
   const struct cayman_stage *stage;
   struct regs *regs; /* append counters are counted there */
};

/** `role`: what the stage is to the graphics interface. */
void cayman_source(struct cayman_source *s, const struct cayman_stage *stage, enum core_stage role,
                   struct regs *regs, const struct vm *vm, struct gfx *gfx);

/** Whether what a descriptor lets read on a chip of so many pipes, padding of levels included,
 *  reaches into `range`. */
bool cayman_descriptor_reads(const uint32_t d[8], uint8_t pipes, struct target_range range);

#endif
