"""Ranks with a GPU each: hash, table and snapshots are those of one process on one GPU, direct sums and trees; resumed on other numbers.

On the emulated GPU bodies and sums go through the host in some runs and, in others, by a library with the calls of NCCL. On real ones they go by NCCL where each
rank has a GPU of its own.
"""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import contextlib
import os
import pathlib
import tempfile

from program import arguments, chosen, need, outputs, run, short_scene, summary

DIRECT = 'engine.kernel="cuda/split-reduced"'
SCENES = {
    "one body": ("plummer", 1, [DIRECT]),
    "fewer bodies than ranks": ("plummer", 3, [DIRECT]),
    "direct, mixed": ("plummer", 9000, [DIRECT]),
    "direct, f32, yoshida6": ("plummer", 5000, [DIRECT, 'engine.precision="f32"', 'time.integrator="yoshida6"']),
    "direct, f64, periodic box": ("uniform-box", 4500, [DIRECT, 'engine.precision="f64"']),
    "direct, adaptive": ("plummer", 5000, [DIRECT, "time.adaptive=true"]),
    "fmm": ("plummer", 5000, ['engine.kernel="cuda/fmm order=4 theta=0.6"']),
    "fmm, f32": ("plummer", 5000, ['engine.kernel="cuda/fmm order=4 theta=0.6"', 'engine.precision="f32"']),
    # Each rank has several blocks of the sums over all bodies, and too many bodies for radii on the host.
    "fmm, several blocks": ("plummer", 18000, ['engine.kernel="cuda/fmm order=4 theta=0.6"']),
    "barnes-hut": ("plummer", 5000, ['engine.kernel="cuda/barnes-hut order=2 theta=0.6"']),
}
# Each GPU has its own bodies, and what they need of others.
DIVIDE = ['engine.distribute_tree="yes"']
BY_ERROR = 'engine.kernel="cuda/fmm order=5 criterion=error tolerance=0.5 leaf=40"'
DIVIDED = {
    "divided: one leaf": ("plummer", 30, [BY_ERROR]),
    "divided: error": ("plummer", 5000, [BY_ERROR]),
    "divided: error, f32": ("hernquist", 9000, [BY_ERROR, 'engine.precision="f32"', "gravity.softening=0.001"]),
    "divided: crowds, adaptive": ("king", 4500, ['engine.kernel="cuda/fmm order=6 theta=0.7 leaf=16"', "time.adaptive=true"]),
}
RUNS = chosen(SCENES | DIVIDED, ["fewer bodies than ranks", "direct, adaptive", "fmm", "divided: error"],
              ["fewer bodies than ranks", "direct, adaptive", "fmm", "barnes-hut", *DIVIDED])
NCCL = os.environ.get("PLEIAD_HOST_NCCL")
# Of the bodies of each scene: a quarter in `make test`.
SHARE = chosen(1, 4, 1)


@contextlib.contextmanager
def way(by_nccl):
    """How bodies and sums go on the emulated GPU: by NCCL or through the host; on real ones as they can."""
    if by_nccl and NCCL:
        os.environ["PLEIAD_EMULATED_NCCL"] = NCCL
    yield "by NCCL" if by_nccl and NCCL else "through the host" if NCCL else ""
    os.environ.pop("PLEIAD_EMULATED_NCCL", None)


def find_a_solver(base):
    """The search that ranks make together: one process, with the same cache, finds the same tree, errors and states."""
    os.environ["XDG_CACHE_HOME"] = str(base / "cache")
    scene = base / "accurate.toml"
    scene.write_text(short_scene(chosen(4000, 2100, 4000)) + "[solver]\naccuracy = 1e-3\nmethod = \"fmm\"\ncheck_every = 2\n")
    found = {}
    for ranks in [2, 0]:
        directory = base / f"accurate{ranks}"
        run(ranks, arguments(scene, directory, ['engine.backend="cuda"', "engine.gpus=1"]), seconds=600)
        done = summary(directory)
        found[ranks] = [done["kernel"], done["state_hash"], done["force_error"], outputs(directory), (directory / "accuracy.txt").read_bytes()]
        need(done["kernel"].startswith("cuda/fmm") and done["force_error"]["p99_high"] <= 1e-3, f"{done}")
        need(found[ranks] == found[2], f"{ranks} ranks: {done['kernel']}, {done['force_error']}, {done['state_hash']}")
    print(f"{'accuracy 1e-3':26} {found[0][1][:12]} {found[0][2]['p99']:.2e} {found[0][0]}", flush=True)
    # With a divided tree: what the cache has, with its bits, and a search among all solvers.
    found_and_searched = [(3, "cache", []), (2, "empty", ['solver.method="auto"'])]
    for ranks, cache, more in chosen(found_and_searched, found_and_searched[:1], found_and_searched):
        os.environ["XDG_CACHE_HOME"] = str(base / cache)
        directory = base / f"accurate_divided{ranks}"
        run(ranks, arguments(scene, directory, [*DIVIDE, *more]), seconds=600)
        done = summary(directory)
        need("the tree is divided" in done["ranks"]["exchange"], f"{done['ranks']}")
        need(done["kernel"].startswith("cuda/fmm") and done["force_error"]["p99_high"] <= 1e-3, f"{done}")
        need(more or [done["kernel"], done["state_hash"]] == found[0][:2], f"{done['kernel']}, {done['state_hash']}, not {found[0][:2]}")
        print(f"{'accuracy 1e-3, divided':26} {done['state_hash'][:12]} {done['force_error']['p99']:.2e} {done['kernel']}", flush=True)
    refused = run(2, arguments(scene, base / "refused", [*DIVIDE, 'solver.method="barnes-hut"']), expect=2)
    need("must be divided among the GPUs" in refused.stderr, refused.stderr)


def main():
    ways = set()
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder)
        for k, name in enumerate(RUNS):
            model, n, settings = (SCENES | DIVIDED)[name]
            divide = DIVIDE if name in DIVIDED else []
            scene = base / "scene.toml"
            scene.write_text(short_scene(-(-n // SHARE), model))
            alone = base / f"alone{k}"
            run(0, arguments(scene, alone, settings))
            expected, hashes = summary(alone)["state_hash"], []
            files = outputs(alone)
            for ranks in chosen([2, 3], [2, 3], [3]):
                several = base / f"ranks{k}"
                with way(by_nccl=ranks == 3) as how:
                    run(ranks, arguments(scene, several, settings + divide) + ["--overwrite"])
                done, where = summary(several), f"{name} on {ranks} ranks {how}"
                hashes.append(done["state_hash"])
                need(done["state_hash"] == expected, f"{where}: {done['state_hash']}, not {expected}")
                need(how in done["ranks"]["exchange"], f"{where}: {done['ranks']}")
                ways.add(done["ranks"]["exchange"])
                need(n < 8192 or done["ranks"]["bytes_sent"] > 0, f"{where}: {done['ranks']}")
                for file, content in outputs(several).items():
                    need(content == files[file], f"{where}: another {file}")
                need(bool(divide) == ("the tree is divided" in done["ranks"]["exchange"]), f"{where}: {done['ranks']}")
            # The other way each.
            resumed = base / f"resumed{k}"
            with way(by_nccl=False):
                run(3, arguments(scene, resumed, [*settings, *divide, "time.t_end=0.015625"]))
            with way(by_nccl=True):
                run(2, ["run", "--resume", str(resumed), "--quiet", "--set", "time.t_end=0.03125"])
            need(summary(resumed)["state_hash"] == expected, f"{name}, resumed on 2 ranks: {summary(resumed)['state_hash']}, not {expected}")
            print(f"{name:26} {expected[:12]} " + " ".join(h[:12] for h in hashes), flush=True)
        find_a_solver(base)
        if NCCL:
            # A rank that cannot join, or does not come back: all go through the host.
            for trouble, why in [("refused", "NCCL: invalid argument"), ("late", "NCCL has not answered for 2 s")]:
                os.environ["PLEIAD_EMULATED_NCCL_TROUBLE"] = trouble
                with way(by_nccl=True):
                    run(3, arguments(scene, base / trouble, settings))
                done = summary(base / trouble)
                need(done["ranks"]["exchange"] == f"through the host: {why}" and done["state_hash"] == expected, done)
        print("positions and sums went " + ", and ".join(sorted(ways)))
        refused = run(2, arguments(scene, base / "refused", [DIRECT, *DIVIDE]), expect=2)
        need("distribute_tree = yes is for cuda/fmm" in refused.stderr, refused.stderr)
        for ranks, others, why in [(0, [], "and this is one process"), (2, ['engine.backend="cpu"'], "a run on CPUs"), (2, ['engine.backend="cuda"'], "not for 'cuda/split-reduced")]:
            refused = run(ranks, arguments(scene, base / "refused", [*others, *DIVIDE]), expect=2)
            need(why in refused.stderr, refused.stderr)
        refused = run(2, arguments(scene, base / "refused", ['engine.kernel="cuda/split-atomics"']), expect=2)
        need("use cuda/split-reduced" in refused.stderr, refused.stderr)


main()
