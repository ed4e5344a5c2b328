#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""names.py [ROOT]: whether the files that comments name are there.

A name with a folder is the end of some file's path.  A name without one is a file of the comment's own folder; a
star stands for any letters.  Names of other projects' files are in OTHERS.
"""
import fnmatch
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDERS = 'ci', 'docs', 'emulator', 'include', 'piglit-profiles', 'src', 'tests'
COMMENTED = '.c', '.h', '.def'
NAME = re.compile(r'(?<![\w./*<-])([\w*][\w./*-]*\.(?:c|h|def|py|rst|txt))(?![\w*])')
COMMENT = re.compile(r'/\*.*?\*/', re.S)

# libdrm's; Mesa's.
OTHERS = {'drm.h', 'radeon_drm.h', 'radeon_surface.c'}


def find(root):
    """The files of the tree."""
    for folder in FOLDERS:
        for path, folders, names in os.walk(os.path.join(root, folder)):
            folders.sort()
            for name in sorted(names):
                yield os.path.relpath(os.path.join(path, name), root)


def is_there(name, folder, paths):
    """Whether a comment in FOLDER may name a file so."""
    if '/' in name:
        return any(fnmatch.fnmatch('/' + path, '*/' + name) for path in paths)
    found = [path for path in paths if fnmatch.fnmatch(os.path.basename(path), name)]
    return any(os.path.dirname(path) == folder for path in found)


def check(path, text, paths):
    """What comments of a file name that is not there."""
    wrong = []
    for comment in COMMENT.finditer(text):
        for found in NAME.finditer(comment.group()):
            name = found.group(1)
            if name in OTHERS or is_there(name, os.path.dirname(path), paths):
                continue
            line = text.count('\n', 0, comment.start() + found.start()) + 1
            wrong.append(f'{path}:{line}: there is no {name} here (of another folder: FOLDER/{name})')
    return wrong


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(HERE))
    paths = list(find(root))
    wrong, count = [], 0
    for path in paths:
        if path.endswith(COMMENTED):
            with open(os.path.join(root, path), encoding='utf-8') as file:
                wrong += check(path, file.read(), paths)
            count += 1
    if not count:
        wrong.append(f'{root}: no C files')
    print('\n'.join(wrong) if wrong else f'{count} files')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
