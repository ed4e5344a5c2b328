/* SPDX-License-Identifier: MIT */
#include "import.h"

void
vim_texture_declare(struct vim *im, const struct il_inst *inst)
{
   (void)im;
   (void)inst;
}

unsigned
vim_texture_type(const struct vim *im, const struct il_inst *inst)
{
   unsigned n = il_resource(inst);
   return n < 32 ? im->texture[n].type : 0;
}

bool
vim_texture(struct vim *im, const struct il_inst *inst)
{
   (void)im;
   (void)inst;
   return false;
}
