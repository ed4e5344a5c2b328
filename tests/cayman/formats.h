/* SPDX-License-Identifier: MIT */
/* The words of which the instructions of Cayman consist, by the names of cayman/formats.def. */
#ifndef TESTS_CAYMAN_FORMATS_H
#define TESTS_CAYMAN_FORMATS_H

#include "isa/cayman/cayman.h"

static const char *const cf_formats[][2] = {
   [CAYMAN_CF_FORM_NONE] = { "CF_WORD0", "CF_WORD1" },
   [CAYMAN_CF_FORM_BRANCH] = { "CF_WORD0", "CF_WORD1" },
   [CAYMAN_CF_FORM_GWS] = { "CF_GWS_WORD0", "CF_WORD1" },
   [CAYMAN_CF_FORM_ALU] = { "CF_ALU_WORD0", "CF_ALU_WORD1" },
   [CAYMAN_CF_FORM_ALU_EXT] = { "CF_ALU_WORD0_EXT", "CF_ALU_WORD1_EXT" },
   [CAYMAN_CF_FORM_MEM] = { "CF_ALLOC_EXPORT_WORD0", "CF_ALLOC_EXPORT_WORD1_BUF" },
   [CAYMAN_CF_FORM_RAT] = { "CF_ALLOC_EXPORT_WORD0_RAT", "CF_ALLOC_EXPORT_WORD1_BUF" },
   [CAYMAN_CF_FORM_EXPORT] = { "CF_ALLOC_EXPORT_WORD0", "CF_ALLOC_EXPORT_WORD1_SWIZ" },
};

static const char *const fetch_formats[][3] = {
   [CAYMAN_FETCH_TEX] = { "TEX_WORD0", "TEX_WORD1", "TEX_WORD2" },
   [CAYMAN_FETCH_VTX] = { "VTX_WORD0", "VTX_WORD1_GPR", "VTX_WORD2" },
   [CAYMAN_FETCH_MEM] = { "MEM_RD_WORD0", "MEM_RD_WORD1", "MEM_RD_WORD2" },
   [CAYMAN_FETCH_GDS] = { "MEM_GDS_WORD0", "MEM_GDS_WORD1", "MEM_GDS_WORD2" },
};

#endif
