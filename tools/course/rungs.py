"""The sections of the course about kernels: each has the text of the file's header, the code that it adds, and its measurements."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import difflib
import glob
import os
import re
import sys

from results import SOURCE, best, figures, how_it_fills, measurements, steps_of

# Paragraphs of a header.
LABELS = ("Before:", "Limit now:", "Question:", "Where it loses:")
LABEL = re.compile(r"\s(?=Before: |Cost (?:per|as)\b|Cost: |Measured on an H200|Where it loses: |Limit now: |Question: )")

# The heart of a rung that is not its own kernel: a block in a file of its folder that begins at the last line with this text.
HEARTS = {
    "cpu/scalar": ("01_scalar.cpp", "for (std::size_t i = 0;"),
    "cpu/blocked": ("02_blocked.cpp", "void pull_all("),
    "cpu/simd": ("03_simd.cpp", "for (std::ptrdiff_t j = 0; j < sources.count"),
    "cpu/threads": ("04_threads.cpp", "void run("),
    "cpu/symmetric": ("05_symmetric.cpp", "HWY_INLINE void meet("),
    "cpu/ewald": ("06_ewald.cpp", "for (std::ptrdiff_t j = 0; j < sources.count"),
    "cuda/managed": ("18_managed.cu", "void run("),
    "cuda/symmetric-atomics": ("symmetric.hpp", "for (int c = 0; c < 32; ++c)"),
    "cuda/symmetric-fixed-point": ("pair_sums.hpp", "__device__ void add(std::size_t body, float x"),
    "cuda/scaled-source": ("scaled_source.hpp", "struct ScaledSource"),
    "cuda/equal-mass": ("scaled_source.hpp", "struct EqualMass"),
    "cuda/fp64-cube": ("inverse_cube.hpp", "double inverse_cube("),
    "cuda/fp64-symmetric": ("symmetric_f64.hpp", "struct Forces64"),
    "cuda/mixed-symmetric": ("near_tiles.hpp", "Mass<float> relative("),
}

# Rungs whose lesson is what they change in a certain earlier one, however near another one is.
AFTER = {"cuda/unroll-by-hand-whole": "cuda/unroll-by-hand"}

# For tests/docs/run_snippets.py.
COMPILED = "<!-- not run: taken from the file, which is compiled -->"


def paragraphs_of(lines):
    header = []
    for line in lines:
        if not line.startswith("///"):
            break
        header.append(line[3:].strip())
    return [" ".join(p.split()) for p in LABEL.split(" ".join(header)) if p.strip()]


def rungs(folder, ending, noun="direct"):
    """(name, path, paragraphs of the header, text) of every rung, in learning order."""
    found = []
    folders = [os.path.join("src", folder, noun)] + ([os.path.join("bench", "published", noun)] if folder == "cuda" else [])
    files = [path for each in folders for path in glob.glob(os.path.join(SOURCE, each, "[0-9][0-9]_*" + ending))]
    for path in sorted(files, key=os.path.basename):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        stem = re.sub(r"^\d+_|\.\w+$", "", os.path.basename(path))
        found.append((folder + "/" + stem.replace("_", "-"), path, paragraphs_of(text.splitlines()), text))
    return found


def number_of(path):
    """Number of a rung: that of its file, which begins anew on each device. `pleiad bench --list` prints the same."""
    return int(os.path.basename(path)[:2])


def heading(name, path):
    kind = "Step kernel" if os.path.basename(os.path.dirname(path)) == "steps" else {"cpu": "CPU rung", "cuda": "GPU rung"}[name.split("/")[0]]
    return f"{kind} {number_of(path)}: {name}"


def with_title(paragraph):
    for label in LABELS:
        if paragraph.startswith(label):
            rest = paragraph[len(label):].strip()
            # A symbol of a formula is not a word: m_i stays m_i.
            first = rest[0] if re.match(r"\w*[_0-9]", rest) else rest[0].upper()
            return f"**{label[:-1]}.** {first}{rest[1:]}"
    return re.sub(r"^(Cost[^:.]*|Measured on an H200)([:.]?)", r"**\1**\2", paragraph, count=1)


def in_pieces(text, most=520):
    """A long paragraph as several of whole sentences, for readers of a page: a header has the text of a label in one piece."""
    pieces = [""]
    for sentence in re.split(r"(?<=[.)]) (?=[A-Z])", text):
        if pieces[-1] and len(pieces[-1]) + len(sentence) > most:
            pieces.append("")
        pieces[-1] += (" " if pieces[-1] else "") + sentence
    return "\n\n".join(pieces)


# Code ----------------------------------------------------------------------------------------------------------------------------------

def block_at(text, start):
    """From the line at `start` to the brace that closes its first one."""
    begin = text.rindex("\n", 0, start) + 1
    depth, at = 0, text.index("{", start)
    while True:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
        if depth == 0:
            return text[begin:at] + text[at:text.index("\n", at)]


def without_indent(text):
    lines = text.rstrip().splitlines()
    indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip() and not line.startswith("#"))
    return "\n".join(line if line.startswith("#") else line[indent:] for line in lines)


def own_code(name, text):
    """(for the device, for the host): what is in the rung's unnamed namespace before its launch shapes, with its names made the same for
    all rungs."""
    stem = name.split("/")[1].replace("-", "_")
    start = text.index("namespace {\n") + len("namespace {\n")
    body = text[start:re.compile("constexpr std::array shapes|}  // namespace\n").search(text, start).start()]
    body = re.sub(rf"(?<![:\w/]){stem}(?=[<(])", "kernel", body.replace(f'"{name}"', '"..."'))
    if "__global__" not in body:  # it is in the header that the rung includes
        header = re.search(r'#include "(bench/published/direct/(\w+)\.hpp)"', text)
        if not header:
            return "", body
        with open(os.path.join(SOURCE, header[1]), encoding="utf-8") as source:
            shared = source.read()
        kernel = "template <class P, class Pull>\n" + block_at(shared, shared.index("__global__")).replace(f" {header[2]}(", " kernel(")
        own = re.search(r"(template <class P>\n)?void run\(", body).start()
        return body[:own] + kernel, body[own:]
    device = body[:body.rindex(last := block_at(body, body.rindex("__global__"))) + len(last)]
    return device, body[len(device):]


def statements(code):
    """(normal form, lines) of every statement: what a different name does to line breaks is no difference."""
    found, lines = [], []
    for line in code.splitlines():
        if not line.strip():
            continue
        lines.append(line)
        if re.search(r"[;{}]$|^\s*(#|//|template)", line):
            found.append((" ".join(" ".join(lines).split()), lines))
            lines = []
    return found + ([(" ".join(" ".join(lines).split()), lines)] if lines else [])


def difference(old, new):
    """The statements of `new` that `old` has not (+) and the other way round (-)."""
    a, b = statements(old), statements(new)
    lines = []
    for tag, a0, a1, b0, b1 in difflib.SequenceMatcher(None, [s for s, _ in a], [s for s, _ in b], autojunk=False).get_opcodes():
        if tag != "equal":
            lines += ["- " + line for _, own in a[a0:a1] for line in own] + ["+ " + line for _, own in b[b0:b1] for line in own]
            lines.append("")
    return lines[:-1]


def code_of(name, path, text, earlier):
    """What a reader should look at first: the rung's heart where it is named, else what it changes in the nearest earlier rung."""
    if name in HEARTS:
        file, marker = HEARTS[name]
        with open(os.path.join(os.path.dirname(path), file), encoding="utf-8") as source:
            where = source.read()
        if marker not in where:
            sys.exit(f"tools/rungs.py: {file} has no '{marker}', which HEARTS names as the heart of {name}")
        block = without_indent(block_at(where, where.rindex(marker)))
        return f"From `{file}`:\n\n{COMPILED}\n```cpp\n{block}\n```\n"
    device, host = own_code(name, text)
    near = min(((len(difference(old[0], device)), k) for k, (other, old) in enumerate(earlier) if AFTER.get(name, other) == other), default=(1000, 0))
    if near[0] >= len(device.splitlines()):
        return f"{COMPILED}\n```cpp\n{block_at(text, text.index('__global__'))}\n```\n"
    other, old = earlier[near[1]]
    changed = difference(old[0], device) or difference(old[1], host)
    return f"What it changes in {other}:\n\n```diff\n" + "\n".join(changed) + "\n```\n"


# Sections ------------------------------------------------------------------------------------------------------------------------------

def titled(paragraphs, *labels):
    """The paragraphs that begin with one of these labels."""
    return [with_title(p) + "\n" for p in paragraphs if p.startswith(labels)]


def head(name, path):
    where = os.path.relpath(path, SOURCE)
    return f"## {heading(name, path)}\n\n[`{where}`](../../{where})\n"


def sections(folder, ending):
    """{number: section} of the rungs of direct summation: text, code, measurements."""
    devices, earlier, found = measurements(), [], {}
    for name, path, (idea, *paragraphs), text in rungs(folder, ending):
        parts = [head(name, path), in_pieces(idea) + "\n", *titled(paragraphs, "Before:")]
        if name in HEARTS or folder == "cuda":
            parts.append(code_of(name, path, text, earlier))
        if name not in HEARTS:
            earlier.append((name, own_code(name, text) if folder == "cuda" else text))
        parts += [in_pieces(with_title(p)) + "\n" for p in paragraphs if not p.startswith(("Before:", "Question:"))]
        for device in sorted(devices):
            if table := figures(name, best(devices[device])):
                threads = sorted({row.get("threads") or 0 for row in devices[device] if row["kernel"] == name})
                note = f", best of {', '.join(map(str, threads))} threads" if folder == "cpu" and len(threads) > 1 else ""
                shape = " in the best launch shape" if folder == "cuda" else ""
                parts += [f"{device}{note}, G/s{shape}:\n\n" + "\n".join(table) + "\n", how_it_fills(devices[device], name)]
        parts += titled(paragraphs, "Question:")
        found[number_of(path)] = "\n".join(p for p in parts if p)
    return found


def steps_sections():
    """{number: section} of the kernels of fused steps: text and measurements."""
    devices, found = measurements(of_steps=True), {}
    for name, path, paragraphs, _ in rungs("cuda", ".cu", "steps"):
        parts = [head(name, path), *(in_pieces(with_title(p)) + "\n" for p in paragraphs)]
        for device in sorted(devices):
            if table := steps_of(name, devices[device]):
                parts.append(f"{device}:\n\n" + "\n".join(table) + "\n")
        found[number_of(path)] = "\n".join(parts)
    return found
