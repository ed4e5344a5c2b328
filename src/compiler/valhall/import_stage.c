/* SPDX-License-Identifier: MIT */
/*
 * What geometry, control and evaluation programs have of their own.
 */
#include "import.h"

void
vim_stage_declare(struct vim *im, const struct il_inst *inst)
{
   (void)im;
   (void)inst;
}

void
vim_stage_begin(struct vim *im)
{
   if (im->c->out->stage == SHADER_STAGE_GS || im->c->out->stage == SHADER_STAGE_HS ||
       im->c->out->stage == SHADER_STAGE_ES || im->c->out->stage == SHADER_STAGE_LS ||
       im->c->out->tess.domain_shader)
      vim_unsupported(im, "stage");
}

bool
vim_stage(struct vim *im, const struct il_inst *inst)
{
   (void)im;
   (void)inst;
   return false;
}

bool
vim_stage_source(struct vim *im, const struct il_src *src, unsigned comp, struct vc_operand *v)
{
   (void)im;
   (void)src;
   (void)comp;
   (void)v;
   return false;
}

bool
vim_stage_store(struct vim *im, const struct il_dst *dst, unsigned comp, struct vc_operand v)
{
   (void)im;
   (void)dst;
   (void)comp;
   (void)v;
   return false;
}

void
vim_stage_finish(struct vim *im)
{
   vim_unsupported(im, "stage");
}

void
vim_copy(struct vim *im)
{
   vim_unsupported(im, "copy program");
}
