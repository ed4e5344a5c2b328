#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""names.py [ROOT]: whether the files and functions that comments and pages name are there.

A name with a folder is the end of some file's path.  A name without one is a file of the comment's own folder, or, on
a page (docs/, README.rst), where a name stands in ``such`` quotes, of any folder; a star stands for any letters.
Names of other projects' files, and of those that programs write, are in OTHERS.  A function is a name with (): it
stands somewhere in code, or in FOREIGN.
"""
import fnmatch
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDERS = 'ci', 'docs', 'emulator', 'include', 'piglit-profiles', 'src', 'tests'
COMMENTED = '.c', '.h', '.def'
PAGE = '.rst'
NAME = re.compile(r'(?<![\w./*<-])([\w*][\w./*-]*\.(?:c|h|def|py|rst|txt)(?:\.gz)?)(?![\w*])')
COMMENT = re.compile(r'/\*.*?\*/', re.S)
QUOTED = re.compile(r'``[^`]+``')
# What is before a comment, or is one: strings and characters may look like comments.
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.S)
WORD = re.compile(r'[A-Za-z_]\w*')
FUNCTION = re.compile(r'(?<![\w./<>-])([a-z][a-z0-9_]{3,})\(\)')

# libdrm's; Mesa's; what is written.
OTHERS = {'drm.h', 'radeon_drm.h', 'radeon_surface.c', 'st_draw_feedback.c', 'va_pack.c',
          'GUIDE.txt', 'files.txt', 'out/panfrost/corpus.txt'}
# The C library's; OpenCL's.
FOREIGN = {'open64', 'bitselect'}


def find(root):
    """The files of the tree."""
    for folder in FOLDERS:
        for path, folders, names in os.walk(os.path.join(root, folder)):
            folders.sort()
            for name in sorted(names):
                yield os.path.relpath(os.path.join(path, name), root)
    for name in sorted(os.listdir(root)):
        if os.path.isfile(os.path.join(root, name)):
            yield name


def is_there(name, folder, paths):
    """Whether a comment in FOLDER, or a page (None), may name a file so."""
    if '/' in name:
        return any(fnmatch.fnmatch('/' + path, '*/' + name) for path in paths)
    found = [path for path in paths if fnmatch.fnmatch(os.path.basename(path), name)]
    return bool(found) if folder is None else any(os.path.dirname(path) == folder for path in found)


def check(path, text, paths):
    """What comments of a file, or quotes of a page, name that is not there."""
    page = path.endswith(PAGE)
    folder = None if page else os.path.dirname(path)
    wrong = []
    for part in (QUOTED if page else COMMENT).finditer(text):
        for found in NAME.finditer(part.group()):
            name = found.group(1)
            if name in OTHERS or is_there(name, folder, paths):
                continue
            line = text.count('\n', 0, part.start() + found.start()) + 1
            hint = '' if page or '/' in name else f' here (of another folder: FOLDER/{name})'
            wrong.append(f'{path}:{line}: there is no {name}{hint}')
    return wrong


def words_of_code(text):
    """The words of a C file outside of its comments."""
    return WORD.findall(TOKEN.sub(lambda token: ' ' if token.group().startswith('/') else token.group(), text))


def check_functions(path, text, words):
    """What functions comments of a file, or quotes of a page, name that are nowhere in code."""
    wrong = []
    for part in (QUOTED if path.endswith(PAGE) else COMMENT).finditer(text):
        for found in FUNCTION.finditer(part.group()):
            if found.group(1) not in words and found.group(1) not in FOREIGN:
                line = text.count('\n', 0, part.start() + found.start()) + 1
                wrong.append(f'{path}:{line}: there is no {found.group()}')
    return wrong


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(HERE))
    paths = list(find(root))
    wrong, texts, words = [], {}, set()
    for path in paths:
        if path.endswith(COMMENTED + (PAGE,)):
            with open(os.path.join(root, path), encoding='utf-8') as file:
                texts[path] = file.read()
            words.update(() if path.endswith(PAGE) else words_of_code(texts[path]))
    for path, text in texts.items():
        wrong += check(path, text, paths) + check_functions(path, text, words)
    count = len(texts)
    if not count:
        wrong.append(f'{root}: no C files')
    print('\n'.join(wrong) if wrong else f'{count} files')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
