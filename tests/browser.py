"""A real browser and a real JupyterLab for the tests and the picture scripts; all their state in temporary folders."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
FLAGS = ("--no-sandbox --disable-gpu --disable-dev-shm-usage --disable-quic --no-first-run --disable-sync "
         "--disable-background-networking --disable-component-update").split()  # fmt: skip
REMEDY = "no browser for the tests: install Chromium (apt-get install chromium) or Google Chrome"
TOKEN = "tests"
RUN_ALL = """async () => {
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error('not all run after 60 s')), 60000));
  const run = async () => {
    await jupyterapp.shell.currentWidget.sessionContext.ready;
    return await jupyterapp.commands.execute('notebook:run-all-cells');
  };
  return await Promise.race([run(), late]);
}"""


class NoBrowser(Exception):
    """No browser was found on this machine."""


@contextmanager
def chromium():
    """Yield a browser: the system's Chromium, else installed Chrome, else the one that Playwright brought."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    with sync_playwright() as playwright:
        for where in ({"executable_path": path},) if path else ({"channel": "chrome"}, {}):
            try:
                browser = playwright.chromium.launch(args=FLAGS, **where)
            except Error as error:
                reason = error
                continue
            yield browser
            browser.close()
            return
        raise NoBrowser(f"{REMEDY} ({str(reason).splitlines()[0]})")


@contextmanager
def jupyter(folder: Path, notebooks: Path):
    """Yield the address of a JupyterLab on `notebooks`, with settings, keys and logs of its own under `folder`."""
    address = f"http://127.0.0.1:{free_port()}"
    options = ["--no-browser", "--ip=127.0.0.1", f"--port={address.rpartition(':')[2]}", "--ServerApp.port_retries=0",
               f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={notebooks}", "--allow-root",
               "--LabApp.expose_app_in_browser=True"]  # fmt: skip
    with (folder / "log").open("w", encoding="utf-8") as log:
        command = [sys.executable, "-m", "jupyter", "lab", *options]
        server = subprocess.Popen(command, env=home(folder), stdout=log, stderr=subprocess.STDOUT)
        try:
            wait_for(f"{address}/api/status?token={TOKEN}", server, folder / "log")
            yield address
        finally:
            server.terminate()
            server.wait(30)


def home(folder: Path) -> dict[str, str]:
    """Return the environment of a Jupyter that neither sees a user's settings nor leaves any."""
    names = ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")
    homes = {f"JUPYTER_{name}": folder / name.lower() for name in names} | {"IPYTHONDIR": folder / "ipython"}
    homes |= {f"JUPYTERLAB_{name}_DIR": folder / name.lower() for name in ("SETTINGS", "WORKSPACES")}
    settings = folder / "settings" / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(json.dumps({"fetchNews": "false", "checkForUpdates": False}), encoding="utf-8")
    return os.environ | {name: str(path) for name, path in homes.items()}


def free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return asked.getsockname()[1]


def wait_for(url: str, server: subprocess.Popen, log: Path, seconds: int = 60) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and server.poll() is None:
        try:
            return urllib.request.urlopen(url, timeout=5).close()
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text(encoding='utf-8', errors='replace')}")


def open_notebook(page, address: str, name: str):
    """Open a notebook in JupyterLab and wait until its cells are there."""
    page.goto(f"{address}/lab/tree/{name}?token={TOKEN}&reset")
    page.locator(".jp-Notebook .jp-Cell").first.wait_for(timeout=60_000)
    page.wait_for_function("() => window.jupyterapp?.shell.currentWidget?.context?.isReady")
    page.locator("#jupyterlab-splash").wait_for(state="detached", timeout=60_000)
    return page


def run_all(page) -> bool:
    """Run every cell; return whether all of them ended without an error."""
    return page.evaluate(RUN_ALL)


def change_theme(page, name: str) -> None:
    """Show JupyterLab in the theme "JupyterLab Light" or "JupyterLab Dark", and wait until its splash screen is gone.

    JupyterLab shows one splash screen at each change and takes it away 200 ms later. A second change within that time
    ends in an error of JupyterLab's own: the first timer takes the screen away, the second finds it gone.
    """
    page.evaluate("theme => jupyterapp.commands.execute('apputils:change-theme', { theme })", name)
    page.locator(f"body[data-jp-theme-name='{name}']").wait_for(state="attached")
    page.locator("#jupyterlab-splash").wait_for(state="detached")


def watched(page, faults: list[str], offline: bool = False):
    """Return the page, which from now on adds to `faults` its errors and, unless `offline`, requests to other machines.

    Each says in which test it was heard, on which page and, for an error, from which lines of which scripts it came.
    """

    def keep(what: str) -> None:
        faults.append(f"{os.environ.get('PYTEST_CURRENT_TEST')}, {page.url.partition('?')[0]}: {what}")

    page.on("pageerror", lambda error: keep(error.stack or str(error)))
    if not offline:
        page.on("request", lambda request: keep(f"asked for {request.url}") if outside(request.url) else None)
    return page


def plain_page(html: str, theme: str = "light") -> str:
    """Return a page that holds nothing but a view, under one of JupyterLab's two kinds of theme."""
    ground, ink = {"light": ("#ffffff", "#111111"), "dark": ("#111111", "#eeeeee")}[theme]
    marks = f'data-jp-theme-light="{str(theme == "light").lower()}" style="background:{ground}; color:{ink}"'
    head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>A view</title>'
    return f"{head}<body {marks}><main><h1>A view</h1>{html}</main>"


def outside(url: str) -> bool:
    """Return whether a request goes further than this machine."""
    return re.match(r"(https?|wss?)://(?!127\.0\.0\.1[:/])", url) is not None


def press(page, keys: str) -> None:
    """Press keys one after the other, as "1 M Enter"."""
    for key in keys.split():
        page.keyboard.press(key)


def faults_of(page) -> list[tuple[str, str]]:
    """Return what axe finds on the page, which must have looked at the contrast of text."""
    found = Axe().run(page).response
    assert "color-contrast" in {rule["id"] for rule in found["passes"]}
    return [(rule["id"], rule["nodes"][0]["html"]) for rule in found["violations"]]
