// The camera: a centre, an orientation (a unit quaternion), and the width of space that the picture shows at the centre.
//
// It turns freely about the axes of the screen, as space has no "up". In perspective the eye stands back so far that
// the width fills its angle of view; without, all rays are parallel, as in density pictures that the server makes.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0

const ANGLE = 40 * Math.PI / 180;  // of view: wide enough for depth, narrow enough that a sphere looks round

export const add = (a, b) => a.map((x, k) => x + b[k]);
export const minus = (a, b) => a.map((x, k) => x - b[k]);
export const times = (a, s) => a.map(x => x * s);
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const finite = a => Array.isArray(a) && a.every(Number.isFinite);

function product([a, b, c, d], [e, f, g, h]) {
  return [a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e];
}
function normal(q) {
  const r = Math.hypot(...q);
  return r > 0 ? q.map(x => x / r) : [1, 0, 0, 0];
}
// A turn about one of the screen's axes, 0 to 2.
function about(axis, angle) {
  const q = [Math.cos(angle / 2), 0, 0, 0];
  q[axis + 1] = Math.sin(angle / 2);
  return q;
}

export class Camera {
  centre = [0, 0, 0];
  // From the side and a little from above: discs show their face and their thickness.
  rotation = normal(product(about(0, -0.85), about(2, 0.35)));
  width = 1;
  perspective = true;
  shift = [0, 0];          // of the centre from the middle of the canvas, in its half widths and half heights
  pixels = [1, 1];         // of the canvas, in CSS pixels

  // Rows: right, up and towards the eye, in the simulation's axes.
  axes() {
    const [w, x, y, z] = this.rotation;
    return [
      [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
      [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
      [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ];
  }

  get aspect() { return this.pixels[0] / this.pixels[1]; }
  // Of the eye from the centre; infinite without perspective.
  get distance() { return this.perspective ? this.width / (2 * Math.tan(ANGLE / 2)) : Infinity; }

  // 4 x 4, by columns: from `corner + size * q` to the GPU's clip space. It is composed in double precision, so that
  // single precision in the shader is enough however near one looks.
  toClip(corner = [0, 0, 0], size = [1, 1, 1]) {
    const axes = this.axes(), scale = 2 / this.width, from = minus(corner, this.centre);
    const rows = axes.map(axis => [...axis.map((x, k) => x * size[k]), dot(axis, from)]);
    const away = rows[2].map((x, k) => (k === 3 ? 1 : 0) - x / this.distance);
    const clip = [
      rows[0].map((x, k) => x * scale + this.shift[0] * away[k]),
      rows[1].map((x, k) => x * scale * this.aspect + this.shift[1] * away[k]),
      [0, 0, 0, 0],  // nothing is hidden by anything: light adds
      away,
    ];
    return Float32Array.from({ length: 16 }, (_, i) => clip[i % 4][i >> 2]);
  }

  // CSS pixels from the upper left corner, and the depth factor (1 at the centre, smaller nearer); null behind the eye.
  project(p) {
    const m = this.toClip(), at = r => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r], w = at(3);
    return w > 0 ? [(1 + at(0) / w) / 2 * this.pixels[0], (1 - at(1) / w) / 2 * this.pixels[1], w] : null;
  }

  turn(right, down) { this.rotation = normal(product(product(about(1, right), about(0, down)), this.rotation)); }
  roll(angle) { this.rotation = normal(product(about(2, angle), this.rotation)); }

  // Moves the view by CSS pixels.
  pan(dx, dy) {
    const [right, up] = this.axes(), unit = this.width / this.pixels[0];
    this.centre = add(this.centre, add(times(right, -dx * unit), times(up, dy * unit)));
  }

  // Multiplies the width by `factor`; the point under the CSS pixel `at` stays there.
  zoom(factor, at = null) {
    const before = this.width;
    this.width = Math.min(Math.max(this.width * factor, 1e-30), 1e30);
    if (!at) return;
    const grown = this.width / before - 1;
    const dx = at[0] - (1 + this.shift[0]) / 2 * this.pixels[0], dy = at[1] - (1 - this.shift[1]) / 2 * this.pixels[1];
    const [right, up] = this.axes(), unit = before / this.pixels[0];
    this.centre = add(this.centre, add(times(right, -dx * unit * grown), times(up, dy * unit * grown)));
  }

  // The whole ball of this centre and radius, whatever the shape of the canvas; `room` is the free part of it.
  fit(centre, radius, room = [1, 1]) {
    this.centre = centre;
    this.width = 2 * radius / Math.min(room[0], room[1] / this.aspect) || 1;
  }
}
