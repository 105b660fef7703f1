// Display settings: colours and light, and the legend that explains them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
import { value } from "./frames.js";
import { number } from "./format.js";
import { colourOfType, mapNames, table } from "./maps.js";

const element = id => document.getElementById(id);
const ranges = ["brightness", "size"];  // sliders of powers of two

export class Look {
  by = "type";
  map = "plasma";
  log = true;
  perspective = true;
  brightness = 1;
  size = 1;
  glow = 0.16;
  softening = 0;
  typeColours = ["#f0bf7c"];
  #changed;
  #drawn = "";
  #types = [];
  #counted = null;  // the types of the frame that the legend is of

  // `changed(name)` is called after a person changed something here.
  constructor(changed) {
    this.#changed = changed;
    element("map").append(...mapNames.map(name => new Option(name, name)));
    for (const input of document.querySelectorAll("[name=by]")) input.onchange = () => this.set("by", input.value);
    element("map").onchange = () => this.set("map", element("map").value);
    for (const name of ranges) element(name).oninput = () => this.set(name, 2 ** element(name).value);
    element("glow").oninput = () => this.set("glow", Number(element("glow").value));
    for (const name of ["log", "perspective"]) element(name).onchange = () => this.set(name, element(name).checked);
  }

  set(name, to) {
    this[name] = to;
    this.show();
    this.#changed(name);
  }

  // The controls as the values are.
  show() {
    for (const input of document.querySelectorAll("[name=by]")) input.checked = input.value === this.by;
    element("map").value = this.map;
    for (const name of ranges) element(name).value = Math.log2(this[name]);
    element("glow").value = this.glow;
    for (const name of ["log", "perspective"]) element(name).checked = this[name];
    element("legend-types").hidden = this.by !== "type";
    element("legend-map").hidden = this.by === "type";
    if (this.#drawn !== this.map) {
      this.#drawn = this.map;
      element("ramp").getContext("2d").putImageData(new ImageData(table(this.map), 256, 1), 0, 0);
    }
  }

  // Takes the server's description of the bodies.
  hello({ types = [], softening = 0 }) {
    this.softening = softening || 0;
    this.typeColours = types.length ? types.map(colourOfType) : ["#f0bf7c"];
    this.#types = types;
    this.#counted = null;
  }

  // Updates the legend for the newest frame: the ends of the map, and the types present.
  legend(frame, units) {
    if (frame.types && frame.types !== this.#counted) {
      this.#counted = frame.types;
      const present = new Set(frame.types);
      element("legend-types").replaceChildren(...this.#types.flatMap((name, k) => {
        if (!present.has(k)) return [];
        const item = document.createElement("span");
        item.textContent = name;
        item.style.setProperty("--colour", this.typeColours[k]);
        return [item];
      }));
    }
    const known = frame.colours && this.by !== "type";
    element("ramp-low").textContent = known ? number(value(frame, 0), 3) : "–";
    element("ramp-high").textContent = known ? number(value(frame, 255), 3) : "–";
    element("ramp-unit").textContent = this.by === "speed" ? units.velocity ?? "" : "";
  }
}
