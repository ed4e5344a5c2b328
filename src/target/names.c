/* SPDX-License-Identifier: MIT */
/*
 * Programs get no name where nothing is kept under it.
 *
 * Mesa looks for each program that it links in the driver's disk cache, by a hash of all that went
 * into it, and writes it down for the cache once it is linked. A cache that keeps nothing is there
 * all the same, since glGetProgramBinary() needs its name. The linker sends the look here (--wrap),
 * and what got no name Mesa does not write down.
 */
#include "main/mtypes.h"

#include "driver/atoll_public.h"

/* It is C++. */
#define READ                 _Z34shader_cache_read_program_metadataP10gl_contextP17gl_shader_program
#define JOIN_(first, second) first##second
#define JOIN(first, second)  JOIN_(first, second)

bool JOIN(__real_, READ)(struct gl_context *ctx, struct gl_shader_program *program);
bool JOIN(__wrap_, READ)(struct gl_context *ctx, struct gl_shader_program *program);

bool
JOIN(__wrap_, READ)(struct gl_context *ctx, struct gl_shader_program *program)
{
   return atoll_cache_keeps(ctx->Cache) && JOIN(__real_, READ)(ctx, program);
}
