/* SPDX-License-Identifier: MIT */
/*
 * Programs of the device as a binder sees them: what they read, the table of values that are equal
 * in all lanes, and their textures, which are made once a draw.
 */
#include "valhall/program.h"

#include <malloc.h>
#include <string.h>

#include "valhall/element.h"

#define PAGE_BYTES 4096u

static const struct vh_program *
program_of(const struct core_program *program)
{
   return (const struct vh_program *)program;
}

const struct vh_reads *
vh_reads(const struct core_program *program)
{
   return program_of(program)->device ? &program_of(program)->reads : NULL;
}

size_t
vh_program_bytes(const struct core_program *program)
{
   const struct vh_program *p = program_of(program);
   const void *const owned[] = { p,           p->steps,         p->code.uops, p->code.literals,
                                 p->messages, p->bound.uops,    p->consts,    p->vtx,
                                 p->tex,      p->blocks.blocks, p->blocks.of };
   size_t bytes = (p->bound.native_bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;

   for (unsigned i = 0; i < sizeof(owned) / sizeof(*owned); i++)
      bytes += malloc_usable_size((void *)owned[i]);
   return bytes;
}

uint32_t
vh_table_dwords(const struct core_program *program)
{
   return program_of(program)->code.num_uniforms + program_of(program)->code.num_literals;
}

/* What is not there reads as zero. */
static uint32_t
dword(const struct vh_buffer *buffer, uint32_t byte)
{
   return buffer->base && (uint64_t)byte + 4 <= buffer->bytes ? buffer->base[byte / 4] : 0;
}

/* u0 to u191 are of constant buffer 0, the rest of 15. */
#define FIRST_UNIFORMS 192u

/* The first dwords of a buffer, as many as are wholly there. */
static void
copy_first(uint32_t *to, const struct vh_buffer *buffer, uint32_t count)
{
   const uint64_t there = buffer->base ? buffer->bytes / 4 : 0;
   const size_t known = there < count ? (size_t)there : count;

   if (known)
      memcpy(to, buffer->base, known * sizeof(*to));
   memset(to + known, 0, (count - known) * sizeof(*to));
}

void
vh_fill_table(const struct vh_bind *bind)
{
   const struct vh_program *p = program_of(bind->core.program);
   const struct vh_device *d = bind->device;
   const float sprite[2] = { d->sprite_top ? 1.0f : 0.0f, d->sprite_top ? -1.0f : 1.0f };
   uint32_t *t = d->table;

   memset(t, 0, UNI_CONSTS * sizeof(*t));
   if (d->has_uniforms) {
      copy_first(t + UNI_FAU, &d->uniforms, VALHALL_UNIFORMS);
   } else {
      copy_first(t + UNI_FAU, &d->constants[0], FIRST_UNIFORMS);
      copy_first(t + UNI_FAU + FIRST_UNIFORMS, &d->constants[15],
                 VALHALL_UNIFORMS - FIRST_UNIFORMS);
   }
   memcpy(&t[UNI_SPRITE], sprite, sizeof(sprite));
   for (uint32_t n = 0; n < p->reads.num_consts; n++)
      t[UNI_CONSTS + n] = dword(&d->constants[p->consts[n].buffer], p->consts[n].byte);
   if (p->code.num_literals)
      memcpy(&t[p->code.num_uniforms], p->code.literals, p->code.num_literals * sizeof(*t));
}

void
vh_bind_textures(const struct kernels *kernels, const struct vh_reads *reads,
                 const struct td_views *views, const struct vh_device *device,
                 struct td_tex_bind *tex, struct td_vtx_bind *buffers)
{
   for (uint32_t i = 0; i < reads->num_tex; i++) {
      const struct vh_tex_ref *ref = &reads->tex[i];
      struct td_lookup lookup = ref->lookup;

      vh_take_texels(device, views, &lookup, ref->sampler);
      td_views_bind_tex(views, kernels, &tex[i], &lookup, ref->resource, ref->sampler);
      vh_bind_texels(views, kernels, &buffers[i], ref->resource);
   }
}
