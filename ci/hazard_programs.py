# SPDX-License-Identifier: MIT
"""Faults for the sanitizer for shaders, and for each a mended twin that has none.

A template is a kind, a name, and two bodies of a shader: with the fault, and without.  Values and memory are at fault
in all six stages alike, so those templates are made for each of them; what work groups share is made for each type and
each memory; what is between draws has programs of its own.  The texts are those that gl-script (ci/gl/script.c) takes.
"""
import itertools

STAGES = ('vertex', 'control', 'evaluation', 'geometry', 'pixel', 'compute')

HEAD = '''#version 450
layout(std430, binding = 0) buffer Words {{ uint w[]; }};
uniform float zero;
{declared}
{before}void use(uint v) {{ w[{slot}] = v; }}
void use(int v) {{ use(uint(v)); }}
void use(float v) {{ use(floatBitsToUint(v)); }}
void main() {{ float x = {x}; uint i = uint(x); {body} {after} }}
'''

# Of each stage: what is before main(), the number of the invocation, a float that differs, what comes after the body.
PARTS = {
    'vertex': ('in vec4 position;\n', 'gl_VertexID', 'float(gl_VertexID)', 'gl_Position = position;'),
    'control': ('layout(vertices = 3) out;\n', '8 + 3 * gl_PrimitiveID + gl_InvocationID', 'float(gl_InvocationID)',
                'gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; '
                'gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 2.0;'),
    'evaluation': ('layout(triangles) in;\n', '16 + gl_PrimitiveID', 'floor(gl_TessCoord.x * 2.0)',
                   'gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y + '
                   'gl_in[2].gl_Position * gl_TessCoord.z;'),
    'geometry': ('layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n', '24 + gl_PrimitiveIDIn',
                 'float(gl_PrimitiveIDIn)',
                 'for (int n = 0; n < 3; n++) { gl_Position = gl_in[n].gl_Position; EmitVertex(); }'),
    'pixel': ('layout(location = 0) out vec4 color;\n', '32 + int(gl_FragCoord.y) * 16 + int(gl_FragCoord.x)',
              'floor(gl_FragCoord.x)', 'color = vec4(1);'),
    'compute': ('layout(local_size_x = 128) in;\n', 'gl_LocalInvocationIndex', 'float(gl_LocalInvocationIndex)', ''),
}


def shader(stage, body, declared=''):
    before, slot, x, after = PARTS[stage]
    return f'!shader {stage}\n' + HEAD.format(declared=declared, before=before, slot=slot, x=x, body=body, after=after)


def script(stage, body, declared='', more=''):
    """A program with this body in a stage, and what makes it run."""
    if stage == 'compute':
        return shader(stage, body, declared) + '!program\n!words 0 1024\n' + more + '!dispatch 1 1 1\n'
    stages = {'vertex', 'pixel', stage} | ({'control', 'evaluation'} if stage in ('control', 'evaluation') else set())
    text = ''.join(shader(one, body if one == stage else '', declared if one == stage else '')
                   for one in STAGES if one in stages)
    return text + '!program\n!words 0 1024\n!target 16\n' + more + '!draw\n'


# Values -------------------------------------------------------------------------------------------------------------

# Kind, name, with the fault, without.
VALUES = (
    ('nan', 'root', 'use(sqrt(-1.0 - x));', 'use(sqrt(1.0 + x));'),
    ('nan', 'log', 'use(log2(-1.0 - x));', 'use(log2(1.0 + x));'),
    ('nan', 'power', 'use(pow(-2.0 - x, 0.5 + zero));', 'use(pow(2.0 + x, 0.5 + zero));'),
    ('nan', 'inverse-root', 'use(inversesqrt(-1.0 - x));', 'use(inversesqrt(1.0 + x));'),
    ('nan', 'kept', 'use(min(sqrt(-1.0 - x) * 2.0 + 1.0, sqrt(-2.0 - x)));',
     'float q = sqrt(-1.0 - x); use(isnan(q) ? 0.0 : q);'),
    ('divisions', 'one', 'use(1.0 / (zero * x));', 'use(1.0 / (zero * x + 1.0));'),
    ('divisions', 'normal', 'use(normalize(vec3(zero * x)).y);', 'use(normalize(vec3(zero * x + 1.0)).y);'),
    ('divisions', 'some', 'use(3.0 / (x - 1.0));', 'use(x == 1.0 ? 0.0 : 3.0 / (x - 1.0));'),
    ('divisions', 'guarded-wrongly', 'float q = 1.0 / x; if (x >= 0.0) use(q);', 'float q = 1.0 / x; if (x > 0.0) use(q);'),
    ('divisions', 'inverse-root', 'use(inversesqrt(x * zero));', 'use(inversesqrt(x * zero + 4.0));'),
    ('divisions', 'integer', 'use(7u / (i * uint(zero)));', 'use(7u / (i * uint(zero) + 1u));'),
    ('infinities', 'power', 'use(exp2(200.0 + x));', 'use(exp2(20.0 + min(x, 9.0)));'),
    ('infinities', 'product', 'use((x + 2.0) * 3e38);', 'use((x + 2.0) * 3e30);'),
    ('infinities', 'sum', 'use((x * zero + 3e38) + (x * zero + 3e38));', 'use((x * zero + 3e37) + (x * zero + 3e37));'),
    ('conversions', 'large', 'use(int((x + 5.0) * 1e9));', 'use(int((x + 5.0) * 1e5));'),
    ('conversions', 'negative', 'use(uint(-2.0 - x));', 'use(uint(2.0 + x));'),
    ('conversions', 'large-unsigned', 'use(uint((x + 5.0) * 1e9));', 'use(uint((x + 5.0) * 1e6));'),
    ('conversions', 'index', 'w[600u + uint(-3.0 - x) % 8u] = 1u;', 'w[600u + uint(3.0 + x) % 8u] = 1u;'),
    ('shifts', 'left', 'use(1u << (i + 32u));', 'use(i < 32u ? 1u << i : 0u);'),
    ('shifts', 'right', 'use((i + 9u) >> (i + 40u));', 'use(i < 32u ? (i + 9u) >> i : 0u);'),
    ('shifts', 'signed', 'use(-5 >> int(i + 32u));', 'use(i < 32u ? -5 >> int(i) : 0);'),
    ('bounds', 'write', 'w[1022u + 3u + i] = 1u;', 'w[700u + i] = 1u;'),
    ('bounds', 'read', 'use(w[1024u + i]);', 'use(w[700u + i]);'),
    ('bounds', 'far', 'use(w[(i + 1u) * 4096u]);', 'uint n = (i + 1u) * 4096u; use(n < uint(w.length()) ? w[n] : 0u);'),
    ('bounds', 'negative', 'use(w[int(i) - 200]);', 'use(w[int(i) + 200]);'),
    ('bounds', 'atomic', 'atomicAdd(w[1030u + i], 1u);', 'atomicAdd(w[830u + i], 1u);'),
    ('bounds', 'exchange', 'use(atomicExchange(w[1030u + i], 1u));', 'use(atomicExchange(w[830u + i], 1u));'),
    ('bounds', 'branch', 'if (w[1024u + i] == 0u) use(1u);', 'if (w[700u + i] == 0u) use(1u);'),
)

# The same with something declared and bound: kind, name, declared, commands, with the fault, without.
BOUND = (
    ('bounds', 'texels', 'layout(binding = 3) uniform usamplerBuffer t;', '!texels 3 64\n',
     'use(texelFetch(t, int(i) + 64).x);', 'use(texelFetch(t, int(i) % 64).x);'),
    ('bounds', 'constants', 'layout(std140, binding = 2) uniform C { vec4 c[4096]; };', '!constants 2 64\n',
     'use(c[i + 16u].x);', 'use(c[i % 16u].x);'),
    ('images', 'write', 'layout(r32ui, binding = 2) uniform uimage2D p;', '!image 2 16\n',
     'imageStore(p, ivec2(int(i) + 16, 0), uvec4(1));', 'imageStore(p, ivec2(int(i) % 16, 0), uvec4(1));'),
    ('images', 'row', 'layout(r32ui, binding = 2) uniform uimage2D p;', '!image 2 16\n',
     'imageStore(p, ivec2(0, -1 - int(i)), uvec4(1));', 'imageStore(p, ivec2(0, int(i) % 16), uvec4(1));'),
    ('images', 'atomic', 'layout(r32ui, binding = 2) uniform uimage2D p;', '!image 2 16\n',
     'imageAtomicAdd(p, ivec2(int(i) + 16, 0), 1u);', 'imageAtomicAdd(p, ivec2(int(i) % 16, 0), 1u);'),
)

# Work groups --------------------------------------------------------------------------------------------------------

TYPES = {'uint': ('uint({})', '{}'), 'int': ('int({})', 'uint({})'), 'float': ('float({})', 'uint({})'),
         'uvec2': ('uvec2({})', '{}.y'), 'vec4': ('vec4({})', 'uint({}.z)')}

# What stores a value of a type, and what loads one, in each memory; memories of images have words alone.
MEMORIES = {
    'shared': ('shared {type} m[256];', 'm[{at}] = {value};', 'm[{at}]', ''),
    'buffer': ('layout(std430, binding = 1) buffer M {{ {type} m[]; }};', 'm[{at}] = {value};', 'm[{at}]',
               '!words 1 4096\n'),
    'image': ('layout(r32ui, binding = 1) coherent uniform uimage2D m;',
              'imageStore(m, ivec2({at} % 256u, {at} / 256u), uvec4({value}));', 'imageLoad(m, ivec2({at} % 256u, {at} / 256u)).x', '!image 1 256\n'),
}

# `put(at, value)` and `get(at)` of the memory; with races, without.
GROUPS = (
    ('neighbour', 'put(i, i + 1u); use(get(i ^ 1u));', 'put(i, i + 1u); sync(); use(get(i ^ 1u));'),
    ('wave', 'put(i, i + 1u); put(i + 128u, i); sync(); put(i ^ 64u, i * 3u); use(get(i));',
     'put(i, i + 1u); put(i + 128u, i); sync(); put(i, i * 3u); sync(); use(get(i ^ 64u));'),
    ('word', 'put(0u, i); sync(); use(get(0u));', 'if (i == 9u) put(0u, i); sync(); use(get(0u));'),
    ('after', 'put(i, i); sync(); uint v = get((i + 1u) % 128u); put(i, v * 3u + 1u); sync(); use(get(i));',
     'put(i, i); sync(); uint v = get((i + 1u) % 128u); sync(); put(i, v * 3u + 1u); sync(); use(get(i));'),
    ('reduce', 'put(i, i); sync(); for (uint n = 64u; n > 0u; n >>= 1u) if (i < n) put(i, get(i) + get(i + n)); '
     'sync(); use(get(0u));',
     'put(i, i); sync(); for (uint n = 64u; n > 0u; n >>= 1u) { if (i < n) put(i, get(i) + get(i + n)); sync(); } '
     'use(get(0u));'),
    ('scan', 'put(i, i + 1u); sync(); for (uint n = 1u; n < 128u; n *= 2u) { uint v = i >= n ? get(i - n) : 0u; '
     'put(i, get(i) + v); sync(); } use(get(i));',
     'put(i, i + 1u); sync(); for (uint n = 1u; n < 128u; n *= 2u) { uint v = i >= n ? get(i - n) : 0u; sync(); '
     'put(i, get(i) + v); sync(); } use(get(i));'),
    ('transpose', 'put(i, i); put(i % 8u * 16u + i / 8u, i + 500u); sync(); use(get(i));',
     'put(i, i); sync(); put(i % 8u * 16u + i / 8u, i + 500u); sync(); use(get(i));'),
)

# Two groups of 128: g is the group's number.
BETWEEN = (
    ('same', 'put(i, g + 1u);', 'put(g * 128u + i, g + 1u);'),
    ('other', 'put(g * 128u + i, i + 7u); sync(); put(512u + g * 128u + i, get((1u - g) * 128u + i));',
     'put(g * 128u + i, i + 7u); sync(); put(512u + g * 128u + i, get(g * 128u + (i ^ 1u)));'),
    ('count', 'put(0u, get(0u) + 1u + i);', 'if (i + g == 0u) put(0u, get(0u) + 1u);'),
)

BARRIERS = (
    ('half', 'if (i % 2u == 0u) barrier(); use(i);', 'barrier(); if (i % 2u == 0u) use(i);'),
    ('one', 'if (w[i] != 3u) barrier(); use(i);', 'if (w[1023] != 3u) barrier(); use(i);'),
    ('loop', 'for (uint n = 0u; n < i % 5u + 1u; n++) barrier(); use(i);', 'for (uint n = 0u; n < 5u; n++) barrier(); use(i);'),
    ('return', 'if (i >= 100u) return; barrier(); use(i);', 'barrier(); if (i >= 100u) return; use(i);'),
    ('wave', 'if (i < 64u) barrier(); use(i);', 'barrier(); if (i < 64u) use(i);'),
    ('wave-loop', 'for (uint n = 0u; n < 1u + i / 64u; n++) barrier(); use(i);',
     'for (uint n = 0u; n < w[1023] - 1021u; n++) barrier(); use(i);'),
    ('break', 'for (uint n = 0u; n < 9u; n++) { if (n > i % 4u) break; barrier(); } use(i);',
     'for (uint n = 0u; n < 9u; n++) { if (n > w[1023] - 1019u) break; barrier(); } use(i);'),
    ('continue', 'for (uint n = 0u; n < 3u; n++) { if ((n + i) % 2u == 0u) continue; barrier(); } use(i);',
     'for (uint n = 0u; n < 3u; n++) { if (n % 2u == 0u) continue; barrier(); } use(i);'),
    ('sides', 'if (i < 64u) { use(1u); barrier(); w[512u + i] = 2u; } else { use(4u); barrier(); w[900u] = 3u; }',
     'if (i < 64u) use(1u); else use(4u); barrier(); if (i < 64u) w[512u + i] = 2u; else w[900u] = 3u;'),
    ('switch', 'switch (i % 3u) { case 0u: barrier(); break; default: use(i); }',
     'switch (w[1023] % 3u) { case 0u: barrier(); break; default: use(i); }'),
    ('nested', 'if (w[1005] == 1005u) { if (i < 30u) barrier(); } use(i);', 'if (w[1005] == 1005u) { if (w[1006] == 1006u) barrier(); } use(i);'),
    ('last', 'if (i != 127u) barrier(); use(i);', 'barrier(); if (i != 127u) use(i);'),
)

SHARED = (
    ('all', 'use(get(i));', 'put(i, i); sync(); use(get(i));'),
    ('half', 'if (i < 64u) put(i, i); sync(); use(get(i));', 'if (i < 64u) { put(i, i); put(i + 64u, i); } sync(); use(get(i));'),
    ('next', 'put(i, i); sync(); use(get(i) + get(i + 1u));', 'put(i, i); sync(); use(get(i) + get((i + 1u) % 128u));'),
    ('branch', 'if (get(i) == {one}) use(3u);', 'put(i, i); if (get(i) == {one}) use(3u);'),
    ('condition', 'put(i, i); sync(); uint v = get(i + 1u); use(i < 128u ? v : 5u);',
     'put(i, i); sync(); uint v = get(i + 1u); use(i < 127u ? v : 5u);'),
)


def group(memory, kind, name, body, groups=1):
    """A compute program on a memory of this type: put(), get(), sync()."""
    declared, store, load, more = MEMORIES[memory]
    make, take = TYPES[kind]
    functions = (f'void put(uint at, uint v) {{ {store.format(at="at", value=make.format("v"))} }}\n'
                 f'uint get(uint at) {{ return {take.format("(" + load.format(at="at") + ")")}; }}\n'
                 'void sync() { memoryBarrier(); barrier(); }\n')
    body = 'uint g = gl_WorkGroupID.x; ' + body.replace('{one}', '1u')
    return script('compute', body, declared.format(type=kind) + '\n' + functions, more).replace(
        '!dispatch 1 ', f'!dispatch {groups} ')


# Dispatches and draws without a memory barrier between them: the declaration, what the first one writes, and what the
# second one, of this stage, reads.
BEFORE = (
    ('buffer', 'layout(std430, binding = 1) buffer M { uint m[]; };', '!words 1 1024\n', 'm[i] = i * 5u;', 'use(m[i]);'),
    ('vector', 'layout(std430, binding = 1) buffer M { uvec4 m[]; };', '!words 1 4096\n', 'm[i] = uvec4(i, 1, 2, 3);',
     'use(m[i].z);'),
    ('other', 'layout(std430, binding = 1) buffer M { uint m[]; };', '!words 1 1024\n', 'm[i] = i * 5u;',
     'if (m[i ^ 1u] == 5u) use(1u);'),
    ('counter', 'layout(std430, binding = 1) buffer M { uint m[]; };', '!words 1 1024\n', 'atomicAdd(m[i], 3u);',
     'use(m[i]);'),
    ('image', 'layout(r32ui, binding = 1) coherent uniform uimage2D m;', '!image 1 128\n',
     'imageStore(m, ivec2(i, 0), uvec4(i));', 'use(imageLoad(m, ivec2(i, 0)).x);'),
)


def follows(stage, declared, more, writes, reads, ordered):
    """Two programs, the first a dispatch."""
    first = shader('compute', writes, declared) + '!program\n!words 0 1024\n' + more
    second = script(stage, reads, declared)
    # What is bound, and the target, are there before the first one runs.
    target = '!target 16\n' if stage != 'compute' else ''
    return (first + target + '!dispatch 1 1 1\n' + ('!barrier\n' if ordered else '') +
            second.replace('!words 0 1024\n', '').replace('!target 16\n', ''))


def faults():
    """All of them: (name, kinds, the text with the fault, the text without)."""
    for (kind, name, bad, good), stage in itertools.product(VALUES, STAGES):
        yield f'{kind}/{name}/{stage}', {kind}, script(stage, bad), script(stage, good)
    for (kind, name, declared, more, bad, good), stage in itertools.product(BOUND, STAGES):
        yield f'{kind}/{name}/{stage}', {kind}, script(stage, bad, declared, more), script(stage, good, declared, more)
    for memory in MEMORIES:
        for kind in TYPES if memory != 'image' else ('uint',):
            for name, bad, good in GROUPS:
                yield (f'races/{name}/{memory}-{kind}', {'races'}, group(memory, kind, name, bad),
                       group(memory, kind, name, good))
            for name, bad, good in BETWEEN if memory != 'shared' else ():
                yield (f'races/between-{name}/{memory}-{kind}', {'races'}, group(memory, kind, name, bad, 2),
                       group(memory, kind, name, good, 2))
    for (name, declared, more, writes, reads), stage in itertools.product(BEFORE, STAGES):
        yield (f'ordering/{name}/{stage}', {'ordering'}, follows(stage, declared, more, writes, reads, False),
               follows(stage, declared, more, writes, reads, True))
    for name, bad, good in BARRIERS:
        yield f'barriers/{name}', {'barriers'}, script('compute', bad), script('compute', good)
    for kind in TYPES:
        for name, bad, good in SHARED:
            yield (f'shared/{name}/{kind}', {'shared'}, group('shared', kind, name, bad),
                   group('shared', kind, name, good))
