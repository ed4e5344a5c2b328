/* SPDX-License-Identifier: MIT */
/*
 * atoll-run: runs a compute program, IL or machine code, on the device's shader core.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <atoll/cayman/enums.h>

#include "compiler/cayman/cayman_compile.h"
#include "direct/direct.h"
#include "kernel.h"
#include "il/conventions.h"
#include "il/il.h"
#include "isa/text.h"

#include "tools/code.h"
#include "tools/container.h"
#include "tools/il_input.h"
#include "tools/llvm_object.h"
#include "llvm_abi.h"
#include "machine.h"
#include "texture_option.h"
#include "tools/tool.h"

enum {
   OUTPUT,
   ISA,
   BUFFER,
   CONST,
   TEXTURE,
   SAMPLER,
   IMAGE,
   GROUPS,
   THREADS,
   LDS,
   GPRS,
   BUDGET,
   DIRECT,
   ABI,
   KERNEL,
   ARG,
   DUMP,
   STATS
};

static const struct tool_option options[] = {
   [OUTPUT] = { "output", 'o', "FILE", NULL,
                "write results there; without it, to standard output" },
   [ISA] = CODE_ISA_OPTION("instruction set of a text or of raw words; an ELF file says its own"),
   [BUFFER] = { "buffer", 'b', "N=DATA", NULL, "UAV N (0-7): RAT N, read as resource 112 + N" },
   [CONST] = { "const", 'c', "N=DATA", NULL,
               "constant buffer N (0-16): kcache bank (but 16) and resource N" },
   [TEXTURE] = { "texture", 'T', "N=KIND,FORMAT,SIZE[,...]", NULL,
                 "texture N (0-15): resource 18 + N" },
   [SAMPLER] = { "sampler", 'S', "N=WORD[,...]", NULL, "sampler N (0-15)" },
   [IMAGE] = { "image", 'I', "N=KIND,FORMAT,SIZE[,...]", NULL,
               "typed UAV N (0-7), in place of buffer N" },
   [GROUPS] = { "groups", 'g', "X[,Y[,Z]]", NULL, "work groups (1)" },
   [THREADS] = { "threads", 't', "X[,Y[,Z]]", NULL,
                 "threads of a group (64, or what the IL declares)" },
   [LDS] = { "lds", 0, "BYTES", NULL, "local memory of a group (32768, or what the IL declares)" },
   [GPRS] = { "gprs", 0, "N", NULL, "registers the program may use (124)" },
   [BUDGET] = { "budget", 0, "N", NULL, "millions of cycles that all waves may run (16384)" },
   [DIRECT] = { "direct", 0, NULL, NULL, "execute IL as it is, not what the compiler makes of it" },
   [ABI] = { "abi", 0, "ABI", "atoll llvm",
             "what starts the program: atoll-run (atoll), or what LLVM expects (llvm); an object\n"
             "file of LLVM's says so itself" },
   [KERNEL] = { "kernel", 'k', "NAME", NULL, "of an object file of LLVM's, which kernel" },
   [ARG] = { "arg", 'a', "bN|DATA", NULL,
             "of a kernel of LLVM's, the next argument: buffer N's address, or data" },
   [DUMP] = { "dump", 'd', "N[:FORM]", NULL,
              "print buffer N afterwards: u32 (default), i32, f32, x32 or raw" },
   [STATS] = { "stats", 's', NULL, NULL, "print the cycles that ran to standard error" },
   TOOL_COMMON_OPTIONS,
};

static const struct tool tool = {
   .name = "atoll-run",
   .usage = "[OPTION...] FILE",
   .summary =
      "Runs a compute program: AMD IL (text or binary), a Cayman listing, an ELF file of\n"
      "atoll-as, or with --isa a text or raw words.  R0.xyz is the thread in its group, R1.xyz\n"
      "the group; of ATTILA i0 and i1, and oN goes to buffer N; of Valhall r55 to r62, and\n"
      "u[2N] is the address of buffer N.  Evergreen's programs are as Cayman's.\n\n"
      "DATA is u32:1,2,3  i32:-1,2  f32:1.5,2  zero:COUNT  iota:COUNT (dwords) or @FILE.  Lines\n"
      "'; atoll-run: OPTION...' at the top of FILE (any but -o) are read before the command "
      "line.\n\n"
      "KIND is 1d 2d 3d cube 1darray 2darray cubearray 2dms 2dmsarray or buffer; FORMAT is like\n"
      "8_8_8_8_unorm, 16_16_sint, 32_float or bc1_srgb; SIZE is WxHxD, the last number counts\n"
      "layers or cubes; then levels=N samples=N select=xyz1 and, last, data=DATA, which is\n"
      "repeated.  A sampler's words are point linear mag=F min=F mip=none|point|linear\n"
      "wrap=M x=M y=M z=M (M: wrap mirror clamp border half-border and mirror-once with\n"
      "-border and -half-border) compare=less border=white|black|transparent|R/G/B/A aniso=N\n"
      "minlod=L maxlod=L bias=L.",
   .options = options,
};

struct job {
   /* What is said of a wrong option: the command line, or the file's head. */
   const struct tool *tool;
   bool unreadable; /* a file of data: an error of the system */
   struct machine m;
   const char *output;
   const struct isa *isa; /* of --isa, or NULL */
   bool threads_given, lds_given, stats, direct, llvm;
   const char *kernel;
   struct llvm_abi abi;
   struct il_program *il; /* that runs as it is */
   struct machine_buffer texture_data[MACHINE_TEXTURES], image_data[MACHINE_IMAGES];
   struct machine_buffer image_now[MACHINE_IMAGES]; /* after the run */
   uint32_t *text;                                  /* of LLVM's object file */
   uint32_t text_dwords;
   struct {
      unsigned buffer;
      char form; /* u i f x r */
   } dump[16];
   unsigned num_dumps;
};

/* Dwords of "u32:1,2", "zero:64", "@file" ... */
static bool
parse_data(struct job *job, const char *text, struct machine_buffer *b)
{
   enum { MAX_DWORDS = 1 << 24 };
   const char *colon = strchr(text, ':');

   free(b->words);
   *b = (struct machine_buffer){ NULL, 0 };
   if (text[0] == '@') {
      struct tool_file file;
      size_t count;
      if (!tool_read(&tool, text + 1, &file)) {
         job->unreadable = true;
         return false;
      }
      uint32_t *words = tool_words(&file, &count);
      free(file.data);
      if (!words)
         return false;
      b->words = calloc(count + MACHINE_PADDING, 4);
      if (b->words) {
         memcpy(b->words, words, 4 * count);
         b->count = (uint32_t)count;
      }
      free(words);
      return b->words != NULL;
   }
   if (!colon) {
      tool_usage(job->tool, "'%s' is no data", text);
      return false;
   }
   size_t kind = (size_t)(colon - text);
   const char *p = colon + 1;
   if (!strncmp(text, "zero", kind) || !strncmp(text, "iota", kind)) {
      uint32_t count;
      if (!tool_number(job->tool, "buffer", p, MAX_DWORDS, &count))
         return false;
      b->words = calloc(count + MACHINE_PADDING, 4);
      b->count = count;
      for (uint32_t i = 0; b->words && text[0] == 'i' && i < count; i++)
         b->words[i] = i;
      return b->words != NULL;
   }
   if (kind != 3 ||
       (strncmp(text, "u32", 3) && strncmp(text, "i32", 3) && strncmp(text, "f32", 3))) {
      tool_usage(job->tool, "'%.*s' is no kind of data", (int)kind, text);
      return false;
   }
   b->words = calloc(strlen(p) / 2 + 2 + MACHINE_PADDING, 4);
   while (b->words) {
      char *end;
      uint32_t word;
      if (text[0] == 'f') {
         float value = strtof(p, &end);
         memcpy(&word, &value, 4);
      } else {
         word = text[0] == 'u' ? (uint32_t)strtoul(p, &end, 0) : (uint32_t)strtol(p, &end, 0);
      }
      if (end == p || (*end && *end != ',')) {
         tool_usage(job->tool, "'%s' is no number", p);
         return false;
      }
      b->words[b->count++] = word;
      if (!*end)
         return true;
      p = end + 1;
   }
   return false;
}

/* N=DATA */
static bool
parse_buffer(struct job *job, const char *text, struct machine_buffer *buffers, unsigned count)
{
   char *end;
   unsigned long n = strtoul(text, &end, 10);
   if (end == text || *end != '=' || n >= count) {
      tool_usage(job->tool, "'%s' is not N=DATA with N below %u", text, count);
      return false;
   }
   return parse_data(job, end + 1, &buffers[n]);
}

/* A texture, or an image, and its data. */
static bool
parse_texture(struct job *job, const char *text, bool image)
{
   struct machine_texture *slots = image ? job->m.image : job->m.texture;
   const char *data;
   int n = texture_option(job->tool, text, image, slots, image ? MACHINE_IMAGES : MACHINE_TEXTURES,
                          &data);

   if (n < 0)
      return false;
   struct machine_buffer *b = image ? &job->image_data[n] : &job->texture_data[n];
   if (data && !parse_data(job, data, b))
      return false;
   if (data) {
      slots[n].data = b->words;
      slots[n].dwords = b->count;
   }
   return true;
}

static bool
parse_size(struct job *job, const char *text, uint32_t size[3])
{
   size[0] = size[1] = size[2] = 1;
   for (unsigned i = 0; i < 3; i++) {
      char *end;
      unsigned long v = strtoul(text, &end, 10);
      if (end == text || v == 0 || v > 65535)
         break;
      size[i] = (uint32_t)v;
      if (!*end)
         return true;
      if (*end != ',')
         break;
      text = end + 1;
   }
   tool_usage(job->tool, "expected one to three numbers from 1 to 65535, X,Y,Z");
   return false;
}

static bool
parse_dump(struct job *job, const char *text)
{
   static const char *const forms[] = { "u32", "i32", "f32", "x32", "raw" };
   char *end;
   unsigned long n = strtoul(text, &end, 10);
   char form = 'u';
   bool known = *end == 0;

   for (unsigned i = 0; *end == ':' && i < 5; i++) {
      if (!strcmp(end + 1, forms[i])) {
         form = forms[i][0];
         known = true;
      }
   }
   if (end == text || n >= MACHINE_BUFFERS || !known || job->num_dumps == 16) {
      tool_usage(job->tool, "'%s' is not N[:FORM]", text);
      return false;
   }
   job->dump[job->num_dumps].buffer = (unsigned)n;
   job->dump[job->num_dumps++].form = form;
   return true;
}

/* An argument of a kernel: b3, or data. */
static bool
parse_arg(struct job *job, const char *text)
{
   if (job->abi.num_args == LLVM_ARGS) {
      tool_usage(job->tool, "more than %u arguments", LLVM_ARGS);
      return false;
   }
   struct llvm_arg *arg = &job->abi.arg[job->abi.num_args];
   *arg = (struct llvm_arg){ .buffer = -1 };
   if (text[0] == 'b' && text[1] >= '0' && text[1] < '0' + MACHINE_BUFFERS && !text[2])
      arg->buffer = text[1] - '0';
   else if (!parse_data(job, text, &arg->data))
      return false;
   job->abi.num_args++;
   return true;
}

/* Options of a command line, or of the file's head.  TOOL_ARG_END: all read; else leave with
 * args->exit_code. */
static int
read_options(struct tool_args *args, struct job *job)
{
   int option;

   job->tool = args->tool;
   while ((option = tool_next(args)) != TOOL_ARG_END) {
      bool ok = true;
      uint32_t n;
      switch (option) {
      case TOOL_ARG_EXIT:
         return TOOL_ARG_EXIT;
      case OUTPUT:
         job->output = args->value;
         break;
      case ISA:
         job->isa = code_isa(job->tool, args->value);
         ok = job->isa != NULL;
         break;
      case BUFFER:
         ok = parse_buffer(job, args->value, job->m.buffer, MACHINE_BUFFERS);
         break;
      case CONST:
         ok = parse_buffer(job, args->value, job->m.constant, MACHINE_CONSTANTS);
         break;
      case TEXTURE:
      case IMAGE:
         ok = parse_texture(job, args->value, option == IMAGE);
         break;
      case SAMPLER:
         ok = sampler_option(job->tool, args->value, job->m.sampler, MACHINE_SAMPLERS);
         break;
      case GROUPS:
         ok = parse_size(job, args->value, job->m.groups);
         break;
      case THREADS:
         ok = parse_size(job, args->value, job->m.threads);
         job->threads_given = true;
         break;
      case LDS:
         ok = tool_number(job->tool, "lds", args->value, 32768, &job->m.lds_bytes);
         job->lds_given = true;
         break;
      case GPRS:
         ok = tool_number(job->tool, "gprs", args->value, 124, &n);
         job->m.num_gprs = ok ? n : 0;
         break;
      case BUDGET:
         ok = tool_number(job->tool, "budget", args->value, 1u << 30, &n);
         job->m.budget = ok ? n * UINT64_C(1000000) : 0;
         break;
      case DIRECT:
         job->direct = true;
         break;
      case ABI:
         job->llvm = !strcmp(args->value, "llvm");
         ok = job->llvm || !strcmp(args->value, "atoll");
         if (!ok)
            tool_usage(job->tool, "unknown ABI '%s'", args->value);
         break;
      case KERNEL:
         job->kernel = args->value;
         break;
      case ARG:
         ok = parse_arg(job, args->value);
         break;
      case DUMP:
         ok = parse_dump(job, args->value);
         break;
      default:
         job->stats = true;
         break;
      }
      if (!ok) {
         args->exit_code = job->unreadable   ? TOOL_SYSTEM
                           : job->tool->file ? TOOL_REFUSED
                                             : TOOL_USAGE;
         return TOOL_ARG_EXIT;
      }
   }
   return TOOL_ARG_END;
}

/* "; atoll-run: --groups=4 ..." lines at the top of the file. */
static int
read_head(const struct tool_file *file, struct job *job, int *exit_code)
{
   enum { MAX_WORDS = 64 };
   static const char mark[] = "; atoll-run:";
   unsigned number = 1;
   const char *p = file->data, *end = file->data + file->size;

   while ((size_t)(end - p) > sizeof(mark) && !memcmp(p, mark, sizeof(mark) - 1)) {
      const char *stop = memchr(p, '\n', (size_t)(end - p));
      size_t length = (size_t)((stop ? stop : end) - p) - (sizeof(mark) - 1);
      char *line = malloc(length + 1), *save = NULL;
      char *argv[MAX_WORDS] = { (char *)(uintptr_t)tool.name };
      int argc = 1;
      if (!line) {
         *exit_code = TOOL_SYSTEM;
         return TOOL_ARG_EXIT;
      }
      memcpy(line, p + sizeof(mark) - 1, length);
      line[length] = 0;
      for (char *word = strtok_r(line, " \t\r", &save); word && argc < MAX_WORDS;
           word = strtok_r(NULL, " \t\r", &save))
         argv[argc++] = word;
      struct tool head = tool;
      head.file = file;
      head.line = number;
      struct tool_args args = { .tool = &head, .argc = argc, .argv = argv };
      int result = read_options(&args, job);
      job->tool = &tool;
      /* A file that is run says how, and not what is written over. */
      if (result == TOOL_ARG_END && (args.input || job->output || argc == MAX_WORDS)) {
         tool_error(file, number, 0, "the head has %s",
                    args.input    ? "a word that is no option"
                    : job->output ? "an option -o"
                                  : "too many words");
         args.exit_code = TOOL_REFUSED;
         result = TOOL_ARG_EXIT;
      }
      free(line);
      if (result != TOOL_ARG_END) {
         *exit_code = args.exit_code;
         return TOOL_ARG_EXIT;
      }
      number++;
      p = stop ? stop + 1 : end;
   }
   return TOOL_ARG_END;
}

/* The first word of the text that is no comment begins with "il_". */
static bool
is_il_text(const struct tool_file *file)
{
   const char *p = file->data;
   for (;;) {
      while (isspace((unsigned char)*p))
         p++;
      if (*p != ';')
         return !strncmp(p, "il_", 3) || !strncmp(p, "mdef", 4);
      while (*p && *p != '\n')
         p++;
   }
}

/* What a driver would put into constant buffer 15: the number of work groups, immediate constants
 * after the rest. */
static bool
driver_constants(struct machine *m, const struct shader_code *shader)
{
   struct machine_buffer *b = &m->constant[IL_DRIVER_CB];
   uint32_t count = 4 * (SHADER_ICB_FIRST_VEC4 + shader->num_icb);

   if (b->words)
      return true; /* given on the command line */
   b->words = calloc(count + MACHINE_PADDING, 4);
   if (!b->words)
      return false;
   b->count = count;
   memcpy(b->words + 4 * IL_DRV_GRID, m->groups, sizeof(m->groups));
   for (unsigned n = 0; n < MACHINE_TEXTURES; n++) {
      b->words[4 * IL_DRV_CUBES + n] =
         m->texture[n].dim == SQ_TEX_DIM_CUBEMAP ? m->texture[n].depth : 0;
   }
   if (shader->num_icb)
      memcpy(b->words + 4 * SHADER_ICB_FIRST_VEC4, shader->icb, 16 * (size_t)shader->num_icb);
   return true;
}

static uint64_t
volume(uint32_t x, uint32_t y, uint32_t z)
{
   return (uint64_t)x * y * z;
}

/* What an IL program declares, unless the command line says otherwise.  False, and reported: more
 * threads than it was made for. */
static bool
take_sizes(const struct tool_file *file, struct job *job, const struct shader_code *shader)
{
   uint32_t declared[3], *given = job->m.threads;

   for (unsigned i = 0; i < 3; i++)
      declared[i] = shader->cs.block[i] ? shader->cs.block[i] : 1;
   if (!job->lds_given)
      job->m.lds_bytes = 4 * shader->cs.lds_dwords;
   if (!job->threads_given) {
      memcpy(given, declared, sizeof(declared));
   } else if (volume(given[0], given[1], given[2]) >
              volume(declared[0], declared[1], declared[2])) {
      tool_error(file, 0, 0, "declares groups of %u,%u,%u threads, not of %u,%u,%u", declared[0],
                 declared[1], declared[2], given[0], given[1], given[2]);
      return false;
   }
   return true;
}

/* The sizes alone; the program is lifted when it runs. */
static bool
load_direct(const struct tool_file *file, struct job *job, const struct il_program *p)
{
   const struct kernels *kernels = kernels_choose();
   struct direct_program direct;
   struct shader_code shader = { 0 };
   char message[256], text[300];

   if (!direct_lift(kernels, p, 0, &direct, message, sizeof(message))) {
      snprintf(text, sizeof(text), "not executed directly: %s", message);
      il_input_refused(file, p, text);
      return false;
   }
   for (unsigned i = 0; i < 3; i++)
      shader.cs.block[i] = (uint16_t)direct.block[i];
   shader.cs.lds_dwords = direct.lds_bytes / 4;
   direct_free(kernels, &direct);
   if (!take_sizes(file, job, &shader))
      return false;
   if (!driver_constants(&job->m, &shader)) {
      tool_error(file, 0, 0, "no memory");
      return false;
   }
   return true;
}

/* Machine code; NULL also for a program that runs directly, which is then job->il. */
static uint32_t *
load_il(const struct tool_file *file, struct job *job, size_t *count)
{
   struct il_program *p =
      il_input_read(file, IL_NUMBERING_STREAM, " (raw words of machine code need --isa)");
   struct shader_code shader;
   char message[256];
   uint32_t *words = NULL;

   if (p && il_input_validate(file, p, IL_STD_EXTENDED)) {
      if (p->shader != IL_SHADER_COMPUTE) {
         tool_error(file, 0, 0, "not a compute program (il_cs)");
      } else if (job->direct) {
         if (load_direct(file, job, p)) {
            job->il = p;
            return NULL;
         }
      } else if (!cayman_compile(p, 0, &shader, message, sizeof(message))) {
         il_input_not_compiled(file, p, message);
      } else if (!driver_constants(&job->m, &shader)) {
         tool_error(file, 0, 0, "no memory");
         shader_code_finish(&shader);
      } else if (!take_sizes(file, job, &shader)) {
         shader_code_finish(&shader);
      } else {
         words = shader.words;
         *count = shader.num_dwords;
         job->m.num_gprs = shader.num_gprs > 2 ? shader.num_gprs : 2;
         job->m.stack_entries = shader.stack_size;
         shader.words = NULL;
         shader_code_finish(&shader);
      }
   }
   il_program_free(p);
   return words;
}

/* A kernel of an object file of LLVM's; all of .text goes to job->text. */
static uint32_t *
load_llvm(const struct tool_file *file, struct job *job, size_t *count)
{
   struct llvm_object o;
   char error[160];

   if (!llvm_object_read(file->data, file->size, job->kernel, &o, error, sizeof(error))) {
      tool_error(file, 0, 0, "%s", error);
      return NULL;
   }
   uint32_t *words = malloc(4 * (size_t)o.count);
   job->text = o.text;
   job->text_dwords = o.num_dwords;
   if (!words) {
      tool_error(file, 0, 0, "no memory");
      return NULL;
   }
   memcpy(words, o.text + o.first, 4 * (size_t)o.count);
   *count = o.count;
   job->llvm = true;
   job->m.isa = ISA_ID_cayman;
   /* R0 and R1 are given whatever the kernel takes of them. */
   job->m.num_gprs = o.num_gprs > 2 ? o.num_gprs : 2;
   job->m.stack_entries = o.stack_entries;
   if (!job->lds_given)
      job->m.lds_bytes = o.lds_bytes;
   return words;
}

static uint32_t *
load(const struct tool_file *file, struct job *job, size_t *count)
{
   bool text = tool_is_text(file);

   if (llvm_object_is(file->data, file->size) && !job->direct &&
       (!job->isa || job->isa->id == ISA_ID_cayman))
      return load_llvm(file, job, count);

   if (!job->isa && !container_is_elf(file->data, file->size) && (!text || is_il_text(file)))
      return load_il(file, job, count);
   if (job->direct) {
      tool_error(file, 0, 0, "--direct takes AMD IL, and this is machine code");
      return NULL;
   }
   if (!text) {
      struct code code;
      if (!code_read(file, job->isa, &code))
         return NULL;
      job->m.isa = code.isa->id;
      *count = code.num_dwords;
      return code.words;
   }
   const struct isa *isa = job->isa ? job->isa : isa_at(0);
   const struct isa_limits limits = { .num_gprs = job->m.num_gprs, .stage = ISA_STAGE_COMPUTE };
   struct isa_binary binary;
   struct isa_error error;
   if (!isa->assemble(file->data, file->size, &limits, &binary, &error)) {
      tool_error(file, error.line, error.column, "%s", error.text);
      return NULL;
   }
   uint32_t *words = binary.words;
   job->m.isa = isa->id;
   *count = binary.num_dwords;
   binary.words = NULL;
   isa_binary_finish(&binary);
   return words;
}

static void
dump(struct isa_text *t, const struct machine_buffer *b, char form)
{
   char s[40];
   for (uint32_t i = 0; i < b->count; i++) {
      float f;
      memcpy(&f, &b->words[i], 4);
      switch (form) {
      case 'r':
         text_add(t, (const char *)&b->words[i], 4);
         continue;
      case 'i':
         snprintf(s, sizeof(s), "%d\n", (int32_t)b->words[i]);
         break;
      case 'f':
         snprintf(s, sizeof(s), "%.9g\n", (double)f);
         break;
      case 'x':
         snprintf(s, sizeof(s), "%08x\n", b->words[i]);
         break;
      default:
         snprintf(s, sizeof(s), "%u\n", b->words[i]);
         break;
      }
      text_str(t, s);
   }
}

/* Room for the images that are printed. */
static bool
prepare_images(struct job *job)
{
   bool ok = true;

   for (unsigned i = 0; i < job->num_dumps; i++) {
      unsigned n = job->dump[i].buffer;
      struct machine_buffer *now = &job->image_now[n];
      if (job->m.image[n].there && !now->words) {
         now->count = machine_views_read(NULL, &job->m.image[n], n, NULL);
         now->words = calloc((size_t)now->count + 1, 4);
         job->m.image_out[n] = now->words;
         ok = ok && now->words;
      }
   }
   return ok;
}

/* Buffers that are printed must be there. */
static bool
has_dumps(const struct tool_file *file, const struct job *job)
{
   for (unsigned i = 0; i < job->num_dumps; i++) {
      const unsigned n = job->dump[i].buffer;
      if (!job->m.image[n].there && !job->m.buffer[n].words) {
         tool_error(file, 0, 0, "buffer %u is to be printed, and not given", n);
         return false;
      }
   }
   return true;
}

/* Memory and arguments as LLVM expects them, if the program is its. */
static bool
begin_llvm(struct job *job, char *error, size_t size)
{
   if (!job->llvm) {
      return job->abi.num_args == 0 && !job->kernel
                ? true
                : (snprintf(error, size, "--arg and --kernel are for LLVM's kernels"), false);
   }
   return llvm_abi_begin(&job->abi, &job->m, job->text ? job->text : job->m.words,
                         job->text ? job->text_dwords : (uint32_t)job->m.num_dwords, error, size);
}

static int
run(const struct tool_file *file, struct job *job)
{
   struct isa_error broken;
   char error[256];
   size_t count = 0;
   uint32_t *words = load(file, job, &count);
   int code = TOOL_REFUSED;

   if (!words && !job->il)
      return TOOL_REFUSED;
   struct isa_limits limits = { .num_gprs = job->m.num_gprs, .stage = ISA_STAGE_COMPUTE };
   job->m.words = words;
   job->m.num_dwords = count;
   job->m.direct = job->il;
   if (words && !isa_at(job->m.isa)->validate(words, count, &limits, &broken)) {
      tool_error(file, 0, 0, "%s", broken.text);
   } else if (!has_dumps(file, job)) {
      code = TOOL_REFUSED;
   } else if (!prepare_images(job)) {
      tool_error(file, 0, 0, "no memory");
   } else if (!begin_llvm(job, error, sizeof(error))) {
      tool_error(file, 0, 0, "%s", error);
   } else if (!machine_run(&job->m, error, sizeof(error))) {
      tool_error(file, 0, 0, "%s", error);
   } else {
      struct isa_text out = { 0 };
      llvm_abi_end(&job->abi, &job->m);
      for (unsigned i = 0; i < job->num_dumps; i++) {
         unsigned n = job->dump[i].buffer;
         dump(&out, job->m.image[n].there ? &job->image_now[n] : &job->m.buffer[n],
              job->dump[i].form);
      }
      if (job->stats)
         fprintf(stderr, "%llu cycles\n", (unsigned long long)job->m.cycles);
      code = out.failed || !tool_write(&tool, job->output, out.data ? out.data : "", out.size)
                ? TOOL_SYSTEM
                : TOOL_OK;
      free(out.data);
   }
   free(words);
   il_program_free(job->il);
   return code;
}

static void
free_job(struct job *job)
{
   llvm_abi_free(&job->abi);
   free(job->text);
   for (unsigned i = 0; i < MACHINE_CONSTANTS; i++)
      free(job->m.constant[i].words);
   for (unsigned i = 0; i < MACHINE_BUFFERS; i++) {
      free(job->m.buffer[i].words);
      free(job->image_data[i].words);
      free(job->image_now[i].words);
   }
   for (unsigned i = 0; i < MACHINE_TEXTURES; i++)
      free(job->texture_data[i].words);
}

int
main(int argc, char **argv)
{
   struct tool_args args = { .tool = &tool, .argc = argc, .argv = argv };
   struct job command = { 0 }, job = { 0 };
   struct tool_file file = { 0 };
   int code = TOOL_OK;

   /* Once to find the file; its head comes first, then the command line over it. */
   job.m = (struct machine){ .num_gprs = 124,
                             .demands_resources = true,
                             .stack_entries = 32,
                             .lds_bytes = 32768,
                             .threads = { 64, 1, 1 },
                             .groups = { 1, 1, 1 },
                             .budget = UINT64_C(16384000000) };
   if (read_options(&args, &command) != TOOL_ARG_END) {
      code = args.exit_code;
   } else if (!args.input) {
      code = tool_usage(&tool, "no input file");
   } else if (!tool_read(&tool, args.input, &file)) {
      code = TOOL_SYSTEM;
   } else if (read_head(&file, &job, &code) == TOOL_ARG_END) {
      args = (struct tool_args){ .tool = &tool, .argc = argc, .argv = argv };
      job.num_dumps = command.num_dumps ? 0 : job.num_dumps;
      if (command.abi.num_args) {
         llvm_abi_free(&job.abi);
         job.abi.num_args = 0;
      }
      code = read_options(&args, &job) == TOOL_ARG_END ? run(&file, &job) : args.exit_code;
   }
   free_job(&command);
   free_job(&job);
   free(file.data);
   return code;
}
