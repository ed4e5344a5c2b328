#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""includes.py [LIST]: which folder includes which, held against the list of allowed directions.

Reads the #include lines of src/, include/, emulator/ and the test chip.  A part is a folder; a header that lies
directly in emulator/ is a part of its own.  What is found neither beside the including file nor in
include/, src/ or emulator/ is Mesa's or a system's: in src/ a quoted one counts as the part `mesa`, in the
emulator it is an error.

Fails on an include that LIST does not allow, on an entry of LIST that no include needs, on one of src/ that
reaches into emulator/ whatever LIST says, on a cycle that is left without the entries to be removed, on
one of those that closes no cycle, and on an include that leads, through however many headers, to what its part
is to know nothing of.  Reports the groups of parts that include each other in circles.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^">]+)[">]')
SOURCES = ('.c', '.h', '.def')
ALLOWED, LEAVING, UNKNOWN = 'allowed', 'to be removed', 'knows nothing of'
TOPS = 'emulator', 'include', 'src', os.path.join('tests', 'chip', 'model')


def part_of(path):
    """The part that a file of the tree belongs to."""
    folder = os.path.dirname(path)
    return path if folder == 'emulator' else folder


def find(root, path, form, name):
    """The file of the tree that an #include line of `path` names, or None."""
    places = [os.path.dirname(path), 'include', 'src', 'emulator'] if form == '"' else ['include']
    for place in places:
        found = os.path.normpath(os.path.join(place, name))
        # A generated header stands for what it is made from.
        if os.path.exists(os.path.join(root, found)) or os.path.exists(os.path.join(root, found + '.in')):
            return found
    return None


def read_tree(root):
    """{(from, to): ['file:line', ...]}, {file: {included: line}}, and what is wrong with #include lines by
    themselves."""
    edges, files, wrong = {}, {}, []
    for top in TOPS:
        for folder, folders, names in os.walk(os.path.join(root, top)):
            folders.sort()
            for name in sorted(names):
                if not name.endswith(SOURCES):
                    continue
                path = os.path.relpath(os.path.join(folder, name), root)
                with open(os.path.join(folder, name), encoding='utf-8') as file:
                    for number, line in enumerate(file, 1):
                        match = INCLUDE.match(line)
                        if not match:
                            continue
                        found = find(root, path, *match.groups())
                        if found:
                            files.setdefault(path, {})[found] = number
                            to = part_of(found)
                        elif match[1] == '<':
                            continue
                        elif top == 'src':
                            to = 'mesa'
                        else:
                            wrong.append(f'{path}:{number}: {match[2]} is no header of the tree')
                            continue
                        if to != part_of(path):
                            edges.setdefault((part_of(path), to), []).append(f'{path}:{number}')
                        if top == 'src' and to.startswith('emulator'):
                            wrong.append(f'{path}:{number}: src/ includes {found}: nothing there may look into '
                                         'the emulator')
    return edges, files, wrong


def reached(files, path):
    """{file: (file of `path`'s own headers, line)} of all that a file includes, at any distance."""
    found = {}
    for first, number in files.get(path, {}).items():
        ahead = [first]
        while ahead:
            name = ahead.pop()
            if name not in found:
                found[name] = first, number
                ahead += files.get(name, {})
    return found


def check_unknown(files, entries):
    """What includes, at any distance, what its part is to know nothing of."""
    wrong = []
    apart = {}
    for (source, target), section in entries.items():
        if section == UNKNOWN:
            apart.setdefault(source, set()).add(target)
    for path in sorted(files):
        targets = apart.get(part_of(path), ())
        for name, (first, number) in sorted(reached(files, path).items() if targets else ()):
            if part_of(name) in targets:
                wrong.append(f'{path}:{number}: {first} leads to {name}: {part_of(path)} knows nothing of it')
    return wrong


def read_list(path):
    """{(from, to): section} of the list, and what is wrong with its lines."""
    entries, wrong, section = {}, [], None
    with open(path, encoding='utf-8') as file:
        for number, line in enumerate(file, 1):
            line = line.split('#')[0].strip()
            if line in (f'[{ALLOWED}]', f'[{LEAVING}]', f'[{UNKNOWN}]'):
                section = line[1:-1]
            elif line:
                source, colon, targets = line.partition(':')
                if not colon or not targets.split() or not section:
                    wrong.append(f'{path}:{number}: not [{ALLOWED}], [{LEAVING}], [{UNKNOWN}] or FROM: TO...')
                for target in targets.split():
                    if (source, target) in entries:
                        wrong.append(f'{path}:{number}: {source}: {target} stands there twice')
                    entries[source, target] = section
    return entries, wrong


def circles(edges):
    """The strongly connected components of more than one part (Tarjan), each sorted."""
    out = {}
    for source, target in edges:
        out.setdefault(source, []).append(target)
        out.setdefault(target, [])
    index, low, stack, found = {}, {}, [], []

    def visit(part):
        index[part] = low[part] = len(index)
        stack.append(part)
        for target in out[part]:
            if target not in index:
                visit(target)
                low[part] = min(low[part], low[target])
            elif target in stack:
                low[part] = min(low[part], index[target])
        if low[part] == index[part]:
            at = stack.index(part)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for part in sorted(out):
        if part not in index:
            visit(part)
    return sorted(found)


def check(root, path):
    """What is wrong, and the circles there are."""
    edges, files, wrong = read_tree(root)
    entries, wrong_lines = read_list(path)
    wrong += wrong_lines + check_unknown(files, entries)
    for (source, target), places in sorted(edges.items()):
        if entries.get((source, target)) not in (ALLOWED, LEAVING):
            wrong.append(f'{places[0]}: {source} may not include {target}'
                         + (f' (nor do {len(places) - 1} other lines)' if len(places) > 1 else ''))
    for source, target in sorted(entries):
        if (source, target) not in edges and entries[source, target] != UNKNOWN:
            wrong.append(f'{path}: {source}: {target} is not needed any more')
    staying = [edge for edge in entries if entries[edge] == ALLOWED]
    for circle in circles(staying):
        wrong.append(f'{path}: a circle of allowed directions: {" ".join(circle)}')
    for edge in sorted(entries):
        if entries[edge] == LEAVING and not any(set(edge) <= set(circle) for circle in circles([*staying, edge])):
            wrong.append(f'{path}: {edge[0]}: {edge[1]} closes no circle: it can be [{ALLOWED}], or go')
    return wrong, circles(edges), sum(section == LEAVING for section in entries.values())


def main():
    wrong, found, leaving = check(ROOT, sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, 'includes.txt'))
    for circle in found:
        print(f'{len(circle)} parts include each other in circles: {" ".join(circle)}')
    print(f'{leaving} directions are to be removed')
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
