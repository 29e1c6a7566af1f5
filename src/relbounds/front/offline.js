// The explorer on a page that was mailed: it knows some answers, and there is nobody to ask for others.

import { mount } from "./explorer.js";
import { EMPTY, same } from "./state.js";

const UNKNOWN = "This page does not know that. relbounds explore would tell.";

export function show(element) {
  const told = JSON.parse(document.getElementById("foreseen").textContent), { start, prices } = told;
  const whole = (answer) => (answer.conflict ? answer : { ...start.answer, ...answer }); // what is not said is as before
  const path = told.path.map(whole), without = told.without.map((each) => ({ ...each, answer: whole(each.answer) }));
  const absence = ({ features }) => ({ constraints: [{ features, asked: "absent" }], tolerance: null });
  const known = [...without.map((each) => ({ state: absence(each), answer: each.answer })), ...path.map((answer) => ({ state: { ...EMPTY, tolerance: answer.tolerance }, answer }))];
  const send = async ({ question }) => {
    if (question === "start") return { answer: { ...start, title: "", steps: path.length, model: null } };
    throw Object.assign(new Error(UNKNOWN), { isTold: true });
  };
  return mount(element, send, { foreseen: { known, path, prices, isKnown: (state) => known.some((each) => same(each.state, state)) } });
}
