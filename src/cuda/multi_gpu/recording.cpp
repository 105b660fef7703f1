/// A graph for each device.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/multi_gpu/recording.hpp"

namespace pleiad::cuda {
namespace {

/// Limits devices to one at a time, until it ends.
class OneByOne {
 public:
  explicit OneByOne(Devices& devices) : devices_(devices) {}
  OneByOne(const OneByOne&) = delete;
  OneByOne& operator=(const OneByOne&) = delete;
  ~OneByOne() { devices_.limit_to(-1); }

 private:
  Devices& devices_;
};

}  // namespace

void Recording::clear() noexcept {
  for (auto& graph : graphs_) graph.clear();
  empty_ = true;
}
bool Recording::record(Devices& devices, const std::function<void()>& queue) {
  clear();
  const OneByOne turns(devices);
  for (int d = 0; d < devices.size(); ++d) {
    const OnDevice here(d);
    devices.limit_to(d);
    if (!graphs_[static_cast<std::size_t>(d)].record(devices.stream(d), queue)) {
      clear();
      return false;
    }
  }
  empty_ = false;
  return true;
}
void Recording::replay(const Devices& devices) const {
  devices.each([&](int d) { graphs_[static_cast<std::size_t>(d)].replay(devices.stream(d)); });
}

}  // namespace pleiad::cuda
