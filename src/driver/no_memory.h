/* SPDX-License-Identifier: MIT */
/* What the driver does when the host has no memory left. */
#ifndef ATOLL_NO_MEMORY_H
#define ATOLL_NO_MEMORY_H

#include <stdbool.h>

struct atoll_context;
struct pipe_sampler_view;
struct pipe_surface;

/* Says so, once; from any thread.  `ctx` may be NULL, where it is not known. */
void atoll_no_memory(struct atoll_context *ctx);

/* The context's spare objects.  False: there is no memory for them either. */
bool atoll_init_spares(struct atoll_context *ctx);
void atoll_finish_spares(struct atoll_context *ctx);

/* A reference to one of them, instead of an object that cannot be created; says so. */
struct pipe_sampler_view *atoll_spare_view(struct atoll_context *ctx);
struct pipe_surface *atoll_spare_surface(struct atoll_context *ctx);

#endif /* ATOLL_NO_MEMORY_H */
