"""The one real browser of all tests, and a page for views that need no JupyterLab; `pytest_plugins = ["pages"]`."""

import os

import pytest
from browser import NoBrowser, chromium, plain_page, watched


@pytest.fixture(scope="session")
def one_browser():
    """The browser that all tests share: Playwright starts once in a thread."""
    try:
        with chromium() as found:
            yield found
    except NoBrowser as missing:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(missing))


@pytest.fixture(scope="session")
def watch(one_browser):
    """A function that watches a page and returns it; in the end none may have met an error or asked another machine."""
    faults = []
    yield lambda page, **options: watched(page, faults, **options)
    for context in one_browser.contexts:
        context.close()
    assert faults == [], "\n\n".join(["pages met errors or asked other machines:", *faults])


@pytest.fixture(scope="session")
def open_page(one_browser, watch):
    """A function that shows a view's HTML on a page, which is watched; pages with the same options are one page."""
    pages = {}

    def opened(html, theme="light", width=1280, **options):
        if str(options) not in pages:
            pages[str(options)] = watch(one_browser.new_context(**options).new_page())
        page = pages[str(options)]
        page.set_default_timeout(30_000)
        page.set_viewport_size({"width": width, "height": 900})
        page.set_content(plain_page(html, theme))
        return page

    return opened
