/* SPDX-License-Identifier: MIT */
/* The validator: a legal program, and one broken rule at a time with the message that names it. */
#include "common.h"

struct builder {
   struct cayman_alu_group groups[8];
   unsigned num_groups;
   struct cayman_fetch fetches[4];
   unsigned num_fetches;
   struct cayman_cf alu, tc, export;
   bool pop;
   struct cayman_limits limits;
};

static struct cayman_alu_src
gpr(unsigned n, unsigned chan)
{
   return (struct cayman_alu_src){ .sel = n, .chan = chan };
}

static struct cayman_alu
slot(unsigned op, unsigned dst, unsigned chan, struct cayman_alu_src a, struct cayman_alu_src b)
{
   return (struct cayman_alu){
      .op = op, .dst_gpr = dst, .dst_chan = chan, .write_mask = true, .src = { a, b }
   };
}

static void
start(struct builder *b)
{
   memset(b, 0, sizeof(*b));
   b->limits = (struct cayman_limits){
      .num_gprs = 8, .num_clause_temps = 4, .stack_entries = 1, .pixel_shader = true
   };
   b->alu = (struct cayman_cf){ .op = CAYMAN_CF_ALU, .form = CAYMAN_CF_FORM_ALU, .barrier = true };
   b->export = (struct cayman_cf){ .op = CAYMAN_CF_EXPORT_DONE,
                                   .form = CAYMAN_CF_FORM_EXPORT,
                                   .barrier = true,
                                   .sel = { 0, 1, 2, 3 } };
   b->groups[0].slot[0] = slot(CAYMAN_ALU_ADD, 1, 0, gpr(2, 0), gpr(3, 0));
   b->groups[0].num_slots = 1;
   b->num_groups = 1;
}

static bool
check(struct builder *b, const char *message)
{
   uint32_t words[256] = { 0 }, clause[128], n = 0, cfs = 3 + (b->num_fetches > 0) + b->pop;
   char error[200];
   unsigned at = 0, tc_addr;

   for (unsigned i = 0; i < b->num_groups; i++) {
      int k = cayman_encode_alu_group(CAYMAN_VLIW4, &b->groups[i], clause + n);
      assert_true(k > 0);
      n += k;
   }
   b->alu.addr = cfs;
   b->alu.count = n / 2 - 1;
   tc_addr = (cfs + n / 2 + 1) & ~1u;
   cayman_encode_cf(&b->alu, words + 2 * at++);
   if (b->num_fetches) {
      struct cayman_cf tc = { .op = CAYMAN_CF_TC,
                              .form = CAYMAN_CF_FORM_BRANCH,
                              .addr = tc_addr,
                              .count = b->num_fetches - 1,
                              .barrier = true };
      cayman_encode_cf(&tc, words + 2 * at++);
   }
   if (b->pop) {
      struct cayman_cf pop = {
         .op = CAYMAN_CF_POP, .form = CAYMAN_CF_FORM_BRANCH, .pop_count = 1, .addr = at + 1
      };
      cayman_encode_cf(&pop, words + 2 * at++);
   }
   cayman_encode_cf(&b->export, words + 2 * at++);
   struct cayman_cf end = { .op = CAYMAN_CF_END, .form = CAYMAN_CF_FORM_BRANCH };
   cayman_encode_cf(&end, words + 2 * at++);
   memcpy(words + 2 * b->alu.addr, clause, n * 4);
   for (unsigned i = 0; i < b->num_fetches; i++)
      cayman_encode_fetch(CAYMAN_VLIW4, &b->fetches[i], words + 2 * tc_addr + 4 * i);
   bool ok =
      cayman_validate(words, 2 * tc_addr + 4 * b->num_fetches, &b->limits, error, sizeof(error));
   if (message && (ok || !strstr(error, message)))
      fail_msg("expected \"%s\", got \"%s\"", message, ok ? "legal" : error);
   if (!message && !ok)
      fail_msg("%s", error);
   return ok;
}

static void
legal(void **state)
{
   (void)state;
   struct builder b;
   start(&b);
   check(&b, NULL);
}

static void
registers_and_ports(void **state)
{
   (void)state;
   struct builder b;
   start(&b);
   b.groups[0].slot[0].src[1] = gpr(9, 0);
   check(&b, "not declared");

   start(&b); /* four different registers of one channel */
   for (unsigned s = 0; s < 4; s++)
      b.groups[0].slot[s] = slot(CAYMAN_ALU_MOV, 1, s, gpr(s + 2, 1), gpr(0, 0));
   b.groups[0].num_slots = 4;
   assert_false(cayman_read_ports(CAYMAN_VLIW4, b.groups[0].slot, 4, true));
   check(&b, "read port conflict");

   start(&b); /* three fit, if the swizzles are chosen */
   for (unsigned s = 0; s < 3; s++)
      b.groups[0].slot[s] = slot(CAYMAN_ALU_MOV, 1, s, gpr(s + 2, 1), gpr(0, 0));
   b.groups[0].num_slots = 3;
   check(&b, "read port conflict");
   assert_true(cayman_read_ports(CAYMAN_VLIW4, b.groups[0].slot, 3, true));
   check(&b, NULL);
}

static void
constants(void **state)
{
   (void)state;
   struct builder b;
   start(&b);
   b.groups[0].slot[0].src[1].sel = CAYMAN_SRC_KCACHE0 + 3;
   check(&b, "outside the locked window");
   b.alu.kcache[0].mode = CAYMAN_KCACHE_LOCK_1;
   check(&b, NULL);
   b.groups[0].slot[0].src[1].sel = CAYMAN_SRC_KCACHE0 + 16;
   check(&b, "outside the locked window");
   b.alu.kcache[0].mode = CAYMAN_KCACHE_LOCK_2;
   check(&b, NULL);
   for (unsigned s = 0; s < 3; s++)
      b.groups[0].slot[s] = slot(CAYMAN_ALU_MOV, 1, s, gpr(CAYMAN_SRC_KCACHE0 + s, 0), gpr(0, 0));
   b.groups[0].num_slots = 3;
   check(&b, "more than two kcache addresses");
}

static void
slots(void **state)
{
   (void)state;
   struct builder b;
   start(&b);
   b.groups[0].slot[0].op = CAYMAN_ALU_RECIP_IEEE;
   check(&b, "does not occupy the slots");
   start(&b);
   b.groups[0].slot[0].op = CAYMAN_ALU_DOT4;
   check(&b, "does not occupy the slots");
   start(&b);
   b.groups[0].slot[0].op = CAYMAN_ALU_ADD_64;
   check(&b, "does not occupy the slots");
   start(&b);
   b.groups[0].slot[0].op = CAYMAN_ALU_ADD_INT;
   b.groups[0].slot[0].src[0].neg = true;
   check(&b, "float modifier");
   start(&b);
   b.groups[0].slot[0].op = CAYMAN_ALU_ADD_INT;
   b.groups[0].slot[0].clamp = true;
   check(&b, "no float result");
}

static void
forwarding(void **state)
{
   (void)state;
   struct builder b;
   start(&b);
   b.groups[0].slot[0].src[0] = (struct cayman_alu_src){ .sel = CAYMAN_SRC_PV };
   check(&b, "PV.x");
   start(&b);
   b.groups[1] = b.groups[0];
   b.groups[1].slot[0].src[0] = (struct cayman_alu_src){ .sel = CAYMAN_SRC_PV };
   b.num_groups = 2;
   check(&b, NULL);
   b.groups[1].slot[0].src[0].chan = 2;
   check(&b, "PV.z");
}

static void
indexing(void **state)
{
   (void)state;
   struct builder b;
   start(&b);
   b.groups[0].slot[0].src[0].rel = true;
   check(&b, "AR");
   start(&b);
   b.groups[1] = b.groups[0];
   b.groups[1].slot[0].src[0].rel = true;
   b.groups[0].slot[0] = (struct cayman_alu){ .op = CAYMAN_ALU_MOVA_INT };
   b.num_groups = 2;
   check(&b, NULL);
   b.num_groups = 1;
   check(&b, "MOVA in the last group");
}

static void
kills_and_branches(void **state)
{
   (void)state;
   struct builder b;
   start(&b);
   b.groups[0].slot[0].op = CAYMAN_ALU_KILLGT;
   b.groups[0].slot[0].write_mask = false;
   check(&b, NULL);
   b.groups[1] = b.groups[0];
   b.num_groups = 2;
   check(&b, "follows a kill");
   start(&b);
   b.alu.op = CAYMAN_CF_ALU_PUSH_BEFORE;
   b.pop = true;
   check(&b, "0 updates of the execute mask");
   b.groups[0].slot[0].op = CAYMAN_ALU_PRED_SETGT;
   b.groups[0].slot[0].update_exec_mask = b.groups[0].slot[0].update_pred = true;
   check(&b, NULL);
   b.pop = false;
   check(&b, "inside a branch");
   start(&b);
   b.pop = true;
   check(&b, "more pops than pushes");
}

static void
fetch_rules(void **state)
{
   (void)state;
   struct builder b;
   start(&b);
   for (unsigned i = 0; i < 2; i++) {
      b.fetches[i] = (struct cayman_fetch){ .kind = CAYMAN_FETCH_TEX,
                                            .tex = { .op = CAYMAN_TEX_SAMPLE,
                                                     .src_gpr = 2 + i,
                                                     .dst_gpr = 3 + i,
                                                     .src_sel = { 0, 1, 4, 4 },
                                                     .dst_sel = { 0, 1, 2, 3 } } };
   }
   b.num_fetches = 2;
   check(&b, "earlier fetch of the clause writes");
   b.fetches[1].tex.src_gpr = 2;
   check(&b, NULL);
   b.fetches[0].tex.src_sel[2] = 7;
   check(&b, "undefined component select");
}

static void
ends(void **state)
{
   (void)state;
   struct builder b;
   start(&b);
   b.export.op = CAYMAN_CF_EXPORT;
   check(&b, "not EXPORT_DONE");
   start(&b);
   b.export.type = CAYMAN_EXPORT_PARAM;
   check(&b, "does not have");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(legal),
      cmocka_unit_test(registers_and_ports),
      cmocka_unit_test(constants),
      cmocka_unit_test(slots),
      cmocka_unit_test(forwarding),
      cmocka_unit_test(indexing),
      cmocka_unit_test(kills_and_branches),
      cmocka_unit_test(fetch_rules),
      cmocka_unit_test(ends),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
