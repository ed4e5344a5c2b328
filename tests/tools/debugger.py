#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""debugger.py DEBUG CAPTURES VALHALL ATTILA: atoll-debug's commands, on captures of stock r600 and of programs that
draw with Valhall's and ATTILA's code."""
import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
import tempfile
import unittest

DEBUG, CAPTURES, VALHALL, ATTILA = sys.argv[1:]
del sys.argv[1:]
STAGES = os.path.join(CAPTURES, 'tessellation-geometry.cs')


def debug(capture, *commands, code=0):
    """What it prints when it is given the commands on standard input, as lines."""
    done = subprocess.run([DEBUG, capture], input='\n'.join(commands) + '\n', capture_output=True, text=True, timeout=200)
    if (done.returncode, done.stderr) != (code, ''):
        raise AssertionError(f'{done.returncode}: {done.stderr}{done.stdout[-2000:]}')
    return done.stdout.splitlines()


def stop_lines(lines):
    return [line for line in lines if line.startswith('stop ')]


class Debugger(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def captured(self, program, name):
        subprocess.run([program], env={**os.environ, 'ATOLL_CS_CAPTURE': self.path(name)}, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=100)
        return self.path(name)

    def test_stages(self):
        """Each stage of stock r600's code stops; its code is listed, and its first instruction marked."""
        for stage in 'vertex', 'local', 'control', 'evaluation', 'geometry', 'copy', 'pixel':
            lines = debug(STAGES, f'break stage {stage}', 'continue', 'list 5', 'backtrace', 'info masks')
            self.assertEqual(lines[0], f'breakpoint 1: stage {stage}')
            self.assertRegex(lines[1], rf'^stop \d+: draw 1\.\d+, {stage}, part \d+, wave \d+: dword 0, lanes [0-9a-f]+$')
            self.assertRegex(lines[2], r'^=> 00 \w+')
            self.assertEqual(sum(line.startswith('=> ') for line in lines), 2)
            self.assertTrue(any(re.fullmatch(rf'#0 dword 0 of the {stage} program at 0x\w+ \(cayman, \d+ words\), lanes \w+',
                                             line) for line in lines), lines)
            self.assertRegex(lines[-1], r'^break = 0{16}$')

    def test_five_slots(self):
        """The same of a Turks, in the text of five-slot chips."""
        capture = os.path.join(CAPTURES, 'five-slots-tessellation.cs')
        for stage in 'local', 'control', 'evaluation', 'pixel':
            lines = debug(capture, f'break stage {stage}', 'continue', 'list 40', 'backtrace')
            self.assertTrue(any(' t: ' in line or 'END_OF_PROGRAM' in line for line in lines), lines)
            self.assertTrue(any(re.fullmatch(rf'#0 dword 0 of the {stage} program at 0x\w+ \(evergreen, \d+ words\), lanes \w+',
                                             line) for line in lines), lines)

    def check_steps(self, capture, stage, name):
        """Each stop comes again: stepped to, stepped back to, and gone to by number, with the same value in it."""
        begin = [f'break stage {stage}', 'continue', 'delete']
        forward = debug(capture, *begin, *[f'print {name}', 'step'] * 12, f'print {name}')
        stops = stop_lines(forward)
        self.assertEqual(len(stops), 13)
        back = debug(capture, *begin, 'step 12', *['reverse-step'] * 4, f'print {name}')
        last = stop_lines(back)[-1]
        wave = stops[0].split(':')[1]
        of_wave = [line for line in stops if line.split(':')[1] == wave]
        if len(of_wave) == len(stops):
            self.assertEqual(last, stops[8])
        number = re.match(r'stop (\d+)', stops[5])[1]
        there = debug(capture, f'goto {number}', f'print {name}')
        self.assertEqual(there[0], stops[5])
        at = forward.index(stops[5])
        values = [line for line in forward[at:] if line.startswith(name)]
        self.assertEqual([line for line in there if line.startswith(name)], values[:len(there) - 2])

    def test_steps(self):
        self.check_steps(STAGES, 'control', 'R1')
        self.check_steps(STAGES, 'pixel', 'R0')

    def test_valhall(self):
        capture = self.captured(VALHALL, 'valhall.cap')
        lines = debug(capture, 'break stage geometry', 'continue', 'list', 'step', 'print r0 all', 'info constants')
        self.assertRegex(lines[1], r'^stop \d+: draw \d+\.\d+, geometry, .*: instruction 0, lanes \w+$')
        self.assertRegex(lines[2], r'^=>    0  [A-Z]')
        self.assertIn('r0 = (- where a lane does not run the instruction)', lines)
        self.check_steps(capture, 'vertex', 'r1')

    def test_attila(self):
        capture = self.captured(ATTILA, 'attila.cap')
        lines = debug(capture, 'break stage pixel', 'continue', 'list', 'info registers')
        self.assertRegex(lines[1], r'^stop \d+: draw \d+\.\d+, pixel, .*: instruction 0, lanes \w+$')
        self.assertRegex(lines[2], r'^=>    0  [a-z]')
        self.check_steps(capture, 'vertex', 'i0')

    def test_pixel(self):
        lines = debug(STAGES, 'break pixel 100,100 1.1', 'c', 'bt', 'lane 0', 'bt', 'rc', 'step wave', 'step draw')
        found = [line for line in lines if line.startswith('#1 ')]
        self.assertEqual(found[0], '#1 lane 28: pixel 100,100, layer 0, of primitive 0, front')
        self.assertIn('#2 wave 34 of tile 1,1', lines)
        self.assertIn('#3 draw 1 of submission 1, client 1', lines)
        self.assertRegex(found[1], r'^#1 lane 0: pixel \d+,\d+, ')
        self.assertIn('nothing came before', lines)
        wave, draw = stop_lines(lines)[-2:]
        self.assertIn('draw 1.1, pixel, part 65537, wave 35: ', wave)
        self.assertIn('draw 1.0, pixel, part 65538, ', draw) # of the next tile

    def test_conditions(self):
        """The lane that stops it is the first for which the condition holds; back there it stops in it, too."""
        def value(line):
            return float(line.split()[3])

        for condition, holds in (('R0.x > 0.5', lambda v: v > 0.5), ('R0.x < 0.25', lambda v: v < 0.25)):
            lines = debug(STAGES, f'break at 42 pixel 1.1 if {condition}', 'c', 'print R0.x', 'c', 'print R0.x', 'rc', 'print R0.x',
                          'bt')
            stops, values = stop_lines(lines), [value(line) for line in lines if line.startswith('R0.x = ')]
            self.assertEqual(len(stops), 3, lines)
            self.assertTrue(all(holds(v) for v in values), values)
            self.assertEqual((stops[2], values[2]), (stops[0], values[0]))
        # Without one, it stops where the condition does not hold.
        lines = debug(STAGES, 'break at 42 pixel 1.1', *['c', 'print R0.x all'] * 3)
        self.assertEqual(len(stop_lines(lines)), 3)
        self.assertEqual(stop_lines(debug(STAGES, 'break at 42 pixel 1.1 if R0.x is nan', 'break stage control if R0.x == 77777',
                                          'c')), [])

    def test_changes(self):
        """It stops after an instruction that changed a register: before it the register was another."""
        lines = debug(STAGES, 'break change R0.x pixel 1.1', 'c', 'print R0.x', 'reverse-step', 'print R0.x', 'step', 'print R0.x',
                      'rc')
        stops, values = stop_lines(lines), [line for line in lines if line.startswith('R0.x = ')]
        self.assertEqual(stops[0], stops[2])
        self.assertEqual(values[0], values[2])
        self.assertNotEqual(values[0], values[1])
        self.assertIn('nothing came before', lines)
        lines = debug(STAGES, 'break change R0.x pixel 1.1 if R0.x > 0.5', 'c', 'print R0.x')
        self.assertGreater(float(lines[-1].split()[3]), 0.5)
        self.assertEqual(stop_lines(debug(STAGES, 'break change R99.x', 'c')), [])

    def test_packets(self):
        lines = debug(STAGES, 'break packet SURFACE_SYNC', 'continue', 'break at 0 pixel 1.1', 'break', 'continue',
                      'delete 1', 'continue', 'print R0', 'reverse-continue')
        self.assertRegex(lines[1], r'^breakpoint 2|^stop \d+: SURFACE_SYNC at dword \d+ of submission 1$')
        self.assertIn('2: at 0 pixel 1.1', lines)
        stops = stop_lines(lines)
        self.assertRegex(stops[0], 'SURFACE_SYNC')
        self.assertIn('draw 1.1, pixel, ', stops[-1])

    def test_accesses(self):
        """A geometry shader's vertices go to its ring, and from there to streams."""
        streams = os.path.join(CAPTURES, 'geometry-streams.cs')
        lines = debug(streams, 'break write RING 0 65536', 'continue', 'list', 'delete', 'break write STREAM 0 65536',
                      'continue', 'backtrace')
        told = [line for line in lines if ' wrote ' in line]
        self.assertEqual(len(told), 2)
        self.assertRegex(told[0], r'^breakpoint 1: lane \d+ at \d+ wrote \d+ bytes of RING at 0x')
        self.assertRegex(told[1], r'^breakpoint 1: lane \d+ at \d+ wrote \d+ bytes of STREAM at 0x')

    def test_whole(self):
        """An observed capture leaves the memory that was captured."""
        for name in sorted(os.listdir(CAPTURES)):
            lines = debug(os.path.join(CAPTURES, name), 'break write SCRATCH 0', 'continue')
            self.assertRegex(lines[-1], r'^the capture ends after \d+ packets and instructions$', name)

    def test_interrupt(self):
        """A signal stops it where it is."""
        with subprocess.Popen([DEBUG, STAGES], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            process.stdin.write('break at 1000000\n')
            process.stdin.flush()
            self.assertEqual(process.stdout.readline(), 'breakpoint 1: at 1000000\n')
            process.send_signal(signal.SIGINT)
            process.stdin.write('continue\nquit\n')
            process.stdin.close()
            lines = process.stdout.read().splitlines()
        self.assertEqual(process.returncode, 0)
        self.assertEqual(lines[0], 'interrupted')
        self.assertRegex(lines[1], r'^stop \d+: draw 1\.0, ')

    def test_memory(self):
        lines = debug(STAGES, 'x 0x100050000', 'break draw 1.1', 'c', 'x 0x100050000 5', 'lds 0', 'x 0 1')
        self.assertIn('no submission runs', lines)
        self.assertTrue(any(re.fullmatch(r'0x0100050000:( [0-9a-f]{8}){4}', line) for line in lines), lines)
        self.assertTrue(any(re.fullmatch(r'0x0100050010: [0-9a-f]{8}', line) for line in lines), lines)

    def test_terminal(self):
        """Words are completed, the word that several have in common and the list of them; lines come back."""
        with open(DEBUG, 'rb') as file:
            if b'libedit.so' not in file.read():
                self.skipTest('built without libedit')
        child, terminal = pty.fork()
        if not child:
            # libedit keeps copies of the names of functions that it is given.
            leaks = os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'
            os.execve(DEBUG, [DEBUG, STAGES], {**os.environ, 'TERM': 'xterm', 'ASAN_OPTIONS': leaks.lstrip(':')})
        told = ''

        def tell(typed, until):
            nonlocal told
            told = ''
            if typed: # nothing would be the end of the file
                os.write(terminal, typed)
            while not re.search(until, told):
                self.assertTrue(select.select([terminal], [], [], 60)[0], told)
                told += os.read(terminal, 4096).decode()
            return told

        tell(b'', r'\(atoll\) ')
        tell(b'br\tst\tpix\t\n', r'breakpoint 1: stage pixel\r\n')
        # Up, and the line again.
        tell(b'\x1b[A\n', r'breakpoint 2: stage pixel\r\n')
        # What two commands begin with; then both.
        tell(b'reve\t', 'rse-')
        tell(b'\t', r'reverse-step +reverse-continue')
        tell(b'\x15continue\n', r'stop \d+: draw 1\.0, pixel')
        tell(b'print R\t', r'0\.')
        tell(b'\x15quit\n', 'quit')
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        os.close(terminal)

    def test_refused(self):
        for command in ('nonsense', 'break', 'break draw 1', 'break stage geometri', 'break pixel 1', 'goto',
                        'break at x', 'break packet NONSENSE', 'break write NOWHERE 0', 'break write LDS', 'delete 3',
                        'step 0', 'step x', 'lane 64', 'print', 'print R0', 'list', 'backtrace', 'info', 'x', 'x 1',
                        'lds 0', 'reverse-step', 'reverse-continue', 'break wave 1.0 pixel 0', 'break change',
                        'break change R0.x pixels', 'break stage pixel if', 'break stage pixel if R0.x =! 1',
                        'break packet if R0.x > 1', 'break stage pixel if R0.x > x', 'break stage pixel if R0.x > 1 2',
                        'break stage pixel if R0.x is 1'):
            with open(self.path('commands'), 'w') as file:
                file.write(f'# one command\n\n{command}\n')
            done = subprocess.run([DEBUG, '--batch', '-x', self.path('commands'), STAGES], capture_output=True, text=True,
                                  timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0 if command == 'break' else 1, ''), command)
        self.assertEqual(subprocess.run([DEBUG, '-'], capture_output=True, timeout=60).returncode, 2)
        self.assertEqual(subprocess.run([DEBUG, '-x', '/nonexistent/file', STAGES], capture_output=True,
                                        timeout=60).returncode, 3)
        self.assertIn('quit', ' '.join(debug(STAGES, 'help')))

    def test_hostile(self):
        """Captures changed at random end with 0, or 1 and an error."""
        with open(STAGES, 'rb') as file:
            data = file.read()
        for seed in range(12):
            rng, changed = random.Random(seed), bytearray(data)
            for _ in range(40):
                changed[rng.randrange(8, len(data))] = rng.choice((0, 255, rng.randrange(256)))
            with open(self.path('a.cap'), 'wb') as file:
                file.write(changed)
            commands = ('break stage pixel', 'continue', 'list', 'info registers', 'info constants', 'backtrace', 'step 5',
                        'reverse-step', 'list 100', 'delete', 'break access SPACE 0 0x100000000', 'continue', 'continue')
            done = subprocess.run([DEBUG, '--memory=256', self.path('a.cap')], input='\n'.join(commands) + '\n',
                                  capture_output=True, text=True, timeout=100, errors='replace',
                                  env={**os.environ, 'ATOLL_BUDGET': '3000000c'})
            self.assertIn(done.returncode, (0, 1), (seed, done.stderr))


unittest.main()
