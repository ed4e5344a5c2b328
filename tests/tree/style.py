#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""style.py [ROOT]: whether the tree's C is as .clang-format has it.

Beside what clang-format itself holds (one statement has no braces, among others), sizeof has parentheses, and
no comment is longer than the 100 columns of the code.
"""
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDERS = 'ci', 'emulator', 'include', 'src', 'tests'
COLUMNS = 100
SIZEOF = re.compile(r'\bsizeof\s+[^\s(]')
COMMENT = re.compile(r'\s*(/\*|\*)')
FORMATTED = re.compile(r'^(\S+?):\d+:\d+: (?:warning|error): code should be clang-formatted', re.M)


def find(root):
    """The C files of the tree."""
    for folder in FOLDERS:
        for path, folders, names in os.walk(os.path.join(root, folder)):
            folders.sort()
            for name in sorted(names):
                if name.endswith(('.c', '.h')):
                    yield os.path.relpath(os.path.join(path, name), root)


def check_lines(path, text):
    """What is wrong with single lines of a file."""
    wrong, free = [], False
    for number, line in enumerate(text.split('\n'), 1):
        if 'clang-format o' in line:
            free = 'clang-format off' in line
        comment = COMMENT.match(line)
        if not comment and SIZEOF.search(line.split('//')[0].split('/*')[0]):
            wrong.append(f'{path}:{number}: sizeof without parentheses')
        if comment and not free and len(line) > COLUMNS:
            wrong.append(f'{path}:{number}: a comment of {len(line)} columns')
    return wrong


def check_format(root, paths):
    """Files that clang-format would change."""
    run = subprocess.run(['clang-format', '--dry-run', *paths], cwd=root, capture_output=True, text=True)
    changed = sorted(set(FORMATTED.findall(run.stderr)))
    wrong = [f'{path}: clang-format would change it' for path in changed]
    if run.returncode and not changed:
        wrong.append(run.stderr.strip() or f'clang-format ended with {run.returncode}')
    return wrong


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(HERE))
    paths = list(find(root))
    wrong = []
    for path in paths:
        with open(os.path.join(root, path), encoding='utf-8') as file:
            wrong += check_lines(path, file.read())
    if not shutil.which('clang-format'):
        print('clang-format is not there: ./ci/setup installs it')
        return 77  # skipped
    wrong += check_format(root, paths)
    if not paths:
        wrong.append(f'{root}: no C files')
    print('\n'.join(wrong) if wrong else f'{len(paths)} files')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
