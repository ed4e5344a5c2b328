/* SPDX-License-Identifier: MIT */
/*
 * A chip made for tests: it drives the pipeline with no register, no packet and no descriptor.
 *
 * What it hands over is what a scene says (scene.h).
 */
#ifndef ATOLL_TEST_CHIP_MODEL_H
#define ATOLL_TEST_CHIP_MODEL_H

#include "scene.h"

struct model;

/** A chip with shader cores of the scene's instruction set, and the scene in its memory; NULL: out
 *  of memory.  `threads` work for it. */
struct model *model_create(const struct scene *scene, unsigned threads);
void model_destroy(struct model *model);

/** Draws the scene's triangle, and runs its dispatch; how many faults there were. */
uint64_t model_draw(struct model *model);
uint64_t model_dispatch(struct model *model);

/** SCENE_BYTES of its memory. */
const uint32_t *model_memory(const struct model *model);

#endif
