"""One table of hashes: scenes x solvers x ranks x resume on another number of ranks; hash, table and snapshots are those of one process."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import pathlib
import tempfile

from program import DT, arguments, chosen, need, outputs, run, short_scene, summary

# Bits are compared, which a step that is too long for so heavy a box does not change.
BOX = ['gravity.images="all"', "limits.max_energy_error=0"]
SCENES = {
    "one body": (short_scene(1), []),
    "fewer bodies than ranks": (short_scene(3), []),
    "one block": (short_scene(3000), []),
    "several blocks": (short_scene(9000), []),
    "one-sided": (short_scene(9000), ['engine.kernel="cpu/threads"']),
    "f32, yoshida6": (short_scene(5000), ['engine.precision="f32"', 'time.integrator="yoshida6"']),
    "adaptive": (short_scene(4500), ["time.adaptive=true"]),
    "outputs between steps": (short_scene(4500), [f"output.diagnostics_interval={2 * DT / 3}", f"output.snapshot_interval={DT / 2}"]),
    "no softening": (short_scene(4500), ["gravity.softening=0"]),
    "barnes-hut, no softening": (short_scene(9000), ['engine.kernel="cpu/barnes-hut order=2 theta=0.6"', "gravity.softening=0"]),
    "hermite4": (short_scene(4500), ['time.integrator="hermite4"']),
    "hermite4, adaptive": (short_scene(4500), ['time.integrator="hermite4"', "time.adaptive=true", "time.eta=0.5", "gravity.softening=0.1"]),
    "gauss-radau, adaptive": (short_scene(300), ['time.integrator="gauss-radau"', "time.adaptive=true", "gravity.softening=0.1"]),
    "periodic box, f64": (short_scene(4500, "uniform-box"), ['engine.precision="f64"']),
    "fmm": (short_scene(20000), ['engine.kernel="cpu/fmm order=4 theta=0.6"']),
    "fmm, f64, criterion error": (short_scene(9000), ['engine.kernel="cpu/fmm order=4 criterion=error tolerance=0.1"', 'engine.precision="f64"']),
    "barnes-hut": (short_scene(20000), ['engine.kernel="cpu/barnes-hut order=2 theta=0.6"']),
    "all images": (short_scene(9000, "uniform-box"), ['engine.kernel="cpu/ewald"', *BOX]),
    "all images, f64": (short_scene(4500, "uniform-box"), ['engine.kernel="cpu/ewald"', *BOX, 'engine.precision="f64"']),
    "fmm, all images": (short_scene(9000, "uniform-box"), ['engine.kernel="cpu/fmm order=4 theta=0.6"', *BOX]),
}
# Of each way to the forces, of each kind of steps, and of too few bodies.
SOME = ["fewer bodies than ranks", "several blocks", "one-sided", "adaptive", "outputs between steps", "hermite4", "gauss-radau, adaptive", "periodic box, f64", "fmm", "barnes-hut, no softening", "all images"]
RANKS = chosen([1, 2, 3, 4, 7], [1, 2, 3], [3])
ASKED = chosen(SCENES, SOME, SCENES)
RESUMED = chosen(SCENES, ["several blocks", "adaptive", "outputs between steps", "fmm"], SCENES)


def main():
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder)
        print(f"{'scene':26} {'one process':12} " + " ".join(f"{r:>2} ranks    " for r in RANKS) + " stopped, resumed on others")
        for k, name in enumerate(ASKED):
            text, settings = SCENES[name]
            scene = base / "scene.toml"
            scene.write_text(text)
            alone = base / f"alone{k}"
            run(0, arguments(scene, alone, settings))
            expected, hashes = summary(alone)["state_hash"], []
            for ranks in RANKS:
                several = base / f"ranks{k}"
                run(ranks, arguments(scene, several, settings) + ["--overwrite"])
                hashes.append(summary(several)["state_hash"])
                need(hashes[-1] == expected, f"{name} on {ranks} ranks: {hashes[-1]}, not {expected}")
                need(outputs(several) == outputs(alone), f"{name} on {ranks} ranks: other table or snapshots")
                errors = several / "accuracy.txt"
                need(not errors.exists() or errors.read_bytes() == (alone / errors.name).read_bytes(), f"{name} on {ranks} ranks: other force errors")
            if name in RESUMED:
                hashes.append(stop_and_resume(scene, base / f"resumed{k}", settings))
                need(hashes[-1] == expected, f"{name}, resumed: {hashes[-1]}, not {expected}")
                need(outputs(base / f"resumed{k}") == outputs(alone), f"{name}, resumed: other table or snapshots")
            print(f"{name:26} {expected[:12]} " + " ".join(h[:12] for h in hashes), flush=True)


def stop_and_resume(scene, directory, settings):
    """Nothing but the first outputs on 3 ranks, half of the steps on one process, none on 2 ranks, the rest on 4."""
    run(3, arguments(scene, directory, [*settings, "limits.walltime_seconds=0.000001"]), expect=75)
    resume = ["run", "--resume", str(directory), "--quiet", "--set", "limits.walltime_seconds=0", "--set"]
    run(0, [*resume, "time.t_end=0.015625"])
    run(2, [*resume, "time.t_end=0.015625"])
    run(4, [*resume, "time.t_end=0.03125"])
    return summary(directory)["state_hash"]


main()
