/* SPDX-License-Identifier: MIT */
/*
 * A probe follows one pixel of one surface through all draws that have the surface: which
 * primitives covered it, what each test said, what the pixel was before and after; and it notices
 * each change of the pixel's memory that no fragment made.
 *
 * Without a probe nothing of this runs.  With one, blocks and waves that hold the pixel take the
 * general path of SC and of waves (quads_key without its short cuts), where they are looked at.
 * What is drawn is the same, bit for bit: the scan order, the waves and the tests are.  Draws that
 * would join the one before stay draws of their own, so that a fragment names its draw.
 *
 * Of primitives that no tile ever sees, PA is asked once more, without culling and with scissors
 * that hold the pixel: what then covers it was culled, or lies outside the scissors.
 */
#ifndef ATOLL_PASS_PROBE_H
#define ATOLL_PASS_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb/cb.h"
#include "db/db.h"
#include "memory/target.h"
#include "pa/pa.h"
#include "port/channel.h"
#include "port/draw.h"
#include "port/limits.h"
#include "sc/sc.h"
#include "sx/sx.h"

struct batch;
struct core_wave;
struct kernels;
struct sc_prim;
struct tile;
struct vm;
struct worker;

#define PROBE_BYTES 16u /* of a sample of a pixel: none has more */

/* What became of a fragment. */
#define PROBE_OUTCOMES(X)                                                       \
   X(OPEN, "was not finished: its submission ended before")                     \
   X(WRITTEN, "written")                                                        \
   X(CLIPRECT, "outside the clip rectangles")                                   \
   X(STIPPLE, "left out by the line stipple")                                   \
   X(STENCIL, "rejected by the stencil test")                                   \
   X(DEPTH, "rejected by the depth test")                                       \
   X(DISCARDED, "discarded by the pixel program")                               \
   X(FAULT, "not drawn: the pixel program faulted")                             \
   X(NO_EXPORT, "not drawn: the pixel program exported nothing")                \
   X(ALPHA, "rejected by the alpha test")                                       \
   X(ALPHA_MASK, "left out by alpha to coverage")                               \
   X(SAMPLE_MASK, "left out by the sample mask that the pixel program exports") \
   X(NO_WRITE, "passed all tests; its draw does not write the surface")
enum probe_outcome {
#define X(name, text) PROBE_##name,
   PROBE_OUTCOMES(X)
#undef X
      PROBE_OUTCOME_COUNT,
};

/* What the probed surface is to a draw. */
enum probe_role {
   PROBE_NOTHING,
   PROBE_COLOR, /* colour target `target` */
   PROBE_RESOLVED,
   PROBE_Z,
   PROBE_S,
};

#define PROBE_INPUTS 32u

/* What of a draw's state decides what becomes of a fragment: of its first viewport, and of the
 * probed target. */
struct probe_state {
   uint8_t topology; /* enum topology */
   struct pa_viewport viewport;
   struct sc_rect scissor;
   bool clip, cull_front, cull_back, front_cw, polygons, offsets;
   uint8_t polygon_front, polygon_back; /* enum polygon_mode, where `polygons` says so */
   float offset_scale, offset_units, point_half, line_half;
   uint16_t sample_mask;
   bool z_test, z_write, stencil;
   uint8_t z_func;
   struct db_face face[2];
   struct sx_state sx;
   struct cb_blend blend;
   float blend_color[4];
   uint8_t logic;
   /* Inputs of the pixel program: the vertices' export that each is, and a bit for flat ones. */
   uint8_t num_inputs, param[PROBE_INPUTS];
   uint32_t flat;
};

/* A draw, whether or not it has the surface. */
struct probe_draw {
   uint64_t client;
   uint32_t submission;  /* since the probe began, from 1 on */
   uint32_t number;      /* as of struct core_identity */
   uint64_t primitives;  /* that are asked for */
   uint8_t role, target; /* enum probe_role */
   uint8_t mode;         /* enum pixel_mode */
   bool rasterises;
   bool blends;      /* the target */
   bool in_scissor;  /* the pixel is in some viewport's */
   bool sampled;     /* the sample mask has the sample */
   bool no_color;    /* DB or SX lets none through */
   uint8_t bound;    /* colour targets that are written */
   uint64_t program; /* of pixels: its address, or 0 */
   /* The surfaces that it has; host NULL: none. */
   struct target color[CB_TARGETS], resolve, z, s;
   struct cb_channel channel[CB_TARGETS][4];
   uint8_t write_mask[CB_TARGETS];
   uint8_t z_format;
   struct probe_state state;
};

enum probe_kind {
   PROBE_FRAGMENT,
   PROBE_MISSED, /* primitives of a draw that cover the pixel and were culled or scissored */
   PROBE_CHANGE, /* of memory, that no fragment made */
};

enum probe_cause {
   PROBE_CPU,    /* since the submission before */
   PROBE_PACKET, /* `at`: the packet's dword, `header` */
   PROBE_DMA,    /* the submission of the DMA ring */
   PROBE_CLEAR,  /* a fast clear is written out before the draw */
};

/* In the order in which they came about. */
struct probe_event {
   uint8_t kind;                                    /* enum probe_kind */
   uint32_t submission, draw;                       /* CHANGE: draws before it, in the submission */
   uint8_t before[PROBE_BYTES], after[PROBE_BYTES]; /* the sample's memory */
   union {
      struct {
         uint32_t round, primitive, wave;
         uint32_t batch, vertex[3]; /* of the primitive's vertices, in their batch */
         uint16_t tile_x, tile_y;
         uint8_t lane;
         uint8_t outcome; /* enum probe_outcome */
         bool front, line, point;
         bool ran;    /* the pixel program ran for it: wave and lane are set */
         bool tested; /* z, and depth and stencil before and after, are set */
         bool exported;
         bool has_z, has_s;
         float z;
         uint32_t z_before, z_after;
         uint8_t s_before, s_after;
         uint32_t color[4];          /* what the program exported to the target */
         const struct sc_prim *prim; /* of the pass at hand */
      } fragment;
      struct {
         uint32_t culled, scissored;             /* primitives */
         uint32_t first_culled, first_scissored; /* their numbers */
      } missed;
      struct {
         uint8_t cause; /* enum probe_cause */
         uint32_t at, header;
      } change;
   };
};

#define PROBE_EVENTS_MAX (1u << 20)
#define PROBE_DRAWS_MAX  (1u << 18)

struct probe {
   /* What is followed: sample `sample` of pixel (x, y) of `layer` of a surface of client
    * `surface_client`'s (see probe_follow()).  `armed` false: nothing, draws are listed alone. */
   bool armed;
   struct target surface;
   uint64_t surface_client;
   uint32_t x, y, layer, sample;

   uint64_t client; /* of the submission that runs */

   /* Is told of each packet of the graphics ring, which is whole, before it runs; NULL: nothing
    * is. */
   void (*packet)(void *data, uint32_t submission, uint32_t at, const uint32_t *words);
   void *data;

   struct probe_draw *draws;
   struct probe_event *events;
   size_t num_draws, max_draws, num_events, max_events;
   uint64_t lost; /* draws and events for which there was no room */

   /* What is under way. */
   uint64_t pixel_va; /* of the sample */
   uint32_t bytes;
   bool knows;
   uint8_t known[PROBE_BYTES]; /* the memory as it was last seen */
   size_t current;             /* event of the block at hand, or SIZE_MAX */
   size_t open;                /* the first event that may be a fragment under way */
   uint32_t submission, draw;  /* the newest */
};

/** "rejected by the depth test" and so on. */
const char *probe_outcome_text(unsigned outcome);

/** Whether two are one surface: of the same memory and layout, whichever layers are seen. */
bool probe_same(const struct target *a, const struct target *b);

/** Forgets what it has seen, and follows a sample from here on.  False: the surface does not have
 *  it. */
bool probe_follow(struct probe *p, uint64_t client, const struct target *surface, uint32_t x,
                  uint32_t y, uint32_t layer, uint32_t sample);

/** Forgets what it has seen, and frees it. */
void probe_finish(struct probe *p);

/* A draw was added to the pass.  Whether it has the surface. */
bool probe_draw(struct probe *p, const struct draw_state *s);

/* The memory before packet `at` of a submission, or at another point: what changed since the last
 * look has this cause. */
void probe_memory(struct probe *p, const struct vm *vm, enum probe_cause cause, uint32_t at,
                  uint32_t header);

/* Runs the front end of a batch again, on a worker that is idle; see above. */
void probe_missed(struct probe *p, const struct kernels *kernels, struct worker *worker,
                  const struct draw_state *s, const struct batch *batch);

/* The pixel of a lane. */
struct probe_pixel {
   int32_t x, y;
   uint32_t layer, primitive;
   bool front, line, point;
};
/** Of a wave of pixels that runs.  False: the wave has no such lane, or stands for all pixels. */
bool probe_pixel(const struct core_wave *wave, unsigned lane, struct probe_pixel *pixel);

/* ---- For tiles ---- */

/* A draw begins in a tile: the probe, if the pixel lies there; the draw's key is made general. */
struct probe *probe_begin(struct tile *t);

/* After a step of a block; what is left of its lanes, row-major, by sample. */
enum probe_step {
   PROBE_COVERED,
   PROBE_CLIPPED,
   PROBE_TESTED,
   PROBE_FINISHED, /* or, with PIXEL_PACK, joined a wave */
};
void probe_block(struct tile *t, enum probe_step step, const struct sc_prim *prim, int32_t x,
                 int32_t y, const uint64_t *samples);

/* After a step of a wave: what is left of lanes `among`. */
enum probe_wave_step {
   PROBE_RAN,
   PROBE_ALPHA_TESTED,
   PROBE_ALPHA_MASKED,
   PROBE_SAMPLE_MASKED,
   PROBE_TESTS, /* are about to begin */
   PROBE_TESTED_LATE,
   PROBE_COLORS, /* are about to be written */
   PROBE_COLORED,
};
void probe_wave(struct tile *t, enum probe_wave_step step, uint64_t among, uint64_t lanes);

/* The tile's probe, if it follows one of samples [first, end). */
static inline struct probe *
probe_among(struct probe *p, unsigned first, unsigned end)
{
   return p && p->sample >= first && p->sample < end ? p : NULL;
}

#endif
