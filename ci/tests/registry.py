# SPDX-License-Identifier: MIT
"""What the checks of ./atoll test share: their list, what counts as a failure, and the ways to run the device."""
import os
import re

import common

FOLDER = os.path.join(common.OUT, 'test')
CHECKS = []


def check(name):
    """Declares a check: a function that returns a note or nothing, and raises common.Problem."""
    def declare(function):
        CHECKS.append((name, function))
        return function
    return declare

# Atoll's driver on a device of another instruction set (common.ISAS), and where that has all of
# OpenGL; ATTILA has 2.1.
OTHER_ISAS = ('valhall', 'attila')
WHOLE_ISAS = ('valhall',)

# Stock r600 and Atoll's driver on a chip of five slots, and stock r600 on one of R700 and of R600; the others differ
# from these by a row of include/atoll/chips.def.
CHIPS = ('r600-turks', 'atoll-turks', 'r600-rv770', 'r600-r600')

# A device that may execute nothing: no shader runs.  What passes on it would pass without a device.
NOTHING = {'ATOLL_BUDGET': '1c'}

# How the programs of ci/gl end that find wrong values: not by a signal, and not for what is missing.
WRONG_VALUES = r'(\{.*\}: )?exit code 1\n'


def must_fail(what, planted, function, *arguments, **variables):
    """A check that has to fail, and for what was planted: PLANTED is the beginning of what it then says."""
    try:
        function(*arguments, **variables)
    except common.Problem as problem:
        if re.match(planted, str(problem)):
            return
        raise common.Problem(f'{what} fails for another reason than the one that was planted: {problem}') from None
    raise common.Problem(f'{what} would pass without the device')


def variants():
    """Numbers of threads, instruction sets, interpreted, and a device in another process: none may be told from the
    others."""
    with open('/proc/cpuinfo', encoding='utf-8') as file:
        flags = file.read()
    simds = ['sse2'] + ['avx2'] * (' avx2 ' in flags) + ['avx512'] * (' avx512bw ' in flags)
    return ([{'ATOLL_THREADS': str(n)} for n in (1, 2, 4)] + [{'ATOLL_SIMD': s} for s in simds] +
            [{'ATOLL_NATIVE': '0'}, {'ATOLL_DEVICE': 'process'}])


def ended_well(driver, code, output):
    """Believe a program's output: it ran on DRIVER, to its end."""
    if code != 0:
        raise common.Problem(f'{common.describe(code)}\n{output.strip()[-2000:]}')
    common.check_renderer(driver, common.renderer_line(output))


def check_program(name, driver, several, *arguments, **more):
    """All cases of a program hold; with `several`, on any number of threads and instruction set."""
    for variables in variants() if several else [{}]:
        env = common.applied(common.environment(driver), MESA_SHADER_CACHE_DISABLE='true', **variables,
                             **more)
        code, output = common.run([common.tool(name), *arguments], env, 120)
        try:
            ended_well(driver, code, output)
        except common.Problem as problem:
            raise common.Problem(f'{variables}: {problem}') from problem
    return output.strip().splitlines()[-1] + ' cases'
