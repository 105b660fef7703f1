"""--dry-run on several ranks: steps and outputs of one process, memory of a part of the bodies, and nothing is written; also of a run that is resumed."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import json
import pathlib
import shutil
import tempfile

from program import PATIENCE, arguments, need, run, short_scene

TREE = ['engine.kernel="cpu/fmm order=4 theta=0.6"']
SCENES = {
    "direct": (20000, []),  # symmetric pairs, for which each rank has the positions of all bodies
    "one-sided": (20000, ['engine.kernel="cpu/threads"']),
    "fmm": (40000, TREE),
    "accuracy": (20000, ["solver.accuracy=1e-3"]),
    "fewer bodies than ranks": (3, []),
}
SAME = ["bodies", "steps", "steps_at_least", "snapshots", "rows", "pictures", "disk_bytes", "precision"]


def forecast(ranks, args):
    """What rank 0 has printed: one object."""
    return json.loads(run(ranks, [*args, "--dry-run", "--json"]).stdout)


def main():
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder)
        for name, (n, settings) in SCENES.items():
            scene, out = base / "scene.toml", base / "out"
            scene.write_text(short_scene(n))
            args = arguments(scene, out, settings)
            alone = forecast(0, args)
            for ranks in [2, 4]:
                several = forecast(ranks, args)
                for key in SAME:
                    need(several[key] == alone[key], f"{name} on {ranks} ranks: {key} is {several[key]}, not {alone[key]}")
                need(several["ranks"] == ranks and alone["ranks"] == 1 and several["device"].startswith(f"{ranks} x CPU"), f"{several}")
                need(0 < several["evaluation_seconds"] < 10 * PATIENCE and several["available_bytes"] <= alone["available_bytes"], f"{several}")
                if name in ("one-sided", "fmm"):
                    need(several["memory_bytes"] < (0.7 if ranks == 2 else 0.45) * alone["memory_bytes"], f"{name} on {ranks} ranks: {several['memory_bytes']} of {alone['memory_bytes']}")
            need(not out.exists(), f"{name}: something was written")
            print(f"{name:24} {alone['memory_bytes'] / 2**20:.1f} MiB alone, {several['memory_bytes'] / 2**20:.1f} MiB on each of {ranks} ranks", flush=True)

        scene.write_text(short_scene(9000))
        run(3, arguments(scene, out, ["time.t_end=0.015625"]))
        text = run(2, [*arguments(scene, out), "--dry-run"]).stdout
        need(text.count("holds a run: `pleiad run` needs --overwrite or --resume there") == 1, text)
        before = {file: file.read_bytes() for file in out.rglob("*") if file.is_file()}
        for ranks in [0, 2]:
            resumed = forecast(ranks, ["run", "--resume", str(out), "--set", "time.t_end=0.0625"])
            need(resumed["steps"] == 6 and resumed["bodies"] == 9000, f"resumed on {ranks} ranks: {resumed}")
        need({file: file.read_bytes() for file in out.rglob("*") if file.is_file()} == before, "a forecast has changed the run")
        text = run(2, ["run", "--resume", str(out), "--dry-run"]).stdout
        need(text.count("for each rank") == 1, text)
        shutil.rmtree(out)


main()
