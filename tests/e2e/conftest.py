"""A real browser against a real server; a browser that is missing fails, it does not skip."""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped] # it has no types
from playwright.sync_api import expect, sync_playwright

CHROMIUM = os.environ.get("DRAPEAU_TEST_CHROMIUM", "/usr/bin/chromium")
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
TIMEOUT_MS = 60_000  # for a busy machine
expect.set_options(timeout=TIMEOUT_MS)
LIGHTS = ("light", "dark")
FOUND = {"resultTypes": ["violations"]}
OF_COLOURS = {**FOUND, "runOnly": ["color-contrast", "link-in-text-block"]}


# The files that take longest. To those with at most two tests xdist gives a second file at once, so
# two short ones come next.
LONGEST = ("test_compose", "test_demo", "test_faults_sqlite", "test_faults")
FIRST = (*LONGEST, "test_config", "test_pin")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Begin with the files that take longest, so that none of them runs alone at the end."""
    items.sort(key=lambda item: (*FIRST, item.path.stem).index(item.path.stem))


@pytest.fixture(scope="module")
def chromium():
    """Start Chromium once for a module."""
    # Playwright keeps an event loop in this thread; Django would take that for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def open_page(chromium, live_server, complaints):
    """Yield a function that opens an address of the server at a width, in light or dark."""
    contexts = []

    def open_at(address, width=1440, scheme="dark", page=None):
        if page is None:
            context = chromium.new_context(
                base_url=live_server.url,
                viewport={"width": width, "height": 900},
                color_scheme=scheme,
                reduced_motion="no-preference",
            )
            contexts.append(context)
            page = context.new_page()
            page.set_default_timeout(TIMEOUT_MS)
            page.on("console", complaints.note)
            page.on("pageerror", lambda error: complaints.append(f"page error: {error}"))
        response = page.goto(address)
        assert response.status == 200, address
        return page

    yield open_at
    for context in contexts:
        context.close()


class Complaints(list[str]):
    """What the browser's console complained about, content policy included."""

    def note(self, message):
        if message.type in ("error", "warning"):
            self.append(f"{message.type}: {message.text}")


@pytest.fixture
def complaints():
    """Collect what the console says; the test fails at its end where there was anything."""
    heard = Complaints()
    yield heard
    assert heard == []


@pytest.fixture
def axe():
    """Return a function that lists what axe finds wrong with a page.

    `both` looks at it in light and dark. Only colours differ, so the second look is at them.
    """

    def violations(page, *, both=False):
        if not both:
            return _violations(page, FOUND)
        found = []
        for light, options in zip(LIGHTS, (FOUND, OF_COLOURS), strict=True):
            # Without motion the colours change at once.
            page.emulate_media(color_scheme=light, reduced_motion="reduce")
            found += [f"{light}: {problem}" for problem in _violations(page, options)]
        return found

    return violations


def _violations(page, options):
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in Axe().run(page, options=options).response["violations"]
        for node in rule["nodes"]
    ]


@pytest.fixture
def wider():
    """Return a function that lists the widths of a window at which a page scrolls sideways."""

    def widths(page):
        found = []
        for width in (375, 768, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
                found.append(f"scrolls sideways at {width}")
        return found

    return widths


@pytest.fixture
def elsewhere():
    """Serve one page of another site; its body is what a test sets."""

    class Page(BaseHTTPRequestHandler):
        body = b""

        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(Page.body)

        def log_message(self, *_words):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    Thread(target=server.serve_forever, daemon=True).start()
    yield Page, f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
