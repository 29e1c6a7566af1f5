// All features as bars from the least to the most weight; only what changed is drawn again.

import { CLASSES, make, mark, percent } from "./elements.js";
import { Axis } from "./axis.js";

const ANSWERS = { yes: "full", "(yes)": "half", no: "none", "\u2013": "none" };

export class Bars {
  constructor(start) {
    this.start = start;
    this.axis = new Axis(start.answer.low, start.answer.high, start.answer.chance);
    this.head = make("div", { class: "head", "aria-hidden": "true" });
    this.list = make("ul", { class: "rows", "aria-label": "Features and the weights that good models give them" });
    this.rows = start.names.map((_, feature) => this.row(feature));
    this.drawn = new Map();
    this.drawHead();
    this.arrange([]);
    this.reach(this.rows[start.order[0]]);
  }

  row(feature) {
    const name = this.start.names[feature], { kinds } = this.start;
    const thumb = (end, word) => make("span", {
      class: `thumb ${end}`, role: "slider", tabindex: -1, "data-end": end, "aria-label": `${word} weight of ${name}`, "aria-orientation": "horizontal",
    });
    const parts = {
      name: make("button", { type: "button", class: "name", tabindex: -1, "aria-expanded": "false", title: "More about this feature, and limits to type" }, make("bdi", {}, name)),
      relevance: make("span", { class: "badge" }),
      evidence: make("span", { class: "evidence" }, ...kinds.map(() => make("i", {}))),
      chance: make("span", { class: "chance" }), zero: make("span", { class: "origin" }), ghost: make("span", { class: "ghost" }),
      outer: make("span", { class: "outer" }), bar: make("span", { class: "bar" }), dot: make("span", { class: "dot" }),
      low: thumb("low", "Least"), high: thumb("high", "Most"), tip: make("span", { class: "tip", hidden: true }),
      numbers: make("span", { class: "numbers" }),
      away: make("button", { type: "button", class: "away", tabindex: -1, "aria-pressed": "false", "aria-label": `Take ${name} away`, title: "Take away" }, "\u00d7"),
      more: make("div", { class: "more", hidden: true }),
    };
    const { chance, zero, ghost, outer, bar, dot, low, high, tip } = parts;
    parts.track = make("div", { class: "track" }, chance, zero, ghost, outer, bar, dot, low, high, tip);
    const item = make("li", { class: "row", "data-feature": feature }, make("div", { class: "line" }, parts.name, parts.relevance, parts.evidence, parts.track, parts.numbers, parts.away), parts.more);
    item.classList.toggle("still", this.start.bounded[feature] || this.start.constant[feature]);
    return { ...parts, item, feature };
  }

  drawHead() {
    const tick = (value) => {
      const label = make("span", { class: value === 0 ? "tick zero" : "tick" }, percent(value, 0));
      label.style.left = `${this.axis.place(value)}%`;
      return label;
    };
    const scale = make("span", { class: "scale" }, ...this.axis.ticks.filter((value) => this.axis.place(value) > 4 && this.axis.place(value) < 96).map(tick));
    this.head.replaceChildren(make("span", {}, "Feature"), make("span", {}, "Class"), make("span", { class: "evidence-head" }, "Evidence"), scale, make("span", { class: "numbers" }, "Weight"), make("span", {}));
  }

  // Those that stand in for one another side by side, where the first of them stands
  arrange(groups) {
    const groupOf = new Map(groups.flatMap((group) => group.members.map((each) => [each, group])));
    const placed = new Set(), items = [];
    for (const feature of this.start.order) {
      if (placed.has(feature)) continue;
      const group = groupOf.get(feature);
      const members = group ? this.start.order.filter((each) => group.members.includes(each)) : [feature];
      members.forEach((each, at) => {
        placed.add(each);
        this.rows[each].item.classList.toggle("grouped", Boolean(group));
        this.rows[each].item.classList.toggle("first", Boolean(group) && at === 0);
        this.rows[each].item.classList.toggle("last", Boolean(group) && at === members.length - 1);
        items.push(this.rows[each].item);
      });
    }
    this.order = items.map((each) => Number(each.dataset.feature));
    this.list.replaceChildren(...items);
  }

  // One row is in the order of the tab key; arrows lead to the others
  reach(row) {
    const controls = (each) => [each.name, each.low, each.high, each.away];
    if (this.reached) controls(this.reached).forEach((each) => { each.tabIndex = -1; });
    controls(row).forEach((each) => { each.tabIndex = 0; });
    this.reached = row;
  }

  shown() { return this.order.map((feature) => this.rows[feature]).filter((row) => !row.item.hidden); }

  draw(view) {
    if (!this.axis.holds(view.low, view.high)) {
      this.axis = new Axis([...view.low, ...this.start.answer.low], [...view.high, ...this.start.answer.high], view.chance);
      this.drawn.clear();
      this.drawHead();
    }
    this.view = view;
    this.rows.forEach((row, k) => this.drawRow(row, k, view));
  }

  drawRow(row, k, view) {
    const asked = view.asked[k], isAbsent = asked === "absent";
    const now = JSON.stringify([view.low[k], view.high[k], view.outer?.low[k], view.outer?.high[k], view.relevance[k], view.needed[k], view.chance[k], view.marks[k], view.model?.[k], asked, view.free.low[k], view.free.high[k], view.status, view.isInner, view.stopped === k]);
    if (this.drawn.get(k) === now) return;
    this.drawn.set(k, now);
    const { axis } = this, relevance = CLASSES[view.relevance[k]], isExact = view.status === "exact";
    const span = (element, low, high) => {
      element.style.left = `${axis.place(low)}%`;
      element.style.width = `${axis.place(high) - axis.place(low)}%`;
    };
    const chance = view.chance[k] ?? 0;
    span(row.chance, -chance, chance);
    row.zero.style.left = `${axis.place(0)}%`;
    span(row.ghost, view.free.low[k], view.free.high[k]);
    span(row.bar, view.low[k], view.high[k]);
    row.outer.hidden = isExact || !view.outer;
    if (!row.outer.hidden) span(row.outer, view.outer.low[k], view.outer.high[k]);
    row.low.style.left = `${axis.place(view.low[k])}%`;
    row.high.style.left = `${axis.place(view.high[k])}%`;
    row.dot.hidden = !view.model;
    if (view.model) row.dot.style.left = `${axis.place(view.model[k])}%`;
    for (const each of CLASSES) row.item.classList.toggle(each, each === relevance);
    row.item.classList.toggle("absent", isAbsent);
    row.item.classList.toggle("asked", asked !== null);
    row.item.classList.toggle("open", !isExact);
    row.item.classList.toggle("unknown", !view.isInner);
    row.item.classList.toggle("barred", view.status === "conflict");
    row.item.classList.toggle("stopped", view.stopped === k);
    this.drawWords(row, k, view, relevance, isAbsent);
  }

  drawWords(row, k, view, relevance, isAbsent) {
    const [low, high] = [percent(view.low[k]), percent(view.high[k])], bounded = this.start.bounded[k];
    row.relevance.className = `badge ${relevance}`;
    row.relevance.replaceChildren(...(isAbsent ? ["taken away"] : [mark(relevance), relevance]));
    [...row.evidence.children].forEach((dot, at) => { dot.className = ANSWERS[view.marks[k][at]] ?? "none"; });
    row.evidence.title = this.start.kinds.map((kind, at) => `${kind.question} ${view.marks[k][at]}`).join("\n");
    row.numbers.textContent = view.status === "conflict" ? "\u2013" : bounded ? `at most ${percent(Math.max(-view.low[k], view.high[k]))}` : low === high ? low : `${low} to ${high}`;
    Object.assign(row.item.dataset, { low: view.low[k], high: view.high[k], status: view.status });
    row.away.setAttribute("aria-pressed", String(isAbsent));
    row.away.textContent = isAbsent ? "\u21ba" : "\u00d7";
    row.away.title = isAbsent ? "Bring back" : "Take away";
    const sure = { exact: "exact", first: "first bound", conflict: "impossible" }[view.status];
    for (const [thumb, value] of [[row.low, view.low[k]], [row.high, view.high[k]]]) {
      for (const [name, told] of Object.entries({ valuemin: view.free.low[k], valuemax: view.free.high[k], valuenow: value })) thumb.setAttribute(`aria-${name}`, told.toFixed(4));
      thumb.setAttribute("aria-valuetext", `${percent(value)}, ${sure}; ${isAbsent ? "taken away" : relevance}`);
    }
  }

  tip(row, text, value) {
    row.tip.hidden = text === null;
    if (text === null) return;
    row.tip.textContent = text;
    row.tip.style.left = `${Math.min(Math.max(this.axis.place(value), 6), 94)}%`;
  }
}
