#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every listing of AMD's assembly language guide, tried: guide.py ATOLL-AS GUIDE.txt

The guide is no part of this repository; its text comes with ``` around what it sets as code.  A listing
must be printed back by atoll-as --reprint with nothing changed but blanks, which "are ignored in the
grammar" (section 2); what the assembler then says of it as a program for Cayman stands beside it.
The damage of line and page breaks is mended first.
"""
import re
import subprocess
import sys

REPAIRS = [
    (r'(;[^\n]*)\n +(opcode|0\.5f)\.', r'\1 \2.'),       # 3.5.2, 4.9: comments broken at the end of a line
    (r'(;[^\n]*)\n(0\.5f)\.', r'\1 \2.'),
    (r'^( *y: ADD [^\n]*C0\.y) 3$', r'\1'),              # 4.10: a number from the line below
    (r'^(04 \.\.\.) \|$', r'\1'),                        # 3.5.1: a rule of the page
    (r'\n +((FORMAT|OFFSET)\()', r' \1'),                 # 6: lines broken in front of a property
    (r'\A *if \(.*?\n *}\n *else\n *{.*?}\n', ''),       # 3.5.2: the program that the listing is of
]
INSTRUCTION = re.compile(r'^ *\d+ +(?:[xyzwt]: |[A-Z][A-Z_0-9]+)', re.M)
OPTION = re.compile(r'^[A-Za-z_:0-9]+ *= *[\w<]+', re.M)


def blocks(text):
    """Code of the guide with the line it starts at; two that a page break parts are one."""
    found = [[text.count('\n', 0, m.start()) + 2, m.group(1)] for m in re.finditer(r'^```\n(.*?)^```$', text, re.M | re.S)]
    joined = []
    for line, code in found:
        if joined and code.lstrip('\n').startswith(' ') and joined[-1][1].rstrip().endswith(')') and not INSTRUCTION.match(code.lstrip('\n')):
            joined[-1][1] += code.lstrip('\n')
        else:
            joined.append([line, code])
    return joined


def main():
    tool, guide = sys.argv[1:]
    with open(guide, encoding='utf-8') as f:
        text = f.read()
    failed = tried = 0
    for line, code in blocks(text):
        for pattern, replacement in REPAIRS:
            code = re.sub(pattern, replacement, code, flags=re.M | re.S)
        if not INSTRUCTION.search(code) and not OPTION.search(code):
            continue
        tried += 1
        run = [subprocess.run([tool, *options, '-'], input=code.encode(), capture_output=True)
               for options in (['--reprint'], ['-o', '/dev/null'])]
        back = run[0].stdout.decode()
        if run[0].returncode:
            verdict = 'NOT READ: ' + run[0].stderr.decode().splitlines()[0]
        elif back == code:
            verdict = 'same'
        elif re.sub(r'[ \t]', '', back) == re.sub(r'[ \t]', '', code):
            verdict = 'same but for blanks'
        else:
            verdict = 'CHANGED\n' + back
        failed += run[0].returncode != 0 or verdict.startswith('CHANGED')
        says = run[1].stderr.decode().splitlines()
        print(f'line {line}: {verdict}; Cayman: {says[0].split(": error: ")[1] if says else "assembles"}')
    print(f'{tried} listings, {failed} not printed back')
    return 1 if failed or not tried else 0


if __name__ == '__main__':
    sys.exit(main())
