#!/usr/bin/python3 -B
# SPDX-License-Identifier: MIT
"""What ci/corpus finds in the files of packages, and what it makes of it."""
import importlib.machinery
import importlib.util
import os
import sys
import unittest

CI = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'ci')
sys.path.insert(0, CI)
loader = importlib.machinery.SourceFileLoader('corpus', os.path.join(CI, 'corpus'))
corpus = importlib.util.module_from_spec(importlib.util.spec_from_loader('corpus', loader))
loader.exec_module(corpus)


class Texts(unittest.TestCase):
    def test_lines_of_javascript(self):
        text = 'x: [\n\n\t"void main() {", // a\n\n  // b\n  \'}\'\n\n].join( "\\n" ),\n'
        self.assertEqual(corpus.joined_lines(text), ['void main() {\n}'])
        self.assertEqual(corpus.joined_lines('x: [\n"a",\nf(),\n].join("")\n'), [])

    def test_strings(self):
        text = f'const a = `{"x" * 40} void main() {{}}`; b = `short main`;'
        self.assertEqual([inner for _, inner in corpus.inner_texts('a.js', text)], ['x' * 40 + ' void main() {}'])

    def test_includes(self):
        texts = {'a/main.frag': '', 'a/lib.glsl': '#version 120\nfloat f();', 'b/lib.glsl': 'other'}
        self.assertEqual(corpus.expanded('#include "lib.glsl"\nx\n', 'a/main.frag', texts), '\nfloat f();\n\nx\n')
        self.assertEqual(corpus.expanded('#stk_include "none.glsl"\nx', 'a/main.frag', texts), '\nx')


class Shaders(unittest.TestCase):
    def test_stage_by_name(self):
        for name in ('a.vert', 'a.vs', 'opengl_vertex.glsl', 'vs_normal.glsl'):
            self.assertEqual(corpus.stage_of(name, ''), corpus.VERTEX, name)
        for name in ('a.frag', 'gl_shader_frag_fonts.glsl'):
            self.assertEqual(corpus.stage_of(name, ''), corpus.FRAGMENT, name)

    def test_stage_by_contents(self):
        self.assertEqual(corpus.stage_of('a.glsl', 'gl_Position = x;'), corpus.VERTEX)
        self.assertEqual(corpus.stage_of('a.glsl', 'layout(location = 0) out vec4 c;'), corpus.FRAGMENT)
        self.assertEqual(corpus.stage_of('a.glsl', 'EmitVertex();'), corpus.GEOMETRY)
        self.assertIsNone(corpus.stage_of('a.glsl', 'float f() { return 1.0; }'))

    def test_versions(self):
        first = next(corpus.forms('#version 330 core\nvoid main() {}', corpus.FRAGMENT, ''))
        self.assertTrue(first.startswith('#version 330 compatibility\n'))
        firsts = [form.split('\n')[0] for form in corpus.forms('#version 300 es\nx', corpus.VERTEX, '')]
        self.assertEqual(firsts[0], '#version 330 compatibility')
        self.assertNotIn('#version 300', ' '.join(firsts))

    def test_pairs(self):
        for one, other in (('a/x.vert', 'a/x.frag'), ('opengl_vertex.glsl', 'opengl_fragment.glsl'), ('vs_n.glsl', 'fs_n.glsl')):
            self.assertEqual(corpus.stem_of(one), corpus.stem_of(other))
        self.assertNotEqual(corpus.stem_of('a.vert'), corpus.stem_of('b.frag'))


if __name__ == '__main__':
    unittest.main()
