/* SPDX-License-Identifier: MIT */
/* Whether a sanitizer's run-time library is in the process: GCC and Clang say it in two ways. */
#ifndef SANITIZERS_H
#define SANITIZERS_H

#ifdef __has_feature
#define SANITIZERS_HAVE(feature) __has_feature(feature)
#else
#define SANITIZERS_HAVE(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || SANITIZERS_HAVE(address_sanitizer)
#define SANITIZER_ADDRESS 1
#else
#define SANITIZER_ADDRESS 0
#endif

#if defined(__SANITIZE_THREAD__) || SANITIZERS_HAVE(thread_sanitizer)
#define SANITIZER_THREAD 1
#else
#define SANITIZER_THREAD 0
#endif

#endif /* SANITIZERS_H */
