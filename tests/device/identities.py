#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""identities.py PROGRAM [ARGUMENT...]: each wave of a process with one device has a name of its own.

The program is run with 1, 2 and 3 threads.  No two waves have one name (ATOLL_WAVES), and the waves of a name
leave the same each time.
"""
import os
import re
import subprocess
import sys
import tempfile

WAVE = re.compile(r'\S+ (\d+\.\d+\.(\d+)\.(\d+)\.\d+\.\d+) words (.*) stops \d+')


def run(threads, path):
    """What each wave left, by its name."""
    result = subprocess.run(sys.argv[1:], env=os.environ | {'ATOLL_WAVES': path, 'ATOLL_THREADS': threads},
                            check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode:
        sys.exit(f'{threads} threads: {" ".join(sys.argv[1:])} fails:\n{result.stdout[-4000:]}')
    waves, kinds, rounds = {}, set(), 0
    with open(path, encoding='utf-8') as file:
        for line in file:
            wave = WAVE.fullmatch(line.rstrip('\n'))
            if not wave:
                continue
            if wave[1] in waves:
                sys.exit(f'{threads} threads: two waves are {wave[1]}:\n{waves[wave[1]]}\n{wave[4]}')
            waves[wave[1]] = wave[4]
            rounds = max(rounds, int(wave[2]))
            kinds.add(int(wave[3]))
    return waves, kinds, rounds


def main():
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for threads in '1', '2', '3':
            found[threads], kinds, rounds = run(threads, os.path.join(folder, threads))
    first = found['1']
    for threads, waves in found.items():
        wrong = [name for name in first.keys() | waves.keys() if first.get(name) != waves.get(name)]
        if wrong:
            sys.exit(f'{threads} threads: {len(wrong)} waves are not those of one thread, so {min(wrong)}: '
                     f'{waves.get(min(wrong))}, not {first.get(min(wrong))}')
    print(f'{len(first)} waves of {len(kinds)} stages, draws in up to {rounds + 1} rounds')
    if not first:
        sys.exit('there are no waves')


if __name__ == '__main__':
    main()
