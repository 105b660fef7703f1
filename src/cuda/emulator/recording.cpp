/// Recordings on emulated devices, which take turns: one that did all its work at once would wait in vain for
/// the others, so the work of all is kept as it was queued.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/multi_gpu/recording.hpp"

namespace pleiad::cuda {

bool Recording::record(Devices&, const std::function<void()>& queue) {
  queue_ = queue;
  empty_ = false;
  return true;
}
void Recording::replay(const Devices&) const { queue_(); }
void Recording::clear() noexcept {
  queue_ = nullptr;
  empty_ = true;
}

}  // namespace pleiad::cuda
