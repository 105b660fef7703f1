/// The updates of the bodies between two force evaluations.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pleiad {

/// The update of each body in one pass: up to two kicks, then damping, then a drift. Each of them is rounded
/// by itself, so merged passes have the result of separate ones, bit for bit.
template <class T>
struct Update {
  int kicks = 0;
  T kick[2]{};
  bool damps = false;
  T damping = 1;
  bool drifts = false;
  T drift = 0;

  bool operator==(const Update&) const = default;
};

}  // namespace pleiad
