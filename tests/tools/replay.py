#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""replay.py REPLAY DEBUG CAPTURES: atoll-replay's pictures say of each pixel what atoll-debug's history says, and its
counters what was drawn."""
import os
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

REPLAY, DEBUG, CAPTURES = sys.argv[1:]
del sys.argv[1:]
STAGES = os.path.join(CAPTURES, 'tessellation-geometry.cs')


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=200)
    return done.returncode, done.stdout, done.stderr


def read_png(path):
    """Width, height, channels, and rows of bytes."""
    with open(path, 'rb') as file:
        data = file.read()
    at, packed = 8, b''
    while at < len(data):
        size, kind = struct.unpack_from('>I4s', data, at)
        if kind == b'IHDR':
            width, height, depth, colour = struct.unpack_from('>IIBB', data, at + 8)
        elif kind == b'IDAT':
            packed += data[at + 8:at + 8 + size]
        at += 12 + size
    assert depth == 8
    channels = {0: 1, 6: 4}[colour]
    raw, rows, before = zlib.decompress(packed), [], bytes(width * channels)
    for y in range(height):
        kind, row = raw[y * (len(before) + 1)], bytearray(raw[y * (len(before) + 1) + 1:(y + 1) * (len(before) + 1)])
        for x in range(len(row)):
            left, up = (row[x - channels] if x >= channels else 0), before[x]
            corner = before[x - channels] if x >= channels else 0
            paeth = min((left, up, corner), key=lambda v: abs(left + up - corner - v))
            row[x] = (row[x] + (0, left, up, (left + up) // 2, paeth)[kind]) & 255
        before = bytes(row)
        rows.append(before)
    return width, height, channels, rows


class Replay(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, 'a.png')

    def test_pictures(self):
        """After its last draw a pixel is what its history ends with; after the one before, what it held then."""
        for draw in '1.0', '1.1':
            self.assertEqual(run(REPLAY, f'--png={draw}:{self.path}', STAGES), (0, '', ''))
            width, height, channels, rows = read_png(self.path)
            self.assertEqual((width, height, channels), (256, 250, 4))
            for x, y in (100, 100), (3, 4), (150, 220):
                told = run(DEBUG, f'--why={x},{y}', '--target=0', STAGES)[1]
                held = re.findall(r'  draw (\d+\.\d+)|0x([0-9a-f]{8}) \(r [^)]*\)$', told.split('verdict')[0], re.M)
                value, at = 0, None
                for name, bits in held:
                    at = name or at
                    if bits and (at or '') <= draw:
                        value = int(bits, 16)
                self.assertEqual(rows[y][4 * x:4 * x + 4], value.to_bytes(4, 'little'), (draw, x, y, told))

    def test_refused(self):
        for option, code, says in (('1.7', 1, 'the capture has no draw 1.7'), ('1.0.5', 1, 'draw 1.0 has no such target'),
                                   ('1.0.z', 1, 'draw 1.0 has no such target')):
            got, out, err = run(REPLAY, f'--png={option}:{self.path}', STAGES)
            self.assertEqual((got, out), (code, ''))
            self.assertIn(says, err)
        for option in '1', '1.1', '1.1:', '1.1.8:x', '1.x:y', '1.1.zz:x':
            self.assertEqual(run(REPLAY, f'--png={option}', STAGES)[0], 2, option)
        self.assertEqual(run(REPLAY, f'--png=1.0:{self.folder.name}/none/a.png', STAGES)[0], 3)
        self.assertEqual(run(REPLAY, '--counters', '--mutate=1', STAGES)[0], 2)

    def test_counters(self):
        code, out, err = run(REPLAY, '--counters', STAGES)
        self.assertEqual((code, err), (0, ''))
        counted = {line.split()[0]: [int(n) for n in line.split()[1:]] for line in out.splitlines()[-17:]}
        self.assertEqual(len(counted['stream_needed']), 4)
        for stage in 'vs', 'hs', 'ds', 'gs', 'ps':
            self.assertGreater(counted[f'{stage}_invocations'][0], 0, stage)
        # Two draws cover 256x250 pixels.
        self.assertGreater(counted['ps_invocations'][0], 100000)
        self.assertEqual(counted['cs_invocations'], [0])
        self.assertEqual(counted['faults'], [0])


unittest.main()
