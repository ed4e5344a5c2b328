/* SPDX-License-Identifier: MIT */
/*
 * A command-line tool as a whole: its main() runs on a file of the fuzzer's bytes.  The first byte
 * picks one of a few command lines, the rest is the file.
 *
 * What must hold: it ends with 0 or 1 (for the head of a program that says how to run it, with 2);
 * refused input is called an error, with nothing on standard output, and nothing that is done
 * is called one.
 */
#ifndef TESTS_FUZZ_TOOL_H
#define TESTS_FUZZ_TOOL_H

#include <atoll/device.h>

#include "fuzz.h"

#define FUZZ_WORDS 8

struct fuzz_tool {
   int (*main)(int argc, char **argv);
   const char *lines[16][FUZZ_WORDS]; /* options; the file comes after them */
   unsigned num_lines;
};

/* What a run printed; free() both. */
struct fuzz_output {
   char *out, *err;
   size_t out_size, err_size;
};

/* The device of tools that play captures: the process's, and of the instruction set that the first
 * asked for. */
static inline void
fuzz_tool_device(void)
{
   setenv("ATOLL_ISA", "cayman", 1);
   setenv("ATOLL_BUDGET", "1000000c", 1);
   setenv("ATOLL_THREADS", "1", 1);
   setenv("ATOLL_SIMD", "sse2", 0);
   FUZZ_CHECK(atoll_device_get());
}

/* The command line of at most FUZZ_WORDS + 1 words, NULL after them; the exit code. */
int fuzz_tool_words(int (*tool)(int argc, char **argv), const char *const *words,
                    struct fuzz_output *output);

/* The command line with a file of `size` bytes after it; the exit code. */
int fuzz_tool_call(int (*tool)(int argc, char **argv), const char *const *options,
                   const uint8_t *data, size_t size, struct fuzz_output *output);

/* The same with a capture.  One of format 4 that is whole 64-bit words has its records as they are,
 * and is packed here; any other is what it is. */
int fuzz_capture_call(int (*tool)(int argc, char **argv), const char *const *options,
                      const uint8_t *data, size_t size, struct fuzz_output *output);

/* Run and check. */
int fuzz_tool_check(const struct fuzz_tool *tool, const uint8_t *data, size_t size);

int atoll_as_main(int argc, char **argv);
int atoll_debug_main(int argc, char **argv);
int atoll_dis_main(int argc, char **argv);
int atoll_il_main(int argc, char **argv);
int atoll_ilc_main(int argc, char **argv);
int atoll_replay_main(int argc, char **argv);
int atoll_run_main(int argc, char **argv);

#endif /* TESTS_FUZZ_TOOL_H */
