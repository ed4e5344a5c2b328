/* SPDX-License-Identifier: MIT */
/*
 * Valhall programs on the shader core: lifted once onto SQ's micro-operations, run 64 lanes wide.
 * They run in two surroundings: a tool's, where memory and tables of resources are as a Mali's, and
 * the device's, where registers describe them (docs/valhall-chip.rst).
 *
 * A wave is four warps of 16 lanes.  Every lane has a PC.  A step runs the lanes with the least PC,
 * which reconverges where control meets, since loops close backwards.  Messages finish when they
 * are issued, so waiting on a slot takes no time (the validator finds waits that are missing).
 */
#ifndef ATOLL_VALHALL_H
#define ATOLL_VALHALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/core.h"
#include "kernel.h"
#include "bind/attribute.h"
#include "port/fetch.h"

/* Rows of a wave's storage: the 64 registers and what lies after them. */
#define VH_REGISTERS 64
#define VH_ROWS      132

/* Memory that a program sees.  What is not mapped reads as zero and swallows writes; both give the
 * number of bytes that are mapped. */
struct vh_memory {
   void *context;
   uint64_t (*read)(void *context, uint64_t va, void *data, uint64_t size);
   uint64_t (*write)(void *context, uint64_t va, const void *data, uint64_t size);
};

/* What float arithmetic does with denormals, by the number that a shader's descriptor has for it.
 * They are replaced by zeros of their sign, as operands and as results. */
enum vh_flush {
   VH_FLUSH_NONE,
   VH_FLUSH_FLOATS, /* DX11: floats, and not halves */
   VH_FLUSH_ALL,
};

/* What lifting depends on. */
struct vh_source {
   const uint64_t *words;
   size_t count;
   uint64_t address; /* of the first word, for program_counter */
   unsigned flush;   /* enum vh_flush; others are refused */
   bool interpret;   /* make no machine code */
   bool open;        /* other words may follow the program, which are not looked at */
   /* The device's surroundings: the stage, and its attribute descriptors, eight dwords each. */
   bool device;
   bool mali;       /* of the device's: as a Mali's, see SOURCE_MALI */
   uint32_t second; /* word at which the program of varyings begins; 0: there is none */
   enum core_stage stage;
   const uint32_t *attributes;
   size_t num_attributes;
   /* What pixel programs call: eight addresses (their lower words), of the blend program of each
    * colour target or 0, followed by these programs. */
   const uint64_t *blend_words;
   size_t num_blend_words;
   uint64_t blend_address; /* of the first */
};

/* ---- The device's surroundings ---- */

/* LD_BUFFER of a known offset: it becomes a uniform value. */
struct vh_const_ref {
   uint8_t buffer;
   uint32_t byte;
};

/* A texture instruction: descriptor slots within its stage. */
#define VH_NO_SAMPLER UINT32_MAX
struct vh_tex_ref {
   uint32_t resource, sampler;
   struct td_lookup lookup;
};

#define VH_TEXTURES 18u /* resource of a stage that texture 0 is */
#define VH_CONSTS   1024u
#define VH_BUFFERS  17u /* constant buffers of a stage */

/* What a program of the device reads and writes, for the binder. */
struct vh_reads {
   const struct vh_const_ref *consts;
   const struct attribute *vtx;
   const struct vh_tex_ref *tex;
   uint32_t num_consts, num_vtx, num_tex;
   uint32_t buffers; /* constant buffers it reads; bit n: buffer n */
   bool descriptors; /* it chooses textures or attributes as it runs, or reads their records */
   bool images;      /* tables 5 and 6 */
   bool addresses;   /* it loads from addresses of memory */
   bool gds;
};

/** NULL: it was lifted for other surroundings. */
const struct vh_reads *vh_reads(const struct core_program *program);
/** Bytes that it holds, machine code included. */
size_t vh_program_bytes(const struct core_program *program);

struct rat;
struct td_views;
struct vm;

struct vh_buffer {
   const uint32_t *base; /* host address; NULL: nothing is there */
   uint32_t bytes;
};

/* What the tables and windows of the device describe. */
struct vh_device {
   uint32_t *table; /* of uniform values; vh_fill_table() */
   bool (*in_texels)(const struct td_views *views, uint32_t sampler); /* struct source_ops' */
   bool has_uniforms;
   struct vh_buffer uniforms; /* where the first of them are, instead of in constant buffers */
   struct vh_buffer constants[VH_BUFFERS];
   const struct td_vtx_bind *vtx;         /* [reads->num_vtx] */
   const struct td_tex_bind *tex;         /* [reads->num_tex] */
   const struct td_vtx_bind *tex_buffers; /* the same as buffers; run is NULL of what is none */
   const struct vm *vm;
   /* For descriptors that are chosen as the program runs; NULL: none. */
   const struct td_views *views;
   const uint32_t *attributes; /* [num_attributes * 8] */
   uint32_t num_attributes;
   uint32_t base_vertex, start_instance;
   const struct rat *rats; /* [RATS], or NULL */
   uint8_t *gds;
   uint32_t gds_bytes;
   const uint32_t *ring; /* that a geometry or copy program reads */
   uint64_t ring_bytes;
   uint32_t factor_bytes; /* of a patch */
   bool sprite_top;       /* t of the point coordinate grows upwards */
};

/** Dwords of a program's table of uniform values. */
uint32_t vh_table_dwords(const struct core_program *program);
struct vh_bind;
/** Fills bind->device->table from its constants: once a draw. */
void vh_fill_table(const struct vh_bind *bind);

/** Binds textures that are known by their numbers: `tex` and `buffers` are the device's [num_tex].
 */
void vh_bind_textures(const struct kernels *kernels, const struct vh_reads *reads,
                      const struct td_views *views, const struct vh_device *device,
                      struct td_tex_bind *tex, struct td_vtx_bind *buffers);

/* Everything that a wave reads besides its registers.  An instruction of a wave takes a cycle for
 * each of its lanes. */
struct vh_bind {
   struct core_bind core; /* first */
   struct vh_memory memory;
   const uint32_t *uniforms; /* FAU words */
   uint32_t num_uniforms;    /* of them; those beyond read as zero */
   uint64_t resources;       /* table of resource tables, 16 bytes each */
   uint32_t num_tables;
   /* Addresses at which a wave finds its lanes' scratch, and its group's LDS; where there is none,
    * what the memory has there. */
   uint64_t thread_storage; /* of lane 0 of the group's wave 0; lanes follow each other */
   uint64_t workgroup_storage;
   uint32_t special_0[16][2]; /* words of the special values of page 0 */
   struct vh_device *device; /* NULL: a tool's surroundings; else of the above only `core` counts */
};

/* The executor of a kernel build. */
struct vh_kernels {
   /* Lifts a program and binds it; NULL: no memory. */
   struct core_program *(*lift)(const struct vh_source *source);
   void (*free)(struct core_program *program);
};

extern const struct vh_kernels vh_kernels_sse2, vh_kernels_avx2, vh_kernels_avx512;

/* Those of a build. */
const struct vh_kernels *vh_kernels_of(const struct kernels *kernels);

#endif
