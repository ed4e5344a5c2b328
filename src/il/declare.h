/* SPDX-License-Identifier: MIT */
/*
 * What a program of the core declares, in one table: for every compiler and for direct execution.
 *
 * Numbers are within their limits here, areas of shared data have their addresses, and sizes of
 * work groups are checked.  What a chip does not have, its own reader refuses.
 */
#ifndef IL_DECLARE_H
#define IL_DECLARE_H

#include "il/conventions.h"
#include "il/il.h"

#define IL_MAX_INPUTS    128
#define IL_MAX_OUTPUTS   64
#define IL_MAX_RESOURCES 32
#define IL_MAX_STAGES    16 /* of textures, shader model 3 */
#define IL_MAX_SRVS      32
#define IL_MAX_AREAS     16
#define IL_MAX_ARRAYS    4096 /* and elements of one */
#define IL_LDS_BYTES     32768u
#define IL_GDS_BYTES     65536u
#define IL_COUNTER_BYTES (4u * IL_MAX_COUNTERS)

struct il_declared_input {
   bool declared;
   uint8_t mode;  /* enum il_interpmode */
   uint32_t inst; /* index of the declaration */
};

struct il_declared_resource {
   bool declared;
   bool unnorm, integer;
   uint8_t type; /* enum il_pixtex */
};

struct il_declared_buffer {
   bool declared, typed;
   uint8_t type;    /* enum il_pixtex */
   uint32_t stride; /* bytes; 0: raw */
};

/* Areas of local and global data lie one after the other in the order of their declarations. */
struct il_declared_area {
   bool declared;
   uint32_t base, size, stride; /* bytes; stride 0: raw */
};

struct il_declared {
   const struct il_program *il;

   uint32_t num_temps;       /* above the highest number that is mentioned */
   const uint32_t **literal; /* by number, four dwords; NULL: not declared */
   uint32_t num_literals;
   const uint32_t **def[3]; /* of c#, i# and b#: the same, but one dword of b# */
   uint32_t num_defs[3];
   const uint32_t *icb; /* the first table of immediate constants */
   uint32_t icb_dwords;
   struct il_declared_array {
      uint32_t size; /* elements; 0: not declared */
      bool indexed;  /* at run time, somewhere */
   } * array;
   uint32_t num_arrays;

   struct il_declared_input input[IL_MAX_INPUTS];
   uint8_t output[IL_MAX_OUTPUTS]; /* components */
   bool outputs_indexed;           /* written at an index at run time */

   struct il_declared_resource resource[IL_MAX_RESOURCES];
   struct il_declared_buffer uav[IL_MAX_UAVS], srv[IL_MAX_SRVS];
   struct il_declared_area lds[IL_MAX_AREAS], gds[IL_MAX_AREAS];
   uint32_t lds_bytes;
   uint32_t gds_bytes; /* counters first, if there are areas and the program has counters */
   uint32_t block[3];  /* threads of a work group; 0: not declared */

   unsigned global_flags; /* enum il_global_flag */
   unsigned hw_stage;     /* enum il_hw_stage */
   uint64_t link_slots;   /* 0: not declared */

   struct {
      unsigned vertices; /* of an input primitive; 0: not declared */
      unsigned input, output, max_vertices, instances;
   } gs;
   struct {
      bool flat;             /* dcl_x_flat_hs */
      unsigned input_points; /* 0: not declared, or as many as the draw has */
      unsigned output_points;
      unsigned domain, partition, output;
      uint32_t max_factor;
   } tess;
};

/* Where memory comes from, and what is told of a declaration that is refused.  If refuse() returns,
 * the declaration is left out. */
struct il_declare_to {
   void *(*alloc)(void *data, size_t bytes); /* zeroed; NULL: out of memory, nothing is read */
   void (*refuse)(void *data, uint32_t inst, const char *what);
   void *data;
};

/** Reads all declarations of a legalised program.
 *  @param counters  il_has_counters() of the program as written */
void il_declare(struct il_declared *d, const struct il_program *il, bool counters,
                const struct il_declare_to *to);

/** Has a program append counters, be it in subroutines that nothing calls? */
bool il_has_counters(const struct il_program *il);

/** The kind of texture that an instruction names: its own word of an indexed one, or declared. */
enum il_pixtex il_texture_type(const struct il_declared *d, const struct il_inst *inst);

/** Calls fn for all that an instruction reads, indices after what they index, with the components
 *  of the register that are wanted, counted before the swizzle is. */
typedef void il_read_fn(const struct il_src *src, unsigned mask, void *data);
void il_visit_reads(const struct il_declared *d, const struct il_inst *inst, il_read_fn *fn,
                    void *data);

/** The components that the swizzle chooses for a mask of these. */
unsigned il_swizzled_mask(const struct il_src *src, unsigned mask);

/** What defines a register c#, i# or b#: its values, or NULL. */
const uint32_t *il_defined(const struct il_declared *d, const struct il_ref *r);

/** The driver constant that a system value is; false: it is none. */
bool il_sysval_constant(unsigned sysval, unsigned *vec4, unsigned *comp);

/** The components that are written, forced ones included. */
static inline unsigned
il_dst_written(const struct il_dst *dst)
{
   unsigned mask = 0;
   for (unsigned c = 0; c < 4; c++)
      mask |= (unsigned)(il_dst_comp(dst, c) != IL_MODCOMP_NOWRITE) << c;
   return mask;
}

/** Does an instruction emit a vertex; does it end a strip; and of which stream? */
bool il_emits(const struct il_inst *inst);
bool il_cuts(const struct il_inst *inst);
unsigned il_stream_of(const struct il_inst *inst);

#endif
