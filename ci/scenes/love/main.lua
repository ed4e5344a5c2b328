-- SPDX-License-Identifier: MIT
-- Shapes, a mesh, a canvas and a shader of its own, the same in each frame.
function love.load()
  love.window.setMode(640, 480)
  canvas = love.graphics.newCanvas(256, 256)
  shader = love.graphics.newShader([[
    vec4 effect(vec4 colour, Image image, vec2 uv, vec2 place) {
      return Texel(image, uv + 0.02 * sin(uv.yx * 40.0)) * colour;
    }]])
end
function love.draw()
  love.graphics.clear(0.1, 0.2, 0.3)
  love.graphics.setCanvas(canvas)
  love.graphics.clear(0.8, 0.5, 0.2)
  for i = 0, 7 do
    love.graphics.setColor(i / 8, 1 - i / 8, 0.6)
    love.graphics.circle('fill', 32 * i + 16, 128 + 80 * math.sin(i), 40)
  end
  love.graphics.setCanvas()
  love.graphics.setColor(1, 1, 1)
  love.graphics.setShader(shader)
  love.graphics.draw(canvas, 40, 40, 0.2, 1.2, 1.2)
  love.graphics.setShader()
  love.graphics.setBlendMode('add')
  love.graphics.setColor(0.2, 0.5, 0.9, 0.5)
  love.graphics.polygon('fill', 300, 100, 600, 160, 560, 440, 280, 400)
  love.graphics.setBlendMode('alpha')
  love.graphics.setColor(1, 1, 1)
  love.graphics.print('Cayman', 340, 220, 0, 5, 5)
end
