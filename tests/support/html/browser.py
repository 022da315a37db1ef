"""A headless Chromium, driven through ChromeDriver by the WebDriver protocol, which is JSON over HTTP.

Both come with Debian's packages; `browser_setup` beside this file installs them where it can.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
#: how keys are called in the protocol
KEYS = {
    "Home": "\ue011",
    "End": "\ue010",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
    "Tab": "\ue004",
    "Space": " ",
}
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def missing_programs() -> str | None:
    """Why there is no browser, or None."""
    browser, driver = _browser(), shutil.which("chromedriver")
    if browser is None:
        return "no Chromium is installed (tests/support/html/browser_setup installs it, as root on Debian)"
    return None if driver else "no chromedriver is installed (tests/support/html/browser_setup installs it)"


def _browser() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if (found := shutil.which(name))), None)


class Browser:
    """One session of a browser."""

    def __init__(self, address: str, session: str) -> None:
        self._session = f"{address}/session/{session}"

    def command(self, path: str, body: dict[str, Any] | None = None, method: str = "POST") -> Any:
        """Sends a command, and gives its value."""
        return _request(f"{self._session}/{path}", body, method)

    def open(self, page: Path) -> None:
        """Loads a file, with nothing left of the page before it, and waits until its scripts have run."""
        address = page.resolve().as_uri()
        self.command("url", {"url": address})
        script = "return [location.href, document.readyState]"
        _until(lambda: self.run(script) == [address, "complete"])

    def run(self, script: str, *arguments: Any) -> Any:
        """The value of a piece of JavaScript, which returns it."""
        return self.command("execute/sync", {"script": script, "args": list(arguments)})

    def element(self, selector: str) -> dict[str, str]:
        """The first element that a selector names."""
        found = self.command("element", {"using": "css selector", "value": selector})
        return {_ELEMENT: found[_ELEMENT]}

    def text(self, selector: str) -> str:
        """The text of the first element that a selector names."""
        return str(self.run("return document.querySelector(arguments[0]).innerText", selector))

    def click(self, selector: str) -> None:
        """Clicks on an element, as a person does."""
        self.command(f"element/{self.element(selector)[_ELEMENT]}/click", {})

    def press(self, *names: str) -> None:
        """Presses keys, one after the other."""
        actions: list[dict[str, str]] = []
        for name in names:
            key = KEYS.get(name, name)
            actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.command("actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def log(self, kind: str) -> list[dict[str, Any]]:
        """What was logged since the last call: by the page ("browser"), or about the network."""
        found: list[dict[str, Any]] = self.command("se/log", {"type": kind})
        return found

    def devtools(self, command: str, **parameters: Any) -> Any:
        """A command of the developer tools."""
        return self.command("goog/cdp/execute", {"cmd": command, "params": parameters})

    def prefer(self, **features: str) -> None:
        """What the reader prefers, such as `prefers_color_scheme="dark"`; nothing is the default again."""
        listed = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.devtools("Emulation.setEmulatedMedia", features=listed)

    def resize(self, width: int, height: int, scale: float = 1) -> None:
        """Makes the page so wide and high."""
        size = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}
        self.devtools("Emulation.setDeviceMetricsOverride", **size)

    def screenshot(self, file: Path) -> None:
        """Writes a picture of what is seen."""
        file.write_bytes(base64.b64decode(self.command("screenshot", method="GET")))


@contextmanager
def browsing() -> Iterator[Browser]:
    """A browser, for as long as it is needed."""
    program, driver = _browser(), shutil.which("chromedriver")
    assert program is not None and driver is not None, missing_programs()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        try:
            address = f"http://127.0.0.1:{_port(process)}"
            # the page of a new tab loads much, which would come among what a test looks at
            options = {"binary": program, "args": [*FLAGS, f"--user-data-dir={profile}", "about:blank"]}
            wanted = {
                "browserName": "chrome",
                "goog:chromeOptions": options,
                "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            }
            made = _request(f"{address}/session", {"capabilities": {"alwaysMatch": wanted}}, "POST")
            browser = Browser(address, made["sessionId"])
            browser.command("url", {"url": "about:blank"})
            browser.resize(1300, 900)
            yield browser
            _request(f"{address}/session/{made['sessionId']}", None, "DELETE")
        finally:
            process.terminate()
            process.wait(timeout=20)


def _until(is_so: Callable[[], bool]) -> None:
    """Waits until something is so; on a machine with much other work a page takes its time."""
    for _ in range(400):
        if is_so():
            return
        time.sleep(0.05)
    raise AssertionError("the page was not loaded")


def _port(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    for line in process.stdout:
        match = re.search(r"started successfully on port (\d+)", line)
        if match is not None:
            return int(match[1])
    raise AssertionError("chromedriver did not start")


def _request(address: str, body: dict[str, Any] | None, method: str) -> Any:
    data = None if method != "POST" else json.dumps(body or {}).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"}, method=method)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=60) as answer:
            return json.load(answer)["value"]
    except urllib.error.HTTPError as error:
        raise AssertionError(f"{address}: {error.read().decode()[:500]}") from None
