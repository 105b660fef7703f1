// Frames: from the bytes of a binary message to quantised positions, colours and types, ready for the GPU.
//
// The header is 96 bytes, little-endian; the arrays follow without padding. A key frame has positions in 16 bits of
// the frame's box; a delta has signed bytes to be added to the positions of the frame `base`, of the same bodies. A picture
// has the light of pixels, and where it has points a whole key frame of them after it.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0

export const KEY = 0, DELTA = 1, PICTURE = 2;
const MAGIC = 0x31464c50, HEADER = 96;  // "PLF1"

// Reads one message. Positions, colours, types and light are views of `buffer`: nothing is copied. The points of a picture
// are a frame of their own, `near`. Throws an Error of one sentence if the bytes are not a whole frame.
export function decode(buffer, start = 0) {
  if (buffer.byteLength < start + HEADER) throw new Error(`a frame of ${buffer.byteLength - start} bytes has no whole header`);
  const view = new DataView(buffer, start);
  if (view.getUint32(0, true) !== MAGIC) throw new Error("a binary message is not a frame");
  const three = at => [0, 4, 8].map(k => view.getFloat32(at + k, true));
  const flags = view.getUint8(5);
  const frame = {
    kind: view.getUint8(4),
    stride: view.getUint16(6, true),
    sequence: view.getUint32(8, true),
    base: view.getUint32(12, true),
    time: view.getFloat64(16, true),
    step: Number(view.getBigUint64(24, true)),
    bodies: Number(view.getBigUint64(32, true)),
    points: view.getUint32(40, true),
    width: view.getUint32(44, true),
    corner: three(48),
    size: three(60),
    centre: three(72),
    high: view.getFloat32(84, true),
    low: view.getFloat32(88, true),
    height: view.getUint32(92, true),
    bytes: buffer.byteLength,
  };
  if (frame.kind > PICTURE) throw new Error(`a frame is of the unknown kind ${frame.kind}`);
  let at = start + HEADER;
  const take = (Array, count) => {
    if (at + count * Array.BYTES_PER_ELEMENT > buffer.byteLength) throw new Error(`frame ${frame.sequence} ends early`);
    const array = new Array(buffer, at, count);
    at += array.byteLength;
    return array;
  };
  if (frame.kind === PICTURE) {
    frame.light = take(Uint16Array, frame.width * frame.height);  // half floats, as the GPU takes them
    frame.near = frame.points ? decode(buffer, at) : null;
    if (frame.near && (frame.near.kind !== KEY || frame.near.points !== frame.points)) throw new Error(`picture ${frame.sequence} has no key frame of its points`);
    if (frame.near) at = buffer.byteLength;
  } else {
    frame.positions = take(frame.kind === KEY ? Uint16Array : Int8Array, 3 * frame.points);
    frame.colours = flags & 1 ? take(Uint8Array, frame.points) : null;
    frame.types = flags & 2 ? take(Uint8Array, frame.points) : null;
  }
  if (at !== buffer.byteLength) throw new Error(`frame ${frame.sequence} has ${buffer.byteLength - at} bytes too many`);
  return frame;
}

// The frames that deltas may refer to: the last key frame and the newest frame. More are not kept, as a server that
// sends a delta to anything older has lost more than a key frame costs.
export class Frames {
  #key = null;
  #newest = null;

  // Takes a decoded frame. Returns it with 16-bit positions, or null if it refers to a frame that is not
  // here: a key frame must then be requested.
  accept(frame) {
    if (frame.kind === PICTURE) return frame;
    if (frame.kind === KEY) {
      this.#key = this.#newest = frame;
      return frame;
    }
    const base = [this.#newest, this.#key].find(f => f?.sequence === frame.base && f.points === frame.points);
    if (!base) return null;
    const sum = new Uint16Array(base.positions.length);
    for (let i = 0; i < sum.length; ++i) sum[i] = base.positions[i] + frame.positions[i];
    // Values that a delta leaves out have not changed.
    this.#newest = { ...frame, positions: sum, corner: base.corner, size: base.size,
                     types: frame.types ?? base.types, colours: frame.colours ?? base.colours,
                     low: frame.colours ? frame.low : base.low, high: frame.colours ? frame.high : base.high };
    return this.#newest;
  }

  // Discards all frames, as after a lost connection.
  forget() { this.#key = this.#newest = null; }
}

// The object with the points of a frame; those of a picture are near the focus.
export const pointsOf = frame => frame?.light ? frame.near : frame;

// Whether point `i` lies beyond the box of its frame, so that it has no place: some coordinate is at an end.
export function beyond({ positions }, i) {
  return [0, 1, 2].some(k => positions[3 * i + k] === 0 || positions[3 * i + k] === 65535);
}

// Where point `i` of a frame is, in the simulation's units.
export function position(frame, i) {
  return [0, 1, 2].map(k => frame.corner[k] + frame.size[k] * frame.positions[3 * i + k] / 65535);
}

// The value of a colour byte: linear in the logarithm between positive limits, else linear.
export function value(frame, byte) {
  const { low, high } = frame, u = byte / 255;
  return low > 0 && high > 0 ? low * (high / low) ** u : low + (high - low) * u;
}
