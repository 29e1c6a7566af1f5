// What is asked now: constraints on features, by their place, and a tolerance. Nothing here changes
// a state; every wish gives a new one.

export const EMPTY = Object.freeze({ constraints: [], tolerance: null });
const key = (features) => features.join(",");

export const found = (state, features) => state.constraints.find((each) => key(each.features) === key(features));
export const of = (state, feature) => found(state, [feature])?.asked ?? null;

export function asking(state, features, asked) {
  const others = state.constraints.filter((each) => key(each.features) !== key(features));
  const at = state.constraints.findIndex((each) => key(each.features) === key(features));
  if (asked === null) return { ...state, constraints: others };
  const next = [...others];
  next.splice(at < 0 ? others.length : at, 0, { features, asked });
  return { ...state, constraints: next };
}

export const withTolerance = (state, tolerance) => ({ ...state, tolerance });
export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// The limits of each weight that constraints name, and totals of several
export function boxes(constraints) {
  const limits = new Map(), totals = [];
  const narrow = (feature, [low, high]) => {
    const [a, b] = limits.get(feature) ?? [-Infinity, Infinity];
    limits.set(feature, [Math.max(a, low), Math.min(b, high)]);
  };
  for (const { features, asked } of constraints) {
    if (typeof asked === "number") totals.push({ features, limit: asked });
    else features.forEach((feature) => narrow(feature, box(asked)));
  }
  return { limits, totals };
}

function box(asked) {
  if (asked === "absent") return [0, 0];
  if (asked === "positive") return [0, Infinity];
  if (asked === "negative") return [-Infinity, 0];
  if (asked[0] === "signed") return [asked[1] ?? -Infinity, asked[2] ?? Infinity];
  return [-(asked[1] ?? Infinity), asked[1] ?? Infinity];
}

// Whether all models that keep the first constraints keep the others too
export function implies(constraints, others) {
  const own = boxes(constraints), wider = boxes(others);
  const within = ([feature, [low, high]]) => {
    const [a, b] = own.limits.get(feature) ?? [-Infinity, Infinity];
    return low <= a && b <= high;
  };
  const kept = ({ features, limit }) => own.totals.some((each) => key(each.features) === key(features) && each.limit <= limit);
  return [...wider.limits].every(within) && wider.totals.every(kept);
}

// As the session reads it: features by name, unless two have the same
const called = (names) => (feature) => (names.indexOf(names[feature]) === names.lastIndexOf(names[feature]) ? names[feature] : feature);

export function sent(state, names) {
  const told = { constraints: state.constraints.map(({ features, asked }) => [features.map(called(names)), asked]) };
  return state.tolerance === null ? told : { ...told, tolerance: state.tolerance };
}

export const linked = (state, names) => (same(state, EMPTY) ? "" : encodeURIComponent(JSON.stringify(sent(state, names))));

export function unlinked(text, names) {
  if (!text) return EMPTY;
  const told = JSON.parse(decodeURIComponent(text));
  const place = (name) => {
    const at = typeof name === "number" ? name : names.indexOf(name);
    if (!(at in names)) throw new Error(`There is no feature ${name} here.`);
    return at;
  };
  const constraints = (told.constraints ?? []).map(([features, asked]) => {
    if (!isAsked(asked)) throw new Error("What is asked of a feature is not understood.");
    return { features: features.map(place), asked };
  });
  const tolerance = told.tolerance ?? null;
  if (tolerance !== null && !(tolerance >= 0)) throw new Error("A tolerance is at least 0.");
  return { constraints, tolerance };
}

const isEnd = (value) => value === null || Number.isFinite(value);
const isAsked = (asked) => ["absent", "positive", "negative"].includes(asked) || Number.isFinite(asked)
  || (Array.isArray(asked) && (asked[0] === "signed" ? asked.length === 3 && asked.slice(1).every(isEnd) : asked.length === 2 && asked.every(isEnd)));

// Texts to take away
const python = (value) => {
  if (!Array.isArray(value)) return JSON.stringify(value);
  const end = (each, at) => (each === null ? (at === 0 ? "-inf" : "inf") : python(each));
  return value[0] === "signed" ? `("signed", ${end(value[1], 0)}, ${end(value[2], 1)})` : `(${value[0] ?? 0}, ${end(value[1], 1)})`;
};

export function asPython(state, names, who) {
  const key = (features, asked) => {
    const told = features.map(called(names)).map(python);
    return told.length > 1 || typeof asked === "number" ? `(${told.join(", ")}${told.length > 1 ? "" : ","})` : told[0];
  };
  const items = state.constraints.map(({ features, asked }) => `${key(features, asked)}: ${python(asked)}`);
  const isOpen = items.some((each) => /[(, -]inf[,)]/.test(each));
  const lines = isOpen ? ["from math import inf", ""] : [];
  if (state.tolerance !== null) lines.push(`# with tolerance=${state.tolerance} given to the fit`);
  lines.push(items.length ? `${who}.what_if({${items.join(", ")}})` : `${who}.${who === "model" ? "result_" : "result"}`);
  return lines.join("\n");
}

const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`);

// Absences are an option of analyze; whatever else is asked, the explorer opens with
export function asCommand(state, names, command) {
  const typed = (command ?? "relbounds analyze TABLE --target NAME").replace(/^relbounds (analyze|explore)/, "").replace(/ --(state|port|host) ('[^']*'|\S+)| --no-browser/g, "");
  const gone = state.constraints.flatMap(({ features, asked }) => (asked === "absent" ? features.map((each) => names[each]) : []));
  const isAbsence = state.constraints.every(({ asked }) => asked === "absent") && !gone.some((name) => name.includes(","));
  if (!isAbsence) return `relbounds explore${typed} --state ${quoted(JSON.stringify(sent(state, names)))}`;
  const tolerance = state.tolerance === null ? "" : ` --tolerance ${state.tolerance}`;
  return `relbounds analyze${typed}${tolerance}${gone.length ? ` --without ${quoted(gone.join(","))}` : ""}`;
}

// What was asked before, and could be again
export class History {
  constructor(state) {
    this.states = [state];
    this.at = 0;
  }
  get now() { return this.states[this.at]; }
  get canUndo() { return this.at > 0; }
  get canRedo() { return this.at + 1 < this.states.length; }
  add(state) {
    if (same(state, this.now)) return;
    this.states = [...this.states.slice(0, this.at + 1), state].slice(-200);
    this.at = this.states.length - 1;
  }
  undo() { return this.states[this.canUndo ? --this.at : this.at]; }
  redo() { return this.states[this.canRedo ? ++this.at : this.at]; }
}
