"use strict";
// Sorts, filters, unfolds and exports the tables of this page. Loads nothing, sends nothing.
(() => {
  const byId = (id) => document.getElementById(id);
  const controls = byId("controls");
  if (!controls) return; // a page without tables
  const status = byId("status"), search = byId("search"), everyLine = byId("unfold");
  const columns = controls.dataset.columns.split(",");
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const smallestFirst = new Set(["given", "feature", "p_alone", "p_in_models", "p_needed"]);
  const number = (text) => (text === "" ? NaN : Number(text));
  const nameOf = (row) => row.querySelector("th.feature bdi").textContent;

  // A feature is a part of the table: its line, what unfolds below it, and its levels
  const entry = (body) => {
    const [row, more, ...levels] = body.rows;
    const name = nameOf(row), exact = row.dataset.exact.split(",");
    const values = { feature: name, given: Number(body.dataset.given), rank: -Number(body.dataset.rank), again: number(body.dataset.again) };
    columns.slice(1).forEach((column, index) => {
      if (!(column in values)) values[column] = number(exact[index]);
    });
    const named = levels.map((level) => ({ name: level.dataset.name, exact: level.dataset.exact.split(","), of: name }));
    const found = [name, ...named.map((level) => level.name)].join("\n").toLowerCase();
    return { body, row, more, name, exact, of: "", levels: named, values, found, relevance: body.className };
  };

  const tables = [...document.querySelectorAll("table.features")].map((element) => ({
    element,
    headers: [...element.querySelectorAll("thead th[data-key]")],
    nothing: element.nextElementSibling,
    entries: [...element.tBodies].map(entry),
  }));
  const all = () => tables.flatMap((table) => table.entries);
  const shown = () => all().filter((each) => !each.body.hidden);
  const entryOf = new Map(all().map((each) => [each.body, each]));
  const say = (text) => { status.textContent = text; };
  const size = (entries) => `${entries.length} of ${all().length} feature${all().length === 1 ? "" : "s"}`;

  // Sorting: what is not known comes last
  const compare = (key, way) => (a, b) =>
    key === "feature"
      ? way * collator.compare(a.name, b.name)
      : Number.isNaN(a.values[key]) - Number.isNaN(b.values[key]) || way * (a.values[key] - b.values[key]) || 0;

  function sort(table, header) {
    const key = header.dataset.key;
    const before = header.getAttribute("aria-sort");
    const ascending = before ? before === "descending" : smallestFirst.has(key);
    const order = compare(key, ascending ? 1 : -1);
    table.entries.sort((a, b) => order(a, b) || b.values.rank - a.values.rank);
    table.element.append(...table.entries.map((each) => each.body));
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
        each.body.hidden = !classes.has(each.relevance) || !each.found.includes(wanted);
      }
      table.nothing.hidden = table.entries.some((each) => !each.body.hidden);
      reach(table);
    }
    say(`${size(shown())} shown.`);
  }

  // Unfolding: one line of each table is in the order of the tab key, arrows go to the others
  function unfold(each, isOpen) {
    each.body.classList.toggle("folded", !isOpen);
    each.button.setAttribute("aria-expanded", String(isOpen));
  }
  const isOpen = (each) => !each.body.classList.contains("folded");

  function reach(table) {
    const first = table.entries.find((each) => !each.body.hidden);
    if (table.reached) table.reached.tabIndex = -1;
    table.reached = first && first.button;
    if (first) first.button.tabIndex = 0;
  }

  function move(event, table) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const at = entryOf.get(event.target.closest("tbody"));
    if (!step || event.target !== at.button) return;
    const there = table.entries.filter((each) => !each.body.hidden);
    const next = there[there.indexOf(at) + step];
    if (!next) return;
    event.preventDefault();
    next.button.focus();
  }

  function unfoldAll() {
    const open = !shown().every(isOpen);
    shown().forEach((each) => unfold(each, open));
    everyLine.textContent = open ? "Close all lines shown" : "Open all lines shown";
  }

  function showTarget() {
    const target = location.hash.length > 1 && byId(decodeURIComponent(location.hash.slice(1)));
    const each = target && entryOf.get(target.closest("tbody"));
    if (!each) return;
    if (each.body.hidden) each.body.hidden = false;
    unfold(each, true);
    target.scrollIntoView({ block: "center" });
  }

  // Exporting: levels follow their column, and say whose they are
  const hasLevels = all().some((each) => each.levels.length);
  const head = hasLevels ? [...columns, "level_of"] : columns;
  const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const harmless = (text) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text); // no formula of a spreadsheet
  const line = (each, separator, written) => {
    const safe = (text) => written(harmless(text));
    return [safe(each.name), ...each.exact, ...(hasLevels ? [safe(each.of)] : [])].join(separator);
  };
  const lines = (entries, separator, written) =>
    [head.join(separator), ...entries.flatMap((each) => [each, ...each.levels]).map((each) => line(each, separator, written))];

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
  const buttonOf = (content) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...content);
    return button;
  };
  for (const table of tables) {
    for (const header of table.headers) {
      const button = buttonOf(header.childNodes);
      header.append(button);
      button.addEventListener("click", () => sort(table, header));
    }
    for (const each of table.entries) {
      each.button = buttonOf([each.row.querySelector("th.feature bdi")]);
      each.button.tabIndex = -1;
      each.row.querySelector("th.feature").prepend(each.button);
      each.row.title = each.more.querySelector(".saying").textContent;
      unfold(each, false);
    }
    table.element.addEventListener("click", (event) => {
      const button = event.target.closest("tbody button");
      if (button) unfold(entryOf.get(button.closest("tbody")), button.getAttribute("aria-expanded") === "false");
    });
    table.element.addEventListener("keydown", (event) => { if (event.target.closest("tbody")) move(event, table); });
  }
  search.addEventListener("input", filter);
  document.querySelectorAll("[name=show]").forEach((box) => box.addEventListener("change", filter));
  everyLine.addEventListener("click", unfoldAll);
  byId("copy").addEventListener("click", copy);
  byId("download").addEventListener("click", download);
  addEventListener("hashchange", showTarget);
  controls.hidden = false;
  filter();
  showTarget();
})();
