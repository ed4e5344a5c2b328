// A page's WebGL 2 in Chromium, by Playwright: who draws, and what a shader's pixels are.
const { test, expect } = require('@playwright/test');

test.use({
  launchOptions: {
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=gl-egl', '--ignore-gpu-blocklist'],
  },
});

// Runs in the page.
function draw() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const program = gl.createProgram();
  for (const [kind, text] of [
    [gl.VERTEX_SHADER,
      'void main() { gl_Position = vec4(ivec2(gl_VertexID & 1, gl_VertexID / 2) * 4 - 1, 0, 1); }'],
    [gl.FRAGMENT_SHADER, 'precision highp float; out vec4 colour;' +
      'void main() { colour = vec4(floor(gl_FragCoord.xy) / 255.0, 0.2, 1); }']]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, '#version 300 es\n' + text);
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
}

test('WebGL', async ({ page }) => {
  const [renderer, pixel] = await page.evaluate(draw);
  expect(renderer).toContain('AMD CAYMAN (atoll');
  expect(pixel).toEqual([70, 33, 51, 255]);
});
