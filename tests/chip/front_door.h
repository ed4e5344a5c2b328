/* SPDX-License-Identifier: MIT */
/*
 * The scene through Cayman's front door: packets and registers.
 */
#ifndef ATOLL_TEST_CHIP_FRONT_DOOR_H
#define ATOLL_TEST_CHIP_FRONT_DOOR_H

#include "model/scene.h"

/** Draws, and dispatches where the scene computes; memory[SCENE_BYTES / 4] as it is then. */
void front_door_run(const struct scene *scene, uint32_t *memory);

#endif
