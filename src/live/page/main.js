// The live view: passes messages of the server to canvas, plots and readings, and user input back.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
import { Binaries } from "./binaries.js";
import { Budget } from "./budget.js";
import { Camera, finite } from "./camera.js";
import { Cameras } from "./cameras.js";
import { Movie, captions, fileName, photo } from "./capture.js";
import { Connection } from "./connection.js";
import { duration, number } from "./format.js";
import { Frames, decode, pointsOf } from "./frames.js";
import { fit, place, scaleBar } from "./framing.js";
import { keyboard, writeHelp } from "./keys.js";
import { edges } from "./lines.js";
import { Look } from "./look.js";
import { Plots } from "./plots.js";
import { hands, nearest } from "./pointer.js";
import { notice, showBody, showRun, showState } from "./readings.js";
import { fromHash, share, toHash } from "./share.js";
import { Sky } from "./sky.js";
import { Picked } from "./trail.js";
import { Transport } from "./transport.js";

const MOTION = 300;  // milliseconds after the last change until the picture counts as still
const REACH = 24;      // CSS pixels from a hand to the body that it picks

const element = id => document.getElementById(id);
const canvas = element("sky"), camera = new Camera(), frames = new Frames(), budget = new Budget(), movie = new Movie();
const plots = new Plots(element("plots"));

let hello = {}, status = {}, frame = null, periodic = null;
let sky = null, room = [1, 1], placed = false, wanted = null;
let follow = null;                       // "centre", "body" or nothing
let fresh = false, dirty = true, develops = false, moved = 0, ticking = 0, drew = 0, draws = 0, pace = 0;

const connection = new Connection({ text: heard, frame: received, state: connected });
const send = message => connection.send(message);
const transport = new Transport(send), picked = new Picked(send), binaries = new Binaries(send), cameras = new Cameras(send);
const look = new Look(name => {
  if (name === "by") send({ type: "colour", by: look.by });
  change();
});

// --- Messages from the server ---------------------------------------------------------------------------------------

function heard(message) {
  switch (message.type) {
    case "hello": return greet(message);
    case "status": return report(message);
    case "row": return plots.row(message);
    case "rows": return plots.rows(message.rows);
    case "error": return notice(message.message);
    case "binaries":
      binaries.heard(message);
      element("binaries-number").textContent = binaries.words;
      return change();
    case "picked":
      if (!picked.heard(message)) return;
      if (!picked.body) unpick();
      if (follow === "body") camera.centre = picked.body.position;
      showBody(picked.body, hello.units ?? {}, follow === "body");
      change();
  }
}

function greet(message) {
  const another = hello.title !== undefined && hello.title !== message.title;
  hello = { ...message, units: message.units ?? {} };
  if (another) plots.clear();
  element("title").textContent = hello.title || "Pleiad";
  document.title = hello.title ? `${hello.title} · Pleiad` : "Pleiad";
  const box = hello.box;
  periodic = box ? { corner: box.corner ?? [0, 0, 0], size: box.sizes ?? [box.size, box.size, box.size] } : null;
  look.hello(hello);
  transport.hello(hello);
  send({ type: "budget", bytes_per_second: Math.round(budget.bytes) });
  send({ type: "budget", frames_per_second: budget.wished });
  if (look.by !== "type") send({ type: "colour", by: look.by });
  binaries.greet();
  if (wanted !== null && hello.kind === "snapshots") transport.go(Math.min(wanted, hello.frames.length - 1));
  wanted = null;
  cameras.forget();
  change();
}

function report(message) {
  status = message;
  const left = message.seconds_left > 0 ? `${duration(message.seconds_left)} left` : "";
  const speed = message.steps_per_second > 0 ? `${number(message.steps_per_second, 3)} steps/s` : "";
  if (hello.kind === "snapshots") showState("ended", "");
  else showState(message.state, message.state === "running" ? [speed, left].filter(Boolean).join(" · ") : "");
  if (hello.kind === "snapshots") element("state-word").textContent = "Snapshots";
  transport.status(message);
  plots.status(message);
}

function received(buffer) {
  budget.received(buffer.byteLength);
  const next = frames.accept(decode(buffer));
  if (!next) return send({ type: "key" });
  if (next.light) next.camera = cameras.get(next.base);
  const otherLight = Boolean(next.light) !== Boolean(frame?.light);
  frame = next;
  fresh = true;
  if (otherLight) sky?.expose();
  if (!placed) {
    placed = true;
    fit(camera, frame, periodic, room);
    if (hello.follow && follow === null && finite(frame.centre)) followNow("centre");
  }
  if (follow === "centre" && finite(frame.centre)) camera.centre = frame.centre;
  change();
}

function connected(state, seconds) {
  if (state === "open") {
    notice("");
    frames.forget();  // a new connection begins with a key frame
    unpick();
    showState("connecting", "");
  } else if (state === "lost") {
    const over = ["ended", "stopped"].includes(status.state);
    if (!over) showState("lost", "");
    notice(over ? "The run is over and its server has closed." : `Connection lost. Trying again ${seconds < 1 ? "now" : `in ${seconds} s`}.`,
           { stays: true, retry: true });
  }
}

// --- Drawing --------------------------------------------------------------------------------------------------------

// Something is different: it is drawn with the screen's next picture.
function change() {
  dirty = true;
  moved = performance.now();
  ticking ||= requestAnimationFrame(tick);
}

// Runs while something moves, and once more: a still picture is drawn with all pixels.
function tick(now) {
  ticking = 0;
  if (drew) {
    // The time until the screen was free again is the cost of a picture, on any device.
    const cost = now - drew;
    drew = 0;
    sky?.pace(cost);
    budget.drawn(cost);
  }
  const moving = performance.now() - moved < MOTION;
  if (dirty || develops || movie.records) {
    dirty = false;
    draw(moving);
    drew = now;
  }
  if (!moving && sky?.coarse) dirty = true;
  if (moving || develops || dirty || drew || movie.records) ticking ||= requestAnimationFrame(tick);
}

function draw(moving) {
  camera.perspective = look.perspective && !frame?.light;
  const bar = scaleBar(camera, hello.units?.length);
  if (sky) {
    if (fresh) sky.show(frame);
    const lines = [
      ...(periodic ? [{ ends: edges(periodic.corner, periodic.size, 0.35) }] : []),
      { ends: binaries.segments(camera) },
      { ends: picked.segments(periodic?.size), gold: true },
    ];
    develops = sky.draw(camera, look, lines, moving);
    if (movie.records) movie.frame(canvas, captions(hello, frame, bar));
    ++draws;
  }
  if (fresh && frame) {
    send({ type: "seen", sequence: frame.sequence });
    transport.time(frame.time);
    look.legend(pointsOf(frame) ?? frame, hello.units ?? {});
    if (hello.kind === "snapshots") plots.show(frame.time);
  }
  fresh = false;
  mark();
  cameras.tell(camera, canvas);
}

function mark() {
  const at = picked.body && camera.project(picked.body.position);
  element("marker").hidden = !at;
  if (at) element("marker").style.transform = `translate(${at[0]}px, ${at[1]}px)`;
}

// --- User input -----------------------------------------------------------------------------------------------------

function followNow(what) {
  follow = what;
  if (follow === "centre" && finite(frame?.centre)) camera.centre = frame.centre;
  if (follow === "body") camera.centre = picked.body.position;
  element("follow-centre").setAttribute("aria-pressed", String(follow === "centre"));
  element("follow-body").checked = follow === "body";
  change();
}

function followCentre() {
  if (follow !== "centre" && !finite(frame?.centre)) return notice("The centre of density is not known here.");
  followNow(follow === "centre" ? null : "centre");
}

function unpick() {
  picked.letGo();
  if (follow === "body") followNow(null);
  showBody(null);
  if (document.body.dataset.tab === "body") tab(null);
  change();
}

function pickAt(x, y) {
  const points = pointsOf(frame);
  if (!points?.points) return;
  const index = nearest(points, camera, x, y, REACH);
  unpick();
  if (index >= 0) picked.pick(points, index);
}

function showBinaries(on) {
  binaries.show(on);
  element("binaries").checked = on;
  element("binaries-number").textContent = binaries.words;
  change();
}

function fitNow() {
  followNow(null);
  fit(camera, frame, periodic, room);
  change();
}

const canvasScale = () => canvas.width / camera.pixels[0];

function savePhoto() {
  if (!sky) return;
  // Drawn again with all pixels: in this task the canvas still has it.
  draw(false);
  photo(canvas, canvasScale(), captions(hello, frame, scaleBar(camera, hello.units?.length)), fileName(hello, frame));
}

function toggleMovie() {
  if (!sky) return;
  notice(movie.toggle(canvas, canvasScale(), fileName(hello, frame)));
  element("movie").setAttribute("aria-pressed", String(movie.records));
  change();
}

function shareView() {
  const hash = toHash(camera, look, hello.kind === "snapshots" ? status.index ?? null : null);
  history.replaceState(null, "", hash);
  share(`${location.origin}/${hash}`);
}

function tab(name) {
  const same = document.body.dataset.tab === name;
  if (name === null || same) delete document.body.dataset.tab;
  else document.body.dataset.tab = name;
  for (const button of element("tabs").children) button.setAttribute("aria-expanded", String(button.dataset.tab === document.body.dataset.tab));
  arrange();
}

function arrange() {
  room = place(camera, canvas);
  change();
}

const TURN = 0.08, MOVE = 40;  // radians and CSS pixels a key
const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const colourBy = by => () => look.set("by", by);
const table = [
  [[" "], "pause and go on, or play", () => transport.toggle()],
  [[".", ","], "one step on; with snapshots also back", key => transport.step(key === "." ? 1 : -1)],
  [["f"], "show everything", fitNow],
  [["c"], "follow the centre of density", followCentre],
  [["b"], "keep the picked body in the middle", () => picked.body && followNow(follow === "body" ? null : "body")],
  [["Escape"], "let the body go", unpick],
  [["1", "2", "3"], "colour by type, speed or density", key => colourBy(["type", "speed", "density"][key - 1])()],
  [["l"], "logarithmic or linear light", () => look.set("log", !look.log)],
  [["p"], "perspective or parallel rays", () => look.set("perspective", !look.perspective)],
  [["n"], "mark binaries", () => showBinaries(!binaries.on)],
  [["[", "]"], "darker, brighter", key => look.set("brightness", Math.min(8, Math.max(1 / 8, look.brightness * (key === "]" ? 1.25 : 0.8))))],
  [Object.keys(arrows), "turn", key => { camera.turn(...arrows[key].map(v => v * TURN)); change(); }],
  [Object.keys(arrows).map(key => `Shift+${key}`), "move", key => { followNow(null); camera.pan(...arrows[key].map(v => -v * MOVE)); change(); }],
  [["+", "-"], "nearer, farther", key => { camera.zoom(key === "+" ? 0.8 : 1.25); change(); }],
  [["s"], "save a picture", savePhoto],
  [["m"], "record a movie, and save it", toggleMovie],
  [["u"], "copy a link to this view", shareView],
  [["h"], "hide all instruments", () => { document.body.classList.toggle("bare"); arrange(); }],
  [["?"], "these keys", () => element("keys").showModal()],
];

// --- The beginning --------------------------------------------------------------------------------------------------

const shared = fromHash(location.hash, camera, look);
placed = shared.placed;
wanted = shared.show;
look.show();
showState("connecting", "");
keyboard([...table, [["="], "", () => { camera.zoom(0.8); change(); }]]);  // the key of "+" without Shift
writeHelp(element("keys-list"), table);
hands(canvas, camera, { moved: change, panned: () => follow && followNow(null), picked: pickAt, following: () => follow !== null });

const buttons = { fit: fitNow, "follow-centre": followCentre, photo: savePhoto, movie: toggleMovie, share: shareView, unpick,
                  help: () => element("keys").showModal(), retry: () => connection.retry() };
for (const [id, action] of Object.entries(buttons)) element(id).onclick = action;
for (const button of element("tabs").children) button.onclick = () => tab(button.dataset.tab);
element("binaries").onchange = ({ target }) => showBinaries(target.checked);
element("follow-body").onchange = ({ target }) => followNow(target.checked ? "body" : null);
addEventListener("hashchange", () => {
  const { placed: there, show } = fromHash(location.hash, camera, look);
  placed ||= there;
  look.show();
  send({ type: "colour", by: look.by });
  if (show !== null && hello.kind === "snapshots") transport.go(Math.min(show, hello.frames.length - 1));
  change();
});
// A hidden page draws nothing: that time is no cost of drawing.
document.addEventListener("visibilitychange", () => { drew = 0; });
new ResizeObserver(arrange).observe(canvas);
arrange();

try {
  sky = new Sky(canvas, change);
} catch (error) {
  notice(error.message, { stays: true });
}

setInterval(() => {
  plots.draw();
  showRun({ status, hello, frame, budget, pace });
}, 250);
let second = performance.now();
setInterval(() => {
  const now = performance.now();
  pace = draws / (now - second) * 1000;
  draws = 0;
  second = now;
  const offered = hello.kind !== "snapshots" && status.state === "running" ? status.steps_per_second || 0 : 0;
  for (const message of budget.report(now, offered)) send(message);
}, 1000);

// For the console, and for tests: the objects of the view, and the numbers behind it.
globalThis.pleiad = {
  camera, look, plots, picked, binaries, budget,
  get frame() { return frame; },
  get hello() { return hello; },
  get status() { return status; },
  get pace() { return pace; },
  count: () => sky.count(camera),
  // Pictures a second, drawn one after the other while the camera turns. Each is waited for.
  rate(pictures) {
    const begin = performance.now();
    for (let k = 0; k < pictures; ++k) {
      camera.turn(0.02, 0);
      draw(false);
      sky.finish();
    }
    return 1000 * pictures / (performance.now() - begin);
  },
};
