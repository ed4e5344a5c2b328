#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""notes.py REPLAY DEBUG AS REGISTERS CAPTURE: notes of programs and markers (include/atoll/notes.h), as tools show them.

A pixel program with notes is planted in CAPTURE, and a marker before its draw.
"""
import os
import struct
import subprocess
import sys
import tempfile
import unittest

from planted import (IL_TEXT, NOTE_GLSL, NOTE_IL, NOTE_MAP, NOTE_NAME, SPARE, noted_program, notes, packet, planted,
                     read_registers, registers)

REPLAY, DEBUG, AS, REGISTERS, CAPTURE = sys.argv[1:]
del sys.argv[1:]
read_registers(REGISTERS)
NOP, DISPATCH_DIRECT, MARKER = 0x10, 0x15, 0x4b52414d


class Notes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.code, self.notes = noted_program(AS)

    def run_tool(self, after, *command, first=()):
        """What a tool says of the capture whose program has these bytes after it; `first`: packets before the marker."""
        marker = b'to the wall\x1b'
        words = struct.unpack(f'<{len(marker) // 4}I', marker)
        data = planted(CAPTURE, before=[*first, *packet(NOP, MARKER, *words)] + registers(SQ_PGM_START_PS=SPARE >> 8),
                       memory=[(SPARE, self.code + after)])
        path = os.path.join(self.folder.name, 'a.cap')
        with open(path, 'wb') as file:
            file.write(data)
        done = subprocess.run([*command, path], capture_output=True, text=True, timeout=100)
        return done.returncode, done.stdout.splitlines(), done.stderr

    def debug(self, after, *commands):
        script = os.path.join(self.folder.name, 'commands')
        with open(script, 'w', encoding='ascii') as file:
            file.write('\n'.join(commands) + '\n')
        return self.run_tool(after, DEBUG, '--batch', '-x', script)

    def test_replay(self):
        code, out, err = self.run_tool(self.notes, REPLAY, '--notes')
        self.assertEqual((code, err), (0, ''))
        self.assertEqual(out.count(f'program 0x{SPARE:x}'), 1)
        at = out.index(f'program 0x{SPARE:x}')
        self.assertEqual(out[at + 1:at + 9], ['--- name', 'pixel, the green one', '--- glsl', 'void main()', '{', '}', '--- nir',
                                              'impl main'])
        self.assertEqual(out[at + 9:at + 16], ['--- il', *IL_TEXT.splitlines()])
        self.assertEqual([line.split(', ')[1] for line in out if line.startswith('marker at ')],
                         ['before draw 1: to the wall?'])

    def test_dispatch(self):
        """A dispatch has a number among the draws, though it is of no work group."""
        first = packet(DISPATCH_DIRECT, 0, 0, 0, 1)
        code, out, err = self.run_tool(self.notes, REPLAY, '--notes', first=first)
        self.assertEqual((code, err), (0, ''))
        self.assertEqual([line.split(', ')[1] for line in out if line.startswith('marker at ')],
                         ['before draw 2: to the wall?'])

    def test_lines(self):
        code, out, err = self.debug(self.notes, 'break marker  the wall ', 'continue', 'break il 4 pixel', 'continue',
                                    'backtrace', 'source', 'source glsl', 'list 3', 'print R0.x', 'delete', 'break il 2 pixel',
                                    'run')
        self.assertEqual((code, err), (0, ''))
        self.assertIn('marker "to the wall?"', out)
        at = out.index('=> il 4: mul r0.z, r0.x, l1')
        self.assertIn('z: MUL_IEEE', '\n'.join(out[at - 2:at + 30]))
        self.assertIn('#4 after the marker "to the wall?"', out)
        self.assertIn('void main()', out)
        self.assertIn('dcl_output_generic o0', out)
        # The group before it has run.
        self.assertIn('R0.x = 0x3f000000  0.5  1056964608', out)
        # A line of no instruction is the next that has one.
        self.assertEqual([line for line in out if line.startswith('=> il')][-1], '=> il 3: mov r0, l0')

    def test_clean(self):
        """Texts have no control characters, and NIR and IL have ASCII alone."""
        given = b'\x1b\x7f\xc2\x9b\xff \xc3\xa9\xe2\x82\xac \xe0\x82\x9b\xc3\r\tz'
        code, out, err = self.run_tool(notes((NOTE_NAME, given), (NOTE_GLSL, b''), (NOTE_IL, b'a\xc3\xa9\x7f')), REPLAY, '--notes')
        self.assertEqual((code, err), (0, ''))
        at = out.index('--- name')
        self.assertEqual(out[at + 1], '????? \u00e9\u20ac ???? \tz')
        self.assertEqual(out[out.index('--- il') + 1], 'a???')

    def test_none(self):
        for after in (b'', notes(magic=b'ATOLNOTF'), notes(va=SPARE + 256), notes((NOTE_IL, b'x'))[:-8] + bytes(8),
                      notes((NOTE_IL, b'x'), extra=1 << 30), notes((NOTE_IL, b'x'), extra=-20), notes()):
            code, out, err = self.debug(after, 'break stage pixel 1.1', 'continue', 'source glsl')
            self.assertEqual((code, err), (1, ''), after)
            self.assertIn('the program has no such notes', out[-1])
            self.assertFalse([line for line in out if line.startswith('=> il')])
        for command in 'break il', 'break il 0', 'break il x', 'break il 3 nothing', 'break marker ' + 'a' * 64, 'source':
            self.assertEqual(self.debug(b'', command)[0], 1, command)
        # Lines and texts that are not there.
        code, out, _ = self.debug(notes((NOTE_IL, b'one'), (NOTE_MAP, struct.pack('<2I', 77, 1 << 31))), 'break il 70 pixel', 'continue')
        self.assertEqual(code, 0)
        self.assertTrue(any(line.startswith('stop ') for line in out), out)
        self.assertFalse([line for line in out if line.startswith('=> il')])

    def test_vain(self):
        """After 128 MiB of what has the head of notes and is none, none are looked for."""
        vain = struct.pack('<8sQII', b'ATOLNOTE', SPARE, (8 << 20) - 256, 1 << 20).ljust(256, b'\0')
        for count, found in (3, 1), (17, 0):
            out = self.run_tool(vain * count + self.notes, REPLAY, '--notes')[1]
            self.assertEqual(out.count('--- glsl'), found)
            out = self.debug(vain * count + self.notes, 'break stage pixel 1.1', 'continue', 'source glsl')[1]
            self.assertEqual(out.count('void main()'), found)


unittest.main()
