"""A simulation in a browser while it steps."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING, Any
from weakref import finalize, ref

from ._checked import checked
from ._strict import Strict
from .errors import UsageError

if TYPE_CHECKING:
    from .simulation import Simulation


__all__ = ["View", "Widget"]


def __dir__() -> list[str]:
    return __all__


_HOSTS = ("localhost", "127.0.0.1")


class Widget(Strict):
    """A live view in a notebook: what :meth:`View.widget` returns.

    Parameters
    ----------
    url
        The address of the page.
    height
        The height of the frame, in pixels.
    """

    __slots__ = ("_height", "_url")

    def __init__(self, url: str, height: int) -> None:
        self._url, self._height = url, height

    def __repr__(self) -> str:
        return f"<pleiad.view.Widget of {self._url}>"

    def _repr_html_(self) -> str:
        return f'<iframe src="{escape(self._url)}" title="live view" width="100%" height="{self._height}" style="border: 0" allow="fullscreen"></iframe>'


class View(Strict):
    """What :meth:`Simulation.view` returns: the address of a page that shows the simulation.

    It ends with `close()`, with a `with` block, and with the simulation, which it does not keep.

    Parameters
    ----------
    simulation
        The simulation on the page.
    core
        The server of its page, of the extension module.
    frames
        Whether that lets notebooks show the page in a frame.
    """

    __slots__ = ("__weakref__", "_closing", "_core", "_frames", "_simulation")

    def __init__(self, simulation: Simulation, core: Any, frames: bool = False) -> None:
        self._simulation = ref(simulation)
        self._core = core
        self._frames = frames
        # Also when Python ends.
        self._closing = finalize(simulation, core.close)

    @property
    def url(self) -> str:
        """The address of the view, with the token: everyone with the token and access to this machine can open it. Empty when the view is closed."""
        return str(self._core.url)

    def close(self) -> None:
        """Closes the page's connection. Steps of another thread continue. A second call does nothing."""
        self._closing()

    @checked(height=(100, 10_000))
    def widget(self, height: int = 480, *, host: str = "localhost") -> Widget:
        """The page in a frame, as the last line of a notebook's cell: ``sim.view(frames=True).widget()``.

        Parameters
        ----------
        height
            In pixels; it is as wide as the notebook.
        host
            ``localhost`` or ``127.0.0.1``: as the address of the notebook begins, since a browser shows a view of another host without
            its cookie, which is the page of an error.

        Returns
        -------
        Widget
            The frame. It has the token of the view.

        Raises
        ------
        UsageError
            When the view is closed, or was made without ``frames=True``, and for another host.
        """
        if not self._frames:
            raise UsageError("this view lets no page show it in a frame: make it with sim.view(frames=True)")
        if host not in _HOSTS:
            raise UsageError(f"host must be one of {', '.join(_HOSTS)}, not {host!r}")
        if not self.url:
            raise UsageError("the live view is closed")
        return Widget(self.url.replace("127.0.0.1", host, 1), height)

    def __enter__(self) -> View:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<pleiad.View at {self.url}>" if self.url else "<pleiad.View, closed>"

    def _repr_html_(self) -> str:
        """A link to the page, and a picture of now; `widget` has the page itself."""
        url, simulation = escape(self.url), self._simulation()
        if not url or simulation is None:
            return "<p>The live view is closed.</p>"
        link = f'<p><a href="{url}" target="_blank" rel="noopener noreferrer">Open the live view</a>: {len(simulation)} bodies at {url.split("?")[0]}</p>'
        try:
            png = b64encode(simulation.picture(400)).decode()
        except RuntimeError:  # it steps in another thread
            return link
        return f'{link}<img width="400" height="400" alt="the bodies" src="data:image/png;base64,{png}">'
