// What is known before anybody is asked? Mixtures of good models are good: they reach at least so
// far. What was proved of fewer constraints holds with more: nothing reaches further than that.

import { boxes, implies } from "./state.js";

const keeps = (weights, { limits, totals }) => [...limits].every(([k, [low, high]]) => low - 1e-9 <= weights[k] && weights[k] <= high + 1e-9)
  && totals.every(({ features, limit }) => features.reduce((sum, k) => sum + Math.abs(weights[k]), 0) <= limit + 1e-9);

// How far one may go from a model that keeps limits towards another
function share(from, to, { limits, totals }) {
  let most = 1;
  for (const [k, [low, high]] of limits) {
    const way = to[k] - from[k];
    if (way > 0 && to[k] > high) most = Math.min(most, (high - from[k]) / way);
    if (way < 0 && to[k] < low) most = Math.min(most, (low - from[k]) / way);
  }
  for (const { features, limit } of totals) {
    const start = features.reduce((sum, k) => sum + Math.abs(from[k]), 0);
    const end = features.reduce((sum, k) => sum + Math.abs(to[k]), 0);
    if (end > limit) most = Math.min(most, (limit - start) / (end - start));
  }
  return Math.max(0, most);
}

function kept(models, limits, anchor) {
  if (!limits.limits.size && !limits.totals.length) return models;
  const start = anchor && keeps(anchor, limits) ? anchor : models.find((each) => keeps(each, limits));
  if (!start) return [];
  const moved = models.map((each) => {
    const part = share(start, each, limits);
    return part === 1 ? each : start.map((value, k) => value + part * (each[k] - value));
  });
  return [start, ...moved];
}

// The largest y above [low, high] in the convex hull of points that are sorted by x; or nothing
function reach(xs, ys, low, high) {
  const hull = [];
  for (let i = 0; i < xs.length; i += 1) {
    while (hull.length > 1) {
      const a = hull[hull.length - 2], b = hull[hull.length - 1];
      if ((xs[b] - xs[a]) * (ys[i] - ys[a]) < (ys[b] - ys[a]) * (xs[i] - xs[a])) break;
      hull.pop();
    }
    if (hull.length && xs[hull[hull.length - 1]] === xs[i]) {
      if (ys[hull[hull.length - 1]] >= ys[i]) continue;
      hull.pop();
    }
    hull.push(i);
  }
  let most = -Infinity;
  hull.forEach((b, at) => {
    if (low <= xs[b] && xs[b] <= high) most = Math.max(most, ys[b]);
    if (at === 0) return;
    const a = hull[at - 1];
    for (const x of [low, high]) {
      if (xs[a] <= x && x <= xs[b] && xs[b] > xs[a]) most = Math.max(most, ys[a] + ((x - xs[a]) / (xs[b] - xs[a])) * (ys[b] - ys[a]));
    }
  });
  return most;
}

// How far all weights reach at least, where one constraint is new; nothing if that is not known
export function inner(models, constraints, changed, anchor) {
  if (!models.length) return null;
  const single = constraints.filter((each) => each.features.length === 1 && each.features[0] === changed && typeof each.asked !== "number");
  const others = single.length ? constraints.filter((each) => !single.includes(each)) : constraints;
  const points = kept(models, boxes(others), anchor);
  if (!points.length) return null;
  const d = points[0].length, low = new Array(d), high = new Array(d);
  const [from, to] = single.length ? boxes(single).limits.get(changed) : [-Infinity, Infinity];
  const x = single.length ? changed : 0;
  const sorted = [...points].sort((a, b) => a[x] - b[x]), xs = sorted.map((each) => each[x]);
  for (let k = 0; k < d; k += 1) {
    const ys = sorted.map((each) => each[k]);
    high[k] = reach(xs, ys, from, to);
    low[k] = -reach(xs, ys.map((each) => -each), from, to);
    if (!(low[k] <= high[k])) return null;
  }
  return { low, high };
}

// How far they reach at most: by answers to weaker questions
export function outer(answers, state) {
  const weaker = answers.filter((each) => !each.answer.conflict && each.tolerance >= (state.tolerance ?? each.used) && implies(state.constraints, each.state.constraints));
  if (!weaker.length) return null;
  const low = weaker[0].answer.low.map((_, k) => Math.max(...weaker.map((each) => each.answer.low[k])));
  const high = weaker[0].answer.high.map((_, k) => Math.min(...weaker.map((each) => each.answer.high[k])));
  for (const [k, [from, to]] of boxes(state.constraints).limits) {
    low[k] = Math.max(low[k], from);
    high[k] = Math.max(low[k], Math.min(high[k], to));
  }
  return { low, high };
}

// Between two tolerances: ends of ranges are concave in it, so that what lies between them is reached
export function between(path, tolerance) {
  const after = path.findIndex((each) => each.tolerance >= tolerance);
  if (after < 0) return null;
  const b = path[after], a = path[Math.max(after - 1, 0)];
  const part = b.tolerance > a.tolerance ? (tolerance - a.tolerance) / (b.tolerance - a.tolerance) : 1;
  const mixed = (end) => a[end].map((value, k) => value + part * (b[end][k] - value));
  return { inner: { low: mixed("low"), high: mixed("high") }, outer: b };
}
