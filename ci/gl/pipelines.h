/* SPDX-License-Identifier: MIT */
/* Pipelines of every combination of stages, for programs that look at what each stage can do. */
#pragma once

#include <stdbool.h>

#include "offscreen.h"

/* A pipeline works on 16 numbers: points of a 4x4 target, one point of a 4x4 grid that is made of
 * one patch, one pixel, one invocation of a work group.  Each stage runs once for each. */
enum { N = 16, SIDE = 4 };

enum stage { VS, TCS, TES, GS, FS, CS, STAGES };

#define BIT(stage) (1u << (stage))

enum { PIPELINES = 11 };

/* The stages of each, as bits. */
extern const unsigned pipelines[PIPELINES];

extern const char *const pipeline_stage_names[STAGES];

/* What a stage has of its own, after a function touch(int i), which it calls with its number. */
struct pipeline_body {
   GLenum type;
   const char *source;
};
extern const struct pipeline_body pipeline_bodies[STAGES];

/* The target, and what patches are. */
void pipeline_start(void);

/* Draws or dispatches with the program in use, which has these stages, and waits for memory. */
void pipeline_run(unsigned pipeline, bool discard, int instances);
