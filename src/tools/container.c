/* SPDX-License-Identifier: MIT */
/* See container.h.  Every offset and size of a file is checked against its length. */
#include "container.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static const char names[] = "\0.text\0.isa\0.options.before\0.options.after\0.shstrtab";
enum {
   NAME_TEXT = 1,
   NAME_ISA = 7,
   NAME_BEFORE = 12,
   NAME_AFTER = 28,
   NAME_NAMES = 43,
   NUM_SECTIONS = 6,
};

bool
container_is_elf(const void *data, size_t size)
{
   return size >= SELFMAG && memcmp(data, ELFMAG, SELFMAG) == 0;
}

uint8_t *
container_write(const struct container *c, size_t *size)
{
   const struct {
      uint32_t name, type;
      const void *data;
      size_t size;
   } parts[NUM_SECTIONS] = {
      { 0, SHT_NULL, NULL, 0 },
      { NAME_TEXT, SHT_PROGBITS, c->words, c->num_bytes },
      { NAME_ISA, SHT_PROGBITS, c->isa, c->isa_size },
      { NAME_BEFORE, SHT_PROGBITS, c->before, c->before_size },
      { NAME_AFTER, SHT_PROGBITS, c->after, c->after_size },
      { NAME_NAMES, SHT_STRTAB, names, sizeof(names) },
   };
   size_t at = sizeof(Elf32_Ehdr), total = at;
   for (unsigned i = 1; i < NUM_SECTIONS; i++)
      total += (parts[i].size + 15) & ~(size_t)15;
   total += NUM_SECTIONS * sizeof(Elf32_Shdr);
   uint8_t *file = calloc(total, 1);
   if (!file)
      return NULL;
   Elf32_Ehdr header = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB,
                                      EV_CURRENT },
                         .e_type = ET_REL,
                         .e_machine = EM_NONE,
                         .e_version = EV_CURRENT,
                         .e_ehsize = sizeof(Elf32_Ehdr),
                         .e_shentsize = sizeof(Elf32_Shdr),
                         .e_shnum = NUM_SECTIONS,
                         .e_shstrndx = NUM_SECTIONS - 1 };
   Elf32_Shdr sections[NUM_SECTIONS] = { { 0 } };
   for (unsigned i = 1; i < NUM_SECTIONS; i++) {
      sections[i] = (Elf32_Shdr){ .sh_name = parts[i].name,
                                  .sh_type = parts[i].type,
                                  .sh_offset = (uint32_t)at,
                                  .sh_size = (uint32_t)parts[i].size,
                                  .sh_addralign = 4 };
      if (parts[i].size)
         memcpy(file + at, parts[i].data, parts[i].size);
      at += (parts[i].size + 15) & ~(size_t)15;
   }
   header.e_shoff = (uint32_t)at;
   memcpy(file, &header, sizeof(header));
   memcpy(file + at, sections, sizeof(sections));
   *size = total;
   return file;
}

const char *
container_read(const void *data, size_t size, struct container *c)
{
   const uint8_t *bytes = data;
   Elf32_Ehdr header;
   Elf32_Shdr section, strings;

   memset(c, 0, sizeof(*c));
   if (size < sizeof(header))
      return "the ELF header is cut off";
   memcpy(&header, data, sizeof(header));
   if (header.e_ident[EI_CLASS] != ELFCLASS32 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
       header.e_shentsize != sizeof(section))
      return "not a 32-bit little-endian ELF file";
   if (header.e_shoff > size || header.e_shnum > (size - header.e_shoff) / sizeof(section) ||
       header.e_shstrndx >= header.e_shnum)
      return "the section table lies outside the file";
   memcpy(&strings, bytes + header.e_shoff + header.e_shstrndx * sizeof(section), sizeof(strings));
   if (strings.sh_offset > size || strings.sh_size > size - strings.sh_offset)
      return "the section names lie outside the file";
   bool found = false;
   for (unsigned i = 1; i < header.e_shnum; i++) {
      memcpy(&section, bytes + header.e_shoff + i * sizeof(section), sizeof(section));
      if (section.sh_name >= strings.sh_size)
         return "a section's name lies outside the names";
      const char *name = (const char *)bytes + strings.sh_offset + section.sh_name;
      size_t left = strings.sh_size - section.sh_name;
      if (!memchr(name, 0, left))
         return "a section's name has no end";
      bool text = !strcmp(name, ".text");
      const struct {
         const char *name, **data;
         size_t *size;
      } texts[] = {
         { ".isa", &c->isa, &c->isa_size },
         { ".options.before", &c->before, &c->before_size },
         { ".options.after", &c->after, &c->after_size },
      };
      unsigned t = 0;
      while (t < 3 && strcmp(name, texts[t].name) != 0)
         t++;
      if (!text && t == 3)
         continue;
      if (section.sh_type == SHT_NOBITS || section.sh_offset > size ||
          section.sh_size > size - section.sh_offset)
         return "a section lies outside the file";
      const uint8_t *start = bytes + section.sh_offset;
      if (text) {
         found = true;
         c->words = start;
         c->num_bytes = section.sh_size;
      } else {
         *texts[t].data = (const char *)start;
         *texts[t].size = section.sh_size;
      }
   }
   if (!found)
      return "the file has no section .text";
   return c->num_bytes % 4 ? ".text is no whole number of dwords" : NULL;
}
