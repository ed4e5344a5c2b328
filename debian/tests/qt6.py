"""A window of Qt 6 that is drawn by OpenGL: what its frame holds, and who drew it."""
import sys

from OpenGL import GL
from PyQt6.QtCore import QRect, Qt, QTimer
from PyQt6.QtGui import QColor, QPainter
from PyQt6.QtOpenGLWidgets import QOpenGLWidget
from PyQt6.QtWidgets import QApplication

OUTSIDE, INSIDE = (64, 128, 191), (255, 160, 32)


class Window(QOpenGLWidget):
    renderer = ''

    def initializeGL(self):
        self.renderer = GL.glGetString(GL.GL_RENDERER).decode()

    def paintGL(self):
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(*OUTSIDE))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(*INSIDE))
        painter.drawEllipse(QRect(50, 0, 100, 100))
        painter.end()


app = QApplication(sys.argv)
window = Window()
window.resize(200, 100)
window.show()


def look():
    frame = window.grabFramebuffer()
    found = [frame.pixelColor(x, y).getRgb()[:3] for x, y in ((10, 50), (100, 50), (190, 50))]
    print('pixels', *found)
    print('GL_RENDERER:', window.renderer)
    app.exit(found != [OUTSIDE, INSIDE, OUTSIDE] or 'AMD CAYMAN (atoll' not in window.renderer)


QTimer.singleShot(1000, look)
sys.exit(app.exec())
