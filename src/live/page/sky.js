// The sky: the canvas with its passes, light, development and lines, at a resolution that keeps up with motion.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
import { Developer } from "./develop.js";
import { Lines } from "./lines.js";
import { Points } from "./points.js";

const SLOW = 45, QUICK = 20;     // milliseconds of a picture: where motion is lost, and where pixels are to spare
const COARSEST = 0.5;            // pixels a CSS pixel
const GOLD = [0.94, 0.79, 0.53];

const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Sky {
  #gl;
  #points;
  #developer;
  #lines;
  #frame = null;
  #last = 0;
  #cost = QUICK;
  coarse = false;  // whether the last picture was drawn with fewer pixels than the screen has
  #fineness = 1;  // fraction of the pixels of the screen, in motion; a still picture has all

  // `again` is called when everything must be drawn anew. Throws if the browser cannot draw it.
  constructor(canvas, again) {
    this.canvas = canvas;
    canvas.addEventListener("webglcontextlost", event => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => {
      this.#build();
      again();
    });
    this.#build();
  }

  #build() {
    const gl = this.canvas.getContext("webgl2", { alpha: false, antialias: false, depth: false, preserveDrawingBuffer: false, powerPreference: "high-performance" });
    if (!gl) throw new Error("This browser has no WebGL 2, which draws the bodies. Numbers and plots work without.");
    if (!gl.getExtension("EXT_color_buffer_float") || !gl.getExtension("EXT_float_blend"))
      throw new Error("This browser cannot add light in floating point (EXT_float_blend), which draws the bodies. Numbers and plots work without.");
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    this.#gl = gl;
    this.#points = new Points(gl);
    this.#developer = new Developer(gl);
    this.#lines = new Lines(gl);
    if (this.#frame) this.#points.show(this.#frame);
  }

  show(frame) {
    this.#frame = frame;
    if (!this.#gl.isContextLost()) this.#points.show(frame);
  }

  // Other units of light than before: the exposure starts anew.
  expose() { this.#developer.forget(); }

  // Takes the cost of the last picture, in milliseconds: moving pictures are drawn with fewer pixels if it is
  // too high.
  pace(cost) {
    this.#cost += 0.2 * (cost - this.#cost);
    if (this.#cost > SLOW) this.#fineness = Math.max(COARSEST, this.#fineness * 0.9);
    else if (this.#cost < QUICK) this.#fineness = Math.min(1, this.#fineness * 1.02);
  }

  // Draws; `moving`: more frames follow. Returns whether another frame is needed although nothing else
  // changes.
  draw(camera, look, segments, moving) {
    const gl = this.#gl;
    if (gl.isContextLost()) return false;
    const now = performance.now(), since = now - this.#last;
    this.#last = now;
    this.coarse = moving && this.#fineness < 1;
    const scale = Math.min(devicePixelRatio, 2) * (moving ? this.#fineness : 1);
    const width = Math.max(1, Math.round(camera.pixels[0] * scale)), height = Math.max(1, Math.round(camera.pixels[1] * scale));
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });

    const film = this.#points.draw(camera, look, width, height, scale);
    const developing = this.#developer.draw(film, look, width, height, since / 1000, still.matches);
    for (const { ends, gold } of segments) this.#lines.draw(camera, ends, gold ? GOLD : [0.6, 0.66, 0.8], 1.1 * scale, [width, height]);
    return developing;
  }

  // The points of the present frame that fall onto the canvas, as the GPU counts them.
  count(camera) {
    return this.#points.count(camera, this.canvas.width, this.canvas.height);
  }

  // Waits until all work of the GPU is done; only for measurements.
  finish() { this.#gl.readPixels(0, 0, 1, 1, this.#gl.RGBA, this.#gl.UNSIGNED_BYTE, new Uint8Array(4)); }
}
