/* SPDX-License-Identifier: MIT */
/*
 * The pipeline's numbers of formats, in the order of formats.def.  Descriptors of vertex attributes
 * (docs/valhall-chip.rst) have them, too.
 */
#ifndef ATOLL_FORMAT_NUMBERS_H
#define ATOLL_FORMAT_NUMBERS_H

enum format {
   FORMAT_NONE, /* reads zero */
#define FORMAT(name, ...) FORMAT_##name,
#include <atoll/formats.def>
   FORMATS,
};

#endif
