"""A simulation in a browser while it steps."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING, Any
from weakref import finalize, ref

from ._strict import Strict

if TYPE_CHECKING:
    from .simulation import Simulation


__all__ = ["View"]


def __dir__() -> list[str]:
    return __all__


class View(Strict):
    """What :meth:`Simulation.view` returns: the address of a page that shows the simulation.

    It ends with `close()`, with a `with` block, and with the simulation, which it does not keep.

    Parameters
    ----------
    simulation
        What is shown.
    core
        The server of its page, of the extension module.
    """

    __slots__ = ("__weakref__", "_closing", "_core", "_simulation")

    def __init__(self, simulation: Simulation, core: Any) -> None:
        self._simulation = ref(simulation)
        self._core = core
        # Also when Python ends.
        self._closing = finalize(simulation, core.close)

    @property
    def url(self) -> str:
        """Where to look. It has the token: whoever has it and is on this machine can look too. Empty when the view is closed."""
        return str(self._core.url)

    def close(self) -> None:
        """Ends the page's connection; steps of another thread go on. A second call does nothing."""
        self._closing()

    def __enter__(self) -> View:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<pleiad.View at {self.url}>" if self.url else "<pleiad.View, closed>"

    def _repr_html_(self) -> str:
        """A link to the page, and a picture of now. No frame: the page refuses to be within another one."""
        url, simulation = escape(self.url), self._simulation()
        if not url or simulation is None:
            return "<p>The live view is closed.</p>"
        link = f'<p><a href="{url}" target="_blank" rel="noopener noreferrer">Open the live view</a>: {len(simulation)} bodies at {url.split("?")[0]}</p>'
        try:
            png = b64encode(simulation.picture(400)).decode()
        except RuntimeError:  # it steps in another thread
            return link
        return f'{link}<img width="400" height="400" alt="the bodies" src="data:image/png;base64,{png}">'
