/* SPDX-License-Identifier: MIT */
/* Runs the corpus of every target: what a fuzzer found once is found for ever. */
#include <dirent.h>

#include "fuzz.h"

static const struct {
   const char *name;
   int (*run)(const uint8_t *data, size_t size);
} targets[] = {
   { "cayman_text", fuzz_cayman_text }, { "cayman_words", fuzz_cayman_words },
   { "container", fuzz_container },     { "il_text", fuzz_il_text },
   { "il_binary", fuzz_il_binary },
};

static unsigned
run_folder(const char *folder, int (*run)(const uint8_t *data, size_t size))
{
   DIR *d = opendir(folder);
   struct dirent *entry;
   unsigned count = 0;

   while (d && (entry = readdir(d))) {
      char path[1024];
      snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
      FILE *f = entry->d_name[0] == '.' ? NULL : fopen(path, "rb");
      if (!f) {
         continue;
      }
      uint8_t *data = malloc(1 << 20);
      FUZZ_CHECK(data);
      size_t size = fread(data, 1, 1 << 20, f);
      fclose(f);
      /* No byte behind the input may be read. */
      uint8_t *exact = malloc(size ? size : 1);
      FUZZ_CHECK(exact);
      memcpy(exact, data, size);
      free(data);
      run(exact, size);
      free(exact);
      count++;
   }
   if (d) {
      closedir(d);
   }
   return count;
}

int
main(int argc, char **argv)
{
   for (unsigned i = 0; argc > 1 && i < sizeof(targets) / sizeof(*targets); i++) {
      char folder[900];
      snprintf(folder, sizeof(folder), "%s/%s", argv[1], targets[i].name);
      unsigned count = run_folder(folder, targets[i].run);
      printf("%s: %u inputs\n", targets[i].name, count);
      if (count == 0) {
         return 1;
      }
   }
   return argc > 1 ? 0 : 2;
}
