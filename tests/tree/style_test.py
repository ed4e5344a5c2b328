#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""That style.py finds what it is there to find."""
import os
import shutil
import tempfile
import unittest

import style

GOOD = '''/* A comment. */
int
f(int a)
{
   if (a)
      return sizeof(a);
   return 0;
}
'''


class Lines(unittest.TestCase):
    def test_good(self):
        self.assertEqual(style.check_lines('a.c', GOOD), [])

    def test_sizeof(self):
        self.assertIn('a.c:2: sizeof', style.check_lines('a.c', '\nx = sizeof *p;\n')[0])
        self.assertEqual(style.check_lines('a.c', '/* sizeof x */\ny = sizeof(x); /* sizeof x */\n'), [])

    def test_long_comment(self):
        self.assertIn('101 columns', style.check_lines('a.c', '/*' + 99 * 'x' + '\n')[0])
        free = '/* clang-format off */\n * ' + 99 * 'x' + '\n/* clang-format on */\n'
        self.assertEqual(style.check_lines('a.c', free), [])


@unittest.skipUnless(shutil.which('clang-format'), 'clang-format is not there')
class Format(unittest.TestCase):
    def run_on(self, text):
        with tempfile.TemporaryDirectory() as root:
            here = os.path.dirname(os.path.abspath(__file__))
            shutil.copy(os.path.join(here, '..', '..', '.clang-format'), root)
            with open(os.path.join(root, 'a.c'), 'w', encoding='utf-8') as file:
                file.write(text)
            return style.check_format(root, ['a.c'])

    def test_good(self):
        self.assertEqual(self.run_on(GOOD), [])

    def test_braces(self):
        braces = GOOD.replace('if (a)\n', 'if (a) {\n').replace('sizeof(a);\n', 'sizeof(a);\n   }\n')
        self.assertEqual(self.run_on(braces), ['a.c: clang-format would change it'])


if __name__ == '__main__':
    unittest.main()
