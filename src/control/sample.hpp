/// The sample of a watch as text: a simulation that is resumed must be measured on the same bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/accuracy.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pleiad::control {

/// Returns a sample as text, in full precision.
std::string text_of(const Sample& sample);
/// The inverse, for n bodies; none if it names no body. InputError, which begins with `where`, for a body
/// that is not one of these.
std::optional<Sample> sample_in(const std::string& text, std::size_t n, std::string_view where);

}  // namespace pleiad::control
