/* SPDX-License-Identifier: MIT */
/*
 * Mesa's layout of radeon surfaces, as it is, from the include path that the build found it on.
 */
#include <radeon_surface.c>
