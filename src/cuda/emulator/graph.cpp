/// Graphs on the emulated device: the work itself is kept, and done at every replay.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/graph.hpp"

#include "cuda/emulator/runtime.hpp"

namespace pleiad::cuda {
namespace {
using Queue = std::function<void()>;
}

bool Graph::record(void*, const Queue& queue) {
  clear();
  called();
  executable_ = new Queue(queue);
  return true;
}
void Graph::replay(void*) const {
  called();
  (*static_cast<const Queue*>(executable_))();
}
void Graph::clear() noexcept {
  delete static_cast<Queue*>(executable_);
  executable_ = nullptr;
}

}  // namespace pleiad::cuda
