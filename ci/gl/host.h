/* SPDX-License-Identifier: MIT */
/*
 * What the files of gl-host share: the cases, the picture that all draw, and contexts.  A case
 * returns if all is well, and else says why and ends the process.
 */
#ifndef ATOLL_GL_HOST_H
#define ATOLL_GL_HOST_H

#include "offscreen.h"

#include <EGL/egl.h>

enum { SIZE = 64 };

/* The display that host_open_display() opens, without a window system. */
extern EGLDisplay host_display;
extern EGLConfig host_config;
/* Of OpenGL 2.1, which every instruction set has: an attribute `position`; `at` is 3.1 times it. */
extern const char host_vertex_source[];

/** Says why on stderr, and ends the process. */
_Noreturn void host_fail(const char *why);
/** Uses the program of the common picture, and returns it. */
unsigned host_program(void);
/** Draws the picture that all cases share; its hash (FNV-1a). */
uint64_t host_draw(void);
/** The same with a context and a target of its own, which stay. */
uint64_t host_open_and_draw(void);
/** Whether the context was lost, where the driver can tell. */
unsigned host_reset_status(void);

#define SLOW_PROGRAMS 8
/** Links a program that draws the common picture and takes a while to compile; each `number` is
 *  another program. */
unsigned host_link_slow(unsigned number);
/** Draws with each of them and deletes it.  All draw alike, and `right`, unless it is 0; returns
 *  that hash. */
uint64_t host_draw_alike(const unsigned programs[SLOW_PROGRAMS], uint64_t right);

void host_open_display(void);
EGLContext host_new_context(EGLContext share);
void host_make_current(EGLContext context);
/** A context that is told of resets, with the target and program of all cases. */
EGLContext host_robust_context(void);

void host_case_rounding(void);
void host_case_traps(void);
void host_case_fork(void);
void host_case_fork_compiling(void);
void host_case_contexts(void);
void host_case_shared(void);
void host_case_uploads(void);
void host_case_threads(void);
void host_case_compilers(void);
void host_case_deleted(void);
void host_case_reset(void);
void host_case_reset_raster(void);
void host_case_patch(void);
void host_case_refused(void);
void host_case_limited(void);
void host_case_least(void);

#endif
