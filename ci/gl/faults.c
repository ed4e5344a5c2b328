/* SPDX-License-Identifier: MIT */
/*
 * Calls that fail: a library for LD_PRELOAD that lets calls of Atoll's own code for memory,
 * mappings, files, threads and ioctls fail, one site at a time.
 *
 * A site is a call with the three return addresses above it that are Atoll's, as a number of 16
 * hexadecimal digits.  What is Atoll's is said by ranges of the library's addresses, for Mesa's own
 * code is in the same library.
 *
 *   ATOLL_FAULTS_LIBRARY  the name of the library
 *   ATOLL_FAULTS_RANGES   a file of lines `first last`, hexadecimal offsets in the library
 *   ATOLL_FAULTS_RECORD   a file that gets a line `site call offset` for each site that is reached
 *   ATOLL_FAULTS_SITE     the site of which a call fails, once
 *   ATOLL_FAULTS_ALWAYS   set: all calls of that site fail
 *
 * A call that failed is said on standard error, once.
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX_RANGES 4096
#define MAX_SITES  65536 /* a power of two */
#define FRAMES     16
#define DEPTH      3 /* return addresses that make a site */

#define EXPORT __attribute__((visibility("default")))

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

struct range {
   uintptr_t first, last;
};

static struct range ranges[MAX_RANGES];
static unsigned num_ranges;
static const char *library;
static _Atomic uintptr_t base;
static atomic_bool ready;
static int record = -1;
static uint64_t site;
static bool always;
static atomic_bool done;
static _Atomic uint64_t seen[MAX_SITES];
static __thread bool inside; /* a call of this library's own */

static int
find_library(struct dl_phdr_info *info, size_t size, void *data)
{
   const char *name = strrchr(info->dlpi_name, '/');

   if (!strcmp(name ? name + 1 : info->dlpi_name, library))
      *(uintptr_t *)data = info->dlpi_addr;
   return 0;
}

/* The offset of an address of Atoll's in the library; 0: it is another's. */
static uintptr_t
ours(const void *address)
{
   const uintptr_t start = atomic_load(&base), offset = (uintptr_t)address - start;
   unsigned low = 0, high = num_ranges;

   if (!start || (uintptr_t)address < start)
      return 0;
   while (low < high) {
      const unsigned middle = (low + high) / 2;

      if (offset > ranges[middle].last)
         low = middle + 1;
      else
         high = middle;
   }
   return low < num_ranges && offset >= ranges[low].first ? offset : 0;
}

/* True the first time. */
static bool
is_new(uint64_t hash)
{
   for (unsigned i = (unsigned)hash & (MAX_SITES - 1), tries = 0; tries < MAX_SITES;
        i = (i + 1) & (MAX_SITES - 1), tries++) {
      uint64_t none = 0;

      if (atomic_compare_exchange_strong(&seen[i], &none, hash))
         return true;
      if (none == hash)
         return false;
   }
   return false;
}

/* Whether a call that returns to `caller` fails. */
static bool
fails(const char *call, const void *caller)
{
   void *frames[FRAMES];
   uint64_t hash = 0xcbf29ce484222325u;
   uintptr_t offset;
   unsigned depth = 0;
   char line[96];
   int count;

   if (!atomic_load(&ready) || inside)
      return false;
   if (!atomic_load(&base)) {
      uintptr_t found = 0;

      inside = true;
      dl_iterate_phdr(find_library, &found);
      inside = false;
      atomic_store(&base, found);
   }
   offset = ours(caller);
   if (!offset)
      return false;
   inside = true;
   count = backtrace(frames, FRAMES);
   inside = false;
   for (int i = 0; i < count && depth < DEPTH; i++) {
      const uintptr_t frame = ours(frames[i]);

      if (!frame)
         continue;
      hash = (hash ^ frame) * 0x100000001b3u;
      hash ^= hash >> 29;
      depth++;
   }
   if (record >= 0 && is_new(hash | 1)) {
      const int length = snprintf(line, sizeof(line), "%016llx %s %llx\n",
                                  (unsigned long long)(hash | 1), call, (unsigned long long)offset);

      if (write(record, line, (size_t)length) != length)
         _exit(99);
   }
   if (!site || (hash | 1) != site || (atomic_exchange(&done, true) && !always))
      return false;
   if (is_new(~site)) {
      const int length = snprintf(line, sizeof(line), "faults: %s fails\n", call);

      if (write(2, line, (size_t)length) != length)
         _exit(99);
   }
   return true;
}

__attribute__((constructor)) static void
begin(void)
{
   const char *path = getenv("ATOLL_FAULTS_RANGES"), *to = getenv("ATOLL_FAULTS_RECORD");
   const char *one = getenv("ATOLL_FAULTS_SITE");
   FILE *file = path ? fopen(path, "r") : NULL;
   unsigned long first, last;
   void *frame[1];

   library = getenv("ATOLL_FAULTS_LIBRARY");
   if (!file || !library)
      return;
   while (num_ranges < MAX_RANGES && fscanf(file, "%lx %lx", &first, &last) == 2)
      ranges[num_ranges++] = (struct range){ first, last };
   fclose(file);
   if (to)
      record = open(to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
   site = one ? strtoull(one, NULL, 16) : 0;
   always = getenv("ATOLL_FAULTS_ALWAYS") != NULL;
   backtrace(frame, 1); /* it loads a library at its first call */
   atomic_store(&ready, true);
}

#define CALLER     __builtin_extract_return_addr(__builtin_return_address(0))
#define NEXT(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

EXPORT void *
malloc(size_t size)
{
   if (fails("malloc", CALLER)) {
      errno = ENOMEM;
      return NULL;
   }
   return __libc_malloc(size);
}

EXPORT void *
calloc(size_t count, size_t size)
{
   if (fails("calloc", CALLER)) {
      errno = ENOMEM;
      return NULL;
   }
   return __libc_calloc(count, size);
}

EXPORT void *
realloc(void *old, size_t size)
{
   if (fails("realloc", CALLER)) {
      errno = ENOMEM;
      return NULL;
   }
   return __libc_realloc(old, size);
}

EXPORT void *
aligned_alloc(size_t alignment, size_t size)
{
   if (fails("aligned_alloc", CALLER)) {
      errno = ENOMEM;
      return NULL;
   }
   return __libc_memalign(alignment, size);
}

EXPORT int
posix_memalign(void **to, size_t alignment, size_t size)
{
   void *memory = fails("posix_memalign", CALLER) ? NULL : __libc_memalign(alignment, size);

   if (!memory)
      return ENOMEM;
   *to = memory;
   return 0;
}

EXPORT char *
strdup(const char *text)
{
   const size_t size = strlen(text) + 1;
   char *copy = fails("strdup", CALLER) ? NULL : __libc_malloc(size);

   if (!copy) {
      errno = ENOMEM;
      return NULL;
   }
   return memcpy(copy, text, size);
}

/* A function of the C library's: RETURN_TYPE NAME ARGUMENTS, its call, its error, and its result
 * then. */
#define CALL(type, name, arguments, values, error, failed) \
   EXPORT type name arguments                              \
   {                                                       \
      static __typeof__(&name) _Atomic next;               \
                                                           \
      if (fails(#name, CALLER)) {                          \
         errno = error;                                    \
         return failed;                                    \
      }                                                    \
      if (!next)                                           \
         next = NEXT(name);                                \
      return next values;                                  \
   }

CALL(void *, mmap, (void *address, size_t size, int protection, int flags, int fd, off_t offset),
     (address, size, protection, flags, fd, offset), ENOMEM, MAP_FAILED)
CALL(int, mprotect, (void *address, size_t size, int protection), (address, size, protection),
     ENOMEM, -1)
CALL(int, madvise, (void *address, size_t size, int advice), (address, size, advice), ENOMEM, -1)
CALL(int, memfd_create, (const char *name, unsigned flags), (name, flags), EMFILE, -1)
CALL(int, ftruncate, (int fd, off_t size), (fd, size), ENOSPC, -1)
CALL(int, fallocate, (int fd, int mode, off_t offset, off_t size), (fd, mode, offset, size), ENOSPC,
     -1)
CALL(FILE *, fopen, (const char *path, const char *mode), (path, mode), EMFILE, NULL)
CALL(int, dup, (int fd), (fd), EMFILE, -1)
CALL(ssize_t, read, (int fd, void *to, size_t size), (fd, to, size), EIO, -1)
CALL(ssize_t, write, (int fd, const void *from, size_t size), (fd, from, size), ENOSPC, -1)
CALL(ssize_t, pread, (int fd, void *to, size_t size, off_t offset), (fd, to, size, offset), EIO, -1)

EXPORT void *
mremap(void *old, size_t old_size, size_t size, int flags, ...)
{
   static __typeof__(&mremap) _Atomic next;
   void *address = NULL;

   if (flags & MREMAP_FIXED) {
      va_list list;

      va_start(list, flags);
      address = va_arg(list, void *);
      va_end(list);
   }
   if (fails("mremap", CALLER)) {
      errno = ENOMEM;
      return MAP_FAILED;
   }
   if (!next)
      next = NEXT(mremap);
   return next(old, old_size, size, flags, address);
}

EXPORT int
open(const char *path, int flags, ...)
{
   static __typeof__(&open) _Atomic next;
   mode_t mode = 0;

   if (flags & (O_CREAT | O_TMPFILE)) {
      va_list list;

      va_start(list, flags);
      mode = va_arg(list, mode_t);
      va_end(list);
   }
   if (fails("open", CALLER)) {
      errno = EMFILE;
      return -1;
   }
   if (!next)
      next = NEXT(open);
   return next(path, flags, mode);
}

EXPORT int
fcntl(int fd, int command, ...)
{
   static __typeof__(&fcntl) _Atomic next;
   va_list list;
   void *argument;

   va_start(list, command);
   argument = va_arg(list, void *);
   va_end(list);
   if (fails("fcntl", CALLER)) {
      errno = EMFILE;
      return -1;
   }
   if (!next)
      next = NEXT(fcntl);
   return next(fd, command, argument);
}

EXPORT int
pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
               void *data)
{
   static __typeof__(&pthread_create) _Atomic next;

   if (fails("pthread_create", CALLER))
      return EAGAIN;
   if (!next)
      next = NEXT(pthread_create);
   return next(thread, attributes, start, data);
}
