// Cameras that were sent to the server: a picture is made for one of them, and refers to it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
import { add, times } from "./camera.js";

const RARELY = 150;    // milliseconds between two of them
const KEPT = 64;       // until the picture made for one is here

export class Cameras {
  #send;
  #told = new Map();   // by number
  #number = 0;
  #text = "";
  #at = 0;
  #later = 0;

  constructor(send) { this.#send = send; }

  get(number) { return this.#told.get(number); }

  // Sends the camera of this canvas, unless the server has it; a few times a second at most.
  tell(camera, canvas) {
    const axes = camera.axes(), [right, up] = axes, [halfWidth, halfHeight] = [camera.width / 2, camera.width / 2 / camera.aspect];
    // The middle of the canvas, as that is the middle of a picture.
    const centre = add(camera.centre, add(times(right, -camera.shift[0] * halfWidth), times(up, -camera.shift[1] * halfHeight)));
    const message = { type: "camera", centre, focus: camera.centre, right, up, width: camera.width, pixels: [canvas.width, canvas.height] };
    const text = JSON.stringify(message), now = performance.now();
    if (text === this.#text) return;
    clearTimeout(this.#later);
    if (now - this.#at < RARELY) this.#later = setTimeout(() => this.tell(camera, canvas), RARELY);
    else if (this.#send({ ...message, number: this.#number + 1 })) {
      this.#number += 1;
      this.#text = text;
      this.#at = now;
      this.#told.set(this.#number, { axes, centre, width: camera.width, pixels: camera.pixels });
      this.#told.delete(this.#number - KEPT);
    }
  }

  // A new server has no camera.
  forget() { this.#text = ""; }
}
