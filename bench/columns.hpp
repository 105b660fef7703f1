/// The columns of all tables of measurements: key, heading and format of each column.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/gpu.hpp"
#include "bench/machine.hpp"
#include "bench/measure.hpp"
#include "bench/report.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::bench {

/// Where rows are measured: on the processor, or on the GPU.
struct Place {
  Machine machine;
  std::optional<Gpu> gpu;
  const std::string& device() const { return gpu ? gpu->name : machine.device; }
};
/// This machine's processor, or its GPU; ResourceError without one.
Place place_of(Device device);
/// "NVIDIA H200, 132 multiprocessors at 1980 MHz ...", the first line of a report.
std::string heading_of(const Place& place);

/// The same of rows that were kept: "measured on NVIDIA H200 by Pleiad 1a2b3c".
std::string heading_of(const Table& earlier);

/// The column that all tables share under this key; for any other key one that is headed by it.
Column column(std::string_view key);

/// Headings and formats of `model` for the columns that it has too, by their keys, and in its order; the
/// others follow.
void show_as(Table& table, const Table& model);

/// Adds the instruction set to the rows that were measured on this processor, unless the table has it.
void name_simd_target(Table& table, const Machine& machine);

/// The table of force evaluations, on processors and GPUs: each leaves empty what the other has.
Table evaluations();
std::vector<Cell> cells_of(const Row& row, const Place& place);
/// Only the cells under these keys.
std::vector<Cell> cells_of(const Row& row, const Place& place, std::span<const std::string_view> keys);

/// Rate against N of the rows of evaluations(): a panel per precision, a colour per kernel, which is shown in
/// its best shape at each N, or in all when it is the only one; one thread dashed where there are rows of
/// more, and masses of any kind. Nothing without rows.
std::optional<Plot> plot_of_evaluations(const Table& table);

}  // namespace pleiad::bench
