/* SPDX-License-Identifier: MIT */
/* Programs of the pipeline as a binder sees them: the table of values that are equal in all lanes,
 * and texture units. */
#include <string.h>

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

#include "attila/program.h"
#include "regs.h"
#include "chip/cayman/descriptors/tables.h"

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
at_cube_units(const struct cayman_tables *tables)
{
   unsigned mask = 0;

   for (unsigned n = 0; n < AT_UNITS && AT_TEXTURES + n < tables->num_resources; n++) {
      const uint32_t *d = tables->resources[AT_TEXTURES + n];

      if (REG_FIELD_GET(d[7], TEX_WORD7, TYPE) == SQ_RESOURCE_TEXTURE &&
          REG_FIELD_GET(d[0], TEX_WORD0, DIM) == SQ_TEX_DIM_CUBEMAP)
         mask |= 1u << n;
   }
   return (uint16_t)mask;
}

void
at_bind_textures(const struct kernels *kernels, const struct at_program *program,
                 const struct cayman_tables *tables, struct td_tex_bind *tex)
{
   for (uint32_t n = 0; n < program->num_tex; n++) {
      const unsigned unit = program->tex[n].unit;
      const struct cayman_view view = cayman_view_of(tables, AT_TEXTURES + unit, unit);

      cayman_bind_tex(kernels, &tex[n], &program->tex[n].lookup, &view);
   }
}
