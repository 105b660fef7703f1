// The marks of binaries, under node: node binaries_test.mjs
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const load = async name => import(`data:text/javascript;base64,${await readFile(new URL(`../../src/live/page/${name}`, import.meta.url), "base64")}`);
const { Binaries } = await load("binaries.js"), { Camera } = await load("camera.js");

const message = { type: "binaries", time: 1, binaries: 2, hierarchies: 1, pairs: [[0, 0, 0, 1e-6, 0, 0], [2, 0, 0, 4, 0, 0], [0, 3, 0, 0, 3, 1]] };

function made() {
  const told = [], marks = new Binaries(m => told.push(m));
  return { told, marks };
}

test("they are asked for once, and again after a new connection", () => {
  const { told, marks } = made();
  marks.greet();
  assert.deepEqual(told, []);
  marks.show(true);
  marks.show(true);
  marks.greet();
  marks.show(false);
  assert.deepEqual(told, [true, true, false].map(on => ({ type: "binaries", on })));
});

test("what comes after they are no longer wanted is not shown", () => {
  const { marks } = made(), camera = new Camera();
  marks.heard(message);
  assert.equal(marks.words, "");
  marks.show(true);
  marks.heard(message);
  assert.equal(marks.words, "2 and 1 hierarchy");
  assert.equal(marks.segments(camera).length, 3 * 21);
  marks.show(false);
  assert.equal(marks.segments(camera).length, 0);
  marks.show(true);
  marks.heard({ ...message, binaries: null, hierarchies: null, pairs: [] });
  assert.equal(marks.words, "not looked for");
});

test("a ring is nine pixels or has the orbit within it", () => {
  const { marks } = made(), camera = new Camera();
  Object.assign(camera, { width: 100, pixels: [1000, 500], perspective: false });
  marks.show(true);
  marks.heard(message);
  const all = marks.segments(camera), radii = (k, centre) => all.slice(21 * k, 21 * k + 20).map(([[p]]) => Math.hypot(...p.map((x, d) => x - centre[d])));
  // A CSS pixel is 0.1 wide.
  for (const r of radii(0, [5e-7, 0, 0])) assert.ok(Math.abs(r - 0.9) < 1e-9);
  for (const r of radii(1, [3, 0, 0])) assert.ok(Math.abs(r - 1.3) < 1e-9);
  assert.deepEqual(all[2 * 21 - 1], [[[2, 0, 0], 0.5], [[4, 0, 0], 0.5]]);
  // In the plane of the screen, whatever the turn of the camera.
  const away = camera.axes()[2];
  for (const [[p]] of all.slice(0, 20)) assert.ok(Math.abs(p.reduce((sum, x, d) => sum + x * away[d], 0) - 5e-7 * away[0]) < 1e-9);
});
