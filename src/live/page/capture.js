// Pictures and movies of the canvas, with the time and the scale written on them, saved by the browser.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0

import { number, timeOf, withUnit } from "./format.js";

const FORMATS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/mp4"];
const RATE = 30, BITS = 24e6;  // frames and bits a second: dark noise is hard on codecs

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

// The caption of a picture, and its file name.
export function captions(hello, frame, { pixels, text }) {
  return { left: `${hello.title ?? "Pleiad"}   t = ${withUnit(number(timeOf(frame?.time, hello.units), 5), hello.units?.time)}`, right: text, bar: pixels };
}
export const fileName = (hello, frame) => `${(hello.title || "pleiad").replace(/[^\w.-]+/g, "-")}-t${number(frame?.time, 5)}`;

// Copies the sky and writes the captions below it, as large as they are on the screen.
function compose(sky, onto, scale, { left, right, bar }) {
  const g = onto.getContext("2d"), { width, height } = onto, margin = 16 * scale;
  g.drawImage(sky, 0, 0, width, height);
  g.font = `${13 * scale}px ui-sans-serif, system-ui, "DejaVu Sans", sans-serif`;
  g.fillStyle = g.strokeStyle = "#d8dce6";
  g.lineWidth = scale;
  g.fillText(left, margin, height - margin);
  g.textAlign = "right";
  g.fillText(right, width - margin, height - margin);
  g.textAlign = "left";
  g.beginPath();
  g.moveTo(width - margin - bar * scale, height - margin - 24 * scale);
  g.lineTo(width - margin - bar * scale, height - margin - 18 * scale);
  g.lineTo(width - margin, height - margin - 18 * scale);
  g.lineTo(width - margin, height - margin - 24 * scale);
  g.stroke();
}

// To be called in the same task as the drawing: afterwards the canvas is empty.
export function photo(sky, scale, captions, name) {
  const canvas = Object.assign(document.createElement("canvas"), { width: sky.width, height: sky.height });
  compose(sky, canvas, scale, captions);
  canvas.toBlob(blob => save(blob, `${name}.png`), "image/png");
}

export class Movie {
  #canvas = null;
  #recorder = null;

  get records() { return this.#recorder !== null; }

  // The size stays the same from the beginning, even if the window changes. Throws if the browser has no
  // recorder.
  start(sky, scale, name) {
    const mimeType = typeof MediaRecorder === "undefined" ? undefined : FORMATS.find(f => MediaRecorder.isTypeSupported(f));
    if (!mimeType) throw new Error("This browser cannot record a canvas.");
    // Codecs need even sizes.
    this.#canvas = Object.assign(document.createElement("canvas"), { width: sky.width & ~1, height: sky.height & ~1 });
    this.#canvas.getContext("2d");
    this.scale = scale;
    const parts = [], recorder = new MediaRecorder(this.#canvas.captureStream(RATE), { mimeType, videoBitsPerSecond: BITS });
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.onstop = () => save(new Blob(parts, { type: mimeType }), `${name}.${mimeType.includes("mp4") ? "mp4" : "webm"}`);
    recorder.start(1000);
    this.#recorder = recorder;
  }

  // As `photo`: in the same task as the drawing.
  frame(sky, captions) { compose(sky, this.#canvas, this.scale, captions); }

  stop() {
    this.#recorder.stop();
    this.#recorder = this.#canvas = null;
  }

  // Starts or stops. Returns a message for the user.
  toggle(sky, scale, name) {
    try {
      if (this.records) this.stop();
      else this.start(sky, scale, name);
      return this.records ? "Recording. Press M again to save the movie." : "";
    } catch (error) {
      return error.message;
    }
  }
}
