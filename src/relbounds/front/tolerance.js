// How much worse than the best may a good model be? A slider, and marks where a class changes.

import { CLASSES, make, number } from "./elements.js";

const STEPS = 1000, NEAR = 12;
const MOST = 1;
const place = (tolerance) => STEPS * Math.cbrt(Math.min(tolerance, MOST) / MOST);
const value = (at) => Number((MOST * (at / STEPS) ** 3).toPrecision(3));

export class Tolerance {
  // steps: the only ones that are known, if nobody can be asked
  constructor(start, set, steps = null) {
    this.start = start;
    this.steps = steps;
    this.used = start.answer.tolerance;
    this.set = set;
    this.input = make("input", { type: "range", min: 0, max: STEPS, step: 1, id: "tolerance", "aria-describedby": "tolerance-said" });
    this.input.addEventListener("input", () => this.set(this.read(), false));
    this.input.addEventListener("change", () => this.set(this.read(), true));
    this.output = make("output", { for: "tolerance" });
    this.ticks = make("div", { class: "ticks" });
    this.element = make("section", { class: "tolerance", "aria-label": "Tolerance" },
      make("label", { for: "tolerance" }, "Tolerance"), make("div", { class: "slide" }, this.input, this.ticks), this.output,
      make("p", { class: "small", id: "tolerance-said" }, "How much worse than the best a good model may be. Marks: a class changes there."));
    this.drawTicks([]);
  }

  // Null at the mark of the fit, and next to it
  read() {
    const at = Number(this.input.value);
    if (this.steps?.length) {
      const next = this.steps.reduce((best, each) => (Math.abs(place(each) - at) < Math.abs(place(best) - at) ? each : best));
      return next === this.used ? null : next;
    }
    return Math.abs(at - place(this.used)) <= NEAR ? null : value(at);
  }

  draw(tolerance) {
    const now = tolerance ?? this.used;
    if (this.read() !== tolerance) this.input.value = String(Math.round(place(now))); // or keys could not pass the fit
    this.output.textContent = tolerance === null ? `${number(now)} (of the fit)` : number(now);
    this.input.setAttribute("aria-valuetext", this.output.textContent);
  }

  // Where models begin to do without a feature is known exactly; where else a class changes, between steps
  changes(path, prices) {
    const found = [];
    path.slice(1).forEach((after, at) => {
      const before = path[at];
      after.relevance.forEach((now, k) => {
        if (now === before.relevance[k]) return;
        const price = prices?.[k], isExact = before.relevance[k] === 2 && price > before.tolerance && price <= after.tolerance;
        found.push({ tolerance: isExact ? price : after.tolerance, text: `${this.start.names[k]} becomes ${CLASSES[now]}`, isExact });
      });
    });
    return found;
  }

  drawTicks(changes) {
    const at = new Map([[this.used, []]]);
    changes.filter((each) => each.tolerance <= MOST).forEach((each) => at.set(each.tolerance, [...(at.get(each.tolerance) ?? []), each]));
    for (const [tolerance, told] of [...at].sort(([a], [b]) => a - b)) {
      const isFit = tolerance === this.used;
      const said = told.map((each) => `${each.isExact ? "From" : "By"} ${number(tolerance)}: ${each.text}`);
      this.mark(tolerance, isFit, [...(isFit ? ["The tolerance of the fit"] : []), ...said].join("\n"));
    }
  }

  // In the order of tolerances; one that is there stays, and keeps the focus
  mark(tolerance, isFit, text) {
    const marks = [...this.ticks.children], key = String(tolerance);
    let tick = marks.find((each) => each.dataset.tolerance === key);
    if (!tick) {
      tick = make("button", { type: "button", class: isFit ? "tick fit" : "tick", "data-tolerance": key, onclick: () => this.set(isFit ? null : tolerance, true) });
      tick.style.left = `${(100 * place(tolerance)) / STEPS}%`;
      this.ticks.insertBefore(tick, marks.find((each) => Number(each.dataset.tolerance) > tolerance) ?? null);
    }
    tick.setAttribute("aria-label", text);
    tick.title = text;
  }
}
