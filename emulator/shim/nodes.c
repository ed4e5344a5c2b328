/* SPDX-License-Identifier: MIT */
/* A table from descriptors to nodes, and the list of nodes; see nodes.h. */
#include "shim/nodes.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atoll/device.h>

#include "memory/anonymous.h"
#include "panthor/panthor.h"
#include "shim/tree.h"

#define MAX_FDS 65536

/* A node's memfd, with its device number. */
#define NAME         "atoll-node-"
#define RENDER_MINOR 128u /* the least of render nodes */

/* With struct stat as the C library has it for a 64-bit off_t, everywhere. */
#ifdef SYS_newfstatat
#define SYS_STAT SYS_newfstatat
#else
#define SYS_STAT SYS_fstatat64
#endif

struct node {
   struct node *next;
   struct atoll_client *client;
   const struct tree_entry *entry;
   atomic_uint references; /* descriptors, and calls that use it */
   dev_t dev;
   ino_t ino;
};

/* Process-wide by nature: descriptors are. */
static _Atomic(struct node *) table[MAX_FDS];
static struct node *all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct atoll_device *) used; /* the device that nodes lead to, once there is one */
static _Atomic pid_t owner; /* of the process with these descriptors; 0: there are none yet */

/* In the table: somebody is closing the descriptor, which is not to be taken for a node's that was
 * opened unnoticed. */
static struct node closing;

static void
before_fork(void)
{
   pthread_mutex_lock(&lock);
}

static void
after_fork(void)
{
   pthread_mutex_unlock(&lock);
}

static void
in_child(void)
{
   atomic_store(&owner, getpid());
   pthread_mutex_unlock(&lock);
}

static void
watch(void)
{
   pthread_atfork(before_fork, after_fork, in_child);
   atomic_store(&owner, getpid());
}

/* Not in a child of vfork(): it has other descriptors. */
static bool
is_owner(void)
{
   return atomic_load(&owner) == getpid();
}

/* The file as it is, past our own stat(). */
static bool
identity(int fd, dev_t *dev, ino_t *ino)
{
   struct stat st;

   if (syscall(SYS_STAT, fd, "", &st, AT_EMPTY_PATH))
      return false;
   *dev = st.st_dev;
   *ino = st.st_ino;
   return true;
}

/* The node of `fd` with a client of its own, in no list yet; NULL with errno. */
static struct node *
node_create(int fd, const struct tree_entry *entry)
{
   static pthread_once_t watched = PTHREAD_ONCE_INIT;
   struct atoll_device *device =
      tree_driver() == TREE_PANTHOR ? panthor_device_get() : atoll_device_get();
   struct node *node = device ? calloc(1, sizeof(*node)) : NULL;
   int error;

   pthread_once(&watched, watch);
   if (node && identity(fd, &node->dev, &node->ino))
      node->client = atoll_client_open(device);
   if (!node || !node->client) {
      error = errno;
      free(node);
      errno = error;
      return NULL;
   }
   atomic_store_explicit(&used, device, memory_order_release);
   node->entry = entry;
   atomic_init(&node->references, 1);
   return node;
}

/* Puts `node`, with its reference, in the table for `fd`.  Returns the node that was there, which
 * the caller lets go of, or NULL. */
static struct node *
exchange(int fd, struct node *node)
{
   struct node *old = atomic_exchange(&table[fd], node);

   return old == &closing ? NULL : old;
}

int
nodes_open(const struct tree_entry *entry, int flags)
{
   struct node *node = NULL;
   char name[32];
   int fd, error;

   snprintf(name, sizeof(name), NAME "%u", entry->minor);
   fd = anonymous_file(name, flags & O_CLOEXEC ? MFD_CLOEXEC : 0, NULL);
   if (fd >= MAX_FDS)
      errno = EMFILE;
   else if (fd >= 0)
      node = node_create(fd, entry);
   if (!node) {
      error = errno;
      if (fd >= 0)
         syscall(SYS_close, fd);
      errno = error;
      return -1;
   }
   atoll_client_check_memory(node->client);
   if (entry->minor >= RENDER_MINOR)
      atoll_client_render(node->client);
   pthread_mutex_lock(&lock);
   node->next = all;
   all = node;
   pthread_mutex_unlock(&lock);
   nodes_done(exchange(fd, node));
   return fd;
}

/* Which node another process opened here, or NULL. */
static const struct tree_entry *
foreign(int fd)
{
   char link[32], text[64];
   unsigned minor;
   long length;

   snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
   length = syscall(SYS_readlinkat, AT_FDCWD, link, text, sizeof(text) - 1);
   if (length <= 0)
      return NULL;
   text[length] = 0;
   return sscanf(text, "/memfd:" NAME "%u", &minor) == 1 ? tree_node(minor) : NULL;
}

/* The node of that file among ours, or NULL.  The lock is held. */
static struct node *
of_file(dev_t dev, ino_t ino)
{
   struct node *node = all;

   while (node && (node->ino != ino || node->dev != dev))
      node = node->next;
   return node;
}

/* The node of that file among ours, with `fd` as one more descriptor of it, and one more use; or
 * NULL. */
static struct node *
find(int fd, dev_t dev, ino_t ino)
{
   struct node *node, *none = NULL;

   pthread_mutex_lock(&lock);
   node = of_file(dev, ino);
   if (node) {
      atomic_fetch_add(&node->references, 2);
      if (!atomic_compare_exchange_strong(&table[fd], &none, node))
         atomic_fetch_sub(&node->references, 1);
   }
   pthread_mutex_unlock(&lock);
   return node;
}

/* What another process opened, as a node of ours with one use; NULL if it is none. */
static struct node *
adopt(int fd, dev_t dev, ino_t ino)
{
   const struct tree_entry *entry = foreign(fd);
   struct node *node = entry ? node_create(fd, entry) : NULL, *other, *none = NULL;

   if (!node)
      return NULL;
   pthread_mutex_lock(&lock);
   other = of_file(dev, ino);
   if (!other) {
      node->next = all;
      all = node;
      if (atomic_compare_exchange_strong(&table[fd], &none, node))
         atomic_fetch_add(&node->references, 1);
   }
   pthread_mutex_unlock(&lock);
   if (!other)
      return node;
   /* Another thread was faster. */
   atoll_client_close(node->client);
   free(node);
   return find(fd, dev, ino);
}

/* The node that the table has, with one use more; NULL: none. */
static struct node *
take(int fd)
{
   struct node *node;

   if (!atomic_load_explicit(&table[fd], memory_order_relaxed))
      return NULL;
   pthread_mutex_lock(&lock);
   node = atomic_load(&table[fd]);
   if (node && node != &closing)
      atomic_fetch_add(&node->references, 1);
   pthread_mutex_unlock(&lock);
   return node;
}

struct node *
nodes_use(int fd, bool search)
{
   struct node *node;
   dev_t dev;
   ino_t ino;

   if (fd < 0 || fd >= MAX_FDS)
      return NULL;
   node = take(fd);
   if (node == &closing || (!node && !search) || !identity(fd, &dev, &ino)) {
      if (node && node != &closing)
         nodes_done(node);
      return NULL;
   }
   if (node && (node->dev != dev || node->ino != ino)) {
      struct node *stale = node;

      /* It was closed in a way that is not seen, and is another file now. */
      if (is_owner() && atomic_compare_exchange_strong(&table[fd], &stale, NULL))
         nodes_done(node);
      nodes_done(node);
      node = NULL;
   }
   if (!node && search) {
      node = find(fd, dev, ino);
      if (!node)
         node = adopt(fd, dev, ino);
   }
   return node;
}

void
nodes_done(struct node *node)
{
   bool last;

   if (!node)
      return;
   pthread_mutex_lock(&lock);
   last = atomic_fetch_sub(&node->references, 1) == 1;
   for (struct node **n = &all; last && *n; n = &(*n)->next) {
      if (*n == node) {
         *n = node->next;
         break;
      }
   }
   pthread_mutex_unlock(&lock);
   if (last) {
      int error = errno;

      atoll_client_close(node->client);
      free(node);
      errno = error;
   }
}

struct atoll_client *
nodes_client(const struct node *node)
{
   return node->client;
}

const struct tree_entry *
nodes_entry(const struct node *node)
{
   return node->entry;
}

struct node *
nodes_closing(int fd)
{
   struct node *node;

   if (fd < 0 || fd >= MAX_FDS || !atomic_load_explicit(&table[fd], memory_order_relaxed) ||
       !is_owner())
      return NULL;
   pthread_mutex_lock(&lock);
   node = atomic_load(&table[fd]);
   if (node && node != &closing)
      atomic_store(&table[fd], &closing);
   pthread_mutex_unlock(&lock);
   return node == &closing ? NULL : node;
}

void
nodes_closed(int fd, struct node *node)
{
   struct node *mark = &closing;

   if (!node)
      return;
   /* Unless the descriptor is in use again. */
   atomic_compare_exchange_strong(&table[fd], &mark, NULL);
   nodes_done(node);
}

void
nodes_closed_range(unsigned first, unsigned last)
{
   for (unsigned fd = first; fd <= last && fd < MAX_FDS; fd++) {
      struct node *node = nodes_closing((int)fd);

      nodes_closed((int)fd, node);
   }
}

void
nodes_duplicate(int fd, int copy)
{
   struct node *node = copy >= 0 && copy < MAX_FDS ? nodes_use(fd, false) : NULL;

   /* The use becomes the copy's. */
   if (node)
      nodes_done(is_owner() ? exchange(copy, node) : node);
}

void
nodes_unmapping(void *address, size_t length)
{
   struct atoll_device *device = atomic_load_explicit(&used, memory_order_acquire);

   if (device)
      atoll_device_unmapping(device, address, length);
}

bool
nodes_mapped(const void *address)
{
   struct atoll_device *device = atomic_load_explicit(&used, memory_order_acquire);

   return device && atoll_device_mapped(device, address);
}
