"""HDF5 and what its readers share with the others: what the system lacks, and boxes of files."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
import resource
import struct

from harness import DONE, RESOURCE, row

ENDINGS = ("hdf5", "gadget1", "gadget2", "tipsy", "csv")


@row("E4-descriptors", "a file that cannot be read for want of descriptors ends with 4 in every reader, never with 3")
def descriptors(box):
    box.two()
    for ending in ENDINGS:
        box.pleiad("convert", "t.csv", f"in.{ending}", "--format", ending).must(DONE)
    lacked = {}
    for limit in (4, 5, 6, 8):
        def few(limit=limit):
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))

        for ending in ENDINGS:
            for command in (("info",), ("accuracy", "--eps", "0.1")):
                end = box.pleiad(command[0], f"in.{ending}", *command[1:], preexec_fn=few)
                assert end.code in (DONE, RESOURCE), f"limit {limit}\n{end}"
                if end.code == RESOURCE:
                    lacked[ending] = end.must_refuse(RESOURCE, f"in.{ending}", "Too many open files")
    assert "hdf5" in lacked, "no limit was too low for HDF5, which reads in a child: this row tries nothing"


def gadget1(path, box_size, h):
    """Two bodies of type 1 in GADGET-1's format."""
    count, none = (0, 2, 0, 0, 0, 0), (0,) * 6
    header = struct.pack("<6I6d2d2i6I2i4d", *count, *map(float, none), 0, 0, 0, 0, *count, 0, 1, box_size, 0, 0, h).ljust(256, b"\0")
    blocks = (header, struct.pack("<6f", -0.5, 0, 0, 0.5, 0, 0), struct.pack("<6f", 0, -0.7, 0, 0, 0.7, 0), struct.pack("<2I", 1, 2),
              struct.pack("<2f", 1, 1))
    path.write_bytes(b"".join(struct.pack("<I", len(b)) + b + struct.pack("<I", len(b)) for b in blocks))


@row("U6-box-of-the-file", "a periodic run takes the box that its file states, and no note says that it is not used")
def box_of_the_file(box):
    gadget1(box / "t.g1", 8.0, 0.5)
    usual = ("run", "t.g1", "--G", "1", "--eps", "0.1", "--dt", "0.125", "--t-end", "0.25", "--overwrite")
    unused, periodic = "BoxSize 8 is not used", ("--set", "gravity.boundary=periodic")
    box.pleiad("info", "t.g1").must(DONE, unused)
    box.pleiad(*usual).must(DONE, unused)
    end = box.pleiad(*usual, *periodic).must(DONE)
    assert "is not used" not in end.err + end.out, end
    assert "box = [16.0, 16.0, 16.0]" in (box / "output/config.toml").read_text(), "lengths are over h"
    end = box.pleiad(*usual, *periodic, "--set", "gravity.box=[20]").must(DONE, "gravity.box = [20] is used; the file's box is 16 16 16")
    assert "is not used" not in end.err + end.out, end
    box.pleiad(*usual, *periodic, "--set", "units.system=cluster", "--dry-run").must(DONE)
    gadget1(box / "t.g1", 0.0, 0.5)
    box.pleiad(*usual, *periodic).must(2, "needs gravity.box")
