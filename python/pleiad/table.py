"""Tables: named columns of numbers or words, read from the program's files or made by a measurement."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._absent import need
from ._checked import checked, plain
from ._strict import Strict
from .errors import InputError, MissingFile, UsageError

if TYPE_CHECKING:
    import pandas

__all__ = ["Table", "read_table"]


def __dir__() -> list[str]:
    return __all__


class Table(Strict):
    """Columns of one length, by name.

    Parameters
    ----------
    columns
        An array or a list for each name, all of one length.
    about
        Values that hold for the whole table, such as ``{"units": "nbody"}``.

    Raises
    ------
    UsageError
        For columns that are not one-dimensional, or of different lengths.

    Examples
    --------
    >>> table = pleiad.Table({"time": [0.0, 0.5, 1.0], "energy": [-0.25, -0.25, -0.25]})
    >>> len(table), table["time"].tolist()
    (3, [0.0, 0.5, 1.0])
    >>> table
    time  energy
       0   -0.25
     0.5   -0.25
       1   -0.25
    [3 rows]
    """

    __slots__ = ("__weakref__", "_columns", "about")

    def __init__(self, columns: Mapping[str, Any], about: Mapping[str, str] | None = None) -> None:
        self._columns = {name: np.asarray(plain(name, values)) for name, values in columns.items()}
        #: Values that hold for the whole table.
        self.about: dict[str, str] = dict(about or {})
        lengths = {name: values.shape for name, values in self._columns.items()}
        if any(len(shape) != 1 for shape in lengths.values()) or len(set(lengths.values())) > 1:
            raise UsageError(
                f"the columns of a table must be one-dimensional and of one length, not {lengths}"
            )

    @classmethod
    def of_rows(cls, rows: Sequence[Mapping[str, Any]], about: Mapping[str, str] | None = None) -> Table:
        """The table of rows that all have the same names.

        Parameters
        ----------
        rows
            A number or a word for each name.
        about
            Values that hold for the whole table.

        Returns
        -------
        Table
            Empty where there are no rows.
        """
        names = list(rows[0]) if rows else []
        return cls({name: [row[name] for row in rows] for name in names}, about)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names, in order."""
        return tuple(self._columns)

    def __getitem__(self, name: str) -> NDArray[Any]:
        try:
            return self._columns[name]
        except KeyError:
            raise UsageError(f"no column '{name}'; there are {', '.join(self._columns)}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """The number of rows."""
        return len(next(iter(self._columns.values()))) if self._columns else 0

    def where(self, rows: Any) -> Table:
        """Selects rows.

        Parameters
        ----------
        rows
            A slice, a mask or indices.

        Returns
        -------
        Table
            With the same columns.
        """
        return type(self)({name: values[rows] for name, values in self._columns.items()}, self.about)

    def to_pandas(self) -> pandas.DataFrame:
        """Converts to a pandas ``DataFrame``.

        Returns
        -------
        pandas.DataFrame
            With ``about`` as its ``attrs``.

        Raises
        ------
        ImportError
            Without pandas.
        """
        frame: pandas.DataFrame = need("pandas").DataFrame(self._columns)
        frame.attrs.update(self.about)
        return frame

    @checked
    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes a CSV file that :func:`read_table` reads back, numbers with all their digits.

        Parameters
        ----------
        path
            The file, which is replaced if it is there.

        Raises
        ------
        OSError
            When it cannot be written.
        """
        with Path(path).open("w", newline="", encoding="utf-8") as file:
            for key, value in self.about.items():
                file.write(f"# {key}: {value}\n")
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self._columns)
            writer.writerows(zip(*(values.tolist() for values in self._columns.values()), strict=True))

    def _cells(self, most: int = 20) -> list[list[str]]:
        rows = range(len(self)) if len(self) <= most else [*range(most // 2), *range(-(most // 2), 0)]
        cells = [[_text(values[row]) for values in self._columns.values()] for row in rows]
        if len(self) > most:
            cells.insert(most // 2, ["..."] * len(self._columns))
        return cells

    def __repr__(self) -> str:
        table = [list(self._columns), *self._cells()]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = [
            "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in table
        ]
        return "\n".join([*lines, f"[{len(self)} rows]"])

    def _repr_html_(self) -> str:
        def row(cells: Sequence[str], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        body = "".join(row(cells, "td") for cells in self._cells())
        return f"<table>{row(list(self._columns), 'th')}{body}</table><p>{len(self)} rows</p>"


def _text(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float | np.floating) else str(value)


def _values(cells: list[str]) -> NDArray[Any]:
    """Whole numbers, numbers (of which some may be missing), or else words."""
    words = np.array(cells, dtype=np.str_)
    for kind, missing in ((np.int64, ""), (np.float64, "nan" if any(cells) else "")):
        try:
            return np.where(words == "", missing, words).astype(kind)
        except (ValueError, OverflowError):
            continue
    return words


@checked
def read_table(path: str | os.PathLike[str]) -> Table:
    """Reads a table that the program wrote.

    That is ``diagnostics.txt``, ``accuracy.txt``, ``events.csv``, the trajectories, ``ensemble.csv`` or
    ``ensemble_times.csv`` of an output folder, or what ``pleiad accuracy --csv`` and :meth:`Table.write`
    write.

    Parameters
    ----------
    path
        The file, or the output folder of a run, whose ``diagnostics.txt`` is meant.

    Returns
    -------
    Table
        Columns of whole numbers, numbers or words; comments such as ``# units: nbody`` are in ``about``.
        Cells that are empty among numbers are NaN.

    Raises
    ------
    MissingFile
        When there is no such file.
    InputError
        When the file cannot be read, or a row has not as many cells as there are names.
    """
    file = Path(path)
    if file.is_dir():
        file = file / "diagnostics.txt"
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise MissingFile(f"{file}: there is no such file") from None
    except (OSError, UnicodeDecodeError) as failure:
        raise InputError(f"{file}: cannot be read as a table: {failure}") from None

    about: dict[str, str] = {}
    names: list[str] = []
    rows: list[list[str]] = []
    for number, line in enumerate(lines, start=1):
        text = line.removeprefix("#").strip()
        if line.startswith("#"):
            key, colon, value = text.partition(": ")
            if colon:
                about[key] = value
            else:
                names = text.split()
        elif "," in line or (not names and text):
            cells = next(csv.reader([line]))
            if not names:
                names = cells
                continue
            rows.append(cells)
        elif text:
            # Words with blanks between them, such as a kernel with its settings, stand last.
            rows.append(text.split(maxsplit=len(names) - 1))
        if rows and len(rows[-1]) != len(names):
            raise InputError(
                f"{file}: line {number} has {len(rows[-1])} cells, but there are {len(names)} names"
            )
    if not names:
        raise InputError(f"{file}: no table: there is no line with the names of columns")
    columns = zip(*rows, strict=True) if rows else ((),) * len(names)
    return Table({name: _values(list(cells)) for name, cells in zip(names, columns, strict=True)}, about)
