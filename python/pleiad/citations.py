"""Citations of the program."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from ._works import cite_program

__all__ = ["cite"]


def __dir__() -> list[str]:
    return __all__


def cite() -> str:
    """Returns the citation of the program; `Simulation.cite` adds the methods that a simulation uses.

    Returns
    -------
    str
        BibTeX.

    Examples
    --------
    >>> print(pleiad.cite().splitlines()[0])
    @software{pleiad,
    """
    return cite_program()
