/// Models: initial conditions by name, each with documented parameters.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/bodies.hpp>
#include <pleiad/gravity.hpp>
#include <pleiad/snapshot.hpp>
#include <pleiad/units.hpp>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace pleiad {

/// A parameter of a model: a number, or a choice between words, whose value is the place of the word, from 0.
struct ModelParameter {
  std::string_view name;
  double value = 0;                           ///< default
  double low = 0, high = 0;                   ///< allowed range, inclusive
  std::string_view meaning;                   ///< with its unit
  std::span<const std::string_view> words{};  ///< those of a choice; empty: a number
};

/// A request for a model: seed, and a value for each of its parameters. A name that is no parameter of the
/// model is an error of the caller.
struct ModelRequest {
  std::uint64_t seed = 1;
  std::map<std::string, double, std::less<>> values;
  double operator[](std::string_view name) const;
  /// A parameter that must be a whole number, such as the place of a word; UsageError if it is not.
  std::size_t count(std::string_view name) const;
};

/// A model as plain data. `make` fills bodies, units, G and boundary of the snapshot; time is 0. The same
/// request gives the same bits for any number of threads.
struct Model {
  std::string_view name;
  std::string_view idea;  ///< one sentence
  std::span<const ModelParameter> parameters;
  std::string_view origin;         ///< which point is at the origin, and its velocity
  double suggested_softening = 0;  ///< in the model's units; 0: none needed
  Snapshot (*make)(const ModelRequest&) = nullptr;
};

/// All models, in the order of `pleiad ic --list`.
std::span<const Model* const> models();
/// Returns the model with this name; UsageError with the nearest name.
const Model& model_named(std::string_view name);

/// Builds a model from "name=value" settings. Other parameters have their defaults. UsageError for an unknown
/// name or word, a value out of range, or a fraction instead of a whole number; ResourceError if memory is
/// missing.
Snapshot make_model(std::string_view model, std::span<const std::string> settings, std::uint64_t seed);
/// Builds a model from numbers: model("plummer", {{"n", 1e5}}, 7). Otherwise as make_model.
Snapshot model(std::string_view name, const std::map<std::string, double, std::less<>>& values = {},
               std::uint64_t seed = 1);

}  // namespace pleiad
