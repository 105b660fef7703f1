"""Measurements of a simulation: energies, diagnostics, force errors, the method, a picture."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from base64 import b64encode
from typing import Any

from . import _core
from ._checked import checked
from ._state_views import StateViews
from ._works import cite_methods
from .diagnostics import Diagnostics
from .table import Table
from .units import Units


class Looks(StateViews):
    """Measurements of a Simulation. They do not change its later steps."""

    __slots__ = ()

    _frames: dict[str, Any]

    def energy(self) -> tuple[float, float]:
        """The present kinetic and potential energy.

        Returns
        -------
        tuple of float
            T and W, G included, in the units of the bodies.
        """
        self._load_back()
        kinetic, potential = self._core.energies()
        return kinetic, potential

    @property
    def diagnostics(self) -> Diagnostics:
        """The present energies, momenta, centre and radii. Costs an evaluation of the forces and changes nothing."""
        self._load_back()
        return Diagnostics(**self._core.diagnostics(), units=Units.of(self._core.units))

    @property
    def encounters(self) -> Table:
        """All encounters since the start, or since `load`, in the order of their steps: the columns of events.csv.

        They are looked for where ``distance``, ``radius``, ``density``, ``radii`` or ``escape_radius`` is given: see docs/encounters.md. ``id2`` is ``id1`` where
        an event has one body only, and numbers without a value are NaN. A callback of `add_callback` sees those so far.
        """
        return Table(self._core.encounters())

    @property
    def stopped_by(self) -> str | None:
        """Why the last `run` or `step` has ended early, where a reaction such as ``on_collision="stop"`` has ended it; else ``None``."""
        return self._core.stopped_by or None

    def force_error(self) -> dict[str, float]:
        """Errors of the accelerations against direct sums in double precision, on a sample of the bodies.

        Returns
        -------
        dict
            Relative errors: ``median``, ``p99`` (with the ends of its 95 % interval, ``p99_low`` and ``p99_high``),
            ``largest``, and ``closest``, of the closest neighbours. ``cancelled``: bodies of the sample whose forces cancel
            to less than the rounding of direct sums. ``measured``: False for direct sums with all images in double precision,
            which are the reference themselves.
        """
        self._load_back()
        errors: dict[str, float] = self._core.force_errors()
        return errors

    @property
    def describe(self) -> dict[str, Any]:
        """How the forces are computed: ``device``, ``kernel``, ``precision``, ``why``, ``threads``, ``gpus``, ``integrator``, ``dt``, ``potentials``, ``forces`` ..."""
        how: dict[str, Any] = self._core.describe()
        return how

    def cite(self) -> str:
        """Returns what to cite: the program, and the publications of the integrator, the solver, the potentials and the added forces.

        Returns
        -------
        str
            BibTeX, with a line before each work that names the method.
        """
        return cite_methods(self.describe)

    @property
    def notes(self) -> list[str]:
        """Notes on the input, on the methods chosen, and on solvers that were tightened."""
        return list(self._core.notes)

    @checked
    def orbits(self, about: str | int = "heaviest") -> Table:
        """The present orbital elements of the bodies: see :meth:`Snapshot.orbits`.

        Parameters
        ----------
        about
            ``heaviest``, ``barycentre``, ``jacobi``, the id of a body, or two ids as ``"0,1"``.

        Returns
        -------
        Table
            A row for each body but those of the centre.

        Raises
        ------
        UsageError
            For ids that no body has, and with fewer than two bodies.
        """
        self._load_back()
        return Table(_core.orbits(self._core.snapshot(), str(about)), {"about": str(about)})

    @checked
    def picture(self, size: int = 512, projection: str = "xy", extent: float = 0.0, *, refit: bool = False) -> bytes:
        """A picture of the bodies: surface density, or discs when they are few.

        The first picture of a projection chooses centre, width and brightness; later pictures, also in notebooks, use the same values,
        so that they can be compared.

        Parameters
        ----------
        size
            Width and height, in pixels.
        projection
            ``xy``, ``xz`` or ``yz``.
        extent
            Half the width shown, a length; 0: fitted to the bodies.
        refit
            Whether centre, width and brightness are chosen again, for this and the following pictures.

        Returns
        -------
        bytes
            The content of a PNG file.

        Raises
        ------
        UsageError
            For an invalid size or projection.
        """
        self._load_back()
        kept = None if refit else self._frames.get(projection)
        frame = kept or _core.Frame()
        png = bytes(_core.render(self._core.snapshot(), size=size, projection=projection, extent=extent, frame=frame))
        self._frames[projection] = frame
        return png

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
