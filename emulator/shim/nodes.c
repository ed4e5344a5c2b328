/* SPDX-License-Identifier: MIT */
/* A table from descriptors to nodes, and the list of nodes; see nodes.h. */
#include "shim/nodes.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atoll/device.h>

#include "memory/anonymous.h"

#define MAX_FDS 65536

struct node {
   struct node *next;
   struct atoll_client *client;
   const struct tree_entry *entry;
   atomic_uint references; /* descriptors */
   dev_t dev;
   ino_t ino;
};

/* Process-wide by nature: descriptors are. */
static _Atomic(struct node *) table[MAX_FDS];
static struct node *all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The file as it is, past our own stat(). */
static bool
identity(int fd, dev_t *dev, ino_t *ino)
{
   struct stat st;

   if (syscall(SYS_newfstatat, fd, "", &st, AT_EMPTY_PATH))
      return false;
   *dev = st.st_dev;
   *ino = st.st_ino;
   return true;
}

int
nodes_open(const struct tree_entry *entry, int flags)
{
   struct atoll_device *device = atoll_device_get();
   struct node *node;
   int fd, error;

   if (!device)
      return -1;
   node = calloc(1, sizeof(*node));
   fd = anonymous_file("atoll-node", flags & O_CLOEXEC ? MFD_CLOEXEC : 0, NULL);
   if (fd >= MAX_FDS) {
      syscall(SYS_close, fd);
      fd = -1;
      errno = EMFILE;
   }
   if (node && fd >= 0 && identity(fd, &node->dev, &node->ino))
      node->client = atoll_client_open(device);
   if (!node || fd < 0 || !node->client) {
      error = errno;
      if (fd >= 0)
         syscall(SYS_close, fd);
      free(node);
      errno = error;
      return -1;
   }
   node->entry = entry;
   atoll_client_check_memory(node->client);
   atomic_init(&node->references, 1);
   pthread_mutex_lock(&lock);
   node->next = all;
   all = node;
   pthread_mutex_unlock(&lock);
   atomic_store(&table[fd], node);
   return fd;
}

struct atoll_client *
nodes_client(int fd, bool search)
{
   struct node *node;
   dev_t dev;
   ino_t ino;

   if (fd < 0 || fd >= MAX_FDS)
      return NULL;
   node = atomic_load_explicit(&table[fd], memory_order_acquire);
   if (!node && search && identity(fd, &dev, &ino)) {
      pthread_mutex_lock(&lock);
      for (node = all; node; node = node->next)
         if (node->ino == ino && node->dev == dev)
            break;
      if (node && !atomic_load(&table[fd])) {
         atomic_fetch_add(&node->references, 1);
         atomic_store(&table[fd], node);
      }
      pthread_mutex_unlock(&lock);
   }
   return node ? node->client : NULL;
}

const struct tree_entry *
nodes_entry(int fd)
{
   return atomic_load_explicit(&table[fd], memory_order_acquire)->entry;
}

void
nodes_closed(int fd)
{
   struct node *node;
   bool last = false;

   if (fd < 0 || fd >= MAX_FDS || !atomic_load_explicit(&table[fd], memory_order_relaxed))
      return;
   node = atomic_exchange(&table[fd], NULL);
   if (!node)
      return;
   pthread_mutex_lock(&lock);
   if (atomic_fetch_sub(&node->references, 1) == 1) {
      last = true;
      for (struct node **n = &all; *n; n = &(*n)->next) {
         if (*n == node) {
            *n = node->next;
            break;
         }
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

void
nodes_duplicate(int fd, int copy)
{
   struct node *node;

   if (fd < 0 || fd >= MAX_FDS || copy < 0 || copy >= MAX_FDS)
      return;
   node = atomic_load(&table[fd]);
   if (!node)
      return;
   atomic_fetch_add(&node->references, 1);
   atomic_store(&table[copy], node);
}
