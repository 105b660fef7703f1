// Binaries: a ring of a few pixels about each pair that is bound, or of the size of its orbit where that is larger on the
// screen, and the line between both; and how many there are.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0

const RADIUS = 9;   // CSS pixels, at least
const CORNERS = 20; // of a ring

export class Binaries {
  on = false;
  binaries = null;     // numbers; null: not known
  hierarchies = null;
  #pairs = [];         // [first star, second star], the most strongly bound first
  #send;

  constructor(send) { this.#send = send; }

  // Asks the server for them, or no longer.
  show(on) {
    if (this.on === on) return;
    this.on = on;
    if (!on) this.forget();
    this.#send({ type: "binaries", on });
  }

  // A new connection does not know that they are asked for.
  greet() {
    this.forget();
    if (this.on) this.#send({ type: "binaries", on: true });
  }

  forget() {
    this.binaries = this.hierarchies = null;
    this.#pairs = [];
  }

  heard({ binaries, hierarchies, pairs }) {
    if (!this.on) return;
    this.binaries = binaries;
    this.hierarchies = hierarchies;
    this.#pairs = pairs.map(p => [p.slice(0, 3), p.slice(3, 6)]);
  }

  // "12 and 1 hierarchy", or why there is no number.
  get words() {
    if (!this.on) return "";
    if (this.binaries === null) return "not looked for";
    const more = this.hierarchies ? ` and ${this.hierarchies} ${this.hierarchies === 1 ? "hierarchy" : "hierarchies"}` : "";
    return `${this.binaries}${more}`;
  }

  // Segments for Lines: positions with their opacity.
  segments(camera) {
    const [right, up] = camera.axes(), unit = camera.width / camera.pixels[0], made = [];
    for (const [a, b] of this.#pairs) {
      const centre = a.map((x, k) => (x + b[k]) / 2), apart = Math.hypot(...a.map((x, k) => x - b[k]));
      const depth = camera.project(centre)?.[2];
      if (!(depth > 0)) continue;
      const radius = Math.max(RADIUS * unit * depth, 0.65 * apart);
      const at = i => {
        const angle = 2 * Math.PI * i / CORNERS, c = radius * Math.cos(angle), s = radius * Math.sin(angle);
        return centre.map((x, k) => x + c * right[k] + s * up[k]);
      };
      for (let i = 0; i < CORNERS; ++i) made.push([[at(i), 0.7], [at(i + 1), 0.7]]);
      made.push([[a, 0.5], [b, 0.5]]);
    }
    return made;
  }
}
