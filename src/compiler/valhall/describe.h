/* SPDX-License-Identifier: MIT */
/* What shader-db's line says of a program. */
#ifndef VALHALL_DESCRIBE_H
#define VALHALL_DESCRIBE_H

#include "compiler/shader.h"

void valhall_describe(const struct shader_code *code, char text[SHADER_DESCRIPTION_MAX]);

#endif
