// SPDX-License-Identifier: MIT
//
// Kernels that LLVM compiles for the device and for the host (../llvm.py, which reads the lines
// that begin with "//:").  Behind the name stand a kernel's arguments:
//
//    zero:N int:N small:N float:N   a buffer of N dwords: zeros, any bits, 0 to 255, floats
//    u32:A,B...                     data
//
// and threads=N, groups=N, ulp=N (how far float results may be off), together (threads of a group
// meet at barriers) and fails=TEXT (what LLVM says instead of compiling it).

typedef int int2 __attribute__((ext_vector_type(2)));
typedef int int4 __attribute__((ext_vector_type(4)));
typedef uint uint4 __attribute__((ext_vector_type(4)));
typedef float float2 __attribute__((ext_vector_type(2)));
typedef float float4 __attribute__((ext_vector_type(4)));
typedef short short4 __attribute__((ext_vector_type(4)));
typedef char char4 __attribute__((ext_vector_type(4)));
typedef unsigned int uint;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned long ulong;

#ifdef HOST
int host_thread(void), host_group(void);
void barrier(void);
#define ID    host_thread()
#define GROUP host_group()
#else
#define ID    ((int)__builtin_r600_read_tidig_x())
#define GROUP ((int)__builtin_r600_read_tgid_x())
void barrier(void) __asm("llvm.r600.group.barrier") __attribute__((convergent));
#endif
#define ALL (GROUP * 64 + ID)

// LLVM 14 gives an atomic operation on global memory the address in bytes, where the RAT counts
// elements: its stores shift theirs (LSHR by 2 in front of STORE_DWORD, and none in front of
// ATOMIC_ADD).
#ifdef HOST
#define ELEMENT(p) (p)
#else
#define ELEMENT(p) ((global int *)((uint)(p) >> 2))
#endif

//: int_add zero:128 int:128 int:128 groups=2
kernel void int_add(global int *o, global int *a, global int *b) { o[ALL] = a[ALL] + b[ALL]; }

//: int_mix zero:64 int:64 int:64 u32:0x12345
kernel void int_mix(global int *o, global int *a, global int *b, int c)
{
   int x = a[ID], y = b[ID];
   o[ID] = (x * y - c) ^ (x & ~y) | (y >> 3);
}

//: int_shift zero:192 int:64 small:64
kernel void int_shift(global uint *o, global uint *a, global uint *b)
{
   uint n = b[ID] & 31;
   o[ID] = a[ID] << n;
   o[64 + ID] = a[ID] >> n;
   o[128 + ID] = (uint)((int)a[ID] >> n);
}

//: int_compare zero:64 int:64 int:64
kernel void int_compare(global int *o, global int *a, global int *b)
{
   int x = a[ID], y = b[ID];
   o[ID] = (x < y) + 2 * ((uint)x < (uint)y) + 4 * (x == y) + 8 * (x <= 5) + 16 * (y != -1);
}

//: int_minmax zero:64 int:64 int:64
kernel void int_minmax(global int *o, global int *a, global int *b)
{
   int x = a[ID], y = b[ID];
   uint u = x, v = y;
   o[ID] = (x < y ? x : y) - (x > y ? x : y) + (u < v ? u : v) * 3 - (u > v ? u : v) * 5;
}

//: int_mulhi zero:128 int:64 int:64
kernel void int_mulhi(global uint *o, global uint *a, global uint *b)
{
   o[ID] = (uint)(((ulong)a[ID] * b[ID]) >> 32);
   o[64 + ID] = (uint)(((long)(int)a[ID] * (int)b[ID]) >> 32);
}

//: int_divide zero:128 int:64 small:64
kernel void int_divide(global uint *o, global uint *a, global uint *b)
{
   uint d = b[ID] + 1;
   o[ID] = a[ID] / d;
   o[64 + ID] = a[ID] % d;
}

//: int_divide_signed zero:128 int:64 int:64
kernel void int_divide_signed(global int *o, global int *a, global int *b)
{
   int d = b[ID] >> 16 | 1;
   o[ID] = (a[ID] >> 1) / d;
   o[64 + ID] = (a[ID] >> 1) % d;
}

//: int_divide_constant zero:128 int:64
kernel void int_divide_constant(global int *o, global int *a)
{
   o[ID] = a[ID] / 7;
   o[64 + ID] = (int)((uint)a[ID] / 1000u);
}

//: int_bits zero:256 int:64
kernel void int_bits(global int *o, global int *a)
{
   int x = a[ID];
   o[ID] = __builtin_popcount(x);
   o[64 + ID] = x ? __builtin_clz(x) : 32;
   o[128 + ID] = x ? __builtin_ctz(x) : 32;
   o[192 + ID] = (x >> 5 & 0x7f) | (x << 20 >> 25 << 8);
}

//: int_rotate zero:64 int:64 small:64
kernel void int_rotate(global uint *o, global uint *a, global uint *b)
{
   uint n = b[ID] & 31;
   o[ID] = a[ID] << n | a[ID] >> (-n & 31);
}

//: int_vector zero:256 int:256 int:256
kernel void int_vector(global int4 *o, global int4 *a, global int4 *b)
{
   int4 x = a[ID], y = b[ID];
   o[ID] = (x + y.wzyx) * (y - x.yxwz);
}

//: int_hash zero:64 int:64
kernel void int_hash(global uint *o, global uint *a)
{
   uint h = a[ID];
   h ^= h >> 16;
   h *= 0x85ebca6bu;
   h ^= h >> 13;
   h *= 0xc2b2ae35u;
   o[ID] = h ^ h >> 16;
}

//: float_add zero:64 float:64 float:64
kernel void float_add(global float *o, global float *a, global float *b) { o[ID] = a[ID] + b[ID]; }

//: float_poly zero:64 float:64 float:1
kernel void float_poly(global float *o, global float *a, global float *b)
{
   float x = a[ID], c = b[0];
   o[ID] = ((x * c - 3.0f) * x + 1.25f) * x - 7.0f;
}

//: float_divide zero:64 float:64 float:64 ulp=3
kernel void float_divide(global float *o, global float *a, global float *b) { o[ID] = a[ID] / b[ID]; }

//: float_sqrt zero:64 float:64 ulp=3
kernel void float_sqrt(global float *o, global float *a)
{
   o[ID] = __builtin_sqrtf(__builtin_fabsf(a[ID]));
}

//: float_minmax zero:128 float:64 float:64
kernel void float_minmax(global float *o, global float *a, global float *b)
{
   o[ID] = __builtin_fminf(a[ID], b[ID]);
   o[64 + ID] = __builtin_fmaxf(a[ID], -b[ID]);
}

//: float_round zero:256 float:64
kernel void float_round(global float *o, global float *a)
{
   o[ID] = __builtin_floorf(a[ID]);
   o[64 + ID] = __builtin_ceilf(a[ID]);
   o[128 + ID] = __builtin_truncf(a[ID]);
   o[192 + ID] = __builtin_rintf(a[ID]);
}

//: float_convert zero:192 float:64 int:64
kernel void float_convert(global int *o, global float *a, global int *b)
{
   o[ID] = (int)a[ID];
   o[64 + ID] = (int)(uint)__builtin_fabsf(a[ID]);
   ((global float *)o)[128 + ID] = (float)(b[ID] >> 9) + (float)((uint)b[ID] >> 10);
}

//: float_compare zero:64 float:64 float:64
kernel void float_compare(global int *o, global float *a, global float *b)
{
   float x = a[ID], y = b[ID];
   o[ID] = (x < y) + 2 * (x >= y) + 4 * (x == y) + 8 * (x != y) + 16 * (x > 0.0f);
}

//: float_select zero:64 float:64 float:64
kernel void float_select(global float *o, global float *a, global float *b)
{
   float x = a[ID], y = b[ID];
   o[ID] = x > y ? x * 2.0f : x < -y ? y - 1.0f : -x;
}

//: float_dot zero:64 float:256 float:256
kernel void float_dot(global float *o, global float4 *a, global float4 *b)
{
   float4 p = a[ID] * b[ID];
   o[ID] = p.x + p.y + p.z + p.w;
}

//: float_matrix zero:256 float:256 float:16
kernel void float_matrix(global float4 *o, global float4 *v, global float4 *m)
{
   float4 x = v[ID];
   o[ID] = m[0] * x.x + m[1] * x.y + m[2] * x.z + m[3] * x.w;
}

//: float_exp zero:64 float:64 ulp=16
kernel void float_exp(global float *o, global float *a)
{
   o[ID] = __builtin_exp2f(a[ID] * 0.0625f);
}

//: float_fma zero:64 float:64 float:64
kernel void float_fma(global float *o, global float *a, global float *b)
{
   o[ID] = __builtin_fmaf(a[ID], b[ID], -a[63 - ID]);
}

//: float_bits zero:64 float:64
kernel void float_bits(global uint *o, global uint *a)
{
   o[ID] = (a[ID] & 0x7fffffu) | 0x3f800000u;
}

//: flow_if zero:64 int:64
kernel void flow_if(global int *o, global int *a)
{
   int x = a[ID];
   if (x & 1) {
      if (x & 2)
         o[ID] = x * 3;
      else
         o[ID] = x - 9;
   } else {
      o[ID] = ~x;
   }
}

//: flow_loop zero:64 small:64
kernel void flow_loop(global int *o, global int *a)
{
   int n = a[ID], s = 0;
   for (int i = 0; i < n; i++)
      s = s * 5 + i;
   o[ID] = s;
}

//: flow_break zero:64 int:64 u32:40
kernel void flow_break(global int *o, global uint *a, int limit)
{
   uint x = a[ID];
   int n = 0;
   while (x != 1 && n < limit) {
      x = x & 1 ? (3 * x + 1) & 0xffff : x >> 1;
      n++;
   }
   o[ID] = n * 65536 + (int)(x & 0xffff);
}

//: flow_nested zero:64 small:64
kernel void flow_nested(global int *o, global int *a)
{
   int n = a[ID] & 15, s = 0;
   for (int i = 0; i < n; i++)
      for (int j = i; j < n + 3; j++) {
         if ((i ^ j) & 1)
            continue;
         s += i * j;
         if (s > 700)
            break;
      }
   o[ID] = s;
}

//: flow_switch zero:64 small:64
kernel void flow_switch(global int *o, global int *a)
{
   int x = a[ID], r;
   switch (x % 6) {
   case 0: r = x + 10; break;
   case 1: r = x * 4; break;
   case 3: r = -x; break;
   case 4: r = x ^ 99; break;
   default: r = 1000;
   }
   o[ID] = r;
}

//: flow_gcd zero:64 int:64 small:64
kernel void flow_gcd(global uint *o, global uint *a, global uint *b)
{
   uint x = a[ID] & 0xfff, y = b[ID] + 1;
   while (y) {
      uint t = x % y;
      x = y;
      y = t;
   }
   o[ID] = x;
}

//: flow_guard zero:64 int:64 u32:37
kernel void flow_guard(global int *o, global int *a, int n)
{
   if (ID >= n)
      return;
   o[ID] = a[ID] + n;
}

//: mem_bytes zero:16 int:16
kernel void mem_bytes(global uchar *o, global uchar *a) { o[ID] = a[63 - ID] + 1; }

//: mem_bytes_signed zero:64 int:16
kernel void mem_bytes_signed(global int *o, global char *a) { o[ID] = a[ID] * 3; }

//: mem_shorts zero:32 int:32
kernel void mem_shorts(global ushort *o, global short *a) { o[ID] = (ushort)(a[63 - ID] / 3); }

//: mem_two zero:128 int:128
kernel void mem_two(global int2 *o, global int2 *a) { o[ID] = a[ID ^ 5].yx + 1; }

//: mem_four zero:256 int:256
kernel void mem_four(global uint4 *o, global uint4 *a) { o[ID] = a[63 - ID].wxyz; }

//: mem_stride zero:320 int:320
kernel void mem_stride(global int *o, global int *a)
{
   for (int i = 0; i < 5; i++)
      o[i * 64 + ID] = a[ID * 5 + i];
}

//: mem_scatter zero:64 int:64
kernel void mem_scatter(global int *o, global int *a) { o[ID * 29 & 63] = a[ID]; }

//: mem_constants zero:64 small:64
constant int table[16] = { 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53 };
kernel void mem_constants(global int *o, global int *a)
{
   o[ID] = table[a[ID] & 15] * 100 + table[ID & 15];
}

//: mem_arguments zero:64 u32:3 u32:0xfe u32:9 u32:0xfffffff0,0 u32:5,0x86000000
kernel void mem_arguments(global int *o, int a, uchar b, int c, short d, long e)
{
   o[ID] = a + b * 10 + c * 100 + d * 1000 + (int)e * 7 + (int)(e >> 32) * 13 + ID;
}

//: mem_local zero:64 int:64 together
kernel void mem_local(global int *o, global int *a)
{
   local int t[64];
   t[ID] = a[ID];
   barrier();
   o[ID] = t[63 - ID] + t[ID ^ 1];
}

//: mem_local_sum zero:2 small:128 groups=2 together
kernel void mem_local_sum(global int *o, global int *a)
{
   local int t[64];
   t[ID] = a[ALL];
   barrier();
   for (int n = 32; n > 0; n >>= 1) {
      if (ID < n)
         t[ID] += t[ID + n];
      barrier();
   }
   if (ID == 0)
      o[GROUP] = t[0];
}

//: mem_local_scan zero:64 small:64 together
kernel void mem_local_scan(global int *o, global int *a)
{
   local int t[2][64];
   int from = 0;
   t[0][ID] = a[ID];
   barrier();
   for (int n = 1; n < 64; n <<= 1) {
      t[1 - from][ID] = t[from][ID] + (ID >= n ? t[from][ID - n] : 0);
      from = 1 - from;
      barrier();
   }
   o[ID] = t[from][ID];
}

//: mem_local_bytes zero:64 int:64 together
kernel void mem_local_bytes(global int *o, global int *a)
{
   local uchar t[64];
   local short u[64];
   t[ID] = (uchar)a[ID];
   u[ID] = (short)(a[ID] >> 8);
   barrier();
   o[ID] = t[(ID + 7) & 63] * 100 + u[(ID + 9) & 63];
}

//: atomic_local zero:8 small:64 together
kernel void atomic_local(global int *o, global int *a)
{
   local int t[8];
   if (ID < 8)
      t[ID] = 0;
   barrier();
   __sync_fetch_and_add(&t[a[ID] & 7], ID + 1);
   barrier();
   if (ID < 8)
      o[ID] = t[ID];
}

//: atomic_local_ops zero:8 int:64 together
kernel void atomic_local_ops(global int *o, global int *a)
{
   local int t[8];
   if (ID < 8)
      t[ID] = ID == 1 ? -1 : 0;
   barrier();
   __sync_fetch_and_or(&t[0], a[ID] & 0x10101);
   __sync_fetch_and_and(&t[1], a[ID] | 0x3ffff);
   __sync_fetch_and_xor(&t[2], a[ID]);
   __sync_fetch_and_sub(&t[3], a[ID]);
   __sync_fetch_and_max(&t[4], a[ID]);
   __sync_fetch_and_umax((local uint *)&t[5], (uint)a[ID]);
   __sync_fetch_and_min(&t[6], a[ID]);
   barrier();
   if (ID < 8)
      o[ID] = t[ID];
}

//: atomic_global zero:8 small:64
kernel void atomic_global(global int *o, global int *a)
{
   __sync_fetch_and_add(ELEMENT(&o[a[ID] & 7]), a[ID]);
}

//: atomic_global_ops zero:8 int:64
kernel void atomic_global_ops(global int *o, global int *a)
{
   __sync_fetch_and_or(ELEMENT(&o[0]), a[ID] & 0x10101);
   __sync_fetch_and_xor(ELEMENT(&o[2]), a[ID]);
   __sync_fetch_and_sub(ELEMENT(&o[3]), a[ID]);
   __sync_fetch_and_max(ELEMENT(&o[4]), a[ID]);
   __sync_fetch_and_umax((global uint *)ELEMENT(&o[5]), (uint)a[ID]);
   __sync_fetch_and_min(ELEMENT(&o[6]), a[ID]);
}

//: atomic_bytes zero:64 small:64
kernel void atomic_bytes(global int *o, global int *a)
{
   // As it is, without ELEMENT: the sum goes to four times its address, where nothing is.
#ifdef HOST
   o[ID] = a[ID];
#else
   o[ID] = a[ID];
   __sync_fetch_and_add(&o[ID], 1);
#endif
}

//: atomic_return zero:64 small:64 fails=Cannot_select
kernel void atomic_return(global int *o, global int *a)
{
   o[ID] = __sync_fetch_and_add(&a[0], 1);
}

//: private_array zero:64 int:64
kernel void private_array(global int *o, global int *a)
{
   int t[8];
   for (int i = 0; i < 8; i++)
      t[i] = i * i;
   t[a[ID] & 7] = ID;
   o[ID] = t[(a[ID] >> 3) & 7] + t[ID & 7];
}

//: private_sort zero:256 int:256
kernel void private_sort(global int *o, global int4 *a)
{
   int4 v = a[ID];
   int t[4];
   t[0] = v.x;
   t[1] = v.y;
   t[2] = v.z;
   t[3] = v.w;
   for (int i = 0; i < 4; i++)
      for (int j = 0; j < 3 - i; j++)
         if (t[j] > t[j + 1]) {
            int x = t[j];
            t[j] = t[j + 1];
            t[j + 1] = x;
         }
   for (int i = 0; i < 4; i++)
      o[ID * 4 + i] = t[i];
}

//: private_vector zero:64 float:256 small:64
kernel void private_vector(global float *o, global float4 *a, global int *b)
{
   float4 v = a[ID];
   o[ID] = v[b[ID] & 3];
}

//: long_add zero:128 int:128 int:128
kernel void long_add(global ulong *o, global ulong *a, global ulong *b)
{
   o[ID] = a[ID] + b[ID] - (a[ID] >> 32);
}

//: long_multiply zero:128 int:128 int:128
kernel void long_multiply(global ulong *o, global ulong *a, global ulong *b) { o[ID] = a[ID] * b[ID]; }

//: long_shift zero:128 int:128 small:64
kernel void long_shift(global ulong *o, global ulong *a, global int *b)
{
   int n = b[ID] & 63;
   o[ID] = (a[ID] << n) ^ (a[ID] >> (n ^ 5)) ^ (ulong)((long)a[ID] >> (n ^ 9));
}

//: long_compare zero:64 int:128 int:128
kernel void long_compare(global int *o, global long *a, global long *b)
{
   long x = a[ID], y = b[ID];
   o[ID] = (x < y) + 2 * ((ulong)x < (ulong)y) + 4 * (x == (x >> 1)) + 8 * (x > 77);
}

//: long_divide zero:128 int:128 small:64
kernel void long_divide(global ulong *o, global ulong *a, global uint *b)
{
   o[ID] = a[ID] / (b[ID] + 3ul) + a[ID] % (b[ID] * 77ul + 5ul);
}

//: double_add zero:128 int:128 fails=requires_cl_khr_fp64
kernel void double_add(global double *o, global double *a) { o[ID] = a[ID] + 1.0; }
