// Lines over the picture: the trail of a body and the edges of a periodic box, as quads of a constant width in pixels.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
import { program } from "./gl.js";

const vertex = `
in vec4 from, to;  // positions relative to the camera's centre, and opacity
uniform mat4 toClip;
uniform vec2 pixels;
uniform float width;
out float opacity, across;
void main() {
  vec4 a = toClip * vec4(from.xyz, 1.), b = toClip * vec4(to.xyz, 1.);
  if (a.w < 1e-3 || b.w < 1e-3) { gl_Position = vec4(2., 2., 2., 1.); return; }
  vec2 along = (b.xy / b.w - a.xy / a.w) * pixels;
  along = length(along) > 1e-6 ? normalize(along) : vec2(1., 0.);
  bool end = (gl_VertexID & 1) == 1;
  across = (gl_VertexID & 2) == 2 ? 1. : -1.;
  vec4 p = end ? b : a;
  opacity = end ? to.w : from.w;
  gl_Position = vec4(p.xy + across * (width + 1.) * vec2(-along.y, along.x) / pixels * p.w, 0., p.w);
}`;

const fragment = `
in float opacity, across;
uniform vec3 colour;
uniform float width;
out vec4 result;
void main() {
  float edge = clamp((1. - abs(across)) * (width + 1.) / 2., 0., 1.);
  result = vec4(colour, 1.) * opacity * edge;
}`;

export class Lines {
  #gl;
  #pass;
  #array;
  #buffer;

  constructor(gl) {
    this.#gl = gl;
    this.#pass = program(gl, vertex, fragment);
    this.#array = gl.createVertexArray();
    this.#buffer = gl.createBuffer();
    gl.bindVertexArray(this.#array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
    ["from", "to"].forEach((name, k) => {
      const place = gl.getAttribLocation(this.#pass.program, name);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, 4, gl.FLOAT, false, 32, 16 * k);
      gl.vertexAttribDivisor(place, 1);
    });
    gl.bindVertexArray(null);
  }

  // `segments` are pairs of [position, opacity]; `colour` is 0 to 1; the target is the canvas as it is bound.
  draw(camera, segments, colour, width, pixels) {
    if (!segments.length) return;
    const gl = this.#gl, { centre } = camera, values = new Float32Array(8 * segments.length);
    segments.forEach((ends, i) => ends.forEach(([p, opacity], k) => {
      values.set([p[0] - centre[0], p[1] - centre[1], p[2] - centre[2], opacity], 8 * i + 4 * k);
    }));
    gl.useProgram(this.#pass.program);
    gl.bindVertexArray(this.#array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffer);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STREAM_DRAW);
    gl.uniformMatrix4fv(this.#pass.at.toClip, false, camera.toClip(centre));
    gl.uniform2f(this.#pass.at.pixels, ...pixels);
    gl.uniform1f(this.#pass.at.width, width);
    gl.uniform3f(this.#pass.at.colour, ...colour);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, segments.length);
    gl.disable(gl.BLEND);
    gl.bindVertexArray(null);
  }
}

// The twelve edges of a box.
export function edges(corner, size, opacity) {
  const at = k => [0, 1, 2].map(d => corner[d] + (k >> d & 1 ? size[d] : 0)), made = [];
  for (let k = 0; k < 8; ++k)
    for (let d = 0; d < 3; ++d)
      if (!(k >> d & 1)) made.push([[at(k), opacity], [at(k | 1 << d), opacity]]);
  return made;
}
