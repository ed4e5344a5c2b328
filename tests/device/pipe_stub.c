/* SPDX-License-Identifier: MIT */
/* The functions of chip/cayman/draw.h and pass/pass.h that a pipe which draws nothing needs; see
 * pipe_stub.h. */
#include "pipe_stub.h"

#include <atoll/device.h>

#include "pass/next_draw.h"
#include "pass/probe.h"
#include "pass/programs.h"
#include "sanitize/sanitize.h"

#include <string.h>
#include <unistd.h>

struct pipe_stub pipe_stub;

static const struct kernels no_kernels = { .name = "none" };

const struct kernels *
kernels_choose(void)
{
   return &no_kernels;
}

/* Cayman alone, whatever it would bind. */
const struct binder *
binder_of(unsigned isa)
{
   static const struct binder none = { 0 };

   return isa == ATOLL_ISA_CAYMAN ? &none : NULL;
}

struct gfx *
gfx_create(const struct gfx_options *options)
{
   (void)options;
   return (struct gfx *)&pipe_stub;
}

void
gfx_destroy(struct gfx *gfx)
{
   (void)gfx;
}

struct probe *
gfx_probe(const struct gfx *gfx)
{
   (void)gfx;
   return NULL;
}

void
gfx_abandon(struct gfx *g)
{
}

void
gfx_set_observer(struct gfx *gfx, const struct core_observer *observer)
{
   (void)gfx;
   (void)observer;
}

bool
probe_pixel(const struct core_wave *wave, unsigned lane, struct probe_pixel *pixel)
{
   (void)wave;
   (void)lane;
   (void)pixel;
   return false;
}

/* No program runs that it could look at. */
struct sanitizer *
sanitizer_from_environment(bool (*pixel)(const struct core_wave *wave, unsigned lane,
                                         int32_t at[2]))
{
   (void)pixel;
   return NULL;
}

const struct core_observer *
sanitizer_observer(const struct sanitizer *s)
{
   (void)s;
   return NULL;
}

void
sanitizer_destroy(struct sanitizer *s)
{
   (void)s;
}

void
sanitizer_order(struct sanitizer *s, uint32_t submission, uint32_t number, uint32_t order)
{
   (void)s, (void)submission, (void)number, (void)order;
}

bool
sanitizer_read(struct sanitizer *s, size_t n, char *text, size_t size, uint8_t *kind)
{
   (void)s, (void)n, (void)text, (void)size, (void)kind;
   return false;
}

uint32_t
gfx_next_draw(const struct gfx *gfx, uint32_t *submission)
{
   (void)gfx;
   *submission = 0;
   return 0;
}

bool
gfx_was_abandoned(const struct gfx *gfx)
{
   (void)gfx;
   return false;
}

void
probe_memory(struct probe *p, const struct vm *vm, enum probe_cause cause, uint32_t at,
             uint32_t header)
{
   (void)p;
   (void)vm;
   (void)cause;
   (void)at;
   (void)header;
}

void
cayman_draw(struct cayman_decoded *decoded, struct gfx *gfx, const struct cayman_draw *draw)
{
   struct pipe_stub *stub = (struct pipe_stub *)gfx;
   unsigned n;

   (void)decoded;
   n = stub->num_draws++ % PIPE_STUB_DRAWS;

   stub->draws[n] = *draw;
   stub->dirty[n] = draw->regs->dirty;
   stub->prim_type[n] = reg(draw->regs, R_VGT_PRIMITIVE_TYPE);
   stub->index_offset[n] = reg(draw->regs, R_VGT_INDX_OFFSET);
   draw->regs->dirty = 0;
   if (draw->immediate) {
      uint32_t words = draw->index_bytes == 4 ? draw->count : (draw->count + 1) / 2;

      memcpy(stub->immediate[n], draw->immediate, 4 * (words < 8 ? words : 8));
   }
   if (stub->draw_us)
      usleep(stub->draw_us);
}

void
cayman_dispatch(struct gfx *gfx, const struct cayman_dispatch *dispatch)
{
   struct pipe_stub *stub = (struct pipe_stub *)gfx;

   stub->dispatches[stub->num_dispatches++ % PIPE_STUB_DRAWS] = *dispatch;
}

void
gfx_set_share(struct gfx *gfx, uint8_t *gds, uint32_t bytes, struct core_gws *gws)
{
   struct pipe_stub *stub = (struct pipe_stub *)gfx;

   stub->gds = gds;
   stub->gds_bytes = bytes;
   (void)gws;
}

void
gfx_begin(struct gfx *gfx, const struct gfx_limits *limits)
{
   (void)gfx;
   (void)limits;
}

bool
gfx_spend(struct gfx *gfx, uint64_t cycles)
{
   (void)gfx;
   (void)cycles;
   return true;
}

bool
gfx_affords(const struct gfx *gfx, uint64_t cycles)
{
   (void)gfx;
   (void)cycles;
   return true;
}

const char *
gfx_was_cut(const struct gfx *gfx)
{
   (void)gfx;
   return NULL;
}

void
gfx_end(struct gfx *gfx)
{
   (void)gfx;
}

void
gfx_flush(struct gfx *gfx)
{
   ((struct pipe_stub *)gfx)->flushes++;
}

const struct gfx_counters *
gfx_counters(const struct gfx *gfx)
{
   return &((const struct pipe_stub *)gfx)->counters;
}

uint32_t
gfx_stream_offset(struct gfx *gfx, unsigned buffer)
{
   return ((struct pipe_stub *)gfx)->stream_offset[buffer & 3];
}

void
gfx_set_stream_offset(struct gfx *gfx, unsigned buffer, uint32_t dwords)
{
   ((struct pipe_stub *)gfx)->stream_offset[buffer & 3] = dwords;
}
