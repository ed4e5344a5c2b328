# SPDX-License-Identifier: MIT
"""cli.py TOOL...: the command-line tools: exit codes, errors at their position, formats, no partial output."""
import glob
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import textwrap
import unittest

TOOLS = {os.path.basename(path): path for path in sys.argv[1:]}
del sys.argv[1:]
HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, 'programs')
MANUAL = os.path.join(HERE, '..', '..', 'docs', 'man')

LISTING = '''\
00 ALU: ADDR(3) CNT(4) KCACHE0(CB0:0-15)
      0  x: MUL         R0.x,  KC0[0].x,  KC0[1].x
         y: MUL         R0.y,  KC0[0].y,  KC0[1].y
      1  z: MUL         R0.z,  KC0[0].z,  KC0[1].z
         w: MUL         R0.w,  KC0[0].w,  KC0[1].w
01 EXP_DONE: PIX0, R0
END_OF_PROGRAM
'''
PROGRAM = '''\
il_ps_2_0
dcl_cb cb0[2]
dcl_output_generic o0
mul o0, cb0[0], cb0[1]
end
'''


def run(tool, *args, data=None):
    if isinstance(data, str):
        data = data.encode()
    p = subprocess.run([TOOLS[tool], *args], input=data, capture_output=True)
    return p.returncode, p.stdout, p.stderr.decode()


class Tools(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory()
        self.addCleanup(self.dir.cleanup)

    def path(self, name):
        return os.path.join(self.dir.name, name)

    def test_help_and_usage(self):
        for tool in TOOLS:
            code, out, err = run(tool, '--help')
            self.assertEqual((code, err), (0, ''))
            self.assertIn(b'Usage: ' + tool.encode(), out)
            if tool not in ('atoll-debug', 'atoll-replay'): # which print as they go
                self.assertIn(b'--output=FILE', out)
            self.assertEqual(run(tool, '--version')[0], 0)
            self.assertEqual(run(tool)[0], 2)
            self.assertEqual(run(tool, '--nonsense')[0], 2)
            self.assertEqual(run(tool, '-Q', 'x')[0], 2)
            self.assertEqual(run(tool, '-o')[0], 2)
            self.assertEqual(run(tool, 'a', 'b')[0], 2)
            self.assertEqual(run(tool, '/nonexistent/file')[0], 3)
            self.assertEqual(run(tool, '/')[0], 3)

    def test_completion(self):
        for tool in TOOLS:
            code, out, _ = run(tool, '--completion=bash')
            self.assertEqual(code, 0)
            self.assertEqual(subprocess.run(['bash', '-n'], input=out).returncode, 0)

    def test_completion_in_a_shell(self):
        """What a tab makes of a line, in bash itself; the tools are functions that print their words."""
        for name in ('my file.txt', 'other.il'):
            with open(self.path(name), 'w'):
                pass
        script = self.path('completion')
        with open(script, 'wb') as f:
            for tool in TOOLS:
                f.write(run(tool, '--completion=bash')[1])
                f.write(f"{tool}() {{ printf '<%s>' \"$@\"; echo; }}\n".encode())
        lines = {
            'atoll-as --out\tx': '<--output=x>',
            'atoll-as --output=ot\t': '<--output=other.il>',
            'atoll-as -o ot\t': '<-o><other.il>',
            'atoll-as --format=e\t': '<--format=elf>',
            'atoll-as --format e\t': '<--format><elf>',
            'atoll-as -f e\t': '<-f><elf>',
            'atoll-as my\t': '<my file.txt>',
            'atoll-dis --val\t': '<--validate>',
            'atoll-dis --isa=va\t': '<--isa=valhall>',
            'atoll-il --std=2\t': '<--std=2.4>',
            'atoll-il -t bi\t': '<-t><binary>',
            'atoll-ilc --form\tl\t': '<--format=listing>',
            'atoll-replay --mut\t2 my\t': '<--mutate=2><my file.txt>',
            'atoll-run --dir\t ot\t': '<--direct><other.il>',
        }
        master, slave = pty.openpty()
        shell = subprocess.Popen(['bash', '--norc', '--noprofile', '-i'], stdin=slave, stdout=subprocess.PIPE,
                                 stderr=slave, cwd=self.dir.name, start_new_session=True,
                                 env=dict(os.environ, TERM='dumb', PS1='', HISTFILE='', INPUTRC='/dev/null'))
        os.close(slave)
        text = f'source {script}\n' + ''.join(line + '\n' for line in lines) + 'exit\n'
        os.write(master, text.encode())
        out = shell.communicate()[0].decode()
        os.close(master)
        self.assertEqual(re.findall('^<.*>$', out, re.M), list(lines.values()))

    def test_manual(self):
        """The manual pages have the options that --help has, with their values."""
        for tool in TOOLS:
            text = run(tool, '--help')[1].decode()
            with open(os.path.join(MANUAL, tool + '.rst')) as f:
                manual = f.read()
            options = re.findall(r'^  (?:-\w, |    )(--\S+)', text, re.M)
            self.assertEqual(re.findall(r'^``(?:-\w, )?(--\S+)``$', manual, re.M), options, tool)
            for option, words in re.findall(r'^  (?:-\w, |    )--([a-z]+)=.*\[([\w|.]+)\]$', text, re.M):
                entry = manual[manual.index(f'--{option}='):].split('\n\n')[0]
                for word in words.split('|'):
                    self.assertIn(f'``{word}``', entry, (tool, option))

    def test_there_and_back(self):
        code, raw, err = run('atoll-as', '-', data=LISTING)
        self.assertEqual((code, err), (0, ''))
        self.assertEqual(len(raw), 56)
        self.assertEqual(run('atoll-dis', '-', data=raw), (0, LISTING.encode(), ''))
        self.assertEqual(run('atoll-dis', '--validate', '--stage=ps', '-', data=raw)[0], 0)
        self.assertEqual(run('atoll-dis', '--validate', '--stage=vs', '-', data=raw)[0], 1)

    def test_compiler_and_container(self):
        elf, text = self.path('a.elf'), self.path('a.txt')
        with open(self.path('a.il'), 'w') as f:
            f.write(PROGRAM)
        code, _, err = run('atoll-ilc', '--stats', '-o', elf, self.path('a.il'))
        self.assertEqual(code, 0)
        self.assertIn('PS shader: 14 dw, 1 gprs, 2 alu_groups, 0 loops, 3 cf, 0 stack', err)
        # A clause with a line of constants and two groups: 8 + 8 + 2 * 4; one vector goes out after it.
        self.assertIn('estimate: 24 cycles a wave (ALU 24, fetch 0, export 4), bound by ALU; 24 waves a SIMD', err)
        self.assertIn('alone: 68 cycles with 1 switches between units, 0 waits for fetches, 1 lines of constants', err)
        self.assertEqual(run('atoll-dis', '-o', text, elf)[0], 0)
        with open(text) as f:
            listing = f.read()
        self.assertIn(LISTING, listing)
        self.assertEqual(run('atoll-ilc', self.path('a.il'))[1].decode(), listing)
        self.assertIn('SQ_PGM_RESOURCES:NUM_GPRS = 1\n', listing)
        again = self.path('b.elf')
        self.assertEqual(run('atoll-as', '-o', again, text)[0], 0)
        with open(elf, 'rb') as a, open(again, 'rb') as b:
            self.assertEqual(a.read(), b.read())
        # The registers that the options declare are what the validator takes.
        code, _, err = run('atoll-as', '-', data=listing.replace('R0.x, ', 'R1.x, ', 1))
        self.assertEqual(code, 1)
        self.assertIn('<stdin>:6:', err)
        self.assertIn('R1, which is not declared', err)

    def test_estimate_counts_what_a_wave_waits_for(self):
        """One texture read at coordinates that another one gives: two waits, and a switch to the export."""
        _, _, err = run('atoll-ilc', '--stats', '-', data='''\
il_ps_2_0
dcl_input_usage(generic)_interp(linear) v0.xy
dcl_output_generic o0
dcl_resource_id(0)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)
sample_resource(0)_sampler(0) r0, v0
sample_resource(0)_sampler(0) o0, r0
end
''')
        numbers = dict((word, int(n)) for n, word in re.findall(r'(\d+) (cycles with|switches|waits|lines)', err))
        alu, fetch, export = map(int, re.search(r'ALU (\d+), fetch (\d+), export (\d+)', err).groups())
        self.assertEqual((fetch, export), (2 * (8 + 16), 4))
        self.assertEqual((numbers['waits'], numbers['lines']), (2, 0))
        self.assertEqual(numbers['switches'], 1)
        self.assertEqual(numbers['cycles with'], alu + fetch + export + 40 + 2 * 200)

    def test_compiler_shows_places_and_passes(self):
        code, plain, err = run('atoll-ilc', '-', data=PROGRAM)
        self.assertEqual((code, err), (0, ''))
        code, out, err = run('atoll-ilc', '--places', '-', data=PROGRAM)
        self.assertEqual((code, err), (0, ''))
        lines = out.decode().split('END_OF_PROGRAM')[0].splitlines()
        code_lines = lines[lines.index('; ----- Disassembly -----') + 1:]
        for line in code_lines:
            self.assertRegex(line, r' ; @[23] (mul o0, cb0\[0\], cb0\[1\]|end)$')
        # They are comments, and change nothing.
        self.assertEqual(run('atoll-as', '-', data=out)[1], run('atoll-as', '-', data=plain)[1])

        code, out, err = run('atoll-ilc', '--dump-ir', '-', data=PROGRAM)
        self.assertEqual((code, out), (0, plain))
        passes = [line[8:].split(':')[0] for line in err.splitlines() if line.startswith('; after ')]
        self.assertEqual((passes[0], passes[-1]), ('import', 'drop_moves'))
        self.assertIn('   ; mul o0, cb0[0], cb0[1]\n', err)
        self.assertRegex(err, r'\n   %3 = MUL CB0\[0\].x, CB0\[1\].x +@2\n')

    def test_documented_dump(self):
        """What docs/debugging.rst shows of a dump is what atoll-ilc prints."""
        with open(os.path.join(HERE, '../../docs/debugging.rst'), encoding='utf-8') as f:
            blocks = [textwrap.dedent(block) for block in re.findall(r'(?:^    .*\n)+', f.read(), re.M)]
        program, *dumps = [block for block in blocks if block.startswith(('il_ps', '; after'))]
        code, _, err = run('atoll-ilc', '--dump-ir', '-', data=program)
        self.assertEqual((code, len(dumps)), (0, 3))
        for dump in dumps:
            self.assertIn(dump, err)

    def test_il_forms(self):
        code, binary, err = run('atoll-il', '--to=binary', '-', data=PROGRAM)
        self.assertEqual((code, err), (0, ''))
        code, text, err = run('atoll-il', '-', data=binary)
        self.assertEqual((code, err), (0, ''))
        self.assertEqual(run('atoll-il', '-', data=text)[1], text)
        self.assertEqual(run('atoll-ilc', '-', data=binary)[1],
                         run('atoll-ilc', '-', data=PROGRAM)[1])
        extended = PROGRAM.replace('dcl_cb', 'dcl_x_version 1\ndcl_cb')
        self.assertEqual(run('atoll-il', '--check', '-', data=extended)[0], 0)
        code, _, err = run('atoll-il', '--check', '--std=2.4', '-', data=extended)
        self.assertEqual(code, 1)
        self.assertIn('<stdin>:2:', err + ':')

    def test_il_lower(self):
        program = 'il_ps_2_0\nudiv r0.x, r1, r2\nclamp r0, r1, r2, r3\nend\n'
        code, out, err = run('atoll-il', '--lower=cayman', '-', data=program)
        self.assertEqual((code, err), (0, ''))
        self.assertNotIn(b'udiv', out)
        self.assertIn(b'min r0, ', out)
        dots = 'il_ps_2_0\ndp3_ieee r0.x, r1, r2\nend\n'
        self.assertIn(b'dp3', run('atoll-il', '--lower', 'cayman', '-', data=dots)[1])
        self.assertNotIn(b'dp3', run('atoll-il', '--lower', 'none', '-', data=dots)[1])
        calls = 'il_ps_2_0\nmov r0, r1\ncall 5\nendmain\nend\n'
        code, _, err = run('atoll-il', '--lower=none', '-', data=calls)
        self.assertEqual(code, 1)
        self.assertIn('<stdin>:3:', err)
        self.assertIn('label 5, which no func has', err)
        code, _, err = run('atoll-il', '--lower=valhall', '-', data=program)
        self.assertEqual(code, 2)

    def test_errors_have_a_place(self):
        code, out, err = run('atoll-as', '-', data=LISTING.replace('R0.y', 'R0.z', 1))
        self.assertEqual((code, out), (1, b''))
        head, line, caret = err.splitlines()
        self.assertTrue(head.startswith('<stdin>:3:'), head)
        column = int(head.split(':')[2])
        self.assertEqual(line.strip(), 'y: MUL         R0.z,  KC0[0].y,  KC0[1].y')
        self.assertEqual(caret.index('^'), 2 + column - 1)
        self.assertEqual(line[2:][column - 1], '.')
        code, _, err = run('atoll-ilc', '-', data=PROGRAM.replace('mul', 'mull'))
        self.assertEqual(code, 1)
        self.assertTrue(err.startswith('<stdin>:4:'), err)
        # Also inside a subroutine, which is expanded where it is called.
        code, _, err = run('atoll-ilc', '-', data='il_cs_2_0\ndcl_num_thread_per_group 64\nmov r0, vTidInGrpFlat\n'
                                                  'call 1\nendmain\nfunc 1\nuav_raw_load_id(2) r0, r0.x\nret\n'
                                                  'endfunc\nend\n')
        self.assertEqual(code, 1)
        self.assertTrue(err.startswith('<stdin>:7:'), err)
        # The line in the file, not the index among what the program is legalised to.
        refused = ('il_ps_2_0\ndcl_indexed_temp_array x0[4]\nclamp r0, r1, r2, r3\n'
                   'cmov x0[r0.x+1], r1, r2\nend\n')
        code, _, err = run('atoll-ilc', '-', data=refused)
        self.assertEqual(code, 1)
        self.assertTrue(err.startswith('<stdin>:4:'), err)
        code, _, err = run('atoll-ilc', '-', data=refused.replace('clamp r0, r1, r2, r3', 'call 7\nendmain'))
        self.assertEqual(code, 1)
        self.assertTrue(err.startswith('<stdin>:3:'), err)

    def test_no_partial_output(self):
        target = self.path('out.bin')
        self.assertEqual(run('atoll-as', '-o', target, '-', data='00 NOPE\n')[0], 1)
        self.assertEqual(os.listdir(self.dir.name), [])
        with open(target, 'w') as f:
            f.write('kept')
        self.assertEqual(run('atoll-as', '-o', target, '-', data='00 NOPE\n')[0], 1)
        with open(target) as f:
            self.assertEqual(f.read(), 'kept')
        self.assertEqual(run('atoll-as', '-o', self.path('no/such/dir'), '-', data=LISTING)[0], 3)

    def test_headers(self):
        """The public headers stand alone, in old and new C and C++."""
        include = os.path.join(HERE, '..', '..', 'include')
        for compiler, language, standards in (('cc', 'c', ('c99', 'c11')), ('c++', 'c++', ('c++98', 'c++17'))):
            for standard in standards if shutil.which(compiler) else ():
                for header in 'capture', 'device', 'isa':
                    done = subprocess.run([compiler, f'-std={standard}', '-Wall', '-Wextra', '-pedantic', '-Werror',
                                           '-fsyntax-only', '-I', include, '-x', language, '-'],
                                          input=f'#include <atoll/{header}.h>\n'.encode(), capture_output=True)
                    self.assertEqual((done.returncode, done.stderr), (0, b''), (header, standard))

    def test_text_around_the_code(self):
        """An ELF file keeps header options and comments before the code and after it."""
        text = (';SC Dep components\nShaderType = 1\n\n; ----- Disassembly -----\n' + LISTING +
                '\n; ----- PS Data -----\nSQ_PGM_RESOURCES:NUM_GPRS = 1\n')
        elf = self.path('a.elf')
        self.assertEqual(run('atoll-as', '-o', elf, '-', data=text)[0], 0)
        self.assertEqual(run('atoll-dis', elf), (0, text.encode(), ''))

    def test_declared_limits(self):
        """An ELF file is validated by what it declares."""
        elf = self.path('a.elf')
        for registers, code in ((1, 0), (0, 1)):
            text = f'ShaderType = 1\n{LISTING}SQ_PGM_RESOURCES:NUM_GPRS = {registers}\n'
            self.assertEqual(run('atoll-as', '--no-validate', '-o', elf, '-', data=text)[0], 0)
            result = run('atoll-dis', '--validate', elf)
            self.assertEqual(result[0], code)
            self.assertEqual(result[2].count('R0, which is not declared'), code)
        self.assertEqual(run('atoll-dis', '--validate', '--gprs=1', elf)[0], 0)

    def test_where_output_goes(self):
        program, target = self.path('a.il'), self.path('b.il')
        with open(program, 'w') as f:
            f.write(PROGRAM)
        code, _, err = run('atoll-ilc', '-o', '/dev/full', program)
        self.assertEqual((code, err), (3, 'atoll-ilc: /dev/full: No space left on device\n'))
        for tool in TOOLS:
            with open('/dev/full', 'wb') as full:
                done = subprocess.run([TOOLS[tool], '--help'], stdout=full, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 3)
        # Through a link, with the file's permissions, and over the input itself.
        os.symlink(program, target)
        os.chmod(program, 0o640)
        self.assertEqual(run('atoll-il', '-o', target, target)[0], 0)
        self.assertTrue(os.path.islink(target))
        self.assertEqual(os.stat(program).st_mode & 0o777, 0o640)
        with open(program) as f:
            self.assertIn('mul o0, cb0[0], cb0[1]', f.read())
        self.assertEqual(sorted(os.listdir(self.dir.name)), ['a.il', 'b.il'])
        self.assertEqual(run('atoll-il', '-o', self.dir.name, program)[0], 3)

    def test_other_files(self):
        """A file of another kind is said to be one."""
        elf = self.path('a.elf')
        self.assertEqual(run('atoll-as', '-o', elf, '-', data=LISTING)[0], 0)
        for tool, message in (('atoll-as', 'not a text'), ('atoll-il', 'an ELF file, not AMD IL'),
                              ('atoll-ilc', 'an ELF file, not AMD IL')):
            code, out, err = run(tool, elf)
            self.assertEqual((code, out), (1, b''))
            self.assertIn(message, err)
        code, _, err = run('atoll-dis', '-', data=PROGRAM + ' ' * (3 - len(PROGRAM) % 4))
        self.assertEqual((code, err.count('is it a text?')), (1, 1))

    def test_bad_containers(self):
        elf = self.path('a.elf')
        self.assertEqual(run('atoll-as', '-o', elf, '-', data=LISTING)[0], 0)
        with open(elf, 'rb') as f:
            data = f.read()
        for cut in range(4, len(data), 7):
            code, out, err = run('atoll-dis', '-', data=data[:cut])
            self.assertEqual((code, out), (1, b''), cut)
            self.assertEqual(len(err.splitlines()), 1)
        self.assertEqual(run('atoll-dis', '-', data=b'')[0], 1)
        self.assertEqual(run('atoll-dis', '-', data=b'abc')[0], 1)

    def test_older_chips(self):
        text = '00 ALU: ADDR(2) CNT(1)\n      0  t: RECIP_IEEE  R2.w,  R0.w\nEND_OF_PROGRAM\n'
        self.assertEqual(run('atoll-as', '--reprint', '-', data=text), (0, text.encode(), ''))
        code, out, err = run('atoll-as', '-', data=text)
        self.assertEqual((code, out), (1, b''))
        self.assertIn('<stdin>:2:10: error: not for Cayman: Cayman has no t unit', err)

    def numbers(self, *args, data=None):
        code, out, err = run('atoll-run', *args, data=data)
        self.assertEqual((code, err), (0, ''))
        return [float(line) for line in out.split()]

    def test_run(self):
        program = os.path.join(PROGRAMS, 'sum.txt')
        expected = [i + sum(range(i // 64 * 64, i // 64 * 64 + 64)) if i < 128 else i
                    for i in range(256)]
        self.assertEqual(self.numbers(program), expected)
        self.assertEqual(self.numbers('--groups=1', '-b0=zero:3', '-d', '0:i32', program), [0, 0, 0])
        self.assertEqual(self.numbers(os.path.join(PROGRAMS, 'counter.txt')), [100 + 3 * 70 * 5])
        self.assertEqual(self.numbers(os.path.join(PROGRAMS, 'copy.il')), [3, 4, 6, 8])
        self.assertEqual(self.numbers('--direct', os.path.join(PROGRAMS, 'copy.il')), [3, 4, 6, 8])
        # Words in, words out.
        data, out = self.path('in'), self.path('out')
        with open(data, 'wb') as f:
            f.write(bytes(range(16)) * 4)
        self.assertEqual(run('atoll-run', '-b', '0=@' + data, '-d0:raw', '-o', out, '--groups=1',
                             '--threads=1', program)[0], 0)
        with open(out, 'rb') as f:
            self.assertEqual(f.read()[4:], (bytes(range(16)) * 4)[4:])

    def test_replay_refuses(self):
        """What is in a capture is tests/device/capture.py's."""
        with open(self.path('a.cap'), 'wb') as f:
            f.write(b'ATOLLCP1')
        nothing = b'format 1, device and build not recorded\n0 submissions, 0 differ\n'
        self.assertEqual(run('atoll-replay', self.path('a.cap')), (0, nothing, ''))
        self.assertEqual(run('atoll-replay', '-', data=b'ATOLLCP1'), (0, nothing, ''))
        self.assertEqual(run('atoll-replay', '-m', '0x2', '--seed', '7', self.path('a.cap')),
                         (0, b'2 rounds survived\n', ''))
        for args in ['--mutate=some'], ['--mutate=-1'], ['--seed=4294967296'], ['-m']:
            self.assertEqual(run('atoll-replay', *args, self.path('a.cap'))[:2], (2, b''), args)
        self.assertEqual(run('atoll-replay', '-', data=LISTING), (1, b'', '<stdin>: error: not a capture\n'))

    def test_run_refuses(self):
        program = os.path.join(PROGRAMS, 'sum.txt')
        for args in (['-b', '9=zero:1'], ['-b', '0'], ['-b', '0=foo:1'], ['-b', '0=u32:'],
                     ['-b', '0=u32:1,'], ['-g', '0'], ['-t', '1,2,3,4'], ['-d', '0:q'], ['--lds=40000']):
            self.assertEqual(run('atoll-run', *args, '-', data='END_OF_PROGRAM\n')[0], 2, args)
        self.assertEqual(run('atoll-run', '-t', '4096', '-', data='END_OF_PROGRAM\n')[0], 1)
        endless = 'LOOP_DX10 i0 FAIL_JUMP_ADDR(2)\nENDLOOP i0 PASS_JUMP_ADDR(1)\nEND_OF_PROGRAM\n'
        code, out, err = run('atoll-run', '-', data=endless)
        self.assertEqual((code, out), (1, b''))
        self.assertIn('CF ', err)
        self.assertEqual(run('atoll-run', '-', data='il_ps_2_0\nend\n')[0], 1)
        uavs = ('il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_raw_uav_id(0)\ndcl_raw_uav_id(1)\n'
                'mov r0.x, vTidInGrpFlat.x\nuav_raw_load_id(1) r1.x, r0.x\nuav_raw_store_id(0) mem.x, r0.x, r1.x\nend\n')
        for args, message in ((['-b0=zero:1'], 'fetches from resource 113, buffer 1, which is not given (--buffer)'),
                              (['-b0=zero:1', '-b1=zero:1', '-t65'], 'declares groups of 64,1,1 threads, not of 65,1,1'),
                              (['-b0=zero:1', '-b1=zero:1', '-d3'], 'buffer 3 is to be printed, and not given'),
                              (['-b0=zero:1', '-b1=zero:1', '-ab0'], '--arg and --kernel are for LLVM\'s kernels'),
                              (['--abi=llvm', '-ab3'], 'argument 0 is the address of buffer 3, which is not given')):
            code, out, err = run('atoll-run', *args, '-', data=uavs)
            self.assertEqual((code, out), (1, b''))
            self.assertIn(message, err)
        self.assertEqual(run('atoll-run', '-b0=zero:1', '-b1=zero:1', '-t64', '-', data=uavs), (0, b'', ''))
        words = self.path('words')
        self.assertEqual(run('atoll-as', '-f', 'raw', '-o', words, program)[0], 0)
        self.assertIn('(raw words of machine code need --isa)', run('atoll-run', words)[2])
        self.assertEqual(run('atoll-run', '-i', 'cayman', '-b0=zero:256', words)[0], 0)
        code, out, err = run('atoll-run', '--direct', program)
        self.assertEqual((code, out), (1, b''))
        self.assertIn('--direct takes AMD IL', err)
        code, _, err = run('atoll-run', '--direct', '-', data='il_cs_2_0\n'
                           'dcl_num_thread_per_group 64\ndcl_literal l0, 0, 0, 0, 0\n'
                           'dtrig_preop r0, l0, l0\nend\n')
        self.assertEqual(code, 1)
        self.assertIn('not executed directly: ', err)

    def test_head(self):
        """What a file may say of how it is run."""
        program = 'il_cs_2_0\ndcl_num_thread_per_group 64\nend\n'
        target = self.path('written')
        for head, message in (('-b 0=u32:x', "'x' is no number"), ('--help', '--help is for the command line'),
                              ('--nope', 'unknown option --nope'), ('-g', '--groups needs a value'),
                              (f'-o {target}', 'the head has an option -o'),
                              ('program.il', 'the head has a word that is no option'),
                              ('-s ' * 80, 'the head has too many words')):
            code, out, err = run('atoll-run', '-', data=f'; atoll-run: {head}\n{program}')
            self.assertEqual((code, out), (1, b''))
            self.assertIn(f'<stdin>:1:1: error: {message}', err)
            self.assertFalse(os.path.exists(target))
        code, out, _ = run('atoll-run', '-', data=f'; atoll-run: -b 0=u32:7 -d 0:x32\n{program}')
        self.assertEqual((code, out), (0, b'00000007\n'))

    def test_budget(self):
        loop = 'il_cs_2_0\ndcl_num_thread_per_group 64\nwhileloop\nendloop\nend\n'
        nothing = 'il_cs_2_0\ndcl_num_thread_per_group 64\nend\n'
        for how in ([], ['--direct']):
            code, out, err = run('atoll-run', '--budget=1', *how, '-', data=loop)
            self.assertEqual((code, out), (1, b''))
            self.assertIn('budget', err)
            code, out, err = run('atoll-run', '--budget=1', '-g', '65535,65535,65535', *how, '-', data=nothing)
            self.assertEqual((code, out), (1, b''))
            self.assertIn("the run's budget of 1000000 cycles is used up", err)
            # The waves of a group share it: each of two takes seven or nine tenths.
            counted = ('il_cs_2_0\ndcl_num_thread_per_group {}\ndcl_literal l0, 0, 1, 28000, 0\nmov r0, l0.x\n'
                       'whileloop\nige r1.x, r0.x, l0.z\nbreak_logicalnz r1.x\niadd r0.x, r0.x, l0.y\nendloop\nend\n')
            for threads, budget, fits in ((64, 1, True), (128, 1, False), (128, 2, True)):
                code, _, err = run('atoll-run', f'--budget={budget}', *how, '-', data=counted.format(threads))
                self.assertEqual((code, "the run's budget" in err), (0, False) if fits else (1, True))

    def test_semaphores(self):
        """A wave waits for what another one of its group signals, and for ever for what nobody does."""
        program = ('il_cs_2_0\ndcl_num_thread_per_group 128\ndcl_raw_uav_id(0)\n'
                   'dcl_literal l0, 0, 6, 2, 0\nsemaphore_init_id(3) l0.x\nfence_threads\n'
                   'ushr r0, vTidInGrpFlat.x, l0.y\nif_logicalz r0.x\nsemaphore_wait_id(3)\nendif\n'
                   '{}ishl r1, vTidInGrpFlat.x, l0.z\nuav_raw_store_id(0) mem.x___, r1.x, vTidInGrpFlat.x\nend\n')
        signal = 'if_logicalnz r0.x\nsemaphore_signal_id(3)\nendif\n'
        for how in ([], ['--direct']):
            code, out, err = run('atoll-run', '-b', '0=zero:128', '-d', '0', *how, '-', data=program.format(signal))
            self.assertEqual((code, out.split(), err), (0, [b'%d' % n for n in range(128)], ''))
            code, out, err = run('atoll-run', '-b', '0=zero:128', '-d', '0', *how, '-', data=program.format(''))
            self.assertEqual((code, out), (1, b''))
            self.assertIn('waits for a group that does not run beside it', err)

    def test_read_only_buffer(self):
        program = ('il_cs_2_0\ndcl_num_thread_per_group 4\ndcl_raw_srv_id(0)\ndcl_struct_srv_id(2) 8\n'
                   'dcl_raw_uav_id(1)\ndcl_literal l0, 2, 4, 0, 0\nishl r0, vTidInGrpFlat.x, l0.x\n'
                   'srv_raw_load_id(0) r1, r0.x\nmov r2.x___, vTidInGrpFlat.x\nmov r2._y__, l0.y\n'
                   'srv_struct_load_id(2) r3, r2.xy\niadd r1, r1, r3.x\n'
                   'uav_raw_store_id(1) mem.x___, r0.x, r1.x\nend\n')
        buffers = ['-b', '0=u32:10,20,30,40', '-b', '2=u32:0,1,0,2,0,3,0,4', '-b', '1=zero:4', '-d', '1']
        for how in ([], ['--direct']):
            code, out, err = run('atoll-run', *buffers, *how, '-', data=program)
            self.assertEqual((code, out, err), (0, b'11\n22\n33\n44\n', ''))

    HEAD = ('il_cs_2_0\ndcl_num_thread_per_group 4\ndcl_raw_uav_id(0)\n'
            'dcl_literal l0, 4, 0x3f000000, 0x3e800000, 0\ndcl_literal l1, 0, 1, 2, 3\n'
            'ishl r0, vTidInGrpFlat.x, l0.x\n')

    def test_textures(self):
        """From the command line and from the head of the file, compiled and directly."""
        resource = 'dcl_resource_id({})_type({})_fmtx({f})_fmty({f})_fmtz({f})_fmtw({f})\n'
        # x = n / 4, between red and blue; the third row of an array is layer 1.
        filtered = (self.HEAD.replace('dcl_literal', resource.format(3, '1darray', f='float') + 'dcl_literal', 1) +
                    'utof r1.x___, vTidInGrpFlat.x\nmul r1.x___, r1.x, l0.z\nmov r1._y__, l1.y\n'
                    'utof r1._y__, l1.y\nsample_l_resource(3)_sampler(1) r2, r1.xy, l1.x\n'
                    'uav_raw_store_id(0) mem, r0.x, r2\nend\n')
        texture = '3=1darray,8_8_8_8_unorm,2x2,data=u32:1,2,0xff0000ff,0xffff0000'
        loaded = (self.HEAD.replace('dcl_literal', resource.format(0, '2d', f='uint') +
                                    resource.format(1, 'buffer', f='sint') + 'dcl_literal', 1) +
                  'mov r1, l1.xxxx\nmov r1.x___, vTidInGrpFlat.x\nmov r1.___w, l1.y\n'
                  'load_resource(0) r2.x___, r1\nload_resource(1) r4, r1.xxxx\nmov r2._y__, r4.x\n'
                  'resinfo_resource(0)_uint r3, l1.x\nmov r2.__zw, r3.xxwx\n'
                  'uav_raw_store_id(0) mem, r0.x, r2\nend\n')
        for how in ([], ['--direct']):
            out = self.numbers(*how, '-b0=zero:16', '-d0:f32', '-T', texture,
                               '--sampler=1=linear,x=border,border=0/1/0/1', '-', data=filtered)
            self.assertEqual(out, [0.5, 0.5, 0, 1, 1, 0, 0, 1, 0.5, 0, 0.5, 1, 0, 0, 1, 1])
            head = ('; atoll-run: --texture=0=2d,16_16_uint,4x4,levels=3,data=iota:21 -b 0=zero:16 -d 0\n'
                    '; atoll-run: --texture=1=buffer,8_sint,3,data=u32:0x00fe7f01\n')
            out = self.numbers(*how, '-', data=head + loaded)
            self.assertEqual(out, [16, 1, 3, 4, 17, 127, 3, 4, 0, 2**32 - 2, 3, 4, 0, 0, 3, 4])

    def test_images(self):
        """Typed UAVs: a store, a load and an atomic operation on texels."""
        program = ('il_cs_2_0\ndcl_num_thread_per_group 4\ndcl_uav_id(0)_type(2d)_fmtx(float)\n'
                   'dcl_uav_id(1)_type(2darray)_fmtx(uint)\ndcl_raw_uav_id(2)\ndcl_literal l0, 0, 1, 4, 0x3f800000\n'
                   'mov r0, l0.xxxx\nmov r0.x___, vTidInGrpFlat.x\nmov r0._y__, l0.y\n'
                   'uav_store_id(0) r0.xy, l0.wxxw\nuav_load_id(0) r1, r0.xy\n'
                   'mov r0, l0.yxyx\nuav_read_add_id(1) r2.x___, r0, vTidInGrpFlat.x\n'
                   'ishl r0.x, vTidInGrpFlat.x, l0.z\nuav_raw_store_id(2) mem.xyzw, r0.x, r1\nend\n')
        images = ['-I', '0=2d,8_8_8_8_unorm,3x2,data=u32:7', '-I', '1=2darray,32_uint,2x1x2,data=zero:1']
        for how in ([], ['--direct']):
            out = self.numbers(*how, *images, '-b2=zero:16', '-d0', '-d1', '-d2:f32', '-', data=program)
            self.assertEqual(out, 3 * [7] + 3 * [0xff0000ff] + [0, 0, 0, 6] + 3 * [1, 0, 0, 1] + [0, 0, 0, 0])

    def test_texture_refuses(self):
        for args in (['-T0=2d,8_8_8_8_unorm'], ['-T16=2d,8_unorm,1x1'], ['-T0=4d,8_unorm,1x1'],
                     ['-T0=2d,8_blue,1x1'], ['-T0=2d,8_8_8_unorm,1x1'], ['-T0=2d,8_unorm,0x1'],
                     ['-T0=2d,8_unorm,1x1x2'], ['-T0=1d,8_unorm,2x2'], ['-T0=cube,8_unorm,2x1'],
                     ['-T0=2d,8_unorm,4x4,levels=4'], ['-T0=2d,8_unorm,4x4,samples=2'],
                     ['-T0=2dms,8_unorm,4x4'], ['-T0=3d,32_float,9999x9999x99'],
                     ['-T0=2d,8_unorm,4x4,select=xyzq'], ['-T0=2d,8_unorm,4x4,data=u32:q'],
                     ['-T0=2d,8_unorm,20000x4'], ['-S0=blurred'], ['-S0=wrap=never'], ['-S16=point'],
                     ['-S0=border=1/2'], ['-S0=aniso=3'], ['-S0=bias=99'], ['-I0=2dms,8_unorm,4x4,samples=2'],
                     ['-I0=2d,bc1_unorm,4x4'], ['-I8=2d,8_unorm,4x4'], ['-T', 'x'], ['-T', '0=' + 'a' * 300]):
            code, out, err = run('atoll-run', *args, '-', data='END_OF_PROGRAM\n')
            self.assertEqual((code, out), (2, b''), args)
            self.assertEqual(err.count('\n'), 2, (args, err))
        code, out, err = run('atoll-run', '-', data=self.HEAD.replace(
            'dcl_literal', 'dcl_resource_id(3)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n'
            'dcl_literal', 1) + 'load_resource(3) r1, r0\nuav_raw_store_id(0) mem, r0.x, r1\nend\n')
        self.assertEqual((code, out), (1, b''))
        self.assertIn('the program reads texture 3, which is not given', err)

    def test_append(self):
        """Alloc gives what the counter was, consume what is left of it."""
        program = ('il_cs_2_0\ndcl_num_thread_per_group 4\ndcl_raw_uav_id(1)\n'
                   'dcl_literal l0, 2, 0, 0, 0\nishl r0, vTidInGrpFlat.x, l0.x\n'
                   'append_buf_alloc_id(1) r1.x___\nappend_buf_consume_id(1) r2.x___\n'
                   'ishl r1, r1, l0.x\niadd r1, r1, r2.x\n'
                   'uav_raw_store_id(1) mem.x___, r0.x, r1.x\nend\n')
        for how in ([], ['--direct']):
            code, out, err = run('atoll-run', '-b', '1=zero:4', '-d', '1', *how, '-', data=program)
            self.assertEqual((code, out, err), (0, b'3\n6\n9\n12\n', ''))

    def test_instruction_sets(self):
        text = 'add_sat r0.xy, -|i0.yzwx|, c[a1.x + 3]\n(!p1) mov o0, r0 end\n'
        code, raw, err = run('atoll-as', '--isa=attila', '-', data=text)
        self.assertEqual((code, err, len(raw)), (0, '', 32))
        self.assertEqual(run('atoll-dis', '-i', 'attila', '-', data=raw), (0, text.encode(), ''))
        elf = self.path('a.elf')
        self.assertEqual(run('atoll-as', '-i', 'attila', '-o', elf, '-', data='.scalar\nend\n')[0], 0)
        code, out, err = run('atoll-dis', '--validate', elf)
        self.assertEqual((code, err), (0, ''))
        self.assertEqual(out, b'.scalar\n; ----- Disassembly -----\nend\n')
        again = self.path('b.elf')
        self.assertEqual(run('atoll-as', '-i', 'attila', '-o', again, '-', data=out)[0], 0)
        with open(elf, 'rb') as a, open(again, 'rb') as b:
            self.assertEqual(a.read(), b.read())
        for tool in ('atoll-dis', 'atoll-run'):
            code, out, err = run(tool, '--isa=cayman', elf)
            self.assertEqual((code, out), (1, b''))
            self.assertIn('for ATTILA, not for Cayman', err)
        code, _, err = run('atoll-as', '--isa=attila', '-', data='nop\nmov r0, o1\nend\n')
        self.assertEqual((code, err), (1, '<stdin>:2:1: error: instruction 1: operand 1 reads an output\n'
                                          '  mov r0, o1\n  ^\n'))
        for tool in ('atoll-as', 'atoll-dis', 'atoll-run'):
            self.assertEqual(run(tool, '--isa=vax', '-', data='')[0], 2)

    def in_each_language(self, name, data, expected=None, base=10):
        """IL, and the same by hand in instruction sets: equal bits, and those that are EXPECTED."""
        path = self.path('in')
        with open(path, 'wb') as f:
            f.write(data)
        programs = sorted(glob.glob(os.path.join(PROGRAMS, name + '.*')))
        commands = [[program] for program in programs]
        commands += [['--direct', program] for program in programs if program.endswith('.il')]
        results = [run('atoll-run', '-b', '0=@' + path, *command) for command in commands]
        for command, result in zip(commands, results):
            self.assertEqual((result[0], result[2]), (0, ''), command)
            self.assertEqual(result[1], results[0][1], command)
        if expected is not None:
            self.assertEqual([int(line, base) for line in results[0][1].split()], expected)
        return len(programs), len(results[0][1].split())

    def test_one_program_in_each_language(self):
        data = b''.join(struct.pack('<4f', 37.5 - 1.25 * i, i % 7 - 3, i % 23 - 2.5, 0.375 * i - 9)
                        for i in range(128))
        self.assertEqual(self.in_each_language('decay', data), (4, 512))

    def test_integers_in_each_language(self):
        numbers = [(n * n * 2654435761 ^ n << 9) % 2**32 if n % 3 else n for n in range(1, 513)]
        data = struct.pack('<512I', *numbers)

        def signed(n):
            return (n + 2**31) % 2**32 - 2**31

        chain = []
        for i in range(0, 512, 4):
            x, s, z, w = map(signed, numbers[i:i + 4])
            count, least = 0, 2**31 - 1
            while count < 24:
                x = signed(x * -1640531527 + z)
                s = signed(s + (w if x < 0 else -2 * x))
                least, count = min(least, x), count + 1
                if x > 2147483000:
                    break
            chain += [x, s, count, least]
        self.assertEqual(self.in_each_language('chain', data, chain), (3, 512))

        hashes = []
        for i in range(0, 512, 4):
            mixed = []
            for n in numbers[i:i + 4]:
                n = (n ^ n >> 16) * 0x7feb352d % 2**32
                mixed.append(n ^ n >> 15)
            x, y, z, w = mixed
            while w & 3:
                w >>= 1
            hashes += [(bin(x).count('1') + (signed(x) >> 13 & x)) % 2**32,
                       (int(f'{y:032b}'[::-1], 2) + (signed(y) >> 13 & y)) % 2**32,
                       z * 0x7feb352d >> 32, w]
        self.assertEqual(self.in_each_language('hash', data, hashes, 16), (2, 512))

        sums = []
        for first in (0, 128):
            group = numbers[first:first + 128]
            for far in (64, 16, 4, 1):
                group = [(n + group[(i + far) % 128]) % 2**32 for i, n in enumerate(group)]
            sums += group
        self.assertEqual(self.in_each_language('neighbours', data, sums), (2, 256))

        parts = [n & 15 for n in numbers]
        self.assertEqual(self.in_each_language('histogram', data, [parts.count(n) for n in range(16)]),
                         (2, 16))

    def test_run_attila(self):
        def go(text, *args):
            return self.numbers('--isa=attila', '-t', '2', '-g', '2', '-b', '0=f32:1,2,3,4,5,6,7,8',
                                '-b', '1=zero:16', *args, '-', data=text)
        self.assertEqual(go('mov o1, i0\nend\n', '-d1'), [0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 2, 1, 0, 0, 3])
        self.assertEqual(go('lda o1, i0.w, v0\nend\n', '-d1:f32'), [1, 2, 3, 4, 5, 6, 7, 8] + 8 * [0])
        self.assertEqual(go('mov o1, i1\nend\n', '-d1'), 8 * [0] + [1, 0, 0, 0, 1, 0, 0, 0])
        code, out, err = run('atoll-run', '-i', 'attila', '-', data='jmp true, 0\n')
        self.assertEqual((code, out), (1, b''))
        self.assertIn('instruction 0: the budget of instructions is used up', err)

    def test_list(self):
        for tool, rows, columns in (('atoll-as', 466, 9), ('atoll-il', 483, 10)):
            code, out, _ = run(tool, '--list')
            lines = out.decode().splitlines()
            self.assertEqual(code, 0)
            self.assertGreaterEqual(len(lines), rows + 1)
            self.assertTrue(all(len(line.split('\t')) == columns for line in lines))
        for isa, rows in (('cayman', 466), ('evergreen', 466), ('r700', 466), ('r600', 466), ('valhall', 252), ('attila', 56)):
            lines = run('atoll-as', '--list', '--isa', isa)[1].decode().splitlines()
            self.assertEqual(len(lines), rows + 1)
            self.assertTrue(all(line.startswith(isa + '\t') for line in lines[1:]))


if __name__ == '__main__':
    unittest.main(verbosity=1)
