#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Assembles the folder that LD_LIBRARY_PATH names.

    assemble.py STAMP FOLDER MESA-BUILD-FOLDER LIBRARY...

Each library is copied under its soname, so that the run path of the build tree (which leads to
Mesa's own libgallium) no longer matches anything.  Beside them: gbm/dri_gbm.so, GBM's backend, as a
link, since Mesa gives its target no name; and egl_vendor.json for glvnd.
"""
import json
import os
import re
import shutil
import subprocess
import sys


def soname(path):
    dynamic = subprocess.run(['readelf', '-d', path], check=True, text=True, stdout=subprocess.PIPE,
                             env=dict(os.environ, LC_ALL='C')).stdout
    found = re.search(r'\(SONAME\).*\[(.*)\]', dynamic)
    if not found:
        sys.exit(f'atoll: {path} has no soname')
    return found.group(1)


def place(source, target):
    # A running program keeps its mapping: replace the file, never write into it.
    shutil.copy2(source, target + '.new')
    os.replace(target + '.new', target)


def main():
    stamp, folder, mesa = sys.argv[1:4]
    os.makedirs(os.path.join(folder, 'gbm'), exist_ok=True)
    for library in sys.argv[4:]:
        place(library, os.path.join(folder, soname(library)))

    backend = os.path.join(folder, 'gbm', 'dri_gbm.so')
    target = os.path.relpath(os.path.join(mesa, 'src/gbm/backends/dri/dri_gbm.so'),
                             os.path.dirname(backend))
    if os.path.lexists(backend):
        os.remove(backend)
    os.symlink(target, backend)

    with open(os.path.join(folder, 'egl_vendor.json'), 'w', encoding='utf-8') as file:
        json.dump({'file_format_version': '1.0.0',
                   'ICD': {'library_path': os.path.abspath(
                       os.path.join(folder, 'libEGL_mesa.so.0'))}}, file, indent=3)
        file.write('\n')
    with open(stamp, 'w', encoding='utf-8'):
        pass


main()
