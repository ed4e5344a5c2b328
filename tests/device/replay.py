#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""replay.py REPLAY CAPTURE...: command streams of stock r600 give one hash, whatever computes it.

Each capture is replayed with 1, 2 and 4 threads and by every kernel build that this CPU runs; all
memory after each submission must be equal in all of them, and must have been written at all.  Then
it is replayed changed at random: that must end.  ATOLL_DEBUG=pixels says how each draw is drawn, and
ATOLL_DEBUG=td what it samples.
"""
import os
import re
import subprocess
import sys

replay, captures = sys.argv[1], sys.argv[2:]
with open('/proc/cpuinfo') as file:
    flags = next((line.split() for line in file if line.startswith('flags')), [])
builds = ['sse2'] + ['avx2'] * ('avx2' in flags and 'fma' in flags) + ['avx512'] * ('avx512dq' in flags)


def run(*arguments, **environment):
    result = subprocess.run([replay, *arguments], env={**os.environ, **environment},
                            stdout=subprocess.PIPE, timeout=100, text=True)
    if result.returncode not in (0, 4):
        sys.exit(f'{" ".join(arguments)} {environment}: exit code {result.returncode}')
    return result.stdout


for capture in captures:
    hashes = {}
    for build in builds:
        for threads in '1', '2', '4':
            lines = run(capture, ATOLL_SIMD=build, ATOLL_THREADS=threads).splitlines()
            hashes[build, threads] = [line.split()[3] for line in lines if ' client ' in line]
    first = hashes['sse2', '1']
    if not first or int(first[-1], 16) == 0:
        sys.exit(f'{capture}: nothing was computed')
    for how, found in hashes.items():
        if found != first:
            sys.exit(f'{capture}: {how} and sse2 with one thread differ:\n{found}\n{first}')
    print(f'{os.path.basename(capture)}: {len(first)} submissions, {len(hashes)} ways, one result')
    told = subprocess.run([replay, capture], env={**os.environ, 'ATOLL_DEBUG': 'pixels'},
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=100, text=True).stderr
    if not re.search(r'^draw 0: quads: (fill|pack|depth_only)( \w+)*; colour 0: \w+ [A-Z_]+( \w+)*$', told, re.M):
        sys.exit(f'{capture}: ATOLL_DEBUG=pixels does not say how the first draw is drawn:\n{told}')
    told = subprocess.run([replay, capture], env={**os.environ, 'ATOLL_DEBUG': 'td'},
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=100, text=True).stderr
    if not re.search(r'^td: draw 0$', told, re.M):
        sys.exit(f'{capture}: ATOLL_DEBUG=td does not name the first draw:\n{told}')
    if 'survived' not in run('--mutate', '40', capture):
        sys.exit(f'{capture}: changed at random it does not end')
