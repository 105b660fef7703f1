"""The page of the live view in a real browser: what is drawn, picked, plotted and steered is what the server sent and was told.

    page_test.py PAGE_FOLDER [--pleiad PROGRAM] [NAME ...]

Against mock_server.py; with --pleiad against the program, with a small cluster of its own. Exits with 77, and says why, where Playwright or Chromium
is missing: tools/packages browser, and `pip install playwright` for the interpreter that runs this.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import argparse
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mock_server  # noqa: E402

try:
    from playwright.sync_api import expect, sync_playwright
except ImportError:
    print(f"skipped: {sys.executable} has no playwright; pip install playwright")
    sys.exit(77)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if not CHROMIUM:
    print("skipped: there is no chromium; tools/packages browser")
    sys.exit(77)

WIDTHS = {1280: 640, 390: 700}  # and heights
PATIENCE = 60000                # milliseconds: pixels are drawn by software, on a machine that does other things
arguments = None
browser = None


class Mock:
    """A server with made-up bodies, and what it was told."""

    def __init__(self, *options):
        self.told, self.news = [], queue.Queue()
        self.process = subprocess.Popen([sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "mock_server.py"), arguments.page, *options],
                                        stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            self.news.put(json.loads(line))

    def messages(self, kind):
        while not self.news.empty():
            self.told.append(self.news.get())
        return [m for m in self.told if m["type"] == kind]

    def wait_for(self, kind, **fields):
        end = time.monotonic() + PATIENCE / 1000
        while time.monotonic() < end:
            found = [m for m in self.messages(kind) if fields.items() <= m.items()]
            if found:
                return found[-1]
            time.sleep(0.05)
        raise AssertionError(f"the server was not told {kind} {fields}; it was told {self.told[-5:]}")

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Program:
    """pleiad run --live on a cluster that it makes itself."""

    def __init__(self, folder):
        environment = {**os.environ, "XDG_CACHE_HOME": "/dev/null"}
        subprocess.run([arguments.pleiad, "ic", "plummer", "-n", "3000", "--output", f"{folder}/cluster.hdf5"], check=True, env=environment, capture_output=True)
        self.process = subprocess.Popen([arguments.pleiad, "run", f"{folder}/cluster.hdf5", "--eps", "0.05", "--dt", "0.0078125", "--t-end", "1000", "--output",
                                         f"{folder}/run", "--live=0", "--live-control"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment)
        self.url = next(word for line in self.process.stderr for word in line.split() if word.startswith("http://"))
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def stop(self):
        self.process.terminate()
        self.process.wait()


class PageTest(unittest.TestCase):
    server = None

    def open(self, url, width=1280):
        """A page that has drawn a frame. What it asks of other places, and every error of it, is kept."""
        context = browser.new_context(viewport={"width": width, "height": WIDTHS[width]}, reduced_motion="reduce", has_touch=width < 600)
        self.addCleanup(context.close)
        page = context.new_page()
        self.errors, self.asked = [], []
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: self.asked.append(request.url))
        page.goto(url)
        self.until(page, "globalThis.pleiad?.frame && pleiad.status.state && !document.getElementById('time').value.startsWith('–')")
        return page

    @staticmethod
    def until(page, words):
        """Waits until the expression is true. Playwright's own way is against the page's Content-Security-Policy."""
        end = time.monotonic() + PATIENCE / 1000
        while not page.evaluate(f"Boolean({words})"):
            if time.monotonic() > end:
                raise AssertionError(f"not within {PATIENCE} ms: {words}")
            time.sleep(0.05)

    def mock(self, *options, width=1280):
        self.serve(*options)
        return self.open(self.server.url, width)

    def serve(self, *options):
        """Each server is stopped: one that is left behind keeps the test's output open, and ctest waits for that."""
        self.server = Mock(*options)
        self.addCleanup(self.server.stop)

    def tearDown(self):
        self.assertEqual(self.errors, [])

    def count_all(self, page):
        """Points on the canvas, seen from so far that all are there, and points of the frame. Both of one moment."""
        return page.evaluate("""() => {
          const { camera, frame } = pleiad, before = { ...camera };
          camera.fit(frame.corner.map((c, k) => c + frame.size[k] / 2), Math.max(...frame.size), [0.5, 0.5]);
          const drawn = pleiad.count(), inside = [...Array(frame.points).keys()].filter(i =>
            [0, 1, 2].every(k => frame.positions[3 * i + k] > 0 && frame.positions[3 * i + k] < 65535)).length;
          Object.assign(camera, { centre: before.centre, width: before.width });
          return [drawn, inside, frame.points];
        }""")

    def pick(self, page):
        """Clicks where a body is drawn. Returns how far from the click the picked body is drawn, in pixels."""
        x, y = page.evaluate("""() => {
          const { camera, frame } = pleiad, at = i => camera.project([0, 1, 2].map(k => frame.corner[k] + frame.size[k] * frame.positions[3 * i + k] / 65535));
          const free = i => at(i) && document.elementFromPoint(at(i)[0], at(i)[1])?.id === 'sky';
          return at([...Array(frame.points).keys()].find(free)).slice(0, 2);
        }""")
        page.mouse.click(x, y)
        self.until(page, "pleiad.picked.body")
        px, py = page.evaluate("pleiad.camera.project(pleiad.picked.body.position).slice(0, 2)")
        return ((px - x) ** 2 + (py - y) ** 2) ** 0.5

    def test_every_point_that_was_sent_is_drawn(self):
        for scene in ("plummer", "encounter", "box"):
            page = self.mock("--scene", scene, "--bodies", "3000", "--control")
            page.keyboard.press("Space")
            self.server.wait_for("control", do="pause")
            drawn, inside, points = self.count_all(page)
            self.assertEqual((drawn, inside), (points, points), scene)
            self.assertGreater(points, 2500)
            seen = self.server.messages("seen")
            self.assertGreater(len(seen), 0)
            self.assertEqual(sorted(m["sequence"] for m in seen), [m["sequence"] for m in seen])

    def test_nothing_is_asked_of_any_other_place(self):
        page = self.mock("--bodies", "500")
        origin = page.evaluate("location.origin")
        self.assertEqual([url for url in self.asked if not url.startswith(origin)], [])
        self.assertNotIn("token", page.url)

    def test_a_body_is_picked_and_leaves_a_trail(self):
        page = self.mock("--bodies", "1500")
        self.assertLess(self.pick(page), 60)  # bodies go on between the click and the answer
        told = self.server.wait_for("pick")
        self.server.wait_for("follow", request=told["request"])
        expect(page.locator("#body-name")).to_have_text(f"Body {1000 + told['index']}")
        self.assertIn("star", page.locator("#body-list").inner_text())
        self.until(page, "pleiad.picked.segments(null).length > 2")
        page.locator("#sky").focus()
        page.keyboard.press("b")
        self.until(page, "Math.hypot(...pleiad.camera.centre.map((c, k) => c - pleiad.picked.body.position[k])) === 0")
        page.keyboard.press("Escape")
        expect(page.locator("#body")).to_be_hidden()
        self.server.wait_for("follow", request=None)

    def test_binaries_are_marked_and_counted_on_demand(self):
        page = self.mock("--bodies", "500")
        self.assertEqual(self.server.messages("binaries"), [])
        page.locator("#sky").focus()
        page.keyboard.press("n")
        self.server.wait_for("binaries", on=True)
        expect(page.locator("#binaries-number")).to_have_text("3", timeout=PATIENCE)
        self.assertEqual(page.evaluate("pleiad.binaries.segments(pleiad.camera).length"), 3 * 21)
        page.locator("#binaries").uncheck()
        self.server.wait_for("binaries", on=False)
        expect(page.locator("#binaries-number")).to_have_text("")
        self.assertEqual(page.evaluate("pleiad.binaries.segments(pleiad.camera).length"), 0)

    def test_bodies_that_a_field_moves_stay_in_the_middle_until_the_view_is_moved(self):
        page = self.mock("--bodies", "500", "--follow")
        self.until(page, "pleiad.frame && pleiad.camera.centre.every((c, k) => c === pleiad.frame.centre[k])")
        expect(page.locator("#follow-centre")).to_have_attribute("aria-pressed", "true")
        page.locator("#sky").focus()
        page.keyboard.press("Shift+ArrowLeft")
        expect(page.locator("#follow-centre")).to_have_attribute("aria-pressed", "false")
        page = self.mock("--bodies", "500")
        self.until(page, "pleiad.frame")
        expect(page.locator("#follow-centre")).to_have_attribute("aria-pressed", "false")

    def test_plots_are_of_the_rows_that_were_sent(self):
        page = self.mock("--bodies", "500")
        self.until(page, "pleiad.plots.energy.times.length > 40")
        plots = page.evaluate("""Object.fromEntries(['energy', 'virial', 'radii'].map(name =>
          [name, [pleiad.plots[name].times, ...pleiad.plots[name].series.map(s => s.values)]]))""")
        rows = [mock_server.row(k) for k in range(len(plots["energy"][0]))]
        times = [r["time"] for r in rows]
        self.assertEqual(plots["energy"], [times, [r["energy_error"] for r in rows]])
        self.assertEqual(plots["virial"], [times[:len(plots["virial"][0])], [r["virial_ratio"] for r in rows]])
        self.assertEqual(plots["radii"], [times, *([r["radii"][k] for r in rows] for k in ("10", "50", "90"))])
        self.until(page, "document.querySelector('.plot canvas').getAttribute('aria-label').includes('at time')")
        inked = page.evaluate("""[...document.querySelectorAll('.plot canvas')].map(c =>
          c.getContext('2d').getImageData(0, 0, c.width, c.height).data.filter((v, i) => i % 4 === 3 && v > 0).length)""")
        self.assertEqual(len(inked), 4)
        self.assertGreater(min(inked), 100)

    def test_a_run_is_paused_stepped_and_stopped(self):
        page = self.mock("--bodies", "500", "--control")
        page.locator("#pause").click()
        expect(page.locator("#state-word")).to_have_text("Paused", timeout=PATIENCE)
        expect(page.locator("#pause")).to_have_attribute("aria-label", "Go on")
        before = page.evaluate("pleiad.status.step")
        page.locator("#step").click()
        self.until(page, f"pleiad.status.step === {before + 1}")
        page.locator("#stop").click()
        page.get_by_text("Keep running").click()
        self.assertEqual([m["do"] for m in self.server.messages("control")], ["pause", "step"])
        page.locator("#stop").click()
        page.locator("#stop-question .grave").click()
        expect(page.locator("#state-word")).to_have_text("Stopped", timeout=PATIENCE)
        expect(page.locator("#pause")).to_be_disabled()

    def test_without_control_there_are_no_buttons(self):
        page = self.mock("--bodies", "500")
        expect(page.locator("#pause")).to_be_hidden()
        page.keyboard.press("Space")
        self.assertEqual(self.server.messages("control"), [])

    def test_the_slider_shows_snapshots(self):
        page = self.mock("--bodies", "500", "--snapshots", "6")
        page.locator("#slider").fill("3")
        self.server.wait_for("show", index=3)
        self.until(page, "pleiad.frame.time === 30")
        expect(page.locator("#time")).to_have_text("t = 30 Gyr")
        expect(page.locator("#end")).to_have_text("4 of 6")
        page.locator("#sky").focus()
        page.keyboard.press(",")
        self.until(page, "pleiad.frame.time === 20")
        page.keyboard.press("Space")
        self.server.wait_for("play", on=True)
        self.until(page, "pleiad.frame.time === 50")

    def test_a_lost_connection_says_so_and_comes_back(self):
        page = self.mock("--bodies", "500")
        port, token = page.evaluate("location.port"), self.server.url.partition("token=")[2]
        self.server.stop()
        expect(page.locator("#notice")).to_contain_text("Connection lost", timeout=PATIENCE)
        expect(page.locator("#state-word")).to_have_text("Connection lost")
        self.serve("--bodies", "500", "--port", port, "--token", token)
        expect(page.locator("#notice")).to_be_hidden(timeout=PATIENCE)
        expect(page.locator("#state-word")).to_have_text("Running", timeout=PATIENCE)
        self.server.wait_for("seen")
        self.errors = [e for e in self.errors if "ERR_CONNECTION" not in e]

    def test_a_view_is_shared_as_a_link(self):
        page = self.mock("--bodies", "500")
        page.evaluate("pleiad.camera.turn(0.7, 0.3); pleiad.camera.zoom(0.5); pleiad.look.set('by', 'speed'); pleiad.look.set('map', 'viridis')")
        self.server.wait_for("colour", by="speed")
        self.until(page, "pleiad.frame.colours")
        page.locator("#share").click()
        self.until(page, "location.hash.length > 10")
        camera = page.evaluate("[...pleiad.camera.centre, ...pleiad.camera.rotation, pleiad.camera.width]")
        again = self.open(self.server.url + page.evaluate("location.hash"))
        for a, b in zip(camera, again.evaluate("[...pleiad.camera.centre, ...pleiad.camera.rotation, pleiad.camera.width]")):
            self.assertAlmostEqual(a, b, delta=1e-5 * (1 + abs(a)))  # links have six figures
        self.assertEqual(again.evaluate("[pleiad.look.by, pleiad.look.map]"), ["speed", "viridis"])

    def test_a_density_picture_is_laid_where_it_belongs(self):
        page = self.mock("--picture")
        page.evaluate("pleiad.look.set('glow', 0)")
        page.wait_for_timeout(1500)
        # The bright spot of the mock is in the upper left quarter: 0.23 of the width from the left, 0.22 of the height from above.
        spot, mirrored = page.evaluate("""() => new Promise(done => {
          pleiad.look.set('log', false);  // something has changed: it is drawn, and in the same task it is there to be read
          requestAnimationFrame(() => {
            const copy = new OffscreenCanvas(100, 100), g = copy.getContext('2d');
            g.drawImage(document.getElementById('sky'), 0, 0, 100, 100);
            const light = (x, y) => g.getImageData(x, y, 1, 1).data.reduce((a, b) => a + b) - 255;
            done([light(22, 21), light(22, 78)]);
          });
        })""")
        self.assertGreater(spot, 3 * mirrored + 60)

    def test_a_density_picture_has_points_near_the_focus(self):
        page = self.mock("--picture")
        camera = self.server.wait_for("camera")
        beside = sum((c - f) * r for c, f, r in zip(camera["centre"], camera["focus"], camera["right"]))
        self.assertGreater(beside, 0.05 * camera["width"])  # the instruments at the right leave the focus to the left of the middle
        near = page.evaluate("[pleiad.frame.points, pleiad.count()]")
        self.assertEqual(near, [50, 50])
        self.until(page, "document.getElementById('run-list').textContent.includes('picture and 50')")
        x, y, *_ = page.evaluate("(() => { const f = pleiad.frame.near; return pleiad.camera.project([0, 1, 2].map(k => f.corner[k] + f.size[k] * f.positions[k] / 65535)); })()")
        page.mouse.click(x, y)
        self.until(page, "pleiad.picked.body")
        pick = self.server.wait_for("pick")
        self.assertLess(pick["index"], 50)
        self.assertLess(page.evaluate("Math.hypot(...pleiad.picked.body.position)"), 1)

    def test_pictures_and_movies_are_saved(self):
        page = self.mock("--bodies", "500", "--title", "a/b c")
        with page.expect_download() as download:
            page.locator("#photo").click()
        self.assertRegex(download.value.suggested_filename, r"^a-b-c-t.*\.png$")
        with open(download.value.path(), "rb") as file:
            self.assertEqual(file.read(4), b"\x89PNG")
        page.locator("#movie").click()
        page.wait_for_timeout(2500)
        with page.expect_download() as download:
            page.locator("#movie").click()
        self.assertGreater(os.path.getsize(download.value.path()), 1000)

    def test_a_phone_has_sheets_and_every_button_a_name(self):
        page = self.mock("--bodies", "500", "--control", width=390)
        self.assertEqual(page.evaluate("document.documentElement.scrollWidth"), 390)
        drawn, _, points = self.count_all(page)
        self.assertEqual(drawn, points)
        for name, shown in (("View", "#look"), ("Run", "#run"), ("Plots", "#plots")):
            page.locator("#tabs").get_by_text(name, exact=True).tap()
            expect(page.locator(shown)).to_be_visible()
        page.locator("#tabs").get_by_text("Plots", exact=True).tap()
        expect(page.locator("#plots")).to_be_hidden()
        nameless = page.evaluate("""[...document.querySelectorAll('button, input, select, canvas:not([aria-hidden]), dialog')].filter(e =>
          !(e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || e.textContent.trim() || e.closest('label'))).map(e => e.outerHTML)""")
        self.assertEqual(nameless, [])
        self.pick(page)
        page.locator("#tab-body").tap()
        expect(page.locator("#body-list")).to_be_visible()

    def test_keys_are_listed_and_work(self):
        page = self.mock("--bodies", "500")
        page.keyboard.press("?")
        expect(page.locator("#keys")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("#keys")).to_be_hidden()
        width, rotation = page.evaluate("[pleiad.camera.width, pleiad.camera.rotation]")
        for key in ("+", "ArrowLeft", "2", "l", "c"):
            page.keyboard.press(key)
        self.server.wait_for("colour", by="speed")
        after = page.evaluate("[pleiad.camera.width, pleiad.camera.rotation, pleiad.look.log, pleiad.camera.centre]")
        self.assertLess(after[0], width)
        self.assertNotEqual(after[1], rotation)
        self.assertFalse(after[2])
        self.assertEqual(after[3], [0, 0, 0])
        page.keyboard.press("h")
        expect(page.locator("#readings")).to_be_hidden()


class ProgramTest(PageTest):
    """The same page against pleiad run."""

    def test_a_run_is_watched_picked_paused_stepped_and_stopped(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.server = Program(folder.name)
        self.addCleanup(self.server.stop)
        for width in WIDTHS:
            page = self.open(self.server.url, width)
            drawn, inside, points = self.count_all(page)
            self.assertEqual(drawn, inside)
            self.assertEqual(points, 3000)
            self.assertEqual(page.evaluate("document.documentElement.scrollWidth"), width)
        page = self.open(self.server.url)
        page.locator("#pause").click()
        expect(page.locator("#state-word")).to_have_text("Paused", timeout=PATIENCE)
        page.wait_for_timeout(1000)  # frames that were on their way
        self.assertLess(self.pick(page), 1)
        expect(page.locator("#body")).to_be_visible()
        page.locator("#pause").click()
        self.until(page, "pleiad.picked.segments(null).length > 2")
        page.locator("#pause").click()
        expect(page.locator("#state-word")).to_have_text("Paused", timeout=PATIENCE)
        page.wait_for_timeout(1000)
        before = page.evaluate("pleiad.status.step")
        page.locator("#step").click()
        self.until(page, f"pleiad.status.step === {before + 1}")
        page.keyboard.press("2")
        self.until(page, "pleiad.frame.colours && pleiad.frame.high > pleiad.frame.low")
        page.locator("#stop").click()
        page.locator("#stop-question .grave").click()
        expect(page.locator("#notice")).to_contain_text("The run is over", timeout=PATIENCE)
        self.errors = [e for e in self.errors if "ERR_CONNECTION" not in e]


def main():
    global arguments, browser
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--pleiad")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    case = ProgramTest if arguments.pleiad else PageTest
    suite = unittest.TestSuite(case(name) for name in unittest.TestLoader().getTestCaseNames(case)
                               if (name in vars(case)) and (not arguments.names or any(word in name for word in arguments.names)))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--use-angle=swiftshader", "--enable-unsafe-swiftshader"])
        result = unittest.TextTestRunner(verbosity=2).run(suite)
        browser.close()
    sys.exit(not result.wasSuccessful())


if __name__ == "__main__":
    main()
