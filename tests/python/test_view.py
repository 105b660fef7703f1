"""The live view of a simulation: what a browser gets while Python steps, the same bits, and how it ends."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import gc
import json
import re
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import pleiad

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "live"))
from client import Browser, Frame, exchange, request, until  # noqa: E402


def plummer(n: int = 200, **keys: Any) -> pleiad.Simulation:
    return pleiad.Simulation("plummer", **{"parameters": {"n": n}, "eps": 0.05, "dt": 1 / 1024, "threads": 2, **keys})


def place(view: pleiad.View) -> SimpleNamespace:
    found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})", view.url)
    assert found
    return SimpleNamespace(host="127.0.0.1", port=int(found[1]), token=found[2])


def state(sim: pleiad.Simulation) -> str:
    return sim.snapshot().state_hash


def positions(frame: Frame) -> Any:
    """Of a key frame, in the simulation's units."""
    raw = np.frombuffer(frame.rest, "<u2", 3 * frame.points).reshape(-1, 3)
    return np.array([frame.cx, frame.cy, frame.cz]) + np.array([frame.sx, frame.sy, frame.sz]) * raw / 65535


def key_frame(browser: Browser) -> Frame:
    browser.say(type="key")
    while (frame := browser.frame()).kind != 0:
        pass
    return frame


def test_a_browser_sees_where_it_is() -> None:
    sim = plummer()
    with sim.view(0, title="a <b> cluster") as view:
        browser = Browser(place(view))
        hello = browser.text("hello")
        assert (hello["title"], hello["bodies"], hello["kind"], hello["control"]) == ("a <b> cluster", 200, "run", False)
        first = browser.frame()
        assert first.points == 200 and first.step == 0
        sim.run(1)
        while (status := browser.text("status"))["step"] != 1024:
            pass
        assert status["state"] == "waiting" and status["time"] == 1
        assert until(lambda: key_frame(browser).step == 1024)
        shown = positions(key_frame(browser))
        inside = (abs(sim.positions) < 2).all(axis=1)
        nearest = [abs(shown - x).max(axis=1).min() for x in sim.positions[inside]]
        assert max(nearest) < 1e-3
        assert exchange(place(view).port, request(place(view).port)).status == 401
        browser.close()


def test_frames_come_while_it_steps() -> None:
    sim = plummer(500)
    view = sim.view(0)
    browser, steps, ended = Browser(place(view)), [], threading.Event()

    def look() -> None:
        while len(set(steps)) < 4:  # step 0 may come twice: it is offered again while nothing steps
            steps.append(browser.frame().step)
        ended.set()

    threading.Thread(target=look, daemon=True).start()
    while not ended.is_set():
        sim.step(50)
    moved = [step for step in steps if step > 0]
    assert steps == sorted(steps) and moved == sorted(set(moved))
    view.close()
    browser.close()


def test_what_was_written_is_seen_after_the_next_step() -> None:
    sim = plummer()
    with sim.view(0) as view:
        browser = Browser(place(view))
        browser.frame()
        sim.positions[...] *= 3
        sim.step()
        assert until(lambda: sim.step() and key_frame(browser).sx > 0 and positions(key_frame(browser)).max() > 3)
        browser.close()


@pytest.mark.parametrize("integrator", ["kdk", "hermite4"])
def test_the_bits_are_the_same(integrator: str) -> None:
    alone, seen = plummer(integrator=integrator), plummer(integrator=integrator)
    with seen.view(0) as view:
        browsers = [Browser(place(view)) for _ in range(3)]  # two of them never read
        while seen.step_count < 300:
            seen.step(30)
            browsers[0].frame()
        seen.run(0.5)
        for browser in browsers:
            browser.close()
        seen.step(7)
    alone.step(519)
    assert seen.step_count == 519 and state(seen) == state(alone)


def test_a_watched_accuracy_has_the_same_bits() -> None:
    alone, seen = (plummer(2000, accuracy=1e-3, kernel="cpu/barnes-hut", cache=None) for _ in range(2))
    with seen.view(0) as view:
        browser = Browser(place(view))
        browser.frame()
        seen.step(300)
        browser.close()
    alone.step(300)
    assert state(seen) == state(alone)


def test_readings_are_shown_when_they_are_asked_for() -> None:
    sim = plummer()
    with sim.view(0) as view:
        browser = Browser(place(view))
        browser.frame()
        sim.step(3)
        energy = sim.diagnostics
        row = browser.text("row")
        assert (row["step"], row["kinetic"]) == (3, pytest.approx(energy.kinetic))
        error = sim.force_error()["p99"]
        sim.step()
        while (status := browser.text("status"))["force_error"] is None:
            sim.step()
        assert status["force_error"]["p99"] == pytest.approx(error)
        browser.close()


def test_the_page_pauses_steps_and_stops() -> None:
    sim = plummer()
    view = sim.view(0, control=True)
    browser = Browser(place(view))
    raised: list[BaseException] = []

    def run() -> None:
        try:
            sim.run(1e4)
        except BaseException as error:
            raised.append(error)

    running = threading.Thread(target=run)
    running.start()
    browser.say(type="control", do="pause")
    while (status := browser.text("status"))["state"] != "paused":
        pass
    step = status["step"]
    browser.say(type="control", do="step")
    while (status := browser.text("status"))["step"] == step:
        pass
    assert status["step"] == step + 1
    browser.say(type="control", do="stop")
    running.join(60)
    assert isinstance(raised[0], KeyboardInterrupt) and sim.step_count == step + 1
    browser.say(type="control", do="resume")
    sim.step(3)
    assert sim.step_count == step + 4
    browser.close()
    view.close()


def test_a_page_without_control_has_none() -> None:
    sim = plummer()
    with sim.view(0) as view:
        browser = Browser(place(view))
        browser.say(type="control", do="stop")
        assert "control" in browser.text("error")["message"]
        browser.close()
    sim.step(10)


def test_it_ends_when_it_is_closed() -> None:
    sim = plummer()
    with sim.view(0) as view:
        there = place(view)
        browser = Browser(there)
        browser.frame()
        sim.step()
    assert view.url == "" and "closed" in repr(view) and "closed" in view._repr_html_()
    view.close()
    states, code = [], 0
    while not code:
        opcode, payload = browser.receive()
        if opcode == 8:
            code = int.from_bytes(payload[:2], "big")
        elif opcode == 1 and json.loads(payload)["type"] == "status":
            states.append(json.loads(payload)["state"])
    assert code == 1001 and states[-1] == "ended"
    with pytest.raises(OSError):
        Browser(there)
    sim.step(5)


def test_it_may_be_closed_while_it_steps() -> None:
    sim = plummer()
    view = sim.view(0)
    stepping = threading.Thread(target=sim.step, args=(3000,))
    stepping.start()
    view.close()
    stepping.join()
    assert sim.step_count == 3000 and view.url == ""
    again = plummer()
    opened = again.view(0)
    again.add_callback(1 / 64, lambda sim: opened.close())
    again.run(1 / 16)
    assert opened.url == ""


def test_a_simulation_that_is_dropped_closes_it() -> None:
    sim = plummer()
    view = sim.view(0)
    there = place(view)
    del sim
    gc.collect()
    assert view.url == ""
    with pytest.raises(OSError):
        Browser(there)


def test_another_one_takes_its_place() -> None:
    sim = plummer()
    one = sim.view(0)
    other = sim.view(0)
    assert one.url == "" and other.url
    one.close()
    assert other.url
    other.close()


def test_python_ends_with_a_view_open() -> None:
    script = """
import pleiad
sim = pleiad.Simulation("plummer", parameters={"n": 100}, eps=0.05, dt=1/64)
view = sim.view(0)
sim.step(3)
print("open", bool(view.url))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "open True\n", "")


def test_mistakes_are_told() -> None:
    sim = plummer()
    with pytest.raises(pleiad.UsageError, match="port = 70000"):
        sim.view(70000)
    with sim.view(0) as view:
        with pytest.raises(pleiad.ResourceError, match=f"port {place(view).port} "):
            plummer().view(place(view).port)
        sim.add_callback(1, lambda sim: sim.view(0))
        with pytest.raises(pleiad.UsageError, match="callback"):
            sim.run(2)
        assert view.url


def test_a_notebook_gets_a_link_and_a_picture() -> None:
    sim = plummer()
    with sim.view(0) as view:
        html = view._repr_html_()
        assert f'href="{view.url}"' in html and 'rel="noopener noreferrer"' in html and "data:image/png;base64," in html
        assert "<iframe" not in html
        answer = exchange(place(view).port, request(place(view).port, f"/?token={place(view).token}"))
        assert "frame-ancestors 'none'" in answer.fields["content-security-policy"] and answer.fields["x-frame-options"] == "DENY"
        with pytest.raises(pleiad.UsageError, match=r"make it with sim.view\(frames=True\)"):
            view.widget()


def test_a_notebook_gets_the_page_in_a_frame_where_that_is_asked_for() -> None:
    sim = plummer()
    view = sim.view(0, frames=True)
    html = view.widget(300)._repr_html_()
    there = place(view)
    assert f'<iframe src="http://localhost:{there.port}/?token={there.token}"' in html and 'height="300"' in html
    assert view.url in view.widget(host="127.0.0.1")._repr_html_()
    for path in ("/", f"/?token={there.token}", "/nothing"):
        fields = exchange(there.port, request(there.port, path)).fields
        policy = fields["content-security-policy"]
        assert policy.endswith("frame-ancestors http://localhost:* http://127.0.0.1:*") and policy.startswith("default-src 'self'")
        assert "x-frame-options" not in fields
    # The rest is as before: the token, the name of the server, the origin of the socket.
    assert exchange(there.port, request(there.port)).status == 401
    cookie = exchange(there.port, request(there.port, f"/?token={there.token}")).fields["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    assert exchange(there.port, request(there.port, f"/?token={there.token}", Host="evil.example")).status == 403
    assert exchange(there.port, request(there.port, f"/?token={there.token}", Origin="http://localhost:8888")).status == 403
    for wrong, sentence in (({"host": "evil.example"}, "host must be one of localhost, 127.0.0.1"), ({"height": 3}, "height must be a whole number")):
        with pytest.raises(pleiad.UsageError, match=sentence):
            view.widget(**wrong)
    view.close()
    with pytest.raises(pleiad.UsageError, match="closed"):
        view.widget()
