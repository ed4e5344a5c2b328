#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""That names.py finds what it is there to find."""
import unittest

import names

PATHS = ['emulator/a/one.c', 'emulator/a/lift_alu.c', 'emulator/b/two.h', 'include/atoll/b.h', 'src/il/opcodes.def']


class Names(unittest.TestCase):
    def check(self, text):
        return names.check('emulator/a/one.c', text, PATHS)

    def test_there(self):
        for name in ('one.c', 'lift*.c', 'b/two.h', 'emulator/b/two.h', 'atoll/b.h', 'radeon_drm.h', 'il/opcodes.def'):
            self.assertEqual(self.check(f'/* See {name}: so\n * be it ({name}). */'), [], name)

    def test_not_there(self):
        for name in ('two.h', 'three.c', 'a/two.h', 'alu*.c', 'wo.h', 'opcodes.def'):
            self.assertEqual(len(self.check(f'int i;\n/* So\n * be it ({name}). */')), 1, name)

    def test_where(self):
        wrong = self.check('int i;\n/* So\n * be it (three.c). */\n')
        self.assertTrue(wrong[0].startswith('emulator/a/one.c:3: there is no three.c'), wrong)

    def test_page(self):
        def page(text):
            return names.check('docs/page.rst', text, PATHS + ['piglit-profiles/all.txt.gz'])

        self.assertEqual(page('``one.c``, ``b/two.h``, ``emulator/a/lift*.c``, ``all.txt.gz``; three.c is no quote'), [])
        for name in 'three.c', 'b/one.c', 'emulator/b/lift*.c', 'all.txt', 'none.txt.gz':
            self.assertEqual(page(f'So\nbe it ``{name}``.'), [f'docs/page.rst:2: there is no {name}'])

    def test_functions(self):
        words = set(names.words_of_code('/* gone() */ int kept(void) { return other("/* text */", \'"\'); }'))
        for path, text in (('a.c', '/* kept() and other(): there; x->gone() is no function; bitselect() is OpenCL\'s */'),
                           ('page.rst', '``kept()``, and gone() without quotes')):
            self.assertEqual(names.check_functions(path, text, words), [])
        self.assertEqual(names.check_functions('a.c', '/* So\n * does gone(). */', words), ['a.c:2: there is no gone()'])
        self.assertEqual(names.check_functions('page.rst', '``gone()``', words), ['page.rst:1: there is no gone()'])

    def test_comments_alone(self):
        self.assertEqual(self.check('#include "three.h"\nconst char *name = "three.c";\n'), [])


if __name__ == '__main__':
    unittest.main()
