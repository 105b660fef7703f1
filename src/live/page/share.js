// A view as text: the part after # in the address has the camera and the display settings.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
import { mapNames } from "./maps.js";
import { notice } from "./readings.js";

const short = v => Number(v.toPrecision(6));

export function toHash(camera, look, index) {
  const words = {
    c: camera.centre.map(short).join(","),
    q: camera.rotation.map(short).join(","),
    w: short(camera.width),
    by: look.by, map: look.map, log: Number(look.log), p: Number(look.perspective),
    light: short(look.brightness), size: short(look.size), glow: short(look.glow),
    ...(index === null ? {} : { show: index }),
  };
  return `#${Object.entries(words).map(([k, v]) => `${k}=${v}`).join("&")}`;
}

// Sets the values in the text; others stay. Returns whether it names a camera, and which snapshot.
export function fromHash(hash, camera, look) {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const numbers = (key, count) => {
    const values = (words.get(key) ?? "").split(",").map(v => v === "" ? NaN : Number(v));
    return values.length === count && values.every(Number.isFinite) ? values : null;
  };
  const positive = key => numbers(key, 1)?.[0] > 0 ? numbers(key, 1)[0] : null;
  const centre = numbers("c", 3), q = numbers("q", 4), width = positive("w"), placed = Boolean(centre && q && width && Math.hypot(...q) > 0);
  if (placed) Object.assign(camera, { centre, width, rotation: q.map(v => v / Math.hypot(...q)) });
  if (["type", "speed", "density"].includes(words.get("by"))) look.by = words.get("by");
  if (mapNames.includes(words.get("map"))) look.map = words.get("map");
  for (const [key, name] of [["log", "log"], ["p", "perspective"]]) if (words.has(key)) look[name] = words.get(key) === "1";
  for (const [key, name] of [["light", "brightness"], ["size", "size"]]) look[name] = positive(key) ?? look[name];
  const glow = numbers("glow", 1);
  if (glow) look.glow = Math.min(Math.max(glow[0], 0), 1);
  camera.perspective = look.perspective;
  const show = numbers("show", 1)?.[0];
  return { placed, show: Number.isInteger(show) && show >= 0 ? show : null };
}

// Copies a link, or shows it where a page may not copy.
export async function share(link) {
  try {
    await navigator.clipboard.writeText(link);
    notice("The link to this view is copied. It has no token: who opens it needs their own.");
  } catch {
    const text = document.getElementById("link-text");
    text.value = link;
    document.getElementById("link").showModal();
    text.select();
  }
}
