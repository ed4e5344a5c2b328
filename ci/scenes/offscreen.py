# SPDX-License-Identifier: MIT
"""offscreen.py PICTURE FRAMES: moderngl without a window. Draws FRAMES frames of a lit torus with a
texture and depth into a framebuffer, and writes the last one as a PNG."""
import math
import struct
import sys

import moderngl
from PIL import Image

SIZE = 640, 480
ROUND, AROUND = 96, 48

VERTEX = '''
#version 330
uniform float turn;
in vec2 place;
out vec3 normal;
out vec2 uv;
void main() {
    float a = place.x, b = place.y;
    vec3 n = vec3(cos(b) * cos(a), cos(b) * sin(a), sin(b));
    vec3 p = vec3(cos(a), sin(a), 0.0) * 0.6 + 0.28 * n;
    mat3 m = mat3(cos(turn), 0.0, -sin(turn), 0.0, 1.0, 0.0, sin(turn), 0.0, cos(turn));
    normal = m * n;
    uv = place * vec2(4.0, 2.0) / 6.2831853;
    p = m * p;
    gl_Position = vec4(p.x * 0.75, p.y, p.z * 0.5, 1.0 - 0.3 * p.z);
}
'''
FRAGMENT = '''
#version 330
uniform sampler2D checks;
in vec3 normal;
in vec2 uv;
out vec4 colour;
void main() {
    vec3 n = normalize(normal);
    float light = max(dot(n, normalize(vec3(0.4, 0.6, -0.7))), 0.0);
    colour = vec4(texture(checks, uv).rgb * (0.2 + 0.8 * light) + pow(light, 30.0), 1.0);
}
'''


def main():
    path, frames = sys.argv[1], int(sys.argv[2])
    context = moderngl.create_standalone_context()
    print('GL_RENDERER:', context.info['GL_RENDERER'], flush=True)
    program = context.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
    places = [(2 * math.pi * i / ROUND, 2 * math.pi * j / AROUND)
              for i in range(ROUND + 1) for j in range(AROUND + 1)]
    indices = [i * (AROUND + 1) + j + k for i in range(ROUND) for j in range(AROUND)
               for k in (0, 1, AROUND + 1, 1, AROUND + 1, AROUND + 2)]
    mesh = context.vertex_array(
        program, [(context.buffer(struct.pack(f'{2 * len(places)}f', *(c for p in places for c in p))), '2f', 'place')],
        context.buffer(struct.pack(f'{len(indices)}I', *indices)))
    texels = bytes(v for y in range(64) for x in range(64)
                   for v in ((230, 180, 60) if (x // 8 + y // 8) % 2 else (60, 90, 200)))
    texture = context.texture((64, 64), 3, texels)
    texture.build_mipmaps()
    texture.use()
    target = context.framebuffer([context.texture(SIZE, 4)], context.depth_renderbuffer(SIZE))
    target.use()
    context.enable(moderngl.DEPTH_TEST)
    for frame in range(frames):
        target.clear(0.1, 0.15, 0.25)
        program['turn'] = 0.02 * frame
        mesh.render()
    context.finish()
    Image.frombytes('RGB', SIZE, target.read(components=3)).transpose(Image.FLIP_TOP_BOTTOM).save(path)
    print('frames:', frames)


main()
