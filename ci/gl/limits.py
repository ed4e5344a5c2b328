#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""The limits that OpenGL's headers name, as lines of C: limits.py OUT FOLDER, where FOLDER has GL/gl.h.

A limit is an enumerant whose name says so: GL_MAX_*, GL_MIN_*, and the alignments, granularities and
ranges of what an implementation can do.  Each number appears once, under its plainest name.
"""
import os
import re
import sys

HEADERS = ('GL/gl.h', 'GL/glext.h', 'GLES3/gl32.h', 'GLES2/gl2ext.h')
WANTED = re.compile(r'GL_(MAX|MIN)_\w+|GL_\w*(LINE_WIDTH|POINT_SIZE|VIEWPORT_BOUNDS)_(RANGE|GRANULARITY)|'
                    r'GL_\w+_OFFSET_ALIGNMENT|GL_\w*SUBPIXEL\w*_BITS')
# What a program sets, what is asked of formats, and a number of threads.
UNWANTED = re.compile(r'GL_(MAX|MIN)_(EXT|WIDTH|HEIGHT|DEPTH|LAYERS|COMBINED_DIMENSIONS)|'
                      r'GL_MIN_SAMPLE_SHADING_VALUE\w*|GL_MAX_SHADER_COMPILER_THREADS\w*')
VENDOR = re.compile(r'_(ARB|EXT|OES|KHR|NV|NVX|AMD|ATI|SGI|SGIS|SGIX|APPLE|INTEL|QCOM|IMG|ANGLE|OVR)$')


def main():
    found = {}
    for header in HEADERS:
        path = os.path.join(sys.argv[2], header)
        if not os.path.exists(path):
            continue
        with open(path, encoding='utf-8') as file:
            for name, number in re.findall(r'^#define\s+(GL_\w+)\s+(0x[0-9A-Fa-f]+)\b', file.read(), re.M):
                if WANTED.fullmatch(name) and not UNWANTED.fullmatch(name):
                    found.setdefault(int(number, 16), []).append(name)
    with open(sys.argv[1], 'w', encoding='utf-8') as file:
        for number, names in sorted(found.items()):
            plainest = min(names, key=lambda name: (bool(VENDOR.search(name)), len(name), name))
            file.write(f'{{ "{plainest}", 0x{number:04X} }},\n')


main()
