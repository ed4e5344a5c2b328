/* SPDX-License-Identifier: MIT */
/* Loops over pixels of any size, each of a constant one (kernels only). */
#ifndef ATOLL_CB_SIZES_H
#define ATOLL_CB_SIZES_H

/* One function for all sizes, so that each copy is of a constant one. */
#define EACH_SIZE(cpp, ...) \
   switch (cpp) {           \
   case 1: {                \
      enum { SIZE = 1 };    \
      __VA_ARGS__ break;    \
   }                        \
   case 2: {                \
      enum { SIZE = 2 };    \
      __VA_ARGS__ break;    \
   }                        \
   case 4: {                \
      enum { SIZE = 4 };    \
      __VA_ARGS__ break;    \
   }                        \
   case 8: {                \
      enum { SIZE = 8 };    \
      __VA_ARGS__ break;    \
   }                        \
   case 12: {               \
      enum { SIZE = 12 };   \
      __VA_ARGS__ break;    \
   }                        \
   case 16: {               \
      enum { SIZE = 16 };   \
      __VA_ARGS__ break;    \
   }                        \
   default:                 \
      break;                \
   }

#endif
