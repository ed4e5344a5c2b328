#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""stepped.py PROGRAM [ARGUMENT...]: runs a test at full speed and instruction by instruction.

Both runs must pass, lift the same programs and have the same waves: each leaves the same values in the same
lanes after the same number of cycles (ATOLL_WAVES).  In the second (ATOLL_STEP=1) each wave that has lanes and
does not fault stops before each of its instructions, at least once: none is left out.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

WAVE = re.compile(r'(.* lanes ([0-9a-f]{16}) (.*) [0-9a-f]{16}) stops (\d+)')


def run(command, folder, name, **options):
    """The lines of a run: of programs and waves, how often each is there; and how often waves stopped."""
    path = os.path.join(folder, name)
    status = subprocess.run(command, env=os.environ | {'ATOLL_WAVES': path} | options, check=False,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if status.returncode:
        print(status.stdout[-4000:])
        sys.exit(f'{name}: the test fails with status {status.returncode}')
    lines, stops, unseen = collections.Counter(), 0, 0
    if not os.path.exists(path):
        sys.exit(f'{name}: no program was lifted')
    with open(path, encoding='utf-8') as file:
        for line in file:
            wave = WAVE.fullmatch(line.rstrip('\n'))
            lines[wave[1] if wave else line.rstrip('\n')] += 1
            if wave:
                stops += int(wave[4])
                unseen += wave[3] == 'left' and int(wave[2], 16) != 0 and wave[4] == '0'
    return lines, stops, unseen


def main():
    with tempfile.TemporaryDirectory() as folder:
        whole, _, _ = run(sys.argv[1:], folder, 'at full speed')
        stepped, stops, unseen = run(sys.argv[1:], folder, 'stepped', ATOLL_STEP='1')
    programs = sum(n for line, n in stepped.items() if line.startswith('program '))
    waves = sum(stepped.values()) - programs
    print(f'{programs} programs, {waves} waves, {stops} stops')
    for line, n in (whole - stepped).items():
        print(f'at full speed alone ({n}): {line}')
    for line, n in (stepped - whole).items():
        print(f'stepped alone ({n}): {line}')
    if whole != stepped or unseen or not waves or not stops:
        sys.exit(f'{unseen} waves never stopped' if unseen else 'what waves left is not the same' if waves else
                 'there are no waves')


if __name__ == '__main__':
    main()
