/* SPDX-License-Identifier: MIT */
/*
 * The table of files that the shim shows: every entry leads to itself, links lead where readlink()
 * says, and paths that a program may make up are followed or left to the real file system.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

#include "shim/tree.h"

#define PCI "/sys/devices/pcia701:00/a701:00:00.0"

/* First of all: it is chosen once.  A word that is no driver's is said. */
static void
unknown_driver(void **state)
{
   char text[256] = "";
   FILE *file = tmpfile();
   const int old = dup(2);

   assert_non_null(file);
   setenv("ATOLL_NODE", "mali", 1);
   dup2(fileno(file), 2);
   for (unsigned n = 0; n < 2; n++)
      assert_int_equal(tree_driver(), TREE_RADEON);
   dup2(old, 2);
   close(old);
   rewind(file);
   assert_non_null(fgets(text, sizeof(text), file));
   assert_non_null(strstr(text, "ATOLL_NODE=mali: the node can be"));
   assert_null(fgets(text, sizeof(text), file));
   fclose(file);
}

static enum tree_kind
kind_of(const char *path, bool follow)
{
   const struct tree_entry *entry;

   return tree_find(path, follow, &entry);
}

static const struct tree_entry *
found(const char *path)
{
   const struct tree_entry *entry;

   tree_find(path, true, &entry);
   assert_non_null(entry);
   return entry;
}

/* From the folders down: names, kinds, numbers, sizes. */
static void
check_folder(const char *path, unsigned *files, unsigned *seen, uint32_t inodes[64])
{
   const struct tree_entry *folder = found(path);
   const char *name;

   assert_int_equal(folder->kind, TREE_DIRECTORY);
   for (size_t n = 0; (name = tree_child(folder, n)); n++) {
      char child[256];
      const struct tree_entry *entry;
      struct tree_status status;

      assert_null(strchr(name, '/'));
      snprintf(child, sizeof(child), "%s/%s", path, name);
      const enum tree_kind kind = tree_find(child, false, &entry);
      assert_non_null(entry);
      assert_int_equal(kind, entry->kind);
      assert_string_equal(entry->path, child);
      tree_status(entry, &status);
      for (unsigned k = 0; k < *seen; k++)
         assert_int_not_equal(inodes[k], status.inode);
      assert_true(*seen < 64);
      inodes[(*seen)++] = status.inode;
      switch (entry->kind) {
      case TREE_DIRECTORY:
         assert_true(S_ISDIR(status.mode));
         check_folder(child, files, seen, inodes);
         break;
      case TREE_LINK:
         assert_true(S_ISLNK(status.mode));
         assert_string_equal(tree_canonical(entry), entry->target);
         break;
      case TREE_NODE:
         assert_true(S_ISCHR(status.mode));
         assert_int_equal(major(status.device), 226);
         assert_int_equal(minor(status.device), entry->minor);
         assert_ptr_equal(tree_node(entry->minor), entry);
         break;
      default:
         assert_int_equal(entry->kind, TREE_FILE);
         assert_true(S_ISREG(status.mode));
         assert_int_equal(status.size, strlen(tree_text(entry)));
         assert_int_equal(tree_text(entry)[status.size - 1], '\n');
         ++*files;
      }
   }
}

static void
folders(void **state)
{
   uint32_t inodes[64];
   unsigned files = 0, seen = 0;

   check_folder("/dev/dri", &files, &seen, inodes);
   assert_int_equal(files, 0);
   assert_int_equal(seen, 2);
   check_folder(PCI, &files, &seen, inodes);
   /* Seven of the device and two of each minor. */
   assert_int_equal(files, 7 + 2 * 2);
   assert_null(tree_child(found("/dev/dri"), SIZE_MAX));
   assert_null(tree_node(1));
   assert_null(tree_node(UINT32_MAX));
}

/* What libdrm reads on its way from a node's number to the device. */
static void
links(void **state)
{
   const struct tree_entry *device = found(PCI);

   assert_ptr_equal(found("/sys/dev/char/226:128/device"), device);
   assert_ptr_equal(found("/sys/dev/char/226:0/device"), device);
   assert_ptr_equal(found("/sys/dev/char/226:128/device/drm/renderD128/device/vendor"),
                    found(PCI "/vendor"));
   assert_int_equal(kind_of("/sys/dev/char/226:128", false), TREE_LINK);
   assert_int_equal(kind_of("/sys/dev/char/226:128", true), TREE_DIRECTORY);
   assert_string_equal(tree_text(found("/sys/dev/char/226:128/uevent")),
                       "MAJOR=226\nMINOR=128\nDEVNAME=dri/renderD128\nDEVTYPE=drm_minor\n");
   /* A link to what is the real file system's stays a link, and beyond it nothing is ours. */
   assert_int_equal(kind_of(PCI "/subsystem", true), TREE_LINK);
   assert_int_equal(kind_of(PCI "/subsystem/devices", true), TREE_NONE);
   /* ".." of a link is where it leads. */
   assert_ptr_equal(found("/sys/dev/char/226:128/../../vendor"), found(PCI "/vendor"));
   assert_ptr_equal(found("/sys/dev/char/226:128/device/../a701:00:00.0/drm"), found(PCI "/drm"));
}

/* Paths as programs write them, and as nobody should. */
static void
paths(void **state)
{
   static const char *const ours[] = {
      "/dev/dri/renderD128",        "/dev//dri///renderD128",         "/dev/./dri/./renderD128",
      "/dev/dri/../dri/renderD128", "/dev/nothing/../dri/renderD128", "/dev/dri/renderD128/",
      "/dev/../dev/dri/renderD128"
   };
   static const char *const others[] = {
      "",
      "dev/dri",
      "/",
      "/dev",
      "/dev/drive",
      "/dev/dri0",
      "/dev/../",
      "/sys/dev",
      "/tmp/dri",
      "/dev/dri/..",
      "/dev/dri/../..",
      "/sys/dev/char/226:1",
      "/sys/dev/char/226:1280",
      "/sys/devices/pcia701:00",
      "//dev/dri",
      "/sys/../../..",
   };
   static const char *const absent[] = { "/dev/dri/card1", "/dev/dri/renderD128/x", PCI "/vendors",
                                         "/sys/dev/char/226:128/none", PCI "/drm/card0/dev/x" };
   char path[5000];

   for (unsigned n = 0; n < sizeof(ours) / sizeof(*ours); n++)
      assert_ptr_equal(found(ours[n]), tree_node(128));
   for (unsigned n = 0; n < sizeof(others) / sizeof(*others); n++)
      if (kind_of(others[n], true) != TREE_NONE)
         fail_msg("\"%s\" is taken for ours", others[n]);
   for (unsigned n = 0; n < sizeof(absent) / sizeof(*absent); n++)
      if (kind_of(absent[n], true) != TREE_ABSENT)
         fail_msg("\"%s\" is not known to be absent", absent[n]);
   assert_int_equal(kind_of(NULL, true), TREE_NONE);

   /* Longer than any of ours: from just too long, byte by byte, to what no file may have. */
   for (size_t length = 200; length < 400; length++) {
      memset(path, 'x', length);
      memcpy(path, "/dev/dri/", 9);
      path[length] = 0;
      assert_int_equal(kind_of(path, true), length < 256 ? TREE_ABSENT : TREE_NONE);
   }
   /* Through a link it becomes longer. */
   for (size_t length = 150; length < 300; length++) {
      memset(path, 'y', length);
      memcpy(path, "/sys/dev/char/226:128/", 22);
      path[length] = 0;
      assert_true(kind_of(path, true) == TREE_ABSENT || kind_of(path, true) == TREE_NONE);
   }
   /* Folders that are left again take no room. */
   strcpy(path, "/dev/dri");
   for (unsigned n = 0; n < 500; n++)
      strcat(path, "/../dri");
   assert_ptr_equal(found(path), found("/dev/dri"));
   /* Up beyond the root, and links that lead through each other. */
   strcpy(path, "/dev");
   for (unsigned n = 0; n < 300; n++)
      strcat(path, "/..");
   strcat(path, "/dev/dri/card0");
   assert_ptr_equal(found(path), tree_node(0));
   strcpy(path, PCI);
   for (unsigned n = 0; n < 5; n++)
      strcat(path, "/drm/card0/device");
   assert_ptr_equal(found(path), found(PCI));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(unknown_driver),
      cmocka_unit_test(folders),
      cmocka_unit_test(links),
      cmocka_unit_test(paths),
   };

   return cmocka_run_group_tests_name("shim/tree", tests, NULL, NULL);
}
