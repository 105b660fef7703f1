/// Machine and program of a measurement, which are in every row.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace pleiad::bench {

struct Machine {
  std::string device;    ///< the processor's model
  std::string compiler;  ///< "gcc 12.2.0"
  std::string commit;  ///< of the source, "-dirty" when it was changed since; "unknown" outside a repository
  std::string simd_target;
  int cores = 0;  ///< threads this process may use
};

Machine this_machine();

}  // namespace pleiad::bench
