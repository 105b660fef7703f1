"""An accuracy asked of several ranks: solver, error, corrections and hash are those of one process, for any number of ranks and after a resume on another."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import tempfile

from program import DT, arguments, chosen, need, outputs, run, short_scene, summary

SOLVER = """
[solver]
accuracy = 1e-3
check_every = 2
"""
SMOOTH = short_scene(20000) + SOLVER
CLUSTERED = short_scene(12000, "encounter", DT / 256) + SOLVER
BOX = short_scene(9000, "uniform-box")
SCENES = {
    # The solver is searched for: by one process, or by the first ranks that are asked.
    "smooth": (SMOOTH, []),
    "clustered": (CLUSTERED, ['solver.method="fmm"']),
    "clustered, f32": (CLUSTERED, ['solver.method="barnes-hut"', 'engine.precision="f32"']),
    "few bodies, direct sums": (SMOOTH.replace("n=20000", "n=1500"), []),
    "all images": (BOX + SOLVER, ['solver.method="fmm"', 'gravity.images="all"', "limits.max_energy_error=0"]),
    "all images, direct sums": (BOX.replace("n=9000", "n=5000") + SOLVER, ['gravity.images="all"', "limits.max_energy_error=0"]),
    # Named trees that are too rough, and are corrected before the first step.
    "rough fmm": (CLUSTERED, ['engine.kernel="cpu/fmm order=3 theta=0.9"']),
    "rough barnes-hut": (SMOOTH, ['engine.kernel="cpu/barnes-hut order=1 theta=1"', "solver.accuracy=3e-3"]),
}
ASKED = chosen(SCENES, ["smooth", "clustered", "few bodies, direct sums", "rough fmm"], SCENES)
MANY, FEW = chosen([2, 3, 4, 7], [2, 3], [3]), chosen([2, 7], [3])


def main():
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder)
        for k, name in enumerate(ASKED):
            text, settings = SCENES[name]
            # One cache for all of a scene, and another one for each.
            os.environ["XDG_CACHE_HOME"] = str(base / f"cache{k}")
            scene = base / "scene.toml"
            scene.write_text(text)
            alone, several = base / f"alone{k}", base / f"ranks{k}"
            # Direct sums of one process are symmetric pairs, of several ranks they are not.
            if "direct" in name:
                settings = [*settings, "solver.accuracy=0", f'engine.kernel="cpu/{"ewald" if "images" in name else "threads"}"']
            if k % 2 == 1:
                run(3, [*arguments(scene, several, settings), "--overwrite"])
            run(0, arguments(scene, alone, settings))
            expected = summary(alone)
            if name == "smooth" and not expected["kernel"].startswith(("cpu/fmm", "cpu/barnes-hut")):
                # Where other work made trees slow: of direct sums ranks have others than one process.
                settings = [*settings, 'solver.method="fmm"']
                run(0, [*arguments(scene, alone, settings), "--overwrite"])
                expected = summary(alone)
            accuracy = expected["force_error"]["asked"] or 1e-5
            need(expected["force_error"]["p99_high"] <= accuracy, f"{name}: the error is {expected['force_error']}")
            for ranks in FEW if "f32" in name or "direct" in name else MANY:
                run(ranks, [*arguments(scene, several, settings), "--overwrite"])
                compare(name, ranks, several, alone, expected)
            resumed = base / f"resumed{k}"
            stop_and_resume(scene, resumed, settings)
            compare(f"{name}, resumed", 4, resumed, alone, expected)
            if "rough" in name:
                rows = (several / "accuracy.txt").read_text().splitlines()
                need(len({row.split(" ", 10)[10] for row in rows[1:]}) > 1, f"{name}: nothing was corrected:\n{rows}")
            print(f"{name:26} {expected['state_hash'][:12]} {expected['force_error']['p99']:.2e} {expected['kernel']}", flush=True)


def compare(name, ranks, several, alone, expected):
    found = summary(several)
    for key in ["state_hash", "kernel", "precision", "force_error"]:
        need(found[key] == expected[key], f"{name} on {ranks} ranks: {key} is {found[key]}, not {expected[key]}")
    need(outputs(several) == outputs(alone), f"{name} on {ranks} ranks: other table or snapshots")
    need((several / "accuracy.txt").read_bytes() == (alone / "accuracy.txt").read_bytes(), f"{name} on {ranks} ranks: other errors")


def stop_and_resume(scene, directory, settings):
    """Nothing but the first outputs on 3 ranks, the first half of the steps on 2, the rest on 4."""
    text = scene.read_text()
    end = float(text.split("t_end = ")[1].split()[0])
    run(3, arguments(scene, directory, [*settings, "limits.walltime_seconds=0.000001"]), expect=75)
    resume = ["run", "--resume", str(directory), "--quiet", "--set", "limits.walltime_seconds=0", "--set"]
    run(2, [*resume, f"time.t_end={end / 2!r}"])
    run(4, [*resume, f"time.t_end={end!r}"])


main()
