# SPDX-License-Identifier: MIT
"""Other people's programs: glmark2, four of ./atoll apps, SDL's tests; glxgears' memory."""
import functools
import os
import re
import subprocess
import time

import applications
import common
from tests.registry import CHECKS, FOLDER, NOTHING, OTHER_ISAS, check, must_fail


@functools.lru_cache(maxsize=None)
def mark_picture(driver, name):
    """The path of a scene's tenth frame."""
    command = ['glxgears'] if name == 'glxgears' else ['glmark2', '-b', name]
    path = os.path.join(FOLDER, 'glmark2', f'{name}-{driver}.png')
    common.picture(driver, command, 10, path)
    return path


def check_mark(driver, name):
    path = mark_picture(driver, name)
    # Terrain's ground is noise of a pixel's size: Debian's softpipe and llvmpipe differ by 8.1 %
    # and 4.0 there, and by at most 1.3 % and 0.6 in every other scene.
    same, text = common.same_picture(path, mark_picture('llvmpipe', name), 3 if name == 'terrain' else 1)
    if not same:
        raise common.Problem(f"not llvmpipe's picture: {text} ({os.path.relpath(path, common.TOP)})")
    return text


for _name in ('glxgears',) + common.SCENES:
    CHECKS.append((f'glmark2/{_name}', lambda name=_name: check_mark('atoll', name)))
for _driver in OTHER_ISAS:
    for _name in ('glxgears',) + common.SCENES:
        CHECKS.append((f'glmark2/{_driver}/{_name}',
                       lambda driver=_driver, name=_name: check_mark(driver, name)))


@check('glmark2/validate')
def _():
    """glmark2's own judgement of each scene is llvmpipe's."""
    answers = {}
    for driver in ('llvmpipe', 'atoll'):
        env = common.applied(common.environment(driver))
        code, output = common.run(['glmark2', '--validate'], env, 600)
        if code != 0:
            raise common.Problem(f'{driver}: {common.describe(code)}\n{output.strip()[-1000:]}')
        common.check_renderer(driver, common.renderer_line(output))
        answers[driver] = dict(re.findall(r'^\[(\w+\] .*): Validation: (\w+)', output, re.M))
    wrong = [f'{name}: {answers["atoll"].get(name)}, llvmpipe {answer}'
             for name, answer in answers['llvmpipe'].items() if answers['atoll'].get(name) != answer]
    if wrong or not answers['llvmpipe']:
        raise common.Problem('; '.join(wrong) or 'glmark2 validated nothing')
    return f"{len(answers['atoll'])} scenes"


# Four programs of ./atoll apps -------------------------------------------------------------------------

APPS = common.load('apps')

for _name in applications.LIGHT:
    CHECKS.append((f'apps/{_name}', lambda name=_name: APPS.check(name)))


@check('control/apps')
def _():
    for name in applications.LIGHT:
        must_fail(f'apps/{name}', r"not llvmpipe's picture|\S+ is empty", APPS.check, name, **NOTHING)
    return f'{len(applications.LIGHT)} programs'


# Another project's own tests --------------------------------------------------------------------------

@check('suites/sdl2')
def _():
    """The lightest of ci/suites: SDL's tests of its renderers, as Debian packages them."""
    suites = common.load('suites')
    text, good = suites.judge(next(suite for suite in suites.SUITES if suite.name == 'sdl2'))
    if not good:
        raise common.Problem(text)
    return text


@check('memory/glxgears')
def _():
    """At most 150 MB resident, after three seconds of drawing."""
    process = subprocess.Popen(['glxgears'], env=common.applied(common.environment('atoll')),
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, preexec_fn=common.die_with_parent)
    try:
        time.sleep(3)
        if process.poll() is not None:
            raise common.Problem(f'glxgears ended: {common.describe(process.returncode)}')
        with open(f'/proc/{process.pid}/status', encoding='ascii') as file:
            peak = int(re.search(r'VmHWM:\s*(\d+)', file.read()).group(1)) / 1024
    finally:
        process.kill()
        process.wait()
    if peak > 150:
        raise common.Problem(f'{peak:.0f} MB resident, 150 allowed')
    return f'{peak:.0f} MB resident'
