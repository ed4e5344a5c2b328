/* SPDX-License-Identifier: MIT */
/*
 * Floating-point control state.  The device computes with round-to-nearest-even, denormals kept,
 * exceptions masked, whatever the host program has set on the thread it comes in on.
 */
#ifndef ATOLL_FLOATS_H
#define ATOLL_FLOATS_H

#include <stdint.h>

#include "fp.h"

/* As the ABIs have them when a program starts: all exceptions masked, rounding to nearest even,
 * denormals kept; x87 with significands of 64 bits. */
#define FLOATS_MXCSR FP_DEFAULT
#define FLOATS_X87   0x037fu
#define FLOATS_FPCR  0u

#if defined(__x86_64__) || defined(__i386__)
#define FLOATS_X86 1
#endif

struct floats {
#if defined(FLOATS_X86)
   uint32_t mxcsr;
   uint16_t x87;
#elif defined(__aarch64__)
   uint64_t fpcr;
#else
   char none;
#endif
};

/* Sets the device's state on this thread; returns the thread's own for floats_leave(). */
static inline struct floats
floats_enter(void)
{
   struct floats old;
#if defined(FLOATS_X86)
   const uint32_t mxcsr = FLOATS_MXCSR;
   const uint16_t x87 = FLOATS_X87;

   __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(old.mxcsr), "=m"(old.x87));
   __asm__ volatile("ldmxcsr %0\n\tfnclex\n\tfldcw %1" : : "m"(mxcsr), "m"(x87));
#elif defined(__aarch64__)
   const uint64_t fpcr = FLOATS_FPCR;

   __asm__ volatile("mrs %0, fpcr" : "=r"(old.fpcr));
   __asm__ volatile("msr fpcr, %0" : : "r"(fpcr));
#else
   old.none = 0;
#endif
   return old;
}

/* The status flags the device raised go with its state: what a program with unmasked exceptions
 * gets back has none pending. */
static inline void
floats_leave(struct floats old)
{
#if defined(FLOATS_X86)
   __asm__ volatile("fnclex\n\tldmxcsr %0\n\tfldcw %1" : : "m"(old.mxcsr), "m"(old.x87));
#elif defined(__aarch64__)
   __asm__ volatile("msr fpcr, %0" : : "r"(old.fpcr));
#else
   (void)old;
#endif
}

#endif
