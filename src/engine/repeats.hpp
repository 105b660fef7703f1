/// Records work at its second repetition, and replays the recording from then on.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace pleiad {

/// Key: identifies a piece of work. Recording: has clear(). Caches one recording per distinct step pattern of
/// a run, whose batches of steps begin and end differently from the steps between.
template <class Key, class Recording>
class Repeats {
 public:
  /// The recording of this work, to be replayed; null if the work must be queued. record(recording) makes a
  /// recording, or reports that this work cannot be recorded; then nothing is recorded from then on.
  template <class Record>
  const Recording* of(const Key& key, const Record& record) {
    ++now_;
    for (auto& each : remembered_)
      if (each.last > 0 && each.key == key) {
        each.last = now_;
        if (!each.recorded && possible_) each.recorded = possible_ = record(each.recording);
        return each.recorded ? &each.recording : nullptr;
      }
    auto& oldest = *std::ranges::min_element(remembered_, {}, &Remembered::last);
    oldest.recording.clear();
    oldest.key = key, oldest.last = now_, oldest.recorded = false;
    return nullptr;
  }
  void clear() {
    for (auto& each : remembered_) each.recording.clear(), each.last = 0, each.recorded = false;
    possible_ = true;
  }

 private:
  static constexpr std::size_t most = 8;
  struct Remembered {
    Key key{};
    Recording recording;
    std::uint64_t last = 0;  ///< when it came last; 0: never
    bool recorded = false;
  };
  std::array<Remembered, most> remembered_;
  std::uint64_t now_ = 0;
  bool possible_ = true;
};

}  // namespace pleiad
