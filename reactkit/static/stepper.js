(() => {
  let root = document.currentScript;
  while (!root.matches(".rk")) root = root.previousElementSibling; // VS Code runs a copy, behind the script itself
  const unit = root.dataset.unit; // "Step": lines add up; "Call": one replaces the other
  const tracks = [...root.querySelectorAll(".rk-tracks ol")];
  const columns = root.querySelector(".rk-growth > div")?.children ?? []; // of a chart, one for each call
  const last = Math.max(0, ...tracks.map((track) => track.children.length));
  const first = unit === "Call" ? Math.min(1, last) : 0;
  if (first === last) return; // nothing to step through
  const paces = [1, 2, 4, 0.5];
  let at = last; // all is in sight until the first step
  let timer = null;

  const make = (tag, attributes, text = "") => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = text;
    return element;
  };
  const words = (item) =>
    [...item.querySelectorAll(":scope > b, :scope > i, :scope > strong")].map((e) => e.textContent).join(", ");
  const place = (track) => {
    const item = track.children[at - 1];
    const name = tracks.length > 1 ? `${track.getAttribute("aria-label")}: ` : "";
    const end = track.parentElement.querySelector(".rk-end"); // of a column
    if (end && at === last) return name + end.textContent;
    return name + (item ? words(item) : end.firstElementChild.textContent.toLowerCase());
  };
  const start = () => {
    const item = root.querySelector(".rk-head li:last-child");
    return item ? words(item) : "the start";
  };
  const says = () => `${unit} ${at} of ${last}: ${at ? tracks.map(place).join("; ") : start()}`;

  const bar = make("div", { class: "rk-bar", role: "toolbar", "aria-label": `${unit} through` });
  const button = (text, key, act) => {
    const made = bar.appendChild(make("button", { type: "button", "aria-keyshortcuts": key }, text));
    made.addEventListener("click", act);
    return made;
  };
  const move = (to) => (pause(), go(to), bringIntoView());
  const toFirst = button("First", "Home", () => move(first));
  const back = button("Back", "ArrowLeft", () => move(at - 1));
  const play = button("Play", "P", () => (timer ? pause() : run()));
  const next = button("Next", "ArrowRight", () => move(at + 1));
  const toLast = button("Last", "End", () => move(last));
  const pace = button("Speed 1×", "S", () => {
    paces.push(paces.shift());
    pace.textContent = `Speed ${paces[0]}×`;
    status.textContent = `${pace.textContent}: a step in ${1.5 / paces[0]} seconds`;
    if (timer) run();
  });
  const slider = bar.appendChild(make("input", { type: "range", min: first, max: last, "aria-label": unit }));
  const status = bar.appendChild(make("output", { role: "status", "aria-live": "polite" }));
  slider.addEventListener("input", () => move(Number(slider.value)));

  function go(to) {
    const from = at;
    at = Math.max(first, Math.min(last, to));
    for (let index = Math.max(0, Math.min(from, at) - 1); index < Math.max(from, at); index++) {
      for (const track of tracks) if (track.children[index]) show(track.children[index], index);
      columns[index]?.toggleAttribute("data-now", index === at - 1);
    }
    for (const end of root.querySelectorAll("[data-end]")) end.hidden = at < Number(end.dataset.end);
    slider.value = at;
    status.textContent = says();
    slider.setAttribute("aria-valuetext", status.textContent);
    for (const made of [toFirst, back]) made.setAttribute("aria-disabled", at === first);
    for (const made of [next, toLast]) made.setAttribute("aria-disabled", at === last);
  }
  function show(item, index) {
    item.hidden = unit === "Call" ? index !== at - 1 : index >= at;
    if (index === at - 1) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  }
  function run() {
    if (at === last) go(first);
    play.textContent = "Pause";
    clearInterval(timer); // of another speed
    timer = setInterval(() => {
      go(at + 1);
      if (at === last || !root.isConnected) pause();
    }, 1500 / paces[0]);
  }
  function pause() {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
  }
  function press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const pressed = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    const made = [toFirst, back, play, next, toLast, pace].find((e) => e.getAttribute("aria-keyshortcuts") === pressed);
    if (!made) return;
    event.preventDefault(); // the slider would step a second time
    made.click();
  }
  function bringIntoView() {
    root.querySelector(".rk-tracks [aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  root.tabIndex = 0;
  // JupyterLab would take "d d" first and delete the cell; it looks at the focused element before those around it.
  root.addEventListener("focusin", (event) => event.target.setAttribute("data-lm-suppress-shortcuts", "true"));
  root.addEventListener("keydown", press);
  root.querySelector(".rk-tracks").before(bar);
  if (tracks.length > 1) root.querySelector(".rk-tracks").tabIndex = 0; // it scrolls, so keys must reach it
  go(first);
})();
