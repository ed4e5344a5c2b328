#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""why.py DEBUG AS REGISTERS CAPTURE: atoll-debug --why names the cause of a wrong pixel.

CAPTURE (tessellation-geometry.cs) draws a grey background and, in draw 1.1, white over it.  Faults are planted:
registers set before that draw, packets after it, a program, another order.  In each the history must say what
became of the fragment, and the verdict must name it.
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

from planted import (ALWAYS, EQUAL, GREATER, MEM_WRITE, NEVER, PAGE_BYTES, SPARE, assemble, depth_surface, packet,
                     planted, read_registers, registers, value)

DEBUG, AS, REGISTERS, CAPTURE = sys.argv[1:]
del sys.argv[1:]
SURFACE, PIXEL = 0, (100, 100)
read_registers(REGISTERS)


class Why(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name, data):
        path = os.path.join(self.folder.name, name)
        with open(path, 'wb') as file:
            file.write(data)
        return path

    def debug(self, data, *arguments):
        done = subprocess.run([DEBUG, *arguments, self.path('a.cap', data)], capture_output=True, text=True,
                              timeout=100)
        return done.returncode, done.stdout, done.stderr

    def why(self, *arguments, pixel=PIXEL, surface=SURFACE, both=False, **faults):
        """The lines of the history, and the verdict."""
        data = planted(CAPTURE, **faults)
        results = [subprocess.run([DEBUG, f'--why={pixel[0]},{pixel[1]}', f'--target={surface}', *arguments,
                                   self.path('a.cap', data)], capture_output=True, text=True, timeout=100,
                                  env={**os.environ, **more})
                   for more in ({}, {'ATOLL_SIMD': 'sse2', 'ATOLL_THREADS': '1'})[:2 if both else 1]]
        for result in results:
            self.assertEqual((result.returncode, result.stderr), (0, ''))
            self.assertEqual(result.stdout, results[0].stdout)
        lines = results[0].stdout.splitlines()
        self.assertNotIn('than the first', lines[-1])
        verdict = [line for line in lines if line.startswith('verdict: ')]
        self.assertEqual(len(verdict), 1)
        return lines, verdict[0]

    def test_written(self):
        lines, verdict = self.why(both=True)
        self.assertEqual(lines[0], 'pixel 100,100 of colour at 0x100050000, 256x250, 4 bytes a pixel')
        self.assertIn('  draw 1.0: 1 primitives', lines)
        self.assertIn('      0x00000000 (r 0, g 0, b 0, a 0), then 0xff808080 (r 0.502, g 0.502, b 0.502, a 1)', lines)
        self.assertTrue(any(re.fullmatch(r'    primitive 0, front; wave \d+ of tile 1,1, lane 28: written', line)
                            for line in lines), lines)
        self.assertRegex(verdict, r'^verdict: written by primitive 0 of draw 1\.1, by the program at 0x\w+, which '
                                  r'gave \(0\.99\S*, 0\.99\S*, 0\.99\S*, 1\S*\); it is 0xffffffff \(r 1, g 1, b 1, a 1\)$')

    def causes(self, *arguments, **more):
        """What the answer says of each draw, below the verdict."""
        lines, _ = self.why(*arguments, **more)
        start = next(n for n, line in enumerate(lines) if line.startswith('verdict: '))
        found = {}
        for line in lines[start + 1:]:
            if line.startswith('  draw '):
                now = found.setdefault(line[7:-1], [])
            elif line.startswith('   '):
                now.append(line.strip())
        return found

    def test_causes(self):
        """The instructions are those of the value, in all stages that it went through."""
        draws = self.causes(both=True)
        self.assertEqual(list(draws), ['1.1'])
        stages = [line.split(' program at ')[0] for line in draws['1.1'] if ' program at ' in line]
        self.assertEqual(stages, ['colour, geometry', 'colour, copy', 'colour, pixel', 'position, local',
                                  'position, evaluation', 'position, geometry', 'position, copy'])
        # What was exported is what the last instruction gave, and it is the colour.
        self.assertTrue(any(re.fullmatch(r'\d+  EXP_DONE: PIX0, R\w+.*  = 0\.99\d*', line)
                            for line in draws['1.1']), draws)
        lines, _ = self.why('--expect=0,1,1,1')
        self.assertIn('  r is 1, where 0 is expected', lines)
        for instruction, there in ('x: MULADD_IEEE R0.x,  R2.x', True), ('w: MULADD_IEEE R0.w,  (0x3FC75923', False):
            self.assertTrue(any(instruction in line for line in draws['1.1']), draws)
            self.assertEqual(any(instruction in line for line in lines), there, lines)
        lines, _ = self.why('--expect=1,1,1,1')
        self.assertFalse(any('is expected' in line for line in lines))

    def test_causes_after(self):
        """Draws that left nothing there after the last write are named, with the state that kept them from it."""
        draws = self.causes(before=registers(PA_CL_VPORT_XOFFSET_0=0x46000000))
        self.assertEqual(list(draws), ['1.0', '1.1'])
        self.assertTrue(any('viewport 8064,' in line or 'viewport 80' in line for line in draws['1.1']), draws)
        draws = self.causes(before=registers(CB_BLEND0_CONTROL=value('CB_BLEND0_CONTROL', COLOR_DESTBLEND=1,
                                                                     BLEND_CONTROL_ENABLE=1)))
        # What is blended with came from the draw before.
        self.assertEqual(list(draws), ['1.1', '1.0'])
        self.assertTrue(any(line.startswith('colour: blended by ADD of ZERO and ONE') for line in draws['1.1']), draws)
        draws = self.causes(before=registers(CB_TARGET_MASK=2))
        self.assertTrue(any(line == 'colour: no blending; writes g' for line in draws['1.1']), draws)
        words, memory = depth_surface((0x7f, 0), Z_ENABLE=1, ZFUNC=GREATER)
        draws = self.causes(before=words, memory=memory)
        self.assertIn('tests: depth GREATER, not written', draws['1.1'])

    def test_scissor(self):
        lines, verdict = self.why(before=registers(
            PA_SC_VPORT_SCISSOR_0_TL=value('PA_SC_VPORT_SCISSOR_0_TL', TL_X=101, TL_Y=0, WINDOW_OFFSET_DISABLE=1),
            PA_SC_VPORT_SCISSOR_0_BR=value('PA_SC_VPORT_SCISSOR_0_BR', BR_X=256, BR_Y=250)))
        self.assertIn('  draw 1.1: 2 primitives; 1 that cover the pixel are scissored there, the first is 0; '
                      'no fragment: the pixel lies outside the scissor', lines)
        self.assertIn('written by primitive 0 of draw 1.0', verdict)
        self.assertTrue(verdict.endswith('; after that 1 outside the scissor'), verdict)

    def test_cull(self):
        lines, verdict = self.why(before=registers(
            PA_SU_SC_MODE_CNTL=value('PA_SU_SC_MODE_CNTL', CULL_FRONT=1, CULL_BACK=1)))
        self.assertTrue(any('1 that cover the pixel are culled for their facing' in line for line in lines), lines)
        self.assertTrue(verdict.endswith('; after that 1 culled for their facing'), verdict)

    def test_discarded(self):
        words = assemble(AS, 'ALU:\n 0 x: KILLE ____, 0.0f, 0.0f\nEXP_DONE: PIX0, R0\nEND_OF_PROGRAM\n')
        lines, verdict = self.why(before=registers(SQ_PGM_START_PS=SPARE >> 8), memory=[(SPARE, words)], both=True)
        self.assertTrue(any(line.endswith(': discarded by the pixel program') for line in lines), lines)
        self.assertTrue(any('x: KILLE' in line for line in lines), lines)
        self.assertTrue(verdict.endswith('; after that 1 discarded by the pixel program'), verdict)

    def test_sanitizer(self):
        """The sanitizer looks on where no trace is made: R3 was never written."""
        words = assemble(AS, 'ALU:\n 0 x: MOV R0.x, R3.x\nEXP_DONE: PIX0, R0\nEND_OF_PROGRAM\n')
        data = planted(CAPTURE, before=registers(SQ_PGM_START_PS=SPARE >> 8), memory=[(SPARE, words)])
        done = subprocess.run([DEBUG, '--list', self.path('a.cap', data)], capture_output=True, text=True, timeout=100,
                              env={**os.environ, 'ATOLL_SANITIZE_SHADERS': 'registers'})
        self.assertEqual(done.returncode, 0)
        self.assertIn('atoll: sanitizer: registers: pixel program', done.stderr)

    def test_alpha(self):
        lines, verdict = self.why(before=registers(
            SX_ALPHA_TEST_CONTROL=value('SX_ALPHA_TEST_CONTROL', ALPHA_FUNC=NEVER, ALPHA_TEST_ENABLE=1)))
        self.assertTrue(any(line.endswith(': rejected by the alpha test') for line in lines), lines)
        self.assertTrue(verdict.endswith('; after that 1 rejected by the alpha test'), verdict)

    def test_depth(self):
        # Of bytes 7f a depth is large, and nothing is greater.
        for late in 0, 1:
            words, memory = depth_surface((0x7f, 0), Z_ENABLE=1, Z_WRITE_ENABLE=1, ZFUNC=GREATER)
            if late: # what the program drops, tests must know
                words += registers(SX_ALPHA_TEST_CONTROL=value('SX_ALPHA_TEST_CONTROL', ALPHA_FUNC=GREATER,
                                                               ALPHA_TEST_ENABLE=1), SX_ALPHA_REF=0)
            lines, verdict = self.why(before=words, memory=memory, both=True)
            self.assertTrue(any(line.endswith(': rejected by the depth test') for line in lines), lines)
            self.assertTrue(any(re.fullmatch(r'      depth 0\.\d+ against 3\.\d+e\+38', line) for line in lines), lines)
            self.assertEqual(any('exported (0.99' in line for line in lines), bool(late))
            self.assertTrue(verdict.endswith('; after that 1 rejected by the depth test'), verdict)

    def test_depth_written(self):
        words, memory = depth_surface((0, 0), Z_ENABLE=1, Z_WRITE_ENABLE=1, ZFUNC=GREATER)
        lines, verdict = self.why(before=words, memory=memory)
        self.assertTrue(any(re.fullmatch(r'      depth (0\.\d+) against 0, then \1', line) for line in lines), lines)
        self.assertIn('written by primitive 0 of draw 1.1', verdict)
        # The depth's own history.
        lines, verdict = self.why(before=words, memory=memory, surface=1)
        self.assertEqual(lines[0], 'pixel 100,100 of depth at 0x1a0000000, 256x256, 4 bytes a pixel')
        self.assertRegex(verdict, r'^verdict: written by primitive 0 of draw 1\.1.*; it is 0x3f\w{6} \(0\.\d+\)$')

    def test_stencil(self):
        words, memory = depth_surface((0, 4), Z_ENABLE=1, ZFUNC=ALWAYS, STENCIL_ENABLE=1, STENCILFUNC=EQUAL)
        lines, verdict = self.why(before=words, memory=memory)
        self.assertTrue(any(line.endswith(': rejected by the stencil test') for line in lines), lines)
        self.assertIn('      stencil 0x04', lines)
        self.assertTrue(verdict.endswith('; after that 1 rejected by the stencil test'), verdict)

    def test_blending(self):
        lines, verdict = self.why(before=registers(CB_BLEND0_CONTROL=value(
            'CB_BLEND0_CONTROL', COLOR_DESTBLEND=1, BLEND_CONTROL_ENABLE=1)))
        self.assertIn('  draw 1.1: 2 primitives, blends', lines)
        self.assertTrue(verdict.endswith('; blending made it 0xff808080 (r 0.502, g 0.502, b 0.502, a 1), as it was '
                                         'before'), verdict)

    def test_mask(self):
        lines, verdict = self.why(before=registers(CB_TARGET_MASK=2))
        self.assertIn('  draw 1.1: 2 primitives, writes g alone', lines)
        self.assertTrue(verdict.endswith('it is 0xff80ff80 (r 0.502, g 1, b 0.502, a 1); not all components are '
                                         'written'), verdict)
        lines, verdict = self.why(before=registers(CB_TARGET_MASK=0))
        self.assertIn('  draw 1.1: 2 primitives, no colour is written', lines)
        self.assertTrue(verdict.endswith('1 passed all tests; its draw does not write the surface'), verdict)

    def test_clip_rectangles(self):
        lines, verdict = self.why(before=registers(PA_SC_CLIPRECT_RULE=0))
        self.assertTrue(verdict.endswith('; after that 1 outside the clip rectangles'), verdict)

    def test_not_covered(self):
        kill = registers(PA_CL_CLIP_CNTL=value('PA_CL_CLIP_CNTL', DX_RASTERIZATION_KILL=1))
        lines, verdict = self.why(before=kill)
        self.assertIn('  draw 1.1: 2 primitives; no fragment: rasterisation is off', lines)
        lines, verdict = self.why(before=registers(PA_CL_VPORT_XOFFSET_0=0x46000000))
        self.assertIn('  draw 1.1: 2 primitives; no fragment: no primitive covers the pixel', lines)
        lines, verdict = self.why(pixel=(255, 249), surface=0)
        self.assertEqual(verdict, 'verdict: nothing was drawn there: of 2 draws the pixel lies outside the scissor')

    def test_memory(self):
        address = 0x100050000 + (100 * 256 + 100) * 4
        write = packet(MEM_WRITE, address & 0xffffffff, 0x40000 | address >> 32, 0x01020304, 0)
        lines, verdict = self.why(after=write)
        self.assertRegex(verdict, r'^verdict: MEM_WRITE at dword \d+ of submission 1, after 2 draws and dispatches, '
                                  r'wrote it: it is 0x01020304 ')
        lines, verdict = self.why(before=write)
        self.assertIn('written by primitive 0 of draw 1.1', verdict)
        self.assertTrue(any('MEM_WRITE at dword' in line and 'after 1 draws' in line for line in lines), lines)
        page = address & ~(PAGE_BYTES - 1)
        lines, verdict = self.why(between=[(page, b'\x11' * PAGE_BYTES)])
        self.assertRegex(verdict, r'^verdict: the program wrote it before submission 2: it is 0x11111111 ')

    def test_list(self):
        code, out, err = self.debug(planted(CAPTURE), '--list')
        self.assertEqual((code, err), (0, ''))
        self.assertIn('surface 0: colour at 0x100050000, 256x250, 4 bytes a pixel; client 1, 2 draws, 1.0 to 1.1\n', out)
        self.assertIn('draw 1.1: 2 primitives; surfaces 0\n', out)

    def test_same_memory(self):
        """Whatever is followed, memory after each submission is as captured."""
        folder = os.path.dirname(CAPTURE)
        captures = [name for name in os.listdir(folder) if name.endswith('.cs')]
        self.assertGreater(len(captures), 4)
        for name in captures:
            done = subprocess.run([DEBUG, '--why=5,0', '--target=0', os.path.join(folder, name)], capture_output=True,
                                  text=True, timeout=100)
            self.assertEqual((done.returncode, done.stderr), (0, ''))
            self.assertIn('\nverdict: ', done.stdout)
            self.assertNotIn('left other memory', done.stdout, name)

    def test_refused(self):
        data = planted(CAPTURE)
        for arguments, message in ((['--why=256,0', '--target=0'], 'no such pixel'), (['--why=0,0,1'], 'no such pixel'),
                                   (['--why=0,0', '--layer=1'], 'no such pixel'),
                                   (['--why=0,0', '--target=99'], 'no surface 99'),
                                   (['--why=0,0', '--draw=1.77'], 'no draw 1.77'),
                                   (['--why=0,0', '--draw=1.1', '--target=3'], 'no such target')):
            code, out, err = self.debug(data, *arguments)
            self.assertEqual((code, out), (1, ''), arguments)
            self.assertIn(message, err)
        for arguments in (['--why=1'], ['--why=1,2,3,4'], ['--why=a,b'], ['--why=-1,0'], ['--why=4294967296,0'],
                          ['--why=0,0', '--draw=1'], ['--why=0,0', '--expect=1,2,3'],
                          ['--why=0,0', '--expect=1,2,3,nan'], ['--why=0,0', '--expect=1,2,3,4,5'], ['--why=0,0', '--list'], ['--why=0,0', '--target=x']):
            self.assertEqual(self.debug(data, *arguments)[0], 2, arguments)
        for size in 7, 8, 5000, len(data) - 1:
            code, _, err = self.debug(data[:size], '--list')
            self.assertIn(code, (0, 1))
            self.assertEqual(code == 1, 'error: ' in err)


unittest.main()
