// Keys: everything that hands can do, in one table, which is also the help.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0

// `table` has rows [keys, words, action]; keys are KeyboardEvent.key, with "Shift+" before where it counts.
export function keyboard(table) {
  const actions = new Map(table.flatMap(([keys, , action]) => keys.map(key => [key, action])));
  addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (document.querySelector("dialog[open]")) return;
    // Controls with a use for the key get it: a slider its arrows, a button its space. The button that closed
    // a dialog keeps the focus until the next picture is drawn.
    const own = event.target.closest?.("input, select, button, textarea");
    if (own && !own.closest("dialog") && (own.matches("select, textarea") || [" ", "Enter", "Tab"].includes(event.key) || event.key.startsWith("Arrow"))) return;
    const arrow = event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key;
    const action = actions.get(arrow.length === 1 ? arrow.toLowerCase() : arrow);
    if (!action) return;
    event.preventDefault();
    action(event.key);
  });
}

const names = { " ": "Space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc" };

export function writeHelp(parent, table) {
  parent.replaceChildren(...table.flatMap(([keys, words]) => {
    const term = document.createElement("dt"), description = document.createElement("dd");
    for (const key of keys) {
      const cap = document.createElement("kbd");
      cap.textContent = key.split("+").filter(Boolean).map(k => names[k] ?? (k.length === 1 ? k.toUpperCase() : k)).join(" ") || "+";
      term.append(cap, " ");
    }
    description.textContent = words;
    return [term, description];
  }));
}
