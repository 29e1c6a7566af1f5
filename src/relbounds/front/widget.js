// The explorer in a notebook: questions go to the kernel, as messages of the widget.

import { mount } from "./explorer.js";

export function render({ model, el }) {
  const waiting = new Map();
  let number = 0;
  model.on("msg:custom", ({ id, answer, error }) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error) asked?.failed(Object.assign(new Error(error), { isTold: true }));
    else asked?.done({ answer });
  });
  const send = (asked) => new Promise((done, failed) => {
    number += 1;
    waiting.set(number, { done, failed });
    model.send({ id: number, asked });
  });
  const place = document.createElement("div");
  el.append(place);
  mount(place, send);
}
