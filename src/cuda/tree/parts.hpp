/// Bodies by the parts of the curve that several GPUs have, on their way there, and their sums on the way
/// back. Plain C++; all pointers and spans are the device's.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/vec.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace pleiad::cuda::tree {

/// Bounds for which there is room in count_between.
constexpr std::size_t most_bounds = 4096;
/// Adds to counts[k] how many of these keys, in any order, are below bounds[k] and no less than the bound
/// before it, and to the last of the counts how many are no less than the last bound. At most `most_bounds`,
/// ascending.
void count_between(std::span<const std::uint64_t> keys, std::span<const std::uint64_t> bounds,
                   std::uint64_t* counts, void* stream);
/// parts[i]: how many of the ascending `begins`, less one, are no more than keys[i].
void find_parts(std::span<const std::uint64_t> keys, std::span<const std::uint64_t> begins,
                std::uint64_t* parts, void* stream);
/// to[i] = from[order[i]].
template <class T>
void reorder(std::span<const Mass<T>> from, const std::uint32_t* order, Mass<T>* to, void* stream);
/// to[order[i]] = from[i].
template <class T>
void put_back(std::span<const Vec4<T>> from, const std::uint32_t* order, Vec4<T>* to, void* stream);

}  // namespace pleiad::cuda::tree
