/// From options to a simulation that can start: bodies, law and method, checked.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/config/options.hpp"
#include "run/unstated.hpp"

#include <pleiad/engine.hpp>
#include <pleiad/files.hpp>
#include <pleiad/simulation.hpp>
#include <pleiad/snapshot.hpp>

#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace pleiad {
class Sharing;  // models/part.hpp
}

namespace pleiad::run {

/// Options that were left open, and their resolved values.
struct Settled {
  Unstated unstated;
  std::string precision;  ///< why it was chosen; "" where it is stated or as usual
};

struct Start {
  Snapshot initial;
  std::vector<std::string> notes{};  ///< notes for the user on the input
  bool part = false;                 ///< the bodies are those that a Sharing gives
  std::vector<std::string> files{};  ///< that were read
  Settled settled{};
  std::optional<ComovingUniverse> universe{};  ///< of comoving bodies
};

/// Reads or makes the bodies, in the run's units. `meanwhile` is called when models begin to be drawn, or a
/// child process to read HDF5.
Start load(
    Options& options, Sharing* sharing = nullptr, const std::function<void()>& meanwhile = [] {});
/// Checks the bodies against the law, adapts them, and refuses invalid ones. Writes resolved values of "auto"
/// into `options`, so that the effective configuration states them. A part of all bodies is not checked,
/// because the checks need all of them, and settle_by_masses must follow.
/// `universe`: of comoving bodies, as their file states it.
Settled settle(Options& options, Snapshot& initial, bool part = false,
               const std::optional<ComovingUniverse>& universe = {});
/// The mass of these bodies.
double total_mass(const Bodies& bodies);
/// Takes the softenings that the input gives its bodies, with a note; discards them, with another one, where
/// the options have others.
void take_softenings_of_bodies(Options& options, Start& start);
/// The smallest and the largest softening of bodies; the first is the larger one if they have none.
struct LeastAndMost {
  double least = std::numeric_limits<double>::infinity(), most = -least;
};
/// Those of each type.
using Spread = std::array<LeastAndMost, type_names.size()>;
Spread spread_of_softenings(const Bodies& bodies);
/// Writes into `options` what the softenings of all bodies, of which these are a part, come to: one for all
/// of them or for a type where they are equal. settle() does this, but for a part.
void settle_softenings(Options& options, Bodies& own, const Spread& of_all);
/// Resolves options that depend on the masses of all bodies, of which these are a part.
void settle_by_masses(Options& options, const MassShares& shares, const Snapshot& bodies, Settled& settled);
/// Writes into `options` which units the snapshots have where they are not set: `usual` ones, or the run's
/// own. A run keeps them, however far its bodies go. settle() does this, but for a part.
void settle_snapshot_units(Options& options, const std::optional<Units>& usual);
/// Makes the bodies and settles the options. With `sharing` a file, or a model whose parts can be drawn,
/// gives only a part of its bodies.
Start prepare(
    Options& options, Sharing* sharing = nullptr, const std::function<void()>& meanwhile = [] {});

/// Name in messages of the option that needs bodies in a plane.
inline constexpr const char* in_two_dimensions = "gravity.dimension = 2";
/// Name in messages of the source of the bodies.
std::string origin_of(const Options& options);
Gravity gravity_of(const Options& options);
Method method_of(const Options& options);
/// The only integrator that trials for an error try; null: those that may suit.
const Integrator* stated_integrator(const Options::Time& time);
EngineOptions engine_of(const Options& options);
/// Engine options without a method, for runs with another method than that of the options, which this build
/// may lack.
EngineOptions engine_without_method_of(const Options& options);

}  // namespace pleiad::run
