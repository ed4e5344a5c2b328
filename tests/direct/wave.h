/* SPDX-License-Identifier: MIT */
/*
 * One wave of a program and what it is bound to: what the stages of a comparison share.
 */
#ifndef DIRECT_WAVE_H
#define DIRECT_WAVE_H

#include "case.h"

#include <stddef.h>

#include "compiler/cayman/cayman_compile.h"
#include "core/share.h"
#include "direct/direct.h"
#include "il/conventions.h"
#include "isa/cayman/cayman.h"
#include "kernel.h"
#include "port/rat.h"
#include "sq/sq.h"

#define MAX_VTX       1024
#define MAX_TEX       1024
#define MAX_CONST     4096
#define SCRATCH_BYTES 8192u
#define MAX_SCRATCH   65536u
#define MAX_ICB       172u /* vectors: ATTILA has all its literals there */
#define WAVE_UAVS     3    /* UAVs 0 to 2, and the stream EXPORT_STREAM, which is UAV 1 again */
#define STREAM_UAV    1
#define GDS_DWORDS    2048
#define IMAGE_DWORDS  2048 /* of the largest image */
#define DIRECT_ROWS   6000 /* of the largest program that is made here */

/* What a wave can write besides its outputs. */
struct wave_memory {
   uint32_t uav[WAVE_UAVS][UAV_DWORDS + 4], returns[WAVE_UAVS][WAVE_LANES + 4];
   uint32_t gds[GDS_DWORDS];
};

struct wave_run {
   const struct kernels *kernels;
   enum isa_id isa;
   const struct sq_program *program; /* Cayman's, and what runs directly */
   struct sq_program *lifted;        /* the program, if it is machine code */
   struct core_wave wave;
   struct sq_bind bind;
   struct core_entry entry;
   struct core_outputs *outputs;
   struct spi_coef coef[64][4];
   uint32_t consts[MAX_CONST];
   struct td_vtx_bind vtx[MAX_VTX];
   struct td_tex_bind tex[MAX_TEX];
   struct machine_views *views;
   struct cayman_tables tables; /* the same */
   const struct views *from;
   uint32_t image_returns[MACHINE_IMAGES][WAVE_LANES * 4 + 4];
   uint32_t buffer[NUM_CONSTS * 4 + 4], driver[(IL_DRV_SIZE + MAX_ICB) * 4 + 4];
   struct wave_memory *memory;
   struct rat rats[RATS];
   uint32_t append[SQ_APPEND_COUNTERS], ordered_count;
   const uint32_t *ring; /* what a geometry shader fetches its vertices from */
   uint32_t ring_bytes;
   struct elements ring_desc[MAX_VTX];
};

/** The registers and everything else of the direct program; NULL: `error` says why not. */
struct wave_run *wave_direct(const struct il_program *il, uint32_t modes, const struct inputs *in,
                             struct direct_program *direct, char *error, size_t size);
/** The same of machine code, for a stage; `flags` are the case's.  Constants that the program takes
 *  are those of `driver` at once where the instruction set has them in a table. */
struct wave_run *wave_compiled(const struct shader_code *shader, enum core_stage stage,
                               uint32_t modes, unsigned flags, const struct inputs *in, char *error,
                               size_t size);
/** The entry registers of the wave that was made last on this side, all zero. */
wave_lane (*wave_file(bool direct))[4];
/** Gives a value (enum core_value) to the wave if it takes it; nothing on Cayman: its stages write
 *  entry registers. */
void wave_value(struct wave_run *w, unsigned value, const wave_lane v);
void wave_value_all(struct wave_run *w, unsigned value, uint32_t v);
#define WAVE_ALL_LOADED 128

/** Runs it with `loaded` entry registers; false: `error` says how it faulted. */
bool wave_go(struct wave_run *w, bool direct, unsigned loaded, char *error, size_t size);
void wave_finish(struct wave_run *w);
/** Changes a dword of the driver's constants. */
void wave_driver(struct wave_run *w, unsigned dword, uint32_t v);

void set_row(wave_lane (*gpr)[4], int row, unsigned chan, const wave_lane v);
void set_all(wave_lane (*gpr)[4], int row, unsigned chan, uint32_t v);

/** One output's components of `mask`, in `lanes`. */
bool compare_output(unsigned reg, unsigned mask, const wave_lane direct[4],
                    const wave_lane compiled[4], uint64_t lanes, const struct shader_bound *bound,
                    char *error, size_t size);
/** The bound of output n of a program; `first` is its first one. */
static inline const struct shader_bound *
bound_of(const struct inputs *in, unsigned n, unsigned first)
{
   static const struct shader_bound exact;
   return n == first + ROUGH_OUTPUT ? &in->bound : &exact;
}
/** A UAV as the program executed directly left it. */
const uint32_t *wave_uav(unsigned n);
/** o# of the pixel program that was run last, executed directly. */
const wave_lane *wave_pixel(unsigned n);
/** What the program executed directly and the compiled one left in memory. */
bool compare_memory(char *error, size_t size);
/** Images after the run. */
bool compare_images(const struct views *v, uint32_t (*direct)[IMAGE_DWORDS],
                    uint32_t (*compiled)[IMAGE_DWORDS], char *error, size_t size);
/** All that a vertex, domain or pixel shader exports. */
bool compare_outputs(const struct direct_program *direct, wave_lane (*gpr)[4],
                     const struct core_outputs *e, const struct shader_code *shader, uint64_t lanes,
                     const struct inputs *in, char *error, size_t size);

/** A program of any stage but compute. */
enum outcome run_waves(const struct il_program *il, const struct shader_code *shader,
                       uint32_t modes, const struct inputs *in, unsigned flags, char *error,
                       size_t size);
/** Of those: geometry, hull and domain shaders (stages.c). */
enum outcome run_stages(const struct il_program *il, const struct shader_code *shader,
                        uint32_t modes, const struct inputs *in, unsigned flags, char *error,
                        size_t size);

/* --- Valhall and ATTILA (wave_valhall.c, wave_attila.c): all but what is common --- */

/** Lifts and binds the program; `wave` and everything else of the run stands already.  False:
 *  `error` says why not. */
bool wave_valhall(struct wave_run *w, const struct shader_code *shader, enum core_stage stage,
                  bool interpret, const struct inputs *in, char *error, size_t size);
bool wave_attila(struct wave_run *w, const struct shader_code *shader, enum core_stage stage,
                 bool interpret, const struct inputs *in, char *error, size_t size);
/** Right before and after the run. */
void wave_valhall_begin(struct wave_run *w);
void wave_valhall_end(struct wave_run *w);
void wave_valhall_finish(void);
void wave_attila_begin(struct wave_run *w);
void wave_attila_finish(void);
struct machine;
/** The groups of a compute program: buffers, constants and sizes are the machine's. */
bool groups_valhall(struct machine *m, const struct shader_code *shader, bool interpret,
                    char *error, size_t size);

#endif
