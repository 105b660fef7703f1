#include "cuda/device/launch.hpp"
#include "cuda/device/ptx.hpp"
#include "cuda/several/meeting.hpp"

namespace pleiad::cuda {
namespace {

/// The numbers are counted on the device, so that a launch that is recorded and replayed counts on.
__global__ void announce_meeting(Meetings m) {
  const int other = static_cast<int>(threadIdx.x);
  const auto number = *m.announced + 1;
  __syncwarp();
  if (other == 0) *m.announced = number;
  if (other < m.devices) store_for_all(m.of_device[other] + m.me, number);
}

__global__ void await_meeting(Meetings m) {
  const int other = static_cast<int>(threadIdx.x);
  const auto number = *m.awaited + 1;
  __syncwarp();
  if (other == 0) *m.awaited = number;
  if (other == 0 && *m.announced != number) *m.late = not_in_turn;
  if (other >= m.devices) return;
  const auto begin = nanoseconds();
  for (unsigned looks = 1; load_from_any(m.of_device[m.me] + other) < number; ++looks) {
    // The host's memory is far away: seldom.
    if (looks % 1024 == 0 && *m.stop != 0) return;
    if (nanoseconds() - begin > patience_seconds * 1'000'000'000) {
      *m.late = 1 + other;
      *m.stop = 1;
      return;
    }
  }
}

}  // namespace

void announce(const Meetings& m, void* stream) {
  launch("announce", announce_meeting, {.blocks = 1, .threads = 32}, stream, m);
}
void await(const Meetings& m, void* stream) {
  launch("await", await_meeting, {.blocks = 1, .threads = 32}, stream, m);
}

}  // namespace pleiad::cuda
