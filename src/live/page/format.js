// Numbers and durations as people read them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0

// Four figures: plain if that is short, else a power of ten. "–" for an unknown value.
export function number(v, figures = 4) {
  if (v === null || v === undefined || !Number.isFinite(v)) return "–";
  const size = Math.abs(v);
  if (v !== 0 && (size < 1e-3 || size >= 1e6)) {
    const [mantissa, exponent] = v.toExponential(Math.max(figures - 2, 0)).split("e");
    return `${Number(mantissa).toString().replace("-", "−")}e${exponent.replace("+", "").replace("-", "−")}`;
  }
  return Number(v.toPrecision(figures)).toString().replace("-", "−");
}

export const count = v => Number.isFinite(v) ? Math.round(v).toLocaleString("en") : "–";

export function duration(seconds) {
  if (seconds === null || !Number.isFinite(seconds)) return "–";
  const s = Math.round(seconds), h = Math.floor(s / 3600), m = Math.floor(s / 60) % 60;
  if (h >= 48) return `${Math.floor(h / 24)} d ${h % 24} h`;
  return h ? `${h} h ${m} min` : m ? `${m} min ${s % 60} s` : `${s} s`;
}

export const rate = bytes => bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB/s` : `${(bytes / 1e3).toFixed(0)} kB/s`;

export const withUnit = (text, unit) => unit ? `${text} ${unit}` : text;

// A time of the simulation in the unit that `units` names for times.
export const timeOf = (time, units) => time * (units?.time_scale ?? 1);

// The largest of 1, 2 or 5 times a power of ten that is not above v.
export function round(v) {
  const power = 10 ** Math.floor(Math.log10(v)), m = v / power;
  return (m >= 5 ? 5 : m >= 2 ? 2 : 1) * power;
}
