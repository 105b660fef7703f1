/// Models by name, and the checks of their parameters: known names, numbers, ranges.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "models/catalogue.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <new>
#include <vector>

#include <fmt/format.h>

namespace pleiad {
namespace {

constexpr std::array<const Model*, 19> catalogue{
    &model_uniform_box,  &model_lattice,     &model_random,    &model_shell,       &model_expand,
    &model_cold_sphere,  &model_plummer,     &model_king,      &model_cluster,     &model_hernquist,
    &model_nfw,          &model_galaxy,      &model_encounter, &model_rings,       &model_two_body,
    &model_figure_eight, &model_pythagorean, &model_free_fall, &model_solar_system};

std::string joined(const std::vector<std::string_view>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

const ModelParameter& parameter_named(const Model& model, std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& p : model.parameters) {
    if (p.name == name) return p;
    names.push_back(p.name);
  }
  if (names.empty())
    throw UsageError(fmt::format("model '{}' has no parameter '{}': it has none at all", model.name, name));
  const auto guess = did_you_mean(name, names);
  throw UsageError(fmt::format("model '{}' has no parameter '{}'{}", model.name, name,
                               guess.empty() ? "; its parameters are " + joined(names) : guess));
}

template <class Text>
void need_in_range(const Model& model, const ModelParameter& p, double value, const Text& text) {
  if (!(value >= p.low && value <= p.high))
    throw UsageError(fmt::format("model '{}': {} = {} is out of range; it must be from {:g} to {:g}",
                                 model.name, p.name, text, p.low, p.high));
}

double place_of_word(const Model& model, const ModelParameter& p, std::string_view word) {
  for (std::size_t k = 0; k < p.words.size(); ++k)
    if (p.words[k] == word) return static_cast<double>(k);
  const auto guess = did_you_mean(word, p.words);
  throw UsageError(
      fmt::format("model '{}': {} = '{}' is unknown{}", model.name, p.name, word,
                  guess.empty() ? fmt::format("; it is one of {}", fmt::join(p.words, ", ")) : guess));
}

double value_of(const Model& model, const ModelParameter& p, std::string_view text) {
  if (!p.words.empty()) return place_of_word(model, p, text);
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc{} || stop != end)
    throw UsageError(fmt::format("model '{}': {} = '{}' is not a number; it must be from {:g} to {:g}",
                                 model.name, p.name, text, p.low, p.high));
  need_in_range(model, p, value, text);
  return value;
}

/// Makes the model, with defaults for parameters without a value.
Snapshot made(const Model& model, ModelRequest request) {
  for (const auto& p : model.parameters) request.values.try_emplace(std::string(p.name), p.value);
  try {
    return model.make(request);
  } catch (const std::bad_alloc&) {
    throw ResourceError(
        fmt::format("model '{}': not enough memory for its bodies; ask for fewer", model.name),
        Error::Code::out_of_memory);
  }
}

}  // namespace

double ModelRequest::operator[](std::string_view name) const { return values.find(name)->second; }

std::size_t ModelRequest::count(std::string_view name) const {
  const double value = (*this)[name];
  if (value != std::floor(value))
    throw UsageError(fmt::format("{} = {:g} must be a whole number", name, value));
  return static_cast<std::size_t>(value);
}

std::span<const Model* const> models() { return catalogue; }

const Model& model_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Model* model : catalogue) {
    if (model->name == name) return *model;
    names.push_back(model->name);
  }
  const auto guess = did_you_mean(name, names);
  throw UsageError(
      fmt::format("no model '{}'{}", name, guess.empty() ? "; the models are " + joined(names) : guess));
}

Snapshot make_model(std::string_view name, std::span<const std::string> settings, std::uint64_t seed) {
  const Model& model = model_named(name);
  ModelRequest request{.seed = seed, .values = {}};
  for (const std::string& setting : settings) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos)
      throw UsageError(fmt::format("model '{}': '{}' must have the form name=value", name, setting));
    const auto& p = parameter_named(model, std::string_view(setting).substr(0, equals));
    const double value = value_of(model, p, std::string_view(setting).substr(equals + 1));
    if (!request.values.emplace(p.name, value).second)
      throw UsageError(fmt::format("model '{}': {} is given twice", name, p.name));
  }
  return made(model, std::move(request));
}

Snapshot model(std::string_view name, const std::map<std::string, double, std::less<>>& values,
               std::uint64_t seed) {
  const Model& model = model_named(name);
  for (const auto& [parameter, value] : values)
    need_in_range(model, parameter_named(model, parameter), value, value);
  return made(model, {.seed = seed, .values = values});
}

}  // namespace pleiad
