"""Runs: their end, their directory, their checkpoints."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from harness import DONE, row


@row("1", "a run of decimal steps ends at its end")
def ends(box):
    for dt, t_end in (("0.3", "0.9"), ("0.03", "0.9"), ("0.7", "2.1"), ("0.06", "0.66"), ("1e-6", "1e-5")):
        box.run("--dt", dt, "--t-end", t_end, "--output", f"{dt}-{t_end}", "--set", "limits.max_energy_error=0",
                timeout=20).must(DONE)
        summary = box.summary(f"{dt}-{t_end}")
        assert summary["time"] == float(t_end), summary["time"]
        assert summary["step"] == round(float(t_end) / float(dt)), summary["step"]
