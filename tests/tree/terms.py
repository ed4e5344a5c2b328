#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""terms.py [ROOT]: whether the tree speaks as docs/terms.rst says.

Each term of that page is used in the file that the page names for it.  No comment of a C file has a private word
(WORDS), but in the files of words.txt, beside this file.  A file that has none any more is taken off that list,
and none is added: it can only become shorter.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDERS = 'ci', 'emulator', 'include', 'src', 'tests'
COMMENTED = '.c', '.h', '.def'
PAGE = os.path.join('docs', 'terms.rst')
LIST = os.path.join('tests', 'tree', 'words.txt')

# A string, a character or a comment: what comes first is what it is.
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.S)
# Names of files and of what the code calls so are not words.  "Turns" is a verb, too; the noun has something in front.
WORDS = re.compile(r'(?<![\w.`/-])(?:who|whose|whom|behind|places?|pieces?|homes?'
                   r'|(?<=\ba )turn|(?<=\bthe )turns?|(?<=\bits )turns?|(?<=\beach )turn|(?<=\bone )turn'
                   r'|(?<=\bof )turns?|(?<=\bin )turns?|(?<=\bby )turns?|(?<=\bown )turns?)(?![\w`(]|\.[chd]|->|/)', re.I)
TERM = re.compile(r'^   (\S.*)\n((?:      .*\n|\n(?=      ))+)', re.M)
FILE = re.compile(r'``([\w/.]+)``\s*$')


def comments(text):
    """(offset, text) of each comment, on one line: lines' stars are blanks."""
    for token in TOKEN.finditer(text):
        if token.group().startswith('/'):
            yield token.start(), re.sub(r'(?m)^(\s*)\*(?!/)', r'\1 ', token.group())


def private_words(text):
    """[(line, word)] of a file."""
    found = []
    for start, comment in comments(text):
        flat = re.sub(r'\s', ' ', comment)
        flat = re.sub(r'(?<= ) +', lambda blanks: '\0' * len(blanks.group()), flat)
        # Blanks in a row are one, and words keep their offsets.
        kept = [k for k, letter in enumerate(flat) if letter != '\0']
        for word in WORDS.finditer(flat.replace('\0', '')):
            found.append((text.count('\n', 0, start + kept[word.start()]) + 1, word.group()))
    return found


def read_terms(page):
    """[(term, file or None)] of the page."""
    terms = []
    for glossary in page.split('.. glossary::')[1:]:
        # The next line that is not indented ends it.
        block = re.split(r'^\S', glossary, maxsplit=1, flags=re.M)[0]
        for entry in TERM.finditer(block + '\n'):
            file = FILE.search(' '.join(entry.group(2).split()))
            terms.append((entry.group(1), file and file.group(1)))
    return terms


def is_used(term, text):
    """Whether a term, or a form of it (a plural, a verb's ending), is in a text."""
    stem = re.sub(r'(ence|ion|e)$', '', term)
    words = r'[\s*]+'.join(re.escape(word) for word in stem.split())
    return re.search(r'(?<![a-z])' + words, text, re.I) is not None


def check_terms(root):
    wrong = []
    with open(os.path.join(root, PAGE), encoding='utf-8') as file:
        terms = read_terms(file.read())
    if not terms:
        wrong.append(f'{PAGE}: no terms')
    for term, name in terms:
        if [other for other, _ in terms].count(term) > 1:
            wrong.append(f'{PAGE}: {term} has two meanings')
        if not name:
            wrong.append(f'{PAGE}: {term} ends with no ``file``')
        elif not os.path.exists(os.path.join(root, name)):
            wrong.append(f'{PAGE}: {term}: there is no {name}')
        else:
            with open(os.path.join(root, name), encoding='utf-8') as file:
                if not is_used(term, file.read()):
                    wrong.append(f'{PAGE}: {name} does not use {term}')
    return wrong


def check_words(root):
    with open(os.path.join(root, LIST), encoding='utf-8') as file:
        lines = [line.strip() for line in file]
    unclean = [line for line in lines if line and not line.startswith('#')]
    wrong = [f'{LIST}: {name} stands there twice' for name in sorted(set(unclean)) if unclean.count(name) > 1]
    left, count = set(unclean), 0
    for top in FOLDERS:
        for folder, folders, names in os.walk(os.path.join(root, top)):
            folders.sort()
            for name in sorted(names):
                if not name.endswith(COMMENTED):
                    continue
                count += 1
                path = os.path.relpath(os.path.join(folder, name), root)
                with open(os.path.join(root, path), encoding='utf-8') as file:
                    found = private_words(file.read())
                if path not in unclean:
                    wrong += [f'{path}:{line}: "{word}": {PAGE} has what to say' for line, word in found]
                elif not found:
                    wrong.append(f'{LIST}: {path} has no private words any more: off the list')
                left.discard(path)
    wrong += [f'{LIST}: there is no {name} any more: off the list' for name in sorted(left)]
    return wrong, f'{count - len(unclean)} files clean, {len(unclean)} not yet'


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(HERE))
    wrong, summary = check_words(root)
    wrong = check_terms(root) + wrong
    print('\n'.join(wrong) if wrong else summary)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
