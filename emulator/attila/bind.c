/* SPDX-License-Identifier: MIT */
/* Programs of the pipeline as a binder sees them: the table of values that are equal in all lanes,
 * and texture units. */
#include <string.h>

#include "attila/program.h"
#include "port/views.h"

void
at_fill_table(const struct at_program *program, const uint32_t *const constants[2],
              const uint32_t dwords[2], uint32_t *table)
{
   const struct at_lifted *p = (const struct at_lifted *)program;

   memset(table, 0, 4 * (size_t)AT_UNI_LITERALS);
   for (unsigned bank = 0; bank < 2; bank++) {
      const uint32_t wanted = 4u * program->constants[bank];
      const uint32_t count = dwords[bank] < wanted ? dwords[bank] : wanted;
      if (count)
         memcpy(table + AT_UNI_CONSTANTS + bank * (4 * ATTILA_CONSTANTS / 2), constants[bank],
                4 * (size_t)count);
   }
   if (p->code.num_literals)
      memcpy(table + AT_UNI_LITERALS, p->code.literals, 4 * (size_t)p->code.num_literals);
}

uint16_t
at_cube_units(const struct td_views *views)
{
   unsigned mask = 0;
   struct td_query q;

   for (unsigned n = 0; n < AT_UNITS; n++)
      if (td_views_query(views, AT_TEXTURES + n, &q) && q.dim == TEXTURE_CUBE)
         mask |= 1u << n;
   return (uint16_t)mask;
}

void
at_bind_textures(const struct kernels *kernels, const struct at_program *program,
                 const struct td_views *views, struct td_tex_bind *tex)
{
   for (uint32_t n = 0; n < program->num_tex; n++) {
      const unsigned unit = program->tex[n].unit;

      td_views_bind_tex(views, kernels, &tex[n], &program->tex[n].lookup, AT_TEXTURES + unit, unit);
   }
}
