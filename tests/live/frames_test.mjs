// The decoder of frames, under node: node frames_test.mjs
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

// As text, as node takes a file that ends with .js for a module only from version 20.19 on.
const source = await readFile(new URL("../../src/live/page/frames.js", import.meta.url), "base64");
const { DELTA, Frames, KEY, PICTURE, beyond, decode, pointsOf, position, value } = await import(`data:text/javascript;base64,${source}`);

// A frame's bytes, field by field as the protocol has them.
function bytes({ kind, sequence = 1, base = 0, points = 0, width = 0, height = 0, arrays = [], flags = 0 }) {
  const view = new DataView(new ArrayBuffer(96));
  view.setUint32(0, 0x31464c50, true);
  view.setUint8(4, kind);
  view.setUint8(5, flags);
  view.setUint16(6, 3, true);
  view.setUint32(8, sequence, true);
  view.setUint32(12, base, true);
  view.setFloat64(16, 2.5, true);
  view.setBigUint64(24, 7n, true);
  view.setBigUint64(32, 5000000000n, true);
  view.setUint32(40, points, true);
  view.setUint32(44, width, true);
  [-1, -2, -3].forEach((v, k) => view.setFloat32(48 + 4 * k, v, true));
  [2, 4, 6].forEach((v, k) => view.setFloat32(60 + 4 * k, v, true));
  [0.5, NaN, 1].forEach((v, k) => view.setFloat32(72 + 4 * k, v, true));
  view.setFloat32(84, 100, true);
  view.setFloat32(88, 1, true);
  view.setUint32(92, height, true);
  const parts = [new Uint8Array(view.buffer), ...arrays.map(a => new Uint8Array(a.buffer))], all = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all.buffer;
}
const key = options => bytes({ kind: KEY, points: 2, flags: 2, arrays: [Uint16Array.of(0, 65535, 100, 7, 8, 9), Uint8Array.of(4, 1)], ...options });
const delta = options => bytes({ kind: DELTA, points: 2, arrays: [Int8Array.of(5, -1, -100, 0, 127, -9)], ...options });

test("a key frame is read as the protocol has it", () => {
  const f = decode(key());
  assert.deepEqual([f.stride, f.time, f.step, f.bodies, f.points, f.low, f.high], [3, 2.5, 7, 5e9, 2, 1, 100]);
  assert.deepEqual([...f.positions, ...f.types], [0, 65535, 100, 7, 8, 9, 4, 1]);
  assert.equal(f.colours, null);
  assert.deepEqual(position(f, 0).map(v => Math.round(1e4 * v) / 1e4), [-1, 2, -2.9908]);
  assert.deepEqual([beyond(f, 0), beyond(f, 1)], [true, false]);
});

test("deltas add up, and what they leave out stays", () => {
  const frames = new Frames();
  frames.accept(decode(key()));
  let f = frames.accept(decode(delta({ sequence: 2, base: 1 })));
  assert.deepEqual([...f.positions], [5, 65534, 0, 7, 135, 0]);
  assert.deepEqual([...f.types], [4, 1]);
  f = frames.accept(decode(delta({ sequence: 3, base: 2 })));
  assert.deepEqual([...f.positions.slice(0, 2)], [10, 65533]);
  f = frames.accept(decode(delta({ sequence: 4, base: 1 })));  // to the key frame again
  assert.deepEqual([...f.positions.slice(0, 2)], [5, 65534]);
});

test("a delta to a frame that is not here is not taken", () => {
  const frames = new Frames();
  assert.equal(frames.accept(decode(delta({ sequence: 2, base: 1 }))), null);
  frames.accept(decode(key({ sequence: 5 })));
  assert.equal(frames.accept(decode(delta({ sequence: 6, base: 4 }))), null);
  assert.equal(frames.accept(decode(bytes({ kind: DELTA, points: 1, base: 5, arrays: [Int8Array.of(1, 1, 1)] }))), null);
  frames.forget();
  assert.equal(frames.accept(decode(delta({ sequence: 6, base: 5 }))), null);
});

test("a picture has its light as half floats", () => {
  const f = decode(bytes({ kind: PICTURE, width: 2, height: 1, arrays: [Uint16Array.of(0x3c00, 0x4000)] }));
  assert.deepEqual([...f.light], [0x3c00, 0x4000]);
  assert.equal(new Frames().accept(f), f);
  assert.equal(pointsOf(f), null);
});

test("a picture may have points, which are a key frame after its light", () => {
  const both = (inner, points = 2) => {
    const light = new Uint8Array(bytes({ kind: PICTURE, width: 3, height: 1, points, flags: 2, arrays: [Uint16Array.of(1, 2, 3)] }));
    return new Uint8Array([...light, ...new Uint8Array(inner)]).buffer;
  };
  const f = decode(both(key()));
  assert.deepEqual([[...f.light], f.points], [[1, 2, 3], 2]);
  assert.deepEqual([...pointsOf(f).positions, ...pointsOf(f).types], [0, 65535, 100, 7, 8, 9, 4, 1]);
  assert.equal(pointsOf(decode(key())).points, 2);
  assert.throws(() => decode(both(delta())), /has no key frame of its points/);
  assert.throws(() => decode(both(key(), 3)), /has no key frame of its points/);
  assert.throws(() => decode(both(key().slice(0, -1))), /ends early/);
  assert.throws(() => decode(both(key().slice(0, 40))), /no whole header/);
  assert.throws(() => decode(both([...new Uint8Array(key()), 0])), /1 bytes too many/);
});

test("what is no whole frame is refused with a sentence", () => {
  const short = key().slice(0, -1), long = new Uint8Array([...new Uint8Array(key()), 0]).buffer, wrong = key();
  new DataView(wrong).setUint8(0, 0);
  assert.throws(() => decode(new ArrayBuffer(95)), /no whole header/);
  assert.throws(() => decode(short), /ends early/);
  assert.throws(() => decode(long), /1 bytes too many/);
  assert.throws(() => decode(wrong), /is not a frame/);
  assert.throws(() => decode(bytes({ kind: 3 })), /unknown kind 3/);
  assert.throws(() => decode(bytes({ kind: KEY, points: 0xffffffff })), /ends early/);
});

test("colours are even in the logarithm between positive limits", () => {
  const limits = { low: 1, high: 100 };
  assert.deepEqual([0, 127.5, 255].map(b => Math.round(value(limits, b))), [1, 10, 100]);
  assert.equal(value({ low: 0, high: 10 }, 127.5), 5);
});
