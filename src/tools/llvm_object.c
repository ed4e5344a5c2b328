/* SPDX-License-Identifier: MIT */
/* See llvm_object.h.  Every offset, size and index of a file is checked against what it counts. */
#include "llvm_object.h"

#include <elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MACHINE            224 /* AMD GPU */
#define RELOCATE_ABSOLUTE  6   /* a dword: an address */
#define PGM_RESOURCES_LS   0x288d4u
#define LDS_ALLOC          0x288e8u
#define CONFIG_PAIRS       3
#define CONFIG_BLOCK_BYTES (CONFIG_PAIRS * 8)

struct reader {
   const uint8_t *bytes;
   size_t size;
   Elf32_Ehdr header;
   Elf32_Shdr text, config, symbols, names, relocations; /* sh_type SHT_NULL: not there */
   uint32_t text_index;
   char *error;
   size_t error_size;
};

static bool __attribute__((format(printf, 2, 3))) wrong(struct reader *r, const char *fmt, ...)
{
   va_list ap;
   va_start(ap, fmt);
   vsnprintf(r->error, r->error_size, fmt, ap);
   va_end(ap);
   return false;
}

bool
llvm_object_is(const void *data, size_t size)
{
   Elf32_Ehdr header;

   if (size < sizeof(header) || memcmp(data, ELFMAG, SELFMAG) != 0)
      return false;
   memcpy(&header, data, sizeof(header));
   return header.e_ident[EI_CLASS] == ELFCLASS32 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
          header.e_machine == MACHINE;
}

static bool
section(const struct reader *r, uint32_t n, Elf32_Shdr *s)
{
   if (n >= r->header.e_shnum)
      return false;
   memcpy(s, r->bytes + r->header.e_shoff + (size_t)n * sizeof(*s), sizeof(*s));
   return s->sh_type == SHT_NOBITS ||
          (s->sh_offset <= r->size && s->sh_size <= r->size - s->sh_offset);
}

/* A text of a section of names, or "" where there is none. */
static const char *
name_at(const struct reader *r, const Elf32_Shdr *names, uint32_t at)
{
   if (names->sh_type != SHT_STRTAB || at >= names->sh_size)
      return "";
   const char *name = (const char *)r->bytes + names->sh_offset + at;
   return memchr(name, 0, names->sh_size - at) ? name : "";
}

static bool
find_sections(struct reader *r)
{
   Elf32_Shdr s, names;

   memcpy(&r->header, r->bytes, sizeof(r->header));
   if (r->header.e_shentsize != sizeof(s) || r->header.e_shoff > r->size ||
       r->header.e_shnum > (r->size - r->header.e_shoff) / sizeof(s) ||
       !section(r, r->header.e_shstrndx, &names))
      return wrong(r, "the section table lies outside the file");
   for (uint32_t n = 1; n < r->header.e_shnum; n++) {
      if (!section(r, n, &s))
         return wrong(r, "a section lies outside the file");
      const char *name = name_at(r, &names, s.sh_name);
      if (!strcmp(name, ".text") && s.sh_type == SHT_PROGBITS) {
         r->text = s;
         r->text_index = n;
      } else if (!strcmp(name, ".AMDGPU.config") && s.sh_type == SHT_PROGBITS) {
         r->config = s;
      } else if (s.sh_type == SHT_SYMTAB && s.sh_entsize == sizeof(Elf32_Sym)) {
         r->symbols = s;
         if (!section(r, s.sh_link, &r->names))
            return wrong(r, "the symbols have no names");
      } else if (!strcmp(name, ".rel.text") && s.sh_type == SHT_REL) {
         r->relocations = s;
      }
   }
   if (!r->text.sh_size || r->text.sh_size % 4)
      return wrong(r, "no section .text of whole dwords");
   return r->symbols.sh_size || wrong(r, "no symbols");
}

static uint32_t
num_symbols(const struct reader *r)
{
   return r->symbols.sh_size / (uint32_t)sizeof(Elf32_Sym);
}

static Elf32_Sym
symbol(const struct reader *r, uint32_t n)
{
   Elf32_Sym s;
   memcpy(&s, r->bytes + r->symbols.sh_offset + n * sizeof(s), sizeof(s));
   return s;
}

static bool
is_kernel(const struct reader *r, const Elf32_Sym *s)
{
   return ELF32_ST_TYPE(s->st_info) == STT_FUNC && s->st_shndx == r->text_index;
}

/* The kernel, and how many lie in front of it. */
static bool
find_kernel(struct reader *r, const char *wanted, Elf32_Sym *kernel, uint32_t *before)
{
   uint32_t kernels = 0, found = 0;

   for (uint32_t n = 0; n < num_symbols(r); n++) {
      const Elf32_Sym s = symbol(r, n);
      if (!is_kernel(r, &s))
         continue;
      kernels++;
      if (!wanted || !strcmp(name_at(r, &r->names, s.st_name), wanted)) {
         *kernel = s;
         found++;
      }
   }
   if (!kernels)
      return wrong(r, "no kernel");
   if (!found)
      return wrong(r, "no kernel '%s'", wanted);
   if (found > 1)
      return wrong(r, "%u kernels: --kernel names one", kernels);
   if (kernel->st_value % 8 || !kernel->st_size || kernel->st_size % 4 ||
       kernel->st_value > r->text.sh_size || kernel->st_size > r->text.sh_size - kernel->st_value)
      return wrong(r, "the kernel lies outside .text");
   *before = 0;
   for (uint32_t n = 0; n < num_symbols(r); n++) {
      const Elf32_Sym s = symbol(r, n);
      *before += is_kernel(r, &s) && s.st_value < kernel->st_value;
   }
   return true;
}

static bool
read_config(struct reader *r, uint32_t kernel, struct llvm_object *o)
{
   uint32_t pairs[CONFIG_PAIRS][2];
   bool found = false;

   if (kernel >= r->config.sh_size / CONFIG_BLOCK_BYTES)
      return wrong(r, "the kernel has no registers in .AMDGPU.config");
   memcpy(pairs, r->bytes + r->config.sh_offset + kernel * CONFIG_BLOCK_BYTES, sizeof(pairs));
   for (unsigned i = 0; i < CONFIG_PAIRS; i++) {
      if (pairs[i][0] == PGM_RESOURCES_LS) {
         found = true;
         o->num_gprs = pairs[i][1] & 255;
         o->stack_entries = pairs[i][1] >> 8 & 255;
      } else if (pairs[i][0] == LDS_ALLOC) {
         if (pairs[i][1] > 8192)
            return wrong(r, "%u dwords of LDS, and a group has 8192", pairs[i][1]);
         o->lds_bytes = 4 * pairs[i][1];
      }
   }
   if (!found)
      return wrong(r, "not a compute kernel");
   return o->num_gprs <= 124 || wrong(r, "%u registers, and a thread has 124", o->num_gprs);
}

/* .text is where LLVM's buffer of constants begins. */
static bool
relocate(struct reader *r, uint32_t *text)
{
   for (uint32_t n = 0; n < r->relocations.sh_size / sizeof(Elf32_Rel); n++) {
      Elf32_Rel rel;
      memcpy(&rel, r->bytes + r->relocations.sh_offset + n * sizeof(rel), sizeof(rel));
      if (ELF32_R_TYPE(rel.r_info) != RELOCATE_ABSOLUTE || rel.r_offset % 4 ||
          rel.r_offset >= r->text.sh_size || ELF32_R_SYM(rel.r_info) >= num_symbols(r))
         return wrong(r, "not implemented: relocation %u of type %u", n,
                      (unsigned)ELF32_R_TYPE(rel.r_info));
      const Elf32_Sym s = symbol(r, ELF32_R_SYM(rel.r_info));
      if (s.st_shndx != r->text_index)
         return wrong(r, "'%s' is defined nowhere in .text", name_at(r, &r->names, s.st_name));
      text[rel.r_offset / 4] += s.st_value;
   }
   return true;
}

bool
llvm_object_read(const void *data, size_t size, const char *kernel, struct llvm_object *o,
                 char *error, size_t error_size)
{
   struct reader r = { .bytes = data, .size = size, .error = error, .error_size = error_size };
   Elf32_Sym found = { 0 };
   uint32_t before = 0;

   memset(o, 0, sizeof(*o));
   if (!llvm_object_is(data, size))
      return wrong(&r, "no object file of LLVM's r600 target");
   if (!find_sections(&r) || !find_kernel(&r, kernel, &found, &before) ||
       !read_config(&r, before, o))
      return false;
   o->text = malloc(r.text.sh_size);
   if (!o->text)
      return wrong(&r, "no memory");
   memcpy(o->text, r.bytes + r.text.sh_offset, r.text.sh_size);
   o->num_dwords = r.text.sh_size / 4;
   o->first = found.st_value / 4;
   o->count = found.st_size / 4;
   if (relocate(&r, o->text))
      return true;
   free(o->text);
   o->text = NULL;
   return false;
}
