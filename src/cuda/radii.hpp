/// The density centre and the Lagrangian radii of bodies on the device. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/radii.hpp>

#include <cstddef>

namespace pleiad::cuda {

/// The bits that the host finds for the same bodies. Waits for its passes, of which nothing comes to the host
/// but sums, histograms and the few bodies that share a bucket. T is float or double.
template <class T>
Radii radii(const Mass<T>* bodies, std::size_t n, void* stream);

}  // namespace pleiad::cuda
