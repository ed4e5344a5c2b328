# SPDX-License-Identifier: MIT
"""The sanitizer for shaders: what is planted is found, and honest programs have no findings."""
import json
import os
import tempfile

import common
import hazard_programs
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


def by_commit(command, *options):
    """Another part of the programs for each commit; the last line that the command says."""
    code, commit = common.run(['git', '-C', common.TOP, 'rev-parse', 'HEAD'], dict(os.environ), 60)
    if code != 0:
        raise common.Skip('this is no clone: no commit chooses the programs')
    code, output = common.run([os.path.join(common.TOP, 'ci', command), *options, '--by', commit.strip()],
                              dict(os.environ), 1200)
    if code == 77:
        raise common.Skip(output.strip().splitlines()[-1])
    if code != 0:
        raise common.Problem(f'{common.describe(code)}\n{output.strip()[-3000:]}')
    return output.strip().splitlines()[-1]


@check('hazards/messages')
def _():
    """What is found is an application's to hear: KHR_debug."""
    name, _, bad, good = next(one for one in hazard_programs.faults() if one[0] == 'races/neighbour/shared-uint')
    with tempfile.TemporaryDirectory(prefix='atoll-sanitizer-') as folder:
        for text, expected in ((bad, True), (good, False)):
            path = os.path.join(folder, 'script.txt')
            with open(path, 'w', encoding='utf-8') as out:
                out.write(text)
            output, found = findings([common.tool('gl-script'), '--messages', path], 'default')
            heard = [line[20:] for line in output.splitlines() if line.startswith('message: sanitizer: ')]
            if heard != [one['text'] for one in found] or bool(heard) != expected:
                raise common.Problem(f'{name}: heard {heard}, found {found}')
    return f'{name}: a message'


@check('hazards/planted')
def _():
    """Of the planted faults, a fifth: each is found, and its mended twin has none."""
    return by_commit('hazards', '--fraction', '0.2')


@check('hazards/piglit')
def _():
    """No false report in a tenth of piglit's programs for OpenGL 4.2 and 4.3."""
    return by_commit('piglit', '--sanitize', '--quiet', '--timeout', str(60 * common.SLOWER), '--fraction', '0.1', 'gl43')


@check('control/hazards')
def _():
    must_fail('hazards/found', 'race-neighbour: nothing instead of races', check_hazards, **NOTHING)
