// Colours: perceptual maps for values, and one hue a type, the same as in Pleiad's pictures.
//
// The brightness of a pixel stands for the number of bodies there. A map stands for their values only, so it
// begins at a colour that differs from black. Its steps are even to the eye: stops are joined in OKLab
// (Ottosson 2020).
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0

const stops = {
  plasma: ["#5b1fb4", "#8b0aa5", "#b83289", "#db5c68", "#f48849", "#febc2a", "#f0f921"],
  viridis: ["#48358a", "#3b528b", "#2c718e", "#21908d", "#27ad81", "#5cc863", "#aadc32", "#fde725"],
  cividis: ["#2a4d8f", "#4a5b79", "#666970", "#7f7c75", "#9a8d73", "#b8a66a", "#dac45a", "#fee838"],
  magma: ["#5a2a8c", "#822681", "#b63679", "#e65163", "#fb8761", "#fec287", "#fcfdbf"],
};
export const mapNames = Object.keys(stops);

const typeColours = { gas: "#3fc4b4", halo: "#8a76dc", disc: "#f0bf7c", bulge: "#f08338", star: "#86aef2", boundary: "#9a9a9a" };
const others = ["#ffcf6b", "#6bb8ff", "#ff7d6e", "#7ee0a8", "#c79bff", "#ffa05a", "#62e0e6", "#ff9ed0"];

export const colourOfType = (name, k) => typeColours[name] ?? others[k % others.length];

const linear = v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
const encoded = v => v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055;

// "#rrggbb" as linear light, 0 to 1.
export const light = hex => [1, 3, 5].map(k => linear(parseInt(hex.slice(k, k + 2), 16) / 255));

function toLab([r, g, b]) {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
}
function fromLab([L, a, b]) {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3, m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3,
        s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s].map(v => Math.min(Math.max(v, 0), 1));
}

// 256 colours as sRGB bytes with alpha, for a texture or a legend.
export function table(name) {
  const labs = stops[name].map(hex => toLab(light(hex))), bytes = new Uint8ClampedArray(4 * 256);
  for (let i = 0; i < 256; ++i) {
    const at = i / 255 * (labs.length - 1), k = Math.min(Math.floor(at), labs.length - 2), u = at - k;
    const rgb = fromLab(labs[k].map((v, c) => v + (labs[k + 1][c] - v) * u));
    bytes.set([...rgb.map(v => Math.round(255 * encoded(v))), 255], 4 * i);
  }
  return bytes;
}
