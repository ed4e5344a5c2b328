/* SPDX-License-Identifier: MIT */
/*
 * The kernel interface of panthor 1.2, as programs speak it: numbers of ioctls and layouts of their
 * structs.  The system's libdrm may be too old to have them.
 */
#ifndef ATOLL_PANTHOR_ABI_H
#define ATOLL_PANTHOR_ABI_H

#include <stdint.h>

#include <drm.h>

/* PANTHOR(name, number, struct), counted from DRM_COMMAND_BASE. */
#define PANTHOR_IOCTLS(PANTHOR)                      \
   PANTHOR(DEV_QUERY, 0, dev_query)                  \
   PANTHOR(VM_CREATE, 1, vm_create)                  \
   PANTHOR(VM_DESTROY, 2, vm_destroy)                \
   PANTHOR(VM_BIND, 3, vm_bind)                      \
   PANTHOR(VM_GET_STATE, 4, vm_get_state)            \
   PANTHOR(BO_CREATE, 5, bo_create)                  \
   PANTHOR(BO_MMAP_OFFSET, 6, bo_mmap_offset)        \
   PANTHOR(GROUP_CREATE, 7, group_create)            \
   PANTHOR(GROUP_DESTROY, 8, group_destroy)          \
   PANTHOR(GROUP_SUBMIT, 9, group_submit)            \
   PANTHOR(GROUP_GET_STATE, 10, group_get_state)     \
   PANTHOR(TILER_HEAP_CREATE, 11, tiler_heap_create) \
   PANTHOR(TILER_HEAP_DESTROY, 12, tiler_heap_destroy)

enum panthor_ioctl_nr {
#define PANTHOR(name, number, type) PANTHOR_##name = number,
   PANTHOR_IOCTLS(PANTHOR)
#undef PANTHOR
};

#define PANTHOR_REQUEST(name, type) \
   DRM_IOWR(DRM_COMMAND_BASE + PANTHOR_##name, struct panthor_##type)

/* mmap offset of the page with the number of the last flush. */
#define PANTHOR_FLUSH_ID_OFFSET (sizeof(long) < 8 ? UINT64_C(1) << 43 : UINT64_C(1) << 56)

/* `count` structs of `stride` bytes at `array`. */
struct panthor_array {
   uint32_t stride, count;
   uint64_t array;
};

enum panthor_query {
   PANTHOR_QUERY_GPU,
   PANTHOR_QUERY_CSIF,
   PANTHOR_QUERY_TIMESTAMP,
   PANTHOR_QUERY_PRIORITIES,
};

struct panthor_gpu_info {
   uint32_t gpu_id, gpu_rev, csf_id, l2_features, tiler_features, mem_features, mmu_features;
   uint32_t thread_features, max_threads, thread_max_workgroup_size, thread_max_barrier_size;
   uint32_t coherency_features, texture_features[4], as_present;
   uint64_t shader_present, l2_present, tiler_present;
   uint32_t core_features, pad;
};

struct panthor_csif_info {
   uint32_t csg_slot_count, cs_slot_count, cs_reg_count, scoreboard_slot_count;
   uint32_t unpreserved_cs_reg_count, pad;
};

struct panthor_timestamp_info {
   uint64_t frequency, current, offset;
};

struct panthor_priorities_info {
   uint8_t allowed_mask, pad[3];
};

struct panthor_dev_query {
   uint32_t type, size;
   uint64_t pointer;
};

struct panthor_vm_create {
   uint32_t flags, id;
   uint64_t user_va_range;
};

struct panthor_vm_destroy {
   uint32_t id, pad;
};

#define PANTHOR_SYNC_TYPE_MASK     0xffu
#define PANTHOR_SYNC_TYPE_SYNCOBJ  0u
#define PANTHOR_SYNC_TYPE_TIMELINE 1u
#define PANTHOR_SYNC_SIGNAL        (1u << 31)

struct panthor_sync_op {
   uint32_t flags, handle;
   uint64_t timeline_value;
};

#define PANTHOR_BIND_READONLY  (1u << 0)
#define PANTHOR_BIND_NOEXEC    (1u << 1)
#define PANTHOR_BIND_UNCACHED  (1u << 2)
#define PANTHOR_BIND_TYPE_MASK (15u << 28)
#define PANTHOR_BIND_MAP       (0u << 28)
#define PANTHOR_BIND_UNMAP     (1u << 28)
#define PANTHOR_BIND_SYNC_ONLY (2u << 28)

struct panthor_vm_bind_op {
   uint32_t flags, bo_handle;
   uint64_t bo_offset, va, size;
   struct panthor_array syncs;
};

#define PANTHOR_VM_BIND_ASYNC 1u

struct panthor_vm_bind {
   uint32_t vm_id, flags;
   struct panthor_array ops;
};

enum { PANTHOR_VM_USABLE, PANTHOR_VM_UNUSABLE };

struct panthor_vm_get_state {
   uint32_t vm_id, state;
};

#define PANTHOR_BO_NO_MMAP 1u

struct panthor_bo_create {
   uint64_t size;
   uint32_t flags, exclusive_vm_id, handle, pad;
};

struct panthor_bo_mmap_offset {
   uint32_t handle, pad;
   uint64_t offset;
};

struct panthor_queue_create {
   uint8_t priority, pad[3];
   uint32_t ringbuf_size;
};

enum { PANTHOR_PRIORITY_LOW, PANTHOR_PRIORITY_MEDIUM, PANTHOR_PRIORITY_HIGH, PANTHOR_PRIORITIES };

struct panthor_group_create {
   struct panthor_array queues;
   uint8_t max_compute_cores, max_fragment_cores, max_tiler_cores, priority;
   uint32_t pad;
   uint64_t compute_core_mask, fragment_core_mask, tiler_core_mask;
   uint32_t vm_id, group_handle;
};

struct panthor_group_destroy {
   uint32_t group_handle, pad;
};

struct panthor_queue_submit {
   uint32_t queue_index, stream_size;
   uint64_t stream_addr;
   uint32_t latest_flush, pad;
   struct panthor_array syncs;
};

struct panthor_group_submit {
   uint32_t group_handle, pad;
   struct panthor_array queue_submits;
};

#define PANTHOR_GROUP_TIMEDOUT    (1u << 0)
#define PANTHOR_GROUP_FATAL_FAULT (1u << 1)

struct panthor_group_get_state {
   uint32_t group_handle, state, fatal_queues, pad;
};

struct panthor_tiler_heap_create {
   uint32_t vm_id, initial_chunk_count, chunk_size, max_chunks, target_in_flight, handle;
   uint64_t tiler_heap_ctx_gpu_va, first_heap_chunk_gpu_va;
};

struct panthor_tiler_heap_destroy {
   uint32_t handle, pad;
};

#endif
