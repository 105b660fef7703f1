// Readings: the state of the run, and of the picked body, in words and numbers.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
import { count, duration, number, rate, withUnit } from "./format.js";

const element = id => document.getElementById(id);

// Writes pairs of a name and a text into a list; elements that are there are kept, so that a selection stays.
export function list(parent, pairs) {
  pairs = pairs.filter(([, text]) => text !== null && text !== undefined);
  while (parent.children.length < 2 * pairs.length) parent.append(document.createElement(parent.children.length % 2 ? "dd" : "dt"));
  while (parent.children.length > 2 * pairs.length) parent.lastChild.remove();
  pairs.flat().forEach((text, k) => { if (parent.children[k].textContent !== text) parent.children[k].textContent = text; });
}

export function showRun({ status = {}, hello = {}, frame, budget, pace }) {
  const run = hello.kind !== "snapshots";
  list(element("run-list"), [
    ["Step", run && status.step !== undefined ? count(status.step) : null],
    ["Steps per second", run ? number(status.steps_per_second, 3) : null],
    ["Time left", run && status.state === "running" ? duration(status.seconds_left ?? null) : null],
    ["Bodies", count(frame?.bodies ?? hello.bodies)],
    ["Drawn", frame ? [frame.light && "picture", (frame.points || !frame.light) && count(frame.points)].filter(Boolean).join(" and ") : "–"],
    ["Solver", status.solver || null],
    ["Device", status.device || null],
    ["Force error (p99)", status.force_error ? number(status.force_error.p99, 3) : null],
    ["Frames per second", [pace, budget.measured.frames].map(v => v.toFixed(v > 0 && v < 9.5 ? 1 : 0)).join(" of ")],
    ["Data", `${rate(budget.measured.bytes)} of ${rate(budget.bytes)}`],
  ]);
}

const words = { running: "Running", paused: "Paused", waiting: "Waiting", ended: "Ended", stopped: "Stopped", connecting: "Connecting", lost: "Connection lost" };

// The state next to the title: a word, and the most useful detail.
export function showState(state, detail) {
  document.body.dataset.state = state;
  element("state-word").textContent = words[state] ?? state;
  element("state-detail").textContent = detail;
}

export function showBody(picked, units, follows) {
  element("body").hidden = element("tab-body").hidden = !picked;
  if (!picked) return;
  const triple = (v, unit) => withUnit(v.map(x => number(x, 4)).join("  "), unit);
  // The "type" of the message states that it is about a picked body; the type of the body has the same name,
  // in an object of its own.
  element("body-name").textContent = `Body ${picked.id}`;
  list(element("body-list"), [
    ["Type", picked.kind ?? null],
    ["Mass", withUnit(number(picked.mass), units.mass)],
    ["Position", triple(picked.position, units.length)],
    ["Velocity", triple(picked.velocity, units.velocity)],
    ["Speed", withUnit(number(Math.hypot(...picked.velocity)), units.velocity)],
  ]);
  element("follow-body").checked = follows;
}

let gone = 0;
// A sentence over the sky; without `stays` it goes after a while. An empty one takes it away.
export function notice(text, { stays = false, retry = false } = {}) {
  clearTimeout(gone);
  element("notice").hidden = !text;
  element("notice-text").textContent = text;
  element("retry").hidden = !retry;
  if (text && !stays) gone = setTimeout(() => notice(""), 5000);
}
