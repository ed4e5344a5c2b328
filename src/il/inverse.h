/* SPDX-License-Identifier: MIT */
/*
 * ACOS, ASIN and ATAN.  The document only bounds their errors, by 0.002; these polynomials, every
 * step rounded to a float, are Atoll's definition of them (docs/errata.rst), for the compiler and
 * for IL that is executed directly.  c[0] + x (c[1] + x (c[2] + ...)):
 *
 *    acos(x) = sqrt(1 - |x|) * p(|x|), or pi less that where x is negative
 *    asin(x) = pi / 2 - sqrt(1 - |x|) * p(|x|), with the sign of x
 *    atan(x) = t * q(t * t), t = |x| up to 1; above 1 pi / 2 less that, t = 1 / |x|; the sign of x
 *
 * p is Abramowitz and Stegun 4.4.46, q a minimax polynomial; the errors are below 4e-6.
 */
#ifndef IL_INVERSE_H
#define IL_INVERSE_H

#define IL_ACOS_TERMS 8
static const float il_acos_term[IL_ACOS_TERMS] = { 1.5707963050f,  -0.2145988016f, 0.0889789874f,
                                                   -0.0501743046f, 0.0308918810f,  -0.0170881256f,
                                                   0.0066700901f,  -0.0012624911f };
#define IL_ATAN_TERMS 6
static const float il_atan_term[IL_ATAN_TERMS] = { 0.99997726f,  -0.33262347f, 0.19354346f,
                                                   -0.11643287f, 0.05265332f,  -0.01172120f };
#define IL_HALF_PI 0x3fc90fdbu
#define IL_PI      0x40490fdbu

#endif
