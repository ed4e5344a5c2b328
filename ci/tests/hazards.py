# SPDX-License-Identifier: MIT
"""The sanitizer for shaders: what is planted is found, and honest programs have no findings."""
import json
import os
import tempfile

import common
from tests.registry import NOTHING, check, must_fail


def findings(command, kinds, **more):
    """What the sanitizer finds in a program: (exit code and output, a list of dictionaries)."""
    with tempfile.TemporaryDirectory(prefix='atoll-sanitizer-') as folder:
        path = os.path.join(folder, 'findings.json')
        env = common.applied(common.environment('atoll'), MESA_SHADER_CACHE_DISABLE='true',
                             ATOLL_SANITIZE_SHADERS=kinds, ATOLL_SANITIZE_JSON=path, **more)
        code, output = common.run(command, env, 300)
        if code != 0:
            raise common.Problem(f'{command}: {common.describe(code)}\n{output.strip()[-1500:]}')
        if not os.path.exists(path):
            raise common.Problem(f'{command}: the sanitizer has written nothing')
        with open(path, encoding='utf-8') as file:
            return output, json.load(file)['findings']


def hazards():
    """The programs of gl-hazards: name and the kinds that are in it."""
    code, output = common.run([common.tool('gl-hazards'), '--list'], None, 30)
    if code != 0:
        raise common.Problem(f'gl-hazards --list: {common.describe(code)}')
    return [(name, set() if kinds == 'none' else set(kinds.split(',')))
            for name, kinds in (line.split() for line in output.splitlines())]


def check_hazards(**more):
    """Each fault is found, and nothing else is, in any of them."""
    wrong, planted, honest = [], 0, 0
    for name, expected in hazards():
        _, found = findings([common.tool('gl-hazards'), name], 'all', **more)
        kinds = {one['kind'] for one in found}
        planted, honest = planted + bool(expected), honest + (not expected)
        if kinds != expected:
            wrong.append(f'{name}: {", ".join(sorted(kinds)) or "nothing"} instead of '
                         f'{", ".join(sorted(expected)) or "nothing"}')
    if wrong or not planted or not honest:
        raise common.Problem('; '.join(wrong) or 'there are no programs')
    return f'{planted} faults found, {honest} honest programs have none'


@check('hazards/found')
def _():
    return check_hazards()


@check('hazards/threads')
def _():
    """The same findings, in the same words, on any number of threads."""
    names = [name for name, kinds in hazards() if kinds][::4]
    first = None
    for threads in ('1', '2', '4'):
        _, found = findings([common.tool('gl-hazards'), *names], 'all', ATOLL_THREADS=threads)
        first = first or found
        if found != first or not found:
            raise common.Problem(f'{threads} threads: other findings')
    return f'{len(first)} findings'


@check('hazards/honest')
def _():
    """Programs of this tree that check values have no findings of the kinds that are on by default."""
    programs = ('reduce', 'sequences', 'fetch', 'blocks', 'threes')
    for name in programs:
        _, found = findings([common.tool('gl-' + name)], 'default')
        if found:
            raise common.Problem(f'gl-{name}: ' + '; '.join(one['text'] for one in found[:4]))
    return ', '.join(programs)


@check('control/hazards')
def _():
    must_fail('hazards/found', 'race-neighbour: nothing instead of races', check_hazards, **NOTHING)
