/* SPDX-License-Identifier: MIT */
/*
 * Runs the threads of a compute program of Cayman or of a five-slot chip, or of IL as it is, for
 * atoll-run.  The thread in its group is in R0.xyz, the group in R1.xyz; machine.h says where
 * buffers are.
 */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atoll/cayman/descriptors.h"
#include "atoll/cayman/enums.h"
#include "chip/chip.h"
#include "compiler/cayman/cayman_compile.h"
#include "core/workgroup.h"
#include "direct/direct.h"
#include "isa/cayman/cayman.h"
#include "kernel.h"
#include "port/rat.h"
#include "sq/sq.h"

#define SCRATCH_BYTES 4096u
#define GDS_BYTES     65536u
#define RETURN_DWORDS (CORE_GROUP_THREADS * 4)

struct state {
   struct machine *m;
   const struct kernels *kernels;
   struct sq_program *program;
   struct direct_program direct;
   unsigned rows; /* of a wave's registers */
   struct sq_bind bind;
   struct rat rats[RATS];
   uint32_t *returns[MACHINE_BUFFERS]; /* what RAT operations return */
   struct td_vtx_bind *vtx;
   struct td_tex_bind *tex;
   struct machine_views views;
   struct cayman_tables tables; /* the same */
   uint32_t *consts;
   uint8_t *gds;
   uint32_t append[SQ_APPEND_COUNTERS], ordered_count;
   struct core_gws gws[CORE_GWS];
   wave_lane (*shared)[4]; /* registers, of IL that runs directly */
};

static bool
say(char *error, size_t size, const char *text)
{
   snprintf(error, size, "%s", text);
   return false;
}

static void *
zeroed(size_t bytes)
{
   void *p = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
   if (p)
      memset(p, 0, bytes);
   return p;
}

/* The program, from machine code or from IL. */
static bool
lift(struct state *s, char *error, size_t size)
{
   struct machine *m = s->m;
   struct sq_program_source source = {
      .vliw = cayman_vliw_of(isa_at(m->isa)->name),
      .stage = SQ_STAGE_CS,
      .words = m->words,
      .num_words = m->num_dwords,
      .pgm_resources = (m->num_gprs & 255) | (m->stack_entries & 255) << 8 | 1u << 21,
   };

   s->rows = CORE_WAVE_ROWS;
   if (m->direct) {
      if (!direct_lift(s->kernels, m->direct, 0, &s->direct, error, size))
         return false;
      s->program = s->direct.program;
      s->rows = 4 * s->direct.num_rows;
      return true;
   }
   s->program = s->kernels->sq_lift(&source);
   if (!s->program)
      return say(error, size, "no memory");
   return !s->program->core.error || say(error, size, s->program->core.error);
}

/* The memory and stride in bytes of a resource, or nothing. */
static struct machine_buffer
resource(const struct state *s, unsigned n, unsigned *stride)
{
   if (s->m->llvm) {
      *stride = 1;
      return n == 1   ? s->m->llvm->memory
             : n == 2 ? s->m->llvm->text
             : n == 3 ? s->m->constant[0]
                      : (struct machine_buffer){ NULL, 0 };
   }
   *stride = 4;
   if (n < MACHINE_CONSTANTS) {
      *stride = 16;
      return s->m->constant[n];
   }
   if (n >= CAYMAN_RESOURCE_TEXTURE && n < CAYMAN_RESOURCE_TEXTURE + MACHINE_BUFFERS)
      return s->m->buffer[n - CAYMAN_RESOURCE_TEXTURE];
   if (n >= CAYMAN_RESOURCE_UAV && n < CAYMAN_RESOURCE_UAV + MACHINE_BUFFERS)
      return s->m->buffer[n - CAYMAN_RESOURCE_UAV];
   if (n >= CAYMAN_RESOURCE_UAV_RETURN && n < CAYMAN_RESOURCE_UAV_RETURN + MACHINE_BUFFERS) {
      return (struct machine_buffer){ s->returns[n - CAYMAN_RESOURCE_UAV_RETURN],
                                      RETURN_DWORDS - MACHINE_PADDING };
   }
   return (struct machine_buffer){ NULL, 0 };
}

/* What stands for a resource on the command line. */
static bool
no_resource(unsigned n, char *error, size_t size)
{
   static const struct {
      unsigned first, count;
      const char *what, *option;
   } kinds[] = {
      { 0, MACHINE_CONSTANTS, "constant buffer", "--const" },
      { CAYMAN_RESOURCE_TEXTURE, MACHINE_BUFFERS, "read-only buffer", "--buffer or --texture" },
      { CAYMAN_RESOURCE_UAV, MACHINE_BUFFERS, "buffer", "--buffer" },
      { CAYMAN_RESOURCE_UAV_RETURN, MACHINE_BUFFERS, "what is returned of UAV", "--buffer" },
   };

   for (unsigned i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
      if (n - kinds[i].first < kinds[i].count) {
         snprintf(error, size,
                  "the program fetches from resource %u, %s %u, which is not given (%s)", n,
                  kinds[i].what, n - kinds[i].first, kinds[i].option);
         return false;
      }
   }
   snprintf(error, size, "the program fetches from resource %u, and there is none", n);
   return false;
}

static bool
bind_fetch(struct state *s, const struct sq_vtx_ref *ref, struct td_vtx_bind *bind, char *error,
           size_t size)
{
   unsigned stride, target = ref->resource - CAYMAN_RESOURCE_UAV_RETURN;
   const uint32_t *view = machine_views_words(&s->views, ref->resource);
   struct machine_buffer b = resource(s, ref->resource, &stride);
   uint32_t words[8] = { 0 };
   struct elements buffer;
   if (view) {
      const bool there = cayman_decode_buffer(&buffer, view, s->views.vm);

      td_bind_fetch(s->kernels, bind, &ref->fetch, there ? &buffer : NULL, 0);
      return true;
   }
   if (!b.words && !ref->indexed && s->m->demands_resources)
      return s->m->llvm ? say(error, size,
                              "the program fetches from a resource that LLVM's kernels "
                              "do not have")
                        : no_resource(ref->resource, error, size);
   if (b.words) {
      words[2] = REG_FIELD(BUF_WORD2, STRIDE, stride) |
                 REG_FIELD(BUF_WORD2, DATA_FORMAT,
                           stride == 16 ? CAYMAN_FMT_32_32_32_32_FLOAT : CAYMAN_FMT_32) |
                 REG_FIELD(BUF_WORD2, NUM_FORMAT_ALL, CAYMAN_NUM_FORMAT_INT);
      words[3] = REG_FIELD(BUF_WORD3, DST_SEL_Y, 1) | REG_FIELD(BUF_WORD3, DST_SEL_Z, 2) |
                 REG_FIELD(BUF_WORD3, DST_SEL_W, 3);
      words[7] = REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER);
      if (target < MACHINE_IMAGES && s->m->image[target].there) {
         memcpy(words, s->views.returned[target], sizeof(words));
         stride = REG_FIELD_GET(words[2], BUF_WORD2, STRIDE);
      }
      words[1] = 4 * b.count - 1;
      words[4] = 4 * b.count / stride;
   }

   const bool there = cayman_decode_buffer(&buffer, words, NULL);

   /* A fetch of four dwords may start at the last one: MACHINE_PADDING follows it. */
   buffer.ring = b.words;
   buffer.ring_bytes = 4 * ((uint64_t)b.count + MACHINE_PADDING);
   td_bind_fetch(s->kernels, bind, &ref->fetch, there ? &buffer : NULL, 0);
   return true;
}

/* What the texture unit and fetches at an index find; false: a texture that is not there. */
static bool
bind_textures(struct state *s, char *error, size_t size)
{
   const struct sq_program *p = s->program;

   for (uint32_t i = 0; i < p->num_tex; i++) {
      const struct sq_tex_ref *ref = &p->tex[i];
      const unsigned m = ref->sampler;
      const struct cayman_view view = {
         .resource = machine_views_words(&s->views, ref->resource),
         .sampler = m < MACHINE_SAMPLERS ? s->views.sampler[m] : NULL,
         .border = m < MACHINE_SAMPLERS ? &s->views.border[m] : NULL,
         .vm = s->views.vm,
         .pipes = chips[CHIP_CAYMAN].pipes,
      };
      if (!ref->indexed && !view.resource) {
         const bool image = ref->resource >= CAYMAN_RESOURCE_UAV;

         snprintf(error, size, "the program reads %s %u, which is not given",
                  image ? "image" : "texture",
                  ref->resource - (image ? CAYMAN_RESOURCE_UAV : CAYMAN_RESOURCE_TEXTURE));
         return false;
      }
      cayman_bind_tex(s->kernels, &s->tex[i], &ref->lookup, &view);
   }
   for (uint32_t i = 0; i < p->num_vtx; i++) {
      unsigned n = p->vtx[i].resource - CAYMAN_RESOURCE_TEXTURE;
      if (p->vtx[i].indexed && n >= MACHINE_TEXTURES)
         return say(error, size, "not implemented: a buffer chosen as the program runs");
      if (!bind_fetch(s, &p->vtx[i], &s->vtx[i], error, size))
         return false;
   }
   s->bind.tex = s->tex;
   s->bind.vtx = s->vtx;
   s->tables = machine_views_tables(&s->views);
   s->bind.views = &s->tables.views;
   s->bind.vm = s->views.vm;
   return true;
}

/* Targets: buffers of dwords, or images. */
static void
bind_rats(struct state *s)
{
   for (unsigned i = 0; i < MACHINE_BUFFERS; i++) {
      const struct machine_llvm *llvm = s->m->llvm;
      const struct machine_buffer none = { NULL, 0 }, *b = !llvm ? &s->m->buffer[i]
                                                           : i   ? &none
                                                                 : &llvm->memory;
      if (s->m->image[i].there) {
         machine_views_rat(&s->views, &s->m->image[i], i, &s->rats[i]);
      } else {
         s->rats[i] = (struct rat){
            .base = (uint8_t *)b->words,
            .kind = RAT_KIND_BUFFER,
            .bytes = 4,
            .width = b->count,
            .height = 1,
            .layers = 1,
            .row_bytes = 4 * (uint64_t)b->count,
            .slice_bytes = 4 * (uint64_t)b->count,
            .channel = { { .bits = 32, .type = NUMERIC_UINT } },
         };
      }
      s->rats[i].returns = (uint8_t *)s->returns[i];
      s->rats[i].return_bytes = s->returns[i] ? 4 * (uint64_t)RETURN_DWORDS : 0;
   }
}

_Static_assert(MACHINE_IMAGES == MACHINE_BUFFERS, "UAV n is an image or a buffer");
_Static_assert(CAYMAN_RESOURCE_TEXTURE == DIRECT_RESOURCE_TEXTURE &&
                  CAYMAN_RESOURCE_UAV_RETURN == DIRECT_RESOURCE_RETURN,
               "compiled code and IL find the same resources");

/* The thread in its group in R0, the group in R1. */
static const struct core_entry entry = {
   .place = { [CORE_THREAD] = 1,
              [CORE_THREAD + 1] = 2,
              [CORE_THREAD + 2] = 3,
              [CORE_GROUP] = 5,
              [CORE_GROUP + 1] = 6,
              [CORE_GROUP + 2] = 7 },
   .filled = { 0x77 },
};

static bool
prepare(struct state *s, char *error, size_t size)
{
   struct machine *m = s->m;
   s->kernels = kernels_choose();
   if (!lift(s, error, size))
      return false;
   if (s->program->uses_scatter)
      return say(error, size, "the program uses a scatter buffer, and there is none");
   if (!machine_views_init(&s->views, m->texture, m->sampler, m->image))
      return say(error, size, "no memory for the textures, or more than 256 MB of them");
   s->vtx = calloc(s->program->num_vtx + 1, sizeof(*s->vtx));
   s->tex = calloc(s->program->num_tex + 1, sizeof(*s->tex));
   s->consts = calloc(s->program->num_consts + 1, sizeof(*s->consts));
   s->gds = s->program->uses_gds ? zeroed(GDS_BYTES) : NULL;
   bool ok = s->vtx && s->tex && s->consts;
   if (m->direct) {
      s->shared = zeroed(SQ_SHARED * sizeof(*s->shared));
      ok = ok && s->shared;
   }
   for (unsigned i = 0; i < MACHINE_BUFFERS; i++) {
      if ((m->buffer[i].words || m->image[i].there) && s->program->rats >> i & 1) {
         s->returns[i] = zeroed(4 * (size_t)RETURN_DWORDS);
         ok = ok && s->returns[i];
      }
   }
   if (!ok)
      return say(error, size, "no memory");

   bind_rats(s);
   for (unsigned i = 0; i < MACHINE_CONSTANTS; i++)
      s->bind.kcache[i] = (struct sq_kcache){ m->constant[i].words, 4 * m->constant[i].count };
   for (uint32_t i = 0; i < s->program->num_consts; i++) {
      const struct sq_const_ref *c = &s->program->consts[i];
      const struct machine_buffer *b = &m->constant[c->bank < MACHINE_CONSTANTS ? c->bank : 0];
      s->consts[i] = c->dword < b->count ? b->words[c->dword] : 0;
   }
   s->bind.core.program = &s->program->core;
   s->bind.core.entry = &entry;
   s->bind.consts = s->consts;
   s->bind.rats = s->rats;
   s->bind.gds = s->gds;
   s->bind.gds_bytes = s->gds ? GDS_BYTES : 0;
   s->bind.append = s->append;
   s->bind.ordered_count = &s->ordered_count;
   s->bind.gws = s->gws;
   s->bind.shared = s->shared;
   s->bind.core.scratch_bytes = s->program->core.uses_scratch ? SCRATCH_BYTES : 0;
   return bind_textures(s, error, size);
}

bool
machine_run_cayman(struct machine *m, char *error, size_t error_size)
{
   struct state *s = zeroed(sizeof(*s));
   if (!s)
      return say(error, error_size, "no memory");
   s->m = m;
   bool ok = prepare(s, error, error_size) &&
             machine_dispatch(m, &s->bind.core, s->rows, NULL, NULL, error, error_size);
   for (unsigned i = 0; ok && i < MACHINE_IMAGES; i++)
      if (m->image[i].there && m->image_out[i])
         machine_views_read(&s->views, &m->image[i], i, m->image_out[i]);
   machine_views_finish(&s->views);
   if (s->program)
      s->kernels->sq_program_free(s->program);
   for (unsigned i = 0; i < MACHINE_BUFFERS; i++)
      free(s->returns[i]);
   free(s->vtx);
   free(s->tex);
   free(s->consts);
   free(s->gds);
   free(s->shared);
   free(s);
   return ok;
}

bool
machine_run_evergreen(struct machine *m, char *error, size_t error_size)
{
   return machine_run_cayman(m, error, error_size);
}

bool
machine_run_r700(struct machine *m, char *error, size_t error_size)
{
   return machine_run_cayman(m, error, error_size);
}

bool
machine_run_r600(struct machine *m, char *error, size_t error_size)
{
   return machine_run_cayman(m, error, error_size);
}
