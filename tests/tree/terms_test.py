#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""That terms.py finds what it is there to find."""
import os
import tempfile
import unittest

import terms

PAGE = '''Terms
=====

.. glossary::

   live-out
      A value that is read after it.
      ``src/live.c``

   divergence
      Lanes go apart.  ``src/live.c``

Other
-----
'''


class Words(unittest.TestCase):
    def words(self, comment):
        return [word for _, word in terms.private_words(comment)]

    def test_found(self):
        for text in ('/* Who reads it. */', '// the place', '/* a piece of it */', '/* Its\n *\n * home. */',
                     '/* what is behind it */', '/* in\n * turn */', '/* the turns */', '/* those whose mask */'):
            self.assertEqual(len(self.words(text)), 1, text)

    def test_not_found(self):
        for text in ('/* turns A into B; a whole; see place_registers.c, turns.c and td/pieces.h */', '"the place"',
                     '/* `home` */ int place;', 'int home; /* wholly */', '/* marketplace */', '/* a.place */'):
            self.assertEqual(self.words(text), [], text)

    def test_line(self):
        self.assertEqual(terms.private_words('int i;\n/* So\n *  it    is a\n * place */'), [(4, 'place')])


class Tree(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.write('docs/terms.rst', PAGE)
        self.write('tests/tree/words.txt', '# not yet\nsrc/old.c\n')
        self.write('src/old.c', '/* the place */\n')
        self.write('src/live.c', '/* Live-outs of lanes that diverge. */\n')

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)

    def check(self):
        return terms.check_terms(self.folder.name) + terms.check_words(self.folder.name)[0]

    def test_well(self):
        self.assertEqual(self.check(), [])

    def test_new_word(self):
        self.write('src/new.h', '\n/* behind it */\n')
        self.assertEqual(self.check(), ['src/new.h:2: "behind": docs/terms.rst has what to say'])

    def test_shrinks(self):
        self.write('src/old.c', '/* the slot */\n')
        self.assertEqual(self.check(), ['tests/tree/words.txt: src/old.c has no private words any more: off the list'])

    def test_gone(self):
        self.write('tests/tree/words.txt', 'src/old.c\nsrc/gone.c\n')
        self.assertEqual(self.check(), ['tests/tree/words.txt: there is no src/gone.c any more: off the list'])

    def test_term_unused(self):
        self.write('src/live.c', '/* Live-outs. */\n')
        self.assertEqual(self.check(), ['docs/terms.rst: src/live.c does not use divergence'])

    def test_term_without_file(self):
        self.write('docs/terms.rst', PAGE.replace('``src/live.c``', 'there', 1))
        self.assertEqual(self.check(), ['docs/terms.rst: live-out ends with no ``file``'])

    def test_term_twice(self):
        self.write('docs/terms.rst', PAGE + PAGE)
        self.assertEqual(len(self.check()), 4)

    def test_no_terms(self):
        self.write('docs/terms.rst', 'Terms\n')
        self.assertEqual(self.check(), ['docs/terms.rst: no terms'])


if __name__ == '__main__':
    unittest.main()
