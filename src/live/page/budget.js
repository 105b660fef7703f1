// The budget that the page requests from the server: as many bytes as the network carries, as many frames as
// it can draw.
//
// A socket gives a page only whole messages, so the capacity of the network is found as TCP finds it: the
// budget grows while frames arrive as quickly as they are drawn and fill it, and falls to the received rate
// when they are late. If fewer bytes then arrive no quicker, the network was not the limit, and the budget is
// restored.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0

const DEFAULT = 20e6, LEAST = 0.5e6, MOST = 200e6;  // bytes a second
const HOLD = 20;                                    // windows that a budget holds after it fell in vain
const WISH = 30, POOR = 12;                         // frames a second: enough for motion, and where it is lost

export class Budget {
  bytes = DEFAULT;  // requested bytes per second
  measured = { bytes: 0, frames: 0 };  // a second, over the last window
  wished = WISH;  // requested frames per second
  #received = 0;
  #frames = 0;
  #drawing = [];
  #fallen = null;          // from which budget, and how many frames came with it
  #patience = 0;           // windows until it may fall again
  #since = performance.now();

  received(bytes) {
    this.#received += bytes;
    this.#frames += 1;
  }
  drawn(milliseconds) { this.#drawing.push(milliseconds); }

  // Ends a window of a second or so. `offered` is the rate at which the server has new frames (steps a
  // second). Returns messages with the changes.
  report(now, offered) {
    const seconds = (now - this.#since) / 1000, drawing = this.#drawing.sort((a, b) => a - b);
    this.measured = { bytes: this.#received / seconds, frames: this.#frames / seconds };
    const typical = drawing.length ? drawing[drawing.length >> 1] : 0;
    this.#received = this.#frames = 0;
    this.#drawing = [];
    this.#since = now;
    if (!this.measured.frames) return [];

    const before = { bytes: this.bytes, wished: this.wished };
    this.wished = typical > 1000 / WISH ? Math.max(2, Math.round(1000 / typical)) : WISH;
    const due = Math.min(this.wished, offered), { bytes, frames } = this.measured;
    const late = frames < Math.min(POOR, 0.5 * due) && typical < 1000 / POOR, fallen = this.#fallen;
    this.#fallen = null;
    this.#patience -= 1;
    if (late && fallen && frames < 1.2 * fallen.frames) {
      this.bytes = fallen.bytes;
      this.#patience = HOLD;
    } else if (late && this.#patience <= 0) {
      this.#fallen = { bytes: this.bytes, frames };
      this.bytes = Math.max(LEAST, 0.8 * bytes);
    } else if (frames > 0.7 * due && bytes > 0.7 * this.bytes) {
      this.bytes = Math.min(MOST, 1.5 * this.bytes);
    }
    return [
      ...(this.bytes !== before.bytes ? [{ type: "budget", bytes_per_second: Math.round(this.bytes) }] : []),
      ...(this.wished !== before.wished ? [{ type: "budget", frames_per_second: this.wished }] : []),
    ];
  }
}
