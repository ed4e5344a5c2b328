/* SPDX-License-Identifier: MIT */
/*
 * The table of port/format.h.
 */
#include "port/format.h"

enum use { READ, DRAWN, PIXELS, ELEMENTS };

#define FORMAT(name, cayman, number, bytes, width, height, cls, use, x, y, z, w) \
   [FORMAT_##name] = { bytes,                                                    \
                       width,                                                    \
                       height,                                                   \
                       CLASS_##cls,                                              \
                       (use) >= DRAWN,                                           \
                       { { 0, x }, { x, y }, { (x) + (y), z }, { (x) + (y) + (z), w } } },
const struct format_info format_info[FORMATS] = {
#include <atoll/formats.def>
};
