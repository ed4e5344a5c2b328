/* SPDX-License-Identifier: MIT */
/* What gl-scene draws: scenes of early OpenGL in scene.c, of the later stages in stages.c. */
#pragma once

enum { SCENE_WIDTH = 320, SCENE_HEIGHT = 240 };

struct scene {
   const char *name;
   int version; /* of OpenGL that it needs, 10 * major + minor */
   void (*draw)(void);
};

extern const struct scene stage_scenes[];
extern const unsigned num_stage_scenes;
