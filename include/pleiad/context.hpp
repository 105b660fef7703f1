/// What a call of the library may use and whom it tells: made by the user. The library itself reads no
/// environment, writes to no terminal and keeps no file that it was not told of.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace pleiad {

struct Context {
  int threads = 0;  ///< of this object alone; 0: as many as the machine offers. No bit depends on it.
  /// A file in which measurements are kept, so that the next object of the same kind need not measure and has
  /// the same bits: the command uses ~/.cache/pleiad/tune.json. Any number of processes may share it. Empty:
  /// everything is measured anew.
  std::filesystem::path cache{};
  /// Told what the user should know, a sentence each, by the thread that calls the library.
  std::function<void(const std::string&)> note{};
  /// Told what goes on while methods are measured, several times a second. What it throws ends the call.
  std::function<void(const std::string&)> progress{};
};

}  // namespace pleiad
