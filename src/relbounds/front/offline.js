// The explorer on a page that was mailed: it knows some answers, and there is nobody to ask for others.

import { mount } from "./explorer.js";
import { EMPTY, same } from "./state.js";

const UNKNOWN = "This page does not know that. relbounds explore would tell.";

export function show(element) {
  const { start, path, prices, without } = JSON.parse(document.getElementById("foreseen").textContent);
  const absence = ({ features }) => ({ constraints: [{ features, asked: "absent" }], tolerance: null });
  const known = [...without.map((each) => ({ state: absence(each), answer: each.answer })), ...path.map((answer) => ({ state: { ...EMPTY, tolerance: answer.tolerance }, answer }))];
  const send = async ({ question }) => {
    if (question === "start") return { answer: { ...start, title: "", steps: path.length, model: null } };
    throw Object.assign(new Error(UNKNOWN), { isTold: true });
  };
  return mount(element, send, { foreseen: { known, path, prices, isKnown: (state) => known.some((each) => same(each.state, state)) } });
}
