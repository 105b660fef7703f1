"""Convergence: orders of integrators, the growth of a shift, and the plot."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import math

import numpy as np
import pleiad
import pytest


@pytest.mark.parametrize(("integrator", "order", "dt"), [("kdk", 2, 0.005), ("blanes-moan4", 4, 0.02)])
def test_energies_and_states_show_the_order(integrator: str, order: int, dt: float) -> None:
    found = pleiad.converge("figure-eight", 12, dt=dt, integrator=integrator, precision="f64")
    # Errors of the next order are some percent of these.
    assert found.runs["energy_order"][0] == pytest.approx(order, abs=0.1)
    assert found.runs["distance_order"][0] == pytest.approx(order, abs=0.1)
    assert math.isnan(found.runs["distance"][2]) and found.runs["steps"][2] == 4 * found.runs["steps"][0]
    assert found.findings[0].startswith("regular: a shift of the positions grows")
    assert found.findings[-1].endswith("until the end, t = 12")


def test_the_planet_that_is_wrong_first_is_named() -> None:
    """dE/E of 1e-6 or so hides that Mercury, with a millionth of the energy, is far off: `pleiad converge` says the same."""
    found = pleiad.converge("solar-system", 8, dt=0.02, levels=2, precision="f64")
    assert found.findings[-2].startswith("with dt = 0.02, positions are right to 0.01 of their distances from the heaviest body until t = ")
    assert found.findings[-2].endswith(": body 1 is wrong first")
    early = pleiad.converge("solar-system", 0.2, dt=0.02, levels=2, precision="f64")
    assert early.findings[-2].endswith("at the end: body 1 is the farthest off")


def test_a_cluster_is_chaotic() -> None:
    found = pleiad.converge("plummer", 12, dt=0.01, levels=2, eps=0.02, parameters={"n": 40}, precision="f64")
    assert found.findings[0].startswith("chaotic: a shift of the positions grows by e every")
    assert "whatever the step" in found.findings[1]
    assert float(found.about["compared_at"]) < 12
    assert (np.diff(found["time"]) > 0).all() and found["time"][-1] == 12


def test_it_is_drawn() -> None:
    plt = pytest.importorskip("matplotlib.pyplot")
    found = pleiad.converge("figure-eight", 1, dt=0.02)
    energies, states = found.plot()
    assert energies.get_ylabel() == "|ΔE / E|" and len(energies.lines) == 3 and len(states.lines) == 3
    plt.close("all")


def test_what_cannot_be_compared_is_refused() -> None:
    for arguments, words in (({"levels": 1}, "at least 2"), ({"adaptive": True}, "leave out adaptive"), ({"position_error": 1e-3}, "leave out position_error")):
        with pytest.raises(pleiad.UsageError, match=words):
            pleiad.converge("figure-eight", 1, dt=0.01, **arguments)
    with pytest.raises(pleiad.UsageError, match="after the start"):
        pleiad.converge("figure-eight", 0, dt=0.01)
