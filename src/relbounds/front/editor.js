// What is known of one feature, and limits to type instead of dragging them.

import { listed, make } from "./elements.js";

const typed = (input) => (input.value.trim() === "" ? null : Number(input.value.replace(",", ".")) / 100);
const shown = (share) => (share === null || !Number.isFinite(share) ? "" : String(Number((100 * share).toFixed(4))));

// does: {ask(features, asked), box(feature), choose(feature, isChosen), isChosen(feature)}
export function editor(start, feature, known, does) {
  const name = start.names[feature], [low, high] = does.box(feature);
  const field = (word, value) => make("input", { type: "text", inputmode: "decimal", size: 7, value: shown(value), "aria-label": `${word} weight of ${name} in percent` });
  const from = field("Least", low), to = field("Most", high), wrong = make("span", { class: "wrong", role: "alert" });
  const button = (text, act) => make("button", { type: "button", onclick: act }, text);
  const limit = (event) => {
    event.preventDefault();
    const ends = [typed(from), typed(to)];
    const isRange = ends.every((each) => each === null || Number.isFinite(each)) && !(ends[0] !== null && ends[1] !== null && ends[0] > ends[1]);
    wrong.textContent = isRange ? "" : "Two numbers, the smaller first; or nothing for no limit.";
    if (isRange) does.ask([feature], ends.every((each) => each === null) ? null : ["signed", ...ends]);
  };
  const box = make("input", { type: "checkbox", onchange: (event) => does.choose(feature, event.target.checked) });
  box.checked = does.isChosen(feature);
  const column = start.madeFrom[feature], siblings = column ? start.madeFrom.flatMap((each, k) => (each === column ? [k] : [])) : [];
  const all = siblings.length > 1 && does.canAsk(siblings) !== false ? button(`Take all of ${column} away`, () => does.ask(siblings, "absent")) : null;
  const told = make("p", { class: "proof" }, [start.bounded[feature] ? "Its weight is only bounded." : "", ...known, column && column !== name ? `A value of ${column}.` : ""].filter(Boolean).join(" "));
  if (does.canAsk([feature]) !== null) return [told, ...(all ? [all] : [])];
  return [
    told,
    make("form", { onsubmit: limit }, make("label", {}, "Weight from ", from, " %"), make("label", {}, " to ", to, " % "), make("button", { type: "submit" }, "Limit"), wrong),
    make("div", { class: "actions" }, button("Only positive", () => does.ask([feature], "positive")), button("Only negative", () => does.ask([feature], "negative")),
      button("Take away", () => does.ask([feature], "absent")), all,
      button("Set free", () => does.ask([feature], null)), make("label", {}, box, " limit it together with others")),
  ];
}

// Several features, whose total may be limited
export class Group {
  constructor(start, ask, changed) {
    Object.assign(this, { start, ask, changed, chosen: new Set() });
    this.element = make("form", { class: "group", hidden: true, onsubmit: (event) => { event.preventDefault(); this.limit(); } });
  }
  choose(feature, isChosen) {
    if (isChosen) this.chosen.add(feature);
    else this.chosen.delete(feature);
    this.draw();
  }
  limit() {
    const most = typed(this.most);
    if (this.features.length > 1 && most !== null && most >= 0) this.done(most);
    else this.most.setCustomValidity("A number of at least 0");
  }
  done(asked) {
    this.ask(this.features, asked);
    this.chosen.clear();
    this.draw();
  }
  get features() { return [...this.chosen].sort((a, b) => a - b); }
  draw() {
    this.element.hidden = this.chosen.size === 0;
    const names = listed(this.features.map((each) => this.start.names[each])), isOne = this.chosen.size === 1;
    this.most = make("input", { type: "text", inputmode: "decimal", size: 6, "aria-label": `Most total weight of ${names} in percent`, oninput: (event) => event.target.setCustomValidity("") });
    this.element.replaceChildren(make("span", {}, make("bdi", {}, names), isOne ? ": choose others to limit together." : " together at most "),
      ...(isOne ? [] : [this.most, " % ", make("button", { type: "submit" }, "Limit"), make("button", { type: "button", onclick: () => this.done("absent") }, "Take all away")]),
      make("button", { type: "button", onclick: () => { this.chosen.clear(); this.draw(); this.changed(); } }, "Forget"));
  }
}
