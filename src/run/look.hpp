/// How the pictures of a run look: one view and one exposure for all of them, which checkpoints keep.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"
#include "render/render.hpp"

#include <string>

namespace pleiad::run {

struct Look {
  View view;
  bool settled = false;  ///< the view is that of all pictures
  Exposure exposure;     ///< of the last picture that was drawn

  /// As the options ask. UsageError for a projection that is none.
  explicit Look(const Options& options);
  /// All pictures show what the first one does: `fitted` to its bodies.
  void settle(const View& fitted);
  /// For a checkpoint, and back.
  std::string text() const;
  void restore(const std::string& text);
};

}  // namespace pleiad::run
