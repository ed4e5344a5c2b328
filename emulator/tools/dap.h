/* SPDX-License-Identifier: MIT */
/*
 * The debugger as an editor asks for it: the Debug Adapter Protocol, on two descriptors or on the
 * loopback interface.
 *
 * A thread of the protocol is a lane of the wave that is stopped; a stack is its instruction, its
 * primitive and pixel or its group, and its draw.  A source is the listing of a program.  What the
 * debugger prints goes to the console, and what is typed there are its commands (commands.c).
 */
#ifndef ATOLL_TOOLS_DAP_H
#define ATOLL_TOOLS_DAP_H

#include <stdint.h>
#include <stdio.h>

#include "tools/tool.h"

/** Serves one client, which says which capture unless `path` does; `memory` as play_open().  An
 *  exit code. */
int dap_serve(const struct tool *tool, int in, FILE *out, const char *path, uint32_t memory);

/** The same for one client that connects to a port of 127.0.0.1; 0: one that is free, which
 *  standard error says. */
int dap_listen(const struct tool *tool, uint16_t port, const char *path, uint32_t memory);

#endif
