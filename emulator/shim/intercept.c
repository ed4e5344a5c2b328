/* SPDX-License-Identifier: MIT */
/*
 * LD_PRELOAD: the C library's calls by which a program finds, opens and uses a render node.
 * Everything that is not about our node goes to the next definition of the same name.
 *
 * Functions that know of sizes of files have a second name, open64() beside open(): with another
 * structure or another off_t on 32-bit platforms, the same otherwise.  One macro makes both; its
 * argument is empty or 64.
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
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atoll/device.h>
#include <drm.h>

#include "memory/anonymous.h"
#include "shim/nodes.h"
#include "shim/tree.h"

#define EXPORT __attribute__((visibility("default")))

#define BOTH(macro) macro() macro(64)

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
typedef int closedir_fn(DIR *);
typedef int access_fn(const char *, int);
typedef ssize_t readlink_fn(const char *, char *, size_t);
typedef char *realpath_fn(const char *, char *);
typedef int close_fn(int);
typedef void closefrom_fn(int);
typedef int fclose_fn(FILE *);
typedef int dup_fn(int);
typedef int dup2_fn(int, int);
typedef int dup3_fn(int, int, int);
typedef int fcntl_fn(int, int, ...);
typedef int ioctl_fn(int, unsigned long, ...);
typedef ssize_t read_fn(int, void *, size_t);
typedef int munmap_fn(void *, size_t);
typedef void *mremap_fn(void *, size_t, size_t, int, ...);
typedef int epoll_ctl_fn(int, int, int, struct epoll_event *);
#define SIZED_TYPES(n)                                                    \
   typedef struct dirent##n *readdir##n##_fn(DIR *);                      \
   typedef int stat##n##_fn(const char *, struct stat##n *);              \
   typedef int fstat##n##_fn(int, struct stat##n *);                      \
   typedef int fstatat##n##_fn(int, const char *, struct stat##n *, int); \
   typedef void *mmap##n##_fn(void *, size_t, int, int, int, off##n##_t);
BOTH(SIZED_TYPES)

NEXT(opendir_fn, opendir)
NEXT(closedir_fn, closedir)
NEXT(access_fn, access)
NEXT(readlink_fn, readlink)
NEXT(realpath_fn, realpath)
NEXT(close_fn, close)
NEXT(closefrom_fn, closefrom)
NEXT(fclose_fn, fclose)
NEXT(dup_fn, dup)
NEXT(dup2_fn, dup2)
NEXT(dup3_fn, dup3)
NEXT(ioctl_fn, ioctl)
NEXT(read_fn, read)
NEXT(munmap_fn, munmap)
NEXT(mremap_fn, mremap)
NEXT(epoll_ctl_fn, epoll_ctl)
#define NEXT_SIZED(n)                \
   NEXT(open_fn, open##n)            \
   NEXT(openat_fn, openat##n)        \
   NEXT(fopen_fn, fopen##n)          \
   NEXT(readdir##n##_fn, readdir##n) \
   NEXT(stat##n##_fn, stat##n)       \
   NEXT(stat##n##_fn, lstat##n)      \
   NEXT(fstat##n##_fn, fstat##n)     \
   NEXT(fstatat##n##_fn, fstatat##n) \
   NEXT(fcntl_fn, fcntl##n)          \
   NEXT(mmap##n##_fn, mmap##n)
BOTH(NEXT_SIZED)

/* ---- Paths ---- */

/* What lies at the program's `path`, which may be a pointer to nothing: then it is none of ours,
 * and the system says EFAULT.  It is asked first whether it can read it. */
static bool
is_readable(const char *path)
{
   const int error = errno;
   const bool readable = path && (!syscall(SYS_faccessat, AT_FDCWD, path, F_OK) || errno != EFAULT);

   errno = error;
   return readable;
}

/* What the system would write: 0, or -1 with EFAULT where the program's `to` is none.  Where a
 * sandbox forbids the call, the copy is ours. */
static int
give(void *to, const void *from, size_t bytes)
{
   const struct iovec local = { (void *)(uintptr_t)from, bytes }, remote = { to, bytes };
   const int error = errno;
   const ssize_t given = bytes ? process_vm_writev(getpid(), &local, 1, &remote, 1, 0) : 0;

   if (given < 0 && (errno == ENOSYS || errno == EPERM)) {
      memcpy(to, from, bytes);
   } else if (given < 0 || (size_t)given != bytes) {
      errno = EFAULT;
      return -1;
   }
   errno = error;
   return 0;
}

static enum tree_kind
find(const char *path, bool follow, const struct tree_entry **entry)
{
   *entry = NULL;
   return is_readable(path) ? tree_find(path, follow, entry) : TREE_NONE;
}

/* ---- Opening ---- */

/* A descriptor with a file's text, or the node.  -2 when the path is not ours. */
static int
open_ours(const char *path, int flags)
{
   const struct tree_entry *entry;
   enum tree_kind kind = find(path, true, &entry);
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
      length = strlen(tree_text(entry));
      if (fd >= 0 &&
          (write(fd, tree_text(entry), length) != (ssize_t)length || lseek(fd, 0, SEEK_SET) != 0)) {
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

/* A stream with a file's text.  Returns whether the path is ours, with NULL and errno where it is
 * no file. */
static bool
fopen_ours(const char *path, FILE **file)
{
   const struct tree_entry *entry;

   *file = NULL;
   switch (find(path, true, &entry)) {
   case TREE_FILE:
      *file = fmemopen((void *)(uintptr_t)tree_text(entry), strlen(tree_text(entry)), "r");
      return true;
   case TREE_NODE:
   case TREE_DIRECTORY:
      errno = EACCES;
      return true;
   case TREE_ABSENT:
      errno = ENOENT;
      return true;
   default:
      return false;
   }
}

/* Those with _2 are what calls of the others become in fortified programs. */
#define OPEN(n)                                                            \
   EXPORT int open##n(const char *path, int flags, ...);                   \
   int open##n(const char *path, int flags, ...)                           \
   {                                                                       \
      mode_t mode = 0;                                                     \
      int fd = open_ours(path, flags);                                     \
                                                                           \
      if (fd != -2)                                                        \
         return fd;                                                        \
      MODE(flags, mode);                                                   \
      return next_open##n()(path, flags, mode);                            \
   }                                                                       \
   EXPORT int openat##n(int directory, const char *path, int flags, ...);  \
   int openat##n(int directory, const char *path, int flags, ...)          \
   {                                                                       \
      mode_t mode = 0;                                                     \
      int fd = open_ours(path, flags);                                     \
                                                                           \
      if (fd != -2)                                                        \
         return fd;                                                        \
      MODE(flags, mode);                                                   \
      return next_openat##n()(directory, path, flags, mode);               \
   }                                                                       \
   EXPORT int __open##n##_2(const char *path, int flags);                  \
   int __open##n##_2(const char *path, int flags)                          \
   {                                                                       \
      int fd = open_ours(path, flags);                                     \
                                                                           \
      return fd != -2 ? fd : next_open##n()(path, flags);                  \
   }                                                                       \
   EXPORT int __openat##n##_2(int directory, const char *path, int flags); \
   int __openat##n##_2(int directory, const char *path, int flags)         \
   {                                                                       \
      int fd = open_ours(path, flags);                                     \
                                                                           \
      return fd != -2 ? fd : next_openat##n()(directory, path, flags);     \
   }                                                                       \
   EXPORT FILE *fopen##n(const char *path, const char *mode);              \
   FILE *fopen##n(const char *path, const char *mode)                      \
   {                                                                       \
      FILE *file;                                                          \
                                                                           \
      return fopen_ours(path, &file) ? file : next_fopen##n()(path, mode); \
   }
BOTH(OPEN)

/* ---- Directories ---- */

struct directory {
   const struct tree_entry *entry;
   size_t at;
   union {
      struct dirent dirent;
      struct dirent64 dirent64;
   };
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
   enum tree_kind kind = find(path, true, &entry);
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

/* The name of the next child, with its kind as readdir() has it; NULL after the last. */
static const char *
next_child(struct directory *d, unsigned char *type)
{
   const struct tree_entry *child;
   const char *name = tree_child(d->entry, d->at);
   char path[PATH_MAX];

   if (!name)
      return NULL;
   d->at++;
   snprintf(path, sizeof(path), "%s/%s", d->entry->path, name);
   switch (tree_find(path, false, &child)) {
   case TREE_DIRECTORY:
      *type = DT_DIR;
      break;
   case TREE_LINK:
      *type = DT_LNK;
      break;
   case TREE_NODE:
      *type = DT_CHR;
      break;
   default:
      *type = DT_REG;
   }
   return name;
}

#define READDIR(n)                                                            \
   EXPORT struct dirent##n *readdir##n(DIR *dir);                             \
   struct dirent##n *readdir##n(DIR *dir)                                     \
   {                                                                          \
      struct directory *d = ours(dir);                                        \
      const char *name;                                                       \
      unsigned char type;                                                     \
                                                                              \
      if (!d)                                                                 \
         return next_readdir##n()(dir);                                       \
      name = next_child(d, &type);                                            \
      if (!name)                                                              \
         return NULL;                                                         \
      d->dirent##n.d_type = type;                                             \
      d->dirent##n.d_ino = d->at;                                             \
      d->dirent##n.d_reclen = sizeof(d->dirent##n);                           \
      snprintf(d->dirent##n.d_name, sizeof(d->dirent##n.d_name), "%s", name); \
      return &d->dirent##n;                                                   \
   }
BOTH(READDIR)

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
status_ours(const char *path, struct tree_status *status, bool follow)
{
   const struct tree_entry *entry;
   enum tree_kind kind = find(path, follow, &entry);

   if (kind == TREE_NONE || (kind == TREE_LINK && follow))
      return -2;
   if (kind == TREE_ABSENT) {
      errno = ENOENT;
      return -1;
   }
   tree_status(entry, status);
   return 0;
}

/* Whether fstatat() asks about a node's descriptor; the path may be a pointer to nothing. */
static bool
is_node_itself(int fd, const char *path, int flags)
{
   struct node *node = flags & AT_EMPTY_PATH ? nodes_use(fd, false) : NULL;
   bool itself;

   if (!node)
      return false;
   itself = !path || (is_readable(path) && !*path);
   nodes_done(node);
   return itself;
}

/* One answer under two names: calling the other by its name would come back through whoever else
 * intercepts it.  Those with x are what the others were before glibc 2.33, for programs from then;
 * the sanitizers' fstat() calls the old one.  The version is of the structure: there is one. */
#define STAT(n)                                                                                   \
   static int fill_stat##n(const struct tree_status *status, struct stat##n *st)                  \
   {                                                                                              \
      struct stat##n all;                                                                         \
                                                                                                  \
      memset(&all, 0, sizeof(all));                                                               \
      all.st_ino = status->inode;                                                                 \
      all.st_nlink = 1;                                                                           \
      all.st_blksize = 4096;                                                                      \
      all.st_mode = status->mode;                                                                 \
      all.st_rdev = status->device;                                                               \
      all.st_size = status->size;                                                                 \
      return give(st, &all, sizeof(all));                                                         \
   }                                                                                              \
   static int stat##n##_path(const char *path, struct stat##n *st)                                \
   {                                                                                              \
      struct tree_status status;                                                                  \
      int result = status_ours(path, &status, true);                                              \
                                                                                                  \
      if (result == -2)                                                                           \
         return next_stat##n()(path, st);                                                         \
      return result ? result : fill_stat##n(&status, st);                                         \
   }                                                                                              \
   static int lstat##n##_path(const char *path, struct stat##n *st)                               \
   {                                                                                              \
      struct tree_status status;                                                                  \
      int result = status_ours(path, &status, false);                                             \
                                                                                                  \
      if (result == -2)                                                                           \
         return next_lstat##n()(path, st);                                                        \
      return result ? result : fill_stat##n(&status, st);                                         \
   }                                                                                              \
   static int fstat##n##_descriptor(int fd, struct stat##n *st)                                   \
   {                                                                                              \
      struct tree_status status;                                                                  \
      struct node *node = nodes_use(fd, false);                                                   \
                                                                                                  \
      if (!node) {                                                                                \
         int result = next_fstat##n()(fd, st);                                                    \
                                                                                                  \
         /* A node that was opened in another process is an empty file without a name. */         \
         if (result || !S_ISREG(st->st_mode) || st->st_nlink || st->st_size ||                    \
             !(node = nodes_use(fd, true)))                                                       \
            return result;                                                                        \
      }                                                                                           \
      tree_status(nodes_entry(node), &status);                                                    \
      nodes_done(node);                                                                           \
      return fill_stat##n(&status, st);                                                           \
   }                                                                                              \
   static int fstatat##n##_path(int directory, const char *path, struct stat##n *st, int flags)   \
   {                                                                                              \
      struct tree_status status;                                                                  \
      int result;                                                                                 \
                                                                                                  \
      if (is_node_itself(directory, path, flags))                                                 \
         return fstat##n##_descriptor(directory, st);                                             \
      result = status_ours(path, &status, !(flags & AT_SYMLINK_NOFOLLOW));                        \
      if (result == -2)                                                                           \
         return next_fstatat##n()(directory, path, st, flags);                                    \
      return result ? result : fill_stat##n(&status, st);                                         \
   }                                                                                              \
   EXPORT int stat##n(const char *path, struct stat##n *st);                                      \
   int stat##n(const char *path, struct stat##n *st)                                              \
   {                                                                                              \
      return stat##n##_path(path, st);                                                            \
   }                                                                                              \
   EXPORT int lstat##n(const char *path, struct stat##n *st);                                     \
   int lstat##n(const char *path, struct stat##n *st)                                             \
   {                                                                                              \
      return lstat##n##_path(path, st);                                                           \
   }                                                                                              \
   EXPORT int fstat##n(int fd, struct stat##n *st);                                               \
   int fstat##n(int fd, struct stat##n *st)                                                       \
   {                                                                                              \
      return fstat##n##_descriptor(fd, st);                                                       \
   }                                                                                              \
   EXPORT int fstatat##n(int directory, const char *path, struct stat##n *st, int flags);         \
   int fstatat##n(int directory, const char *path, struct stat##n *st, int flags)                 \
   {                                                                                              \
      return fstatat##n##_path(directory, path, st, flags);                                       \
   }                                                                                              \
   EXPORT int __xstat##n(int version, const char *path, struct stat##n *st);                      \
   int __xstat##n(int version, const char *path, struct stat##n *st)                              \
   {                                                                                              \
      return stat##n##_path(path, st);                                                            \
   }                                                                                              \
   EXPORT int __lxstat##n(int version, const char *path, struct stat##n *st);                     \
   int __lxstat##n(int version, const char *path, struct stat##n *st)                             \
   {                                                                                              \
      return lstat##n##_path(path, st);                                                           \
   }                                                                                              \
   EXPORT int __fxstat##n(int version, int fd, struct stat##n *st);                               \
   int __fxstat##n(int version, int fd, struct stat##n *st)                                       \
   {                                                                                              \
      return fstat##n##_descriptor(fd, st);                                                       \
   }                                                                                              \
   EXPORT int __fxstatat##n(int version, int directory, const char *path, struct stat##n *st,     \
                            int flags);                                                           \
   int __fxstatat##n(int version, int directory, const char *path, struct stat##n *st, int flags) \
   {                                                                                              \
      return fstatat##n##_path(directory, path, st, flags);                                       \
   }
BOTH(STAT)

EXPORT int access(const char *path, int mode);
int
access(const char *path, int mode)
{
   struct tree_status status;
   int result = status_ours(path, &status, true);

   return result != -2 ? result : next_access()(path, mode);
}

EXPORT ssize_t readlink(const char *path, char *buffer, size_t size);
ssize_t
readlink(const char *path, char *buffer, size_t size)
{
   const struct tree_entry *entry;
   enum tree_kind kind = find(path, false, &entry);
   size_t length;

   if (kind == TREE_NONE)
      return next_readlink()(path, buffer, size);
   if (kind != TREE_LINK) {
      errno = kind == TREE_ABSENT ? ENOENT : EINVAL;
      return -1;
   }
   length = strlen(tree_text(entry));
   length = length < size ? length : size;
   return give(buffer, tree_text(entry), length) ? -1 : (ssize_t)length;
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
   enum tree_kind kind = find(path, true, &entry);

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
   struct node *node = nodes_closing(fd);
   int result = next_close()(fd);

   nodes_closed(fd, node);
   return result;
}

/* Old C libraries have neither of the next two. */
EXPORT int close_range(unsigned first, unsigned last, int flags);
int
close_range(unsigned first, unsigned last, int flags)
{
   int result = (int)syscall(SYS_close_range, first, last, flags);

   if (!result && !(flags & CLOSE_RANGE_CLOEXEC))
      nodes_closed_range(first, last);
   return result;
}

EXPORT void closefrom(int first);
void
closefrom(int first)
{
   closefrom_fn *next = next_closefrom();

   if (next)
      next(first);
   nodes_closed_range(first > 0 ? (unsigned)first : 0, UINT_MAX);
}

/* The C library closes a stream's descriptor by itself. */
EXPORT int fclose(FILE *file);
int
fclose(FILE *file)
{
   const int fd = fileno(file);
   struct node *node = nodes_closing(fd);
   int result = next_fclose()(file);

   nodes_closed(fd, node);
   return result;
}

EXPORT int dup(int fd);
int
dup(int fd)
{
   int copy = next_dup()(fd);

   nodes_duplicate(fd, copy);
   return copy;
}

/* `copy` is what `fd` is, and nothing that it was before. */
static void
replaced(int fd, int copy)
{
   nodes_closed_range((unsigned)copy, (unsigned)copy);
   nodes_duplicate(fd, copy);
}

EXPORT int dup2(int fd, int copy);
int
dup2(int fd, int copy)
{
   int result = next_dup2()(fd, copy);

   if (result >= 0 && fd != copy)
      replaced(fd, copy);
   return result;
}

EXPORT int dup3(int fd, int copy, int flags);
int
dup3(int fd, int copy, int flags)
{
   int result = next_dup3()(fd, copy, flags);

   if (result >= 0)
      replaced(fd, copy);
   return result;
}

#define FCNTL(n)                                            \
   EXPORT int fcntl##n(int fd, int command, ...);           \
   int fcntl##n(int fd, int command, ...)                   \
   {                                                        \
      va_list args;                                         \
      void *arg;                                            \
      int result;                                           \
                                                            \
      va_start(args, command);                              \
      arg = va_arg(args, void *);                           \
      va_end(args);                                         \
      result = next_fcntl##n()(fd, command, arg);           \
      if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) \
         nodes_duplicate(fd, result);                       \
      return result;                                        \
   }
BOTH(FCNTL)

/* ---- Using ---- */

EXPORT int ioctl(int fd, unsigned long request, ...);
int
ioctl(int fd, unsigned long request, ...)
{
   struct node *node;
   va_list args;
   void *arg;

   va_start(args, request);
   arg = va_arg(args, void *);
   va_end(args);
   node = _IOC_TYPE(request) == DRM_IOCTL_BASE ? nodes_use(fd, true) : NULL;
   if (node) {
      /* The C library's prototype and the caller may have sign-extended the number. */
      int result = atoll_client_ioctl(nodes_client(node), (unsigned int)request, arg);

      nodes_done(node);
      if (result < 0) {
         errno = -result;
         return -1;
      }
      return result;
   }
   return next_ioctl()(fd, request, arg);
}

/* The node's file is no kernel's: what is read of it are events of its screen, and epoll waits for
 * them at another descriptor.  poll() and select() always find it readable, and reading waits. */
EXPORT ssize_t read(int fd, void *buffer, size_t size);
ssize_t
read(int fd, void *buffer, size_t size)
{
   struct node *node = nodes_use(fd, false);
   const bool events = node && atoll_client_events(nodes_client(node)) >= 0;
   const ssize_t result =
      events ? atoll_client_read(nodes_client(node), buffer, size) : next_read()(fd, buffer, size);

   nodes_done(node);
   return result;
}

EXPORT ssize_t __read_chk(int fd, void *buffer, size_t size, size_t room);
ssize_t
__read_chk(int fd, void *buffer, size_t size, size_t room)
{
   return read(fd, buffer, size < room ? size : room);
}

EXPORT int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event);
int
epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event)
{
   struct node *node = nodes_use(fd, false);
   const int events = node ? atoll_client_events(nodes_client(node)) : -1;
   const int result = next_epoll_ctl()(epoll, operation, events >= 0 ? events : fd, event);

   nodes_done(node);
   return result;
}

#define MMAP(n)                                                                                 \
   EXPORT void *mmap##n(void *addr, size_t length, int prot, int flags, int fd,                 \
                        off##n##_t offset);                                                     \
   void *mmap##n(void *addr, size_t length, int prot, int flags, int fd, off##n##_t offset)     \
   {                                                                                            \
      struct node *node = flags & MAP_ANONYMOUS ? NULL : nodes_use(fd, false);                  \
      void *map;                                                                                \
                                                                                                \
      if (!node)                                                                                \
         return next_mmap##n()(addr, length, prot, flags, fd, offset);                          \
      map = atoll_client_mmap(nodes_client(node), addr, length, prot, flags, (uint64_t)offset); \
      nodes_done(node);                                                                         \
      return map;                                                                               \
   }
BOTH(MMAP)

EXPORT int munmap(void *addr, size_t length);
int
munmap(void *addr, size_t length)
{
   nodes_unmapping(addr, length);
   return next_munmap()(addr, length);
}

/* A mapping of a buffer does not grow, as a real device's does not: after it in the file are other
 * buffers. */
EXPORT void *mremap(void *addr, size_t length, size_t new_length, int flags, ...);
void *
mremap(void *addr, size_t length, size_t new_length, int flags, ...)
{
   va_list args;
   void *to;

   va_start(args, flags);
   to = flags & MREMAP_FIXED ? va_arg(args, void *) : NULL;
   va_end(args);
   if (new_length > length && nodes_mapped(addr)) {
      errno = EFAULT;
      return MAP_FAILED;
   }
   return next_mremap()(addr, length, new_length, flags, to);
}
