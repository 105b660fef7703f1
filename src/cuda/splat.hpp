/// Pictures where the bodies are: what they shed on planes of pixels, laid on the device. Plain C++; all
/// pointers are the device's.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/splat.hpp"

#include <pleiad/vec.hpp>

#include <cstddef>

namespace pleiad::cuda {

/// The layers of n bodies. Light is added in fixed point: the same bits on every day. Waits for its result; T
/// is float or double.
template <class T>
splat::Layers layers_of(const Mass<T>* x, std::size_t n, const splat::Request& request, void* stream);

}  // namespace pleiad::cuda
