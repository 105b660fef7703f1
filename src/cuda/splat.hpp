/// Deposits luminosity on image planes on the GPU, in fixed point: deterministic. Plain C++; all pointers are
/// device pointers.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/splat.hpp"

#include <pleiad/vec.hpp>

#include <cstddef>
#include <functional>
#include <memory>

namespace pleiad::cuda {

/// Host memory for image planes: kept for the next picture.
struct LayerStaging;

/// Queues the deposit of the luminosities of n bodies in their present state. The returned function waits for
/// it and returns the planes; call it once, in any thread. Sums are in fixed point, so the result is the
/// same, bit for bit, in every run. Waits only until the bodies are counted; T is float or double.
template <class T>
std::function<splat::ImagePlanes()> begin_image_planes(const Mass<T>* x, std::size_t n,
                                                       const splat::Request& request,
                                                       std::shared_ptr<LayerStaging>& staging, void* stream);

}  // namespace pleiad::cuda
