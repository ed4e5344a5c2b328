#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""That includes.py finds what it is there to find, in small trees of its own."""
import os
import tempfile
import unittest

import includes

TREE = {
    'include/atoll/api.h': '',
    'src/il/il.h': '#include <stdint.h>\n#include <atoll/api.h>\n',
    'src/il/il.c': '#include "il.h"\n',
    'src/driver/driver.c': '#include "util/u_math.h"\n# include "il/il.h"\n',
    'emulator/kernel.h': '',
    'emulator/a/a.h': '#include "kernel.h"\n#include "a/made.h"\n',
    'emulator/a/made.h.in': '',
    'emulator/b/b.c': '#include "a/a.h"\n',
}
LIST = '''
[allowed]
src/il: include/atoll
src/driver: mesa src/il  # a comment
emulator/a: emulator/kernel.h
emulator/b: emulator/a
[to be removed]
'''
CIRCLE = {'emulator/a/a.c': '#include "b/b.h"\n', 'emulator/b/b.h': ''}


class Includes(unittest.TestCase):
    def check(self, files=None, text=LIST):
        """What is wrong with TREE and some more files, and its circles."""
        with tempfile.TemporaryDirectory() as root:
            for name, content in {**TREE, **(files or {})}.items():
                os.makedirs(os.path.join(root, os.path.dirname(name)), exist_ok=True)
                with open(os.path.join(root, name), 'w') as file:
                    file.write(content)
            with open(os.path.join(root, 'list'), 'w') as file:
                file.write(text)
            wrong, circles, leaving = includes.check(root, os.path.join(root, 'list'))
            return [line.replace(root + '/', '') for line in wrong], circles, leaving

    def test_good(self):
        self.assertEqual(self.check(), ([], [], 0))

    def test_not_allowed(self):
        self.assertEqual(self.check({'emulator/a/more.c': '\n#include "kernel.h"\n#include "b/b.h"\n',
                                     'emulator/b/b.h': ''})[0],
                         ['emulator/a/more.c:3: emulator/a may not include emulator/b'])
        self.assertEqual(self.check({'src/il/x.c': '#include "util/a.h"\n#include "util/b.h"\n'})[0],
                         ['src/il/x.c:1: src/il may not include mesa (nor do 1 other lines)'])

    def test_not_needed(self):
        self.assertEqual(self.check(text=LIST.replace('src/il  #', 'src/il emulator/nowhere  #'))[0],
                         ['list: src/driver: emulator/nowhere is not needed any more'])
        self.assertEqual(self.check(text=LIST + 'emulator/a: emulator/b\n')[0],
                         ['list: emulator/a: emulator/b is not needed any more'])

    def test_knows_nothing_of(self):
        """A header's header counts, and what is allowed does not."""
        text = LIST + '[knows nothing of]\nemulator/b: emulator/kernel.h\n'
        self.assertEqual(self.check(text=text)[0],
                         ['emulator/b/b.c:1: emulator/a/a.h leads to emulator/kernel.h: emulator/b '
                          'knows nothing of it'])
        self.assertEqual(self.check(text=LIST + '[knows nothing of]\nemulator/b: include/atoll\n')[0], [])
        self.assertEqual(self.check({'tests/chip/model/chip.c': '#include "a/a.h"\n'})[0],
                         ['tests/chip/model/chip.c:1: tests/chip/model may not include emulator/a'])

    def test_source_into_emulator(self):
        """No list allows that."""
        wrong, _, _ = self.check({'src/il/x.c': '#include "a/a.h"\n'},
                                 LIST.replace('src/il: include/atoll', 'src/il: include/atoll emulator/a'))
        self.assertEqual(wrong, ['src/il/x.c:1: src/ includes emulator/a/a.h: nothing there may look into the '
                                 'emulator'])

    def test_not_found(self):
        self.assertEqual(self.check({'emulator/b/x.c': '#include "a/none.h"\n'})[0],
                         ['emulator/b/x.c:1: a/none.h is no header of the tree'])

    def test_circles(self):
        allowed = LIST.replace('emulator/a: ', 'emulator/a: emulator/b ')
        wrong, circles, _ = self.check(CIRCLE, allowed)
        self.assertEqual(wrong, ['list: a circle of allowed directions: emulator/a emulator/b'])
        self.assertEqual(circles, [['emulator/a', 'emulator/b']])
        self.assertEqual(self.check(CIRCLE, LIST + 'emulator/a: emulator/b\n'),
                         ([], [['emulator/a', 'emulator/b']], 1))
        # To be removed: nothing but what closes a circle.
        text = LIST.replace('emulator/b: emulator/a\n', '') + 'emulator/b: emulator/a\n'
        self.assertEqual(self.check(text=text)[0],
                         ['list: emulator/b: emulator/a closes no circle: it can be [allowed], or go'])

    def test_components(self):
        edges = ['ab', 'bc', 'ca', 'cd', 'de', 'ed', 'ef', 'ga', 'hh']
        self.assertEqual(includes.circles(tuple(e) for e in edges), [['a', 'b', 'c'], ['d', 'e']])

    def test_lines(self):
        self.assertEqual(self.check(text=LIST + 'emulator/a\nemulator/b: emulator/a\n')[0],
                         ['list:8: not [allowed], [to be removed], [knows nothing of] or FROM: TO...',
                          'list:9: emulator/b: emulator/a stands there twice',
                          'list: emulator/b: emulator/a closes no circle: it can be [allowed], or go'])


unittest.main()
