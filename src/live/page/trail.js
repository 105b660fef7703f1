// The picked body: its data from the server, and its trail.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
import { minus } from "./camera.js";

const LONGEST = 3000;  // places of a trail

export class Picked {
  body = null;    // the newest message of the server
  #request = 0;
  #trail = [];
  #send;

  constructor(send) { this.#send = send; }

  // Requests the body at `index` of the frame.
  pick(frame, index) {
    this.letGo();
    this.#request += 1;
    this.#send({ type: "pick", request: this.#request, sequence: frame.sequence, index });
  }

  letGo() {
    if (this.body) this.#send({ type: "follow", request: null });
    this.body = null;
    this.#trail = [];
    this.#request += 1;  // an answer that is on its way comes too late
  }

  // Takes an answer, or an update of the body. Returns whether there is new information.
  heard(message) {
    if (message.request !== this.#request) return false;
    if (message.id === null) {
      this.letGo();
      return true;
    }
    if (!this.body) this.#send({ type: "follow", request: this.#request });
    // If a slider goes back in time, later points are removed.
    while (this.#trail.length && this.#trail.at(-1).time >= message.time) this.#trail.pop();
    this.#trail.push({ time: message.time, place: message.position });
    if (this.#trail.length > LONGEST) this.#trail.shift();
    this.body = message;
    return true;
  }

  // Segments for Lines; older ones fade. Across the edge of a periodic box, of `size`, there is none.
  segments(size) {
    const trail = this.#trail, made = [], opacity = i => 0.85 * (i / trail.length) ** 1.5;
    for (let i = 1; i < trail.length; ++i) {
      const [a, b] = [trail[i - 1].place, trail[i].place];
      if (!size || minus(a, b).every((d, k) => Math.abs(d) < size[k] / 2)) made.push([[a, opacity(i - 1)], [b, opacity(i)]]);
    }
    return made;
  }
}
