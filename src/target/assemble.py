#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Assembles the folder that LD_LIBRARY_PATH names.

    assemble.py STAMP FOLDER MESA-BUILD-FOLDER LIBRARY...
    assemble.py --install LIBDIR

Each library is copied under its soname, and its run path, which leads through the build tree to
Mesa's own libgallium, becomes its own folder.  Beside them: gbm/dri_gbm.so, GBM's backend, as a
link, since Mesa gives its target no name; and egl_vendor.json for glvnd.

With --install, which Meson runs, the build's go into LIBDIR/atoll below its prefix: names without
a folder in egl_vendor.json, so that all of it can be moved.
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


def place(source, target, home='$ORIGIN'):
    """A copy of SOURCE that looks for others of its kind in HOME."""
    with open(source, 'rb') as file:
        data = file.read()
    old = re.search(rb'\$ORIGIN/[./]*gallium/targets/dri[^\0]*', data)
    if old:
        new = home.encode().ljust(len(old.group()), b'\0')
        data = data[:old.start()] + new + data[old.end():]
    # A running program keeps its mapping: replace the file, never write into it.
    with open(target + '.new', 'wb') as file:
        file.write(data)
    shutil.copystat(source, target + '.new')
    os.replace(target + '.new', target)


def vendor(path, library):
    with open(path, 'w', encoding='utf-8') as file:
        json.dump({'file_format_version': '1.0.0', 'ICD': {'library_path': library}}, file, indent=3)
        file.write('\n')


def install(folder):
    """Into <prefix>/<libdir>/atoll of Meson's environment; sys.argv[2] is the libdir."""
    target = os.path.join(os.environ['MESON_INSTALL_DESTDIR_PREFIX'], sys.argv[2], 'atoll')
    os.makedirs(os.path.join(target, 'gbm'), exist_ok=True)
    for name in sorted(os.listdir(folder)):
        if '.so' in name:
            place(os.path.join(folder, name), os.path.join(target, name))
    place(os.path.join(folder, 'gbm', 'dri_gbm.so'), os.path.join(target, 'gbm', 'dri_gbm.so'),
          '$ORIGIN/..')
    vendor(os.path.join(target, 'egl_vendor.json'), 'libEGL_mesa.so.0')


def main():
    if sys.argv[1] == '--install':
        install(os.path.join(os.environ['MESON_BUILD_ROOT'], 'lib'))
        return
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

    vendor(os.path.join(folder, 'egl_vendor.json'),
           os.path.abspath(os.path.join(folder, 'libEGL_mesa.so.0')))
    with open(stamp, 'w', encoding='utf-8'):
        pass


main()
