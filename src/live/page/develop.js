// Development: from the light of all bodies to a picture, as film does it.
//
// Brightness follows the logarithm of the light (or the light itself), colour its mean. A faint glow around bright
// parts comes from the levels of a small copy, and the exposure from the brightest parts of the same copy, read back
// without waiting for it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
import { bind, program, release, target, wholeTarget } from "./gl.js";

const SMALLER = 4;   // the small copy, in each direction
const METER = 48;    // pixels across, about, of the level that is read for the exposure
const RANGE = 250;  // ratio of the brightest light to the faintest that is not black

const shrink = `
uniform sampler2D light;
in vec2 at;
out vec4 mean;
void main() {
  vec2 d = 1. / vec2(textureSize(light, 0));
  mean = .25 * (texture(light, at + d * vec2(-1, -1)) + texture(light, at + d * vec2(1, -1)) +
                texture(light, at + d * vec2(-1, 1)) + texture(light, at + d * vec2(1, 1)));
}`;

// The small copy blurred: between four samples of each level along a cubic spline, as linear samples of coarse levels
// would show as squares. It is made small, too, as it has no detail to lose.
const blur = `
uniform sampler2D small;
in vec2 at;
out vec4 halo;
vec4 level(float k) {
  vec2 size = vec2(textureSize(small, int(k))), p = at * size - .5, f = fract(p), c = floor(p);
  vec2 w0 = (1. - f) * (1. - f) * (1. - f), w1 = 4. + 3. * f * f * f - 6. * f * f;
  vec2 w3 = f * f * f, w2 = 6. - w0 - w1 - w3;
  vec2 a = w0 + w1, b = w2 + w3, u = (c - .5 + w1 / a) / size, v = (c + 1.5 + w3 / b) / size;
  return (a.x * a.y * textureLod(small, u, k) + b.x * a.y * textureLod(small, vec2(v.x, u.y), k) +
          a.x * b.y * textureLod(small, vec2(u.x, v.y), k) + b.x * b.y * textureLod(small, v, k)) / 36.;
}
void main() { halo = .6 * level(1.) + .4 * level(3.); }`;

const develop = `
uniform sampler2D light, halo;
uniform float peak, range, glow, whiten;
uniform bool logarithm;
uniform vec3 ground;
in vec2 at;
out vec4 colour;

void main() {
  vec4 l = texture(light, at);
  l += glow * texture(halo, at);
  float t = l.a / peak;
  t = logarithm ? log(1. + range * t) / log(1. + range) : sqrt(t);
  if (t > .8) t = 1. - .2 * exp((.8 - t) / .2);  // a shoulder, so that the brightest parts keep their shape
  vec3 c = l.rgb / max(l.a, 1e-12);
  // t is perceived brightness, as the canvas needs it; a root approximates the canvas's curve on colours.
  c = sqrt(mix(c, vec3(1.), whiten * smoothstep(.75, 1., t))) * t;
  c = c + ground - c * ground;
  // Interleaved gradient noise (Jimenez 2014): eight bits would show steps in the dark.
  float dither = t > 0. ? fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(.06711056, .00583715)))) - .5 : 0.;
  colour = vec4(c + dither / 255., 1.);
}`;

export class Developer {
  #gl;
  #shrink;
  #blur;
  #develop;
  #small = null;
  #halo = null;
  #reading = null;
  #peak = 0;       // of light, as last measured
  #shown = 0;      // of light, as last used: it follows with a delay so that the exposure does not flicker
  #meter;

  constructor(gl) {
    this.#gl = gl;
    this.#shrink = program(gl, wholeTarget, shrink);
    this.#blur = program(gl, wholeTarget, blur);
    this.#develop = program(gl, wholeTarget, develop);
    this.#meter = gl.createBuffer();
  }

  // Maps `film` onto the canvas. `seconds` have passed since the last call; `atOnce` is for users who prefer
  // no motion. Returns whether the exposure is still changing.
  draw(film, look, width, height, seconds, atOnce) {
    const gl = this.#gl;
    this.#shrinkFilm(film);
    this.#readMeter();
    const ease = !this.#shown || atOnce ? 1 : 1 - Math.exp(-seconds / 0.25);
    if (this.#peak) this.#shown = Math.exp(Math.log(this.#shown || this.#peak) * (1 - ease) + Math.log(this.#peak) * ease);

    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, width, height);
    const { program: pass, at } = this.#develop;
    gl.useProgram(pass);
    bind(gl, 0, film.image, at.light);
    bind(gl, 1, this.#halo.image, at.halo);
    gl.uniform1f(at.peak, (this.#shown || 1) / look.brightness);
    gl.uniform1f(at.range, RANGE);
    gl.uniform1f(at.glow, look.glow);
    gl.uniform1f(at.whiten, look.by === "type" ? 0.65 : 0.1);  // a legend must stay true
    gl.uniform1i(at.logarithm, look.log);
    gl.uniform3f(at.ground, 0.02, 0.024, 0.039);  // as the page's
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    return this.#peak > 0 && Math.abs(Math.log(this.#shown / this.#peak)) > 0.01 || this.#reading !== null;
  }

  // The next measurement is taken at once.
  forget() { this.#shown = 0; }

  #shrinkFilm(film) {
    const gl = this.#gl, width = Math.max(1, film.width / SMALLER | 0), height = Math.max(1, film.height / SMALLER | 0);
    if (this.#small?.width !== width || this.#small?.height !== height) {
      release(gl, this.#small);
      release(gl, this.#halo);
      this.#halo = target(gl, gl.RGBA16F, width, height, gl.LINEAR);
      this.#small = target(gl, gl.RGBA16F, width, height, gl.LINEAR, Math.floor(Math.log2(Math.max(width, height))) + 1);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_NEAREST);
      this.#cancelMeter();
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#small.buffer);
    gl.viewport(0, 0, width, height);
    gl.useProgram(this.#shrink.program);
    bind(gl, 0, film.image, this.#shrink.at.light);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.bindTexture(gl.TEXTURE_2D, this.#small.image);
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#halo.buffer);
    gl.useProgram(this.#blur.program);
    bind(gl, 0, this.#small.image, this.#blur.at.small);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  #cancelMeter() {
    if (this.#reading) this.#gl.deleteSync(this.#reading.fence);
    this.#reading = null;
  }

  // Starts to read the meter's level, or takes a result that has arrived: a frame late, but without a stall.
  #readMeter() {
    const gl = this.#gl;
    if (!this.#reading) {
      const level = Math.max(0, Math.round(Math.log2(this.#small.width / METER)));
      const width = Math.max(1, this.#small.width >> level), height = Math.max(1, this.#small.height >> level);
      gl.bindFramebuffer(gl.FRAMEBUFFER, this.#small.buffer);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.#small.image, level);
      gl.bindBuffer(gl.PIXEL_PACK_BUFFER, this.#meter);
      gl.bufferData(gl.PIXEL_PACK_BUFFER, 16 * width * height, gl.STREAM_READ);
      gl.readPixels(0, 0, width, height, gl.RGBA, gl.FLOAT, 0);
      gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.#small.image, 0);
      this.#reading = { fence: gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0), count: 4 * width * height };
      gl.flush();
      return;
    }
    if (gl.getSyncParameter(this.#reading.fence, gl.SYNC_STATUS) !== gl.SIGNALED) return;
    const values = new Float32Array(this.#reading.count);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, this.#meter);
    gl.getBufferSubData(gl.PIXEL_PACK_BUFFER, 0, values);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    this.#cancelMeter();
    const lit = values.filter((v, i) => i % 4 === 3 && v > 0).sort();
    // The brightest few may burn out. A level's pixel is a mean over many of the canvas, where light is uneven.
    if (lit.length) this.#peak = 3.5 * lit[Math.min(lit.length - 1, Math.floor(0.995 * lit.length))];
  }
}
