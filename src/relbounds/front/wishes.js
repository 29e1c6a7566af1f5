// What is asked now, as chips; and what can be done with all of it.

import { listed, make, percent } from "./elements.js";

export function inWords({ features, asked }, names) {
  const who = listed(features.map((each) => names[each]));
  if (asked === "absent") return `${who}: taken away`;
  if (asked === "positive" || asked === "negative") return `${who}: only ${asked}`;
  if (typeof asked === "number") return `${who}: together at most ${percent(asked)}`;
  const [low, high] = asked[0] === "signed" ? asked.slice(1) : asked, kind = asked[0] === "signed" ? "" : "size ";
  if (low === high) return `${who}: fixed at ${percent(low, 2)}`;
  if (low === null) return `${who}: ${kind}at most ${percent(high, 2)}`;
  if (high === null) return `${who}: ${kind}at least ${percent(low, 2)}`;
  return `${who}: ${kind}${percent(low, 2)} to ${percent(high, 2)}`;
}

export class Wishes {
  // does: {drop(constraint), undo, redo, reset, copy(what), save}
  constructor(names, does, { hasLink, isAlive }) {
    Object.assign(this, { names, does });
    const button = (text, act, more = {}) => make("button", { type: "button", onclick: act, ...more }, text);
    this.undo = button("Undo", does.undo, { title: "Ctrl+Z" });
    this.redo = button("Redo", does.redo, { title: "Ctrl+Shift+Z" });
    this.reset = button("Start again", does.reset);
    const copies = [hasLink ? button("Copy link", () => does.copy("link")) : null, ...(isAlive ? [button("Copy as Python", () => does.copy("python")), button("Copy as command", () => does.copy("command")), button("Save as a report", does.save)] : [])];
    this.chips = make("ul", { class: "chips", "aria-label": "What is asked" });
    this.none = make("p", { class: "none" }, `Nothing is asked yet: these are all good models. ${isAlive ? "Pull at" : "Click"} a bar.`);
    this.element = make("section", { class: "wishes", "aria-label": "What is asked" },
      make("div", { class: "asked" }, this.none, this.chips),
      make("div", { class: "actions" }, this.undo, this.redo, this.reset, ...copies));
  }

  draw(state, history, conflict) {
    this.undo.disabled = !history.canUndo;
    this.redo.disabled = !history.canRedo;
    this.reset.disabled = !state.constraints.length && state.tolerance === null;
    this.none.hidden = state.constraints.length > 0;
    this.chips.hidden = !state.constraints.length;
    const shown = JSON.stringify([state.constraints, conflict]);
    if (this.shown === shown) return;
    this.shown = shown;
    this.chips.replaceChildren(...state.constraints.map((each, at) => {
      const text = inWords(each, this.names);
      return make("li", { class: conflict?.includes(at) ? "chip conflict" : "chip" }, make("bdi", {}, text),
        make("button", { type: "button", "aria-label": `Do not ask any more: ${text}`, title: "Remove", onclick: () => this.does.drop(each) }, "\u00d7"));
    }));
  }
}
