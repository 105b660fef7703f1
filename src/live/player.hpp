/// Shows a film: the time that a browser asks for, or one after the other.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "live/film.hpp"
#include "live/stage.hpp"

#include <cstddef>

namespace pleiad::live {

class Player {
 public:
  /// Shows the first time. Both outlive the player.
  Player(const Film& film, Stage& stage);
  /// Does what browsers ask for, for some seconds at most.
  void attend(double seconds);

 private:
  void show(std::size_t k);
  void show_if_whole(std::size_t k);
  void tell();
  void obey(const Demand& demand);

  const Film& film_;
  Stage& stage_;
  std::size_t shown_ = 0;
  bool playing_ = false;
  double rate_ = 1, next_at_ = 0;
  Status status_{};
};

}  // namespace pleiad::live
