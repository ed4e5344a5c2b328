/* SPDX-License-Identifier: MIT */
/*
 * What geometry, control and evaluation programs have of their own.
 */
#include "import.h"

void
vi_stage_declare(struct im *im, const struct il_inst *inst)
{
   (void)im;
   (void)inst;
}

void
vi_stage_begin(struct im *im)
{
   if (im->c->out->stage == SHADER_STAGE_GS || im->c->out->stage == SHADER_STAGE_HS ||
       im->c->out->stage == SHADER_STAGE_ES || im->c->out->stage == SHADER_STAGE_LS ||
       im->c->out->tess.domain_shader)
      vi_unsupported(im, "stage");
}

bool
vi_stage(struct im *im, const struct il_inst *inst)
{
   (void)im;
   (void)inst;
   return false;
}

bool
vi_stage_source(struct im *im, const struct il_src *src, unsigned comp, struct vc_operand *v)
{
   (void)im;
   (void)src;
   (void)comp;
   (void)v;
   return false;
}

bool
vi_stage_store(struct im *im, const struct il_dst *dst, unsigned comp, struct vc_operand v)
{
   (void)im;
   (void)dst;
   (void)comp;
   (void)v;
   return false;
}

void
vi_stage_finish(struct im *im)
{
   vi_unsupported(im, "stage");
}

void
vi_copy(struct im *im)
{
   vi_unsupported(im, "copy program");
}
