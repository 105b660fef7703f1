/// A force method as text, and the inverse, for checkpoints, caches and the command line.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "direct/absent.hpp"
#include "tree/settings.hpp"

#include <pleiad/error.hpp>
#include <pleiad/kernel/ensemble_steps.hpp>
#include <pleiad/kernel/force_method.hpp>

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

namespace pleiad {
namespace {

void append(std::string& text, std::string_view name, const LaunchShape& shape) {
  text += name;
  for (const auto& [word, number] : shape_words)
    if (shape.*number != 0) text += fmt::format(" {}={}", word, shape.*number);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto part = text.substr(0, text.find(separator));
    if (!part.empty()) parts.push_back(part);
    if (part.size() == text.size()) return parts;
    text.remove_prefix(part.size() + 1);
  }
}

/// One "key=number" of a kernel into its shape.
void set_number(LaunchShape& shape, std::string_view setting, std::string_view kernel) {
  const auto key = setting.substr(0, setting.find('='));
  std::vector<std::string_view> words;
  for (const auto& [word, number] : shape_words) {
    words.push_back(word);
    if (word != key) continue;
    const auto digits = setting.substr(std::min(setting.size(), key.size() + 1));
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value < 1)
      throw UsageError(
          fmt::format("kernel '{}': '{}' must be {}= and a whole number from 1 on", kernel, setting, key));
    if (shape.*number != 0) throw UsageError(fmt::format("kernel '{}': {} is set twice", kernel, key));
    shape.*number = value;
    return;
  }
  throw UsageError(fmt::format("kernel '{}': no shape '{}'{}", kernel, key,
                               key == setting && did_you_mean(key, words).empty()
                                   ? "; it is a list like block=256 bodies=4"
                                   : did_you_mean(key, words)),
                   Error::Code::unknown_name);
}

template <class Kernel>
const Kernel* named(std::string_view name, std::span<const Kernel* const> kernels) {
  for (const auto* kernel : kernels)
    if (kernel->name == name) return kernel;
  return nullptr;
}

bool is_tree(std::string_view part) {
  const auto words = split(part, ' ');
  return !words.empty() && names_a_tree(words.front());
}

/// The error of a name that the catalogue has not got: perhaps another build has it.
[[noreturn]] void refuse_name(std::string_view name, bool for_steps, const Catalogue& from) {
  if (of_gpu(name) &&
      std::ranges::none_of(from.kernels, [](const auto* k) { return k->device == Device::cuda; }))
    throw ResourceError(fmt::format("kernel '{}' cannot be used: {}", name, cpu_kernels_only),
                        Error::Code::no_device);
  std::vector<std::string_view> names;
  if (!for_steps) {
    for (const auto* k : from.kernels) names.push_back(k->name);
    for (const auto* k : from.ensembles) names.push_back(k->name);
    names.insert(names.end(), tree_names.begin(), tree_names.end());
  }
  for (const auto* k : from.steps) names.push_back(k->name);
  throw UsageError(
      fmt::format("no kernel '{}'{}{}", name, for_steps ? " for steps" : "", did_you_mean(name, names)),
      Error::Code::unknown_name);
}

/// "cuda/tile block=256", or "steps cuda/grid-steps block=256".
void read_part(std::string_view part, ForceMethod& method, const Catalogue& from) {
  auto words = split(part, ' ');
  const bool for_steps = !words.empty() && words.front() == "steps";
  if (for_steps) words.erase(words.begin());
  if (words.empty())
    throw UsageError(fmt::format("kernel '{}': a name is missing; it is one of `pleiad bench --list`", part));
  const auto name = words.front();
  const auto* kernel = for_steps ? nullptr : named(name, from.kernels);
  const auto* steps = kernel == nullptr ? named(name, from.steps) : nullptr;
  const auto* ensemble = kernel == nullptr && !for_steps ? named(name, from.ensembles) : nullptr;
  if (kernel == nullptr && steps == nullptr && ensemble == nullptr) refuse_name(name, for_steps, from);
  const bool taken = kernel != nullptr  ? method.kernel != nullptr
                     : steps != nullptr ? method.steps != nullptr
                                        : !(method == ForceMethod{});
  if (taken || method.ensemble != nullptr)
    throw UsageError(fmt::format("kernel '{}': give at most one kernel for forces and one for steps", name));
  if (kernel != nullptr) method.kernel = kernel;
  if (steps != nullptr) method.steps = steps;
  if (ensemble != nullptr) method.ensemble = ensemble;
  auto& shape = kernel != nullptr ? method.shape : method.step_shape;
  for (std::size_t k = 1; k < words.size(); ++k) set_number(shape, words[k], name);
  const bool no_shape = kernel != nullptr ? kernel->shapes.empty() : ensemble != nullptr;
  if (no_shape && !(shape == LaunchShape{}))
    throw UsageError(fmt::format("kernel '{}' has no launch shape; leave '{}' out", name, words[1]));
}

}  // namespace

Catalogue catalogue() { return {direct_kernels(), step_kernels(), ensemble_kernels()}; }

std::string text_of(const ForceMethod& method) {
  if (method.tree) return text_of(*method.tree);
  if (method.ensemble != nullptr) return std::string(method.ensemble->name);
  std::string text;
  if (method.kernel != nullptr) append(text, method.kernel->name, method.shape);
  if (method.steps != nullptr)
    append(text += text.empty() ? "steps " : "; steps ", method.steps->name, method.step_shape);
  return text;
}
std::string text_of(const std::optional<ForceMethod>& method) { return method ? text_of(*method) : "auto"; }

std::optional<ForceMethod> force_method_of(std::string_view text, const Catalogue& from) {
  if (text == "auto") return std::nullopt;
  ForceMethod method;
  const auto parts = split(text, ';');
  if (parts.empty())
    throw UsageError("the kernel's name is empty; it is auto or one of `pleiad bench --list`");
  if (is_tree(parts.front())) {
    if (parts.size() > 1)
      throw UsageError(fmt::format("kernel '{}': a tree cannot be combined with a kernel; leave '{}' out",
                                   text, parts[1]));
    method.tree = tree_settings_of(text);
    return method;
  }
  for (const auto part : parts) read_part(part, method, from);
  return method;
}

}  // namespace pleiad
