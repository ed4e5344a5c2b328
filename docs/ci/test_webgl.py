"""A page's WebGL 2 in Chromium, by Selenium, for pytest: who draws, and what a shader's pixels are."""
import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

PAGE = """
const canvas = document.createElement('canvas'), gl = canvas.getContext('webgl2');
const program = gl.createProgram();
for (const [kind, text] of [
    [gl.VERTEX_SHADER, 'void main() { gl_Position = vec4(ivec2(gl_VertexID & 1, gl_VertexID / 2) * 4 - 1, 0, 1); }'],
    [gl.FRAGMENT_SHADER, 'precision highp float; out vec4 colour;' +
        'void main() { colour = vec4(floor(gl_FragCoord.xy) / 255.0, 0.2, 1); }']]) {
  const shader = gl.createShader(kind);
  gl.shaderSource(shader, '#version 300 es\\n' + text);
  gl.compileShader(shader);
  gl.attachShader(program, shader);
}
gl.linkProgram(program);
gl.useProgram(program);
gl.drawArrays(gl.TRIANGLES, 0, 3);
const pixel = new Uint8Array(4);
gl.readPixels(70, 33, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
const names = gl.getExtension('WEBGL_debug_renderer_info');
return [gl.getParameter(names.UNMASKED_RENDERER_WEBGL), Array.from(pixel)];
"""


@pytest.fixture
def browser():
    options = webdriver.ChromeOptions()
    for word in ('no-sandbox', 'use-gl=angle', 'use-angle=gl-egl', 'ignore-gpu-blocklist'):
        options.add_argument('--' + word)
    driver = webdriver.Chrome(service=Service('/usr/bin/chromedriver'), options=options)
    yield driver
    driver.quit()


def test_webgl(browser):
    renderer, pixel = browser.execute_script(PAGE)
    assert 'AMD CAYMAN (atoll' in renderer
    assert pixel == [70, 33, 51, 255]
