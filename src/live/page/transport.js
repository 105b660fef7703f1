// Time: position of the run, and its controls. Snapshots have a slider, runs a progress bar.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
import { number, timeOf, withUnit } from "./format.js";

const element = id => document.getElementById(id);
const RATE = 8;  // snapshots a second while they play

export class Transport {
  #send;
  #files = null;    // the snapshots, where there are
  #control = false;
  #state = "";
  #playing = false;
  #shown = 0;
  #asked = null;  // the snapshot that was requested and has not arrived
  #units = {};

  constructor(send) {
    this.#send = send;
    element("pause").onclick = () => this.toggle();
    element("step").onclick = () => this.step(1);
    element("stop").onclick = () => element("stop-question").showModal();
    element("stop-question").onclose = ({ target }) => {
      if (target.returnValue === "stop") this.#send({ type: "control", do: "stop" });
      target.returnValue = "";
    };
    element("slider").oninput = () => this.go(Number(element("slider").value));
  }

  hello({ kind, frames = [], control = false, units = {} }) {
    this.#files = kind === "snapshots" ? frames : null;
    this.#control = control;
    this.#playing = false;
    this.#units = units;
    element("buttons").hidden = !this.#files && !control;
    element("stop").hidden = Boolean(this.#files);
    element("slider").hidden = !this.#files;
    element("progress").hidden = Boolean(this.#files);
    element("slider").max = Math.max(0, frames.length - 1);
    this.#buttons();
  }

  status(status) {
    this.#state = status.state;
    element("end").textContent = "";
    if (this.#files) {
      // The slider may be ahead of the snapshot that has arrived.
      if (this.#asked === status.index) this.#asked = null;
      this.#shown = this.#asked ?? status.index ?? this.#shown;
      element("slider").value = this.#shown;
      this.#name();
      this.#playing = status.state === "running";
    } else if (status.end > 0) {
      element("progress").value = Math.min(1, Math.max(0, status.time / status.end));
      element("end").textContent = withUnit(number(timeOf(status.end, this.#units)), this.#units.time);
    }
    this.#buttons();
  }

  time(t) { element("time").textContent = withUnit(`t = ${number(timeOf(t, this.#units), 5)}`, this.#units.time); }

  // Pause or go on; with snapshots, play or hold.
  toggle() {
    if (this.#files) this.play(!this.#playing);
    else if (this.#control) this.#send({ type: "control", do: this.#state === "paused" ? "resume" : "pause" });
  }

  step(by) {
    if (this.#files) this.go(Math.min(Math.max(this.#shown + by, 0), this.#files.length - 1));
    else if (this.#control && by > 0) this.#send({ type: "control", do: "step" });
  }

  go(index) {
    if (this.#playing) this.play(false);
    this.#shown = this.#asked = index;
    element("slider").value = index;
    this.#name();
    this.#send({ type: "show", index });
  }

  play(on) {
    this.#playing = on;
    this.#send({ type: "play", on, rate: RATE });
    this.#buttons();
  }

  #name() {
    const file = this.#files[this.#shown];
    element("end").textContent = `${this.#shown + 1} of ${this.#files.length}`;
    element("slider").setAttribute("aria-valuetext", file ? `${file.name}, time ${withUnit(number(timeOf(file.time, this.#units)), this.#units.time)}` : "");
    element("slider").title = file?.name ?? "";
  }

  #buttons() {
    const runs = this.#files ? this.#playing : this.#state !== "paused", over = ["ended", "stopped"].includes(this.#state) && !this.#files;
    const label = this.#files ? (runs ? "Hold" : "Play") : runs ? "Pause" : "Go on";
    element("pause").setAttribute("aria-label", label);
    element("pause").title = `${label} (Space)`;
    element("pause").querySelector("use").setAttribute("href", runs ? "#i-pause" : "#i-play");
    for (const id of ["pause", "step", "stop"]) element(id).disabled = over;
  }
}
