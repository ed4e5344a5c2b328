/* SPDX-License-Identifier: MIT */
/*
 * Vertex elements: what a vertex shader fetches them by, made for each state.  It is a subroutine
 * in machine code or a list of descriptors, as the instruction set has it.
 */
#include "context.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/u_memory.h"

#include <atoll/cayman/enums.h>

#include "compiler/cayman/cayman_compile.h"
#include "format.h"
#include "no_memory.h"

/* The hardware's strides; beyond, even ones up to twice as much. */
#define BUF_STRIDE_MAX 2047

void *
atoll_create_vertex_elements(struct pipe_context *pipe, unsigned count,
                             const struct pipe_vertex_element *elements)
{
   struct atoll_screen *screen = atoll_screen(pipe->screen);
   struct atoll_vertex_elements *ve = CALLOC_STRUCT(atoll_vertex_elements);
   struct cayman_vertex_element ce[ATOLL_MAX_ELEMENTS] = { 0 };
   if (!ve) {
      atoll_no_memory(atoll_context(pipe));
      return NULL;
   }

   assert(count <= ATOLL_MAX_ELEMENTS);
   ve->count = count;
   for (unsigned i = 0; i < ve->count; i++) {
      const struct pipe_vertex_element *e = &elements[i];
      struct atoll_vtx_format f;
      unsigned buffer = e->vertex_buffer_index;
      if (buffer >= ATOLL_MAX_VBS || !atoll_vtx_format(e->src_format, &f)) {
         FREE(ve);
         return NULL;
      }
      ve->buffer_mask |= 1u << buffer;
      bool twice = e->src_stride > BUF_STRIDE_MAX;
      if (twice && (e->src_stride % 2 || e->src_stride / 2 > BUF_STRIDE_MAX)) {
         fprintf(stderr, "atoll: vertices %u bytes apart cannot be fetched\n", e->src_stride);
         util_debug_message(&pipe->debug, ERROR, "Vertices %u bytes apart cannot be fetched",
                            e->src_stride);
         FREE(ve);
         return NULL;
      }
      ve->strides[buffer] = twice ? e->src_stride / 2 : e->src_stride;
      if (twice && e->instance_divisor && !screen->backend->attributes_add_base)
         ve->twice_mask |= 1u << buffer;
      ve->excess[buffer] = MAX2(ve->excess[buffer], f.excess);
      ce[i] = (struct cayman_vertex_element){
         .resource = buffer,
         .offset = e->src_offset,
         .data_format = f.format,
         .num_format = f.num_format,
         .is_signed = f.is_signed,
         .instance_divisor = e->instance_divisor,
         .twice = twice,
      };
      for (unsigned c = 0; c < 4; c++)
         ce[i].dst_sel[c] = atoll_select(f.swizzle[c]);
   }

   uint32_t *words = NULL;
   unsigned num_dwords = screen->backend->build_fetch(ce, ve->count, &words);
   if (num_dwords)
      ve->bo = atoll_bo_create(screen->ws, num_dwords * 4, 256, 0);
   void *map = ve->bo ? atoll_bo_map(ve->bo) : NULL;
   if (!map) {
      atoll_no_memory(atoll_context(pipe));
      atoll_bo_unref(ve->bo);
      free(words);
      FREE(ve);
      return NULL;
   }
   memcpy(map, words, num_dwords * 4);
   free(words);
   return ve;
}

void
atoll_delete_vertex_elements(struct pipe_context *pipe, void *state)
{
   struct atoll_vertex_elements *ve = state;
   if (!ve)
      return; /* it could not be made */
   atoll_bo_unref(ve->bo);
   FREE(ve);
}
