// Light: every body adds the same amount to a half-float target, spread over a round sprite as wide as its
// softening.
//
// The target holds colour times light, and light. Nothing is sorted and nothing hides anything, so a frame
// costs what its sprites cover. A density picture from the server is drawn into the same target and mapped
// alike, with the bodies that are nearest to the focus as sprites: the picture does not have their light.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
import { bind, program, release, target, texture, wholeTarget } from "./gl.js";
import { pointsOf } from "./frames.js";
import { light, table } from "./maps.js";

const KINDS = 16;       // of bodies that get a colour of their own
const WIDEST = 96;  // largest sprite in pixels: a body next to the eye must not cost a whole screen
// The light of exp(-4 r^2) within r < 1, over the square of the sprite's width.
const SPRITE = Math.PI * (1 - Math.exp(-4)) / 16;

const vertex = `
in vec3 place;
in float value;
in float kind;
uniform mat4 toClip;
uniform float softening, least, widest;
uniform bool byKind;
uniform vec3 kinds[${KINDS}];
uniform sampler2D map;
uniform bool count;
flat out vec4 tint;
flat out float width;
void main() {
  gl_Position = toClip * vec4(place, 1.);
  // Points beyond the box of the frame have a coordinate at its end: their position is unknown.
  if (any(equal(place, vec3(0.))) || any(equal(place, vec3(1.)))) gl_Position = vec4(2., 2., 2., 1.);
  if (count) {
    gl_PointSize = width = 1.;
    return;
  }
  width = clamp(softening / max(gl_Position.w, 1e-6), least, widest);
  gl_PointSize = width;
  vec3 colour = byKind ? kinds[int(kind) % ${KINDS}] : texture(map, vec2((value * 255. + .5) / 256., .5)).rgb;
  tint = vec4(colour, 1.) / (${SPRITE} * width * width);
}`;

const fragment = `
flat in vec4 tint;
flat in float width;
uniform bool count;
out vec4 light;
void main() {
  if (count) {
    light = vec4(1.);
    return;
  }
  vec2 d = 2. * gl_PointCoord - 1.;
  float r2 = dot(d, d);
  if (width > 1.5 && r2 > 1.) discard;
  light = width > 1.5 ? tint * exp(-4. * r2) : tint * ${SPRITE};
}`;

const picture = `
uniform sampler2D density;
uniform vec3 colour;
uniform float gain;      // pixels of the picture that one of this target covers
uniform mat3 toPicture;  // from this camera's plane to the one of the picture
in vec2 at;
out vec4 light;
void main() {
  vec2 p = (toPicture * vec3(at, 1.)).xy;
  float v = all(equal(p, clamp(p, 0., 1.))) ? max(texture(density, p).r, 0.) : 0.;
  light = vec4(colour, 1.) * v * gain;
}`;

export class Points {
  #gl;
  #sprites;
  #picture;
  #array;
  #buffers;
  #map;
  #density;
  #mapName = "";
  #kinds = [];    // how many of each type are points
  #target = null;
  frame = null;

  constructor(gl) {
    this.#gl = gl;
    this.#sprites = program(gl, vertex, fragment);
    this.#picture = program(gl, wholeTarget, picture);
    this.#array = gl.createVertexArray();
    this.#buffers = ["place", "value", "kind"].map(name => ({ buffer: gl.createBuffer(), place: gl.getAttribLocation(this.#sprites.program, name) }));
    this.#map = texture(gl, gl.NEAREST);
    this.#density = texture(gl, gl.LINEAR);
  }

  show(frame) {
    const gl = this.#gl;
    this.frame = frame;
    if (frame.light) {
      gl.bindTexture(gl.TEXTURE_2D, this.#density);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.R16F, frame.width, frame.height, 0, gl.RED, gl.HALF_FLOAT, frame.light);
    }
    const points = pointsOf(frame);
    if (!points) return;
    if (frame.light && points.types) this.#kinds = counted(points.types);
    gl.bindVertexArray(this.#array);
    const arrays = [points.positions, points.colours, points.types];
    this.#buffers.forEach(({ buffer, place }, k) => {
      if (!arrays[k]) {
        gl.disableVertexAttribArray(place);
        gl.vertexAttrib1f(place, 0);
        return;
      }
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, arrays[k], gl.STREAM_DRAW);
      gl.enableVertexAttribArray(place);
      if (k === 0) gl.vertexAttribPointer(place, 3, gl.UNSIGNED_SHORT, true, 0, 0);
      else gl.vertexAttribPointer(place, 1, gl.UNSIGNED_BYTE, k === 1, 0, 0);  // values 0 to 1, types as they are
    });
    gl.bindVertexArray(null);
  }

  // Draws into a half-float target of width x height pixels, and returns it. `scale` is pixels of it a CSS pixel.
  draw(camera, look, width, height, scale) {
    const gl = this.#gl;
    if (this.#target?.width !== width || this.#target?.height !== height) {
      release(gl, this.#target);
      this.#target = target(gl, gl.RGBA16F, width, height, gl.LINEAR);
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#target.buffer);
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (this.frame?.light && this.frame.camera) this.#drawPicture(camera, look, width);
    if (this.frame?.points) this.#drawSprites(camera, look, width, scale);
    return this.#target;
  }

  #drawSprites(camera, look, width, scale, count = false) {
    const gl = this.#gl, { program: sprites, at } = this.#sprites, frame = pointsOf(this.frame);
    gl.useProgram(sprites);
    gl.uniformMatrix4fv(at.toClip, false, camera.toClip(frame.corner, frame.size));
    // The sprite ends at the softening length: there the column of a Plummer sphere is a quarter as high.
    gl.uniform1f(at.softening, look.size * 2 * look.softening * width / camera.width);
    gl.uniform1f(at.least, Math.max(1, 2 * scale * Math.sqrt(look.size)));
    gl.uniform1f(at.widest, WIDEST * scale);
    gl.uniform1i(at.byKind, look.by === "type" || !frame.colours);
    gl.uniform1i(at.count, count);
    gl.uniform3fv(at.kinds, Array.from({ length: KINDS }, (_, k) => light(look.typeColours[k % look.typeColours.length])).flat());
    if (this.#mapName !== look.map) {
      this.#mapName = look.map;
      gl.bindTexture(gl.TEXTURE_2D, this.#map);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, table(look.map));
    }
    bind(gl, 0, this.#map, at.map);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE);
    gl.bindVertexArray(this.#array);
    gl.drawArrays(gl.POINTS, 0, frame.points);
    gl.bindVertexArray(null);
    gl.disable(gl.BLEND);
  }

  #drawPicture(camera, look, width) {
    const gl = this.#gl, { program: pass, at } = this.#picture;
    gl.useProgram(pass);
    bind(gl, 0, this.#density, at.density);
    gl.uniform3fv(at.colour, mixed(this.#kinds, look.typeColours));
    gl.uniform1f(at.gain, (camera.width / width * this.frame.width / this.frame.camera.width) ** 2);
    gl.uniformMatrix3fv(at.toPicture, false, toPicture(camera, this.frame.camera));
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  // How many points of the frame fall onto the canvas, counted by the GPU itself: each adds one to one pixel. Single
  // precision, as half floats count to 2048 only.
  count(camera, width, height) {
    const gl = this.#gl, sums = target(gl, gl.RGBA32F, width, height, gl.NEAREST), pixels = new Float32Array(4 * width * height);
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    this.#drawSprites(camera, { size: 1, softening: 0, by: "type", map: "plasma", typeColours: ["#ffffff"] }, width, 1, true);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.FLOAT, pixels);
    release(gl, sums);
    let sum = 0;
    for (let i = 3; i < pixels.length; i += 4) sum += pixels[i];
    return sum;
  }
}

function counted(types) {
  const counts = [];
  for (const k of types) counts[k] = (counts[k] ?? 0) + 1;
  return counts;
}

// The colour of bodies of several types: a picture does not distinguish them, and has that of its points.
function mixed(counts, colours) {
  const all = counts.reduce((sum, n) => sum + n, 0);
  if (!all) return light(colours[0]);
  return counts.reduce((sum, n, k) => light(colours[k % colours.length]).map((v, c) => sum[c] + n / all * v), [0, 0, 0]);
}

// The server drew the picture for the camera of a moment ago: until the next one it is moved and scaled with the view.
// By columns, from 0..1 of this target to 0..1 of the picture, whose upper row comes first.
function toPicture(now, then) {
  const [right, up] = then.axes, moved = now.centre.map((x, k) => x - then.centre[k]);
  const zoom = now.width / then.width, tall = then.width * then.pixels[1] / then.pixels[0];
  const across = (right[0] * moved[0] + right[1] * moved[1] + right[2] * moved[2]) / then.width;
  const along = (up[0] * moved[0] + up[1] * moved[1] + up[2] * moved[2]) / tall;
  const zoomY = zoom * (now.pixels[1] / now.pixels[0]) / (then.pixels[1] / then.pixels[0]);
  const x0 = 0.5 + across - zoom * (1 + now.shift[0]) / 2, y0 = 0.5 + along - zoomY * (1 + now.shift[1]) / 2;
  return new Float32Array([zoom, 0, 0, 0, -zoomY, 0, x0, 1 - y0, 1]);
}
