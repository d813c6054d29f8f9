"""Make the pictures of the views in notebooks/images; with --all FOLDER, of every notebook, for people to look at.

python tests/tools/screenshots.py
python tests/tools/screenshots.py --all FOLDER
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from browser import change_theme, chromium, jupyter, open_notebook, plain_page, run_all  # noqa: E402

from reactkit.prompts import REACT  # noqa: E402
from reactkit.stories import apple_remote  # noqa: E402
from reactkit.views import context_at, side_by_side, stepper  # noqa: E402

IMAGES = ROOT / "notebooks" / "images"
PICTURES = {  # of the Apple Remote runs: what is shown, and after how many presses of Next
    "stepper": (lambda: stepper(apple_remote().run(REACT)), 6),
    "side_by_side": (lambda: side_by_side(apple_remote().runs()), 3),
    "context": (lambda: context_at(apple_remote().run(REACT)), 2),
}
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
MOST_SCREENS = 40
SCROLL = """async screen => {
  const pane = document.querySelector('.jp-WindowedPanel-outer');
  pane.scrollTop = screen * (pane.clientHeight - 80);
  await new Promise(done => setTimeout(done, 700)); // painted, mathematics too
  return pane.scrollTop + pane.clientHeight < pane.scrollHeight - 2;
}"""


def picture(browser, name: str, folder: Path = IMAGES) -> None:
    """Write the picture of one view."""
    show, steps = PICTURES[name]
    page = browser.new_page(viewport={"width": 860, "height": 900}, device_scale_factor=2)
    page.set_content(plain_page(show().html))
    for _ in range(steps):
        page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_role("group").first.evaluate("group => document.activeElement.blur()")
    folder.mkdir(parents=True, exist_ok=True)
    page.get_by_role("group").first.screenshot(path=folder / f"{name}.png", animations="disabled")


def notebooks(browser, folder: Path) -> None:
    """Write a picture of each notebook, run in JupyterLab, in light and in dark."""
    with tempfile.TemporaryDirectory() as temporary:
        work, home = Path(temporary) / "notebooks", Path(temporary) / "home"
        shutil.copytree(ROOT / "notebooks", work)
        home.mkdir()
        with jupyter(home, work) as address:
            for path in sorted(work.glob("*.ipynb")):
                notebook(browser, address, path, folder)


def notebook(browser, address: str, path: Path, folder: Path) -> None:
    """Write the notebook screen by screen: JupyterLab paints only the cells that are in sight."""
    page = open_notebook(browser.new_page(viewport={"width": 1280, "height": 1600}), address, path.name)
    print(path.name, "ran to its end" if run_all(page) else "met an error")
    page.evaluate("() => jupyterapp.commands.execute('application:toggle-left-area')")
    for name, theme in THEMES.items():
        change_theme(page, theme)
        for number in range(MOST_SCREENS):
            more = page.evaluate(SCROLL, number)
            page.screenshot(path=folder / f"{path.stem}_{name}_{number:02}.png", animations="disabled")
            if not more:
                break
    page.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="where to put pictures of every notebook")
    folder = parser.parse_args().all
    with chromium() as browser:
        if folder is None:
            for name in PICTURES:
                picture(browser, name)
            return
        folder.mkdir(parents=True, exist_ok=True)
        notebooks(browser, folder)


if __name__ == "__main__":
    main()
