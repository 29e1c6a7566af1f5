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

const address = {
  read: () => location.hash.slice(1),
  write: (text) => history.replaceState(null, "", text ? `#${text}` : location.pathname),
  listen: (hear) => addEventListener("hashchange", hear),
  link: (state, names) => `${location.origin}${location.pathname}#${linked(state, names)}`,
};

mount(document.getElementById("explorer"), send, { address }).then((explorer) => {
  document.title = explorer.start.title;
});
