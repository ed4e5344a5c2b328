/* SPDX-License-Identifier: MIT */
/*
 * Doubles as Mesa's front end lowers them for targets that have none: their quotients become
 * products with reciprocals first, each reciprocal once, since what a reciprocal becomes is long
 * and has branches, which nothing joins any more.
 *
 * NIR could say so by an option (lower_fdiv), but of all sizes; quotients of floats are
 * nir/lower_quotients.c's.  The linker sends Mesa's calls here (--wrap).
 */
#include "compiler/nir/nir.h"

#include "compiler/nir/nir_to_il.h"

bool __real_nir_lower_doubles(nir_shader *shader, const nir_shader *softfp64,
                              nir_lower_doubles_options options);
bool __wrap_nir_lower_doubles(nir_shader *shader, const nir_shader *softfp64,
                              nir_lower_doubles_options options);

bool
__wrap_nir_lower_doubles(nir_shader *shader, const nir_shader *softfp64,
                         nir_lower_doubles_options options)
{
   const bool quotients = options & nir_lower_ddiv && atoll_nir_lower_wide_quotients(shader);

   return __real_nir_lower_doubles(shader, softfp64, options) || quotients;
}
