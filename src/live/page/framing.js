// The part of the canvas without controls, and the width of space that shows everything.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
import { add, times } from "./camera.js";
import { number, round, withUnit } from "./format.js";
import { beyond, position } from "./frames.js";

const SAMPLE = 4096;   // bodies that stand for all
const OUTLIERS = 0.02; // of them on each side, which may be outside: a few escapers must not make the rest a dot

const element = id => document.getElementById(id);
const box = id => {
  const e = element(id);
  return e.checkVisibility() ? e.getBoundingClientRect() : null;
};

// Fits the camera to its canvas, its centre to the middle of the free part. Returns that part, of width and
// height.
export function place(camera, canvas) {
  const width = canvas.clientWidth, height = canvas.clientHeight, phone = width <= 760;
  camera.pixels = [Math.max(1, width), Math.max(1, height)];
  const sheet = box("readings") ?? box("look"), side = box("readings");
  const right = !phone && side ? width - side.left : 0;
  const bottom = phone ? height - Math.min(sheet?.top ?? height, box("transport")?.top ?? height) : 0;
  const top = phone && box("tools") ? 56 : 0;
  camera.shift = [-right / width, (bottom - top) / height];
  return [(width - right) / width, (height - bottom - top) / height];
}

// Shows everything: the whole periodic box, or all bodies but the outermost few.
export function fit(camera, frame, periodic, room) {
  if (periodic) {
    camera.fit(add(periodic.corner, times(periodic.size, 0.5)), Math.max(...periodic.size), room);
  } else if (frame?.points && !frame.light) {
    const every = Math.max(1, Math.floor(frame.points / SAMPLE)), middle = [0, 0, 0];
    let radius = 0;
    for (let k = 0; k < 3; ++k) {
      const sorted = [];
      for (let i = 0; i < frame.points; i += every) if (!beyond(frame, i)) sorted.push(position(frame, i)[k]);
      sorted.sort((a, b) => a - b);
      const skip = Math.floor(OUTLIERS * sorted.length), [low, high] = [sorted[skip], sorted[sorted.length - 1 - skip]];
      middle[k] = (low + high) / 2;
      radius = Math.max(radius, (high - low) / 2);
    }
    camera.fit(middle, 1.2 * radius || 1, room);
  } else if (frame) {
    camera.fit(add(frame.corner, times(frame.size, 0.5)), 0.5 * Math.max(...frame.size), room);
  }
}

// A bar of a round length. Returns its pixels and its text.
export function scaleBar(camera, unit) {
  const length = round(camera.width * 130 / camera.pixels[0]), pixels = length / camera.width * camera.pixels[0];
  const text = withUnit(number(length), unit);
  element("scale-bar").style.width = `${pixels}px`;
  if (element("scale-text").textContent !== text) element("scale-text").textContent = text;
  return { pixels, text };
}
