/* SPDX-License-Identifier: MIT */
/*
 * LD_PRELOAD: the C library's calls by which a program finds, opens and uses a render node.
 * Everything that is not about our node goes to the next definition of the same name.
 *
 * The 64-bit names are the same functions on the platforms we build for (off_t has 64 bits).
 */
/* The plain names must be the plain names: with this set, the headers would make open() be open64()
 * and so on. */
#undef _FILE_OFFSET_BITS
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atoll/device.h>
#include <drm.h>

#include "memory/anonymous.h"
#include "shim/nodes.h"
#include "shim/tree.h"

_Static_assert(sizeof(off_t) == 8, "the 64-bit names are aliases");

#define EXPORT __attribute__((visibility("default")))

/* The next definition of a function, looked up on first use. */
#define NEXT(type, name)                                                  \
   static type *next_##name(void)                                         \
   {                                                                      \
      static _Atomic(type *) next;                                        \
      type *function = atomic_load_explicit(&next, memory_order_relaxed); \
                                                                          \
      if (!function) {                                                    \
         function = (type *)dlsym(RTLD_NEXT, #name);                      \
         atomic_store_explicit(&next, function, memory_order_relaxed);    \
      }                                                                   \
      return function;                                                    \
   }

typedef int open_fn(const char *, int, ...);
typedef int openat_fn(int, const char *, int, ...);
typedef FILE *fopen_fn(const char *, const char *);
typedef DIR *opendir_fn(const char *);
typedef struct dirent *readdir_fn(DIR *);
typedef int closedir_fn(DIR *);
typedef int stat_fn(const char *, struct stat *);
typedef int fstat_fn(int, struct stat *);
typedef int fstatat_fn(int, const char *, struct stat *, int);
typedef int access_fn(const char *, int);
typedef ssize_t readlink_fn(const char *, char *, size_t);
typedef char *realpath_fn(const char *, char *);
typedef int close_fn(int);
typedef int dup_fn(int);
typedef int dup2_fn(int, int);
typedef int dup3_fn(int, int, int);
typedef int fcntl_fn(int, int, ...);
typedef int ioctl_fn(int, unsigned long, ...);
typedef void *mmap_fn(void *, size_t, int, int, int, off_t);

NEXT(open_fn, open)
NEXT(openat_fn, openat)
NEXT(fopen_fn, fopen)
NEXT(opendir_fn, opendir)
NEXT(readdir_fn, readdir)
NEXT(closedir_fn, closedir)
NEXT(stat_fn, stat)
NEXT(stat_fn, lstat)
NEXT(fstat_fn, fstat)
NEXT(fstatat_fn, fstatat)
NEXT(access_fn, access)
NEXT(readlink_fn, readlink)
NEXT(realpath_fn, realpath)
NEXT(close_fn, close)
NEXT(dup_fn, dup)
NEXT(dup2_fn, dup2)
NEXT(dup3_fn, dup3)
NEXT(fcntl_fn, fcntl)
NEXT(ioctl_fn, ioctl)
NEXT(mmap_fn, mmap)

/* ---- Opening ---- */

/* A descriptor with a file's text, or the node.  -2 when the path is not ours. */
static int
open_ours(const char *path, int flags)
{
   const struct tree_entry *entry;
   enum tree_kind kind = tree_find(path, true, &entry);
   size_t length;
   int fd;

   switch (kind) {
   case TREE_NONE:
   case TREE_LINK: /* leads out of the tree */
      return -2;
   case TREE_NODE:
      return nodes_open(entry, flags);
   case TREE_FILE:
      fd = anonymous_file("atoll-file", flags & O_CLOEXEC ? MFD_CLOEXEC : 0, NULL);
      length = strlen(entry->text);
      if (fd >= 0 &&
          (write(fd, entry->text, length) != (ssize_t)length || lseek(fd, 0, SEEK_SET) != 0)) {
         next_close()(fd);
         errno = EIO;
         return -1;
      }
      return fd;
   case TREE_DIRECTORY:
      /* Nothing can be read of a directory through a descriptor, but it can be opened. */
      return next_open()("/dev/null", O_PATH | (flags & O_CLOEXEC));
   default:
      errno = ENOENT;
      return -1;
   }
}

#define MODE(flags, mode)                    \
   do {                                      \
      if ((flags) & (O_CREAT | O_TMPFILE)) { \
         va_list args;                       \
         va_start(args, flags);              \
         mode = va_arg(args, mode_t);        \
         va_end(args);                       \
      }                                      \
   } while (0)

EXPORT int open(const char *path, int flags, ...);
int
open(const char *path, int flags, ...)
{
   mode_t mode = 0;
   int fd = open_ours(path, flags);

   if (fd != -2)
      return fd;
   MODE(flags, mode);
   return next_open()(path, flags, mode);
}

EXPORT int openat(int directory, const char *path, int flags, ...);
int
openat(int directory, const char *path, int flags, ...)
{
   mode_t mode = 0;
   int fd = open_ours(path, flags);

   if (fd != -2)
      return fd;
   MODE(flags, mode);
   return next_openat()(directory, path, flags, mode);
}

/* What calls of open() become in fortified programs. */
EXPORT int __open_2(const char *path, int flags);
int
__open_2(const char *path, int flags)
{
   int fd = open_ours(path, flags);

   return fd != -2 ? fd : next_open()(path, flags);
}

EXPORT int __openat_2(int directory, const char *path, int flags);
int
__openat_2(int directory, const char *path, int flags)
{
   int fd = open_ours(path, flags);

   return fd != -2 ? fd : next_openat()(directory, path, flags);
}

EXPORT FILE *fopen(const char *path, const char *mode);
FILE *
fopen(const char *path, const char *mode)
{
   const struct tree_entry *entry;
   enum tree_kind kind = tree_find(path, true, &entry);

   if (kind == TREE_FILE)
      return fmemopen((void *)(uintptr_t)entry->text, strlen(entry->text), "r");
   if (kind == TREE_NODE || kind == TREE_DIRECTORY) {
      errno = EACCES;
      return NULL;
   }
   if (kind == TREE_ABSENT) {
      errno = ENOENT;
      return NULL;
   }
   return next_fopen()(path, mode);
}

/* ---- Directories ---- */

struct directory {
   const struct tree_entry *entry;
   size_t at;
   struct dirent dirent;
};

/* Those of ours that are open: a DIR is known by its address. */
#define MAX_DIRECTORIES 32
static _Atomic(struct directory *) directories[MAX_DIRECTORIES];

static struct directory *
ours(DIR *dir)
{
   for (unsigned i = 0; dir && i < MAX_DIRECTORIES; i++)
      if ((DIR *)atomic_load(&directories[i]) == dir)
         return (struct directory *)dir;
   return NULL;
}

EXPORT DIR *opendir(const char *path);
DIR *
opendir(const char *path)
{
   const struct tree_entry *entry;
   enum tree_kind kind = tree_find(path, true, &entry);
   struct directory *d;

   if (kind == TREE_NONE || kind == TREE_LINK)
      return next_opendir()(path);
   if (kind != TREE_DIRECTORY) {
      errno = kind == TREE_ABSENT ? ENOENT : ENOTDIR;
      return NULL;
   }
   d = calloc(1, sizeof(*d));
   if (!d)
      return NULL;
   d->entry = entry;
   for (unsigned i = 0; i < MAX_DIRECTORIES; i++) {
      struct directory *none = NULL;

      if (atomic_compare_exchange_strong(&directories[i], &none, d))
         return (DIR *)d;
   }
   free(d);
   errno = EMFILE;
   return NULL;
}

EXPORT struct dirent *readdir(DIR *dir);
struct dirent *
readdir(DIR *dir)
{
   struct directory *d = ours(dir);
   const struct tree_entry *child;
   char path[PATH_MAX];
   const char *name;

   if (!d)
      return next_readdir()(dir);
   name = tree_child(d->entry, d->at);
   if (!name)
      return NULL;
   d->at++;
   snprintf(path, sizeof(path), "%s/%s", d->entry->path, name);
   switch (tree_find(path, false, &child)) {
   case TREE_DIRECTORY:
      d->dirent.d_type = DT_DIR;
      break;
   case TREE_LINK:
      d->dirent.d_type = DT_LNK;
      break;
   case TREE_NODE:
      d->dirent.d_type = DT_CHR;
      break;
   default:
      d->dirent.d_type = DT_REG;
   }
   d->dirent.d_ino = d->at;
   d->dirent.d_reclen = sizeof(d->dirent);
   snprintf(d->dirent.d_name, sizeof(d->dirent.d_name), "%s", name);
   return &d->dirent;
}

EXPORT int closedir(DIR *dir);
int
closedir(DIR *dir)
{
   struct directory *d = ours(dir);

   if (!d)
      return next_closedir()(dir);
   for (unsigned i = 0; i < MAX_DIRECTORIES; i++) {
      struct directory *expected = d;

      if (atomic_compare_exchange_strong(&directories[i], &expected, NULL))
         break;
   }
   free(d);
   return 0;
}

/* ---- Looking ---- */

/* 0 or -1 with errno; -2 when the path is not ours. */
static int
stat_ours(const char *path, struct stat *st, bool follow)
{
   const struct tree_entry *entry;
   enum tree_kind kind = tree_find(path, follow, &entry);

   if (kind == TREE_NONE || (kind == TREE_LINK && follow))
      return -2;
   if (kind == TREE_ABSENT) {
      errno = ENOENT;
      return -1;
   }
   tree_stat(entry, st);
   return 0;
}

/* One answer under two names: calling the other by its name would come back through whoever else
 * intercepts it. */
static int
stat_path(const char *path, struct stat *st)
{
   int result = stat_ours(path, st, true);

   return result != -2 ? result : next_stat()(path, st);
}

static int
lstat_path(const char *path, struct stat *st)
{
   int result = stat_ours(path, st, false);

   return result != -2 ? result : next_lstat()(path, st);
}

static int
fstat_descriptor(int fd, struct stat *st)
{
   if (nodes_client(fd, false)) {
      tree_stat(nodes_entry(fd), st);
      return 0;
   }
   return next_fstat()(fd, st);
}

static int
fstatat_path(int directory, const char *path, struct stat *st, int flags)
{
   int result;

   if (!*path && flags & AT_EMPTY_PATH && nodes_client(directory, false)) {
      tree_stat(nodes_entry(directory), st);
      return 0;
   }
   result = stat_ours(path, st, !(flags & AT_SYMLINK_NOFOLLOW));
   return result != -2 ? result : next_fstatat()(directory, path, st, flags);
}

EXPORT int stat(const char *path, struct stat *st);
int
stat(const char *path, struct stat *st)
{
   return stat_path(path, st);
}

EXPORT int lstat(const char *path, struct stat *st);
int
lstat(const char *path, struct stat *st)
{
   return lstat_path(path, st);
}

EXPORT int fstat(int fd, struct stat *st);
int
fstat(int fd, struct stat *st)
{
   return fstat_descriptor(fd, st);
}

EXPORT int fstatat(int directory, const char *path, struct stat *st, int flags);
int
fstatat(int directory, const char *path, struct stat *st, int flags)
{
   return fstatat_path(directory, path, st, flags);
}

/* What these were before glibc 2.33, for programs from then; the sanitizers' fstat() calls the old
 * one.  The version is of the structure: there is one on x86-64. */
EXPORT int __xstat(int version, const char *path, struct stat *st);
int
__xstat(int version, const char *path, struct stat *st)
{
   return stat_path(path, st);
}

EXPORT int __lxstat(int version, const char *path, struct stat *st);
int
__lxstat(int version, const char *path, struct stat *st)
{
   return lstat_path(path, st);
}

EXPORT int __fxstat(int version, int fd, struct stat *st);
int
__fxstat(int version, int fd, struct stat *st)
{
   return fstat_descriptor(fd, st);
}

EXPORT int __fxstatat(int version, int directory, const char *path, struct stat *st, int flags);
int
__fxstatat(int version, int directory, const char *path, struct stat *st, int flags)
{
   return fstatat_path(directory, path, st, flags);
}

EXPORT int access(const char *path, int mode);
int
access(const char *path, int mode)
{
   struct stat st;
   int result = stat_ours(path, &st, true);

   return result != -2 ? result : next_access()(path, mode);
}

EXPORT ssize_t readlink(const char *path, char *buffer, size_t size);
ssize_t
readlink(const char *path, char *buffer, size_t size)
{
   const struct tree_entry *entry;
   enum tree_kind kind = tree_find(path, false, &entry);
   size_t length;

   if (kind == TREE_NONE)
      return next_readlink()(path, buffer, size);
   if (kind != TREE_LINK) {
      errno = kind == TREE_ABSENT ? ENOENT : EINVAL;
      return -1;
   }
   length = strlen(entry->text);
   length = length < size ? length : size;
   memcpy(buffer, entry->text, length);
   return (ssize_t)length;
}

EXPORT ssize_t __readlink_chk(const char *path, char *buffer, size_t size, size_t room);
ssize_t
__readlink_chk(const char *path, char *buffer, size_t size, size_t room)
{
   return readlink(path, buffer, size < room ? size : room);
}

EXPORT char *realpath(const char *path, char *buffer);
char *
realpath(const char *path, char *buffer)
{
   const struct tree_entry *entry;
   enum tree_kind kind = tree_find(path, true, &entry);

   if (kind == TREE_NONE)
      return next_realpath()(path, buffer);
   if (kind == TREE_ABSENT) {
      errno = ENOENT;
      return NULL;
   }
   if (!buffer)
      return strdup(tree_canonical(entry));
   return strcpy(buffer, tree_canonical(entry));
}

EXPORT char *__realpath_chk(const char *path, char *buffer, size_t room);
char *
__realpath_chk(const char *path, char *buffer, size_t room)
{
   return room < PATH_MAX ? NULL : realpath(path, buffer);
}

/* ---- Descriptors ---- */

EXPORT int close(int fd);
int
close(int fd)
{
   nodes_closed(fd);
   return next_close()(fd);
}

EXPORT int dup(int fd);
int
dup(int fd)
{
   int copy = next_dup()(fd);

   nodes_duplicate(fd, copy);
   return copy;
}

EXPORT int dup2(int fd, int copy);
int
dup2(int fd, int copy)
{
   int result = next_dup2()(fd, copy);

   if (result >= 0 && fd != copy) {
      nodes_closed(copy);
      nodes_duplicate(fd, copy);
   }
   return result;
}

EXPORT int dup3(int fd, int copy, int flags);
int
dup3(int fd, int copy, int flags)
{
   int result = next_dup3()(fd, copy, flags);

   if (result >= 0) {
      nodes_closed(copy);
      nodes_duplicate(fd, copy);
   }
   return result;
}

EXPORT int fcntl(int fd, int command, ...);
int
fcntl(int fd, int command, ...)
{
   va_list args;
   void *arg;
   int result;

   va_start(args, command);
   arg = va_arg(args, void *);
   va_end(args);
   result = next_fcntl()(fd, command, arg);
   if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
      nodes_duplicate(fd, result);
   return result;
}

/* ---- Using ---- */

EXPORT int ioctl(int fd, unsigned long request, ...);
int
ioctl(int fd, unsigned long request, ...)
{
   struct atoll_client *client;
   va_list args;
   void *arg;

   va_start(args, request);
   arg = va_arg(args, void *);
   va_end(args);
   client = _IOC_TYPE(request) == DRM_IOCTL_BASE ? nodes_client(fd, true) : NULL;
   if (client) {
      /* The C library's prototype and the caller may have sign-extended the number. */
      int result = atoll_client_ioctl(client, (unsigned int)request, arg);

      if (result < 0) {
         errno = -result;
         return -1;
      }
      return result;
   }
   return next_ioctl()(fd, request, arg);
}

EXPORT void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset);
void *
mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
{
   struct atoll_client *client = flags & MAP_ANONYMOUS ? NULL : nodes_client(fd, false);

   if (client)
      return atoll_client_mmap(client, addr, length, prot, flags, (uint64_t)offset);
   return next_mmap()(addr, length, prot, flags, fd, offset);
}

/* ---- The 64-bit names ---- */

#define ALIAS(name) __attribute__((visibility("default"), alias(#name)))

extern __typeof__(open) open64 ALIAS(open);
extern __typeof__(openat) openat64 ALIAS(openat);
extern __typeof__(__open_2) __open64_2 ALIAS(__open_2);
extern __typeof__(__openat_2) __openat64_2 ALIAS(__openat_2);
extern __typeof__(fopen) fopen64 ALIAS(fopen);
extern __typeof__(fcntl) fcntl64 ALIAS(fcntl);
extern __typeof__(mmap) mmap64 ALIAS(mmap);

/* The headers declare these with struct stat64 and struct dirent64, equal to the plain ones. */
#define ASM_ALIAS(alias, name) \
   __asm__(".globl " #alias "\n\t.type " #alias ", %function\n\t.set " #alias ", " #name)

ASM_ALIAS(stat64, stat);
ASM_ALIAS(lstat64, lstat);
ASM_ALIAS(fstat64, fstat);
ASM_ALIAS(fstatat64, fstatat);
ASM_ALIAS(__xstat64, __xstat);
ASM_ALIAS(__lxstat64, __lxstat);
ASM_ALIAS(__fxstat64, __fxstat);
ASM_ALIAS(__fxstatat64, __fxstatat);
ASM_ALIAS(readdir64, readdir);
