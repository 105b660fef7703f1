/// Ensembles are made of engines and with them of every kernel, which take a quarter of an hour to build with
/// sanitizers. The target `ensemble` only reads scans and records: in the preset `fuzz` these stand in for
/// what it never calls.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "direct/why_not.hpp"
#include "engine/rounding.hpp"
#include "run/analysis.hpp"
#include "run/fitting.hpp"
#include "run/ranks/pieces.hpp"
#include "run/run.hpp"
#include "run/unstated.hpp"

#include <pleiad/accuracy.hpp>
#include <pleiad/diagnostics.hpp>
#include <pleiad/ensemble.hpp>
#include <pleiad/kernel/choice.hpp>

#include <stdexcept>

namespace pleiad {
namespace {
[[noreturn]] void never() { throw std::logic_error("a fuzz target makes no engine"); }
}  // namespace

Snapshot Ensemble::snapshot(std::size_t) const { never(); }
const Gravity& Ensemble::gravity(std::size_t) const { never(); }
const Clock& Ensemble::clock(std::size_t) const { never(); }

std::size_t engine_bytes(std::size_t, const EngineOptions&) { never(); }
std::unique_ptr<Engine> make_engine(const Bodies&, const Gravity&, const EngineOptions&) { never(); }
Diagnostics diagnose(const Totals&, double, std::uint64_t, double) { never(); }
Catalogue catalogue() { never(); }
void need_able(const ForceMethod&, const ProblemFacts&) { never(); }
Bodies unrounded(const Bodies&) { never(); }
std::optional<ForceMethod> force_method_of(std::string_view, const Catalogue&) { never(); }
std::size_t sample_size(std::size_t, bool) { never(); }
Sample sample_of(const Bodies&, std::size_t) { never(); }
ForceErrors errors_of(const SampledAccelerations&, const Sample&, double) { never(); }

namespace run {
std::vector<std::string> resumable_keys() { never(); }
std::span<const Analysis* const> analyses() { never(); }
bool has_pieces(const std::filesystem::path&) { never(); }
LoadedPieces load_pieces(ranks::Communicator&, const std::filesystem::path&) { never(); }
double common_multiple(std::span<const double>, double) { never(); }
void need_fitting_steps(const Options&, double) { never(); }
Unstated unstated_in(const Options&) { never(); }
void need_stated_softening(const Options&, const Unstated&, const MassShares&, const Snapshot&) { never(); }
std::string settle_precision(Options&, const MassShares&) { never(); }
}  // namespace run

}  // namespace pleiad
