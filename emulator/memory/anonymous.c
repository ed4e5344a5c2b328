/* SPDX-License-Identifier: MIT */
/* memfd_create(), and what does for it where that is forbidden; see anonymous.h. */
#include "memory/anonymous.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

/* With less free, a folder is the last choice: containers have a /dev/shm of 64 MiB. */
#define ENOUGH (UINT64_C(256) << 20)

static int
unnamed(const char *folder, unsigned flags)
{
   return open(folder, O_TMPFILE | O_RDWR | (flags & MFD_CLOEXEC ? O_CLOEXEC : 0), 0600);
}

int
anonymous_file(const char *name, unsigned flags, bool *bounded)
{
   static const char *const folders[] = { "/dev/shm", "/tmp", "/var/tmp" };
   const int fd = memfd_create(name, flags);
   const int error = errno;

   if (bounded)
      *bounded = fd < 0;
   if (fd >= 0 || flags & MFD_ALLOW_SEALING)
      return fd;
   for (unsigned any = 0; any < 2; any++) {
      for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
         struct statvfs room;
         int file;

         if (!any &&
             (statvfs(folders[i], &room) || (uint64_t)room.f_bavail * room.f_frsize < ENOUGH))
            continue;
         file = unnamed(folders[i], flags);
         if (file >= 0)
            return file;
      }
   }
   errno = error;
   return -1;
}

int
file_status(int fd, struct stat *status)
{
#if defined(__x86_64__) || defined(__aarch64__)
   return (int)syscall(SYS_fstat, fd, status);
#else
   return fstat(fd, status);
#endif
}
