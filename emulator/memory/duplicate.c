/* SPDX-License-Identifier: MIT */
/*
 * Duplicates mappings; see duplicate.h.
 *
 * mremap() of nothing (old size 0) duplicates a shared mapping, of any length: what lies in the
 * file beyond the mapping would come with it.  So the list of mappings says what there is, and each
 * of them is duplicated by itself.
 *
 * Of a file that may shrink the pages may go at any time, so that it must be sealed against it.
 */
#include "memory/duplicate.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

struct walk {
   const struct mapped_file *own;
   uint64_t start, end; /* what is asked for */
   uint64_t next;       /* all before it is mapped */
   uint8_t *copy;       /* where `start` is duplicated to */
   unsigned parts;      /* mappings */
   bool any_private, any_shared;
   int error;
};

static bool
is_sealed(int fd)
{
   const int seals = fcntl(fd, F_GET_SEALS);

   return seals >= 0 && seals & F_SEAL_SHRINK;
}

/* By whichever descriptor of it the process has. */
static bool
is_sealed_file(const struct mapped_file *file)
{
   DIR *all = opendir("/proc/self/fd");
   bool sealed = false;

   for (struct dirent *entry; all && !sealed && (entry = readdir(all));) {
      const int fd = atoi(entry->d_name);
      struct stat st;

      sealed = entry->d_name[0] != '.' && !fstat(fd, &st) && st.st_ino == file->inode &&
               major(st.st_dev) == file->major && minor(st.st_dev) == file->minor && is_sealed(fd);
   }
   if (all)
      closedir(all);
   return sealed;
}

/* By the mapping itself, which the kernel lets privileged processes open. */
static bool
is_sealed_mapping(const struct mapping *m)
{
   char path[80];
   int fd;
   bool sealed;

   snprintf(path, sizeof(path), "/proc/self/map_files/%llx-%llx", (unsigned long long)m->start,
            (unsigned long long)m->end);
   fd = open(path, O_RDONLY | O_CLOEXEC);
   sealed = fd >= 0 && is_sealed(fd);
   if (fd >= 0)
      close(fd);
   return sealed;
}

/* What has no descriptor that could be cut: anonymous memory, System V's, and what the winsys has
 * made of private pages, sealed. */
static bool
may_shrink(const struct mapping *m)
{
   static const char *const safe[] = { "/dev/zero (deleted)", "/anon_hugepage (deleted)", "/SYSV",
                                       "/memfd:atoll-pages " };

   for (size_t i = 0; i < sizeof(safe) / sizeof(safe[0]); i++)
      if (!strncmp(m->name, safe[i], strlen(safe[i])))
         return false;
   return !is_sealed_mapping(m) && !is_sealed_file(&m->file);
}

static bool
look(void *data, const struct mapping *m)
{
   struct walk *w = data;

   if (m->end <= w->start)
      return true;
   if (m->start > w->next || w->next >= w->end)
      return false;
   if (!m->readable || !m->writable || (m->shared && mapped_file_equals(&m->file, w->own)) ||
       (m->shared && may_shrink(m))) {
      w->error = EFAULT;
      return false;
   }
   w->any_shared |= m->shared;
   w->any_private |= !m->shared;
   w->next = m->end;
   return w->next < w->end;
}

/* The part of a mapping that is asked for.  What changes meanwhile is an error, or as it was. */
static bool
copy_part(void *data, const struct mapping *m)
{
   struct walk *w = data;
   const uint64_t start = m->start > w->start ? m->start : w->start;
   const uint64_t end = m->end < w->end ? m->end : w->end;
   void *to = w->copy + (start - w->start);

   if (m->end <= w->start)
      return true;
   if (start >= w->end || start != w->next)
      return false;
   if (mremap((void *)(uintptr_t)start, 0, end - start, MREMAP_MAYMOVE | MREMAP_FIXED, to) != to) {
      w->error = errno == ENOMEM ? ENOMEM : EFAULT;
      return false;
   }
   w->next = end;
   w->parts++;
   return w->next < w->end;
}

/* Of w->start to w->end at w->copy. */
static void
copy_all(struct walk *w)
{
   w->next = w->start;
   w->parts = 0;
   mappings_read(copy_part, w);
   if (!w->error && w->next < w->end)
      w->error = EFAULT;
}

bool
duplicate_again(void *to, const void *from, uint64_t size, bool whole)
{
   struct walk w = { .start = (uintptr_t)from, .end = (uintptr_t)from + size, .copy = to };

   if (whole)
      return mremap((void *)(uintptr_t)from, 0, size, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to;
   copy_all(&w);
   errno = w.error;
   return !w.error;
}

void *
duplicate(void *address, uint64_t size, const struct mapped_file *own, bool *whole)
{
   struct walk w = { .own = own, .start = (uintptr_t)address };

   w.next = w.start;
   w.end = w.start + size;
   if (!size || w.end < w.start) {
      errno = EFAULT;
      return NULL;
   }
   if (!mappings_read(look, &w)) {
      errno = EOPNOTSUPP;
      return NULL;
   }
   if (!w.error && w.next < w.end)
      w.error = EFAULT;
   if (!w.error && w.any_private)
      w.error = w.any_shared ? EINVAL : EOPNOTSUPP;
   if (w.error) {
      errno = w.error;
      return NULL;
   }
   w.copy = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   if (w.copy == MAP_FAILED)
      return NULL;
   copy_all(&w);
   *whole = w.parts == 1;
   /* A mapping may be longer than its file. */
   if (!w.error && madvise(w.copy, size, MADV_POPULATE_WRITE) && errno != EINVAL)
      w.error = EFAULT;
   if (!w.error)
      return w.copy;
   munmap(w.copy, size);
   errno = w.error;
   return NULL;
}
