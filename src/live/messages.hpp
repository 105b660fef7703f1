/// Messages to the page other than frames: JSON texts.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "structure/systems.hpp"

#include <pleiad/bodies.hpp>
#include <pleiad/diagnostics.hpp>
#include <pleiad/gravity.hpp>
#include <pleiad/snapshot.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pleiad::live {

/// Properties that do not change during a view.
struct Setting {
  struct File {
    double time = 0;
    std::string name;
  };
  std::string title;
  std::size_t bodies = 0;
  double softening = 0;
  Boundary boundary{};
  Units units{};
  bool follow = false;       ///< whether the page keeps the centre of density in its middle at first
  bool control = false;      ///< whether the page may pause and stop
  bool files = false;        ///< finished files are shown, not a run
  std::vector<File> list{};  ///< of them, by time
};

struct Status {
  std::uint64_t step = 0;
  double time = 0, end = 0;
  double steps_per_second = 0;
  std::optional<double> seconds_left{};
  std::string solver, device;
  struct Errors {
    double median = 0, p99 = 0;
  };
  std::optional<Errors> force_error{};
  std::string state;                   ///< running, paused, ended or stopped
  std::optional<std::size_t> index{};  ///< of the file that is shown
};

/// Whether forces from outside move the bodies as a whole, so that a view at one place may lose them.
inline bool travels(const Gravity& gravity) {
  return !gravity.potentials.empty() && !gravity.boundary.periodic;
}

std::string hello_text(const Setting& setting);
std::string status_text(const Status& status);
std::string row_text(const Diagnostics& row);
std::string rows_text(std::span<const Diagnostics> rows);
/// Body i, in answer to `request`.
std::string picked_text(std::uint32_t request, const Snapshot& snapshot, std::size_t i);
/// The answer that there is no such body, or that it can no longer be identified.
std::string no_body_text(std::uint32_t request);
/// How many binaries and hierarchies there are, and where the components of the most strongly bound ones are.
std::string binaries_text(double time, const structure::Systems& systems);
/// The same where they are not looked for.
std::string no_binaries_text(double time);
std::string error_text(const std::string& message);

}  // namespace pleiad::live
