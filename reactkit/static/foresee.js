(() => {
  let root = document.currentScript;
  while (!root.matches(".rk")) root = root.previousElementSibling; // VS Code runs a copy, behind the script itself
  const items = [...root.querySelectorAll(".rk-tracks > ol > li")];
  if (!items.length) return; // nothing to foresee
  const hints = root.querySelectorAll("[data-end], .rk-credit"); // they would give the end away
  const kinds = { rationale: "thought", question: "something else", instruction: "something else" };
  const sure = ["50 %", "75 %", "100 %"];
  const authors = ["model", "environment", "harness", "person"];
  const asked = [ // name, words, keys, options
    ["kind", "What comes next?", "123456", "thought action observation answer something_else nothing_more".split(" ")],
    ["author", "Who writes it?", "MEHP", authors],
    ["sure", "How sure are you? You may leave this out.", "789", sure],
  ];
  const keys = { "Show the line": "Enter", Skip: "S", "To the end": "End", "Start again": "Home" };
  let at = 0;

  // All HTML below is made of the words above and of numbers; a trajectory's text never enters it.
  const choice = (name, value, key) =>
    `<label><input type="radio" name="${name}" value="${value}" aria-keyshortcuts="${key}">` +
    `<span>${value}</span><kbd aria-hidden="true">${key}</kbd></label>`;
  const group = ([name, words, keys, options]) =>
    `<fieldset><legend>${words}</legend>` +
    `${options.map((each, index) => choice(name, each.replace("_", " "), keys[index])).join("")}</fieldset>`;
  const button = ([name, key]) => `<button type="button" aria-keyshortcuts="${key}">${name}</button>`;
  root.querySelector(".rk-tracks").insertAdjacentHTML("afterend", `<form class="rk-ask">${asked.map(group).join("")}
    <div class="rk-bar" role="toolbar" aria-label="Foresee">${Object.entries(keys).map(button).join("")}
    <output role="status" aria-live="polite"></output></div></form>`);
  root.insertAdjacentHTML("beforeend", '<div class="rk-foreseen" tabindex="-1"></div>');
  const [form, status, result] = [".rk-ask", "output", ".rk-foreseen"].map((part) => root.querySelector(part));
  const say = (text) => (status.textContent = text);

  const same = (said, ...parts) => parts.every((part) => said[part] === said.is[part]);
  const words = (item) => [...item.querySelectorAll(":scope > :is(b, i, strong)")].map((e) => e.textContent).join(", ");
  function truth() {
    const { role, by } = items[at]?.dataset ?? {};
    return items[at] ? { kind: kinds[role] ?? role, author: by } : { kind: "nothing more", author: "nobody" };
  }
  function choose() {
    const said = { ...Object.fromEntries(new FormData(form)), is: truth() };
    if (said.kind === "nothing more") said.author = "nobody";
    if (!said.kind || !said.author) return say("Choose what comes next and who writes it, or skip.");
    root.guesses.push(said);
    const wrong = ["kind", "author"].filter((part) => !same(said, part)).join(" and ");
    const by = said.author === "nobody" ? "" : ` by the ${said.author}`;
    reveal(wrong ? `Wrong ${wrong}.` : "Right.", `You said ${said.kind}${by}${said.sure ? `, ${said.sure} sure` : ""}.`);
  }
  function reveal(verdict, said, to = at) {
    const item = items[to];
    const note = `<p class="rk-guess"><b>${verdict}</b> ${said}</p>`;
    if (verdict) (item ?? form).insertAdjacentHTML(item ? "beforeend" : "beforebegin", note);
    say(`${verdict} ${said} ${item ? `It is ${words(item)}.` : "Nothing more comes."}`.trim());
    show(to + 1);
    (item ?? result).scrollIntoView({ block: "nearest" });
    if (item) form.scrollIntoView({ block: "nearest" });
    else result.focus({ preventScroll: true });
  }
  function show(to) {
    const over = (at = to) > items.length;
    items.forEach((item, index) => (item.hidden = index >= at));
    root.querySelector("[aria-current]")?.removeAttribute("aria-current");
    items[at - 1]?.setAttribute("aria-current", "step");
    for (const end of hints) end.hidden = !over;
    for (const part of form.querySelectorAll("fieldset, button:not(:last-of-type)")) part.hidden = over;
    form.reset();
    result.hidden = !over;
    result.innerHTML = over ? summary() : "";
  }
  function restart() {
    root.guesses = [];
    for (const note of root.querySelectorAll(".rk-guess")) note.remove();
    say("Nothing is shown yet. What comes first?");
    show(0);
  }

  function summary() {
    const all = [...document.querySelectorAll(".rk-foresee")].flatMap((view) => view.guesses ?? []); // of the whole page
    const [right, kind, author] = [["kind", "author"], ["kind"], ["author"]].map((of) => all.filter((e) => same(e, ...of)));
    const rows = [...sure, undefined].flatMap((level) => {
      const [hits, n] = [right, all].map((list) => list.filter((each) => each.sure === level).length);
      const percent = Math.round((100 * hits) / n);
      const bar = `<div class="rk-share" style="--share: ${percent}%; --said: ${parseInt(level ?? "-9")}%"></div>`;
      return n ? [[level ? `${level} sure` : "not said", hits, n, `${percent} %`, bar]] : [];
    });
    const named = [...authors, "nobody"].filter((by) => all.some((each) => [each.author, each.is.author].includes(by)));
    const times = (by, name) => all.filter((each) => each.is.author === by && each.author === name).length;
    return (
      `<p class="rk-name"><b>How well you foresaw</b></p><p>Choices on this page: ${all.length}. Right: ${right.length}.` +
      ` Right kind: ${kind.length}. Right author: ${author.length}. Few choices say little.</p>` +
      table("How often you were right, by how sure you were", "you were,right,of (n),in %,the mark is how sure", rows) +
      table("Who wrote it, and whom you named", `written by,${named.map((name) => `you: ${name}`)}`,
        named.map((by) => [by, ...named.map((name) => times(by, name))]))
    );
  }
  function table(caption, heads, rows) {
    const row = (cells, scope) => {
      const tag = (index) => (index && scope === "row" ? "td" : `th scope="${scope}"`);
      return `<tr>${cells.map((cell, index) => `<${tag(index)}${index ? ' class="rk-number"' : ""}>${cell}`).join("")}</tr>`;
    };
    return (
      `<div class="rk-scroll" tabindex="0" role="group" aria-label="${caption}"><table><caption>${caption}</caption>` +
      `<thead>${row(heads.split(","), "col")}</thead><tbody>${rows.map((cells) => row(cells, "row")).join("")}</tbody></table></div>`
    );
  }
  function press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const pressed = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    const made = [...form.querySelectorAll("[aria-keyshortcuts]")].find((e) => e.getAttribute("aria-keyshortcuts") === pressed);
    if (!made || made.closest("[hidden]") || (pressed === "Enter" && event.target.localName === "button")) return;
    event.preventDefault();
    made.click();
    if (made.type === "radio") made.focus();
  }

  const acts = [choose, () => reveal("", ""), () => reveal("", "", items.length), () => (restart(), root.focus())];
  form.querySelectorAll("button").forEach((made, index) => made.addEventListener("click", acts[index]));
  form.addEventListener("submit", (event) => event.preventDefault());
  root.classList.add("rk-foresee");
  root.tabIndex = 0;
  // JupyterLab would take "d d" first and delete the cell; it looks at the focused element before those around it.
  root.addEventListener("focusin", (event) => event.target.setAttribute("data-lm-suppress-shortcuts", "true"));
  root.addEventListener("keydown", press);
  restart();
})
