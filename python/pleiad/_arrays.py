"""Arrays of NumPy, CuPy, PyTorch and JAX as one: where they are, their copies, results of the same kind, their stream."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from . import _core
from ._checked import plain
from .errors import UsageError

FLOATS = ("float32", "float64")
_NAMES = {np.dtype(name): name for name in FLOATS}  # str(dtype) takes microseconds


def aligned_empty(shape: Sequence[int], dtype: str, alignment: int = 64) -> Any:
    """A NumPy array whose memory begins at a multiple of `alignment` bytes."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.empty(size + alignment, np.uint8)
    start = -memory.ctypes.data % alignment
    return memory[start : start + size].view(dtype).reshape(shape)


class Kind:
    """What a library of arrays can do; this one is NumPy. The module sees an array as `view` gives it."""

    name = "NumPy"
    slices = True  # without a copy

    def own(self, x: Any, name: str, dtype: str | None = None) -> Any:
        """An array of `dtype`, or of one of FLOATS: one of this kind and type as it is, everything else a copy."""
        a = self.taken(plain(name, x), name)
        wanted = dtype or self.float_of(a)
        if self.is_native(a, wanted):
            return a
        if not self.is_real(a):
            raise UsageError(f"{name} must be of type float32 or float64, not {self.dtype(a)}")
        return self.cast(a, wanted, name)

    def taken(self, x: Any, name: str) -> Any:
        """An array of this kind, of any type."""
        try:
            return np.asarray(x)
        except (TypeError, ValueError) as failure:
            raise UsageError(f"{name} must be numbers: {failure}") from None

    def float_of(self, a: Any) -> str:
        """What numbers of its type become: themselves in the byte order of this machine, or else float64."""
        name = _NAMES.get(a.dtype) or a.dtype.newbyteorder("=").name
        return name if name in FLOATS else "float64"

    def is_native(self, a: Any, dtype: str) -> bool:
        return bool(a.dtype == dtype)

    def is_real(self, a: Any) -> bool:
        return a.dtype.kind in "iubfO"

    def cast(self, a: Any, dtype: str, name: str) -> Any:
        try:
            with np.errstate(over="ignore", invalid="ignore"):  # what is no longer finite is told by its body
                return a.astype(dtype)
        except (TypeError, ValueError) as failure:
            raise UsageError(f"{name} must be numbers: {failure}") from None

    def dtype(self, x: Any) -> str:
        return _NAMES.get(x.dtype) or str(x.dtype)

    def is_strided_well(self, x: Any) -> bool:
        """Whether its strides are whole numbers of elements and none is negative."""
        return all(s >= 0 and s % x.itemsize == 0 for s in x.strides)

    def is_contiguous(self, x: Any) -> bool:
        return bool(x.flags.c_contiguous)

    def address(self, x: Any) -> int:
        return int(x.__array_interface__["data"][0])

    def contiguous(self, x: Any) -> Any:
        return np.ascontiguousarray(x)

    def empty(self, shape: Sequence[int], dtype: str, like: Any) -> Any:
        return aligned_empty(shape, dtype)

    def full(self, n: int, value: float, dtype: str, like: Any) -> Any:
        """The same number n times, where `like` is."""
        return np.full(n, value, dtype)

    def copy_into(self, x: Any, out: Any) -> None:
        out[...] = x

    def view(self, x: Any) -> Any:
        return x

    def finished(self, x: Any) -> Any:
        """The result as users of this kind have it."""
        return x

    def gpu(self, x: Any) -> int | None:
        """The number of the GPU in whose memory it is; None: the host's."""
        return None

    def stream(self, x: Any) -> tuple[int, Any]:
        """The queue in which the caller's work on this GPU is, and what keeps it alive."""
        return 0, None

    def on_device_of(self, x: Any) -> AbstractContextManager[Any]:
        """While it lives the library makes arrays where `x` is."""
        return nullcontext()

    def waits(self) -> bool:
        """Whether results must be there when a call ends, since no stream says when they are."""
        return False


class Cupy(Kind):
    name = "CuPy"

    def __init__(self) -> None:
        import cupy

        self._cupy = cupy

    def taken(self, x: Any, name: str) -> Any:
        try:
            return self._cupy.asarray(x)
        except (TypeError, ValueError) as failure:
            raise UsageError(f"{name} must be numbers: {failure}") from None

    def address(self, x: Any) -> int:
        return int(x.data.ptr)

    def contiguous(self, x: Any) -> Any:
        return self._cupy.ascontiguousarray(x)

    def empty(self, shape: Sequence[int], dtype: str, like: Any) -> Any:
        return self._cupy.empty(tuple(shape), dtype)

    def full(self, n: int, value: float, dtype: str, like: Any) -> Any:
        return self._cupy.full(n, value, dtype)

    def view(self, x: Any) -> Any:
        return _Exchanged(x, True)

    def gpu(self, x: Any) -> int | None:
        return int(x.device.id)

    def stream(self, x: Any) -> tuple[int, Any]:
        stream = self._cupy.cuda.get_current_stream()
        return int(stream.ptr), stream

    def on_device_of(self, x: Any) -> AbstractContextManager[Any]:
        device: AbstractContextManager[Any] = x.device
        return device


class Torch(Kind):
    name = "PyTorch"

    def __init__(self) -> None:
        import torch

        self._torch = torch

    def taken(self, x: Any, name: str) -> Any:
        try:
            return self._torch.as_tensor(x)
        except (TypeError, ValueError, RuntimeError) as failure:
            raise UsageError(f"{name} must be numbers: {failure}") from None

    def float_of(self, a: Any) -> str:
        name = self.dtype(a)
        return name if name in FLOATS else "float64"

    def is_native(self, a: Any, dtype: str) -> bool:
        return self.dtype(a) == dtype

    def is_real(self, a: Any) -> bool:
        return not a.is_complex()

    def cast(self, a: Any, dtype: str, name: str) -> Any:
        return a.to(getattr(self._torch, dtype))

    def dtype(self, x: Any) -> str:
        return str(x.dtype).removeprefix("torch.")

    def is_strided_well(self, x: Any) -> bool:
        return True

    def is_contiguous(self, x: Any) -> bool:
        return bool(x.is_contiguous())

    def address(self, x: Any) -> int:
        return int(x.data_ptr())

    def contiguous(self, x: Any) -> Any:
        return x.contiguous()

    def empty(self, shape: Sequence[int], dtype: str, like: Any) -> Any:
        return self._torch.empty(tuple(shape), dtype=getattr(self._torch, dtype), device=like.device)

    def full(self, n: int, value: float, dtype: str, like: Any) -> Any:
        return self._torch.full((n,), value, dtype=getattr(self._torch, dtype), device=like.device)

    def view(self, x: Any) -> Any:
        # Not its gradient: forces are not differentiated.
        return _Exchanged(x.detach(), self.gpu(x) is not None)

    def gpu(self, x: Any) -> int | None:
        return int(x.device.index) if x.device.type == "cuda" else None

    def stream(self, x: Any) -> tuple[int, Any]:
        if x.device.type != "cuda":
            return 0, None
        stream = self._torch.cuda.current_stream(x.device)
        return int(stream.cuda_stream), stream

    def on_device_of(self, x: Any) -> AbstractContextManager[Any]:
        if x.device.type != "cuda":
            return nullcontext()
        device: AbstractContextManager[Any] = self._torch.cuda.device(x.device)
        return device


class Jax(Kind):
    """Arrays of JAX cannot be written to: results are made apart, in memory that JAX then takes over."""

    name = "JAX"
    slices = False

    def __init__(self) -> None:
        import jax

        self._jax = jax

    def taken(self, x: Any, name: str) -> Any:
        if isinstance(x, self._jax.Array):  # `asarray` takes 30 us of one
            return x
        try:
            return self._jax.numpy.asarray(x)
        except (TypeError, ValueError) as failure:
            raise UsageError(f"{name} must be numbers: {failure}") from None

    def float_of(self, a: Any) -> str:
        name = self.dtype(a)
        return name if name in FLOATS else "float64" if self._jax.config.jax_enable_x64 else "float32"

    def is_real(self, a: Any) -> bool:
        return not self._jax.numpy.issubdtype(a.dtype, self._jax.numpy.complexfloating)

    def cast(self, a: Any, dtype: str, name: str) -> Any:
        return a.astype(dtype)

    def is_strided_well(self, x: Any) -> bool:
        return True

    def is_contiguous(self, x: Any) -> bool:
        return True

    def address(self, x: Any) -> int:
        return int(x.unsafe_buffer_pointer())

    def contiguous(self, x: Any) -> Any:
        return x

    def empty(self, shape: Sequence[int], dtype: str, like: Any) -> Any:
        gpu = self.gpu(like)
        if gpu is None:
            return aligned_empty(shape, dtype)
        from ._module import with_kernels_for_gpus

        return (with_kernels_for_gpus() or _core).device_array(list(shape), dtype, gpu)

    def full(self, n: int, value: float, dtype: str, like: Any) -> Any:
        return self._jax.numpy.full(n, value, dtype, device=like.sharding)

    def view(self, x: Any) -> Any:
        if isinstance(x, self._jax.Array):
            x.block_until_ready()  # there is no stream of JAX's to wait in
        return x

    def finished(self, x: Any) -> Any:
        return self._jax.dlpack.from_dlpack(x)

    def gpu(self, x: Any) -> int | None:
        (device,) = x.devices()
        return int(device.local_hardware_id) if device.platform in ("gpu", "cuda") else None

    def waits(self) -> bool:
        return True


class _Exchanged:
    """An array that is exported without a copy: the importing library works in the stream of its owner, so that no other stream must wait."""

    def __init__(self, array: Any, on_gpu: bool) -> None:
        self._array = array
        self._on_gpu = on_gpu

    def __dlpack__(self, **_: Any) -> Any:
        return self._array.__dlpack__(stream=-1) if self._on_gpu else self._array.__dlpack__()

    def __dlpack_device__(self) -> Any:
        return self._array.__dlpack_device__()


_KINDS = {"cupy": Cupy, "torch": Torch, "jax": Jax, "jaxlib": Jax}
_made: dict[str, Kind] = {"numpy": Kind()}


def kind_of(*arrays: Any) -> Kind:
    """The library whose arrays these are; lists and numbers go with NumPy. UsageError when there are two."""
    names = {module for a in arrays for module in [type(a).__module__.partition(".")[0]] if module in _KINDS}
    names = {"jax" if name == "jaxlib" else name for name in names}
    if len(names) > 1:
        both = " and ".join(sorted(_KINDS[n].name for n in names))
        raise UsageError(f"arrays of {both} in one call: bring all to one of them")
    name = names.pop() if names else "numpy"
    if name not in _made:
        if name not in sys.modules:
            raise UsageError(f"arrays of {name} need {name} imported")
        _made[name] = _KINDS[name]()
    return _made[name]
