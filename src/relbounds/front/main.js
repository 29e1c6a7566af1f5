// The page of the server: questions go to where the page came from, and the state is in its address.

import { mount } from "./explorer.js";
import { linked } from "./state.js";

async function send(asked) {
  const reply = await fetch("ask", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(asked),
  });
  if (!(reply.headers.get("content-type") || "").startsWith("application/json")) {
    throw new Error(await reply.text());
  }
  const told = await reply.json();
  if (told.error) throw Object.assign(new Error(told.error), { isTold: true });
  return told;
}

// Browsers ignore an address that changes too often, so that the last of many changes is written a little later
const OFTEN = 300;
let last = 0, waiting = null;
function write(text) {
  clearTimeout(waiting);
  const put = () => {
    last = performance.now();
    history.replaceState(null, "", text ? `#${text}` : location.pathname);
  };
  const left = last + OFTEN - performance.now();
  if (left <= 0) put();
  else waiting = setTimeout(put, left);
}

const address = {
  read: () => location.hash.slice(1),
  write,
  listen: (hear) => addEventListener("hashchange", hear),
  link: (state, names) => `${location.origin}${location.pathname}#${linked(state, names)}`,
};

mount(document.getElementById("explorer"), send, { address }).then((explorer) => {
  document.title = explorer.start.title;
});
