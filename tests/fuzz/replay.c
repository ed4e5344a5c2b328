/* SPDX-License-Identifier: MIT */
/*
 * Runs the corpus of every target: what a fuzzer found once is found for ever.
 *
 * A target's corpus is one file: inputs one after the other, each with its length in four bytes in
 * front, little endian.
 *
 *    fuzz-replay FOLDER [TARGET]      run all, or one
 *    fuzz-replay --unpack FILE DIR    one file an input, for libFuzzer to start from
 *    fuzz-replay --pack FILE INPUT... the way back
 */
#include "fuzz.h"

#include <sys/wait.h>
#include <unistd.h>

/* FUZZ_TARGETS, of the build: TARGET(name) for each. */
#define TARGET(name) int fuzz_##name(const uint8_t *data, size_t size);
FUZZ_TARGETS
#undef TARGET

static const struct {
   const char *name;
   int (*run)(const uint8_t *data, size_t size);
} targets[] = {
#define TARGET(name) { #name, fuzz_##name },
   FUZZ_TARGETS
#undef TARGET
};

static uint8_t *
read_file(const char *path, size_t *size)
{
   FILE *f = fopen(path, "rb");
   uint8_t *data = malloc(16 << 20);

   FUZZ_CHECK(f && data);
   *size = fread(data, 1, 16 << 20, f);
   fclose(f);
   return data;
}

/* Calls fn for every input of a corpus, each in an allocation of its own size: no byte after it
 * may be read. */
static unsigned
each_input(const char *path, int (*fn)(const uint8_t *data, size_t size), const char *folder)
{
   size_t size, at = 0;
   uint8_t *all = read_file(path, &size);
   unsigned count = 0;

   while (size - at >= 4) {
      size_t n = all[at] | (size_t)all[at + 1] << 8 | (size_t)all[at + 2] << 16;
      FUZZ_CHECK(n <= size - at - 4);
      uint8_t *input = malloc(n ? n : 1);
      FUZZ_CHECK(input);
      memcpy(input, all + at + 4, n);
      if (folder) {
         char name[1024];
         snprintf(name, sizeof(name), "%s/%04u", folder, count);
         FILE *f = fopen(name, "wb");
         FUZZ_CHECK(f && fwrite(input, 1, n, f) == n);
         fclose(f);
      } else {
         fn(input, n);
      }
      free(input);
      at += 4 + n;
      count++;
   }
   free(all);
   return count;
}

static int
pack(const char *path, char **inputs, int count)
{
   FILE *f = fopen(path, "wb");
   FUZZ_CHECK(f);
   for (int i = 0; i < count; i++) {
      size_t n;
      uint8_t *data = read_file(inputs[i], &n);
      uint8_t head[4] = { (uint8_t)n, (uint8_t)(n >> 8), (uint8_t)(n >> 16), 0 };
      FUZZ_CHECK(fwrite(head, 1, 4, f) == 4 && fwrite(data, 1, n, f) == n);
      free(data);
   }
   return fclose(f);
}

/* In a process of its own: there is one device to each. */
static bool
replay(const char *folder, unsigned target)
{
   int status = -1;

   fflush(NULL);
   const pid_t child = fork();
   if (child == 0) {
      char path[1024];
      snprintf(path, sizeof(path), "%s/%s.corpus", folder, targets[target].name);
      unsigned count = each_input(path, targets[target].run, NULL);
      printf("%s: %u inputs\n", targets[target].name, count);
      exit(count == 0);
   }
   return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
          WEXITSTATUS(status) == 0;
}

int
main(int argc, char **argv)
{
   if (argc == 4 && !strcmp(argv[1], "--unpack")) {
      printf("%u inputs\n", each_input(argv[2], NULL, argv[3]));
      return 0;
   }
   if (argc > 3 && !strcmp(argv[1], "--pack"))
      return pack(argv[2], argv + 3, argc - 3);
   if (argc != 2 && argc != 3)
      return 2;
   for (unsigned i = 0; i < sizeof(targets) / sizeof(*targets); i++)
      if ((argc == 2 || !strcmp(argv[2], targets[i].name)) && !replay(argv[1], i))
         return 1;
   return 0;
}
