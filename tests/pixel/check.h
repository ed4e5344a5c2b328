/* SPDX-License-Identifier: MIT */
/*
 * A scene by the reference and by all builds, and what scenes of tests are made of.
 */
#ifndef PIXEL_CHECK_H
#define PIXEL_CHECK_H

#include "scene.h"

/** Fills all of the scene's memory, with numbers in any float format. */
void check_noise(struct scene *s, uint32_t seed);
/** Runs the reference and all builds from equal memory; all must end equal. */
void check_scene(struct scene *s, uint32_t seed, const char *what);

/** From 0 to 1. */
float check_unit(uint32_t *seed);
/** Triangles of about `size` pixels, anywhere. */
void check_triangles(struct scene_draw *d, unsigned count, unsigned size, uint32_t *seed);
/** One draw without primitives, of a program of this kind. */
void check_start(struct scene *s, enum stub_kind kind);
void check_set_blend(struct regs *r, unsigned src, unsigned dst, unsigned func, unsigned asrc,
                     unsigned adst, unsigned afunc);
void check_set_depth(struct regs *r, unsigned format, unsigned func, bool write);
/** Samples that are rasterised, at positions of their own; for some, alike in a quad's pixels. */
void check_set_coverage(struct regs *r, unsigned log2, bool apart, uint32_t *seed);
/** And stored. */
void check_set_samples(struct regs *r, unsigned log2, bool apart, uint32_t *seed);

/** cmocka's, of a test with a scene as its state. */
int check_setup(void **state);
int check_teardown(void **state);

#endif
