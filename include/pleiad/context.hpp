/// Resources and callbacks that the user gives to the library. The library itself reads no environment
/// variables, prints nothing, and keeps no files except the one named here.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace pleiad {

/// The resources that an object of the library may use, and its callbacks. Copied; all members are optional.
struct Context {
  int threads = 0;  ///< number of threads of this object; 0: all. Results do not depend on it, bit for bit.
  /// A file for measurements, so that the next object of the same kind need not measure, and has the same
  /// bits. The command uses ~/.cache/pleiad/tune.json. Several processes may share the file. Empty: every
  /// object measures again.
  std::filesystem::path cache{};
  /// Called with each note for the user, one sentence, in the thread that calls the library.
  std::function<void(const std::string&)> note{};
  /// Called several times a second while methods are measured. An exception from it ends the call.
  std::function<void(const std::string&)> progress{};
};

}  // namespace pleiad
