/// Releases memory before the end of its owner's life, because a rank has no memory for two copies of its
/// bodies.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pleiad::domain {

/// Frees the memory of each value. An assignment of {} may only empty it.
template <class... Values>
void release(Values&... values) {
  ((values = Values()), ...);
}

}  // namespace pleiad::domain
