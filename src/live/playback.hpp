/// Plays a timeline: the time that a browser requests, or one after another.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "live/timeline.hpp"
#include "live/view_server.hpp"

#include <cstddef>

namespace pleiad::live {

class Playback {
 public:
  /// Shows the first time. Both outlive the playback.
  Playback(const Timeline& timeline, ViewServer& view_server);
  /// Handles requests of browsers, for some seconds at most.
  void attend(double seconds);

 private:
  void show(std::size_t k);
  void show_if_whole(std::size_t k);
  void tell();
  void obey(const Demand& demand);

  const Timeline& timeline_;
  ViewServer& view_server_;
  std::size_t shown_ = 0;
  bool playing_ = false;
  double rate_ = 1, next_at_ = 0;
  Status status_{};
};

}  // namespace pleiad::live
