#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""reduce.py REPLAY DEBUG AS REGISTERS CAPTURE: atoll-replay --reduce keeps of a capture what a fault needs.

Ten faults are planted in CAPTURE (tessellation-geometry.cs).  What is left of each is at most a twentieth of its
capture, still has the fault, and replays to its own hashes.
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

from planted import (GREATER, MEM_WRITE, PAGE_BYTES, SPARE, assemble, depth_surface, packet, planted,
                     read_registers, registers, value)

REPLAY, DEBUG, AS, REGISTERS, CAPTURE = sys.argv[1:]
del sys.argv[1:]
read_registers(REGISTERS)
PIXEL = 0x100050000 + (100 * 256 + 100) * 4
TRIALS = 300


def pixel_program(body):
    return {'before': registers(SQ_PGM_START_PS=SPARE >> 8), 'memory': [(SPARE, assemble(AS, body))]}


def verdict(text):
    """A command that asks the history of the pixel."""
    return f'command={DEBUG} --why=100,100 --target=0 "$1" | grep -q "^verdict: .*{text}"'


def depth():
    words, memory = depth_surface((0x7f, 0), Z_ENABLE=1, ZFUNC=GREATER)
    return {'before': words, 'memory': memory}


class Reduce(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.out = os.path.join(self.folder.name, 'reduced.cap')

    def run_tool(self, *command, **environment):
        done = subprocess.run(command, capture_output=True, text=True, timeout=280,
                              env={**os.environ, 'ATOLL_THREADS': '1', **environment})
        return done.returncode, done.stdout, done.stderr

    def reduce(self, data, *keeps, trials=TRIALS):
        path = os.path.join(self.folder.name, 'whole.cap')
        with open(path, 'wb') as file:
            file.write(data)
        return self.run_tool(REPLAY, f'--reduce={self.out}', f'--trials={trials}', *(f'--keep={k}' for k in keeps), path)

    def check(self, *keeps, **faults):
        data = planted(CAPTURE, **faults)
        code, out, err = self.reduce(data, *keeps)
        self.assertEqual((code, err), (0, ''), out)
        with open(self.out, 'rb') as file:
            left = file.read()
        self.assertLessEqual(len(left) * 20, len(data), out)
        self.assertEqual(out.splitlines()[-1], f'{self.out}: {len(left)} bytes, of {len(data)}')
        lines = self.run_tool(REPLAY, self.out)[1].splitlines()
        self.assertTrue(lines[-1].endswith(' submissions, 0 differ'), lines)
        left = re.search(r'^keeps (\d+) submissions, (\d+) draws', out.splitlines()[-2]).groups()
        # What was to be kept is there, where a draw still names the surface.
        if left[1] != '0':
            self.assertEqual(self.run_tool(REPLAY, f'--reduce={self.out}.again', '--trials=3',
                                           *(f'--keep={k}' for k in keeps), self.out)[0], 0)
        return left

    def test_mask(self):
        self.assertEqual(self.check('pixel=100,100,0:ff80ff80', before=registers(CB_TARGET_MASK=2)), ('1', '2'))

    def test_blending(self):
        self.check('pixel=100,100,0:007f7f7f', before=registers(CB_BLEND0_CONTROL=value(
            'CB_BLEND0_CONTROL', COLOR_SRCBLEND=1, COLOR_DESTBLEND=1, COLOR_COMB_FCN=1, BLEND_CONTROL_ENABLE=1)))

    def test_program(self):
        self.assertEqual(self.check('pixel=100,100,0:0xff00ff00', **pixel_program(
            'ALU:\n 0 x: MOV R0.x, 0.0f\n   y: MOV R0.y, 1.0f\n   z: MOV R0.z, 0.0f\n   w: MOV R0.w, 1.0f\n'
            'EXP_DONE: PIX0, R0\nEND_OF_PROGRAM\n')), ('1', '1'))

    def test_packet(self):
        write = packet(MEM_WRITE, PIXEL & 0xffffffff, 0x40000 | PIXEL >> 32, 0x01020304, 0)
        self.assertEqual(self.check('pixel=100,100,0:01020304', after=write), ('1', '0'))

    def test_memory(self):
        self.check('pixel=100,100,0', between=[(PIXEL & ~(PAGE_BYTES - 1), b'\x11' * PAGE_BYTES)])

    def test_old_memory(self):
        """Memory that has the pixel's value before it is drawn is not what is left."""
        left = self.check('pixel=100,100,0:ffffffff', first=[(PIXEL & ~(PAGE_BYTES - 1), b'\xff' * PAGE_BYTES)])
        self.assertEqual(left, ('1', '1'))

    def test_discarded(self):
        self.check(verdict('discarded by the pixel program'), **pixel_program(
            'ALU:\n 0 x: KILLE ____, 0.0f, 0.0f\nEXP_DONE: PIX0, R0\nEND_OF_PROGRAM\n'))

    def test_depth(self):
        self.check(verdict('rejected by the depth test'), **depth())

    def test_scissor(self):
        self.check(verdict('outside the scissor'), before=registers(
            PA_SC_VPORT_SCISSOR_0_TL=value('PA_SC_VPORT_SCISSOR_0_TL', TL_X=101, TL_Y=0, WINDOW_OFFSET_DISABLE=1),
            PA_SC_VPORT_SCISSOR_0_BR=value('PA_SC_VPORT_SCISSOR_0_BR', BR_X=256, BR_Y=250)))

    def test_fault(self):
        self.assertEqual(self.check('fault', before=registers(SQ_PGM_START_PS=SPARE >> 8),
                                    memory=[(SPARE, b'\xff' * 64)]), ('1', '1'))

    def test_difference(self):
        self.check('different=ATOLL_BUDGET=2000c')

    def test_refused(self):
        whole = planted(CAPTURE)
        for keeps, says in ((['pixel=100,100,0:12345678'], 'the capture itself does not do what is to be kept'),
                            (['pixel=100,100,0:00000000', 'crash'], 'the capture itself does not'),
                            (['fault'], 'the capture itself does not'),
                            (['fault=an unmapped nothing'], 'the capture itself does not'),
                            (['pixel=256,0,0'], 'has no such pixel'), (['pixel=0,0,77'], 'no surface 77'),
                            (['different=ATOLL_SIMD=sse2'], 'the capture itself does not'),
                            (['command=true'], 'an empty capture does what is to be kept as well')):
            code, out, err = self.reduce(whole, *keeps)
            self.assertEqual((code, out), (1, ''), keeps)
            self.assertIn('error: ', err)
            self.assertIn(says, err)
            self.assertFalse(os.path.exists(self.out))
        for keep in 'pixel', 'pixel=1', 'pixel=1,2:', 'pixel=1,2:0xz', 'pixel=1,2,3,4', 'crash=x', 'different=x', 'x=y', '':
            self.assertEqual(self.reduce(whole, keep)[0], 2, keep)
        self.assertEqual(self.reduce(whole)[0], 2)
        self.assertEqual(self.run_tool(REPLAY, '--keep=fault', CAPTURE)[0], 2)
        self.assertEqual(self.reduce(whole, *['fault'] * 9)[0], 2)
        self.assertEqual(self.run_tool(REPLAY, f'--reduce={self.out}/none', '--trials=1', '--keep=pixel=100,100,0',
                                       CAPTURE)[0], 3)


unittest.main()
