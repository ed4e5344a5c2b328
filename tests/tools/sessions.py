#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""sessions.py DEBUG REPLAY FOLDER: what the sessions of docs/sessions.rst print is what the debugger prints.

SESSIONS has each: what was captured (a program of gl-planted, on a driver), which draw has the picture, and what is
asked.  Captures lie beside this file, in sessions/; texts and pictures in FOLDER.  ci/sessions writes all of them anew.
"""
import collections
import os
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

CAPTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'sessions')

# `why`: the pixel and what it should be; commands are the debugger's.
Session = collections.namedtuple('Session', 'program variant driver picture why commands')
SESSIONS = {
    'vertex': Session('uniform-component-vertex', 'faulty', [], '1.2', ('32,32', '0.89,0.31,0.50,0.70'), (
        'break at 12 vertex 1.2', 'continue', 'list 9', 'print R2.x', 'print KC0[2].w', 'step', 'print R0.w')),
    'control': Session('sign-subtracted-control', 'faulty', [], '1.2', ('32,32', '0.65,0.74,0.60,1.00'), (
        'break at 98 control 1.2', 'continue', 'list 7', 'print R1.w', 'step', 'print R6.z', 'reverse-step', 'print R6.z')),
    'evaluation': Session('constant-factor-evaluation', 'faulty', [], '1.2', ('32,32', '0.78,0.75,0.72,1.00'), (
        'break at 366 evaluation 1.2', 'continue', 'list 7', 'print R1.z', 'print R7.y', 'step', 'print R1.z')),
    'geometry': Session('operation-minimum-geometry', 'faulty', [], '1.2', ('32,32', '0.41,0.53,0.30,0.47'), (
        'break at 98 geometry 1.2', 'continue', 'list 7', 'print R6.w', 'step', 'print R5.x')),
    'pixel': Session('operation-comparison-pixel', 'faulty', [], '1.2', ('32,32', '0.56,0.21,0.33,0.64'), (
        'break pixel 32,32 1.2', 'continue', 'backtrace', 'step 5', 'list 8', 'print R1.x', 'print KC0[0].x', 'step',
        'print R0.x', 'reverse-step', 'print R0.x')),
    'state': Session('BLEND_DEST', 'faulty', [], '1.2', ('32,32', '0.28,0.64,0.47,0.84'), (
        'break pixel 32,32 1.2', 'continue', 'backtrace')),
    'stock-r600': Session('operation-comparison-pixel', 'faulty', ['--driver', 'r600'], '2.4',
                          ('32,32', '0.56,0.21,0.33,0.64'), (
        'break pixel 32,32 2.4', 'continue', 'list 26', 'backtrace', 'step 5', 'print KC0[0].x', 'step 2', 'print R0',
        'reverse-step', 'print R0')),
    'valhall': Session('operation-comparison-pixel', 'faulty', ['--isa', 'valhall'], '1.2',
                       ('32,32', '0.56,0.21,0.33,0.64'), (
        'break pixel 32,32 1.2', 'continue', 'list 9', 'backtrace', 'break change r7 pixel 1.2', 'continue', 'continue',
        'print r7', 'print r3', 'reverse-step', 'print r7')),
    'barriers': Session('barrier-reversed', 'healthy', [], '1.3', None, (
        'break at 24 compute 1.0', 'continue', 'list 7', 'lds 0 4', 'lds 256 4', 'delete', 'break at 26 compute 1.0',
        'continue', 'lds 256 4', 'reverse-step', 'lds 256 4', 'reverse-step', 'lds 0 4')),
}


def capture(name):
    return os.path.join(CAPTURES, f'{name}.cap')


def run(*command):
    """Standard output of a command that has to end well.  Captures are in the folder where it runs."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, cwd=CAPTURES)
    if (done.returncode, done.stderr) != (0, ''):
        raise AssertionError(f'{" ".join(command)}: {done.returncode}: {done.stderr}{done.stdout[-1000:]}')
    return done.stdout


def surface(debug, name, draw):
    """The number of the surface that the draw has first."""
    lines = run(debug, '--list', f'{name}.cap').splitlines()
    return next(line for line in lines if line.startswith(f'draw {draw}:')).split('surfaces ')[1].split(',')[0]


def talk(debug, name, commands):
    """The debugger's answers to commands, each below its command."""
    said, text = '', []
    for count in range(1, len(commands) + 1):
        with tempfile.NamedTemporaryFile('w', suffix='.commands') as file:
            file.write('\n'.join(commands[:count]) + '\n')
            file.flush()
            output = run(debug, '--batch', f'--commands={file.name}', f'{name}.cap')
        if not output.startswith(said):
            raise AssertionError(f'{name}: {commands[:count]} begins otherwise than without the last command')
        text.append(f'> {commands[count - 1]}\n{output[len(said):]}')
        said = output
    return ''.join(text)


def text(debug, name):
    """A whole session."""
    session, out = SESSIONS[name], ''
    if session.why:
        pixel, expected = session.why
        target = surface(debug, name, session.picture)
        out += f'$ atoll-debug --why={pixel} --expect={expected} --target={target} {name}.cap\n'
        out += run(debug, f'--why={pixel}', f'--expect={expected}', f'--target={target}', f'{name}.cap')
    return out + f'$ atoll-debug {name}.cap\n' + talk(debug, name, session.commands)


def picture(data):
    """Header and rows of a PNG."""
    at, head, rows = 8, b'', b''
    while at < len(data):
        size, kind = struct.unpack_from('>I4s', data, at)
        payload = data[at + 8:at + 8 + size]
        head, rows = (payload, rows) if kind == b'IHDR' else (head, rows + payload) if kind == b'IDAT' else (head, rows)
        at += size + 12
    return head, zlib.decompress(rows)


class Sessions(unittest.TestCase):
    def test_all(self):
        """Each stage, state, barriers, stock r600's code and Valhall's; and the page has all."""
        self.assertLessEqual({'vertex', 'control', 'evaluation', 'geometry', 'pixel', 'state', 'barriers', 'stock-r600',
                              'valhall'}, set(SESSIONS))
        with open(os.path.join(FOLDER, '..', 'sessions.rst'), encoding='utf-8') as file:
            page = file.read()
        for name in SESSIONS:
            self.assertIn(f'sessions/{name}.txt', page)
            self.assertIn(f'sessions/{name}.png', page)
        self.assertEqual({file for file in os.listdir(FOLDER)},
                         {f'{name}.{kind}' for name in SESSIONS for kind in ('txt', 'png')})


def add(name):
    def same(self):
        with open(os.path.join(FOLDER, f'{name}.txt'), encoding='utf-8') as file:
            self.assertEqual(text(DEBUG, name), file.read(), './ci/sessions --texts writes it anew')
        with tempfile.TemporaryDirectory() as folder, open(os.path.join(FOLDER, f'{name}.png'), 'rb') as file:
            path = os.path.join(folder, 'a.png')
            run(REPLAY, f'--png={SESSIONS[name].picture}:{path}', f'{name}.cap')
            with open(path, 'rb') as drawn:
                self.assertEqual(picture(drawn.read()), picture(file.read()))

    setattr(Sessions, f'test_{name.replace("-", "_")}', same)


if __name__ == '__main__':
    DEBUG, REPLAY, FOLDER = (os.path.abspath(path) for path in sys.argv[1:])
    del sys.argv[1:]
    for one in SESSIONS:
        add(one)
    unittest.main()
