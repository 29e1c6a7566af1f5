// The explorer: what is asked, what is known of it at once, and what the engine proves.
// mount(element, send, options) is all that a page, a notebook or a report needs.

import { Asker } from "./ask.js";
import { Bars } from "./bars.js";
import { between, inner, outer } from "./bounds.js";
import { Chosen } from "./chosen.js";
import { Group, editor } from "./editor.js";
import { listed, make, number, percent } from "./elements.js";
import { Gestures, inward } from "./gestures.js";
import { EMPTY, History, asCommand, asPython, asking, boxes, linked, of, same, sent, unlinked, withTolerance } from "./state.js";
import { Tolerance } from "./tolerance.js";
import { Wishes, inWords } from "./wishes.js";

const MOST_KNOWN = 60, FEW = 12;

export async function mount(element, send, options = {}) {
  element.classList.add("explorer");
  const asker = new Asker(send);
  try {
    const start = await asker.ask("start");
    return new Explorer(element, start, asker, options);
  } catch (error) {
    element.replaceChildren(make("p", { class: "trouble", role: "alert" }, error.message));
    throw error;
  }
}

export class Explorer {
  constructor(element, start, asker, { address = null, foreseen = null } = {}) {
    Object.assign(this, { element, start, asker, address, foreseen, path: [], prices: null, stopped: null, unfolded: null, standIns: {} });
    this.used = start.answer.tolerance;
    this.known = [{ state: EMPTY, answer: start.answer, model: start.model, tolerance: this.used, used: this.used }];
    this.history = new History(EMPTY);
    this.state = EMPTY;
    this.reached = start.model;
    for (const { state, answer } of foreseen?.known ?? []) this.keep(state, answer);
    this.build();
    this.show(EMPTY, null);
    this.restore();
    this.address?.listen(() => this.restore());
    if (foreseen) this.tolerance.drawTicks(this.tolerance.changes(foreseen.path, foreseen.prices));
    else this.lookFurther();
  }

  build() {
    const { start, foreseen } = this, isAlive = !foreseen, does = {
      drop: (each) => this.wish(asking(this.state, each.features, null)), undo: () => this.go(this.history.undo()), redo: () => this.go(this.history.redo()),
      reset: () => this.wish(EMPTY), copy: (what) => this.copy(what), save: () => this.save(),
    };
    this.bars = new Bars(start);
    this.wishes = new Wishes(start.names, does, { hasLink: Boolean(this.address), isAlive });
    const move = (value, isDone) => this.wish(isAlive ? withTolerance(this.state, value) : { ...EMPTY, tolerance: value }, { isDone });
    this.tolerance = new Tolerance(start, move, foreseen?.path.map((each) => each.tolerance));
    this.chosen = new Chosen(start, () => this.bars.order);
    this.group = new Group(start, (features, asked) => this.wish(asking(this.state, features, asked)), () => this.unfold(this.unfolded));
    this.gestures = new Gestures(this.bars, {
      drag: (...given) => this.drag(...given), away: (feature) => this.away(feature), free: (feature) => this.ask([feature], null), unfold: (feature) => this.unfold(this.unfolded === feature ? null : feature),
      canDrag: isAlive, limits: (feature) => this.limits(feature), ends: (feature) => ({ low: this.view.low[feature], high: this.view.high[feature] }),
    });
    this.status = make("p", { class: "status" });
    this.said = make("p", { class: "said", role: "status", "aria-live": "polite" });
    this.trouble = make("div", { class: "trouble", role: "alert", hidden: true });
    this.found = make("input", { type: "search", autocomplete: "off", spellcheck: "false", oninput: () => this.filter() });
    const { title, samples, names } = start;
    this.element.classList.toggle("offline", !isAlive);
    this.element.replaceChildren(
      isAlive ? make("header", {}, make("h1", {}, make("bdi", {}, title)), make("p", { class: "lead" }, `${samples.toLocaleString("en")} samples, ${names.length} features. Each bar reaches from the least to the most weight that a good model gives the feature.`)) : "",
      make("p", { class: "how" }, ...(isAlive ? [make("b", {}, "Drag"), " an end to limit a weight, the middle to fix it. "] : []), make("b", {}, "Click"), " a bar to take the feature away. Watch the others move."),
      this.wishes.element, this.tolerance.element, this.group.element,
      make("div", { class: "told" }, this.trouble, this.said, this.status),
      make("div", { class: "columns" },
        make("section", { class: "features", "aria-label": "Features" }, names.length > FEW ? make("label", { class: "find" }, "Find a feature ", this.found) : null, this.bars.head, this.bars.list, legend()),
        isAlive ? this.chosen.element : ""));
    this.element.addEventListener("keydown", (event) => this.press(event));
  }

  // Wishes

  wish(state, { isDone = true, changed = null } = {}) {
    this.state = state;
    if (isDone) {
      this.history.add(state);
      this.remember(state);
    }
    const known = this.known.find((each) => same(each.state, state));
    this.taken = null;
    const isWhole = known && (known.model || this.foreseen || known.answer.conflict);
    if (isWhole) this.show(state, known);
    else this.showFirst(state, changed);
    if (!isWhole) this.find(state);
  }

  go(state) {
    this.wish(state, { isDone: false });
    this.remember(state);
  }

  remember(state) {
    this.element.dataset.link = linked(state, this.start.names);
    this.address?.write(this.element.dataset.link);
  }

  // A page that knows absences alone knows one at a time
  ask(features, asked) {
    if (this.foreseen) this.wish(asking(EMPTY, features, asked));
    else this.askMore(features, asked);
  }

  askMore(features, asked) { this.wish(asking(this.state, features, asked), { changed: features.length === 1 ? features[0] : null }); }

  away(feature) {
    if (this.start.constant[feature]) return;
    if (this.foreseen) this.ask([feature], same(this.state, asking(EMPTY, [feature], "absent")) ? null : "absent");
    else this.ask([feature], of(this.state, feature) === "absent" ? null : "absent");
  }

  box(feature) {
    const [low, high] = boxes(this.state.constraints.filter((each) => same(each.features, [feature]))).limits.get(feature) ?? [null, null];
    return [low === -Infinity ? null : low, high === Infinity ? null : high];
  }

  drag(feature, kind, value, isDone) {
    const { low, high } = this.limits(feature), row = this.bars.rows[feature];
    let [from, to] = this.box(feature);
    const isBeyond = value < low - 1e-9 || value > high + 1e-9;
    if (kind === "body") from = to = inward(value, low, high);
    if (kind === "low") from = value <= low ? null : inward(value, low, to ?? high);
    if (kind === "high") to = value >= high ? null : inward(value, from ?? low, high);
    this.stopped = isBeyond && !isDone ? feature : null;
    const end = value < low ? low : high;
    const reached = kind === "low" ? from ?? low : kind === "high" ? to ?? high : from;
    this.bars.tip(row, isDone ? null : isBeyond ? `no good model goes beyond ${percent(end)}` : percent(reached, 2), isBeyond ? end : reached);
    this.wish(asking(this.state, [feature], from === null && to === null ? null : ["signed", from, to]), { isDone, changed: feature });
  }

  // How far a weight can be pulled while all else that is asked is kept
  limits(feature) {
    const without = asking(this.state, [feature], null), known = this.known.find((each) => same(each.state, without) && !each.answer.conflict);
    if (!known && !this.foreseen) this.fetch(without);
    const { low, high } = known?.answer ?? outer(this.known, without) ?? this.start.answer;
    return { low: low[feature], high: high[feature] };
  }

  // Answers

  async fetch(state) {
    const name = JSON.stringify(state);
    if (this.fetching === name) return;
    this.fetching = name;
    try { this.keep(state, await this.asker.ask("answer", { state: sent(state, this.start.names), client: `${this.asker.client} aside` })); } catch { /* the gesture itself will tell */ }
    this.fetching = null;
  }

  keep(state, answer, model = null) {
    if (!answer) return null;
    const others = this.known.filter((each) => !same(each.state, state));
    const entry = { state, answer, model, tolerance: state.tolerance ?? this.used, used: this.used };
    this.known = [others[0] ?? entry, ...others.slice(1).slice(this.foreseen ? 0 : -MOST_KNOWN), ...(others.length ? [entry] : [])];
    return entry;
  }

  async find(state) {
    if (same(state, this.asked)) return;
    this.asked = state;
    const asked = { state: sent(state, this.start.names) }, begun = performance.now();
    try {
      const answer = await this.asker.latest("answer", asked);
      if (!answer) return;
      const entry = this.keep(state, answer);
      this.taken = performance.now() - begun;
      if (same(state, this.state)) this.show(state, entry);
      if (answer.conflict || !same(state, this.state)) return;
      entry.model = await this.asker.ask("model", asked);
      if (same(state, this.state)) this.show(state, entry);
    } catch (error) {
      if (same(state, this.state)) this.tellTrouble(error);
    } finally {
      if (this.asked === state) this.asked = null;
    }
  }

  // What is known at once: at least so far, at most so far
  showFirst(state, changed) {
    const { start } = this, along = state.tolerance !== null && between(this.path, state.tolerance);
    const wide = outer(this.known, state) ?? (along && !state.constraints.length ? along.outer : null) ?? (along ? along.outer : start.answer);
    const isFit = state.tolerance === null;
    const near = state.constraints.length ? (isFit ? inner(start.models, state.constraints, changed, this.reached?.weights) : null) : along ? along.inner : null;
    const last = this.last ?? start.answer;
    this.draw({ ...last, ...(near ?? wide), isInner: Boolean(near), outer: wide, status: "first", model: null });
    this.status.replaceChildren(make("span", { class: "pending" }, near ? "solid: reached at least; hatched: at most; exact answer follows" : "hatched: at most; exact answer follows"));
  }

  show(state, entry) {
    const { answer, model } = entry ?? this.known[0];
    this.trouble.hidden = true;
    if (answer.conflict) return this.showConflict(answer);
    this.last = answer;
    if (model) this.reached = model;
    this.draw({ ...answer, isInner: true, outer: null, status: "exact", model: model?.weights ?? null });
    if (model) this.chosen.draw(model, !state.constraints.length);
    const said = answer.sentences.length ? answer.sentences.join(" ") : this.summary(answer);
    if (this.said.textContent !== said) this.said.textContent = said;
    this.status.replaceChildren(make("span", { class: "exact" }, "\u2713 exact, proved"), this.taken ? ` in ${Math.round(this.taken)} ms` : "");
    if (this.unfolded !== null) this.unfold(this.unfolded);
    return null;
  }

  summary(answer) {
    const named = (relevance) => this.bars.order.filter((k) => answer.relevance[k] === relevance).map((k) => this.start.names[k]);
    const strong = named(2), count = strong.length;
    if (!count) return "No feature is indispensable: for each there is a good model without it, or nothing proves that it adds to the others.";
    return `${count > 6 ? `${count} features are` : `${listed(strong)} ${count > 1 ? "are" : "is"}`} indispensable. Take another away and see who takes over.`;
  }

  showConflict(answer) {
    const free = this.free();
    this.draw({ ...this.start.answer, low: free.low, high: free.high, isInner: false, outer: null, status: "conflict", model: null }, answer.conflict);
    const conflict = answer.conflict.map((at) => this.state.constraints[at]), told = conflict.map((each) => inWords(each, this.start.names));
    const isAbsence = conflict.length === 1 && conflict[0].asked === "absent";
    const said = isAbsence ? `No good model does without ${listed(conflict[0].features.map((k) => this.start.names[k]))}.` : `No good model keeps ${told.length > 1 ? "these together" : "this"}: ${told.join("; ")}.`;
    this.said.textContent = "";
    this.status.replaceChildren(make("span", { class: "impossible" }, "\u2715 impossible, proved"));
    const isFree = !this.foreseen;
    this.tell(`${said}${answer.needs === null ? " No tolerance would allow it." : ` It takes a tolerance of ${number(answer.needs)}.`}`,
      isFree && answer.needs !== null && answer.needs <= 1 ? ["Allow that tolerance", () => this.wish(withTolerance(this.state, Number((answer.needs * 1.005 + 1e-4).toPrecision(3))))] : null,
      ["Undo", () => this.go(this.history.undo())]);
  }

  tellTrouble(error) {
    if (error.isTold) this.tell(error.message, ["Undo", () => this.go(this.history.undo())]);
    else this.tell("The explorer does not answer. Start it again with the same command; this page's link, or what stands after # in it, brings all of this back.", ["Try again", () => this.wish(this.state)]);
  }

  tell(text, ...actions) {
    this.trouble.replaceChildren(make("span", {}, text), ...actions.filter(Boolean).map(([word, act]) => make("button", { type: "button", onclick: act }, word)));
    this.trouble.hidden = false;
  }

  // The ranges at this tolerance without any constraint
  free() { return this.known.find((each) => !each.state.constraints.length && each.state.tolerance === this.state.tolerance)?.answer ?? this.start.answer; }

  draw(view, conflict = null) {
    const asked = this.start.names.map(() => null);
    for (const { features, asked: what } of this.state.constraints) features.forEach((each) => { asked[each] = what; });
    this.view = { ...view, asked, free: this.free(), stopped: this.stopped };
    this.bars.draw(this.view);
    this.wishes.draw(this.state, this.history, conflict);
    this.tolerance.draw(this.state.tolerance);
    this.element.dataset.status = view.status;
  }

  // What is typed, and where, stays while nothing is new
  unfold(feature) {
    const { rows } = this.bars, before = this.unfolded;
    if (before !== null && before !== feature) {
      rows[before].more.hidden = true;
      rows[before].name.setAttribute("aria-expanded", "false");
    }
    this.unfolded = feature;
    if (feature === null) return;
    const { more, name } = rows[feature], known = [(this.last?.evidence ?? this.start.answer.evidence)[feature], this.standIns[feature]];
    const content = JSON.stringify([known, this.box(feature), this.group.chosen.has(feature)]);
    if (!more.hidden && more.dataset.content === content) return;
    const does = { ask: (features, asked) => this.ask(features, asked), box: (each) => this.box(each), choose: (each, is) => this.group.choose(each, is), isChosen: (each) => this.group.chosen.has(each), canAsk: (features) => this.foreseen?.isKnown(asking(EMPTY, features, "absent")) ?? null };
    const at = [...more.querySelectorAll("input, button")].indexOf(document.activeElement);
    more.dataset.content = content;
    more.replaceChildren(...editor(this.start, feature, known, does));
    more.hidden = false;
    name.setAttribute("aria-expanded", "true");
    if (at >= 0) more.querySelectorAll("input, button")[at]?.focus();
  }

  filter() {
    const wanted = this.found.value.toLowerCase();
    for (const { item, feature } of this.bars.rows) item.hidden = !this.start.names[feature].toLowerCase().includes(wanted);
  }

  // When nobody asks: who stands in for whom, and where classes change along the tolerance
  async lookFurther() {
    try {
      const groups = await this.asker.whenIdle("groups");
      if (groups?.length) this.bars.arrange(groups);
      for (const { members, sentence } of groups ?? []) members.forEach((each) => { this.standIns[each] = sentence; });
      this.prices = await this.asker.whenIdle("prices");
      for (let step = 0; step < this.start.steps; step += 1) {
        this.path.push(await this.asker.whenIdle("path", { step }));
        this.tolerance.drawTicks(this.tolerance.changes(this.path, this.prices));
      }
      this.element.dataset.complete = "true";
    } catch { /* a gesture will tell that nobody answers */ }
  }

  // Taking away

  restore() {
    try {
      const state = unlinked(this.address?.read(), this.start.names);
      if (!same(state, this.state)) this.wish(state);
    } catch (error) {
      this.tell(`The link cannot be read. ${error.message}`);
    }
  }

  async copy(what) {
    const { names, command } = this.start;
    const text = { link: () => this.address.link(this.state, names), python: () => asPython(this.state, names, command || this.start.target ? "answer" : "model"), command: () => asCommand(this.state, names, command) }[what]();
    let isDone = true;
    try { await navigator.clipboard.writeText(text); } catch { isDone = copyBySelection(text); }
    this.status.textContent = isDone ? `Copied: ${text}` : text;
  }

  async save() {
    const text = await this.asker.ask("report", { state: sent(this.state, this.start.names) });
    const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "text/html" })), download: "report.html" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    this.status.textContent = "Saved as report.html.";
  }

  press(event) {
    if (!(event.ctrlKey || event.metaKey) || event.target.matches("input[type=text], input[type=search]")) return;
    const wanted = { z: event.shiftKey ? "redo" : "undo", y: "redo" }[event.key.toLowerCase()];
    if (!wanted) return;
    event.preventDefault();
    this.go(this.history[wanted]());
  }
}

function legend() {
  const item = (kind, text) => make("li", {}, make("span", { class: `key ${kind}` }), text);
  return make("ul", { class: "legend" }, item("strong", "strong: in every good model, and adds to all others"), item("weak", "weak: of use, but not indispensable"), item("irrelevant", "irrelevant: nothing speaks for it"),
    item("chance", "what chance may give a column without meaning"), item("ghost", "where it reaches if nothing is asked"), item("dot", "one good model"),
    make("li", {}, make("span", { class: "evidence" }, make("i", { class: "full" }), make("i", { class: "full" }), make("i", {})), "evidence: alone, in good models, beside all others"));
}

function copyBySelection(text) {
  const area = make("textarea", {});
  area.value = text;
  document.body.append(area);
  area.select();
  const isDone = document.execCommand("copy");
  area.remove();
  return isDone;
}
