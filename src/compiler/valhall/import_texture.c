/* SPDX-License-Identifier: MIT */
#include "import.h"

void
vi_texture_declare(struct im *im, const struct il_inst *inst)
{
   (void)im;
   (void)inst;
}

unsigned
vi_texture_type(const struct im *im, const struct il_inst *inst)
{
   unsigned n = il_resource(inst);
   return n < 32 ? im->texture[n].type : 0;
}

bool
vi_texture(struct im *im, const struct il_inst *inst)
{
   (void)im;
   (void)inst;
   return false;
}
