"""Ensembles: many small systems, each as if it were alone."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pleiad


def clusters(count: int = 4, n: int = 12) -> list[pleiad.Snapshot]:
    return [pleiad.models.plummer(n, seed=k) for k in range(1, count + 1)]


def test_a_member_has_the_bits_of_a_simulation_of_it_alone() -> None:
    members = clusters()
    together = pleiad.Ensemble(members, eps=0.05, dt=1 / 64, precision="f64", backend="cpu")
    together.run(0.5)
    for start, end in zip(members, together, strict=True):
        alone = pleiad.Simulation(start, eps=0.05, dt=1 / 64, precision="f64", backend="cpu")
        alone.run(0.5)
        assert alone.snapshot().state_hash == end.state_hash


def test_members_have_the_usual_eta_of_their_integrator_and_groups() -> None:
    members = [pleiad.models.cluster(6, seed=k, half_mass_radius=0.01, binaries=0.5) for k in (1, 2)]
    block = {"integrator": "hermite4-block", "dt": 1 / 1024, "precision": "f64", "backend": "cpu"}
    for settings in ({}, {"groups": "regularised"}, {"groups": "regularised", "group_radius": 1e-4, "slow_down": False}):
        together = pleiad.Ensemble(members, **block, **settings)
        together.run(2 / 1024)
        for start, end in zip(members, together, strict=True):
            alone = pleiad.Simulation(start, eps=0, **block, **settings)
            alone.run(2 / 1024)
            assert alone.snapshot().state_hash == end.state_hash
    stated = pleiad.Ensemble(members, eta=0.02, **block)
    stated.run(2 / 1024)
    usual = pleiad.Ensemble(members, **block)
    usual.run(2 / 1024)
    assert stated[0].state_hash != usual[0].state_hash
    with pytest.raises(pleiad.UsageError, match="groups must be one of off, regularised"):
        pleiad.Ensemble(members, groups="close", **block)


def test_planetary_systems_have_correctors() -> None:
    members = [pleiad.models.solar_system(epoch=1500 * k) for k in range(3)]
    orders = [0, 3, 11]
    together = pleiad.Ensemble(
        members, dt=1 / 16, integrator="wisdom-holman-jacobi", corrector=orders, backend="cpu"
    )
    together.run(4)
    for start, order, end in zip(members, orders, together, strict=True):
        alone = pleiad.Simulation(
            start, eps=0, dt=1 / 16, integrator="wisdom-holman-jacobi", corrector=order, backend="cpu"
        )
        alone.run(4)
        assert alone.snapshot().state_hash == end.state_hash
    with pytest.raises(pleiad.UsageError, match="corrector = 4"):
        pleiad.Ensemble(members, dt=1 / 16, integrator="wisdom-holman", corrector=4, backend="cpu")


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(1, 4))
def test_neither_the_others_nor_threads_change_a_bit(sizes: list[int], threads: int) -> None:
    members = [pleiad.models.plummer(n, seed=k) for k, n in enumerate(sizes)]
    together = pleiad.Ensemble(members, eps=0.1, dt=0.125, threads=threads, backend="cpu")
    together.run(0.5)
    alone = pleiad.Ensemble(members[-1:], eps=0.1, dt=0.125, threads=1, backend="cpu")
    alone.run(0.5)
    assert together[-1] == alone[0]


def test_members_may_differ_in_everything() -> None:
    members = [pleiad.models.two_body(e=0.0), pleiad.models.figure_eight(), pleiad.models.plummer(20)]
    together = pleiad.Ensemble(
        members,
        eps=[0, 0, 0.1],
        dt=[0.01, 0.005, 0.02],
        integrator=["kdk", "forest-ruth", "kdk"],
        precision="f64",
    )
    together.run(0.2)
    assert together.times.tolist() == [0.2] * 3
    assert together.steps.tolist() == [20, 40, 10]
    assert [len(member) for member in together] == [2, 3, 20]
    with pytest.raises(pleiad.UsageError, match=r"ensemble\[k\].positions"):
        together.positions  # noqa: B018


def test_a_damped_member_comes_to_rest() -> None:
    far = pleiad.Snapshot([[0.0, 0, 0], [1e6, 0, 0]], [[1.0, 0, 0], [0, 0, 0]])
    damped = pleiad.Ensemble([far, far], dt=0.5, integrator="euler", damping=[1, 0.5], precision="f64")
    damped.run(2.0)
    # Four steps, each with half the speed of the last; the pull of the other is 1e-12.
    assert np.allclose(damped.velocities[:, 0, 0], [1, 1 / 16], atol=1e-11)


def test_columns_of_all_members() -> None:
    together = pleiad.Ensemble(clusters(3, 5), eps=0.1, dt=0.125)
    assert together.positions.shape == (3, 5, 3) and together.velocities.shape == (3, 5, 3)
    assert np.array_equal(together.positions[1], together[1].positions)
    told = together.diagnostics()
    assert len(told) == 3 and told["status"].tolist() == ["ok"] * 3
    assert np.array_equal(told["energy"], told["kinetic"] + told["potential"])
    assert told["energy_error"].tolist() == [0, 0, 0]
    for k in range(3):
        # The same sums in another order: n^2 roundings of the energy's size.
        expected = together[k].diagnostics(eps=0.1)
        assert told["energy"][k] == pytest.approx(expected["energy"], rel=25 * 2.3e-16 * 10)
        assert [told[axis][k] for axis in ("lx", "ly", "lz")] == pytest.approx(
            expected["angular_momentum"].tolist()
        )
    assert "device" in together.describe() and "3 ok" in repr(together)
    assert "half_mass_radius" in together._repr_html_()


def test_energy_is_kept_to_the_order_of_the_integrator() -> None:
    # Leapfrog: halving the step of smooth orbits divides the worst error by four, to terms of the next order.
    errors = []
    for steps in (256, 512):
        orbit = pleiad.Ensemble([pleiad.models.two_body(e=0.3)], dt=2 * np.pi / steps, precision="f64")
        worst = 0.0
        for k in range(1, 5):
            orbit.run(2 * np.pi / steps * steps * k / 8)
            worst = max(worst, abs(orbit.diagnostics()["energy_error"][0]))
        errors.append(worst)
    assert 3.8 < errors[0] / errors[1] < 4.2


def test_energy_errors_of_a_parabola_are_relative_to_its_parts() -> None:
    pair = pleiad.Snapshot([[-1, 0, 0], [1, 0, 0]], [[0, -np.sqrt(0.5), 0], [0, np.sqrt(0.5), 0]], [1, 1])  # T = 1/2 = -W
    together = pleiad.Ensemble([pair, pair], eps=0, dt=1 / 64, precision="f64")
    alone = pleiad.Simulation(pair, eps=0, dt=1 / 64, precision="f64")
    together.run(1)
    table, d = together.diagnostics(), alone.run(1).diagnostics
    assert abs(table["energy_error"] - (table["energy"] - 0)).max() < 1e-15  # T + |W| = 1 at the start
    assert 0 < abs(d.energy_error) < 1e-3 and abs(d.energy_error - table["energy_error"][0]) < 1e-15


def test_those_that_fail_rest_and_the_others_go_on() -> None:
    together = pleiad.Ensemble(clusters(3), eps=0.1, dt=0.125)
    together.retire(1, "energy limit")
    together.run(0.5)
    assert together.status.tolist() == ["ok", "energy limit", "ok"]
    assert together.times.tolist() == [0.5, 0, 0.5]
    together.retire(together.times > 0)
    assert together.status.tolist() == ["escaped", "energy limit", "escaped"]
    with pytest.raises(pleiad.UsageError, match="tired"):
        together.retire(0, "tired")
    with pytest.raises(IndexError):
        together.retire(3)


def test_steps_can_be_limited() -> None:
    together = pleiad.Ensemble(clusters(2), eps=0.1, dt=[0.125, 0.0625])
    together.limit_steps(5)
    together.run(0.5)
    assert together.status.tolist() == ["ok", "step limit"]
    assert together.steps.tolist() == [4, 5]


def test_a_body_that_flies_away_is_an_escaper() -> None:
    trio = pleiad.Snapshot(
        [[-0.5, 0, 0], [0.5, 0, 0], [100.0, 0, 0]],
        [[0, -0.5, 0], [0, 0.5, 0], [5.0, 0, 0]],
        [0.5, 0.5, 0.001],
        ids=[3, 4, 9],
    )
    told = pleiad.Ensemble([trio], dt=0.01).diagnostics()
    assert told["escapers"][0] == 1 and told["escaper"][0] == 9
    assert told["closest"][0] == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "needs dt"),
        ({"dt": 0}, "dt"),
        ({"dt": [0.1, 0.1, 0.1]}, "one for each of the 2 members"),
        ({"dt": 0.1, "eps": -1}, "softening|eps"),
        ({"dt": 0.1, "integrator": "kdkk"}, "did you mean 'kdk'"),
        ({"dt": 0.1, "precision": "f46"}, "f64"),
        ({"dt": 0.1, "backend": "gpu"}, "backend"),
        ({"dt": 0.1, "threads": -1}, "threads"),
        ({"dt": 0.1, "damping": 0.5}, "damping"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(pleiad.UsageError, match=sentence):
        pleiad.Ensemble(clusters(2), **options)


def test_bodies_that_cannot_be_are_refused() -> None:
    bad = pleiad.models.plummer(5)
    bad.positions[2, 1] = np.nan
    with pytest.raises(pleiad.InputError, match="nan|finite"):
        pleiad.Ensemble([pleiad.models.plummer(5), bad], eps=0.1, dt=0.1)


def test_time_is_met_exactly_or_refused() -> None:
    together = pleiad.Ensemble(clusters(1), eps=0.1, dt=0.3)
    with pytest.raises(pleiad.UsageError, match="whole"):
        together.run(1.0)
    together.run(0.9)
    with pytest.raises(pleiad.UsageError):
        together.run(0.3)


def test_none_is_an_ensemble() -> None:
    none = pleiad.Ensemble([], dt=0.1)
    none.run(1.0)
    assert len(none) == 0 and len(none.diagnostics()) == 0 and none.positions.shape == (0, 0, 3)


def test_two_may_run_at_once() -> None:
    pair = [pleiad.Ensemble(clusters(8), eps=0.1, dt=1 / 128) for _ in range(2)]
    threads = [threading.Thread(target=ensemble.run, args=(1.0,)) for ensemble in pair]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [member.state_hash for member in pair[0]] == [member.state_hash for member in pair[1]]


def test_ctrl_c_leaves_a_state_from_which_it_goes_on() -> None:
    def made() -> pleiad.Ensemble:
        return pleiad.Ensemble(clusters(60, 24), eps=0.1, dt=2.0**-12, threads=2, backend="cpu")

    stopped, whole = made(), made()
    # By the time of this process's own work, so that it is under way however busy the machine is.
    before = signal.signal(signal.SIGPROF, lambda *_: os.kill(os.getpid(), signal.SIGINT))
    signal.setitimer(signal.ITIMER_PROF, 0.15)
    try:
        with pytest.raises(KeyboardInterrupt):
            stopped.run(1000.0)
    finally:
        signal.signal(signal.SIGPROF, before)
    assert (stopped.times < 1000).all()
    end = float(np.ceil(stopped.times.max() * 16) + 1) / 16
    stopped.run(end)
    whole.run(end)
    assert [member.state_hash for member in stopped] == [member.state_hash for member in whole]


def test_other_threads_run_meanwhile() -> None:
    together = pleiad.Ensemble(clusters(20, 24), eps=0.1, dt=2.0**-12)
    thread = threading.Thread(target=together.run, args=(4.0,))
    thread.start()
    ticks = 0
    while thread.is_alive():
        ticks += 1
        time.sleep(0.001)
    thread.join()
    assert ticks > 3
