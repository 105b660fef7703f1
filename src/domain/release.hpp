/// Memory given back before its owner's time: of all bodies of a rank there is no room twice.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pleiad::domain {

/// Also where an assignment of {} would only make it empty.
template <class... Values>
void release(Values&... values) {
  ((values = Values()), ...);
}

}  // namespace pleiad::domain
