# SPDX-License-Identifier: MIT
"""The tables in docs/ of what piglit's sweeps passed are those of the committed results."""
import glob
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, os.path.join(TOP, 'ci'))
import common

piglit = common.load('piglit')

stale = 0
tables = glob.glob(os.path.join(TOP, 'docs', 'conformance-*.csv'))
for path in sorted(tables):
    version, profile = re.search(r'conformance-(\d{8})-(.*)\.csv$', path).groups()
    # Whether that piglit is on the machine, another one, or none.
    piglit.piglit_version = lambda of=version: of
    with open(path, encoding='utf-8') as file:
        there = file.read().splitlines()
    if there != piglit.table(profile):
        stale += 1
        print(f'{os.path.relpath(path, TOP)} is not of the committed results: '
              f"'./atoll piglit --write-table {profile}' with piglit {version} writes it")
print(f'{len(tables)} tables, {stale} stale')
sys.exit(stale != 0 or not tables)
