/* SPDX-License-Identifier: MIT */
/* The table of files, and how a path is followed through it; see tree.h. */
#include "shim/tree.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "chip/chip.h"
#include "panthor/chip.h"
#include "radeon/chip.h"

/* A PCI domain that no machine uses. */
#define SLOT   "a701:00:00.0"
#define PCI    "/sys/devices/pcia701:00/" SLOT
#define MINORS "../../devices/pcia701:00/" SLOT "/drm/"

/* A platform device of the same kind. */
#define MALI         "a7010000.gpu"
#define SOC          "/sys/devices/platform/" MALI
#define MALI_NODE    "/gpu@a7010000"
#define SOC_MINORS   "../../devices/platform/" MALI "/drm/"
#define SOC_OVER_BUS "../../../bus/platform"

/* What sysfs has of a minor of this name and number, of the device at `path` with that name, to
 * which `minors` leads from a folder of numbers. */
#define MINOR(path, device, minors, name, number)                                                  \
   { "/dev/dri/" name, TREE_NODE, .minor = number }, { path "/drm/" name, TREE_DIRECTORY },        \
      { path "/drm/" name "/dev", TREE_FILE, "226:" #number "\n" },                                \
      { path "/drm/" name "/uevent", TREE_FILE,                                                    \
        "MAJOR=226\nMINOR=" #number "\nDEVNAME=dri/" name "\nDEVTYPE=drm_minor\n" },               \
      { path "/drm/" name "/device", TREE_LINK, "../../../" device, path },                        \
      { path "/drm/" name "/subsystem", TREE_LINK, "../../../../../class/drm", "/sys/class/drm" }, \
   {                                                                                               \
      "/sys/dev/char/226:" #number, TREE_LINK, minors name, path "/drm/" name                      \
   }

static const struct tree_entry radeon[] = {
   { "/dev/dri", TREE_DIRECTORY },
   { PCI, TREE_DIRECTORY },
   { PCI "/vendor", TREE_FILE, "0x" CHIP_PCI_VENDOR_TEXT "\n" },
   { PCI "/device", TREE_FILE, .of_chip = TREE_DEVICE },
   { PCI "/subsystem_vendor", TREE_FILE, "0x" CHIP_PCI_VENDOR_TEXT "\n" },
   { PCI "/subsystem_device", TREE_FILE, "0x0b00\n" },
   { PCI "/revision", TREE_FILE, "0x00\n" },
   { PCI "/class", TREE_FILE, "0x030000\n" },
   { PCI "/uevent", TREE_FILE, .of_chip = TREE_UEVENT },
   { PCI "/subsystem", TREE_LINK, "../../../bus/pci", "/sys/bus/pci" },
   { PCI "/drm", TREE_DIRECTORY },
   MINOR(PCI, SLOT, MINORS, "card0", 0),
   MINOR(PCI, SLOT, MINORS, "renderD128", 128),
};

/* Texts of files that differ from chip to chip. */
static const char *const of_chip[][CHIPS] = {
   [TREE_DEVICE] = {
#define CHIP(NAME, name, text, generation, pci_id, ...) [CHIP_##NAME] = "0x" #pci_id "\n",
#include <atoll/chips.def>
   },
   [TREE_UEVENT] = {
#define CHIP(NAME, name, text, generation, pci_id, ...)            \
   [CHIP_##NAME] = "DRIVER=" CHIP_DRIVER "\nPCI_CLASS=30000\n"     \
                   "PCI_ID=" CHIP_PCI_VENDOR_TEXT ":" #pci_id "\n" \
                   "PCI_SUBSYS_ID=" CHIP_PCI_VENDOR_TEXT ":0B00\nPCI_SLOT_NAME=" SLOT "\n",
#include <atoll/chips.def>
   },
};

static const struct tree_entry panthor[] = {
   { "/dev/dri", TREE_DIRECTORY },
   { SOC, TREE_DIRECTORY },
   { SOC "/uevent", TREE_FILE,
     "DRIVER=" MALI_DRIVER "\nOF_NAME=gpu\nOF_FULLNAME=" MALI_NODE
     "\nOF_COMPATIBLE_0=" MALI_COMPATIBLE "\nOF_COMPATIBLE_N=1\n" },
   { SOC "/subsystem", TREE_LINK, SOC_OVER_BUS, "/sys/bus/platform" },
   { SOC "/drm", TREE_DIRECTORY },
   MINOR(SOC, MALI, SOC_MINORS, "card0", 0),
   MINOR(SOC, MALI, SOC_MINORS, "renderD128", 128),
};

/* The tree of the node's kernel driver. */
#define OURS(entries, folder)                               \
   {                                                        \
      entries, sizeof(entries) / sizeof(entries[0]), folder \
   }
static const struct tree {
   const struct tree_entry *entries;
   size_t count;
   const char *folder;
} trees[] = {
   [TREE_RADEON] = OURS(radeon, PCI),
   [TREE_PANTHOR] = OURS(panthor, SOC),
};

enum tree_driver
tree_driver(void)
{
   static _Atomic int chosen = -1;
   int driver = atomic_load_explicit(&chosen, memory_order_relaxed);

   if (driver < 0) {
      const char *word = getenv("ATOLL_NODE");

      driver = word && !strcmp(word, MALI_DRIVER) ? TREE_PANTHOR : TREE_RADEON;
      /* Said once. */
      if (atomic_exchange_explicit(&chosen, driver, memory_order_relaxed) < 0 && word && *word &&
          driver == TREE_RADEON && strcmp(word, "radeon") != 0)
         fprintf(stderr,
                 "atoll: ATOLL_NODE=%s: the node can be radeon's or " MALI_DRIVER
                 "'s; it is radeon's\n",
                 word);
   }
   return (enum tree_driver)driver;
}

/* The roots below which everything is ours. */
static bool
is_ours(const char *path)
{
   const char *const roots[] = { "/dev/dri", trees[tree_driver()].folder, "/sys/dev/char/226:0",
                                 "/sys/dev/char/226:128" };

   for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
      size_t length = strlen(roots[i]);

      if (!strncmp(path, roots[i], length) && (path[length] == '/' || !path[length]))
         return true;
   }
   return false;
}

static const struct tree_entry *
exact(const char *path)
{
   const struct tree *tree = &trees[tree_driver()];

   for (size_t i = 0; i < tree->count; i++)
      if (!strcmp(tree->entries[i].path, path))
         return &tree->entries[i];
   return NULL;
}

/* Replaces `path` by itself with the link that its first `length` bytes name followed. */
static bool
follow_prefix(char *path, size_t room, size_t length, const struct tree_entry *link)
{
   char rest[256];
   size_t target = strlen(link->target), tail = strlen(path + length);

   if (tail >= sizeof(rest) || target + tail >= room)
      return false;
   memcpy(rest, path + length, tail + 1);
   memcpy(path, link->target, target);
   memcpy(path + target, rest, tail + 1);
   return true;
}

/* Back to the folder that `name` lies in: a link's is the one that it leads to.  The new length. */
static size_t
go_up(char *name, size_t room)
{
   const struct tree_entry *entry;
   const char *slash;

   if (tree_find(name, true, &entry) != TREE_NONE && entry && strlen(entry->path) < room)
      strcpy(name, entry->path);
   slash = strrchr(name, '/');
   return slash ? (size_t)(slash - name) : 0;
}

/* The path without empty components, "." and ".."; false: it is too long for any of ours. */
static bool
simplify(const char *path, char *name, size_t room)
{
   size_t length = 0;

   while (*path) {
      const size_t slashes = strspn(path, "/"), bytes = strcspn(path + slashes, "/");
      const char *word = path + slashes;

      path = word + bytes;
      if (!bytes || (bytes == 1 && word[0] == '.'))
         continue;
      if (bytes == 2 && !strncmp(word, "..", 2)) {
         length = go_up(name, room);
      } else {
         if (length + 1 + bytes >= room)
            return false;
         name[length] = '/';
         memcpy(name + length + 1, word, bytes);
         length += 1 + bytes;
      }
      name[length] = 0;
   }
   return true;
}

enum tree_kind
tree_find(const char *path, bool follow, const struct tree_entry **entry)
{
   char name[256] = "";

   *entry = NULL;
   if (!path || path[0] != '/' || (strncmp(path, "/dev/", 5) && strncmp(path, "/sys/", 5)) ||
       !simplify(path, name, sizeof(name)))
      return TREE_NONE;

   /* Links in the middle, at most as deep as they can nest. */
   for (unsigned hops = 0; hops < 8; hops++) {
      bool followed = false;

      if (!is_ours(name))
         return TREE_NONE;
      for (size_t i = 1; name[i] && !followed; i++) {
         char kept = name[i];
         const struct tree_entry *e;

         if (kept != '/')
            continue;
         name[i] = 0;
         e = exact(name);
         name[i] = kept;
         if (e && e->kind == TREE_LINK)
            followed = follow_prefix(name, sizeof(name), i, e);
      }
      if (followed)
         continue;
      *entry = exact(name);
      if (!*entry)
         return TREE_ABSENT;
      if ((*entry)->kind != TREE_LINK || !follow)
         return (*entry)->kind;
      if (!exact((*entry)->target))
         return TREE_LINK;
      *entry = exact((*entry)->target);
      return (*entry)->kind;
   }
   return TREE_ABSENT;
}

const struct tree_entry *
tree_node(unsigned minor)
{
   const struct tree *tree = &trees[tree_driver()];

   for (size_t i = 0; i < tree->count; i++)
      if (tree->entries[i].kind == TREE_NODE && tree->entries[i].minor == minor)
         return &tree->entries[i];
   return NULL;
}

const char *
tree_canonical(const struct tree_entry *entry)
{
   return entry->kind == TREE_LINK ? entry->target : entry->path;
}

const char *
tree_child(const struct tree_entry *directory, size_t n)
{
   const struct tree *tree = &trees[tree_driver()];
   size_t length = strlen(directory->path);

   for (size_t i = 0; i < tree->count; i++) {
      const char *path = tree->entries[i].path;

      if (!strncmp(path, directory->path, length) && path[length] == '/' &&
          !strchr(path + length + 1, '/') && !n--)
         return path + length + 1;
   }
   return NULL;
}

const char *
tree_text(const struct tree_entry *entry)
{
   return entry->of_chip ? of_chip[entry->of_chip][chip_choose()] : entry->text;
}

void
tree_status(const struct tree_entry *entry, struct tree_status *status)
{
   *status = (struct tree_status){ .inode = (uint32_t)(entry - trees[tree_driver()].entries) + 1 };
   switch (entry->kind) {
   case TREE_DIRECTORY:
      status->mode = S_IFDIR | 0755;
      break;
   case TREE_NODE:
      status->mode = S_IFCHR | 0666;
      status->device = makedev(TREE_MAJOR, entry->minor);
      break;
   case TREE_LINK:
      status->mode = S_IFLNK | 0777;
      break;
   default:
      status->mode = S_IFREG | 0444;
      status->size = (uint32_t)strlen(tree_text(entry));
   }
}
