// The panel to read traces and label them in. Python and the page both write `moves`, each change so far, the newest
// last; what they come to is shown, so undo drops the last. The text of a trace comes escaped, in `html`.
const SHELL = `
<section class="rk rk-annotator" role="group" aria-label="Label the traces" tabindex="0">
  <div class="rk-tools" role="toolbar" aria-label="Traces and labels">
    <button type="button" aria-keyshortcuts="ArrowLeft">Back <kbd>←</kbd></button>
    <button type="button" aria-keyshortcuts="ArrowRight">Next <kbd>→</kbd></button>
    <button type="button" aria-keyshortcuts="U">Undo <kbd>U</kbd></button>
    <button type="button">Export</button><button type="button">Import</button>
    <input type="file" accept=".json,application/json" aria-label="A file of labels" hidden>
    <output role="status" aria-live="polite"></output>
  </div>
  <div class="rk-chips" role="group" aria-label="All traces"></div>
  <div class="rk-desk">
    <div class="rk-reading" role="region" aria-label="The trace" tabindex="0"></div>
    <div class="rk-judging">
      <div class="rk-facts"></div>
      <div class="rk-modes" role="group" aria-label="Labels"></div>
      <label>Note <kbd>N</kbd> <span>to write, <kbd>Esc</kbd> to leave</span>
        <textarea rows="3" aria-keyshortcuts="N"></textarea></label>
    </div>
  </div>
</section>`;

function make(parent, tag, attributes = {}, text = "") {
  const element = parent.appendChild(document.createElement(tag));
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}

function render({ model, el }) {
  el.innerHTML = SHELL;
  const parts = [".rk-annotator", ".rk-chips", ".rk-reading", ".rk-facts", ".rk-modes", "textarea", "output", "input"];
  const [root, row, reading, beside, choice, note, status, file] = parts.map((part) => el.querySelector(part));
  const [back, next, undo, toFile, fromFile] = el.querySelectorAll(".rk-tools button");
  const traces = model.get("traces");
  const last = traces.length - 1;
  let at = 0;

  const when = (element, type, act) => (element.addEventListener(type, act), element);
  const pages = traces.map(() => make(reading, "div"));
  pages.forEach((page, place) => (page.innerHTML = traces[place].html));
  const facts = traces.map(() => make(beside, "dl"));
  facts.forEach((list, place) => {
    for (const [name, text] of traces[place].facts) make(list, "dt", {}, name), make(list, "dd", {}, text);
  });
  const chips = traces.map((_, place) =>
    when(make(row, "button", { type: "button", tabindex: -1 }, place + 1), "click", () => go(place)));
  const modes = model.get("modes").map(([mode, meaning], place) => {
    const key = place < 9 ? { "aria-keyshortcuts": place + 1 } : {};
    const button = make(choice, "button", { type: "button", "data-mode": mode, ...key });
    const [half, kind] = mode.includes(", ") ? mode.split(", ") : ["", mode];
    const texts = { kbd: key["aria-keyshortcuts"], b: kind, i: half, span: meaning };
    for (const [tag, text] of Object.entries(texts)) make(button, tag, {}, text);
    return when(button, "click", () => mark(mode, held()[1]));
  });

  const held = (place = at) => model.get("moves").reduce((mark, move) => move[traces[place].name] ?? mark, ["", ""]);
  const keep = (moves, said) => (model.set("moves", moves), model.save_changes(), show(said));
  const go = (to) => ((at = Math.max(0, Math.min(last, to))), (reading.scrollTop = 0), show());
  function mark(label, text) {
    if (held().join("\n") === `${label}\n${text}`) return;
    keep([...model.get("moves"), { [traces[at].name]: [label, text] }]);
  }
  function takeBack() {
    const taken = Object.keys(model.get("moves").at(-1) ?? {});
    if (taken.length === 1) at = traces.findIndex(({ name }) => name === taken[0]);
    keep(model.get("moves").slice(0, -1), taken.length ? "Taken back. " : "There is nothing to take back. ");
  }
  function show(said = "") {
    const marks = traces.map((_, place) => held(place));
    const [label, text] = marks[at];
    for (const list of [pages, facts]) list.forEach((each, place) => (each.hidden = place !== at));
    for (const button of modes) button.setAttribute("aria-pressed", button.dataset.mode === label);
    chips.forEach((chip, place) => {
      chip.setAttribute("aria-label", `Trace ${place + 1}: ${marks[place][0] || "no label yet"}`);
      chip.setAttribute("aria-current", place === at);
      chip.toggleAttribute("data-done", Boolean(marks[place][0]));
    });
    if (!note.matches(":focus")) note.value = text;
    back.setAttribute("aria-disabled", at === 0);
    next.setAttribute("aria-disabled", at === last);
    undo.setAttribute("aria-disabled", !model.get("moves").length);
    const place = `Trace ${at + 1} of ${traces.length}, ${traces[at].name}`;
    const done = marks.filter(([given]) => given).length;
    status.textContent = `${said}${place}: ${label || "no label yet"}. ${done} of ${traces.length} labelled.`;
  }
  function save() {
    const rows = traces.map(({ name, of }, place) => [name, { label: held(place)[0], note: held(place)[1], of }]);
    const labels = Object.fromEntries(rows.filter(([, { label, note }]) => label || note));
    const text = JSON.stringify({ form: model.get("form"), labels }, null, 1);
    const link = make(el, "a", { href: URL.createObjectURL(new Blob([text])), download: "labels.json" });
    link.click(), link.remove(), URL.revokeObjectURL(link.href);
  }
  function press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const pressed = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    const leave = pressed === "Escape" ? root : null;
    const target = event.target === note ? leave : el.querySelector(`[aria-keyshortcuts="${CSS.escape(pressed)}"]`);
    if (!target) return;
    event.preventDefault(); // the key would be written into the note
    target === root || target === note ? target.focus() : target.click();
  }

  when(back, "click", () => go(at - 1)), when(next, "click", () => go(at + 1));
  when(undo, "click", takeBack), when(toFile, "click", save), when(fromFile, "click", () => file.click());
  when(file, "change", async () => (model.send({ text: await file.files[0].text() }), (file.value = "")));
  when(note, "change", () => mark(held()[0], note.value)), when(root, "keydown", press);
  // JupyterLab would take "d d" first and delete the cell; it looks at the focused element before those around it.
  when(root, "focusin", (event) => event.target.setAttribute("data-lm-suppress-shortcuts", "true"));
  const hear = () => show(), tell = ({ said }) => show(`${said}. `);
  model.on("change:moves", hear), model.on("msg:custom", tell);
  show();
  return () => (model.off("change:moves", hear), model.off("msg:custom", tell));
}

export default { render };
