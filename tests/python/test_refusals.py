"""What cannot be is refused in one sentence, everywhere: wrong types, masks, units, two names of one thing, unknown attributes."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pleiad
from pleiad._keywords import elsewhere, keywords
from pleiad._renamed import is_deprecated

X = np.random.default_rng(1).normal(size=(6, 3))
M = np.full(6, 1 / 6)
WRONG: list[Any] = [
    None, "x", b"x", True, 3, -1, 1.5, 1j, float("nan"), float("inf"), [1], [], (1, 2), {}, {"a": 1}, object(), len, 10**30,
    -(10**30), range(3), np.array([1.0, 2.0]), np.array(["a"]), np.array([None]), np.datetime64("2020"), np.ma.masked, [[1], [1, 2]],
]  # fmt: skip


def snapshot() -> pleiad.Snapshot:
    return pleiad.Snapshot(X, masses=M)


def simulation() -> pleiad.Simulation:
    return pleiad.Simulation((X, 0 * X, M), eps=0.1, dt=1 / 64, backend="cpu", cache=None)


def solver() -> pleiad.Solver:
    return pleiad.Solver(eps=0.1, cache=None)


def ensemble() -> pleiad.Ensemble:
    return pleiad.Ensemble([snapshot(), snapshot()], eps=0.1, dt=1 / 64, backend="cpu")


def table() -> pleiad.Table:
    return pleiad.Table({"a": [1.0, 2.0], "ms": [1.0, 2.0], "error_p99": [0.1, 0.2], "best": [True, False]})


def curve() -> pleiad.AccuracyCurve:
    return pleiad.AccuracyCurve({name: table()[name] for name in table()})


# What makes each object, and arguments with which its functions do something quick.
OBJECTS: dict[str, Callable[[], Any]] = {
    "Snapshot": snapshot, "Simulation": simulation, "Solver": solver, "Ensemble": ensemble, "Table": table, "AccuracyCurve": curve,
    "Units": lambda: pleiad.Units.of("galactic"), "Diagnostics": lambda: simulation().diagnostics,
    "Model": lambda: pleiad.models.catalogue()[0], "Parameter": lambda: pleiad.models.catalogue()[0].parameters[0],
    "View": lambda: simulation().view(0),
}  # fmt: skip
CALLS: dict[str, tuple[Callable[[], Callable[..., Any]], dict[str, Any]]] = {
    "Snapshot": (lambda: pleiad.Snapshot, {"positions": X}),
    "Snapshot.convert": (lambda: snapshot().convert, {"units": "nbody"}),
    "Snapshot.diagnostics": (lambda: snapshot().diagnostics, {}),
    "Snapshot.lagrangian_radii": (lambda: snapshot().lagrangian_radii, {}),
    "Simulation": (lambda: pleiad.Simulation, {"bodies": (X, 0 * X, M), "eps": 0.1, "dt": 1 / 64, "cache": None}),
    "Simulation.run": (lambda: simulation().run, {"until": 1 / 64}),
    "Simulation.step": (lambda: simulation().step, {}),
    "Simulation.add_callback": (lambda: simulation().add_callback, {"interval": 1 / 64, "callback": len}),
    "Simulation.snapshot": (lambda: simulation().snapshot, {}),
    "Simulation.picture": (lambda: simulation().picture, {"size": 16}),
    "Simulation.view": (lambda: simulation().view, {"port": 0}),
    "Simulation.add": (lambda: simulation().add, {"x": [9, 9, 9], "m": 1}),
    "Simulation.remove": (lambda: simulation().remove, {"bodies": [0]}),
    "Simulation.save": (lambda: simulation().save, {"folder": "saved"}),
    "Simulation.load": (lambda: pleiad.Simulation.load, {"folder": "saved"}),
    "Solver": (lambda: pleiad.Solver, {"cache": None}),
    "Solver.accelerations": (lambda: solver().accelerations, {"x": X, "m": M}),
    "accelerations": (lambda: pleiad.accelerations, {"x": X, "m": M}),
    "packed": (lambda: pleiad.packed, {"n": 3}),
    "Ensemble": (lambda: pleiad.Ensemble, {"members": [snapshot()], "eps": 0.1, "dt": 1 / 64}),
    "Ensemble.run": (lambda: ensemble().run, {"until": 1 / 64}),
    "Ensemble.limit_steps": (lambda: ensemble().limit_steps, {"most": 3}),
    "Ensemble.retire": (lambda: ensemble().retire, {"members": 0}),
    "AccuracyCurve.cheapest": (lambda: curve().cheapest, {"accuracy": 0.5}),
    "accuracy_curve": (lambda: pleiad.accuracy_curve, {"bodies": snapshot(), "eps": 0.1, "longest": 0.01}),
    "read": (lambda: pleiad.read, {"path": "x.csv"}),
    "write": (lambda: pleiad.write, {"snapshot": snapshot(), "path": "y.csv"}),
    "concatenate": (lambda: pleiad.concatenate, {"snapshots": [snapshot()]}),
    "read_table": (lambda: pleiad.read_table, {"path": "absent"}),
    "Units.of": (lambda: pleiad.Units.of, {"units": "si"}),
    "Units.custom": (lambda: pleiad.Units.custom, {"length_cm": 1, "mass_g": 1, "velocity_cm_s": 1}),
    "models.plummer": (lambda: pleiad.models.plummer, {"n": 8}),
    "models.king": (lambda: pleiad.models.king, {"n": 8}),
}
PARAMETERS = [
    (call, parameter)
    for call, (made, _) in CALLS.items()
    for parameter, p in inspect.signature(made()).parameters.items()
    if p.kind is not p.VAR_KEYWORD
]


@pytest.mark.parametrize(("call", "parameter"), PARAMETERS)
def test_a_wrong_argument_is_a_sentence(
    call: str, parameter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for value in WRONG:
        made, arguments = CALLS[call]
        try:
            made()(**{**arguments, parameter: value})
        except (pleiad.Error, IndexError) as refusal:
            assert "\n" not in str(refusal) and "incompatible" not in str(refusal), (value, str(refusal))


def test_keywords_of_a_simulation_are_a_sentence() -> None:
    for name in ("seed", "G", "box", "threads", "precision", "kernel", "eta", "adaptive", "dimension", "parameters", "units"):
        for value in WRONG:
            try:
                pleiad.Simulation((X, 0 * X, M), **{"eps": 0.1, "dt": 1 / 64, "cache": None, name: value})
            except pleiad.Error as refusal:
                assert "\n" not in str(refusal), (name, value, str(refusal))


@pytest.mark.parametrize("eps", [[0.1, 0.2], np.array([0.1, 0.2]), "thin", True, 1j])
def test_a_number_is_told_from_what_is_none(eps: Any) -> None:
    for call in (
        lambda: pleiad.Solver(eps=eps),
        lambda: pleiad.accelerations(X, M, eps=eps),
        lambda: snapshot().diagnostics(eps=eps),
        lambda: pleiad.accuracy_curve(snapshot(), eps),
    ):
        with pytest.raises(pleiad.UsageError, match="eps must be a number, not "):
            call()
    with pytest.raises(pleiad.UsageError, match="seed must be a whole number from 0 to 18446744073709551615, not -1"):
        pleiad.models.plummer(8, seed=-1)


# Numbers of every type, in both byte orders and as lists: copied once, to the same result.
TYPES = [
    f"{order}{code}" for code in ("f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8") for order in "<>"
]  # fmt: skip


@pytest.mark.parametrize("dtype", [*TYPES, "g", ">g", "?", "O", "list"])
def test_every_type_of_numbers_is_taken(dtype: str) -> None:
    whole = np.arange(18).reshape(6, 3) % 5
    given: list[Any] = [
        a.tolist() if dtype == "list" else a.astype(dtype) for a in (whole, np.ones(6), whole[:2])
    ]
    x, m, places = (np.array(a, np.float64) for a in given)
    keep = dtype in ("<f4", ">f4")
    expected = pleiad.accelerations(x.astype("f4") if keep else x, m, eps=0.5)
    one = pleiad.Solver(eps=0.5, cache=None)
    found = one.accelerations(given[0], given[1])
    assert found.dtype == expected.dtype and np.array_equal(found, expected)
    assert (one.copied_bytes == 0) == (dtype in ("<f4", "<f8"))
    assert np.array_equal(pleiad.accelerations(given[0], given[1], eps=0.5), expected)
    assert np.array_equal(
        pleiad.accelerations(given[0], given[1], eps=0.5, targets=given[2]),
        pleiad.accelerations(x.astype("f4") if keep else x, m, eps=0.5, targets=places),
    )
    records = np.column_stack([x, m]).astype("f8" if dtype == "list" else dtype)
    if dtype != "list":
        expected = pleiad.accelerations(records.astype("f4" if keep else "f8"), eps=0.5)
        assert np.array_equal(pleiad.accelerations(records, eps=0.5), expected)
    taken = pleiad.Snapshot(given[0], given[0], given[1], ids=np.arange(6).astype(">u8"))
    assert np.array_equal(taken.positions, x) and np.array_equal(taken.masses, m)
    sim = pleiad.Simulation((given[0], given[0], given[1]), eps=0.5, dt=1 / 64, cache=None)
    assert np.array_equal(sim.positions, x) and np.array_equal(sim.masses, m)
    as_dict = {"positions": given[0], "masses": given[1], "ids": np.arange(6).astype(">i2")}
    assert np.array_equal(pleiad.Simulation(as_dict, eps=0.5, dt=1 / 64, cache=None).positions, x)


@pytest.mark.parametrize("dtype", ["c8", "c16", "M8[s]", "m8[s]", "S3", "U3"])
def test_what_is_no_number_is_not_taken(dtype: str) -> None:
    x = np.ones((6, 3)).astype("i8").astype(dtype)
    for call in (lambda: pleiad.accelerations(x, M), lambda: pleiad.accelerations(X, x[:, 0])):
        with pytest.raises(pleiad.UsageError, match="(positions|masses) must be of type float32 or float64, not "):
            call()
    if dtype[0] not in "SU":  # which NumPy reads as numbers
        for call in (lambda: pleiad.Snapshot(x), lambda: pleiad.Simulation((x, X, M), eps=0.1, dt=1 / 64)):
            with pytest.raises(pleiad.UsageError, match="positions must be numbers"):
                call()


def doors(like: Callable[[Any], Any]) -> Iterator[Callable[[], Any]]:
    """Every entry that takes arrays or numbers, with one of them made by `like`."""
    for name, good in (("positions", X), ("velocities", X), ("masses", M), ("accelerations", X), ("potentials", M), ("box", [9.0] * 3)):
        yield lambda name=name, good=good: pleiad.Snapshot(**{"positions": X, name: like(good)})
        if name != "box":
            yield lambda name=name, good=good: setattr(snapshot(), name, like(good))
        yield lambda name=name, good=good: pleiad.Simulation(
            {"positions": X, "velocities": X, "masses": M, name: like(good)}, eps=0.1, dt=1 / 64
        )
    for call in (pleiad.accelerations, solver().accelerations):
        yield lambda call=call: call(like(X), M)
        yield lambda call=call: call(X, like(M))
        yield lambda call=call: call(X, M, targets=like(X))
        yield lambda call=call: call(X, M, out=like(np.empty((6, 3))))
        yield lambda call=call: call(like(np.column_stack([X, M])))
        yield lambda call=call: call(list(like(X)), M)
    yield lambda: pleiad.Simulation((like(X), X, M), eps=0.1, dt=1 / 64)
    yield lambda: pleiad.Simulation((X, X, M), eps=0.1, dt=1 / 64, box=like([9.0] * 3))
    yield lambda: pleiad.Solver(box=like([9.0] * 3))
    yield lambda: pleiad.Ensemble([snapshot()] * 2, eps=like([0.1, 0.2]), dt=0.1)
    yield lambda: snapshot().lagrangian_radii(centre=like([0.0] * 3))
    yield lambda: snapshot().lagrangian_radii(like([0.5, 0.6]))
    yield lambda: pleiad.Table({"a": like([1.0, 2.0])})


def scalar_doors(one: Any) -> Iterator[Callable[[], Any]]:
    yield lambda: pleiad.Simulation((X, X, M), eps=one, dt=1 / 64)
    yield lambda: pleiad.Simulation((X, X, M), eps=0.1, dt=one)
    yield lambda: pleiad.Simulation("plummer", parameters={"n": one}, eps=0.1, dt=1 / 64)
    yield lambda: simulation().run(one)
    yield lambda: simulation().add_callback(one, len)
    yield lambda: pleiad.Solver(eps=one)
    yield lambda: pleiad.Solver(G=one)
    yield lambda: pleiad.Solver(box=one)
    yield lambda: pleiad.accelerations(X, one)
    yield lambda: pleiad.Snapshot(X, masses=one)
    yield lambda: pleiad.Snapshot(X, time=one)
    yield lambda: setattr(snapshot(), "G", one)
    yield lambda: pleiad.models.plummer(8, mass_fraction=one)
    yield lambda: pleiad.Ensemble([snapshot()], eps=one, dt=0.1)
    yield lambda: ensemble().run(one)
    yield lambda: snapshot().diagnostics(one)


def masked(values: Any) -> Any:
    made = np.ma.array(values)
    made[(0,) * made.ndim] = np.ma.masked
    return made


def test_masked_values_are_refused_and_unset_masks_taken() -> None:
    for call in [*doors(masked), *scalar_doors(np.ma.masked)]:
        with pytest.raises(pleiad.UsageError, match=r"has masked values \(\d+\)"):
            call()
    unset = np.ma.array(X, mask=np.zeros_like(X, bool))
    assert np.array_equal(pleiad.accelerations(unset, np.ma.array(M)), pleiad.accelerations(X, M))
    assert np.array_equal(pleiad.Snapshot(unset).positions, X)


@pytest.mark.parametrize("library", ["astropy.units", "unyt"])
def test_units_are_refused_and_dimensionless_numbers_taken(library: str) -> None:
    units = pytest.importorskip(library)
    length = units.kpc
    for call in [*doors(lambda values: np.asarray(values) * length), *scalar_doors(1.0 * length)]:
        with pytest.raises(pleiad.UsageError, match=r"has units \(kpc\), which would be dropped"):
            call()
    none = (X * length) / (1.0 * length)
    assert np.array_equal(pleiad.accelerations(none, M), pleiad.accelerations(np.asarray(none), M))
    assert np.array_equal(pleiad.Snapshot(none).positions, np.asarray(none))


def names_of_keys() -> list[tuple[str, str]]:
    """Pairs of keywords for one key."""
    names = defaultdict(list)
    for name, keyword in keywords().items():
        if not elsewhere(keyword.key):
            names[keyword.key].append(name)
    return [(one, each[0]) for each in names.values() for one in each[1:]]


@pytest.mark.parametrize(("one", "other"), names_of_keys())
def test_two_names_of_one_thing_are_refused(one: str, other: str) -> None:
    for both in ((one, other), (other, one)):
        with pytest.raises(pleiad.UsageError, match="two names of one thing") as refusal:
            pleiad.Simulation((X, X, M), **{"dt": 0.1, "eps": 0.1, **dict.fromkeys(both, "auto" if keywords()[one].type == "text" else 0.1)})
        assert one in str(refusal.value) and other in str(refusal.value)


@pytest.mark.parametrize("call", [call for call in CALLS if not call.startswith("models.") and call != "Units.of"])
def test_a_misspelt_keyword_is_refused_with_the_nearest(call: str) -> None:
    made, arguments = CALLS[call]
    names = [p.name for p in inspect.signature(made()).parameters.values() if p.kind is not p.VAR_KEYWORD]
    name = names[-1]
    with pytest.raises(pleiad.UsageError, match=f"{call} has no keyword '{name}_'; did you mean '{name}'"):
        made()(**{**arguments, f"{name}_": 1})


def test_unknown_columns_of_bodies_are_refused() -> None:
    with pytest.raises(pleiad.UsageError, match="bodies have no 'velocites'; did you mean 'velocities'"):
        pleiad.Simulation({"positions": X, "velocites": X, "masses": M}, eps=0.1, dt=0.1)
    for made in (lambda: pleiad.Snapshot(X, box=9, images="al"), lambda: setattr(snapshot(), "images", "banana"),
                 lambda: pleiad.Simulation({"positions": X, "masses": M, "images": "banana"}, eps=0.1, dt=0.1)):  # fmt: skip
        with pytest.raises(pleiad.UsageError, match="images must be"):
            made()


SETTABLE = {
    "Snapshot": {"positions", "velocities", "masses", "ids", "types", "accelerations", "potentials", "softenings", "time", "step", "units", "G",
                 "box", "images", "notes", "universe"},
    "Simulation": {"external_acceleration", "force", "dt", "eps", "integrator"}, "Table": {"about"}, "AccuracyCurve": {"about"},
}  # fmt: skip


@pytest.mark.parametrize("kind", OBJECTS)
def test_attributes_that_are_not_there_or_cannot_be_set_are_refused(kind: str) -> None:
    thing = OBJECTS[kind]()
    public = [name for name in dir(thing) if not name.startswith("_")]
    made_with = [name for name in inspect.signature(type(thing)).parameters if name not in public]
    for name in [*public, *made_with, "extra", "_private", "dtt"]:
        if name not in SETTABLE.get(kind, ()):
            with pytest.raises(pleiad.UsageError) as refusal:
                setattr(thing, name, 0.02)
            assert isinstance(refusal.value, AttributeError)
            assert name in str(refusal.value) and "\n" not in str(refusal.value)
    for name in (name for name in public if not is_deprecated(inspect.getattr_static(type(thing), name, None))):
        wrong = name + "s" if name + "s" not in public else name + "_"
        for look in (lambda wrong=wrong: setattr(thing, wrong, 1), lambda wrong=wrong: getattr(thing, wrong)):
            with pytest.raises(AttributeError, match=f"{type(thing).__name__} has no attribute '{wrong}'") as missing:
                look()
            assert "did you mean '" in str(missing.value)
    assert not hasattr(thing, "extra") and getattr(thing, "extra", 7) == 7


def test_what_is_fixed_at_the_start_says_so() -> None:
    sim = simulation()
    for name in ("softening", "G", "accuracy", "threads", "kernel", "seed"):
        with pytest.raises(pleiad.UsageError, match=f"{name} is fixed when a Simulation is made"):
            setattr(sim, name, 0.02)
    with pytest.raises(AttributeError, match="`describe` tells with what a Simulation was made"):
        sim.precision  # type: ignore[attr-defined] # noqa: B018
    with pytest.raises(pleiad.UsageError, match="did you mean 'external_acceleration'"):
        sim.external_aceleration = None  # type: ignore[attr-defined]
    with pytest.raises(pleiad.UsageError, match=r"write into it, positions\[\.\.\.\] = values"):
        sim.positions = X  # type: ignore[misc]
    sim.positions[...] = 2 * X
    assert np.array_equal(sim.positions, 2 * X)
    with pytest.raises(pleiad.UsageError, match="eps is fixed when a Solver is made"):
        solver().eps = 0.3  # type: ignore[attr-defined]


def test_a_subclass_of_ones_own_may_have_more() -> None:
    class Mine(pleiad.Simulation):
        told = 0

    mine = Mine((X, 0 * X, M), eps=0.1, dt=1 / 64, cache=None)
    mine.told = 3
    mine.more = "x"  # type: ignore[attr-defined]
    assert mine.told == 3 and mine.more == "x"  # type: ignore[attr-defined]
    with pytest.raises(pleiad.UsageError, match="can be read, not set"):
        mine.time = 3  # type: ignore[misc]


@pytest.mark.parametrize("accuracy", [0.1000001, 0.5, 1.0, -1e-3, float("nan"), float("inf")])
def test_accuracies_have_the_limits_of_the_key(accuracy: float) -> None:
    for call in (
        lambda: pleiad.accelerations(X, M, accuracy=accuracy),
        lambda: pleiad.Solver(accuracy=accuracy),
        lambda: pleiad.Simulation((X, X, M), eps=0.1, dt=0.1, accuracy=accuracy),
    ):
        with pytest.raises(pleiad.UsageError, match="accuracy"):
            call()
    pleiad.Solver(accuracy=0.1)
