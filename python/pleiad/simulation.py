"""A simulation: bodies, a law, a method, and time."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pleiad import _core
from pleiad._bar import Bar
from pleiad._checked import called, checked, text
from pleiad._module import cache_text, for_backend
from pleiad._on_gpu import in_stream, library_on_gpu
from pleiad._options import keyword_names, settings_of
from pleiad._start import start_of
from pleiad._strict import Strict, frozen
from pleiad.errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pleiad.snapshot import Snapshot
    from pleiad.view import View


Force = Callable[[float, Any, Any], object]


@dataclass(frozen=True)
class Diagnostics(Strict):
    """Numbers that tell whether a simulation is healthy; radii are about the centre of the innermost half."""

    time: float
    step: int
    kinetic: float
    potential: float
    energy: float
    energy_error: float
    """(E - E0) / |E0| since the start, or E - E0 when E0 is 0."""
    momentum: NDArray[np.float64]
    angular_momentum: NDArray[np.float64]
    centre: NDArray[np.float64]
    centre_velocity: NDArray[np.float64]
    mass: float
    virial_ratio: float
    """T / |W|."""
    lagrangian_radii: NDArray[np.float64]
    """Radii that hold the parts `lagrangian_fractions` of the mass."""
    lagrangian_fractions: NDArray[np.float64]


frozen(Diagnostics)


class Simulation(Strict):
    """Bodies that move: `run(until)` and `step(n)` advance them.

    bodies: a Snapshot, a file, the name of a model, a tuple (positions, velocities, masses), or a dict of such arrays.
    eps: Plummer's softening length.
    dt: the time step, or with adaptive=True the longest one. Required.
    integrator: "kdk", "dkd", "euler", "forest-ruth", "yoshida6" or "hermite4".
    accuracy: the relative force error that 99 % of the bodies may have; the fastest solver that meets it is chosen, watched and
        mended. None: direct sums.
    backend: "auto", "cpu" or "cuda".
    keys: every other key of the configuration that concerns a simulation, by its name: `adaptive`, `eta`, `G`, `box`,
        `precision`, `threads`, `kernel`, `parameters` (of a model, a dict), `seed`, `units` ... A name that two sections have
        takes its section with it: `solver_check_every`. `pleiad config` explains them all.
    cache: a file in which measurements are kept, "auto": that of the command `pleiad`; None: nowhere.
    planning: told what is measured, in words, while a method is chosen.
    force: accelerations of your own, added to gravity: see the attribute of that name.

    The same arguments give the same bits, and those of a run of the command. A Simulation belongs to one thread at a time;
    several may run side by side in threads, since other threads of Python go on while one steps.

    UsageError for arguments, with the sentence of the command; InputError for bodies that cannot be; ResourceError for memory
    or a GPU that is not there; NumericalError when the forces cannot be as accurate as asked.
    """

    __slots__ = ("__weakref__", "_callbacks", "_core", "_force", "_state")
    _more_keywords = staticmethod(keyword_names)
    _written = {
        name: f": write into it, {name}[...] = values" for name in ("positions", "velocities", "masses")
    }

    # The settings are checked as those of the configuration, with the same sentences.
    @checked(leave=("eps", "dt", "integrator", "accuracy"))
    def __init__(
        self,
        bodies: Snapshot | str | os.PathLike[str] | tuple[Any, ...] | Mapping[str, Any],
        *,
        eps: float | None = None,
        dt: float | None = None,
        integrator: str | None = None,
        accuracy: float | None = None,
        backend: str | None = None,
        cache: str | os.PathLike[str] | None = "auto",
        planning: Callable[[str], object] | None = None,
        force: Force | None = None,
        **keys: Any,
    ) -> None:
        keys.update(eps=eps, dt=dt, integrator=integrator, accuracy=accuracy, backend=backend)
        state, start = start_of(bodies, keys)
        kernel = keys.get("kernel")
        module = for_backend(backend or "auto", "auto" if kernel is None else text("kernel", kernel))
        self._begin(module.Simulation.start(state, start + settings_of(keys), cache_text(cache), planning))
        self.force = force

    def _begin(self, core: Any) -> None:
        self._core: Any = core
        self._force: Force | None = None
        self._callbacks: list[Callable[[Simulation], object]] = []
        self._state: dict[str, NDArray[np.float64]] | None = None

    # Time

    @property
    def time(self) -> float:
        return float(self._core.time)

    @property
    def step_count(self) -> int:
        """Steps since the start."""
        return int(self._core.step)

    @checked
    def run(self, until: float, *, progress: bool = False) -> Simulation:
        """Steps until exactly the time `until`, and calls what `every` has been told on the way.

        progress: shows a bar, if tqdm is installed. Ctrl-C, and a callback that raises, end it between two steps: the state is
        whole, and another call goes on with the same bits. UsageError when fixed steps do not meet `until`.
        """
        self._load_back()
        try:
            with Bar(progress, self.time, until, "time") as bar:
                self._core.run_until(until, bar.at_time, self._tell if self._callbacks else None, self._pushed)
        finally:
            self._refresh()
        return self

    @checked(n=(-(2**63), 2**63 - 1))
    def step(self, n: int = 1, *, progress: bool = False) -> Simulation:
        """So many steps; callbacks of `every` are not called."""
        if n < 0:
            raise UsageError(f"{n} steps: a simulation does not go back")
        self._load_back()
        try:
            with Bar(progress, self.step_count, self.step_count + n, "step") as bar:
                self._core.make_steps(n, bar.at_step, self._pushed)
        finally:
            self._refresh()
        return self

    @checked
    def every(self, interval: float, callback: Callable[[Simulation], object]) -> None:
        """Has `run` call `callback(sim)` at the time that it is now and at every `interval` after it.

        It may read this simulation, not step or change it. UsageError when fixed steps do not meet the interval.
        """
        index = self._core.every(interval)
        assert index == len(self._callbacks)
        self._callbacks.append(callback)

    @property
    def force(self) -> Force | None:
        """Accelerations of your own, added to gravity from now on; None: gravity alone.

        Called as `force(time, positions, accelerations)` once for each evaluation: (n, 3) arrays of the type of the state, in the
        order in which the bodies were given. It writes into `accelerations`, which are 0 at first, what it adds; both end with the
        call. On a GPU they are arrays of CuPy, or of PyTorch, whichever is imported, in the stream of the simulation. What it
        raises ends the steps there. Energies and force errors stay those of gravity, and checkpoints do not hold it. For the
        same bits again it must depend on its arguments alone. UsageError with hermite4 and with several GPUs.
        """
        return self._force

    @force.setter
    def force(self, force: Force | None) -> None:
        if force is not None:
            called("force", force)
        if (force is None) != (self._force is None):
            self._core.with_force(force is not None)
        self._force = force

    @property
    def _pushed(self) -> Callable[[float, Any, Any, int], None] | None:
        force = self._force
        return None if force is None else lambda time, x, a, stream: _push(force, time, x, a, stream)

    def _tell(self, index: int) -> None:
        self._refresh()
        self._callbacks[index](self)

    # Bodies

    @property
    def positions(self) -> Any:
        """(n, 3): a view of the state between the last and the next step.

        Writable: what was written is where the bodies go on from, see `masses`. While a callback is called it is read-only.

        Simulations on one GPU, with CuPy or PyTorch imported when this is first used, have an array of that library over the
        GPU's own memory, through DLPack and without a copy, in the type of the state: float32 with precision="f32". It may be
        kept: it shows the state after every call, until the simulation takes a better precision and so another memory. Do not
        write to it while the simulation steps, in a callback for example; not every library keeps arrays read-only. Each call
        first waits for what is queued on that GPU. While such an array is there it finds the forces anew, to the same bits.
        Numbers are not checked.

        All others have a view of a NumPy array, into which the state is copied after each call that steps.
        """
        return self._view("positions")

    @property
    def velocities(self) -> Any:
        """(n, 3): as positions."""
        return self._view("velocities")

    @property
    def masses(self) -> Any:
        """(n,): as positions. After a change of any of the three energy errors are still told against the first energy."""
        return self._view("masses")

    @property
    def ids(self) -> NDArray[np.uint64]:
        """(n,): as the bodies were given."""
        ids: NDArray[np.uint64] = self._core.snapshot()["ids"]
        ids.flags.writeable = False
        return ids

    def __len__(self) -> int:
        return int(self._core.size)

    @checked
    def snapshot(self, fields: bool = False) -> Snapshot:
        """A copy of the bodies now; with `fields` their accelerations and potentials too."""
        from pleiad.snapshot import Snapshot

        self._load_back()
        return Snapshot.from_core(self._core.snapshot(fields))

    def _view(self, which: str) -> Any:
        if self._state is None:
            library = library_on_gpu()
            if library is not None and (view := self._core.device_view(which)) is not None:
                return library.from_dlpack(view)
            n = len(self)
            self._state = {"positions": np.empty((n, 3)), "velocities": np.empty((n, 3)), "masses": np.empty(n)}
            self._refresh()
        view = self._state[which].view()
        view.flags.writeable = not self._core.is_stepping
        return view

    def _refresh(self) -> None:
        """Views on the host show the state of now."""
        if self._state is not None:
            self._core.copy_state(**self._state)

    def _load_back(self) -> None:
        """The state of now is what was written to views."""
        if self._core.is_stepping:
            return
        self._core.take_changes()
        if self._state is not None:
            self._core.put_state(**self._state)

    # Looks

    def energy(self) -> tuple[float, float]:
        """Kinetic and potential energy."""
        self._load_back()
        kinetic, potential = self._core.energies()
        return kinetic, potential

    @property
    def diagnostics(self) -> Diagnostics:
        """Energies, momenta, centre and radii of now: an evaluation of the forces, which changes nothing."""
        self._load_back()
        return Diagnostics(**self._core.diagnostics())

    def force_error(self) -> dict[str, float]:
        """Errors of the accelerations against direct sums in double precision, on a sample of the bodies.

        median, p99 (with the ends of its 95 % interval, p99_low and p99_high), largest, closest: of the closest neighbours; cancelled:
        bodies of the sample whose pulls cancel to less than the rounding of direct sums; measured: False for direct sums with all
        images in double precision, which are the reference themselves.
        """
        self._load_back()
        errors: dict[str, float] = self._core.force_errors()
        return errors

    @property
    def describe(self) -> dict[str, Any]:
        """How it is computed: device, kernel, precision, why, threads, gpus, integrator, dt, softening, G ..."""
        how: dict[str, Any] = self._core.describe()
        return how

    @property
    def notes(self) -> list[str]:
        """What the user should know: of the input, of methods chosen, of accuracies mended."""
        return list(self._core.notes)

    @checked
    def picture(self, size: int = 512, projection: str = "xy", extent: float = 0.0) -> bytes:
        """A PNG of the bodies: surface density, or discs when they are few. extent: half the width shown, 0: chosen."""
        self._load_back()
        return bytes(_core.render(self._core.snapshot(), size=size, projection=projection, extent=extent))

    @checked
    def view(self, port: int | None = None, *, control: bool = False, title: str = "") -> View:
        """Shows the simulation in a browser on this machine, now and while it steps: see docs/live.md.

        port: 0 for any that is free; None: 8250, or any if that is taken. ResourceError when it cannot be had.
        control: the page may pause the steps, make single ones, and stop them, which raises KeyboardInterrupt between two
            steps as Ctrl-C does. A pause lasts as long as a browser is connected.
        title: what the page is called.

        The bits are the same with and without. The page shows `diagnostics` and `force_error` whenever they are asked for. One view
        at a time: an earlier one is closed. The view ends with the simulation.
        """
        from pleiad.view import View

        self._load_back()
        return View(self, self._core.view(port, control, title or "pleiad.Simulation"))

    # Files

    @checked
    def save(self, folder: str | os.PathLike[str]) -> None:
        """A checkpoint in the folder, which is made if it is missing; callbacks are not saved."""
        self._load_back()
        Path(folder).mkdir(parents=True, exist_ok=True)
        self._core.save(os.fspath(folder))

    @classmethod
    @checked
    def load(
        cls, folder: str | os.PathLike[str], *, threads: int = 0, backend: str = "auto", force: Force | None = None
    ) -> Simulation:
        """The simulation that was saved there: it goes on with the same bits, by the same kernels, and with the force given.

        An accuracy is watched and mended as before.
        """
        sim = cls.__new__(cls)
        sim._begin(for_backend(backend).Simulation.load(os.fspath(folder), threads))
        sim.force = force
        return sim

    def __repr__(self) -> str:
        how = self.describe
        return (
            f"<pleiad.Simulation of {len(self)} bodies at t = {self.time:g}, step {self.step_count}: {how['integrator']}, "
            f"dt = {how['dt']:g}, {how['kernel']} ({how['precision']}) on {how['device']}>"
        )

    def _repr_html_(self) -> str:
        d = self.diagnostics
        row = {
            "bodies": str(len(self)),
            "time": f"{d.time:g}",
            "step": str(d.step),
            "energy": f"{d.energy:.6g}",
            "energy error": f"{d.energy_error:.2e}",
            "virial ratio": f"{d.virial_ratio:.3f}",
            "half-mass radius": f"{d.lagrangian_radii[2]:.4g}",
        }
        head = "".join(f"<th>{name}</th>" for name in row)
        cells = "".join(f"<td>{value}</td>" for value in row.values())
        png = b64encode(self.picture(400)).decode()
        return (
            f'<img width="400" height="400" alt="the bodies" src="data:image/png;base64,{png}">'
            f"<table><thead><tr>{head}</tr></thead><tbody><tr>{cells}</tr></tbody></table>"
        )


def _push(force: Force, time: float, x: Any, a: Any, stream: int) -> None:
    """Calls a force with arrays as users have them: of NumPy as they are, of a GPU as those of a library that is imported."""
    if isinstance(x, np.ndarray):
        force(time, x, a)
        return
    library = library_on_gpu()
    if library is None:
        raise UsageError("a force of your own on a GPU needs CuPy or PyTorch imported")
    with in_stream(library, stream):
        force(time, library.from_dlpack(x), library.from_dlpack(a))
