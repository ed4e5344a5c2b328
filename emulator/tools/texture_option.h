/* SPDX-License-Identifier: MIT */
/*
 * Textures, images and samplers as atoll-run's options have them.
 */
#ifndef ATOLL_TEXTURE_OPTION_H
#define ATOLL_TEXTURE_OPTION_H

#include "machine_texture.h"
#include "tools/tool.h"

/** N=KIND,FORMAT,SIZE[,NAME=VALUE...][,data=DATA] becomes element N of `slots`; `data` is where the
 *  text of DATA begins, or NULL.  Returns N, or -1: reported. */
int texture_option(const struct tool *tool, const char *text, bool image,
                   struct machine_texture *slots, unsigned count, const char **data);

/** N=WORD[,WORD...] becomes element N of `slots`.  False: reported. */
bool sampler_option(const struct tool *tool, const char *text, struct machine_sampler *slots,
                    unsigned count);

#endif
