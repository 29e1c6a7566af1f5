// The model that was reached: a real one, good, and what it says otherwise than the best.

import { make, percent } from "./elements.js";

const MOST = 40;
const more = (ratio) => (Math.abs(ratio - 1) < 5e-5 ? "as much as" : `${percent(Math.abs(ratio - 1), 2)} ${ratio > 1 ? "more than" : "less than"}`);

export class Chosen {
  constructor(start, order) {
    Object.assign(this, { start, order });
    this.element = make("section", { class: "chosen", "aria-label": "One good model" });
    this.isOpen = { weights: false, rows: false };
  }

  draw(model, isFree) {
    const unfolding = (name, summary, content) => {
      const details = make("details", {}, make("summary", {}, summary), content);
      details.open = this.isOpen[name];
      details.addEventListener("toggle", () => { this.isOpen[name] = details.open; });
      return details;
    };
    const fact = (name, value) => make("div", {}, make("dt", {}, name), make("dd", {}, value));
    const facts = make("dl", {}, fact("Error on the samples", `${model.error.toPrecision(3)}${isFree ? "" : ` (best model: ${model.error_of_best.toPrecision(3)})`}`),
      ...(isFree ? [] : [fact("Total weight", `${more(model.norm)} the best`), fact("Loss", `${more(model.loss)} the best`)]),
      ...(model.otherwise === null || isFree ? [] : [fact("Samples that it puts elsewhere", `${model.otherwise} of ${this.start.samples}`)]));
    const rows = model.rows.slice(0, MOST).join(", ") + (model.otherwise > MOST ? ` and ${model.otherwise - MOST} more` : "");
    const weights = make("table", {}, ...this.order().map((k) => make("tr", {}, make("th", { scope: "row" }, make("bdi", {}, this.start.names[k])), make("td", { "data-weight": model.weights[k] }, percent(model.weights[k], 2)))));
    this.element.replaceChildren(make("h2", {}, make("span", { class: "dot sample" }), isFree ? "The best model" : "The best model that keeps this"), facts,
      unfolding("weights", "Its weights", weights), ...(model.otherwise ? [unfolding("rows", "Which samples", make("p", {}, `Numbers among those used, from 1: ${rows}.`))] : []));
  }
}
