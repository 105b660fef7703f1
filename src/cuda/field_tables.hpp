/// External potentials at one time, with their tables in the memory of a GPU.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/memory.hpp"
#include "potentials/instant.hpp"

#include <pleiad/potential.hpp>

#include <map>
#include <span>
#include <vector>

namespace pleiad::cuda {

/// The tables of some potentials, copied once to each GPU that asks.
class FieldTables {
 public:
  FieldTables() = default;
  FieldTables(const FieldTables&) = delete;
  FieldTables& operator=(const FieldTables&) = delete;
  /// Before the streams are destroyed that tables were asked for with.
  ~FieldTables();
  /// The potentials at a time, always the same ones. Their tables are in the memory of the present GPU, valid
  /// during the lifetime of this object.
  std::vector<potentials::Instant<double>> instants(std::span<const Potential> potentials, double time,
                                                    void* stream);

 private:
  std::map<int, std::vector<Buffer<double>>> on_;  ///< by the number of the GPU, one for each potential
};

}  // namespace pleiad::cuda
