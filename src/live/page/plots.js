// Plots of the run's diagnostics against time: small, live, read by pointer.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
import { number } from "./format.js";

const MOST = 20000;   // rows of a plot: then every other is let go
const QUIET = "#a3aabb", GRID = "rgb(255 255 255 / 0.1)", FONT = '10px ui-sans-serif, system-ui, "DejaVu Sans", sans-serif';

export class Plot {
  times = [];
  #series;
  #log;
  #canvas;
  #value;
  #title;
  #hover = null;
  #box;
  #now = NaN;
  #dirty = true;

  // `series` are [{ name, colour, values: [] }]; with `log` the axis is of the logarithms of sizes.
  constructor(parent, title, series, { log = false } = {}) {
    this.#series = series;
    this.#log = log;
    this.#title = title;
    const box = Object.assign(document.createElement("div"), { className: "plot" });
    const head = document.createElement("h2");
    this.#value = document.createElement("output");
    this.#canvas = document.createElement("canvas");
    this.#canvas.setAttribute("role", "img");
    this.#canvas.setAttribute("aria-label", `${title}: nothing yet`);
    head.append(title, this.#value);
    box.append(head, this.#canvas);
    box.hidden = true;
    this.#box = box;
    parent.append(box);
    const point = event => {
      this.#hover = event.type === "pointerleave" ? null : event.offsetX;
      this.changed();
    };
    for (const name of ["pointermove", "pointerdown", "pointerleave"]) this.#canvas.addEventListener(name, point);
    new ResizeObserver(() => this.changed()).observe(this.#canvas);
  }

  get series() { return this.#series; }

  // Drawn with the next `draw`, which shows of many changes only the last.
  changed() { this.#dirty = true; }

  // The time that the sky shows, which may lie back.
  show(time) {
    if (time === this.#now) return;
    this.#now = time;
    this.changed();
  }

  clear() {
    this.times.length = 0;
    for (const s of this.#series) s.values.length = 0;
    this.changed();
  }

  // Rows come in the order of time; one of a time that is there already, as after a lost connection, is not taken.
  add(time, values) {
    if (time <= this.times.at(-1)) return;
    this.times.push(time);
    this.#series.forEach((s, k) => s.values.push(values[k] ?? NaN));
    if (this.times.length > MOST) {
      const half = a => a.filter((_, i) => i % 2 === 0 || i === a.length - 1);
      this.times = half(this.times);
      for (const s of this.#series) s.values = half(s.values);
    }
    this.changed();
  }

  draw() {
    this.#box.hidden = !this.times.length;  // a run need not measure everything
    const canvas = this.#canvas, width = canvas.clientWidth, height = canvas.clientHeight;
    if (!this.#dirty || !width) return;
    this.#dirty = false;
    const scale = devicePixelRatio, g = canvas.getContext("2d");
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    g.scale(scale, scale);
    const left = 44, right = width - 3, top = 6, bottom = height - 6;
    const [first, last] = [this.times[0], this.times.at(-1)], range = this.#range(), [low, high] = range ?? [0, 1];
    const x = t => last > first ? left + (t - first) / (last - first) * (right - left) : right;
    const y = v => bottom - (this.#place(v) - low) / (high - low) * (bottom - top);

    g.font = FONT;
    g.textAlign = "right";
    g.textBaseline = "middle";
    for (const at of [low, high]) {
      const py = bottom - (at - low) / (high - low) * (bottom - top);
      g.fillStyle = GRID;
      g.fillRect(left, Math.round(py), right - left, 1);
      g.fillStyle = QUIET;
      if (range) g.fillText(number(this.#log ? 10 ** at : at, 3), left - 6, py);
    }
    if (this.#now >= first && this.#now < last) {
      g.fillStyle = "rgb(240 201 135 / 0.55)";
      g.fillRect(Math.round(x(this.#now)), top - 4, 1, bottom - top + 8);
    }
    for (const s of this.#series) this.#line(g, s, x, y, right);

    let i = this.times.length - 1;
    if (this.#hover !== null && i >= 0) {
      const t = first + (this.#hover - left) / (right - left) * (last - first);
      i = Math.min(Math.max(lowerBound(this.times, t), 0), i);
      g.fillStyle = "rgb(255 255 255 / 0.5)";
      g.fillRect(Math.round(x(this.times[i])), top - 4, 1, bottom - top + 8);
    }
    this.#write(i);
  }

  #line(g, { colour, values }, x, y, right) {
    g.strokeStyle = colour;
    g.lineWidth = 1.4;
    g.lineJoin = "round";
    g.beginPath();
    let drawing = false;
    values.forEach((v, i) => {
      const py = y(v), known = Number.isFinite(py);
      if (known) g[drawing ? "lineTo" : "moveTo"](x(this.times[i]), py);
      drawing = known;
    });
    g.stroke();
    const end = y(values.at(-1));
    if (!Number.isFinite(end)) return;
    g.fillStyle = colour;
    g.beginPath();
    g.arc(right - 1, end, 2.2, 0, 7);
    g.fill();
  }

  // Position of a value on the axis. Values that are not positive have none on a logarithmic axis.
  #place(v) { return this.#log ? Math.log10(Math.abs(v) || NaN) : v; }

  // The ends of the axis; null where nothing has a place on it, as errors that are 0.
  #range() {
    let low = Infinity, high = -Infinity;
    for (const { values } of this.#series)
      for (const v of values) {
        const p = this.#place(v);
        if (p < low) low = p;
        if (p > high) high = p;
      }
    if (!(low <= high)) return null;
    if (this.#log) [low, high] = [Math.floor(low), Math.ceil(high)];
    const least = Math.max(1e-12, 0.02 * Math.abs(high));  // a constant is a line in the middle, not noise
    return high - low < least ? [low - least, high + least] : [low, high];
  }

  #write(i) {
    const words = this.#series.map(s => [s, number(s.values[i], 3)]);
    this.#value.replaceChildren(...words.map(([s, text]) => {
      const word = document.createElement(this.#series.length > 1 ? "i" : "span");
      word.style.color = this.#series.length > 1 ? s.colour : "";
      word.textContent = this.#series.length > 1 ? `${s.name} ${text}` : text;
      return word;
    }));
    const when = this.times.length ? ` at time ${number(this.times[i])}` : "";
    this.#canvas.setAttribute("aria-label", `${this.#title}${when}: ${words.map(([s, text]) => `${s.name} ${text}`).join(", ")}`);
  }
}

function lowerBound(sorted, v) {
  let low = 0, high = sorted.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (sorted[mid] < v) low = mid + 1;
    else high = mid;
  }
  return low;
}

// The plots of a run, filled from its rows and its measured force errors.
export class Plots {
  #parent;

  constructor(parent) {
    this.#parent = parent;
    const line = (name, colour) => ({ name, colour, values: [] });
    this.energy = new Plot(parent, "Energy error", [line("energy error", "#f0c987")], { log: true });
    this.virial = new Plot(parent, "Virial ratio", [line("virial ratio", "#7fd8c0")]);
    this.radii = new Plot(parent, "Radii", [line("10 %", "#8fb4ff"), line("50 %", "#f0c987"), line("90 %", "#ff9a8a")], { log: true });
    this.force = new Plot(parent, "Force error", [line("median", "#8fb4ff"), line("p99", "#c9a6ff")], { log: true });
  }

  #all() { return [this.energy, this.virial, this.radii, this.force]; }

  row({ time, energy_error, virial_ratio, radii }) {
    this.energy.add(time, [energy_error]);
    this.virial.add(time, [virial_ratio]);
    this.radii.add(time, ["10", "50", "90"].map(k => radii?.[k]));
  }
  status({ time, force_error }) {
    if (force_error) this.force.add(time, [force_error.median, force_error.p99]);
  }
  rows(rows) {
    for (const plot of [this.energy, this.virial, this.radii]) plot.clear();
    for (const row of rows) this.row(row);
  }
  clear() { for (const plot of this.#all()) plot.clear(); }
  show(time) { for (const plot of this.#all()) plot.show(time); }
  draw() {
    this.#parent.hidden = this.#all().every(plot => !plot.times.length);
    for (const plot of this.#all()) plot.draw();
  }
}
