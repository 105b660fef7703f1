#!/usr/bin/env python3
"""Refuses words that the field's own have replaced. vocabulary_check.py SOURCE"""
import re
import subprocess
import sys

# (pattern, what is written instead, files): in tracked text files; the changelog and committed measurements keep what they had.
REPLACED = [
    (r"\b(Criterion|criterion_names)\b", "Mac, mac_names", r"^(src|include|apps|bench|tests)/"),
    (r"\b(Devices(Engine|Barrier|Tree)|devices_engine)\b", "MultiGpuEngine, DeviceBarrier", "."),
    (r"\bcuda/several\b|\bSeveral(Steps|Trees|Row)\b|\bseveral_steps\b", "multi_gpu", "."),
    (r"\b[Mm]eetings?\b", "device barrier (of blocks in a tournament: match)", r"^(src|include|tests|docs|tools)/"),
    (r"\b(Wish|Workshop|Standing|Life|Spent|Settling|SampledPulls|PullWalk)\b",
     "SolverRequest, TuningContext, MemberStatus, RunContext, Timings, Resolving, SampledAccelerations, AccelerationWalk", r"^(src|include|apps|bench|tests)/"),
    (r"\b(hard|soft)_(pulls|stride|from|bits|cell_pairs)\b|\badd_(hard|soft|inherited|near)\b|\binherited\b(?!-members)|\bnear bodies\b",
     "M2L, softened M2L, L2L, P2P", r"^(src|include|bench|docs)/"),
    (r"\b[Kk]ernels? (of|for) whole steps\b|\bwhole steps in one launch\b|\b(make|run)_whole_steps\b", "fused steps", "."),
    (r"(?<!into )\b[Aa]ccounts?\b(?!'s kernel)", "published benchmark, publication", r"^(src|include|apps|bench|tests|tools|docs)/|^[A-Z]+\.md$"),
    (r"\b(at|between) (a |each |every )?looks?\b|\b(looks_|looked_|look_at_accuracy|symmetric_looks)\b", "diagnostic, check", r"^(src|include|apps|bench|tests|docs)/"),
    (r"\b(Planter|planter_?|Sight|sight_?|bring_home|migrants|look_up)\b|\b(device_)?forest::|\b(make_(device_)?forest|device_forest)\b|src/forest",
     "DomainExchange, LocalEssentialTree, return_forces, domain", r"^(src|include|apps|bench|tests|docs|tools)/|^[A-Z]+\.md$"),
    (r"\b(Transport|transport_|(ranks::)?Together)\b|\branks/(transport|together)\b", "Communicator, comm, Collective", r"^(src|include|apps|bench|tests)/.*\.(hpp|cpp|cu)$"),
    (r"\b(sample|rounding|exact|ewald|bounds|scale|box|choose)_together\b", "collective_", r"^(src|bench)/"),
    (r"\b(StageOptions|Audience|Outlet|Visitor|Seat|Gate|Player|audience_|seats_|film_of)\b",
     "ViewServerOptions, ClientSessions, MessageSink, HttpRequest, ClientState, AccessControl, Playback, Timeline", r"^(src|apps|tests)/.*\.(hpp|cpp)$"),
    (r"\b(Keeper|keeper_|kept_by|keep_on|AccuracyWatch)\b", "Controller, set_controller, resume_control, AccuracyMonitor", r"^(src|include|apps|tests|python)/.*\.(hpp|cpp|cu)$"),
    (r"\b(DialSearch|Tried|last_dial_)\b|\bdial_of\b", "ParameterSearch, Measurement, accuracy_parameter", r"^(src|apps|bench|tests)/"),
    (r"\b[Cc]rowds?\b|\w+_crowds\b", "dense region", r"^(src|include|bench)/"),
    (r"\b(Trouble|trouble_of|trouble_in)\b", "ErrorClass, error_class_of", r"^(src|apps|tests)/"),
    (r"\b([Ff]oresee|way_on|good_step_)\b", "estimate, resume_hint, last_checkpoint_step_", r"^(src|apps|tests)/.*\.(hpp|cpp)$"),
    (r"\b(Shine|shine_of|begin_layers|splat::Layers)\b", "Luminosities, ImagePlanes", r"^(src|include|apps|tests)/"),
    (r"\bsums fresh\b|\b(steps_|s)\.fresh\b", "forces_current", r"^(src|include|tests)/"),
    (r"(//|#|\"\"\").*\b[Ss]o many\b", "n, or the name of the parameter", r"^(src|include|apps|python)/"),
    (r"\b[Ww]hoever\b", "the caller, the thread, the client", r"^(src|include|apps|python)/"),
    (r"^\s*/// Of ", "a comment that begins with its noun", r"^(src|include|apps)/"),
    (r"\bone's own\b|\b(what|that|bodies that) cannot be\b(?=[,.;)])|\b[Ww]hoever\b", "your own; an invalid value; the caller",
     r"^(docs|python|problems)/|^README\.md$"),
    (r"^\s+(Of|As) [a-z][^.]*\.$", "a docstring that begins with its noun or verb", r"^python/pleiad/[a-z]\w*\.py$"),
]
SKIPPED = re.compile(r"^(CHANGELOG\.md|bench/results/|tests/fuzz/corpus/)|vocabulary_check\.py$|\.(png|hdf5|svg|bin)$")


def main():
    source = sys.argv[1]
    listed = subprocess.run(["git", "-C", source, "ls-files", "-z"], capture_output=True, text=True, check=True).stdout
    found = 0
    for name in listed.split("\0"):
        if not name or SKIPPED.search(name):
            continue
        try:
            with open(f"{source}/{name}", encoding="utf-8") as file:
                lines = file.read().splitlines()
        except (OSError, UnicodeDecodeError):
            continue
        for pattern, instead, where in REPLACED:
            if not re.search(where, name):
                continue
            for number, line in enumerate(lines, 1):
                if match := re.search(pattern, line):
                    found += 1
                    print(f"{name}:{number}: '{match.group()}' is now {instead}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
