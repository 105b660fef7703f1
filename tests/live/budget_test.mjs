// What the page asks of the server, under node: node budget_test.mjs
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const source = await readFile(new URL("../../src/live/page/budget.js", import.meta.url), "base64");
const { Budget } = await import(`data:text/javascript;base64,${source}`);

// A page that gets frames over a way of so many bytes a second from a server that keeps to the budget and has `offered`
// frames a second of `bodies` bytes; each takes `milliseconds` to draw.
function watch(budget, { way, offered, all, milliseconds = 10, windows }) {
  let now = 1e9;
  budget.report(now, offered);
  for (let k = 0; k < windows; ++k) {
    const rate = Math.min(offered, budget.wished), size = Math.min(all, budget.bytes / rate), frames = Math.max(1, Math.floor(Math.min(rate, way / size)));
    for (let i = 0; i < frames; ++i) {
      budget.received(size);
      budget.drawn(milliseconds);
    }
    budget.report(now += 1000, 1000);
  }
  return budget;
}

test("a slow way gets no more than it carries", () => {
  const { bytes, measured } = watch(new Budget(), { way: 3e6, offered: 60, all: 6e6, windows: 30 });
  assert.ok(bytes < 6e6, `${bytes}`);
  assert.ok(measured.frames > 12, `${measured.frames}`);
});

test("a quick way gets more than it begins with", () => {
  assert.ok(watch(new Budget(), { way: 1e9, offered: 60, all: 6e6, windows: 30 }).bytes > 100e6);
});

test("a slow run does not cost the picture its bodies", () => {
  assert.equal(watch(new Budget(), { way: 1e9, offered: 3, all: 1e5, windows: 10 }).bytes, 20e6);
});

test("who draws slowly asks for fewer frames, not for fewer bodies", () => {
  const { bytes, wished } = watch(new Budget(), { way: 1e9, offered: 60, all: 1e5, milliseconds: 250, windows: 10 });
  assert.deepEqual([bytes, wished], [20e6, 4]);
});
