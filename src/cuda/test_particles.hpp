/// The bodies with mass among all in the memory of a GPU, for forces on test particles. Plain C++; all
/// pointers are the device's, and work is queued.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <cstddef>
#include <span>

namespace pleiad::cuda {

/// to[k] = from[chosen[k]]. Item: Mass or Vec4 of float or double, here and below.
template <class Item>
void gather(const Item* from, std::span<const std::size_t> chosen, Item* to, void* stream);
/// to[chosen[k]] = from[k].
template <class Item>
void scatter(const Item* from, std::span<const std::size_t> chosen, Item* to, void* stream);

}  // namespace pleiad::cuda
