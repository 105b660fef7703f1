"""Stands in for CuPy on the emulated GPU, whose memory is the host's: as much of it as the tests of simulations use."""
# SPDX-FileCopyrightText: Pleiad contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any

import numpy as np

KDL_CUDA = 2


class _Tensor(ctypes.Structure):
    """DLTensor of dlpack.h."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class ndarray(np.ndarray):  # type: ignore[type-arg]
    """An array of NumPy's with what CuPy's have besides."""

    def get(self) -> Any:
        return np.array(self)

    @property
    def data(self) -> Any:
        return SimpleNamespace(ptr=self.__array_interface__["data"][0])


def from_dlpack(x: Any) -> ndarray:
    capsule = x.__dlpack__() if hasattr(x, "__dlpack__") else x
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    tensor = _Tensor.from_address(pointer(capsule, b"dltensor"))
    assert tensor.device_type == KDL_CUDA
    size = tensor.bits // 8
    shape = tuple(tensor.shape[: tensor.ndim])
    strides = tuple(size * stride for stride in tensor.strides[: tensor.ndim])
    extent = size + sum((length - 1) * stride for length, stride in zip(shape, strides))
    memory = type("Memory", (ctypes.c_char * extent,), {}).from_address(tensor.data + tensor.byte_offset)
    memory.capsule = capsule  # which keeps the memory
    return np.ndarray(shape, f"f{size}", memory, strides=strides).view(ndarray)


class Stream:
    """Whatever is queued on the emulated GPU is done at once."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        pass


cuda = SimpleNamespace(Stream=Stream, ExternalStream=Stream)
