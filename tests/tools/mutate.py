#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each tool on damaged files, as processes: mutate.py BUILD [COUNT [SEED]]

COUNT files for each command, the first as it should be, the others damaged: texts, binaries and ELF files
with bytes changed, cut off, doubled, or words of the language in the wrong place.  A tool ends with 0 and a
file, or with 1, one error and no file at all.
"""
import glob
import os
import random
import subprocess
import sys
import tempfile

BUILD = sys.argv[1]
FOLDERS = {'atoll-run': 'emulator/tools'}
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 30
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'programs')
RUN = ['atoll-run', '--budget=100000', *(f'-b{n}=zero:64' for n in range(8))] # what may be fetched from
COMMANDS = {
    'text': [['atoll-as'], ['atoll-as', '--reprint'], ['atoll-as', '-f', 'elf', '--no-validate']],
    'il': [['atoll-il'], ['atoll-il', '-t', 'binary'], ['atoll-il', '-c', '--std=2.4'], ['atoll-ilc', '-s'],
           [*RUN], [*RUN, '--direct']],
    'words': [['atoll-dis'], ['atoll-dis', '-V'], [*RUN]],
}


def tool(command, *more):
    return subprocess.run([os.path.join(BUILD, FOLDERS.get(command[0], 'src/tools'), command[0]), *command[1:], *more],
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=120)


def made(command, name, directory):
    """What a tool makes of a program."""
    path = os.path.join(directory, 'made')
    run = tool([*command, '-o', path], name)
    if run.returncode:
        sys.exit(f'{command} {name}: {run.stderr.decode()}')
    with open(path, 'rb') as f:
        data = f.read()
    os.remove(path)
    return data


def inputs(directory):
    files = {'text': [], 'il': [], 'words': []}
    for name in sorted(glob.glob(os.path.join(PROGRAMS, '*'))):
        with open(name, 'rb') as f:
            data = f.read()
        if name.endswith('.il'):
            files['il'] += [data, made(['atoll-il', '-t', 'binary'], name, directory)]
            files['words'] += [made(['atoll-ilc', '-f', f], name, directory) for f in ('raw', 'elf')]
        elif name.endswith('.txt'):
            files['text'].append(data)
            files['words'] += [made(['atoll-as', '-f', f], name, directory) for f in ('raw', 'elf')]
    return files


def damaged(data, others, rng):
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        at = rng.randrange(len(data) + 1)
        kind = rng.randrange(7)
        if kind == 0:
            del data[at:]
        elif kind == 1:
            data[at:at + 1] = bytes([rng.randrange(256)])
        elif kind == 2:
            del data[at:at + rng.randrange(1, 9)]
        elif kind == 3:
            data[at:at] = data[at:at + rng.randrange(1, 40)]
        elif kind == 4:
            other = rng.choice(others)
            start = rng.randrange(len(other))
            data[at:at] = other[start:start + rng.randrange(1, 40)]
        elif kind == 5:
            data[at:at + 4] = rng.choice((b'\0\0\0\0', b'\xff\xff\xff\xff', b'\xff\xff\xff\x7f', b'9999999999'))
        else:
            data[at:at + 1] = rng.choice((b'\n', b',', b'(', b'[', b';', b'-', b'\0', b'=', b'.', b'"'))
    return bytes(data)


def made_by(command):
    """The files that a command leaves: one that only checks writes nothing."""
    return set() if '-c' in command else {'out'}


def complaint(command, run, left):
    """What is wrong with how a command ended, or None; `left`: files beside the input."""
    errors = run.stderr.decode(errors='replace').count(': error: ')
    if run.returncode == 0:
        return None if left == made_by(command) and not errors else f'files {left}, {errors} errors'
    if run.returncode != 1:
        return f'ends with {run.returncode}'
    if errors != 1 or left or run.stdout:
        return f'{errors} errors, files {left}, {len(run.stdout)} bytes'
    return None


def main():
    rng = random.Random(SEED)
    counts = [0, 0]
    with tempfile.TemporaryDirectory() as directory:
        files = inputs(directory)
        path = os.path.join(directory, 'in')
        for kind, commands in COMMANDS.items():
            for command in commands:
                for number in range(COUNT):
                    data = damaged(rng.choice(files[kind]), files[kind], rng) if number else files[kind][1]
                    with open(path, 'wb') as f:
                        f.write(data)
                    run = tool([*command, '-o', os.path.join(directory, 'out')], path)
                    left = set(os.listdir(directory)) - {'in'}
                    wrong = complaint(command, run, left)
                    if not number and run.returncode:
                        wrong = 'refused, though nothing is damaged'
                    if wrong:
                        os.replace(path, 'damaged-input')
                        sys.exit(f'{" ".join(command)}, file {number} (damaged-input): {wrong}\n{run.stderr.decode(errors="replace")}')
                    counts[run.returncode] += 1
                    for name in left:
                        os.remove(os.path.join(directory, name))
    print(f'{sum(counts)} files: {counts[0]} taken, {counts[1]} refused')


if __name__ == '__main__':
    main()
