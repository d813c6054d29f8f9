"""The one real browser of all tests, and a page for views that need no JupyterLab; `pytest_plugins = ["pages"]`."""

import os

import pytest
from browser import NoBrowser, chromium, outside, plain_page


@pytest.fixture(scope="session")
def one_browser():
    """The browser that all tests share: Playwright starts once in a thread."""
    try:
        with chromium() as found:
            yield found
    except NoBrowser as missing:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(missing))


@pytest.fixture(scope="session")
def open_page(one_browser):
    """A function that shows a view's HTML on a page; none may meet an error or ask another machine."""
    faults, pages = [], {}

    def opened(html, theme="light", width=1280, **options):
        page = pages.get(str(options)) or one_browser.new_context(**options).new_page()
        if str(options) not in pages:
            page.set_default_timeout(30_000)
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.on("request", lambda request: faults.append(request.url) if outside(request.url) else None)
        pages[str(options)] = page
        page.set_viewport_size({"width": width, "height": 900})
        page.set_content(plain_page(html, theme))
        return page

    yield opened
    for page in pages.values():
        page.context.close()
    assert faults == []
