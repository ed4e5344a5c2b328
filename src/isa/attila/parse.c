/* SPDX-License-Identifier: MIT */
/*
 * A text to instructions: the syntax of print.c, and beside it
 *
 *    ; comment            to the end of the line, as # is
 *    label:               an instruction that jmp may name
 *    .scalar              at the top: a program for the scalar machine
 *    .bits Q0, Q1         an instruction by its two qwords
 *    .dword D             at the end: dwords that make no instruction
 *
 * What operands an instruction has is in the table.  A number is a float or an integer as the
 * operand is; in hexadecimal it is the bits.
 */
#include "attila.h"

#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MAX_NAME 32

struct label {
   const char *name;
   size_t length;
   size_t target; /* instruction */
   uint32_t line, column;
};

struct parser {
   const char *at, *end, *line_start;
   uint32_t line;
   struct attila_program *program;
   struct isa_error *error;
   bool failed;
   bool finished;     /* .dword: nothing may follow */
   size_t num_dwords; /* of .dword */
   struct label *labels, *uses;
   size_t num_labels, cap_labels, num_uses, cap_uses;
   bool has_relative; /* in this instruction */
   locale_t c_locale;
};

static bool __attribute__((format(printf, 3, 4)))
fail(struct parser *p, const char *at, const char *format, ...)
{
   va_list args;

   if (!p->failed) {
      p->failed = true;
      va_start(args, format);
      isa_vfail(p->error, p->line, (uint32_t)(at - p->line_start) + 1, format, args);
      va_end(args);
   }
   return false;
}

static void
skip_blanks(struct parser *p)
{
   while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\r'))
      p->at++;
   if (p->at < p->end && (*p->at == ';' || *p->at == '#'))
      while (p->at < p->end && *p->at != '\n')
         p->at++;
}

static bool
at_line_end(struct parser *p)
{
   skip_blanks(p);
   return p->at == p->end || *p->at == '\n';
}

/* The next character, 0 at the end. */
static char
peek(struct parser *p)
{
   skip_blanks(p);
   return p->at < p->end ? *p->at : 0;
}

static bool
take(struct parser *p, char c)
{
   if (peek(p) != c)
      return false;
   p->at++;
   return true;
}

static bool
expect(struct parser *p, char c)
{
   return take(p, c) || fail(p, p->at, "expected '%c'", c);
}

static bool
is_letter(char c)
{
   return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool
is_digit(char c)
{
   return c >= '0' && c <= '9';
}

/* Letters and digits from here on; empty if there are none. */
static size_t
word_length(const struct parser *p)
{
   const char *c = p->at;
   while (c < p->end && (is_letter(*c) || (c > p->at && is_digit(*c))))
      c++;
   return (size_t)(c - p->at);
}

static bool
take_word(struct parser *p, const char *word)
{
   skip_blanks(p);
   size_t n = word_length(p);
   if (n != strlen(word) || memcmp(p->at, word, n) != 0)
      return false;
   p->at += n;
   return true;
}

/* A plain number below `limit`. */
static bool
parse_index(struct parser *p, unsigned limit, const char *what, unsigned *index)
{
   const char *start = p->at;
   unsigned value = 0;

   while (p->at < p->end && is_digit(*p->at)) {
      value = value < 100000 ? value * 10 + (unsigned)(*p->at - '0') : value;
      p->at++;
   }
   if (p->at == start)
      return fail(p, start, "expected a number");
   if (value >= limit)
      return fail(p, start, "there is no %s %u, only 0 to %u", what, value, limit - 1);
   *index = value;
   return true;
}

/* Bits in hexadecimal after 0x. */
static bool
parse_hex(struct parser *p, unsigned digits, uint64_t *bits)
{
   const char *start = p->at;
   uint64_t value = 0;
   unsigned n = 0;

   if (p->end - p->at < 3 || p->at[0] != '0' || (p->at[1] | 32) != 'x')
      return fail(p, start, "expected a number with 0x");
   for (p->at += 2; p->at < p->end; p->at++, n++) {
      char c = *p->at;
      unsigned d = is_digit(c)                          ? (unsigned)(c - '0')
                   : (c | 32) >= 'a' && (c | 32) <= 'f' ? (unsigned)((c | 32) - 'a' + 10)
                                                        : 16;
      if (d == 16)
         break;
      if (n >= digits)
         return fail(p, start, "more than %u hexadecimal digits", digits);
      value = value << 4 | d;
   }
   *bits = value;
   return n > 0 || fail(p, start, "expected hexadecimal digits");
}

/* An immediate; `integer`: of that type. */
static bool
parse_immediate(struct parser *p, bool integer, uint32_t *bits)
{
   char s[64], *stop;
   size_t n = 0;
   const char *start = p->at;
   uint64_t hex = 0;

   if (p->end - p->at > 2 && p->at[0] == '0' && (p->at[1] | 32) == 'x') {
      if (!parse_hex(p, 8, &hex))
         return false;
      *bits = (uint32_t)hex;
      return true;
   }
   for (const char *c = p->at; c < p->end && n + 1 < sizeof(s); c++) {
      bool sign = *c == '-' || *c == '+';
      if (!is_digit(*c) && *c != '.' && (*c | 32) != 'e' &&
          !(sign && (n == 0 || (s[n - 1] | 32) == 'e')))
         break;
      s[n++] = *c;
   }
   s[n] = 0;
   errno = 0;
   if (integer) {
      long long value = strtoll(s, &stop, 10);
      if (stop == s || *stop)
         return fail(p, start, "expected an integer");
      if (errno || value < INT32_MIN || value > (long long)UINT32_MAX)
         return fail(p, start, "the number has more than 32 bits");
      *bits = (uint32_t)value;
   } else {
      float value = strtof_l(s, &stop, p->c_locale);
      if (stop == s || *stop)
         return fail(p, start, "expected a number");
      memcpy(bits, &value, 4);
   }
   p->at += n;
   return true;
}

/* x, y, z, w after a point; `letters` at most four. */
static unsigned
parse_components(struct parser *p, uint8_t letters[4])
{
   unsigned n = 0;
   const char *c = p->at;
   while (c < p->end && n < 4) {
      const char *found = *c ? strchr("xyzw", *c) : NULL;
      if (!found)
         break;
      letters[n++] = (uint8_t)(found - "xyzw");
      c++;
   }
   if (c < p->end && (is_letter(*c) || is_digit(*c)))
      return 0;
   p->at = c;
   return n;
}

/* The swizzle of a source, or what stands for none. */
static bool
parse_swizzle(struct parser *p, uint8_t none, uint8_t *swizzle)
{
   uint8_t c[4];
   const char *start = p->at;

   *swizzle = none;
   if (p->at == p->end || *p->at != '.')
      return true;
   p->at++;
   unsigned n = parse_components(p, c);
   if (n == 1)
      *swizzle = attila_broadcast(c[0]);
   else if (n == 4)
      *swizzle = (uint8_t)(c[0] << 6 | c[1] << 4 | c[2] << 2 | c[3]);
   else
      return fail(p, start, "expected one or four components of xyzw");
   return true;
}

static bool
parse_mask(struct parser *p, uint8_t *mask)
{
   uint8_t c[4];
   const char *start = p->at;

   *mask = 15;
   if (p->at == p->end || *p->at != '.')
      return true;
   p->at++;
   if (word_length(p) == 4 && !memcmp(p->at, "none", 4)) {
      p->at += 4;
      *mask = 0;
      return true;
   }
   unsigned n = parse_components(p, c);
   for (unsigned i = 1; i < n; i++)
      if (c[i] <= c[i - 1])
         n = 0;
   *mask = 0;
   for (unsigned i = 0; i < n; i++)
      *mask |= (uint8_t)(8 >> c[i]);
   return n > 0 || fail(p, start, "expected a write mask: some of xyzw, in this order");
}

/* The letter of a register, and its number; `bank` PARAM2 for the upper constants. */
static bool
parse_register(struct parser *p, struct attila_inst *inst, uint8_t *bank, uint8_t *reg)
{
   static const struct {
      char letter;
      uint8_t bank;
      uint16_t limit;
      const char *what;
   } files[] = {
      { 'i', ATTILA_IN, 256, "input" },
      { 'o', ATTILA_OUT, 256, "output" },
      { 'c', ATTILA_PARAM, ATTILA_CONSTANTS, "constant" },
      { 'r', ATTILA_TEMP, 256, "temporary" },
      /* Numbers that cannot be used can be said: the validator refuses them. */
      { 'a', ATTILA_ADDR, 256, "address register" },
   };
   const char *start = p->at;
   unsigned n = 0;

   while (n < 5 && (p->at == p->end || files[n].letter != *p->at))
      n++;
   if (n == 5)
      return fail(p, start, "expected a register: i, o, c, r or a and its number");
   p->at++;
   unsigned index = 0;
   bool constant = files[n].bank == ATTILA_PARAM;
   if (!(constant && p->at < p->end && *p->at == '[') &&
       !parse_index(p, files[n].limit, files[n].what, &index))
      return false;
   *bank = constant && index >= 256 ? ATTILA_PARAM2 : files[n].bank;
   *reg = (uint8_t)index;
   bool bracket = constant && p->at < p->end && *p->at == '[';
   if (constant && p->has_relative && bracket != inst->relative)
      return fail(p, start, "constants of an instruction are relative, all or none");
   if (!bracket) {
      p->has_relative |= constant;
      return true;
   }

   /* [a0.x + 3] */
   uint16_t rel_offset = 0;
   uint8_t comp[4];
   unsigned base = 0;
   const char *open = p->at++;
   if (index != 0 && index != 256)
      return fail(p, start, "a relative constant begins with c[ or c256[");
   if (!take(p, 'a'))
      return fail(p, p->at, "expected an address register");
   if (!parse_index(p, ATTILA_ADDRESSES, "address register", &base) || !expect(p, '.'))
      return false;
   if (parse_components(p, comp) != 1)
      return fail(p, p->at, "expected one component of xyzw");
   bool minus = peek(p) == '-';
   if (minus || peek(p) == '+') {
      unsigned offset = 0;
      const char *sign = p->at++;
      skip_blanks(p);
      if (!parse_index(p, 512, "offset", &offset))
         return false;
      if (offset > (minus ? 256u : 255u))
         return fail(p, sign, "the offset is outside -256 to 255");
      rel_offset = (uint16_t)((minus ? 0u - offset : offset) & 0x1ff);
   }
   if (!expect(p, ']'))
      return false;
   if (p->has_relative &&
       (inst->rel_reg != base || inst->rel_comp != comp[0] || inst->rel_offset != rel_offset))
      return fail(p, open, "an instruction has one relative constant only");
   p->has_relative = true;
   inst->relative = true;
   inst->rel_reg = (uint8_t)base;
   inst->rel_comp = comp[0];
   inst->rel_offset = rel_offset;
   return true;
}

/* pN; the number may be any that the field holds. */
static bool
parse_predicate(struct parser *p, unsigned limit, uint8_t *reg)
{
   unsigned index = 0;

   if (!take(p, 'p'))
      return fail(p, p->at, "expected a predicate: p0 to p%u", ATTILA_PREDICATES - 1);
   if (!parse_index(p, limit, "predicate", &index))
      return false;
   *reg = (uint8_t)index;
   return true;
}

static bool
parse_boolean(struct parser *p, struct attila_inst *inst, struct attila_src *src)
{
   if (take_word(p, "true") || take_word(p, "false")) {
      src->absolute = true;
      src->negate = p->at[-2] == 'u';
      return true;
   }
   src->negate = take(p, '!');
   if (peek(p) != 'c')
      return parse_predicate(p, 256, &src->reg);
   return parse_register(p, inst, &src->bank, &src->reg) &&
          parse_swizzle(p, attila_broadcast(0), &src->swizzle);
}

/* A vector or scalar: [-][|]register[.swizzle][|], or a number where the form has one. */
static bool
parse_value(struct parser *p, struct attila_inst *inst, const struct attila_info *info, char kind,
            struct attila_src *src, bool second)
{
   char c = peek(p);
   const char *start = p->at;

   if (c == '-') {
      char next = p->at + 1 < p->end ? p->at[1] : 0;
      src->negate = !is_digit(next) && next != '.';
      p->at += src->negate;
      c = peek(p);
   }
   bool bar = take(p, '|'), round = !bar && src->negate && take(p, '(');
   src->absolute = bar;
   c = peek(p);
   if (is_digit(c) || c == '-' || c == '+' || c == '.') {
      if (!second || !(info->forms & ATTILA_FORM_IMM))
         return fail(p, start, "no immediate can stand here");
      src->bank = ATTILA_IMMEDIATE;
      if (!parse_immediate(p, kind == 'i' || kind == 'j', &inst->immediate))
         return false;
   } else {
      bool scalar = kind == 's' || kind == 'j';
      if (round)
         return fail(p, p->at, "expected a number");
      if (!parse_register(p, inst, &src->bank, &src->reg) ||
          !parse_swizzle(p, scalar ? attila_broadcast(0) : ATTILA_SWIZZLE_XYZW, &src->swizzle))
         return false;
   }
   return (!bar || expect(p, '|')) && (!round || expect(p, ')'));
}

static bool
add_label(struct parser *p, struct label **list, size_t *count, size_t *capacity, const char *name,
          size_t length)
{
   if (*count == *capacity) {
      size_t n = *capacity ? 2 * *capacity : 16;
      struct label *more = realloc(*list, n * sizeof(*more));
      if (!more)
         return fail(p, name, "no memory");
      *list = more;
      *capacity = n;
   }
   (*list)[(*count)++] = (struct label){ name, length, p->program->num_insts, p->line,
                                         (uint32_t)(name - p->line_start) + 1 };
   return true;
}

static bool
parse_source(struct parser *p, struct attila_inst *inst, const struct attila_info *info, unsigned n)
{
   struct attila_src *src = &inst->src[n];
   char kind = info->sources[n];
   unsigned index = 0;

   switch (kind) {
   case 'b':
      return parse_boolean(p, inst, src);
   case 'l': {
      src->bank = ATTILA_IMMEDIATE;
      skip_blanks(p);
      size_t length = word_length(p);
      if (length == 0)
         return parse_immediate(p, true, &inst->immediate);
      if (!add_label(p, &p->uses, &p->num_uses, &p->cap_uses, p->at, length))
         return false;
      p->at += length;
      return true;
   }
   case 't':
   case 'n':
   case 'a': {
      const char *what = kind == 't' ? "texture unit" : kind == 'n' ? "sample" : "attribute";
      char letter = kind == 't' ? 't' : kind == 'n' ? 's' : 'v';
      if (!take(p, letter))
         return fail(p, p->at, "expected a %s: %c and its number", what, letter);
      if (!parse_index(p, 256, what, &index))
         return false;
      src->reg = (uint8_t)index;
      return true;
   }
   default:
      break;
   }
   /* ARL's immediate is in the second source's bits, and the first is not read. */
   bool arl = inst->opcode == ATTILA_ARL;
   if (!parse_value(p, inst, info, kind, src, n == 1 || arl))
      return false;
   if (arl && src->bank == ATTILA_IMMEDIATE) {
      inst->src[1] = *src;
      *src = (struct attila_src){ 0 };
   }
   return true;
}

static bool
parse_result(struct parser *p, struct attila_inst *inst, const struct attila_info *info)
{
   const char *start;

   skip_blanks(p);
   start = p->at;
   if (info->result == ATTILA_RESULT_PRED) {
      inst->saturate = take(p, '!');
      return parse_predicate(p, 256, &inst->result_reg);
   }
   if (info->result == ATTILA_RESULT_ACC && take_word(p, "acc")) {
      inst->result_bank = ATTILA_TEMP;
   } else {
      if (!parse_register(p, inst, &inst->result_bank, &inst->result_reg))
         return false;
      p->has_relative = false;
      if (inst->relative)
         return fail(p, start, "a result is no relative constant");
   }
   return parse_mask(p, &inst->mask);
}

static bool
add_dwords(struct parser *p, const uint32_t *dwords, size_t count)
{
   struct attila_program *out = p->program;
   size_t have = out->num_insts * ATTILA_DWORDS + p->num_dwords;

   if (have + ATTILA_DWORDS > out->capacity) {
      size_t n = out->capacity ? 2 * out->capacity : 64 * ATTILA_DWORDS;
      uint32_t *words = realloc(out->words, n * sizeof(*words));
      uint32_t *lines = words ? realloc(out->lines, n / ATTILA_DWORDS * sizeof(*lines)) : NULL;
      out->words = words ? words : out->words;
      out->lines = lines ? lines : out->lines;
      if (!lines)
         return fail(p, p->at, "no memory");
      out->capacity = n;
   }
   memcpy(out->words + have, dwords, count * sizeof(*dwords));
   return true;
}

static bool
add_words(struct parser *p, const uint32_t words[ATTILA_DWORDS])
{
   struct attila_program *out = p->program;
   if (p->finished)
      return fail(p, p->line_start, ".dword is followed by an instruction");
   if (!add_dwords(p, words, ATTILA_DWORDS))
      return false;
   out->lines[out->num_insts++] = p->line;
   return true;
}

static bool
parse_directive(struct parser *p)
{
   const char *start = p->at++;
   uint64_t bits[2] = { 0, 0 };

   if (take_word(p, "scalar")) {
      if (p->program->num_insts || p->num_dwords)
         return fail(p, start, ".scalar stands in front of the code");
      p->program->scalar = true;
      return true;
   }
   if (take_word(p, "bits")) {
      skip_blanks(p);
      if (!parse_hex(p, 16, &bits[0]) || !expect(p, ','))
         return false;
      skip_blanks(p);
      if (!parse_hex(p, 16, &bits[1]))
         return false;
      const uint32_t words[ATTILA_DWORDS] = { (uint32_t)bits[0], (uint32_t)(bits[0] >> 32),
                                              (uint32_t)bits[1], (uint32_t)(bits[1] >> 32) };
      return add_words(p, words);
   }
   if (take_word(p, "dword")) {
      skip_blanks(p);
      if (!parse_hex(p, 8, &bits[0]))
         return false;
      uint32_t word = (uint32_t)bits[0];
      if (p->num_dwords == ATTILA_DWORDS - 1)
         return fail(p, start, "four dwords are an instruction: .bits");
      p->finished = true;
      if (!add_dwords(p, &word, 1))
         return false;
      p->num_dwords++;
      return true;
   }
   return fail(p, start, "expected .scalar, .bits or .dword");
}

static bool
parse_inst(struct parser *p)
{
   struct attila_inst inst = { 0 };
   uint32_t words[ATTILA_DWORDS];

   p->has_relative = false;
   if (take(p, '(')) {
      inst.predicated = true;
      inst.invert_pred = take(p, '!');
      if (!parse_predicate(p, ATTILA_PREDICATES, &inst.pred) || !expect(p, ')'))
         return false;
      skip_blanks(p);
   }
   const char *start = p->at;
   size_t length = word_length(p), name = length;
   bool saturate = length > 4 && !memcmp(start + length - 4, "_sat", 4);
   if (saturate)
      name -= 4;
   int opcode = name ? attila_find(start, name) : -1;
   if (opcode < 0) {
      return length ? fail(p, start, "unknown instruction '%.*s'",
                           (int)(length < MAX_NAME ? length : MAX_NAME), start)
                    : fail(p, start, "expected an instruction");
   }
   const struct attila_info *info = attila_info((unsigned)opcode);
   p->at += length;
   inst.opcode = (uint8_t)opcode;
   if (saturate) {
      if (info->result == ATTILA_RESULT_NONE || info->result == ATTILA_RESULT_PRED)
         return fail(p, start + name, "this instruction has no _sat");
      inst.saturate = true;
   }
   const char *comma = "";
   if (info->result != ATTILA_RESULT_NONE) {
      if (!parse_result(p, &inst, info))
         return false;
      comma = ",";
   }
   for (unsigned n = 0; n < 3 && info->sources[n]; n++) {
      if (*comma && !expect(p, ','))
         return false;
      comma = ",";
      if (!parse_source(p, &inst, info, n))
         return false;
   }
   for (;;) {
      skip_blanks(p);
      const char *flag = p->at;
      bool *set = take_word(p, "wait") ? &inst.wait : take_word(p, "end") ? &inst.end : NULL;
      if (!set)
         break;
      if (*set)
         return fail(p, flag, "said twice");
      *set = true;
   }
   attila_encode(&inst, words);
   return add_words(p, words);
}

static bool
parse_line(struct parser *p)
{
   if (at_line_end(p))
      return true;
   size_t length = word_length(p);
   const char *name = p->at;
   if (length && name + length < p->end && name[length] == ':') {
      if (!add_label(p, &p->labels, &p->num_labels, &p->cap_labels, name, length))
         return false;
      p->at += length + 1;
      if (at_line_end(p))
         return true;
   }
   if (!(*p->at == '.' ? parse_directive(p) : parse_inst(p)))
      return false;
   return at_line_end(p) || fail(p, p->at, "unexpected text after the instruction");
}

static int
compare_names(const void *a, const void *b)
{
   const struct label *x = a, *y = b;
   size_t shorter = x->length < y->length ? x->length : y->length;
   int order = memcmp(x->name, y->name, shorter);
   return order ? order : (x->length > y->length) - (x->length < y->length);
}

static bool
fail_label(struct parser *p, const struct label *label, const char *text)
{
   int length = (int)(label->length < MAX_NAME ? label->length : MAX_NAME);

   p->error->line = label->line;
   p->error->column = label->column;
   snprintf(p->error->text, sizeof(p->error->text), "%s '%.*s'", text, length, label->name);
   return false;
}

/* Offsets of the jumps that name a label. */
static bool
resolve(struct parser *p)
{
   if (p->num_labels)
      qsort(p->labels, p->num_labels, sizeof(*p->labels), compare_names);
   for (size_t i = 1; i < p->num_labels; i++) {
      const struct label *a = &p->labels[i - 1], *b = &p->labels[i];
      if (!compare_names(a, b))
         return fail_label(p, a->name > b->name ? a : b, "there is another label");
   }
   for (size_t u = 0; u < p->num_uses; u++) {
      const struct label *use = &p->uses[u], *found = NULL;
      if (p->num_labels)
         found = bsearch(use, p->labels, p->num_labels, sizeof(*use), compare_names);
      if (!found)
         return fail_label(p, use, "there is no label");
      p->program->words[use->target * ATTILA_DWORDS + 3] = (uint32_t)(found->target - use->target);
   }
   return true;
}

void
attila_program_finish(struct attila_program *program)
{
   free(program->words);
   free(program->lines);
   memset(program, 0, sizeof(*program));
}

bool
attila_parse(const char *text, size_t length, struct attila_program *program,
             struct isa_error *error)
{
   struct parser p = { .at = text,
                       .end = text + length,
                       .line_start = text,
                       .line = 1,
                       .program = program,
                       .error = error,
                       .c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0) };

   *program = (struct attila_program){ 0 };
   *error = (struct isa_error){ 0 };
   if (!p.c_locale) {
      snprintf(error->text, sizeof(error->text), "no memory");
      return false;
   }
   bool ok = true;
   while (ok && p.at < p.end) {
      ok = parse_line(&p);
      if (ok && p.at < p.end) {
         p.at++;
         p.line++;
         p.line_start = p.at;
      }
   }
   ok = ok && resolve(&p);
   if (ok && !program->num_insts && !p.num_dwords) {
      snprintf(error->text, sizeof(error->text), "there is no instruction");
      ok = false;
   }
   program->num_dwords = program->num_insts * ATTILA_DWORDS + p.num_dwords;
   free(p.labels);
   free(p.uses);
   freelocale(p.c_locale);
   if (!ok)
      attila_program_finish(program);
   return ok;
}
