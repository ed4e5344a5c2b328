/* SPDX-License-Identifier: MIT */
/*
 * Messages of the Debug Adapter Protocol: JSON, each with its length in front.
 */
#ifndef ATOLL_TOOLS_DAP_WIRE_H
#define ATOLL_TOOLS_DAP_WIRE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct dap_wire {
   int in;
   FILE *out;
   char *bytes; /* that came and are not read */
   size_t count, room;
   bool gone; /* nothing more comes, or nothing that can be read */
   int seq;
};

/** The next message, for json_object_put(); it waits for it.  NULL: there is none. */
struct json_object *dap_read(struct dap_wire *w);
/** Whether something has come that is not read. */
bool dap_has(struct dap_wire *w);
/** Sends a message of a type and frees it; it gets its number. */
void dap_send(struct dap_wire *w, const char *type, struct json_object *message);

/* Members of an object, which need not be there, nor be one. */
const char *dap_text(const struct json_object *object, const char *name); /* NULL: none */
int64_t dap_number(const struct json_object *object, const char *name, int64_t otherwise);
bool dap_flag(const struct json_object *object, const char *name);
struct json_object *dap_member(const struct json_object *object, const char *name);
/** Elements of the array that it has; 0: there are none. */
size_t dap_elements(const struct json_object *object, const char *name);

/* An object's members. */
void dap_add_text(struct json_object *object, const char *name, const char *text);
void dap_add_format(struct json_object *object, const char *name, const char *format, ...)
   __attribute__((format(printf, 3, 4)));
void dap_add_number(struct json_object *object, const char *name, int64_t number);
void dap_add_flag(struct json_object *object, const char *name, bool flag);
/** Bytes, in base64. */
void dap_add_bytes(struct json_object *object, const char *name, const void *bytes, size_t size);

#endif
