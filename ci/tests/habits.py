# SPDX-License-Identifier: MIT
"""The tasks of `./atoll bench --only habits`: what each of them does is what it does in llvmpipe."""
import functools
import re

import common
from tests.registry import CHECKS, NOTHING, OTHER_ISAS, WRONG_VALUES, check, ended_well, must_fail


def habit_sums(driver, **variables):
    """{task: the numbers of its result} of gl-habits, after a first frame each."""
    env = common.applied(common.environment(driver), MESA_SHADER_CACHE_DISABLE='true', **variables)
    code, output = common.run([common.tool('gl-habits'), '--seconds', '0'], env, 300)
    ended_well(driver, code, output)
    return {name: numbers.split() for name, numbers in re.findall(r'^(\S+) [\d.]+ ms (.*)$', output, re.M)}


@functools.lru_cache(maxsize=None)
def expected_sums():
    return habit_sums('llvmpipe')


def check_habits(driver, **variables):
    """Every task does something (gl-habits says), and what it does in llvmpipe."""
    ours, theirs = habit_sums(driver, **variables), expected_sums()
    wrong = [name for name, sums in ours.items() if common.other_sums(sums, theirs.get(name, []))]
    if wrong or not ours:
        raise common.Problem(f"not llvmpipe's results: {', '.join(wrong)}")
    return f'{len(ours)} tasks'


for _driver in ('atoll', *OTHER_ISAS):
    CHECKS.append((f'habits/{_driver}', lambda driver=_driver: check_habits(driver)))


@check('habits/control')
def _():
    must_fail('habits/atoll', WRONG_VALUES, check_habits, 'atoll', **NOTHING)
