/// Pictures where the bodies are: what they shed on planes of pixels, laid on the device. Plain C++; all
/// pointers are the device's.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/splat.hpp"

#include <pleiad/vec.hpp>

#include <cstddef>
#include <functional>
#include <memory>

namespace pleiad::cuda {

/// Where layers come to on the host: kept for the next picture.
struct LayerStaging;

/// Queues the work that lays the light of n bodies as they are then. What is returned waits for it and has
/// the layers: called once, in any thread. Light is added in fixed point: the same bits on every day. Waits
/// only until the bodies are counted; T is float or double.
template <class T>
std::function<splat::ImagePlanes()> begin_image_planes(const Mass<T>* x, std::size_t n,
                                                       const splat::Request& request,
                                                       std::shared_ptr<LayerStaging>& staging, void* stream);

}  // namespace pleiad::cuda
