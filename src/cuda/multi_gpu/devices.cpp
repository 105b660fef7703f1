/// Queues, and waiting for all of them.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/multi_gpu/devices.hpp"

#include "cuda/device/memory.hpp"
#include "cuda/multi_gpu/device_barrier.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace pleiad::cuda {

Devices::Devices(int count, bool reachable) {
  constexpr auto most = static_cast<std::size_t>(BarrierState::most_devices);
  if (count < 1 || count > device_count() || count > BarrierState::most_devices)
    throw ResourceError(std::to_string(count) + " GPUs asked for; there are " +
                            std::to_string(device_count()) + ", and at most " +
                            std::to_string(BarrierState::most_devices) + " work together",
                        Error::Code::no_device);
  const auto n = static_cast<std::size_t>(count);
  late_ = Pinned<int>(n + 1);
  std::fill_n(late_.data(), n + 1, 0);
  of_host_ = Pinned<BarrierState::Number>(most * n);
  std::fill_n(of_host_.data(), most * n, 0);
  barrier_states_.resize(n);
  for (std::size_t d = 0; d < n; ++d) {
    const OnDevice here(static_cast<int>(d));
    auto& stream = streams_.emplace_back(std::make_unique<Stream>());
    auto& numbers = numbers_.emplace_back(2 * most + 3);
    fill(numbers.data(), 0, numbers.size() * sizeof(BarrierState::Number), stream->get());
    cuda::wait(stream->get());
    for (auto& m : barrier_states_) {
      m.of_device[d] = reachable ? numbers.data() : of_host_.data() + most * d;
      m.arrived[d] = numbers.data() + most;
    }
    auto& mine = barrier_states_[d];
    mine.devices = count, mine.me = static_cast<int>(d);
    auto* const counts = numbers.data() + 2 * most;
    mine.signalled = counts, mine.waited = counts + 1, mine.passed = counts + 2;
    mine.late = late_.data() + d, mine.stop = late_.data() + n;
  }
}

void Devices::signal() {
  each([&](int d) {
    if (d != silent_) cuda::signal(barrier_states_[static_cast<std::size_t>(d)], stream(d));
  });
}

void Devices::wait_for_signals() {
  each([&](int d) { cuda::wait_for_signals(barrier_states_[static_cast<std::size_t>(d)], stream(d)); });
}

void Devices::abandon() noexcept {
  late_.data()[size()] = 1;
  for (int d = 0; d < size(); ++d) try {
      const OnDevice here(d);
      cuda::wait(stream(d));
    } catch (const Error&) {
      // A device that failed is idle.
    }
}

void Devices::give_up(int device, const std::string& why) {
  abandon();
  throw ResourceError("GPU " + std::to_string(device) + " of " + std::to_string(size()) + ": " + why);
}

void Devices::wait() {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  for (bool all = false; !all;) {
    all = true;
    each([&](int d) {
      try {
        all = done(stream(d)) && all;
      } catch (const Error& failure) {
        give_up(d, failure.what());
      }
    });
    // A thread that sleeps wakes up some 70 microseconds late: less than a thousandth of the wait.
    if (!all && Clock::now() - begin > std::chrono::milliseconds(100))
      std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  for (int d = 0; d < size(); ++d) {
    const int late = late_.data()[d];
    if (late == not_in_turn)
      throw std::logic_error("devices: a barrier was not signalled and waited for in turn");
    if (late != 0)
      give_up(late - 1, "GPU " + std::to_string(d) + " waited " + std::to_string(patience_seconds) +
                            " seconds for it in vain");
  }
}

}  // namespace pleiad::cuda
