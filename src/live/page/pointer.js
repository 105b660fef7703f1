// Hands: a mouse or fingers on the sky turn, move and zoom it; a short touch picks.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0

import { beyond } from "./frames.js";

const TURN = 0.006;     // radians a CSS pixel: half a turn across a phone
const STILL = 5;        // CSS pixels that a hand trembles while it picks

// Calls `moved()` after each change of the camera, `panned()` if its centre was moved, `picked(x, y)` for a
// short touch. While `following()`, zoom is about the centre, which is the followed body.
export function hands(canvas, camera, { moved, panned, picked, following }) {
  const down = new Map();  // pointers on the sky, by their ids
  let path = 0, most = 0;

  const at = event => {
    const { left, top } = canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const middle = points => [0, 1].map(k => (points[0][k] + points[1][k]) / 2);

  canvas.addEventListener("pointerdown", event => {
    canvas.setPointerCapture(event.pointerId);
    down.set(event.pointerId, at(event));
    if (down.size === 1) path = 0;
    most = Math.max(most, down.size);
  });

  canvas.addEventListener("pointermove", event => {
    const before = down.get(event.pointerId), now = at(event);
    if (!before) return;
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    path += Math.hypot(dx, dy);
    if (down.size === 1) {
      if (path < STILL) return;
      if (event.shiftKey || event.buttons & 6) {
        camera.pan(dx, dy);
        panned();
      } else {
        camera.turn(dx * TURN, dy * TURN);
      }
      down.set(event.pointerId, now);
    } else if (down.size === 2) {
      // Two fingers hold two points of the sky: they move, zoom and roll it at once.
      const old = [...down.values()];
      down.set(event.pointerId, now);
      const fresh = [...down.values()], [a, b] = [old, fresh].map(p => [p[1][0] - p[0][0], p[1][1] - p[0][1]]);
      const here = middle(fresh), there = middle(old);
      if (!following()) camera.pan(here[0] - there[0], here[1] - there[1]);
      camera.zoom(Math.hypot(...a) / Math.max(Math.hypot(...b), 1), following() ? null : here);
      camera.roll(Math.atan2(a[1], a[0]) - Math.atan2(b[1], b[0]));
    }
    moved();
  });

  const up = event => {
    const held = down.delete(event.pointerId);
    if (held && event.type === "pointerup" && most === 1 && path < STILL && event.button === 0) picked(...at(event));
    if (down.size === 0) most = 0;
  };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("contextmenu", event => event.preventDefault());

  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    // Lines or pages of some mice count as pixels do; a pinch on a touchpad comes as small steps with Ctrl.
    const pixels = event.deltaY * [1, 18, 200][event.deltaMode] * (event.ctrlKey ? 6 : 1);
    camera.zoom(Math.exp(Math.min(Math.max(pixels, -240), 240) * 0.0016), following() ? null : at(event));
    moved();
  }, { passive: false });
}

// The point of a frame nearest to the pixel (x, y), within `reach`, or -1. Of those as near, the one nearer to the eye.
// Bodies beyond the box of the frame are not drawn, and not found.
export function nearest(frame, camera, x, y, reach) {
  const m = camera.toClip(frame.corner, frame.size), p = frame.positions, [w2, h2] = camera.pixels.map(v => v / 2);
  let best = -1, least = reach * reach;
  for (let i = 0; i < frame.points; ++i) {
    const a = p[3 * i] / 65535, b = p[3 * i + 1] / 65535, c = p[3 * i + 2] / 65535;
    const w = m[3] * a + m[7] * b + m[11] * c + m[15];
    if (w <= 0) continue;
    const dx = (1 + (m[0] * a + m[4] * b + m[8] * c + m[12]) / w) * w2 - x;
    const dy = (1 - (m[1] * a + m[5] * b + m[9] * c + m[13]) / w) * h2 - y;
    const far = dx * dx + dy * dy + 0.5 * w;
    if (far < least && !beyond(frame, i)) {
      least = far;
      best = i;
    }
  }
  return best;
}
