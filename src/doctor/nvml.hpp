/// Data from NVIDIA's management library: memory errors and reasons for throttling. It is loaded if present,
/// never linked.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pleiad::doctor {

/// State of a GPU; values that it does not report are unset.
struct Health {
  std::optional<bool> ecc, ecc_after_reboot;
  /// Errors that ECC corrected or could not, since the driver was loaded and in the GPU's life.
  std::optional<std::uint64_t> corrected, uncorrected, corrected_ever, uncorrected_ever;
  std::optional<unsigned> celsius, megahertz, most_megahertz;
  std::vector<std::string> slowed_by;  ///< "power cap", ... ; idle is no reason
};

class Nvml {
 public:
  /// Null when the library is not there or does not start.
  static std::unique_ptr<Nvml> open(const char* library = "libnvidia-ml.so.1");
  virtual ~Nvml() = default;
  /// "580.82.07", or "".
  virtual std::string driver_version() const = 0;
  /// `bus` as CUDA names it.
  virtual Health health(const std::string& bus) const = 0;
};

}  // namespace pleiad::doctor
