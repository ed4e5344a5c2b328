/* SPDX-License-Identifier: MIT */
/*
 * The files that a GPU of ours would have: /dev/dri with a render node and a card, which leads to
 * no display, and what libdrm reads in sysfs.  They exist in tables only, one of each kernel driver
 * that the node can be of.
 */
#ifndef ATOLL_SHIM_TREE_H
#define ATOLL_SHIM_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TREE_MAJOR 226

enum tree_kind {
   TREE_NONE,   /* not ours: the real file system's */
   TREE_ABSENT, /* ours, and does not exist */
   TREE_DIRECTORY,
   TREE_FILE,
   TREE_LINK,
   TREE_NODE,
};

/* Files with other contents on each chip. */
enum tree_of_chip {
   TREE_DEVICE = 1, /* what PCI knows it by */
   TREE_UEVENT,
};

struct tree_entry {
   const char *path;
   enum tree_kind kind;
   const char *text;          /* FILE: contents; LINK: target as readlink() tells it */
   const char *target;        /* LINK: canonical target */
   unsigned minor;            /* NODE: its device number */
   enum tree_of_chip of_chip; /* FILE without `text` */
};

/* The kernel driver that the node is of, by ATOLL_NODE; the same for the process's life. */
enum tree_driver {
   TREE_RADEON,
   TREE_PANTHOR,
};
enum tree_driver tree_driver(void);

/* What lies at the absolute path `path`.  With `follow`, a link at its end is followed (to the
 * entry of a directory).  NULL entry with TREE_NONE and TREE_ABSENT. */
enum tree_kind tree_find(const char *path, bool follow, const struct tree_entry **entry);

/* The node of that device number, or NULL. */
const struct tree_entry *tree_node(unsigned minor);

/* The path that names the entry without links. */
const char *tree_canonical(const struct tree_entry *entry);

/* What a file holds; a link's target as readlink() tells it. */
const char *tree_text(const struct tree_entry *entry);

/* Child number n of a directory; NULL after the last. */
const char *tree_child(const struct tree_entry *directory, size_t n);

/* What stat() says: its structure has another layout for each size of off_t. */
struct tree_status {
   uint32_t inode, mode, size;
   uint64_t device;
};
void tree_status(const struct tree_entry *entry, struct tree_status *status);

#endif
