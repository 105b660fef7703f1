"""Snapshots as tables of other packages and back: astropy, pandas and xarray, each imported when asked for."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ._absent import need
from .errors import UsageError
from .units import Units

if TYPE_CHECKING:
    import astropy.table
    import pandas
    import xarray

    from .snapshot import Snapshot

# Powers of length, mass and velocity in each column.
_DIMENSIONS = {
    "positions": (1, 0, 0),
    "velocities": (0, 0, 1),
    "masses": (0, 1, 0),
    "accelerations": (-1, 0, 2),
    "potentials": (0, 0, 2),
    "softenings": (1, 0, 0),
}
_G = (1, -1, 2)
_TIME = (1, 0, -1)


def _about(snapshot: Snapshot) -> dict[str, Any]:
    """What a snapshot says beside its columns, in words and numbers that every package keeps."""
    return {
        "time": snapshot.time,
        "step": snapshot.step,
        "G": snapshot.G,
        "units": json.dumps(snapshot.units.to_core()),
        "box": [] if snapshot.box is None else list(snapshot.box),
        "images": snapshot.images,
    }


def _keywords(about: Mapping[Any, Any]) -> dict[str, Any]:
    """The arguments of a snapshot from what `_about` made of it; nothing where it made nothing."""
    keywords = {key: about[key] for key in ("time", "step", "G", "images") if key in about}
    if "units" in about:
        keywords["units"] = json.loads(about["units"])
    if len(about.get("box", ())) > 0:
        keywords["box"] = list(about["box"])
    return keywords


# astropy


def _astropy_units(units: Units) -> tuple[Any, Any, Any]:
    """Length, mass and velocity: astropy's where they are the same to rounding, else their own."""
    u = need("astropy.units", "astropy")
    own = {
        "length": (units.length_cm * u.cm, (u.kpc, u.pc, u.au, u.m, u.cm)),
        "mass": (units.mass_g * u.g, (u.M_sun, u.kg, u.g)),
        "velocity": (units.velocity_cm_s * u.cm / u.s, (u.km / u.s, u.m / u.s, u.cm / u.s)),
    }

    def unit(name: str) -> Any:
        scale, usual = own[name]
        for candidate in usual:
            if math.isclose(scale.to_value(candidate), 1.0, rel_tol=1e-12):
                return candidate
        return u.def_unit(f"{units.name}_{name}", scale)

    return unit("length"), unit("mass"), unit("velocity")


def to_astropy(snapshot: Snapshot) -> astropy.table.QTable:
    """As an astropy ``QTable``.

    The numbers are those of the snapshot; their units are astropy's where these are the same to rounding, and
    units of their own (``galactic_length`` for GADGET's kpc of 3.085678e21 cm) elsewhere: ``.to("kpc")``
    converts them. N-body units are dimensionless.

    Parameters
    ----------
    snapshot
        The bodies.

    Returns
    -------
    astropy.table.QTable
        Columns ``positions`` ``(n, 3)``, ``velocities`` ``(n, 3)``, ``masses``, ``ids``, ``types``, and
        ``accelerations`` and ``potentials`` where they are known; in ``meta`` the quantities ``time`` and
        ``G``, ``step``, ``box``, ``images``, and the units as a text.

    Raises
    ------
    ImportError
        Without astropy.
    """
    table = need("astropy.table", "astropy").QTable()
    unit = _unit_of(snapshot.units)
    for name, column in snapshot.to_core().items():
        if name in _DIMENSIONS and column is not None:
            table[name] = column * unit(_DIMENSIONS[name])
    table["ids"], table["types"] = snapshot.ids, snapshot.types
    table.meta.update(_about(snapshot))
    table.meta["time"] = snapshot.time * unit(_TIME)
    table.meta["G"] = snapshot.G * unit(_G)
    return table


def _unit_of(units: Units) -> Any:
    """The astropy unit of powers of length, mass and velocity."""
    u = need("astropy.units", "astropy")
    if not units.physical:
        return lambda powers: u.dimensionless_unscaled
    length, mass, velocity = _astropy_units(units)
    return lambda powers: length ** powers[0] * mass ** powers[1] * velocity ** powers[2]


def columns_of_astropy(table: astropy.table.QTable, units: Units | str | None = None) -> dict[str, Any]:
    """The arguments of a snapshot from an astropy table: see :func:`pleiad.convert.from_astropy`."""
    u = need("astropy.units", "astropy")
    about = dict(table.meta)
    stated = Units.of(json.loads(about["units"])) if "units" in about else Units.of("nbody")
    wanted = stated if units is None else Units.of(units)
    unit = _unit_of(wanted)
    try:
        columns = {
            name: u.Quantity(table[name]).to_value(unit(powers))
            for name, powers in _DIMENSIONS.items()
            if name in table.colnames
        }
        for name, powers in (("time", _TIME), ("G", _G)):
            if name in about:
                about[name] = u.Quantity(about[name]).to_value(unit(powers))
    except u.UnitConversionError as failure:
        raise UsageError(f"a column of this table is not in {wanted.name} units: {failure}") from None
    if "G" in about and abs(about["G"] - wanted.G) <= 1e-12 * wanted.G:
        del about["G"]  # what differs by rounding only is the system's own
    _need_columns(columns, ("positions", "masses"), "a table")
    columns.update({name: np.asarray(table[name]) for name in ("ids", "types") if name in table.colnames})
    keywords = {**_keywords(about), "units": wanted}
    if "box" in keywords and wanted != stated:
        keywords["box"] = [side * stated.length_cm / wanted.length_cm for side in keywords["box"]]
    return {**columns, **keywords}


# pandas

_PANDAS = {
    "ids": ("id",),
    "types": ("type",),
    "masses": ("mass",),
    "positions": ("x", "y", "z"),
    "velocities": ("vx", "vy", "vz"),
    "accelerations": ("ax", "ay", "az"),
    "potentials": ("potential",),
    "softenings": ("softening",),
}


def to_pandas(snapshot: Snapshot) -> pandas.DataFrame:
    """As a pandas ``DataFrame``, a row for each body.

    Parameters
    ----------
    snapshot
        The bodies.

    Returns
    -------
    pandas.DataFrame
        Columns ``id``, ``type``, ``mass``, ``x``, ``y``, ``z``, ``vx``, ``vy``, ``vz``, and ``ax``, ``ay``,
        ``az``, ``potential`` where they are known, all in the units of the snapshot; time, units, G and box
        are in ``attrs``.

    Raises
    ------
    ImportError
        Without pandas.
    """
    data = snapshot.to_core()
    columns = {
        name: column
        for key, names in _PANDAS.items()
        if data[key] is not None
        for name, column in zip(names, np.atleast_2d(data[key].T), strict=True)
    }
    frame: pandas.DataFrame = need("pandas").DataFrame(columns)
    frame.attrs.update(_about(snapshot))
    return frame


def columns_of_pandas(frame: pandas.DataFrame) -> dict[str, Any]:
    """The arguments of a snapshot from a pandas ``DataFrame``: see :func:`pleiad.convert.from_pandas`."""
    _need_columns(frame.columns, ("x", "y", "z", "mass"), "a DataFrame")
    columns: dict[str, Any] = {
        key: frame[names[0]].to_numpy() if len(names) == 1 else frame[list(names)].to_numpy()
        for key, names in _PANDAS.items()
        if all(name in frame.columns for name in names)
    }
    return {**columns, **_keywords(frame.attrs)}


# xarray


def to_xarray(snapshot: Snapshot) -> xarray.Dataset:
    """As an xarray ``Dataset``.

    Parameters
    ----------
    snapshot
        The bodies.

    Returns
    -------
    xarray.Dataset
        The columns over the dimensions ``body`` and ``axis`` (``x``, ``y``, ``z``), each with its unit in
        ``attrs["units"]``; time, units, G and box in the ``attrs`` of the whole, as texts and numbers that
        netCDF keeps.

    Raises
    ------
    ImportError
        Without xarray.
    """
    symbols = snapshot.units.symbols
    words = {
        "positions": symbols["length"],
        "velocities": symbols["velocity"],
        "masses": symbols["mass"],
        "accelerations": f"({symbols['velocity']})^2 / ({symbols['length']})",
        "potentials": f"({symbols['velocity']})^2",
        "softenings": symbols["length"],
    }
    data = snapshot.to_core()
    variables = {
        name: (
            ("body", "axis")[: data[name].ndim],
            data[name],
            {"units": words[name]} if name in words else {},
        )
        for name in (*_DIMENSIONS, "types")
        if data[name] is not None
    }
    dataset: xarray.Dataset = need("xarray").Dataset(
        variables, coords={"axis": ["x", "y", "z"], "id": ("body", snapshot.ids)}, attrs=_about(snapshot)
    )
    return dataset


def columns_of_xarray(dataset: xarray.Dataset) -> dict[str, Any]:
    """The arguments of a snapshot from an xarray ``Dataset``: see :func:`pleiad.convert.from_xarray`."""
    _need_columns(dataset.variables, ("positions", "masses"), "a Dataset")
    columns: dict[str, Any] = {
        name: dataset[name].to_numpy() for name in (*_DIMENSIONS, "types") if name in dataset.variables
    }
    if "id" in dataset.variables:
        columns["ids"] = dataset["id"].to_numpy()
    return {**columns, **_keywords({str(key): value for key, value in dataset.attrs.items()})}


def _need_columns(there: Any, names: tuple[str, ...], what: str) -> None:
    missing = [name for name in names if name not in there]
    if missing:
        raise UsageError(f"{what} needs {', '.join(names)}; there is no {' and no '.join(missing)}")
