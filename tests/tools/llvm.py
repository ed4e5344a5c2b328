# SPDX-License-Identifier: MIT
"""llvm.py ATOLL-RUN [KERNEL...]: kernels that LLVM's r600 target compiles run unchanged, and leave
what the same kernels leave on this machine (llvm/kernels.cl).  Skipped without clang and llc.

A kernel with fails=TEXT is one that LLVM does not compile, and why: should it do one day, the test says so."""
import ctypes
import glob
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'llvm')
FRONT = ['-x', 'cl', '-O2', '-ffp-contract=off', '-w']
SKIPPED = 77


def program(name):
    """The newest of a tool's versions, or None."""
    found = shutil.which(name)
    if found:
        return found
    versions = glob.glob(f'/usr/bin/{name}-[0-9]*')
    return max(versions, key=lambda path: int(path.rsplit('-', 1)[1]), default=None)


class Kernel:
    """One of the file: its source, with what stands in front of the first, and its arguments."""

    def __init__(self, prelude, line, body):
        words = line.split()
        self.name, self.source = words[0], prelude + body
        self.threads, self.groups, self.ulp, self.together, self.fails = 64, 1, 0, False, None
        self.args = []
        rng = random.Random(self.name)
        for word in words[1:]:
            if '=' in word:
                key, value = word.split('=', 1)
                setattr(self, key, value if key == 'fails' else int(value))
            elif word == 'together':
                self.together = True
            else:
                kind, value = word.split(':')
                self.args.append((kind, data(kind, value, rng)))

    def buffers(self):
        return [words for kind, words in self.args if kind != 'u32']


def data(kind, value, rng):
    if kind == 'u32':
        return [int(v, 0) & 0xffffffff for v in value.split(',')]
    make = {'zero': lambda: 0, 'int': lambda: rng.getrandbits(32), 'small': lambda: rng.getrandbits(8),
            'float': lambda: bits(rng.choice((-1, 1)) * rng.uniform(0.01, 100))}[kind]
    return [make() for _ in range(int(value))]


def bits(value):
    return struct.unpack('<I', struct.pack('<f', value))[0]


def read_kernels():
    with open(os.path.join(HERE, 'kernels.cl')) as f:
        parts = re.split(r'^//: (.*)\n', f.read(), flags=re.M)
    return [Kernel(parts[0], parts[i], parts[i + 1]) for i in range(1, len(parts), 2)]


def say(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    return done.returncode, done.stdout.decode(errors='replace')


def compile_kernel(kernel, tools, folder):
    """The object file, or None and what LLVM says."""
    base = os.path.join(folder, kernel.name)
    with open(base + '.cl', 'w') as f:
        f.write(kernel.source)
    for command in ([tools['clang'], '-target', 'r600', '-mcpu=cayman', *FRONT, '-S', '-emit-llvm',
                     base + '.cl', '-o', base + '.ll'],
                    [tools['llc'], '-march=r600', '-mcpu=cayman', '-filetype=obj', base + '.ll', '-o',
                     base + '.o']):
        code, text = say(command)
        if code:
            return None, text
    return base + '.o', ''


def run_here(kernel, tools, folder):
    """Each buffer as the kernel leaves it on this machine."""
    base = os.path.join(folder, kernel.name)
    library = base + '.so'
    for command in ([tools['clang'], *FRONT, '-fPIC', '-DHOST', '-c', base + '.cl', '-o', base + '.host.o'],
                    [tools['clang'], '-shared', '-fPIC', '-pthread', base + '.host.o',
                     os.path.join(HERE, 'host.c'), '-o', library, '-lm']):
        code, text = say(command)
        if code:
            raise RuntimeError(text)
    host = ctypes.CDLL(library)
    held, passed = [], []
    for kind, words in kernel.args:
        if kind == 'u32':
            passed.append(words)
        else:
            held.append((ctypes.c_uint32 * len(words))(*words))
            passed.append([ctypes.addressof(held[-1])])
    args = [words[0] | (words[1] << 32 if len(words) > 1 else 0) for words in passed]
    array = (ctypes.c_ssize_t * 6)(*[a - (1 << 64) if a >> 63 else a for a in args])
    host.host_run(getattr(host, kernel.name), array, kernel.threads, kernel.groups, int(kernel.together))
    return [list(words) for words in held]


def run_there(kernel, tool, object_file):
    command, buffers = [tool, object_file, '-t', str(kernel.threads), '-g', str(kernel.groups)], 0
    for kind, words in kernel.args:
        listed = 'u32:' + ','.join(str(w) for w in words)
        if kind == 'u32':
            command += ['-a', listed]
        else:
            command += ['-b', f'{buffers}={listed}', '-a', f'b{buffers}', '-d', str(buffers)]
            buffers += 1
    code, text = say(command)
    if code:
        raise RuntimeError(text)
    words = [int(line) for line in text.split()]
    result = []
    for buffer in kernel.buffers():
        result.append(words[:len(buffer)])
        words = words[len(buffer):]
    return result


def ordered(word):
    """A float's number among the floats."""
    return -(word & 0x7fffffff) if word >> 31 else word


def compare(kernel, here, there):
    """What differs first, or None."""
    for n, (a, b) in enumerate(zip(here, there)):
        for i, (x, y) in enumerate(zip(a, b)):
            if x != y and not abs(ordered(x) - ordered(y)) <= kernel.ulp:
                return f'dword {i} of buffer {n} is {y:08x}, and {x:08x} on this machine'
    return None


def main():
    tools = {name: program(name) for name in ('clang', 'llc')}
    missing = [name for name, path in tools.items() if not path]
    if not missing and 'r600' not in say([tools['llc'], '--version'])[1]:
        missing = ["llc's r600 target"]
    if missing:
        print('skipped: no', ', no '.join(missing))
        return SKIPPED
    kernels = [k for k in read_kernels() if not sys.argv[2:] or k.name in sys.argv[2:]]
    equal = refused = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for kernel in kernels:
            object_file, text = compile_kernel(kernel, tools, folder)
            if kernel.fails or not object_file:
                as_said = not object_file and kernel.fails and kernel.fails in text.replace(' ', '_')
                refused += bool(as_said)
                wrong += not as_said
                if not as_said:
                    print(f'{kernel.name}:', 'is compiled, and was not' if object_file else text[:600])
                continue
            try:
                what = compare(kernel, run_here(kernel, tools, folder),
                               run_there(kernel, sys.argv[1], object_file))
            except RuntimeError as error:
                what = str(error).strip()
            equal += not what
            wrong += bool(what)
            if what:
                print(f'{kernel.name}: {what}')
    print(f'{len(kernels)} kernels: {equal} equal, {refused} that LLVM does not compile, {wrong} wrong')
    return 1 if wrong else 0


sys.exit(main())
