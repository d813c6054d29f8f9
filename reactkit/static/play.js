// JupyterLab would take "d d" first and delete the cell; it looks at the focused element before those around it. The text
// box needs no mark: what is typed there is text for JupyterLab too.
const mark = ({ target }) =>
  target.closest(".rk-game button")?.setAttribute("data-lm-suppress-shortcuts", "true");

export default {
  render() {
    document.addEventListener("focusin", mark);
    return () => document.removeEventListener("focusin", mark);
  },
};
