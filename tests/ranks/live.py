"""The live view of a run on three ranks: all bodies are seen, the run is paused, stepped and stopped, and its bits stay."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import pathlib
import sys
import tempfile

from program import arguments, command, need, run, short_scene, summary

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live"))
from client import Browser, Program

BODIES, STOPPED = 9000, 75
END = 64 * 0.0078125


def served(scene, directory, *more):
    mpirun, *rest = command(3, [*arguments(scene, directory, [f"time.t_end={END}"]), "--live=0", *more])
    rest.remove("--quiet")
    return Program(mpirun, *rest)


def state_of(browser, state):
    while (status := browser.text("status"))["state"] != state:
        pass
    return status


def main():
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder)
        scene = base / "scene.toml"
        scene.write_text(short_scene(BODIES))
        run(3, arguments(scene, base / "unseen", [f"time.t_end={END}"]))
        with served(scene, base / "seen") as program:
            browser = Browser(program)
            need(browser.text("hello")["bodies"] == BODIES, "the page is told of another number of bodies")
            frame = browser.frame()
            need(frame.bodies == BODIES, f"a frame has {frame.bodies} bodies, not {BODIES}")
            code, _ = program.wait()
            need(code == 0, program.said)
        need(summary(base / "seen")["state_hash"] == summary(base / "unseen")["state_hash"], "the view changes the bits")

        with served(scene, base / "stopped", "--live-control") as program:
            browser = Browser(program)
            browser.say(type="control", do="pause")
            step = state_of(browser, "paused")["step"]
            for _ in range(3):
                browser.say(type="control", do="step")
                while (now := browser.text("status")["step"]) == step:
                    pass
                need(now == step + 1, f"from step {step} to {now} by one step")
                step = now
            browser.say(type="control", do="stop")
            code, _ = program.wait()
            need(code == STOPPED and "by the live view" in program.said, program.said)
        need(summary(base / "stopped")["step"] == step, "stopped at another step than the page was told")
        run(2, ["run", "--resume", str(base / "stopped"), "--quiet"])
        need(summary(base / "stopped")["state_hash"] == summary(base / "unseen")["state_hash"], "stopped and resumed to other bits")


if __name__ == "__main__":
    main()
