/* SPDX-License-Identifier: MIT */
/* A device in another process: its clients, what they have of it, and its end; see remote.h. */
#include "frontdoor/remote_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <drm.h>

#include "frontdoor/device.h"
#include "memory/anonymous.h"
#include "memory/arena.h"

/* Where somebody sees the program's munmap(), ours would come back for the lock that is held. */
static void
unmap_own(void *address, size_t length)
{
   syscall(SYS_munmap, address, length);
}

struct remote *
remote_open(const char *where, bool forked)
{
   const bool process = !strcmp(where, "process");
   struct remote *remote;

   if (!process && !strchr(where, '/')) {
      fprintf(stderr, "atoll: ATOLL_DEVICE=%s: neither `process' nor the path of a socket\n",
              where);
      errno = EINVAL;
      return NULL;
   }
   remote = calloc(1, sizeof(*remote));
   if (!remote)
      return NULL;
   remote->root = -1;
   remote->forked = forked;
   remote->path = process ? NULL : strdup(where);
   if (!process && !remote->path) {
      free(remote);
      return NULL;
   }
   pthread_mutex_init(&remote->starting, NULL);
   pthread_mutex_init(&remote->lock, NULL);
   pthread_cond_init(&remote->free, NULL);
   return remote;
}

/* ---- Forks ---- */

void
remote_lock(struct remote *remote)
{
   pthread_mutex_lock(&remote->lock);
}

void
remote_unlock(struct remote *remote)
{
   pthread_mutex_unlock(&remote->lock);
}

/* Maps of buffers are not in the child (MADV_DONTFORK).  The program may still have pointers. */
void
remote_forked(struct remote *remote)
{
   for (const struct remote_view *v = remote->views; v; v = v->next)
      mmap((void *)v->address, v->length, v->prot,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
   for (struct remote_client *rc = remote->clients; rc; rc = rc->next) {
      for (struct remote_channel *c = rc->channels; c; c = c->next)
         close(c->fd);
      close(rc->control);
   }
   if (remote->root >= 0)
      close(remote->root);
}

/* ---- What clients have of it ---- */

struct remote_buffer *
remote_buffer(struct remote_client *rc, uint32_t handle, bool make)
{
   if (make && handle && handle <= GEM_MAX_HANDLES && handle > rc->num_buffers) {
      const uint32_t count = handle * 2 > 64 ? handle * 2 : 64;
      struct remote_buffer *grown = realloc(rc->buffers, count * sizeof(*grown));

      if (!grown)
         return NULL;
      memset(grown + rc->num_buffers, 0, (count - rc->num_buffers) * sizeof(*grown));
      rc->buffers = grown;
      rc->num_buffers = count;
   }
   if (!handle || handle > rc->num_buffers)
      return NULL;
   if (make) {
      if (rc->buffers[handle - 1].size && rc->buffers[handle - 1].fd >= 0)
         close(rc->buffers[handle - 1].fd);
      rc->buffers[handle - 1] = (struct remote_buffer){ .fd = -1 };
      return &rc->buffers[handle - 1];
   }
   return rc->buffers[handle - 1].size ? &rc->buffers[handle - 1] : NULL;
}

/* A map of it stays, of a buffer that has no handle. */
static void
forget_buffer(struct remote_client *rc, uint32_t handle)
{
   struct remote_buffer *b = remote_buffer(rc, handle, false);

   if (!b)
      return;
   for (struct remote_view *v = rc->remote->views; v; v = v->next)
      if (v->rc == rc && v->handle == handle)
         v->handle = 0;
   if (b->fd >= 0)
      close(b->fd);
   b->size = 0;
}

struct remote_guilt *
remote_guilt_of(struct remote_client *rc, uint32_t context, bool make)
{
   struct remote_guilt *grown;

   for (unsigned i = 0; i < rc->num_guilt; i++)
      if (rc->guilt[i].context == context)
         return &rc->guilt[i];
   grown = make ? realloc(rc->guilt, (rc->num_guilt + 1) * sizeof(*grown)) : NULL;
   if (!grown)
      return NULL;
   rc->guilt = grown;
   rc->guilt[rc->num_guilt] = (struct remote_guilt){ .context = context };
   return &rc->guilt[rc->num_guilt++];
}

/* ---- Maps ---- */

static size_t
whole_pages(size_t length)
{
   return (length + ARENA_PAGE - 1) & ~(size_t)(ARENA_PAGE - 1);
}

/* Those that touch a range are none of ours any more; the pages that are left stay as they are. */
static void
forget_views(struct remote *remote, uintptr_t address, size_t length)
{
   for (struct remote_view **v = &remote->views; *v;) {
      struct remote_view *view = *v;

      if (address < view->address + view->length && view->address < address + length) {
         *v = view->next;
         free(view);
      } else {
         v = &view->next;
      }
   }
}

void
remote_unmapping(struct remote *remote, const void *address, size_t length)
{
   pthread_mutex_lock(&remote->lock);
   forget_views(remote, (uintptr_t)address, whole_pages(length));
   pthread_mutex_unlock(&remote->lock);
}

bool
remote_mapped(struct remote *remote, const void *address)
{
   const struct remote_view *v;

   pthread_mutex_lock(&remote->lock);
   v = remote->views;
   while (v && (uintptr_t)address - v->address >= v->length)
      v = v->next;
   pthread_mutex_unlock(&remote->lock);
   return v != NULL;
}

/* What the device gave as a buffer's file: no access to it may end in a SIGBUS. */
static bool
is_buffer(int fd, uint64_t offset, size_t length, struct stat *st)
{
   const int seals = fcntl(fd, F_GET_SEALS);

   return seals >= 0 && seals & F_SEAL_SHRINK && !file_status(fd, st) && st->st_size >= 0 &&
          offset <= (uint64_t)st->st_size && length <= (uint64_t)st->st_size - offset;
}

/* The descriptor of a buffer's file, and *offset in it, from one at its mmap offset; -1 with
 * errno. */
static int
ask_map(struct remote_call *call, int result, uint64_t *offset, size_t length, struct stat *st)
{
   const int fd = call->answer;

   if (result || fd < 0 || !is_buffer(fd, call->reply.head.offset, length, st)) {
      errno = result ? -result : EINVAL;
      return -1;
   }
   *offset = call->reply.head.offset;
   return fd;
}

void *
remote_mmap(struct remote_client *rc, void *address, size_t length, int prot, int flags,
            uint64_t offset)
{
   struct remote_call call = {
      .rc = rc,
      .head = { .kind = WIRE_MAP, .offset = offset, .length = whole_pages(length) },
      .fd = -1,
   };
   struct remote_view *view = malloc(sizeof(*view));
   const size_t pages = whole_pages(length);
   uint64_t in_file;
   struct stat st;
   void *map = MAP_FAILED;
   bool stale;
   int fd, error, cancel;

   if (!view || !pages) {
      free(view);
      errno = pages ? ENOMEM : EINVAL;
      return MAP_FAILED;
   }
   pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
   do {
      fd = ask_map(&call, remote_run(&call), &in_file, pages, &st);
      pthread_mutex_lock(&rc->remote->lock);
      stale = fd >= 0 && remote_is_stale(&call);
      if (fd >= 0 && !stale)
         map = mmap(address, length, prot, MAP_SHARED | (flags & MAP_FIXED), fd, (off_t)in_file);
      if (map != MAP_FAILED) {
         madvise(map, pages, MADV_DONTFORK);
         forget_views(rc->remote, (uintptr_t)map, pages);
         *view = (struct remote_view){
            .next = rc->remote->views,
            .rc = rc,
            .address = (uintptr_t)map,
            .length = pages,
            .offset = offset & ((UINT64_C(1) << GEM_MMAP_SHIFT) - 1),
            .handle = (uint32_t)(offset >> GEM_MMAP_SHIFT),
            .prot = prot,
            .ino = st.st_ino,
         };
         rc->remote->views = view;
         view = NULL;
      }
      pthread_mutex_unlock(&rc->remote->lock);
      error = errno;
      remote_finish(&call);
   } while (stale);
   free(view);
   pthread_setcancelstate(cancel, NULL);
   errno = error;
   return map;
}

/* ---- Ioctls ---- */

/* DRM's own ioctls that name memory; what of them the driver knows, it adds. */
static int
gather(struct remote_call *call, unsigned nr, const void *arg)
{
   const struct drm_version *version = arg;
   const struct remote_driver *driver = call->rc->client->device->driver->remote;

   if (nr >= DRM_COMMAND_BASE && nr < DRM_COMMAND_END)
      return driver->gather(call, nr - DRM_COMMAND_BASE, arg);
   if (nr != _IOC_NR(DRM_IOCTL_VERSION))
      return 0;

   const struct {
      const void *address;
      size_t bytes;
   } strings[] = { { version->name, version->name_len },
                   { version->date, version->date_len },
                   { version->desc, version->desc_len } };

   for (unsigned i = 0; i < 3; i++) {
      const size_t most = WIRE_OUT_BYTES / 4;

      if (strings[i].address)
         remote_add(call, (uintptr_t)strings[i].address,
                    strings[i].bytes < most ? strings[i].bytes : most, WIRE_OUT);
   }
   return 0;
}

/* Keeps what others have of a buffer as well. */
static void
share(struct remote_client *rc, uint32_t handle, uint64_t size, int fd)
{
   struct remote_buffer *b = remote_buffer(rc, handle, false);

   if (!b) {
      b = size ? remote_buffer(rc, handle, true) : NULL;
      if (!b)
         return;
      b->size = size;
   }
   if (b->fd < 0 && fd >= 0)
      b->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

/* Programs take the lengths for those of what is in their memory, and the addresses for theirs. */
static void
bound_version(struct drm_version *answer, const struct drm_version *asked)
{
   answer->name = asked->name;
   answer->date = asked->date;
   answer->desc = asked->desc;
   if (asked->name && answer->name_len > asked->name_len)
      answer->name_len = asked->name_len;
   if (asked->date && answer->date_len > asked->date_len)
      answer->date_len = asked->date_len;
   if (asked->desc && answer->desc_len > asked->desc_len)
      answer->desc_len = asked->desc_len;
}

/* What DRM's own ioctls changed.  `fd` is the program's descriptor that went in.  0 or a negative
 * errno. */
static int
answered(struct remote_call *call, unsigned nr, void *arg, int fd)
{
   struct remote_client *rc = call->rc;
   struct drm_prime_handle *prime = arg;
   struct stat st;

   if (nr >= DRM_COMMAND_BASE && nr < DRM_COMMAND_END) {
      rc->client->device->driver->remote->answered(call, nr - DRM_COMMAND_BASE, arg);
      return 0;
   }
   switch (nr) {
   case _IOC_NR(DRM_IOCTL_PRIME_HANDLE_TO_FD):
      prime->fd = -1;
      if (call->answer < 0)
         return -EMFILE; /* it came, and there was no room for it */
      if (!is_buffer(call->answer, 0, 0, &st))
         return -EPROTO;
      share(rc, prime->handle, 0, call->answer);
      prime->fd = call->answer;
      call->answer = -1;
      if (prime->fd >= 0 && !(prime->flags & DRM_CLOEXEC))
         fcntl(prime->fd, F_SETFD, 0);
      break;
   case _IOC_NR(DRM_IOCTL_PRIME_FD_TO_HANDLE):
      share(rc, prime->handle, file_status(fd, &st) ? 0 : (uint64_t)st.st_size, fd);
      prime->fd = fd;
      break;
   case _IOC_NR(DRM_IOCTL_GEM_OPEN):
      share(rc, ((struct drm_gem_open *)arg)->handle, ((struct drm_gem_open *)arg)->size, -1);
      break;
   default:
      break;
   }
   return 0;
}

/* What is said of the program's own descriptor, and what goes with the message. */
static int
take_descriptor(struct remote_call *call, unsigned nr, void *arg)
{
   struct drm_prime_handle *prime = arg;
   struct stat st;

   call->fd = -1;
   if (nr != _IOC_NR(DRM_IOCTL_PRIME_FD_TO_HANDLE))
      return 0;
   if (file_status(prime->fd, &st))
      return -EBADF;
   if (!is_buffer(prime->fd, 0, 0, &st))
      return -EPERM;
   call->fd = prime->fd;
   return 0;
}

/* One attempt.  *stale: the answer was that of a device which has ended meanwhile, and what it
 * gave is nothing now. */
static int
run_ioctl(struct remote_call *call, unsigned nr, void *copy, bool *stale)
{
   struct remote_client *rc = call->rc;
   int result = remote_run(call);

   *stale = false;
   if (!call->channel)
      return result;
   memcpy(copy, call->reply.arg, call->head.arg_bytes);
   if (nr == _IOC_NR(DRM_IOCTL_VERSION))
      bound_version(copy, call->arg);
   if (!result) {
      pthread_mutex_lock(&rc->remote->lock);
      *stale = remote_is_stale(call) && !call->drops && !call->once;
      if (!*stale)
         result = answered(call, nr, copy, call->fd);
      pthread_mutex_unlock(&rc->remote->lock);
   }
   return remote_give(call) ? -EFAULT : result;
}

static int
call_ioctl(struct remote_client *rc, unsigned long request, void *copy)
{
   const unsigned nr = _IOC_NR(request);
   uint64_t asked[FRONTDOOR_ARG / 8] = { 0 };
   struct remote_call call = {
      .rc = rc,
      .head = { .kind = WIRE_IOCTL, .request = (uint32_t)request, .arg_bytes = _IOC_SIZE(request) },
      .arg = asked
   };
   int result = take_descriptor(&call, nr, copy);
   bool stale = false;

   if (!result)
      result = gather(&call, nr, copy);
   if (result)
      return result;
   if (nr == _IOC_NR(DRM_IOCTL_GEM_CLOSE)) {
      /* Before the device gives the handle to another thread; the next device never has it. */
      pthread_mutex_lock(&rc->remote->lock);
      forget_buffer(rc, ((const struct drm_gem_close *)copy)->handle);
      call.once = true;
      call.generation = atomic_load(&rc->generation);
      pthread_mutex_unlock(&rc->remote->lock);
   }
   memcpy(asked, copy, call.head.arg_bytes);
   do {
      result = run_ioctl(&call, nr, copy, &stale);
      remote_finish(&call);
   } while (stale);
   return result;
}

int
remote_ioctl(struct remote_client *rc, unsigned long request, void *copy)
{
   int cancel, result;

   /* A thread that is cancelled would keep a channel, and a descriptor that came. */
   pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
   result = call_ioctl(rc, request, copy);
   pthread_setcancelstate(cancel, NULL);
   return result;
}

/* ---- A device's end, and the next ---- */

/* Remembers of one that has ended what its clients ask for later.  Call with remote->lock held. */
static void
blame(struct remote_client *rc)
{
   const uint64_t executing = rc->status ? atomic_load(&rc->status->executing) : 0;
   struct remote_guilt *g;

   rc->resets_before += rc->resets_now + 1;
   rc->resets_now = 0;
   for (unsigned i = 0; i < rc->num_guilt; i++) {
      rc->guilt[i].before += rc->guilt[i].now;
      rc->guilt[i].now = 0;
      rc->guilt[i].ended = false;
   }
   g = executing & STATUS_EXECUTING ? remote_guilt_of(rc, (uint32_t)executing, true) : NULL;
   if (g) {
      g->before++;
      g->ended = true;
   }
}

/* An ioctl to a device that has just been started: where that ends, too, it fails. */
static int
ioctl_once(struct remote_client *rc, unsigned long request, void *arg, int fd)
{
   struct remote_call call = {
      .rc = rc,
      .head = { .kind = WIRE_IOCTL, .request = (uint32_t)request, .arg_bytes = _IOC_SIZE(request) },
      .arg = arg,
      .fd = fd,
      .answer = -1
   };
   int result = remote_once(&call);

   if (!result)
      memcpy(arg, call.reply.arg, call.head.arg_bytes);
   remote_finish(&call);
   return result;
}

static int
plain_ioctl(struct remote_client *rc, unsigned long request, void *arg)
{
   return ioctl_once(rc, request, arg, -1);
}

/* Maps a buffer's new memory where its old is, with what is in that, unless others have it. */
static int
restore_view(struct remote_client *rc, const struct remote_view *old, bool copy)
{
   struct remote_call call = {
      .rc = rc,
      .head = { .kind = WIRE_MAP,
                .offset = (uint64_t)old->handle << GEM_MMAP_SHIFT | old->offset,
                .length = old->length },
      .fd = -1,
   };
   uint64_t offset = 0;
   struct stat st;
   const int fd = ask_map(&call, remote_once(&call), &offset, old->length, &st);
   void *at = (void *)old->address, *fresh;
   struct remote_view *view;
   int result = fd < 0 ? -errno : 0;

   pthread_mutex_lock(&rc->remote->lock);
   view = rc->remote->views;
   while (view && view->address != old->address)
      view = view->next;
   if (!result && view) {
      fresh = mmap(NULL, old->length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
      if (fresh == MAP_FAILED) {
         result = -errno;
      } else {
         if (copy && old->prot & PROT_READ)
            memcpy(fresh, at, old->length);
         unmap_own(fresh, old->length);
      }
      if (!result &&
          mmap(at, old->length, old->prot, MAP_SHARED | MAP_FIXED, fd, (off_t)offset) == MAP_FAILED)
         result = -errno;
      madvise(at, old->length, MADV_DONTFORK);
      view->ino = st.st_ino;
   }
   pthread_mutex_unlock(&rc->remote->lock);
   remote_finish(&call);
   return result;
}

/* What a client has, at one moment. */
struct snapshot {
   struct remote_buffer *buffers;
   uint32_t num_buffers;
   struct remote_view *views;
   uint32_t num_views;
};

/* Marks views of which the file is where the kernel's list says. */
static bool
keep_view(void *data, const struct mapping *m)
{
   struct snapshot *s = data;

   for (uint32_t i = 0; i < s->num_views; i++)
      if (s->views[i].address >= m->start && s->views[i].address < m->end &&
          s->views[i].ino == m->file.inode)
         s->views[i].next = &s->views[i];
   return true;
}

/* The program may have unmapped some unheard. */
static void
drop_gone_views(struct snapshot *s)
{
   uint32_t kept = 0;

   for (uint32_t i = 0; i < s->num_views; i++)
      s->views[i].next = NULL;
   mappings_read(keep_view, s);
   for (uint32_t i = 0; i < s->num_views; i++)
      if (s->views[i].next)
         s->views[kept++] = s->views[i];
   s->num_views = kept;
}

/* False: no memory.  Call with remote->lock held. */
static bool
take_snapshot(struct remote_client *rc, struct snapshot *s)
{
   uint32_t views = 0;

   *s = (struct snapshot){ 0 };
   for (const struct remote_view *v = rc->remote->views; v; v = v->next)
      views++;
   s->buffers = malloc((rc->num_buffers + 1) * sizeof(*s->buffers));
   s->views = malloc((views + 1) * sizeof(*s->views));
   if (s->buffers && s->views) {
      s->num_buffers = rc->num_buffers;
      if (s->num_buffers)
         memcpy(s->buffers, rc->buffers, s->num_buffers * sizeof(*s->buffers));
      while (s->num_buffers && !s->buffers[s->num_buffers - 1].size)
         s->num_buffers--;
      for (const struct remote_view *v = rc->remote->views; v; v = v->next)
         if (v->rc == rc && v->handle)
            s->views[s->num_views++] = *v;
      drop_gone_views(s);
   }
   return s->buffers && s->views;
}

/* The connection for calls, and what the client has as it begins.  0 or a negative errno. */
static int
connect_client(struct remote_client *rc, struct snapshot *snapshot)
{
   bool taken;
   int status, fd = remote_connect(rc->remote, &status);
   void *page = MAP_FAILED;

   *snapshot = (struct snapshot){ 0 };
   if (fd < 0)
      return -errno;
   if (status >= 0) {
      struct stat st;

      if (is_buffer(status, 0, STATUS_BYTES, &st))
         page = mmap(NULL, STATUS_BYTES, PROT_READ, MAP_SHARED, status, 0);
      close(status);
   }
   pthread_mutex_lock(&rc->remote->lock);
   if (rc->status)
      unmap_own(rc->status, STATUS_BYTES);
   rc->status = page == MAP_FAILED ? NULL : page;
   if (page != MAP_FAILED)
      madvise(page, STATUS_BYTES, MADV_DONTFORK);
   rc->control = fd;
   taken = take_snapshot(rc, snapshot);
   pthread_mutex_unlock(&rc->remote->lock);
   return taken ? 0 : -ENOMEM;
}

/* The device gives out the least free handle: those that the client does not have are filled, and
 * closed in the end. */
static int
restore_buffers(struct remote_client *rc, const struct snapshot *s)
{
   const struct remote_driver *driver = rc->client->device->driver->remote;
   int result = 0;

   for (uint32_t handle = 1; handle <= s->num_buffers && !result; handle++) {
      const struct remote_buffer none = { .size = ARENA_PAGE, .fd = -1 };
      const struct remote_buffer *b = s->buffers[handle - 1].size ? &s->buffers[handle - 1] : &none;
      struct drm_prime_handle prime = { .fd = b->fd };
      uint32_t got = 0;

      if (b->fd >= 0) {
         result = ioctl_once(rc, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime, b->fd);
         got = prime.handle;
      } else {
         result = driver->create(rc, b, &got, plain_ioctl);
      }
      if (!result && got != handle)
         result = -EPROTO;
      if (!result && b != &none)
         result = driver->restore(rc, b, handle, plain_ioctl);
   }
   for (uint32_t handle = 1; handle <= s->num_buffers && !result; handle++)
      if (!s->buffers[handle - 1].size)
         result = plain_ioctl(rc, DRM_IOCTL_GEM_CLOSE, &(struct drm_gem_close){ .handle = handle });
   return result;
}

/* Everything that the client has in a device which knows nothing of it yet. */
static int
restore(struct remote_client *rc, const struct snapshot *s)
{
   int result = rc->render ? remote_tell(rc, WIRE_RENDER) : 0;

   if (!result)
      result = restore_buffers(rc, s);
   for (uint32_t i = 0; i < s->num_views && !result; i++) {
      const struct remote_view *v = &s->views[i];

      if (v->handle <= s->num_buffers && s->buffers[v->handle - 1].size)
         result = restore_view(rc, v, s->buffers[v->handle - 1].fd < 0);
   }
   return result;
}

static void
drop_snapshot(struct snapshot *s)
{
   free(s->buffers);
   free(s->views);
}

/* One attempt; 0 or a negative errno. */
static int
connect_again(struct remote_client *rc)
{
   struct snapshot snapshot;
   int result;

   result = connect_client(rc, &snapshot);
   if (!result)
      result = restore(rc, &snapshot);
   drop_snapshot(&snapshot);
   if (result) {
      /* Nothing of what is half there may be used. */
      pthread_mutex_lock(&rc->remote->lock);
      remote_disconnect(rc);
      pthread_mutex_unlock(&rc->remote->lock);
   }
   return result;
}

bool
remote_again(struct remote_client *rc, unsigned generation)
{
   struct remote *remote = rc->remote;
   int cancel, result = 0;
   bool there;

   pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
   pthread_mutex_lock(&remote->starting);
   if (atomic_load(&rc->generation) == generation) {
      pthread_mutex_lock(&remote->lock);
      /* One end is one reset, however often a device is looked for. */
      if (!rc->lost)
         blame(rc);
      rc->restoring = true;
      remote_disconnect(rc);
      pthread_mutex_unlock(&remote->lock);
      for (unsigned i = 0; i < REMOTE_ATTEMPTS && (!i || result); i++)
         result = connect_again(rc);
      pthread_mutex_lock(&remote->lock);
      rc->lost = result != 0;
      rc->restoring = false;
      pthread_mutex_unlock(&remote->lock);
      fprintf(stderr, "atoll: the device's process has ended, which is a reset; %s\n",
              result ? "there is no other" : "there is another one now");
   }
   there = !rc->lost;
   pthread_mutex_unlock(&remote->starting);
   pthread_setcancelstate(cancel, NULL);
   return there;
}

/* ---- Clients ---- */

struct remote_client *
remote_client_open(struct remote *remote, const struct atoll_client *client)
{
   struct remote_client *rc = calloc(1, sizeof(*rc));
   struct snapshot none;
   int result;

   if (!rc)
      return NULL;
   rc->remote = remote;
   rc->client = client;
   rc->control = -1;
   pthread_mutex_lock(&remote->starting);
   result = connect_client(rc, &none);
   pthread_mutex_unlock(&remote->starting);
   drop_snapshot(&none);
   if (result) {
      if (rc->control >= 0)
         close(rc->control);
      free(rc);
      errno = -result;
      return NULL;
   }
   pthread_mutex_lock(&remote->lock);
   rc->next = remote->clients;
   remote->clients = rc;
   pthread_mutex_unlock(&remote->lock);
   return rc;
}

void
remote_client_render(struct remote_client *rc)
{
   struct remote_call call = { .rc = rc, .head = { .kind = WIRE_RENDER }, .fd = -1 };

   rc->render = true;
   remote_run(&call);
   remote_finish(&call);
}

void
remote_client_close(struct remote_client *rc)
{
   struct remote *remote = rc->remote;

   /* Others may wait for what this one has submitted; of a client that ends without, it is dropped.
    */
   remote_tell(rc, WIRE_FINISH);
   pthread_mutex_lock(&remote->lock);
   for (struct remote_client **c = &remote->clients; *c; c = &(*c)->next) {
      if (*c == rc) {
         *c = rc->next;
         break;
      }
   }
   for (struct remote_view **v = &remote->views; *v;) {
      struct remote_view *view = *v;

      if (view->rc == rc) {
         *v = view->next;
         free(view);
      } else {
         v = &view->next;
      }
   }
   remote_disconnect(rc);
   for (uint32_t i = 0; i < rc->num_buffers; i++)
      forget_buffer(rc, i + 1);
   if (rc->status)
      unmap_own(rc->status, STATUS_BYTES);
   pthread_mutex_unlock(&remote->lock);
   free(rc->buffers);
   free(rc->guilt);
   free(rc);
}

size_t
remote_messages(struct remote *remote, char *buffer, size_t size)
{
   struct remote_call call = { .head = { .kind = WIRE_MESSAGES }, .fd = -1, .answer = -1 };
   const size_t room = size < WIRE_OUT_BYTES ? size : WIRE_OUT_BYTES;

   if (!size)
      return 0;
   pthread_mutex_lock(&remote->lock);
   call.rc = remote->clients;
   pthread_mutex_unlock(&remote->lock);
   memset(buffer, 0, room);
   if (call.rc && (!remote_add(&call, (uintptr_t)buffer, room, WIRE_OUT) || remote_run(&call) ||
                   remote_give(&call)))
      *buffer = 0;
   buffer[room - 1] = 0;
   remote_finish(&call);
   return strlen(buffer);
}
