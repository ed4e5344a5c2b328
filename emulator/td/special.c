/* SPDX-License-Identifier: MIT */
#include "td/sample.h"
td_tex_fn *
K(td_sample_special)(const struct tex *t)
{
   return NULL;
}

#include "td/vtx.h"
td_vtx_fn *
K(td_fetch_special)(const struct vtx *v)
{
   return NULL;
}
