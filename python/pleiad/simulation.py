"""A simulation: bodies, force law, method and time."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._bar import Bar
from ._changes import Changes
from ._checked import checked, text
from ._external import ExternalAcceleration
from ._keywords import keyword_names
from ._looks import Looks
from ._module import cache_text, for_backend
from ._options import settings_of
from ._renamed import deprecated, renamed
from ._start import start_of
from ._strict import Strict
from .cosmology import Cosmology
from .diagnostics import Diagnostics
from .errors import UsageError
from .snapshot import Snapshot
from .view import View

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .keys import SimulationKeys

__all__ = ["Diagnostics", "ExternalAcceleration", "Simulation"]


def __dir__() -> list[str]:
    return __all__


class Simulation(Strict, Looks, Changes):
    """A simulation of bodies: `run(until)` and `step(n)` advance it.

    Bodies with a `universe`, from `cosmology_ic` or a cosmological file that `read` has read, are simulated in expanding space,
    in comoving coordinates, by direct Ewald sums or trees on CPUs, or trees on a GPU: see docs/cosmology.md. Their time is then the scale factor a
    (``sim.run(1)`` ends today); ``dt`` and intervals of callbacks are in ln a, and without ``dt`` steps are at most 0.0156.
    Energies are those of peculiar velocities and physical distances; an energy error they have only in runs of the command.

    The same arguments give the same bits, and those of a run of the command. A Simulation belongs to one thread at a time;
    several may run concurrently in threads, because other threads of Python continue during a step.

    Parameters
    ----------
    bodies
        A :class:`Snapshot`, a file, the name of a model, a tuple (positions ``(n, 3)``, velocities ``(n, 3)``, masses
        ``(n,)``), or a dict of such arrays.
    eps
        Plummer's softening length, in the units of the bodies.
    dt
        The time step, in the units of the bodies, or with ``adaptive=True`` the longest one. Required, unless the
        file suggests one, as those of ``pleiad ic`` do.
    integrator
        ``kdk``, ``dkd``, ``euler``, ``forest-ruth``, ``blanes-moan4``, ``yoshida6``, ``kahan-li8``, ``hermite4``,
        ``hermite6``, ``gauss-radau``, ``ar-chain``, ``wisdom-holman``, ``wisdom-holman-jacobi``,
        ``wisdom-holman-hybrid``, ``block-kdk`` or ``hermite4-block``.
    accuracy
        The relative force error that 99 % of the bodies stay below. The fastest solver that meets it is chosen, checked during
        the run, and tightened when needed. ``None``: direct sums.
    backend
        ``auto``, ``cpu`` or ``cuda``.
    cache
        A file in which measurements are kept; ``auto``: that of the command `pleiad`; ``None``: nowhere.
    planning
        Callback that receives progress messages while a method is chosen.
    external_acceleration
        Accelerations of your own, added to gravity: see the attribute of that name. Its old name is ``force``, which warns.
    **keys
        Every other key of the configuration that concerns a simulation, by its name: ``adaptive``, ``eta``, ``G``, ``box``,
        ``precision``, ``threads``, ``kernel``, ``parameters`` (of a model, a dict), ``seed``, ``units`` ... Any name may be
        preceded by its section (``solver_check_every``); a name in two sections must be. `pleiad config` explains them all, and
        :class:`pleiad.keys.SimulationKeys` has their types.

    Raises
    ------
    UsageError
        For invalid arguments, with the message of the command.
    InputError
        For invalid bodies.
    ResourceError
        If memory or a GPU is missing.
    NumericalError
        If the accuracy cannot be met.

    Examples
    --------
    >>> sim = pleiad.Simulation("plummer", parameters={"n": 100}, eps=0.05, dt=1 / 64)
    >>> sim.run(0.25).step_count
    16
    """

    __slots__ = ("__weakref__", "_callbacks", "_frames")
    _written = {
        **Changes._written,
        **dict.fromkeys(("t", "time", "step_count"), ": run(until) and step(n) advance it"),
        "N": ": add(...) and remove(...) change it",
    }
    _made_anew = "sim.snapshot(), eps=sim.eps, dt=sim.dt"
    _more_keywords = staticmethod(keyword_names)

    # The settings are checked as those of the configuration, with the same sentences.
    @renamed(force="external_acceleration")
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
        external_acceleration: ExternalAcceleration | None = None,
        **keys: Unpack[SimulationKeys],
    ) -> None:
        given: dict[str, Any] = {**keys, "eps": eps, "dt": dt, "integrator": integrator, "accuracy": accuracy, "backend": backend}
        state, start = start_of(bodies, given)
        kernel = given.get("kernel")
        module = for_backend(backend or "auto", "auto" if kernel is None else text("kernel", kernel))
        self._begin(module.Simulation.start(state, start + settings_of(given, bodies), cache_text(cache), planning))
        self.external_acceleration = external_acceleration

    def _begin(self, core: Any) -> None:
        self._core = core
        self._external = None
        self._callbacks: list[Callable[[Simulation], object]] = []
        self._state = None
        self._frames: dict[str, Any] = {}

    # Time

    @property
    def time(self) -> float:
        """The present time, in the units of the bodies; of comoving bodies the scale factor."""
        return float(self._core.time)

    @property
    def universe(self) -> Cosmology | None:
        """The universe of comoving bodies, ``None`` in static space."""
        universe = self._core.universe
        return None if universe is None else Cosmology.of(universe)

    @property
    def redshift(self) -> float | None:
        """1 / a - 1 of comoving bodies, ``None`` in static space."""
        return None if self._core.universe is None else 1 / self.time - 1

    @property
    def step_count(self) -> int:
        """Steps since the start."""
        return int(self._core.step)

    @checked
    def run(self, until: float, *, progress: bool = False) -> Simulation:
        """Steps until exactly the time `until`, and calls the callbacks of `add_callback` on the way.

        A time between two fixed steps is met by one shortened step, and the next full step begins there: the bits depend on
        the list of such times. Times that are whole numbers of steps change none.

        Ctrl-C, and a callback that raises, end it between two steps, and so does an encounter with the reaction ``stop``: see `stopped_by`. Another call continues with the
        same bits. Where bodies merge or vanish, `positions`, `velocities` and `masses` are other arrays afterwards; `ids` says whose.

        Parameters
        ----------
        until
            The time, in the units of the bodies; of comoving bodies the scale factor.
        progress
            Whether a bar is shown, by tqdm.

        Returns
        -------
        Simulation
            Itself.

        Raises
        ------
        UsageError
            When `until` is past, or with ``exact_steps=True`` between two steps, or a bar needs tqdm.
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
        """Makes `n` steps; callbacks of `add_callback` are not called.

        Parameters
        ----------
        n
            Number of steps, 0 or more.
        progress
            Whether a bar is shown, by tqdm.

        Returns
        -------
        Simulation
            Itself.

        Raises
        ------
        UsageError
            For a negative number, or when a bar needs tqdm.
        """
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
    def reverse(self) -> Simulation:
        """Changes the sign of all velocities.

        With a time-reversible integrator and fixed steps the simulation then runs back, and with ``lattice=True`` to the
        bits that it came from. The time goes on.

        Returns
        -------
        Simulation
            Itself.
        """
        self._load_back()
        self._core.reverse()
        self._refresh()
        return self

    @checked
    def add_callback(self, interval: float, callback: Callable[[Simulation], object]) -> None:
        """Lets `run` call a function at the present time and after every interval.

        Between two fixed steps the function sees a copy, which one shortened step has brought to exactly that time: the bits of
        the run do not change. Such a copy costs two evaluations of the forces.

        Parameters
        ----------
        interval
            The time between two calls, in the units of the bodies.
        callback
            Called as ``callback(sim)``. It may read this simulation, not step or change it.

        Raises
        ------
        UsageError
            If the interval is smaller than the rounding of times, or with ``exact_steps=True`` not a whole number of steps.
        """
        index = self._core.every(interval)
        assert index == len(self._callbacks)
        self._callbacks.append(callback)

    @deprecated("Simulation.every is now called Simulation.add_callback")
    def every(self, interval: float, callback: Callable[[Simulation], object]) -> None:
        """The old name of `add_callback`, which warns.

        Parameters
        ----------
        interval, callback
            See `add_callback`.
        """
        self.add_callback(interval, callback)

    def _tell(self, index: int) -> None:
        self._refresh()
        self._callbacks[index](self)

    @checked
    def view(self, port: int | None = None, *, control: bool = False, title: str = "", frames: bool = False) -> View:
        """Shows the simulation in a browser on this machine, now and while it steps: see docs/live.md.

        Results do not depend on it. The page shows `diagnostics` and `force_error` whenever you use them. There is one view at
        a time: an earlier one is closed. The view ends with the simulation.

        Parameters
        ----------
        port
            0: any free port; ``None``: 8250, or any free port if that is in use.
        control
            Whether the page may pause the steps, make single ones, and stop them, which raises KeyboardInterrupt between two
            steps as Ctrl-C does. A pause lasts as long as a browser is connected.
        title
            The title of the page.
        frames
            Whether pages of this machine (``http://localhost`` and ``http://127.0.0.1``, of any port) may show the page in a frame:
            for `View.widget`, in a notebook.

        Returns
        -------
        View
            With the address of the page.

        Raises
        ------
        ResourceError
            If the port is in use.
        """
        self._load_back()
        return View(self, self._core.view(port, control, title or "pleiad.Simulation", frames), frames)

    @checked
    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes a checkpoint; callbacks and accelerations of your own are not in it.

        Parameters
        ----------
        folder
            The folder of the checkpoint. It is made if it is missing.

        Raises
        ------
        ResourceError
            If it cannot be written.
        """
        self._load_back()
        Path(folder).mkdir(parents=True, exist_ok=True)
        self._core.save(os.fspath(folder))

    @classmethod
    @renamed(force="external_acceleration")
    @checked
    def load(
        cls,
        folder: str | os.PathLike[str],
        *,
        threads: int = 0,
        backend: str = "auto",
        external_acceleration: ExternalAcceleration | None = None,
    ) -> Simulation:
        """Loads a checkpoint. The simulation continues with the same bits and the same kernels.

        After load the accuracy check continues.

        Parameters
        ----------
        folder
            The folder that `save` wrote.
        threads
            Number of threads (0: all). Results are identical for any number.
        backend
            ``auto``, ``cpu`` or ``cuda``.
        external_acceleration
            The function of the saved simulation. A checkpoint does not contain it.

        Returns
        -------
        Simulation
            The simulation in the saved state.

        Raises
        ------
        MissingFile
            When there is no checkpoint.
        InputError
            If there is no checkpoint, or a damaged one.
        ResourceError
            If memory or a GPU is missing.
        """
        sim = cls.__new__(cls)
        sim._begin(for_backend(backend).Simulation.load(os.fspath(folder), threads))
        sim.external_acceleration = external_acceleration
        return sim

    def __repr__(self) -> str:
        how = self.describe
        return (
            f"<pleiad.Simulation of {len(self)} bodies at t = {self.time:g}, step {self.step_count}: {how['integrator']}, "
            f"dt = {how['dt']:g}, {how['kernel']} ({how['precision']}) on {how['device']}>"
        )
