/// A part of the bodies, so that measurements on some bodies need not copy all.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>

#include <cstddef>

namespace pleiad {

/// The first n of them, or all where there are no more.
Bodies first_of(const Bodies& bodies, std::size_t n);

}  // namespace pleiad
