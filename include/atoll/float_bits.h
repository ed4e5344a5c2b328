/* SPDX-License-Identifier: MIT */
/*
 * Bit patterns of IEEE 754 numbers, where code works on the bits.
 */
#ifndef ATOLL_FLOAT_BITS_H
#define ATOLL_FLOAT_BITS_H

/* binary32. */
#define F32_SIGN      0x80000000u
#define F32_MAGNITUDE 0x7fffffffu /* all but the sign */
#define F32_EXPONENT  0x7f800000u
#define F32_FRACTION  0x007fffffu
#define F32_INFINITY  0x7f800000u /* as a magnitude, what lies above is a NaN */
#define F32_MINUS_INF 0xff800000u
#define F32_NAN       0x7fc00000u /* the one NaN of results */
#define F32_ONE       0x3f800000u
#define F32_BELOW_ONE 0x3f7fffffu /* 1 - 2^-24 */
#define F32_SQRT_HALF 0x3f3504f3u
#define F32_255       0x437f0000u
/* Where the normal numbers of binary16 begin and end: 2^-14 and 2^16. */
#define F32_HALF_FIRST 0x38800000u
#define F32_HALF_END   0x47800000u

/* binary16. */
#define F16_SIGN      0x8000u
#define F16_MAGNITUDE 0x7fffu
#define F16_MAX       0x7bffu
#define F16_INFINITY  0x7c00u
#define F16_NAN       0x7e00u

/* binary64, and the high dword alone. */
#define F64_EXPONENT 0x7ff0000000000000ull
#define F64_HIGH_ONE 0x3ff00000u

#endif
