(async (packed, stepping) => {
  let root = document.currentScript;
  while (!root.matches(".rk")) root = root.previousElementSibling; // VS Code runs a copy, behind the script itself
  const [region, head, body] = [".rk-runs", "thead tr", "tbody"].map((part) => root.querySelector(part));
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const runs = await new Response(unpacked).json(); // of each: its cells, its row, its view
  const names = [...head.children].map((heading) => heading.textContent);
  const words = runs.map(([cells]) => cells.join("\n").toLowerCase());
  const alike = new Intl.Collator("en", { numeric: true }).compare;
  const order = [...runs.keys()];
  const page = 100; // rows laid out at a time
  let [most, sorted] = [page, ""];

  const select = (name) => `<label>${name} <select data-of="${name}"><option value="">all</option></select></label>`;
  region.insertAdjacentHTML("beforebegin", `<div class="rk-filters" role="search" aria-label="Filter the runs">
    <label>text <input type="search"></label>${["method", "right", "outcome", "kind and model"].map(select).join("")}
    </div><output role="status" aria-live="polite"></output>`);
  region.insertAdjacentHTML("afterend", `<button type="button">Show more</button><dialog aria-label="One run">
    <form method="dialog"><button>Back to the table</button></form><div></div></dialog>`);
  const parts = ["input", "output", ".rk-runs + button", "dialog", "dialog > div"];
  const [text, status, more, dialog, view] = parts.map((part) => root.querySelector(part));
  const selects = [...root.querySelectorAll("select")];

  const cell = (at, name) => String(runs[at][0][names.indexOf(name)] ?? "—");
  const fits = (at) =>
    text.value.toLowerCase().split(/\s+/).every((word) => words[at].includes(word)) &&
    selects.every((one) => !one.value || one.value === cell(at, one.dataset.of));
  const make = (tag, fields) => Object.assign(document.createElement(tag), fields);
  const button = (cell, onclick) =>
    cell.replaceChildren(make("button", { type: "button", textContent: cell.textContent, onclick }));
  const focus = (row) => row.querySelector("button").focus();
  function show(limit = page) {
    most = limit;
    const found = order.filter(fits);
    const shown = found.slice(0, most);
    body.innerHTML = shown.map((at) => runs[at][1]).join(""); // Python has escaped it
    shown.forEach((at, place) => button(body.rows[place].cells[0], () => open(at)));
    more.hidden = shown.length === found.length;
    const some = more.hidden ? "" : `, the first ${most} below`;
    const [few, all] = [found, runs].map((list) => list.length.toLocaleString("en"));
    status.textContent = `${few} of ${all} run${runs.length === 1 ? "" : "s"}${some}${sorted}`;
  }
  function open(at) {
    view.innerHTML = runs[at][2]; // Python has escaped it
    if (view.querySelector(".rk-tracks")) view.append(make("script", { textContent: `(${stepping})()` }));
    dialog.showModal();
    view.firstElementChild.tabIndex = 0;
    view.firstElementChild.focus();
  }
  function sort(column, heading) {
    const down = heading.ariaSort === "ascending" ? -1 : 1;
    for (const each of head.children) each.ariaSort = null;
    heading.ariaSort = down > 0 ? "ascending" : "descending";
    order.sort((a, b) => down * alike(runs[a][0][column] ?? "", runs[b][0][column] ?? ""));
    sorted = `; sorted by ${names[column]}, ${heading.ariaSort}`;
    show();
  }
  function press(event) {
    const at = event.target.closest("tr").sectionRowIndex;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: body.rows.length - 1 }[event.key];
    if (!body.rows[to] || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    focus(body.rows[to]);
  }

  for (const one of selects) {
    const values = new Set(order.map((at) => cell(at, one.dataset.of)));
    one.append(...[...values].sort(alike).map((value) => new Option(value, value)));
  }
  [...head.children].forEach((heading, column) => button(heading, () => sort(column, heading)));
  root.querySelector(".rk-filters").addEventListener("input", () => show());
  more.addEventListener("click", () => (show(most + page), focus(body.rows[most - page])));
  body.addEventListener("keydown", press);
  // JupyterLab would take "d d" first and delete the cell; it looks at the focused element before those around it.
  root.addEventListener("focusin", (event) => event.target.setAttribute("data-lm-suppress-shortcuts", "true"));
  root.querySelector("caption").textContent = "Choose a heading to sort, a question to open its run.";
  region.tabIndex = 0; // it scrolls, so keys must reach it
  show();
})
