/* SPDX-License-Identifier: MIT */
/*
 * Fields of texture, buffer and sampler descriptors (descriptors.def), to be used with
 * REG_FIELD and REG_FIELD_GET: REG_FIELD(TEX_WORD0, DIM, SQ_TEX_DIM_2D).
 */
#ifndef ATOLL_CAYMAN_DESCRIPTORS_H
#define ATOLL_CAYMAN_DESCRIPTORS_H

#include <atoll/cayman/registers.h>

enum cayman_descriptor_field {
#define FIELD(word, field, lsb, width) \
   word##__##field##__SHIFT = lsb, word##__##field##__WIDTH = width,
#include "descriptors.def"
};

/** TYPE of a resource. Invalid types read zero. */
enum cayman_resource_type {
   SQ_RESOURCE_INVALID_TEXTURE = 0,
   SQ_RESOURCE_INVALID_BUFFER = 1,
   SQ_RESOURCE_TEXTURE = 2,
   SQ_RESOURCE_BUFFER = 3,
};

#endif
