/* SPDX-License-Identifier: MIT */
/*
 * Binds: what one stage of a draw reads, resolved from the registers.
 *
 * The registers are the same whatever the instruction set of the shader cores; what a program's
 * words mean and what it reads is the instruction set's.  Each has a binder (pass/programs.h).
 */
#ifndef ATOLL_CHIP_CAYMAN_BIND_H
#define ATOLL_CHIP_CAYMAN_BIND_H

#include "memory/pool.h"
#include "pass/programs.h"
#include "sq/sq.h"
#include "chip/cayman/descriptors/tables.h"

/* Registers of a stage of the hardware. */
struct bind_stage {
   enum sq_stage stage;
   uint32_t pgm_start, pgm_resources, pgm_resources_2; /* register addresses */
   uint32_t scratch_item; /* *TMP_RING_ITEMSIZE: dwords of scratch a lane has */
   uint32_t const_cache, const_size;
   uint32_t resource_base, sampler_base;
   uint32_t loop_base; /* of 32 loop constants; the stage's bools are word loop_base / 32 */
   bool fetch;         /* has vertex fetches of its own: SQ_PGM_START_FS */
};

/* bind_vs_inner: copy and domain shaders, which fetch no vertices; bind_es_domain: the same in
 * ES.  ES has VS's constants, resources and samplers. */
extern const struct bind_stage bind_ps, bind_vs, bind_vs_inner, bind_gs, bind_es, bind_es_domain,
   bind_hs, bind_ls, bind_cs;

/* A stage of a draw or dispatch. */
struct bind_source {
   const struct bind_stage *stage;
   enum core_stage role; /* what it is to the graphics interface */
   struct regs *regs;    /* append counters are counted there */
   const struct vm *vm;
   const struct kernels *kernels;
   struct pool *pool; /* what binds are made of */
};

extern const struct binder binder_attila, binder_cayman, binder_valhall;

/* Cayman's binder.bind_memory (bind_memory.c). */
bool bind_cayman_memory(const struct bind_share *share, struct core_bind *bind,
                        const struct bind_source *source, bool *ordered);

/* Every binder's entry(): the engine's. */
const struct core_entry *bind_entry(const struct core_program *program,
                                    const struct bind_source *source, struct core_entry *room);

#define BIND_PROGRAM_WORDS (1u << 18)          /* longest program, in dwords */
#define BIND_WAVE_CYCLES   (UINT64_C(1) << 26) /* a wave that runs longer is taken to be endless */

/* ---- What binders share (bind_common.c) ---- */

struct bind_buffer {
   const uint32_t *base; /* host address; NULL when unmapped */
   uint32_t bytes;
};

/** Words from `va` on, at most as many as a program has; NULL: nothing is mapped. */
const uint32_t *bind_words(const struct vm *vm, uint64_t va, size_t *num);

/** Where a stage's words and those of its fetches are, and the registers of its program; false:
 *  they are not in mapped memory. */
bool bind_program_source(struct core_source *out, const struct bind_source *source,
                         const char **why);

/** The program of these words, from the cache; NULL with *why: it cannot be lifted. */
const struct core_program *bind_cached_program(struct core_cache *cache,
                                               const struct core_source *words, const char **why);

/** For instruction sets with no program that reads a ring of the driver's: nothing to be done. */
bool bind_no_ring(struct core_bind *bind, const struct bind_source *source, uint64_t va);

/** Constant buffer n, mapped or not: a kcache bank, or, after those, what resource n describes. */
struct bind_buffer bind_constants(const struct bind_source *source, unsigned n);

/** Descriptor of resource n of the stage, or (SQ_FETCH_RESOURCE and on) of vertex fetches; zeros
 *  beyond. */
const uint32_t *bind_resource(const struct bind_source *source, unsigned n);

/** The stage's resources and samplers where the registers have them. */
struct cayman_tables bind_views(const struct bind_source *source);

/** Whether what a descriptor lets read, padding of levels included, reaches into `range`. */
bool bind_descriptor_reads(const uint32_t d[8], struct target_range range);

/** Whether any of the stage's descriptors does. */
bool bind_any_reads(const struct bind_source *source, struct target_range range);

/** Whether one of the stage's constant buffers of the mask does. */
bool bind_constants_read(const struct bind_source *source, uint32_t buffers,
                         struct target_range range);

/** The stage's tables of resources, samplers and borders, copied. */
struct bind_tables {
   const uint32_t (*resources)[8];
   const uint32_t (*samplers)[3];
   const struct cayman_border_color *borders;
};
#define BIND_STAGE_RESOURCES 176u /* those of images and buffers included */

bool bind_copy_tables(struct bind_tables *tables, const struct bind_source *source,
                      const struct bind_tables *reuse);

#endif
