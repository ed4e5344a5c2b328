/* SPDX-License-Identifier: MIT */
/* What an IL program means when it carries a GL shader: the contract between src/compiler/nir, the
 * back ends and the driver.  IL itself (il.h) knows none of it.
 *
 * Numbers
 *   Float arithmetic always in the `_ieee` form; zeroop(infinity) where there is a zeroop.  `mad`
 *   multiplies, rounds, adds, rounds; `fma` rounds once.  32-bit denormals are flushed.  min and
 *   max return the operand that is no NaN.  `_sat` of NaN is 0.  Booleans are ~0 and 0.
 *   eq/ge/lt are false with NaN, ne is true.  ftoi/ftou truncate and clamp, NaN gives 0.  Shift
 *   counts are taken modulo 32.  udiv/umod by 0 give ~0.  sin_vec and cos_vec take radians of any
 *   size.  round_nearest rounds half to even.  f2f16 rounds to nearest even.
 *   Components marked _prec may not be re-associated or contracted; without refactoringAllowed
 *   nothing may change a value at all.  mul followed by add equals mad.
 *
 * Registers
 *   r#    SSA values and phi webs; a component is written before it is read on every path that the
 *         source program defines, else its value is undefined.
 *   x#[]  indexed arrays, declared with dcl_indexed_temp_array.
 *   l#    literals.   icb[]  constant tables (dcl_cb icb), at most one.
 *   cbN[i]  constant buffer N as vec4s, N = 0..14 as Gallium numbers them (0 = default uniforms),
 *         declared with its size where known, else 4096.  Outside the buffer: 0.
 *   cb15[i] driver constants, layout IL_DRV_* below.
 *   cb16[i] Gallium's constant buffer 15.
 *   texture/sampler: resource n and sampler m are Gallium's sampler-view and sampler slots.
 *
 * Vertex shader
 *   v0..v31          attributes by Gallium vertex element, dcl_input usage(generic), mask = read
 *                    components.  Elements shorter than vec4 arrive filled with 0,0,1 of their
 *                    type.
 *   usage(vertexid)    v32.x  GL's gl_VertexID: base vertex included.
 *   usage(instanceid)  v33.x  base instance not included.
 *   usage(primitiveid) v34.x
 *   Other system values by x_sysval.
 *
 * Vertex shader outputs and pixel shader inputs: the register number is the link slot, one
 * of IL_LINK_*, the same for a value on both sides.  Stages are compiled apart; the back end packs
 * what is used into hardware parameters and reports slot -> parameter, the driver links them.
 *   o0  usage(position)      clip space
 *   o1  usage(pointsize)     x
 *   o2 o3 usage(color)  o4 o5 usage(backcolor)  o6 usage(fog)
 *   o8 o9 usage(clipdistance), o10 o11 usage(culldistance): distances 0-3 and 4-7.  They feed the
 *         clipper and are parameters as well (a pixel shader may read them).
 *   o13.x usage(rendertarget_array_index), o14.x usage(viewport_array_index): integers, also
 *         parameters.   o12.x usage(primitiveid): integer, parameter only.
 *   others usage(generic).   oEdgeFlag.x float 0 or 1.
 *   dcl_output masks give the components written.  Components of a declared output that a path
 *   does not write are undefined.  Outputs may be indexed (o[r.x + n], consecutive slots declared)
 *   and are write-only.  Parameters that nothing declares read as (0,0,0,1) in the pixel shader.
 *   dcl_x_streamout_buffer(b)_stream(s) oN.mask, offset: the components of oN in mask, x first, go
 *   to dwords offset, offset+1, ... of the vertex in buffer b; dcl_x_streamout_stride gives its
 *   size.
 *   No dcl_x_stage means the vertex shader runs as hardware VS.
 *
 * Geometry shader
 *   v[vertex][slot]  link slot of an input vertex, dcl_input usage(...) v[n][slot] with n vertices;
 *         the vertex may be indexed, beyond n it is undefined.
 *   vPrim.x primitive number, vInstanceID.x invocation.
 *   dcl_input_primitive, dcl_output_topology, dcl_max_output_vertex_count (0-1024),
 *   dcl_num_instances (1-127) as in IL.
 *   emit, cut and emitthencut, or with streams 0-3 the _stream forms; outputs are as a vertex
 *   shader's, keep their value after an emit, and every emit to stream 0 takes all of them; one to
 *   another stream takes those that dcl_x_streamout names for that stream.
 *
 * A vertex shader in front of a geometry shader has dcl_x_stage es and dcl_x_link_slots with the
 * slots that the geometry shader reads.  Only those leave it.
 *
 * Hull and domain shader
 *   A tessellation control shader is flat (dcl_x_flat_hs): dcl_num_ocp and dcl_ts_domain, no
 *   phases.
 *   vicp[point][slot] link slot of an input control point, o# of its own output one,
 *   vocp[point][slot] of any.
 *   vpc0..29 the patch's outputs, vpc30 and vpc31 the factors of edges and inside.
 *   vOutputControlPointID.x invocation, vPrim.x patch number.  fence_threads_lds is its barrier.
 *   A tessellation evaluation shader reads vicp[point][slot], vpc#, vDomain.xy and vPrim.x; its
 *   outputs are a vertex shader's.  IL_DRV_TESS and IL_DRV_TESS_LEVELS have the rest.
 *   A vertex shader in front has dcl_x_stage ls and dcl_x_link_slots with what the hull shader
 *   reads, and a hull shader dcl_x_link_slots with what the domain shader reads.
 *
 * Compute shader
 *   As IL has it.  Every stage has UAVs, 0-47, typed ones above 15 by dcl_x_uav.  Raw and
 *   structured ones are buffers of R32_UINT; byte addresses are multiples of 4.  dcl_lds areas lie
 *   one after the other, in the order of their declarations.  vAbsTidFlat and vThreadGrpIdFlat
 *   need IL_DRV_GRID.  A fence of threads may stand in flow control that all threads of a group
 *   take alike.
 *   Samples without a level of their own are level 0's.  g[] is the raw UAV of the lowest number
 *   that the program does not declare; so it is in pixel shaders.
 *
 * Pixel shader inputs
 *   v0  usage(position)  window x, y (pixel centre .5, or sample), z depth 0..1, w = 1/w_clip.
 *   v2 v3 usage(color): interp(notused) = smooth or flat by the rasteriser's shade model,
 *         any other interp is what it says.
 *   v15 usage(generic): point coordinate (xy).  It is a parameter that the rasteriser replaces,
 *         like any sprite coordinate, therefore no system value.
 *   v96.x usage(isfrontface)  ~0 front, 0 back (points and lines: front).
 *   v97.x usage(sample_index) integer; using it runs the shader per sample.
 *   vCoverageMask.x  input coverage, integer.
 *   others: interp(constant | linear | centroid | noperspective | noper_centroid | sample |
 *         noper_sample).  Integers are interp(constant).
 *   Inputs may be indexed (v[r.x + n], consecutive slots declared alike).
 *   eval_centroid / eval_sample_index / eval_snapped take an INPUT source; for eval_snapped src1.xy
 *         is the offset from the pixel centre in pixels, float.
 *
 * Pixel shader outputs
 *   o0..o7 usage(generic)  colour buffer n, 32 bits a component, float, int or uint as the buffer
 *         wants.  With dual source blending o1 is the second source.  Undeclared: not written.
 *   oDepth.x float (with dcl_odepth), oSTENCIL.x integer, oMask.x integer.
 *   discard_logicalz/nz: the lane stops writing but still feeds derivatives.  Alpha test, fog,
 *   logic ops, colour clamping at the target and sRGB are the device's.
 *
 * Textures
 *   dcl_resource_id(n)_type(t[,unnorm])_fmtx..w: format float, sint or uint = type of the result.
 *   unnorm: rectangle textures.  Coordinates in src0:
 *      1d x   2d xy   3d xyz   cubemap xyz (direction)   1darray x, layer y   2darray xy, layer z
 *      cubemaparray xyz, cube w.  Layers are floats, rounded to nearest even, clamped.
 *   The source order is: coordinates, compare reference (_c forms: src1.x), then LOD or bias
 *   (.x), or the gradients d/dx (xyz), d/dy (xyz).  Shadow forms on arrays and cubes are allowed.
 *   Texel offsets: aoffimmi in half texels, so GL's are even; range -8..7 texels.
 *   load: integer coordinates, w = mip level; buffers x; 2dmsaa xy, w = sample; 2darraymsaa xyz,
 *         w = sample.  Outside: 0.
 *   fetch4: component by compselect; result order (-,+) (+,+) (+,-) (-,-).  fetch4po: src1.xy
 *         integer offsets; fetch4c: src1.x reference; fetch4poc: src1.x reference, src2.xy offsets.
 *   resinfo_uint: src0.x level; width, height, depth or layers (1darray: y; 2darray: z;
 *         cubemaparray: z = cubes), w = levels.  bufinfo.x = elements.  sampleinfo_uint.x =
 *         samples.  Hardware that cannot tell cubes or elements reads IL_DRV_CUBES /
 *         IL_DRV_ELEMENTS.
 *   getlod: x = level that would be accessed, y = computed LOD, unclamped.
 *   dsx/dsy: coarse unless _fine.
 *
 * System values (x_sysval dst, id; result in x unless said)
 *   base_vertex (0 for non-indexed draws), first_vertex (GL's gl_BaseVertex-like start of any
 *   draw), base_instance, draw_id, is_indexed_draw (~0 or 0), num_samples: integers;
 *   lane: the thread's number in its wave, the bit of x_ballot; a wave has 64 threads, on Valhall
 *   16;
 *   helper_invocation ~0 or 0; sample_pos xy of the current sample in 0..1.
 */
#ifndef IL_CONVENTIONS_H
#define IL_CONVENTIONS_H

/* Version that dcl_x_version carries. */
#define IL_X_VERSION 1

/* Link slots: register numbers of vertex outputs and pixel inputs. */
enum il_link {
   IL_LINK_POSITION = 0,
   IL_LINK_POINT_SIZE = 1,
   IL_LINK_COLOR0 = 2,
   IL_LINK_COLOR1 = 3,
   IL_LINK_BACK_COLOR0 = 4,
   IL_LINK_BACK_COLOR1 = 5,
   IL_LINK_FOG = 6,
   IL_LINK_CLIP_VERTEX = 7, /* from stage to stage; never a parameter */
   IL_LINK_CLIP_DISTANCE0 = 8,
   IL_LINK_CLIP_DISTANCE1 = 9,
   IL_LINK_CULL_DISTANCE0 = 10,
   IL_LINK_CULL_DISTANCE1 = 11,
   IL_LINK_PRIMITIVE_ID = 12,
   IL_LINK_LAYER = 13,
   IL_LINK_VIEWPORT = 14,
   IL_LINK_POINT_COORD = 15,
   IL_LINK_TEXCOORD0 = 16, /* .. 23 */
   IL_LINK_GENERIC0 = 32,  /* .. 63: user varyings by location */
   IL_LINK_COUNT = 64,
};

/* Input registers that hold system values. */
#define IL_VS_INPUT_VERTEX_ID    32
#define IL_VS_INPUT_INSTANCE_ID  33
#define IL_VS_INPUT_PRIMITIVE_ID 34
#define IL_PS_INPUT_FRONT_FACE   96
#define IL_PS_INPUT_SAMPLE_INDEX 97

/* UAVs of a program, and append counters: those of the first UAVs. */
#define IL_MAX_UAVS     48
#define IL_MAX_COUNTERS 12

/* Vec4s of a thread's arrays at run-time indices, all together: of the memory that a thread has
 * (4095 vec4s), the rest is for values that no register holds. */
#define IL_ARRAY_VEC4S 3840

#define IL_MAX_CONST_BUFFERS 16 /* of Gallium's */

/* Branches, loops and switches inside each other, at most: so many branches are 252 of the 255
 * entries of Cayman's stack. */
#define IL_MAX_DEPTH 1000
#define IL_DRIVER_CB 15
#define IL_LAST_CB   16

/** The number that Gallium's constant buffer n has in IL. */
static inline unsigned
il_constant_buffer(unsigned n)
{
   return n == IL_DRIVER_CB ? IL_LAST_CB : n;
}

/* Samples that are rasterised for smooth lines and polygons where the framebuffer has one. */
#define IL_SMOOTH_SAMPLES 8

/* Interface pointers that the driver constants have room for. */
#define IL_MAX_INTERFACES 16

/* AS_CB_CLAMP_MODE_N of a colour.  Of a texture stage AS_TEX_PROJECTED_N is the component that
 * divides, y to w, or 0 for none. */
enum il_colorclamp {
   IL_COLORCLAMP_NONE = 0,
   IL_COLORCLAMP_0_1 = 1,
   IL_COLORCLAMP_NEG_1_1 = 2,
};

/* Driver constants: vec4 index in cb15, for every stage.  The driver fills what the program's
 * stage can read.  After them are a program's tables (icb[]), and after those what the driver
 * makes of uniforms for it (compiler/nir/hoist_values.c). */
enum il_drv {
   IL_DRV_CLIP_PLANE0 = 0, /* .. 7: user clip planes */
   IL_DRV_DRAW = 8,        /* base vertex, base instance, draw id, first vertex (integers) */
   IL_DRV_DRAW2 = 9,    /* is indexed (~0/0), samples, IL_COLORCLAMP of colours, divisors of stages:
                         * two bits for each of 8 and 16, number 0 lowest */
   IL_DRV_GRID = 10,    /* compute: work groups in x, y, z; 0 */
   IL_DRV_VIEW = 10,    /* other stages: which view of a framebuffer of several is drawn; 0, 0, 0 */
   IL_DRV_TESS = 11,    /* HS, DS: bytes of a patch's local data that input control points take, and
                         * the control points of the patch that comes in; 0, 0 */
   IL_DRV_TARGETS = 11, /* PS: the slices of volumes that colour buffers are, else 0, two a dword,
                         * that of the even one low */
   IL_DRV_INTERFACES = 12,  /* .. 15: dword n = function table of interface pointer n */
   IL_DRV_TESS_LEVELS = 16, /* HS: levels without a control shader, of the edges and (xy) inside */
   IL_DRV_STIPPLE = 16,     /* PS: .. 23: 32 rows of the polygon stipple; row y in dword y, bit 31
                             * = x 0 */
   IL_DRV_SAMPLE_POS = 24,  /* .. 31: x, y of samples 0-15, two a vec4, in 0..1 */
   IL_DRV_CUBES = 32,       /* .. 39: dword n = cubes in the cube array bound to resource n */
   IL_DRV_ELEMENTS = 40,    /* .. 47: dword n = elements of the buffer texture in resource n */
   IL_DRV_UAV_SIZE = 48, /* .. 83: dwords 3 n .. 3 n + 2: bytes of the raw UAV n, or width, height,
                             * and depth, layers or cubes of the typed one; with samples see
                             * compiler/nir/lower_image_samples.c */
   IL_DRV_SIZE = 84,     /* vec4s */
};

#endif
