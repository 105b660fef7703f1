/// Saving an ensemble needs its members and with them every kernel, which take a quarter of an hour to build
/// with sanitizers. The target `ensemble` only loads records: in the preset `fuzz` these stand in for what it
/// never calls.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/ensemble.hpp>

#include <stdexcept>

namespace pleiad {
namespace {
[[noreturn]] void never() { throw std::logic_error("a fuzz target makes no engine"); }
}  // namespace

Snapshot Ensemble::snapshot(std::size_t) const { never(); }
const Gravity& Ensemble::gravity(std::size_t) const { never(); }
const Clock& Ensemble::clock(std::size_t) const { never(); }
std::size_t engine_bytes(std::size_t, const EngineOptions&) { never(); }

}  // namespace pleiad
