/* SPDX-License-Identifier: MIT */
/* The panthor interface through the front door: memory, groups, heaps, syncobjs and sync files. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include <atoll/device.h>
#include <drm.h>

#include "../csf/stream.h"
#include "chip/mali/mali.h"
#include "panthor/chip.h"
#include "panthor/panthor.h"

#define F(instruction, field) CS_AT_##instruction##_##field
#define PAGE                  UINT64_C(4096)
#define VA                    UINT64_C(0x200000)

/* A client with an address space, a buffer of four pages mapped at VA, and a group of two
 * queues. */
struct door {
   struct atoll_client *client;
   uint32_t vm, bo, group;
   uint64_t *mem;  /* the buffer */
   unsigned words; /* of code, from mem[128] on */
};

static struct door d;

static int
request(unsigned long number, void *arg)
{
   return atoll_client_ioctl(d.client, number, arg);
}
#define REQUEST(name, type, ...) \
   request(PANTHOR_REQUEST(name, type), &(struct panthor_##type){ __VA_ARGS__ })
#define ARRAY(list)                                                          \
   {                                                                         \
      sizeof((list)[0]), sizeof(list) / sizeof((list)[0]), (uintptr_t)(list) \
   }

static uint32_t
new_bo(uint64_t size, uint64_t **mem)
{
   struct panthor_bo_create bo = { .size = size };
   struct panthor_bo_mmap_offset offset = { 0 };

   assert_int_equal(request(PANTHOR_REQUEST(BO_CREATE, bo_create), &bo), 0);
   offset.handle = bo.handle;
   assert_int_equal(request(PANTHOR_REQUEST(BO_MMAP_OFFSET, bo_mmap_offset), &offset), 0);
   *mem =
      atoll_client_mmap(d.client, NULL, bo.size, PROT_READ | PROT_WRITE, MAP_SHARED, offset.offset);
   assert_ptr_not_equal(*mem, MAP_FAILED);
   return bo.handle;
}

static int
bind(uint32_t flags, struct panthor_vm_bind_op *ops, uint32_t count)
{
   struct panthor_vm_bind args = { d.vm, flags, { sizeof(*ops), count, (uintptr_t)ops } };

   return request(PANTHOR_REQUEST(VM_BIND, vm_bind), &args);
}

static int
map(uint32_t bo, uint64_t offset, uint64_t va, uint64_t size)
{
   return bind(
      0,
      &(struct panthor_vm_bind_op){
         .flags = PANTHOR_BIND_MAP, .bo_handle = bo, .bo_offset = offset, .va = va, .size = size },
      1);
}

static int
unmap(uint64_t va, uint64_t size)
{
   return bind(
      0, &(struct panthor_vm_bind_op){ .flags = PANTHOR_BIND_UNMAP, .va = va, .size = size }, 1);
}

static uint32_t
new_group(void)
{
   struct panthor_queue_create queues[2] = { { 1, { 0 }, 65536 }, { 2, { 0 }, 4096 } };
   struct panthor_group_create args = {
      .queues = ARRAY(queues),
      .max_compute_cores = 1,
      .max_fragment_cores = 1,
      .max_tiler_cores = 1,
      .priority = PANTHOR_PRIORITY_MEDIUM,
      .compute_core_mask = 1,
      .fragment_core_mask = 1,
      .tiler_core_mask = 1,
      .vm_id = d.vm,
   };

   assert_int_equal(request(PANTHOR_REQUEST(GROUP_CREATE, group_create), &args), 0);
   return args.group_handle;
}

static void
begin(void)
{
   struct panthor_vm_create vm = { 0 };

   d = (struct door){ .client = atoll_client_open(panthor_device_get()) };
   assert_non_null(d.client);
   assert_int_equal(request(PANTHOR_REQUEST(VM_CREATE, vm_create), &vm), 0);
   assert_true(vm.user_va_range >= UINT64_C(1) << 25);
   d.vm = vm.id;
   d.bo = new_bo(4 * PAGE, &d.mem);
   assert_int_equal(map(d.bo, 0, VA, 4 * PAGE), 0);
   d.group = new_group();
}

static void
end(void)
{
   atoll_client_munmap(d.client, d.mem, 4 * PAGE);
   atoll_client_close(d.client);
}

static bool
said(const char *text)
{
   static char all[65536];

   atoll_device_messages(panthor_device_get(), all, sizeof(all));
   return strstr(all, text);
}

/* ---- Streams: code begins at mem[128], a cache line. ---- */

#define CODE(name, ...) (d.mem[128 + d.words++] = STREAM_WORD(name, __VA_ARGS__))

static void
code_move(unsigned n, uint64_t value)
{
   CODE(MOVE, { F(MOVE, destination), n }, { F(MOVE, immediate), value });
}

/* Stores a value of 48 bits. */
static void
code_store(uint64_t va, uint64_t value)
{
   code_move(2, va);
   code_move(4, value);
   CODE(STORE_MULTIPLE, { F(STORE_MULTIPLE, base), 4 }, { F(STORE_MULTIPLE, mask), 3 },
        { F(STORE_MULTIPLE, address), 2 });
}

static struct panthor_queue_submit
code_end(uint32_t queue)
{
   const struct panthor_queue_submit submit = { .queue_index = queue,
                                                .stream_size = d.words * 8,
                                                .stream_addr = VA + 128 * 8 };

   d.words = 0;
   return submit;
}

static int
submit(struct panthor_queue_submit *submits, uint32_t count)
{
   struct panthor_group_submit args = {
      .group_handle = d.group, .queue_submits = { sizeof(*submits), count, (uintptr_t)submits }
   };

   return request(PANTHOR_REQUEST(GROUP_SUBMIT, group_submit), &args);
}

/* ---- Syncobjs ---- */

static uint32_t
new_syncobj(uint32_t flags)
{
   struct drm_syncobj_create args = { .flags = flags };

   assert_int_equal(request(DRM_IOCTL_SYNCOBJ_CREATE, &args), 0);
   return args.handle;
}

static int64_t
in_ms(int ms)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec + ms * INT64_C(1000000);
}

static int
wait_all(uint32_t *handles, uint64_t *points, uint32_t count, int64_t deadline, uint32_t flags)
{
   struct drm_syncobj_timeline_wait args = { .handles = (uintptr_t)handles,
                                             .points = (uintptr_t)points,
                                             .timeout_nsec = deadline,
                                             .count_handles = count,
                                             .flags = flags | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL };

   return request(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &args);
}

static int
wait_one(uint32_t handle, int64_t deadline)
{
   struct drm_syncobj_wait args = { .handles = (uintptr_t)&handle,
                                    .timeout_nsec = deadline,
                                    .count_handles = 1 };

   return request(DRM_IOCTL_SYNCOBJ_WAIT, &args);
}

static uint64_t
query(uint32_t handle, uint32_t flags)
{
   uint64_t point = 77;
   struct drm_syncobj_timeline_array args = { (uintptr_t)&handle, (uintptr_t)&point, 1, flags };

   assert_int_equal(request(DRM_IOCTL_SYNCOBJ_QUERY, &args), 0);
   return point;
}

static int
signal_point(uint32_t handle, uint64_t point)
{
   struct drm_syncobj_timeline_array args = { (uintptr_t)&handle, (uintptr_t)&point, 1, 0 };

   return request(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &args);
}

/* ---- Tests ---- */

static void
queries(void **state)
{
   struct panthor_gpu_info gpu = { 0 };
   struct panthor_csif_info csif = { 0 };
   struct panthor_priorities_info priorities = { 0 };
   struct panthor_dev_query args = { .type = PANTHOR_QUERY_GPU };
   struct drm_get_cap cap = { .capability = DRM_CAP_SYNCOBJ_TIMELINE };

   begin();
   assert_int_equal(request(PANTHOR_REQUEST(DEV_QUERY, dev_query), &args), 0);
   assert_int_equal(args.size, sizeof(gpu));
   args.pointer = (uintptr_t)&gpu;
   assert_int_equal(request(PANTHOR_REQUEST(DEV_QUERY, dev_query), &args), 0);
   assert_int_equal(gpu.gpu_id >> 16, 0xa867);
   assert_true((gpu.mmu_features & 0xff) >= 26);
   assert_int_equal(gpu.shader_present, 1);
   /* An older client's struct is shorter. */
   memset(&gpu, 0xff, sizeof(gpu));
   args.size = 8;
   assert_int_equal(request(PANTHOR_REQUEST(DEV_QUERY, dev_query), &args), 0);
   assert_int_equal(gpu.gpu_rev, 0);
   assert_int_equal(gpu.csf_id, UINT32_MAX);
   args = (struct panthor_dev_query){ PANTHOR_QUERY_CSIF, sizeof(csif), (uintptr_t)&csif };
   assert_int_equal(request(PANTHOR_REQUEST(DEV_QUERY, dev_query), &args), 0);
   assert_int_equal(csif.cs_reg_count, 96);
   args = (struct panthor_dev_query){ PANTHOR_QUERY_PRIORITIES, sizeof(priorities),
                                      (uintptr_t)&priorities };
   assert_int_equal(request(PANTHOR_REQUEST(DEV_QUERY, dev_query), &args), 0);
   assert_int_equal(priorities.allowed_mask, 3);
   /* The process's device is a Mali, and no other. */
   assert_null(atoll_device_get());
   assert_int_equal(errno, ENODEV);
   args.type = 99;
   assert_int_equal(request(PANTHOR_REQUEST(DEV_QUERY, dev_query), &args), -EINVAL);
   assert_int_equal(request(DRM_IOCTL_GET_CAP, &cap), 0);
   assert_int_equal(cap.value, 1);
   end();
}

static void
flush_page(void **state)
{
   const uint32_t *page;

   begin();
   page = atoll_client_mmap(d.client, NULL, PAGE, PROT_READ, MAP_SHARED, PANTHOR_FLUSH_ID_OFFSET);
   assert_ptr_not_equal(page, MAP_FAILED);
   assert_int_equal(*page, MALI_FLUSH_ID);
   munmap((void *)(uintptr_t)page, PAGE);
   assert_ptr_equal(atoll_client_mmap(d.client, NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
                                      PANTHOR_FLUSH_ID_OFFSET),
                    MAP_FAILED);
   end();
}

/* A stream writes, and signals an object with one fence and a point of a timeline. */
static void
streams(void **state)
{
   begin();

   const uint32_t binary = new_syncobj(0), timeline = new_syncobj(0);
   struct panthor_sync_op ops[] = {
      { PANTHOR_SYNC_SIGNAL, binary, 0 },
      { PANTHOR_SYNC_SIGNAL | PANTHOR_SYNC_TYPE_TIMELINE, timeline, 5 },
   };
   struct panthor_sync_op waits[] = {
      { 0, binary, 0 },
      { PANTHOR_SYNC_TYPE_TIMELINE, timeline, 5 },
   };
   struct panthor_queue_submit s;

   assert_int_equal(wait_one(binary, in_ms(1000)), -EINVAL); /* nothing signals it */
   code_store(VA, 0x123456789);
   s = code_end(0);
   s.syncs = (struct panthor_array)ARRAY(ops);
   assert_int_equal(submit(&s, 1), 0);
   assert_int_equal(wait_one(binary, INT64_MAX), 0);
   assert_true(d.mem[0] == 0x123456789);
   assert_int_equal(query(timeline, 0), 5);
   /* What is waited for has to have been submitted. */
   code_store(VA + 8, 42);
   s = code_end(1);
   s.syncs = (struct panthor_array)ARRAY(waits);
   assert_int_equal(submit(&s, 1), 0);
   waits[1].timeline_value = 6;
   assert_int_equal(submit(&s, 1), -EINVAL);
   waits[1].handle = 99;
   assert_int_equal(submit(&s, 1), -ENOENT);
   /* A submission of nothing is a point of synchronisation. */
   s = (struct panthor_queue_submit){ .syncs = ARRAY(ops) };
   ops[1].timeline_value = 9;
   assert_int_equal(submit(&s, 1), 0);
   assert_int_equal(wait_one(binary, INT64_MAX), 0);
   assert_int_equal(d.mem[1], 42);
   assert_int_equal(query(timeline, DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED), 9);
   end();
}

/* Timestamps are the clock that can be asked for, and go on. */
static void
timestamps(void **state)
{
   struct panthor_timestamp_info before = { 0 }, after = { 0 };
   struct panthor_dev_query ask = { PANTHOR_QUERY_TIMESTAMP, sizeof(before), (uintptr_t)&before };

   begin();

   const uint32_t done = new_syncobj(0);
   struct panthor_sync_op op = { PANTHOR_SYNC_SIGNAL, done, 0 };
   struct panthor_queue_submit s;

   assert_int_equal(request(PANTHOR_REQUEST(DEV_QUERY, dev_query), &ask), 0);
   assert_true(before.frequency > 0);
   code_move(2, VA);
   CODE(STORE_STATE, { F(STORE_STATE, state), CS_STATE_timestamp }, { F(STORE_STATE, address), 2 });
   CODE(STORE_STATE, { F(STORE_STATE, state), CS_STATE_cycle_count },
        { F(STORE_STATE, address), 2 }, { F(STORE_STATE, offset), 8 });
   s = code_end(0);
   s.syncs = (struct panthor_array){ sizeof(op), 1, (uintptr_t)&op };
   assert_int_equal(submit(&s, 1), 0);
   assert_int_equal(wait_one(done, INT64_MAX), 0);
   ask.pointer = (uintptr_t)&after;
   assert_int_equal(request(PANTHOR_REQUEST(DEV_QUERY, dev_query), &ask), 0);
   assert_true(d.mem[0] >= before.current && d.mem[0] <= after.current);
   assert_true(d.mem[1] >= d.mem[0] && d.mem[1] <= after.current);
   end();
}

/* The first queue waits for the second one, the stream of which was handed over after it. */
static void
two_queues(void **state)
{
   begin();

   const uint32_t done = new_syncobj(0);
   struct panthor_sync_op op = { PANTHOR_SYNC_SIGNAL, done, 0 };
   struct panthor_queue_submit s[2];

   d.mem[0] = 0;
   code_move(2, VA);
   code_move(4, 0);
   CODE(SYNC_WAIT64, { F(SYNC_WAIT64, condition), CS_CONDITION_gt }, { F(SYNC_WAIT64, address), 2 },
        { F(SYNC_WAIT64, data), 4 });
   code_store(VA + 16, 1);
   s[0] = code_end(0);
   /* After it, at the next multiple of 64 bytes. */
   memcpy(d.mem + 192, d.mem + 128, 64 * 8);
   s[0].stream_addr += 512;
   code_move(2, VA);
   code_move(4, 3);
   CODE(SYNC_ADD64, { F(SYNC_ADD64, address), 2 }, { F(SYNC_ADD64, data), 4 });
   s[1] = code_end(1);
   s[1].syncs = (struct panthor_array){ sizeof(op), 1, (uintptr_t)&op };
   assert_int_equal(submit(s, 2), 0);
   assert_int_equal(wait_one(done, INT64_MAX), 0);
   assert_int_equal(d.mem[0], 3);
   assert_int_equal(d.mem[2], 1);
   end();
}

static uint32_t
group_state(uint32_t *fatal)
{
   struct panthor_group_get_state args = { .group_handle = d.group };

   assert_int_equal(request(PANTHOR_REQUEST(GROUP_GET_STATE, group_get_state), &args), 0);
   *fatal = args.fatal_queues;
   return args.state;
}

/* A hundred streams in one call.  The 66th waits for memory that the 67th writes, and the 68th for
 * its fence: it reads what the 66th has stored. */
static void
many_streams(void **state)
{
   struct panthor_queue_submit s[100] = { 0 };

   begin();

   const uint32_t fence = new_syncobj(0), done = new_syncobj(0);
   struct panthor_sync_op signal = { PANTHOR_SYNC_SIGNAL, fence, 0 }, wait = { 0, fence, 0 };
   struct panthor_sync_op op = { PANTHOR_SYNC_SIGNAL, done, 0 };

   memset(d.mem, 0, 128);
   code_move(2, VA + 64);
   code_move(4, 0);
   CODE(SYNC_WAIT32, { F(SYNC_WAIT32, condition), CS_CONDITION_gt }, { F(SYNC_WAIT32, address), 2 },
        { F(SYNC_WAIT32, data), 4 });
   code_store(VA, 5);
   s[65] = code_end(0);
   memcpy(d.mem + 192, d.mem + 128, 64 * 8);
   s[65].stream_addr += 512;
   s[65].syncs = (struct panthor_array){ sizeof(signal), 1, (uintptr_t)&signal };
   code_store(VA + 64, 1);
   s[66] = code_end(1);
   memcpy(d.mem + 256, d.mem + 128, 64 * 8);
   s[66].stream_addr += 1024;
   code_move(2, VA);
   CODE(LOAD_MULTIPLE, { F(LOAD_MULTIPLE, base), 10 }, { F(LOAD_MULTIPLE, mask), 1 },
        { F(LOAD_MULTIPLE, address), 2 });
   CODE(STORE_MULTIPLE, { F(STORE_MULTIPLE, base), 10 }, { F(STORE_MULTIPLE, mask), 1 },
        { F(STORE_MULTIPLE, address), 2 }, { F(STORE_MULTIPLE, offset), 16 });
   s[67] = code_end(1);
   s[67].syncs = (struct panthor_array){ sizeof(wait), 1, (uintptr_t)&wait };
   s[99].syncs = (struct panthor_array){ sizeof(op), 1, (uintptr_t)&op };
   assert_int_equal(submit(s, 100), 0);
   assert_int_equal(wait_one(done, INT64_MAX), 0);
   assert_int_equal(d.mem[0], 5);
   assert_int_equal(d.mem[2], 5);
   end();
}

/* All operations of a call are counted, of streams and of binds. */
static void
many_operations(void **state)
{
   enum { EACH = 10000 };
   struct panthor_queue_submit s[2] = { 0 };
   struct panthor_vm_bind_op binds[2] = { { .flags = PANTHOR_BIND_SYNC_ONLY },
                                          { .flags = PANTHOR_BIND_SYNC_ONLY } };
   struct panthor_sync_op *ops = calloc(EACH, sizeof(*ops));

   begin();
   assert_non_null(ops);

   const uint32_t timeline = new_syncobj(0);

   for (unsigned n = 0; n < EACH; n++)
      ops[n] = (struct panthor_sync_op){ PANTHOR_SYNC_SIGNAL | PANTHOR_SYNC_TYPE_TIMELINE, timeline,
                                         n + 1 };
   for (unsigned n = 0; n < 2; n++)
      s[n].syncs = binds[n].syncs = (struct panthor_array){ sizeof(*ops), EACH, (uintptr_t)ops };
   assert_int_equal(submit(s, 2), -ENOMEM);
   assert_int_equal(bind(PANTHOR_VM_BIND_ASYNC, binds, 2), -ENOMEM);
   assert_int_equal(query(timeline, DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED), 0);
   assert_int_equal(submit(s, 1), 0);
   assert_int_equal(bind(PANTHOR_VM_BIND_ASYNC, binds, 1), 0);
   assert_int_equal(query(timeline, DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED), EACH);
   free(ops);
   end();
}

/* ATOLL_BUDGET, in units; another word is as none. */
static void
budgets(void **state)
{
   static const struct {
      const char *text;
      uint64_t units;
   } rows[] = {
      { "1000c", 1000 },      { "2s", 2 * 8192000 + 1 }, { "0.5", 4096000 + 1 },
      { "none", UINT64_MAX }, { "soon", 1 << 25 },       { "", 1 << 25 },
   };

   for (unsigned n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      setenv("ATOLL_BUDGET", rows[n].text, 1);
      assert_true(panthor_budget() == rows[n].units);
   }
   unsetenv("ATOLL_BUDGET");
}

/* What ends a group, its fence all the same signalled; another group goes on. */
static void
faults(void **state)
{
   static const struct {
      const char *text;
      uint32_t state, fatal;
   } rows[] = {
      { "which are not mapped", PANTHOR_GROUP_FATAL_FAULT, 2 },
      { "no such instruction", PANTHOR_GROUP_FATAL_FAULT, 2 },
      { "spent its budget", PANTHOR_GROUP_TIMEDOUT, 2 },
      { "nothing signals", PANTHOR_GROUP_TIMEDOUT, 0 },
   };
   begin();

   const uint32_t done = new_syncobj(0);
   struct panthor_sync_op op = { PANTHOR_SYNC_SIGNAL, done, 0 };

   for (unsigned n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      struct panthor_queue_submit s;
      uint32_t fatal;

      d.group = new_group();
      if (n == 0)
         code_store(VA + 4 * PAGE, 1);
      else if (n == 1)
         d.mem[128 + d.words++] = UINT64_C(0xee) << 56;
      else if (n == 2)
         CODE(BRANCH, { F(BRANCH, condition), CS_CONDITION_always }, { F(BRANCH, offset), 0xffff });
      else {
         code_move(2, VA + 64);
         d.mem[8] = 0;
         CODE(SYNC_WAIT32, { F(SYNC_WAIT32, condition), CS_CONDITION_lt },
              { F(SYNC_WAIT32, address), 2 }, { F(SYNC_WAIT32, data), 95 });
      }
      s = code_end(1);
      s.syncs = (struct panthor_array){ sizeof(op), 1, (uintptr_t)&op };
      assert_int_equal(submit(&s, 1), 0);
      assert_int_equal(wait_one(done, INT64_MAX), 0);
      assert_int_equal(group_state(&fatal), rows[n].state);
      assert_int_equal(fatal, rows[n].fatal);
      assert_true(said(rows[n].text));
      s.syncs.count = 0;
      assert_int_equal(submit(&s, 1), -EINVAL);
      assert_int_equal(REQUEST(GROUP_DESTROY, group_destroy, .group_handle = d.group), 0);
   }
   end();
}

/* ---- Endpoints ---- */

#define PIXELS (VA + 2 * PAGE)

static void
set(uint32_t *words, enum mali_field field, uint64_t value)
{
   const unsigned start = field >> 8 & 0xff, bits = field & 0xff;

   value = (value & (UINT64_MAX >> (64 - bits))) << start;
   words[field >> 16] |= (uint32_t)value;
   if (bits > 32)
      words[(field >> 16) + 1] |= (uint32_t)(value >> 32);
}
#define FRAME_SET(name, value)  set(frame, MALI_AT_FRAMEBUFFER_##name, value)
#define TARGET_SET(name, value) set(target, MALI_AT_RENDER_TARGET_##name, value)

/* A framebuffer at VA + PAGE, `size` pixels wide and high, and its target, u-interleaved. */
static void
put_frame(unsigned size, uint64_t base)
{
   uint32_t *frame = (uint32_t *)(d.mem + PAGE / 8), *target = frame + MALI_WORDS_FRAMEBUFFER;

   memset(frame, 0, PAGE);
   FRAME_SET(width, size - 1);
   FRAME_SET(height, size - 1);
   FRAME_SET(max_x, size - 1);
   FRAME_SET(max_y, size - 1);
   TARGET_SET(internal, MALI_INTERNAL_r8g8b8a8);
   TARGET_SET(format, MALI_FORMAT_r8g8b8a8);
   TARGET_SET(block, MALI_BLOCK_u_interleaved);
   TARGET_SET(swizzle, 0x688);
   TARGET_SET(write, 1);
   TARGET_SET(clean_write, 1);
   TARGET_SET(base, base);
   target[12] = 0x44332211;
}

/* More pixels than a budget has units: rows of blocks and planes of samples on top of each other,
 * without a whole block. */
static void
make_endless(void)
{
   uint32_t *frame = (uint32_t *)(d.mem + PAGE / 8), *target = frame + MALI_WORDS_FRAMEBUFFER;

   FRAME_SET(height, UINT16_MAX);
   FRAME_SET(max_y, UINT16_MAX);
   FRAME_SET(min_x, 1);
   FRAME_SET(samples, 6);
   TARGET_SET(msaa, MALI_MSAA_layered);
}

static void
code_frame(uint64_t address, bool tiles)
{
   code_move(40, address);
   code_move(42, 0);
   CODE(MOVE32, { F(MOVE32, destination), 43 }, { F(MOVE32, immediate), UINT32_MAX });
   CODE(RUN_FRAGMENT, { F(RUN_FRAGMENT, enable_tem), tiles });
}

/* Runs what there is of code to its end; the group's state. */
static uint32_t
run_code(void)
{
   const uint32_t done = new_syncobj(0);
   const struct panthor_sync_op op = { PANTHOR_SYNC_SIGNAL, done, 0 };
   struct panthor_queue_submit s = code_end(0);
   uint32_t fatal;

   s.syncs = (struct panthor_array){ sizeof(op), 1, (uintptr_t)&op };
   assert_int_equal(submit(&s, 1), 0);
   assert_int_equal(wait_one(done, INT64_MAX), 0);
   return group_state(&fatal);
}

static void
clears(void **state)
{
   const uint32_t *pixels;

   begin();
   pixels = (const uint32_t *)(d.mem + 2 * PAGE / 8);
   put_frame(16, PIXELS);
   code_frame(VA + PAGE, false);
   assert_int_equal(run_code(), 0);
   for (unsigned n = 0; n < 257; n++)
      assert_int_equal(pixels[n], n < 256 ? 0x44332211 : 0);
   end();
}

/* What cannot be drawn ends its group, and the rest of its stream does not run. */
static void
endpoint_faults(void **state)
{
   static const struct {
      const char *text;
      uint32_t state;
   } rows[] = {
      { "RUN_FULLSCREEN: not implemented", PANTHOR_GROUP_FATAL_FAULT },
      { "RUN_COMPUTE: not implemented: an offset", PANTHOR_GROUP_FATAL_FAULT },
      { "RUN_COMPUTE: the shader's descriptor is not mapped", PANTHOR_GROUP_FATAL_FAULT },
      { "a map of enabled tiles", PANTHOR_GROUP_FATAL_FAULT },
      { "a descriptor of the framebuffer is not mapped", PANTHOR_GROUP_FATAL_FAULT },
      { "a target is not mapped", PANTHOR_GROUP_FATAL_FAULT },
      { "the framebuffer takes too long", PANTHOR_GROUP_TIMEDOUT },
   };

   begin();
   for (unsigned n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      d.group = new_group();
      d.mem[0] = 7;
      put_frame(16, n == 5 ? VA + 4 * PAGE : PIXELS);
      if (n == 0)
         CODE(RUN_FULLSCREEN, { F(RUN_FULLSCREEN, dcd), 2 });
      if (n == 1)
         code_move(34, 1);
      if (n == 1 || n == 2) {
         code_move(36, UINT64_C(1) << 32);
         code_move(38, 1 | UINT64_C(1) << 32);
         CODE(RUN_COMPUTE, { F(RUN_COMPUTE, spd), 0 });
      }
      if (n == 6)
         make_endless();
      if (n > 2)
         code_frame(n == 4 ? VA + 4 * PAGE : VA + PAGE, n == 3);
      code_store(VA, 8);
      assert_int_equal(run_code(), rows[n].state);
      assert_true(said(rows[n].text));
      assert_int_equal(d.mem[0], 7);
   }
   end();
}

/* Parts of buffers, on top of each other: what a stream reads is what was mapped last. */
static void
binds(void **state)
{
   uint64_t *other;

   begin();

   const uint32_t bo = new_bo(4 * PAGE, &other), done = new_syncobj(0);
   struct panthor_sync_op op = { PANTHOR_SYNC_SIGNAL, done, 0 };
   struct panthor_queue_submit s;

   for (unsigned n = 0; n < 4; n++)
      other[n * PAGE / 8] = n + 1;
   /* Page 0 and 1 at VA + 8 and 9 pages; then page 3 over the second of them. */
   assert_int_equal(map(bo, 0, VA + 8 * PAGE, 2 * PAGE), 0);
   assert_int_equal(map(bo, 3 * PAGE, VA + 9 * PAGE, PAGE), 0);
   /* All four, of which the middle goes. */
   assert_int_equal(map(bo, 0, VA + 16 * PAGE, 4 * PAGE), 0);
   assert_int_equal(unmap(VA + 17 * PAGE, 2 * PAGE), 0);
   code_move(2, VA + 8 * PAGE);
   CODE(LOAD_MULTIPLE, { F(LOAD_MULTIPLE, base), 10 }, { F(LOAD_MULTIPLE, mask), 1 },
        { F(LOAD_MULTIPLE, address), 2 });
   CODE(LOAD_MULTIPLE, { F(LOAD_MULTIPLE, base), 11 }, { F(LOAD_MULTIPLE, mask), 1 },
        { F(LOAD_MULTIPLE, address), 2 }, { F(LOAD_MULTIPLE, offset), PAGE });
   code_move(2, VA + 19 * PAGE);
   CODE(LOAD_MULTIPLE, { F(LOAD_MULTIPLE, base), 12 }, { F(LOAD_MULTIPLE, mask), 1 },
        { F(LOAD_MULTIPLE, address), 2 });
   code_move(2, VA);
   CODE(STORE_MULTIPLE, { F(STORE_MULTIPLE, base), 10 }, { F(STORE_MULTIPLE, mask), 7 },
        { F(STORE_MULTIPLE, address), 2 });
   s = code_end(0);
   s.syncs = (struct panthor_array){ sizeof(op), 1, (uintptr_t)&op };
   /* The mappings hold the buffer. */
   assert_int_equal(request(DRM_IOCTL_GEM_CLOSE, &(struct drm_gem_close){ .handle = bo }), 0);
   assert_int_equal(submit(&s, 1), 0);
   assert_int_equal(wait_one(done, INT64_MAX), 0);
   assert_int_equal((uint32_t)d.mem[0], 1);
   assert_int_equal(d.mem[0] >> 32, 4);
   assert_int_equal((uint32_t)d.mem[1], 4);
   /* The hole is one. */
   code_move(2, VA + 17 * PAGE);
   CODE(LOAD_MULTIPLE, { F(LOAD_MULTIPLE, base), 10 }, { F(LOAD_MULTIPLE, mask), 1 },
        { F(LOAD_MULTIPLE, address), 2 });
   s.stream_size = code_end(0).stream_size;
   assert_int_equal(submit(&s, 1), 0);
   assert_int_equal(wait_one(done, INT64_MAX), 0);

   uint32_t fatal;
   assert_int_equal(group_state(&fatal), PANTHOR_GROUP_FATAL_FAULT);
   atoll_client_munmap(d.client, other, 4 * PAGE);
   end();
}

/* Queued, between two submissions. */
static void
queued_binds(void **state)
{
   uint64_t *other;

   begin();

   const uint32_t bo = new_bo(PAGE, &other), timeline = new_syncobj(0);
   struct panthor_sync_op ops[2] = {
      { PANTHOR_SYNC_TYPE_TIMELINE | PANTHOR_SYNC_SIGNAL, timeline, 1 },
      { PANTHOR_SYNC_TYPE_TIMELINE | PANTHOR_SYNC_SIGNAL, timeline, 2 },
   };
   struct panthor_sync_op wait = { PANTHOR_SYNC_TYPE_TIMELINE, timeline, 1 };
   struct panthor_vm_bind_op binds[2] = {
      { .flags = PANTHOR_BIND_MAP,
        .bo_handle = bo,
        .va = VA + 32 * PAGE,
        .size = PAGE,
        .syncs = { sizeof(ops[0]), 1, (uintptr_t)&ops[0] } },
      { .flags = PANTHOR_BIND_SYNC_ONLY, .syncs = { sizeof(wait), 1, (uintptr_t)&wait } },
   };
   struct panthor_queue_submit s;
   uint64_t point = 2;
   uint32_t handle = timeline;

   assert_int_equal(bind(PANTHOR_VM_BIND_ASYNC, binds, 2), 0);
   code_store(VA + 32 * PAGE, 77);
   s = code_end(0);
   s.syncs = (struct panthor_array){ sizeof(ops[1]), 1, (uintptr_t)&ops[1] };
   assert_int_equal(submit(&s, 1), 0);
   assert_int_equal(wait_all(&handle, &point, 1, INT64_MAX, 0), 0);
   assert_int_equal(other[0], 77);
   assert_int_equal(query(timeline, 0), 2);
   atoll_client_munmap(d.client, other, PAGE);
   end();
}

static void
refused(void **state)
{
   struct panthor_vm_bind_op op = { .flags = PANTHOR_BIND_MAP, .va = VA + 64 * PAGE, .size = PAGE };
   struct panthor_queue_submit s = { .queue_index = 2 };

   begin();
   op.bo_handle = d.bo;
#define REFUSED(field, value)                      \
   do {                                            \
      struct panthor_vm_bind_op bad = op;          \
      bad.field = value;                           \
      assert_int_equal(bind(0, &bad, 1), -EINVAL); \
   } while (0)
   REFUSED(bo_handle, 99);
   REFUSED(va, VA + 8);
   REFUSED(size, 0);
   REFUSED(size, 100);
   REFUSED(size, 8 * PAGE);
   REFUSED(bo_offset, 4 * PAGE);
   REFUSED(bo_offset, UINT64_MAX - PAGE + 1);
   REFUSED(va, UINT64_MAX - PAGE + 1);
   REFUSED(va, UINT64_C(1) << 40);
   REFUSED(flags, PANTHOR_BIND_UNMAP); /* with a buffer */
   REFUSED(flags, PANTHOR_BIND_SYNC_ONLY);
   REFUSED(flags, 3u << 28);
   REFUSED(flags, 8);
   REFUSED(syncs.count, 1);
   assert_int_equal(bind(2, &op, 1), -EINVAL);
   assert_int_equal(submit(&s, 1), -EINVAL);
   s = (struct panthor_queue_submit){ .stream_addr = VA, .stream_size = 4 };
   assert_int_equal(submit(&s, 1), -EINVAL);
   s = (struct panthor_queue_submit){ .stream_addr = VA + 8, .stream_size = 8 };
   assert_int_equal(submit(&s, 1), -EINVAL);
   s = (struct panthor_queue_submit){ .stream_addr = VA };
   assert_int_equal(submit(&s, 1), -EINVAL);
   assert_int_equal(REQUEST(VM_DESTROY, vm_destroy, .id = 9), -EINVAL);
   assert_int_equal(REQUEST(GROUP_DESTROY, group_destroy, .group_handle = 9), -EINVAL);
   assert_int_equal(REQUEST(BO_CREATE, bo_create, .size = 0), -EINVAL);
   assert_int_equal(REQUEST(BO_CREATE, bo_create, .size = PAGE, .exclusive_vm_id = 9), -EINVAL);
   assert_int_equal(REQUEST(TILER_HEAP_DESTROY, tiler_heap_destroy, .handle = 1), -EINVAL);
   assert_int_equal(request(DRM_IOWR(DRM_COMMAND_BASE + 13, struct panthor_vm_destroy),
                            &(struct panthor_vm_destroy){ 0 }),
                    -EINVAL);
   end();
}

/* Chunks are linked, in the kernel's part; streams reach them until the heap goes. */
static void
heaps(void **state)
{
   struct panthor_tiler_heap_create args = { .initial_chunk_count = 2,
                                             .chunk_size = 128 << 10,
                                             .max_chunks = 4 };
   begin();

   const uint32_t done = new_syncobj(0);
   struct panthor_sync_op op = { PANTHOR_SYNC_SIGNAL, done, 0 };
   struct panthor_queue_submit s;

   args.vm_id = d.vm;
   assert_int_equal(request(PANTHOR_REQUEST(TILER_HEAP_CREATE, tiler_heap_create), &args), 0);
   code_move(2, args.first_heap_chunk_gpu_va);
   CODE(LOAD_MULTIPLE, { F(LOAD_MULTIPLE, base), 10 }, { F(LOAD_MULTIPLE, mask), 3 },
        { F(LOAD_MULTIPLE, address), 2 });
   code_move(2, VA);
   CODE(STORE_MULTIPLE, { F(STORE_MULTIPLE, base), 10 }, { F(STORE_MULTIPLE, mask), 3 },
        { F(STORE_MULTIPLE, address), 2 });
   s = code_end(0);
   s.syncs = (struct panthor_array){ sizeof(op), 1, (uintptr_t)&op };
   assert_int_equal(submit(&s, 1), 0);
   assert_int_equal(wait_one(done, INT64_MAX), 0);
   assert_true(d.mem[0] == ((args.first_heap_chunk_gpu_va + (128 << 10)) | 32));
   assert_int_equal(REQUEST(TILER_HEAP_DESTROY, tiler_heap_destroy, .handle = args.handle), 0);
   assert_int_equal(submit(&s, 1), 0);
   assert_int_equal(wait_one(done, INT64_MAX), 0);

   uint32_t fatal;
   assert_int_equal(group_state(&fatal), PANTHOR_GROUP_FATAL_FAULT);
   args.chunk_size = 4096;
   assert_int_equal(request(PANTHOR_REQUEST(TILER_HEAP_CREATE, tiler_heap_create), &args), -EINVAL);
   args.chunk_size = 128 << 10;
   args.initial_chunk_count = 5;
   assert_int_equal(request(PANTHOR_REQUEST(TILER_HEAP_CREATE, tiler_heap_create), &args), -EINVAL);
   end();
}

static int
change(unsigned long number, uint32_t handle)
{
   struct drm_syncobj_array args = { (uintptr_t)&handle, 1, 0 };

   return request(number, &args);
}

static void
syncobjs(void **state)
{
   begin();

   uint32_t both[2] = { new_syncobj(DRM_SYNCOBJ_CREATE_SIGNALED), new_syncobj(0) };
   uint64_t points[2] = { 0, 3 };
   struct drm_syncobj_transfer transfer = { .src_handle = both[1],
                                            .dst_handle = both[0],
                                            .src_point = 4 };

   assert_int_equal(wait_one(both[0], 0), 0);
   assert_int_equal(wait_one(both[1], in_ms(0)), -EINVAL);
   assert_int_equal(wait_all(both, points, 2, in_ms(20), 0), -EINVAL);
   assert_int_equal(wait_all(both, points, 2, in_ms(20), DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT),
                    -ETIME);
   assert_int_equal(signal_point(both[1], 2), 0);
   assert_int_equal(wait_all(both, points, 2, in_ms(20), DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE),
                    -ETIME);
   assert_int_equal(signal_point(both[1], 4), 0);
   assert_int_equal(wait_all(both, points, 2, in_ms(20), 0), 0);
   assert_int_equal(query(both[1], 0), 4);
   assert_int_equal(change(DRM_IOCTL_SYNCOBJ_RESET, both[0]), 0);
   assert_int_equal(wait_one(both[0], 0), -EINVAL);
   assert_int_equal(request(DRM_IOCTL_SYNCOBJ_TRANSFER, &transfer), 0);
   assert_int_equal(wait_one(both[0], 0), 0);
   transfer.src_point = 5;
   assert_int_equal(request(DRM_IOCTL_SYNCOBJ_TRANSFER, &transfer), -EINVAL);
   assert_int_equal(change(DRM_IOCTL_SYNCOBJ_SIGNAL, both[1]), 0);
   assert_int_equal(query(both[1], 0), 0);
   assert_int_equal(
      request(DRM_IOCTL_SYNCOBJ_DESTROY, &(struct drm_syncobj_destroy){ .handle = both[0] }), 0);
   assert_int_equal(wait_one(both[0], 0), -ENOENT);
   assert_int_equal(
      request(DRM_IOCTL_SYNCOBJ_DESTROY, &(struct drm_syncobj_destroy){ .handle = both[0] }),
      -EINVAL);
   end();
}

/* Another thread's signal ends a wait for what is not there yet. */
static void *
signal_later(void *data)
{
   const struct timespec pause = { .tv_nsec = 20000000 };

   nanosleep(&pause, NULL);
   signal_point(*(const uint32_t *)data, 8);
   return NULL;
}

static void
waits_for_submit(void **state)
{
   uint64_t point = 7;
   uint32_t handle;
   pthread_t thread;

   begin();
   handle = new_syncobj(0);
   assert_int_equal(pthread_create(&thread, NULL, signal_later, &handle), 0);
   assert_int_equal(wait_all(&handle, &point, 1, INT64_MAX, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT),
                    0);
   pthread_join(thread, NULL);
   end();
}

static bool
is_readable(int fd)
{
   struct pollfd p = { .fd = fd, .events = POLLIN };

   return poll(&p, 1, 10000) == 1;
}

/* Of a submission, which may still execute, to another object. */
static void
sync_files(void **state)
{
   begin();

   const uint32_t from = new_syncobj(0), to = new_syncobj(0);
   struct panthor_sync_op op = { PANTHOR_SYNC_SIGNAL, from, 0 };
   struct drm_syncobj_handle file = { .handle = from,
                                      .flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE };
   struct panthor_queue_submit s;

   assert_int_equal(request(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &file), -EINVAL);
   for (unsigned n = 0; n < 20; n++) {
      code_store(VA, n + 1);
      s = code_end(0);
      s.syncs = (struct panthor_array){ sizeof(op), 1, (uintptr_t)&op };
      assert_int_equal(submit(&s, 1), 0);
      file.handle = from;
      assert_int_equal(request(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &file), 0);
      file.handle = to;
      assert_int_equal(request(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &file), 0);
      assert_int_equal(wait_one(to, INT64_MAX), 0);
      assert_int_equal(d.mem[0], n + 1);
      assert_true(is_readable(file.fd));
      close(file.fd);
   }
   file.fd = open("/dev/null", O_RDONLY);
   assert_int_equal(request(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &file), -EINVAL);
   close(file.fd);
   file.flags = 0;
   assert_int_equal(request(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &file), -EOPNOTSUPP);
   end();
}

/* A stream that waits until d.mem[8] is not 0, and then signals `op`. */
static void
submit_blocked(const struct panthor_sync_op *op)
{
   struct panthor_queue_submit s;

   __atomic_store_n(&d.mem[8], 0, __ATOMIC_RELEASE);
   code_move(2, VA + 64);
   code_move(4, 0);
   CODE(SYNC_WAIT32, { F(SYNC_WAIT32, condition), CS_CONDITION_gt }, { F(SYNC_WAIT32, address), 2 },
        { F(SYNC_WAIT32, data), 4 });
   s = code_end(0);
   s.syncs = (struct panthor_array){ sizeof(*op), 1, (uintptr_t)op };
   assert_int_equal(submit(&s, 1), 0);
}

/* Closed before its fence is signalled, which raises no SIGPIPE; another one is read from and
 * stays readable. */
static void
closed_sync_file(void **state)
{
   begin();

   const uint32_t from = new_syncobj(0);
   const struct panthor_sync_op op = { PANTHOR_SYNC_SIGNAL, from, 0 };
   struct drm_syncobj_handle closed = { .handle = from,
                                        .flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE };
   struct drm_syncobj_handle open = closed;
   char byte;

   submit_blocked(&op);
   assert_int_equal(request(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &closed), 0);
   assert_int_equal(request(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &open), 0);
   close(closed.fd);
   __atomic_store_n(&d.mem[8], 1, __ATOMIC_RELEASE);
   assert_int_equal(wait_one(from, INT64_MAX), 0);
   assert_true(is_readable(open.fd));
   assert_true(read(open.fd, &byte, 1) <= 0);
   assert_true(is_readable(open.fd));
   close(open.fd);
   end();
}

/* Points that are added while a submission runs, the last one of its fence. */
static void
points(void **state)
{
   begin();

   const uint32_t timeline = new_syncobj(0);
   const struct panthor_sync_op op = { PANTHOR_SYNC_SIGNAL | PANTHOR_SYNC_TYPE_TIMELINE, timeline,
                                       5 };
   uint32_t handle = timeline;
   uint64_t point = 90;

   submit_blocked(&op);
   for (uint64_t n = 6; n <= 100; n++)
      assert_int_equal(signal_point(timeline, n), 0);
   assert_int_equal(query(timeline, 0), 0);
   assert_int_equal(query(timeline, DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED), 100);
   assert_int_equal(wait_all(&handle, &point, 1, in_ms(1), 0), -ETIME);
   __atomic_store_n(&d.mem[8], 1, __ATOMIC_RELEASE);
   assert_int_equal(wait_all(&handle, &point, 1, in_ms(10000), 0), 0);
   assert_int_equal(query(timeline, 0), 100);
   end();
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(queries),         cmocka_unit_test(flush_page),
      cmocka_unit_test(streams),         cmocka_unit_test(timestamps),
      cmocka_unit_test(two_queues),      cmocka_unit_test(faults),
      cmocka_unit_test(binds),           cmocka_unit_test(queued_binds),
      cmocka_unit_test(refused),         cmocka_unit_test(heaps),
      cmocka_unit_test(syncobjs),        cmocka_unit_test(waits_for_submit),
      cmocka_unit_test(sync_files),      cmocka_unit_test(closed_sync_file),
      cmocka_unit_test(points),          cmocka_unit_test(many_streams),
      cmocka_unit_test(many_operations), cmocka_unit_test(budgets),
      cmocka_unit_test(clears),          cmocka_unit_test(endpoint_faults),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
