"use strict";
// Sorts, filters, explains and exports the tables of this page. Loads nothing, sends nothing.
(() => {
  const byId = (id) => document.getElementById(id);
  const controls = byId("controls");
  if (!controls) return; // a page without tables
  const tip = byId("tip"), status = byId("status"), search = byId("search");
  const columns = controls.dataset.columns.split(",");
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const smallestFirst = new Set(["given", "feature", "p_alone", "p_in_models", "p_needed"]);

  const entry = (row) => {
    const name = row.querySelector("th.feature > bdi").textContent;
    const exact = row.dataset.exact.split(",");
    const values = { feature: name, given: Number(row.dataset.given), rank: -Number(row.dataset.rank) };
    columns.slice(1).forEach((column, index) => {
      if (!(column in values)) values[column] = Number(exact[index]);
    });
    return { row, name, exact, values, found: name.toLowerCase(), saying: row.title };
  };

  const tables = [...document.querySelectorAll("table.features")].map((element) => ({
    element,
    body: element.tBodies[0],
    headers: [...element.querySelectorAll("thead th[data-key]")],
    nothing: element.nextElementSibling,
    entries: [...element.tBodies[0].rows].map(entry),
  }));
  const all = () => tables.flatMap((table) => table.entries);
  const shown = () => all().filter((each) => !each.row.hidden);
  const entryOf = new Map(all().map((each) => [each.row, each]));
  const say = (text) => { status.textContent = text; };
  const size = (entries) => `${entries.length} of ${all().length} feature${all().length === 1 ? "" : "s"}`;

  // Sorting
  const compare = (key) => (a, b) =>
    key === "feature"
      ? collator.compare(a.name, b.name)
      : a.values[key] - b.values[key];

  function sort(table, header) {
    const key = header.dataset.key;
    const before = header.getAttribute("aria-sort");
    const ascending = before ? before === "descending" : smallestFirst.has(key);
    const order = compare(key), way = ascending ? 1 : -1;
    table.entries.sort((a, b) => way * order(a, b) || b.values.rank - a.values.rank);
    table.body.replaceChildren(...table.entries.map((each) => each.row));
    table.headers.forEach((each) => each.removeAttribute("aria-sort"));
    header.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    reach(table);
    say(`Sorted by ${header.textContent.toLowerCase()}, ${ascending ? "ascending" : "descending"}.`);
  }

  // Filtering
  function filter() {
    const wanted = search.value.trim().toLowerCase();
    const classes = new Set([...document.querySelectorAll("[name=show]:checked")].map((box) => box.value));
    for (const table of tables) {
      for (const each of table.entries) {
        each.row.hidden = !classes.has(each.row.dataset.relevance) || !each.found.includes(wanted);
      }
      table.nothing.hidden = table.entries.some((each) => !each.row.hidden);
      reach(table);
    }
    say(`${size(shown())} shown.`);
  }

  // Explaining: one row of each table is in the order of the tab key, arrows go to the others
  function reach(table) {
    const first = table.entries.find((each) => !each.row.hidden);
    if (table.reached) table.reached.tabIndex = -1;
    table.reached = first && first.row;
    if (first) first.row.tabIndex = 0;
  }

  let explained = null;

  function explain(row) {
    explained = row;
    tip.textContent = entryOf.get(row).saying;
    tip.hidden = false;
    const place = row.getBoundingClientRect(), own = tip.getBoundingClientRect();
    const below = place.bottom + 6;
    const top = below + own.height < innerHeight ? below : Math.max(6, place.top - own.height - 6);
    tip.style.top = `${top}px`;
    tip.style.left = `${Math.max(8, Math.min(place.left + 40, innerWidth - own.width - 12))}px`;
  }
  function hide() {
    explained = null;
    tip.hidden = true;
  }
  const rowOf = (event) => event.target.closest("tbody tr");

  function move(event, table) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const rows = table.entries.filter((each) => !each.row.hidden).map((each) => each.row);
    const next = rows[rows.indexOf(rowOf(event)) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  // Exporting
  const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const harmless = (name) => (/^[=+\-@\t\r]/.test(name) ? `'${name}` : name); // no formula of a spreadsheet
  const lines = (entries, separator, written) =>
    [columns.join(separator), ...entries.map((each) => [written(harmless(each.name)), ...each.exact].join(separator))];

  function download() {
    const mark = "\ufeff"; // tells spreadsheets that this is UTF-8
    const text = mark + lines(all(), ",", quoted).join("\r\n") + "\r\n";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
    link.download = `${controls.dataset.file}.csv`;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    say(`${size(all())} saved as ${link.download}.`);
  }

  function copyBySelection(text) {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }

  async function copy() {
    const entries = shown();
    const text = lines(entries, "\t", (name) => name.replace(/\s+/g, " ")).join("\n");
    let done;
    try {
      await navigator.clipboard.writeText(text);
      done = true;
    } catch {
      done = copyBySelection(text);
    }
    say(done ? `${size(entries)} copied.` : "The browser did not allow copying; download the table instead.");
  }

  // Listening
  for (const table of tables) {
    for (const header of table.headers) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...header.childNodes);
      header.append(button);
      button.addEventListener("click", () => sort(table, header));
    }
    for (const each of table.entries) {
      each.row.removeAttribute("title"); // told by the tip from now on
      each.row.tabIndex = -1;
    }
    table.body.addEventListener("mouseover", (event) => { if (rowOf(event)) explain(rowOf(event)); });
    table.body.addEventListener("mouseleave", hide);
    table.body.addEventListener("focusin", (event) => {
      explain(rowOf(event));
      rowOf(event).setAttribute("aria-describedby", "tip");
    });
    table.body.addEventListener("focusout", (event) => {
      hide();
      rowOf(event).removeAttribute("aria-describedby");
    });
    table.body.addEventListener("keydown", (event) => move(event, table));
  }
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
  document.addEventListener("scroll", () => { if (explained) explain(explained); }, { passive: true });
  search.addEventListener("input", filter);
  document.querySelectorAll("[name=show]").forEach((box) => box.addEventListener("change", filter));
  byId("copy").addEventListener("click", copy);
  byId("download").addEventListener("click", download);
  controls.hidden = false;
  filter();
})();
