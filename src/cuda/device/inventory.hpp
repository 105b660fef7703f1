/// All GPUs of the host, usable or not, and the data of their driver. Plain C++.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace pleiad::cuda {

/// CUDA availability in a build with CUDA.
enum class Presence { usable, no_driver, no_gpu, broken };
struct Driver {
  Presence presence = Presence::no_driver;
  std::string why;               ///< not usable, in words; else ""
  std::string version, runtime;  ///< the CUDA of the driver and of this build, as "13.0"; "" without a driver
  std::string capabilities;      ///< for which this binary has code: "8.0, 9.0"
};
Driver driver();

struct Gpu {
  int index = 0;
  std::string name, bus;  ///< bus: "00000000:17:00.0"
  int major = 0, minor = 0, multiprocessors = 0;
  int code = 0;      ///< the compute capability whose code it runs, times ten; 0 when there is none
  double clock = 0;  ///< nominal, Hz
  bool ecc = false;
  std::size_t free = 0, total = 0;  ///< bytes of memory
  std::string why_not;              ///< why it cannot be used, or ""
};
/// Makes a context on each; does not throw for a GPU that fails, but stores the reason.
std::vector<Gpu> all_gpus();

}  // namespace pleiad::cuda
