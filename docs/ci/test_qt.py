"""A window of Qt 6 that OpenGL draws, for pytest: who draws, and what is seen."""
import sys

import pytest
from OpenGL import GL
from PyQt6.QtGui import QColor
from PyQt6.QtOpenGLWidgets import QOpenGLWidget
from PyQt6.QtWidgets import QApplication


class Window(QOpenGLWidget):
    renderer = ''

    def initializeGL(self):
        self.renderer = GL.glGetString(GL.GL_RENDERER).decode()

    def paintGL(self):
        GL.glClearColor(0.2, 0.4, 0.6, 1)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT)
        GL.glColor3f(1.0, 0.8, 0.0)
        GL.glRectf(-0.5, -0.5, 0.5, 0.5)


@pytest.fixture
def window():
    app = QApplication(sys.argv[:1])
    one = Window()
    one.resize(200, 100)
    one.show()
    app.processEvents()
    yield one
    one.close()


def test_renderer(window):
    window.grabFramebuffer()
    assert 'AMD CAYMAN (atoll' in window.renderer


def test_picture(window):
    frame = window.grabFramebuffer()
    assert frame.pixelColor(100, 50) == QColor(255, 204, 0)
    assert frame.pixelColor(20, 10) == QColor(51, 102, 153)
