// Helpers for WebGL2: programs, textures, targets.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0

export function program(gl, vertex, fragment) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, `#version 300 es\nprecision highp float;\nprecision highp int;\n${text}`);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(made));
  const places = {};
  for (let i = 0; i < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); ++i) {
    const { name } = gl.getActiveUniform(made, i);
    places[name.replace("[0]", "")] = gl.getUniformLocation(made, name);
  }
  return { program: made, at: places };
}

export function texture(gl, filter, smaller = filter) {
  const made = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, made);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, smaller);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  return made;
}

// A frame buffer with one texture of `levels` levels, which is drawn into at level 0.
export function target(gl, format, width, height, filter, levels = 1) {
  const image = texture(gl, filter, levels > 1 ? gl.LINEAR_MIPMAP_NEAREST : filter), buffer = gl.createFramebuffer();
  gl.texStorage2D(gl.TEXTURE_2D, levels, format, width, height);
  gl.bindFramebuffer(gl.FRAMEBUFFER, buffer);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, image, 0);
  return { image, buffer, width, height, levels };
}

export function release(gl, old) {
  if (!old) return;
  gl.deleteTexture(old.image);
  gl.deleteFramebuffer(old.buffer);
}

export function bind(gl, unit, image, place) {
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(gl.TEXTURE_2D, image);
  gl.uniform1i(place, unit);
}

// One triangle that covers the target; the fragment shader gets `at`, 0 to 1 from the lower left corner.
export const wholeTarget = `
out vec2 at;
void main() {
  at = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
  gl_Position = vec4(2. * at - 1., 0., 1.);
}`;
