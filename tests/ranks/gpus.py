"""Ranks with a GPU each: hash and snapshots are those of one process on one GPU, direct sums and trees; resumed on other numbers.

The table's sums over all bodies are rounded otherwise on a GPU than on the host, where ranks have their state: it is the same for all numbers of ranks, and
within rounding that of one process.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import pathlib
import tempfile

from program import arguments, need, outputs, run, short_scene, summary

DIRECT = 'engine.kernel="cuda/split-reduced"'
SCENES = {
    "one body": ("plummer", 1, [DIRECT]),
    "fewer bodies than ranks": ("plummer", 3, [DIRECT]),
    "direct, mixed": ("plummer", 9000, [DIRECT]),
    "direct, f32, yoshida6": ("plummer", 5000, [DIRECT, 'engine.precision="f32"', 'time.integrator="yoshida6"']),
    "direct, f64, periodic box": ("uniform-box", 4500, [DIRECT, 'engine.precision="f64"']),
    "fmm": ("plummer", 5000, ['engine.kernel="cuda/fmm order=4 theta=0.6"']),
    "fmm, f32": ("plummer", 5000, ['engine.kernel="cuda/fmm order=4 theta=0.6"', 'engine.precision="f32"']),
    "barnes-hut": ("plummer", 5000, ['engine.kernel="cuda/barnes-hut order=2 theta=0.6"']),
}
RANKS = [2, 3]


def table_of(files):
    """The numbers of the table, apart from the snapshots."""
    return [[float(word) for word in line.split()] for line in files.pop("diagnostics.txt").decode().splitlines() if not line.startswith("#")]


def near(a, b):
    """Within rounding of sums of numbers of order one; NaN is near nothing."""
    return len(a) == len(b) and all(len(x) == len(y) and all(abs(p - q) <= 1e-6 * abs(q) + 1e-6 for p, q in zip(x, y)) for x, y in zip(a, b))


def main():
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder)
        for k, (name, (model, n, settings)) in enumerate(SCENES.items()):
            scene = base / "scene.toml"
            scene.write_text(short_scene(n, model))
            alone = base / f"alone{k}"
            run(0, arguments(scene, alone, settings))
            expected, hashes, tables = summary(alone)["state_hash"], [], []
            snapshots = outputs(alone)
            table = table_of(snapshots)
            for ranks in RANKS:
                several = base / f"ranks{k}"
                run(ranks, arguments(scene, several, settings) + ["--overwrite"])
                hashes.append(summary(several)["state_hash"])
                need(hashes[-1] == expected, f"{name} on {ranks} ranks: {hashes[-1]}, not {expected}")
                files = outputs(several)
                tables.append(table_of(files))
                need(tables[-1] == tables[0] and near(tables[-1], table), f"{name} on {ranks} ranks: another table")
                need(files == snapshots, f"{name} on {ranks} ranks: other snapshots")
            resumed = base / f"resumed{k}"
            run(3, arguments(scene, resumed, [*settings, "time.t_end=0.015625"]))
            run(2, ["run", "--resume", str(resumed), "--quiet", "--set", "time.t_end=0.03125"])
            need(summary(resumed)["state_hash"] == expected, f"{name}, resumed on 2 ranks: {summary(resumed)['state_hash']}, not {expected}")
            print(f"{name:26} {expected[:12]} " + " ".join(h[:12] for h in hashes), flush=True)
        refused = run(2, arguments(scene, base / "refused", ['engine.kernel="cuda/mixed-symmetric"']), expect=2)
        need("use cuda/split-reduced" in refused.stderr, refused.stderr)


main()
