/// A choice as text, and back: what checkpoints, caches and the command line say.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include <pleiad/choice.hpp>
#include <pleiad/error.hpp>

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
                                   : did_you_mean(key, words)));
}

template <class Kernel>
const Kernel* named(std::string_view name, std::span<const Kernel* const> kernels) {
  for (const auto* kernel : kernels)
    if (kernel->name == name) return kernel;
  return nullptr;
}

bool is_tree(std::string_view part) {
  const auto words = split(part, ' ');
  return !words.empty() && std::find(tree_names.begin(), tree_names.end(), words.front()) != tree_names.end();
}

/// "cuda/tile block=256", or "steps cuda/grid-steps block=256".
void read_part(std::string_view part, Choice& choice, const Catalogue& from) {
  auto words = split(part, ' ');
  const bool for_steps = !words.empty() && words.front() == "steps";
  if (for_steps) words.erase(words.begin());
  if (words.empty())
    throw UsageError(fmt::format("kernel '{}': a name is missing; it is one of `pleiad bench --list`", part));
  const auto name = words.front();
  const auto* kernel = for_steps ? nullptr : named(name, from.kernels);
  const auto* steps = kernel == nullptr ? named(name, from.steps) : nullptr;
  if (kernel == nullptr && steps == nullptr) {
    std::vector<std::string_view> names;
    if (!for_steps)
      for (const auto* k : from.kernels) names.push_back(k->name);
    for (const auto* k : from.steps) names.push_back(k->name);
    for (const auto tree : tree_names) names.push_back(tree);
    throw UsageError(
        fmt::format("no kernel '{}'{}{}", name, for_steps ? " for steps" : "", did_you_mean(name, names)));
  }
  if (kernel != nullptr ? choice.kernel != nullptr : choice.steps != nullptr)
    throw UsageError(
        fmt::format("kernel '{}': one kernel for forces and one for steps is all there can be", name));
  if (kernel != nullptr) choice.kernel = kernel;
  if (steps != nullptr) choice.steps = steps;
  auto& shape = kernel != nullptr ? choice.shape : choice.step_shape;
  for (std::size_t k = 1; k < words.size(); ++k) set_number(shape, words[k], name);
  if (kernel != nullptr && kernel->shapes.empty() && !(shape == LaunchShape{}))
    throw UsageError(fmt::format("kernel '{}' has no launch shape; leave '{}' out", name, words[1]));
}

}  // namespace

std::string text_of(const Choice& choice) {
  if (choice.tree) return text_of(*choice.tree);
  std::string text;
  if (choice.kernel != nullptr) append(text, choice.kernel->name, choice.shape);
  if (choice.steps != nullptr)
    append(text += text.empty() ? "steps " : "; steps ", choice.steps->name, choice.step_shape);
  return text;
}

Choice choice_of(std::string_view text, const Catalogue& from) {
  Choice choice;
  const auto parts = split(text, ';');
  if (parts.empty())
    throw UsageError("the kernel's name is empty; it is auto or one of `pleiad bench --list`");
  if (is_tree(parts.front())) {
    if (parts.size() > 1)
      throw UsageError(
          fmt::format("kernel '{}': a tree makes the forces alone; leave '{}' out", text, parts[1]));
    choice.tree = tree_settings_of(text);
    return choice;
  }
  for (const auto part : parts) read_part(part, choice, from);
  return choice;
}

}  // namespace pleiad
