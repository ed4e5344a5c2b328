# SPDX-License-Identifier: MIT
"""The unit tests (`meson test`), and the same under sanitizers."""
import json
import os
import re
import subprocess
import sys

import common
from tests.registry import CHECKS


def unit_tests(totals):
    common.say('atoll: unit tests')
    log = os.path.join(common.BUILD, 'meson-logs', 'testlog.json')
    if os.path.exists(log):
        os.remove(log)
    code = subprocess.call(
        ['meson', 'test', '-C', common.BUILD, '--no-rebuild', '--print-errorlogs',
         '--timeout-multiplier', '4', '--suite', 'atoll'],
        env=common.plain_environment(), stdin=subprocess.DEVNULL, stdout=sys.stderr)
    if not os.path.exists(log):
        raise common.Problem(f"'meson test' left no results ({common.describe(code)})")
    with open(log, encoding='utf-8') as file:
        for line in file:
            one = json.loads(line)
            if one['result'] in ('OK', 'EXPECTEDFAIL'):
                totals['passed'] += 1
            elif one['result'] == 'SKIP':
                totals['skipped'] += 1
            else:
                totals['failed'] += 1
                totals['names'].append(f"unit test {one['name']}: {one['result'].lower()}")


# The device and the compilers, which build without Mesa, under sanitizers; one by each compiler, and
# what clang built is compared with gcc's in streams/*.
# Languages and compilers have no threads, nor have tests of suite `one-thread`: TSan has nothing to
# find there.  Waves that are stepped (suite `stepped`) run the same code once more, many times slower.
# Limits of time only end what hangs: they are wide, for a busy machine and for TSan,
# which takes 30 times as long.
SANITIZERS = {
    'address': ('clang', ['-Dsanitize=address,undefined', '-Db_lundef=false'], ['tree', 'stepped']),
    'thread': ('gcc', ['-Dsanitize=thread'], ['tree', 'il', 'isa', 'compiler', 'one-thread', 'stepped']),
}


def sanitized(kind, steps):
    """Runs commands in the build under a sanitizer, which is set up first if it isn't there.  Each is
    a list of words, to which the folder is told by -C.  What the last one said."""
    compiler, options, _ = SANITIZERS[kind]
    folder = os.path.join(common.BUILD, 'sanitizer', kind)
    env = {**common.plain_environment(), 'CC': 'ccache ' + compiler,
           'CCACHE_BASEDIR': common.TOP, 'CCACHE_NOHASHDIR': '1',
           'UBSAN_OPTIONS': 'halt_on_error=1:abort_on_error=1:print_stacktrace=1'}
    steps = [[*step, '-C', folder] for step in steps]
    if not os.path.exists(os.path.join(folder, 'build.ninja')):
        steps.insert(0, ['meson', 'setup', '--native-file', os.path.join(common.TOP, 'ci', 'native.ini'),
                         '-Ddriver=false', *options, folder, common.TOP])
    for step in steps:
        code, output = common.run(step, env, 3600)
        if code != 0:
            raise common.Problem(f'{" ".join(step[:2])}: {common.describe(code)}\n{output[-6000:]}')
    return output


def check_sanitizer(kind):
    compiler, _, without = SANITIZERS[kind]
    output = sanitized(kind, [['ninja'], ['meson', 'test', '--no-rebuild', '--print-errorlogs',
                                          '--timeout-multiplier', '12',
                                          *(f'--no-suite={suite}' for suite in without)]])
    return f"{compiler}: {re.search(r'Ok: *([0-9]+)', output).group(1)} unit tests"


for _name in SANITIZERS:
    CHECKS.append((f'sanitizer/{_name}', lambda kind=_name: check_sanitizer(kind)))
