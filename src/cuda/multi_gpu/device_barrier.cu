#include "cuda/device/launch.hpp"
#include "cuda/device/ptx.hpp"
#include "cuda/multi_gpu/device_barrier.hpp"

namespace pleiad::cuda {
namespace {

/// The numbers are counted on the device, so that a launch that is recorded and replayed counts on.
__global__ void signal_barrier(BarrierState m) {
  const int other = static_cast<int>(threadIdx.x);
  const auto number = *m.signalled + 1;
  __syncwarp();
  if (other == 0) *m.signalled = number;
  if (other < m.devices) store_for_all(m.of_device[other] + m.me, number);
}

__global__ void wait_at_barrier(BarrierState m) {
  const int other = static_cast<int>(threadIdx.x);
  const auto number = *m.waited + 1;
  __syncwarp();
  if (other == 0) *m.waited = number;
  if (other == 0 && *m.signalled != number) *m.late = not_in_turn;
  if (other >= m.devices) return;
  const auto begin = nanoseconds();
  for (unsigned polls = 1; load_from_any(m.of_device[m.me] + other) < number; ++polls) {
    // The host's memory is far away: seldom.
    if (polls % 1024 == 0 && *m.stop != 0) return;
    if (nanoseconds() - begin > patience_seconds * 1'000'000'000) {
      *m.late = 1 + other;
      *m.stop = 1;
      return;
    }
  }
}

}  // namespace

void signal(const BarrierState& m, void* stream) {
  launch("signal device barrier", signal_barrier, {.blocks = 1, .threads = 32}, stream, m);
}
void wait_for_signals(const BarrierState& m, void* stream) {
  launch("wait at device barrier", wait_at_barrier, {.blocks = 1, .threads = 32}, stream, m);
}

}  // namespace pleiad::cuda
