/// Settings of a tree as text, and which of them exist.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "tree/settings.hpp"

#include "tree/cpu/methods.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pleiad {
namespace {

constexpr std::array<std::string_view, 9> words{"structure", "order", "criterion",     "theta", "tolerance",
                                                "leaf",      "group", "rebuild_every", "wide"};

/// Bodies of a group that a warp walks for.
constexpr int most_on_gpu = 128;

double number_of(std::string_view word, std::string_view value) {
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size() || !std::isfinite(number))
    throw UsageError(fmt::format("'{}={}': a number is needed after {}=", word, value, word));
  return number;
}
int whole_of(std::string_view word, std::string_view value) {
  const double number = number_of(word, value);
  if (number != std::floor(number) || std::abs(number) > 1e9)
    throw UsageError(fmt::format("'{}={}': a whole number is needed after {}=", word, value, word));
  return int(number);
}

bool yes_or_no(std::string_view word, std::string_view value) {
  if (value != "0" && value != "1") throw UsageError(fmt::format("'{}={}': it is 0 or 1", word, value));
  return value == "1";
}

template <class Enum, std::size_t n>
Enum one_of(const char* what, std::string_view name, const std::array<std::string_view, n>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw UsageError(fmt::format("no {} '{}': it is one of {}{}", what, name, fmt::join(names, ", "),
                                 did_you_mean(name, names)),
                     Error::Code::unknown_name);
  return static_cast<Enum>(found - names.begin());
}

void set(TreeSettings& s, std::string_view word, std::string_view value) {
  if (word == "structure") s.structure = one_of<Structure>("structure", value, structure_names);
  else if (word == "order") s.order = whole_of(word, value);
  else if (word == "criterion" || word == "mac") s.mac = one_of<Mac>("criterion", value, mac_names);
  else if (word == "theta") s.theta = number_of(word, value);
  else if (word == "tolerance") s.tolerance = number_of(word, value);
  else if (word == "leaf" || word == "leaf_size") s.leaf_size = whole_of(word, value);
  else if (word == "group" || word == "group_size") s.group = whole_of(word, value);
  else if (word == "rebuild_every") s.rebuild_every = whole_of(word, value);
  else if (word == "wide") s.wide = yes_or_no(word, value);
  else
    throw UsageError(fmt::format("a tree has no setting '{}': it has {}{}", word, fmt::join(words, ", "),
                                 did_you_mean(word, words)),
                     Error::Code::unknown_name);
}

using Reason = std::optional<std::string>;

Reason fault_on_gpu(const TreeSettings& s) {
  const auto name = name_of(s);
  const bool walks = s.solver == Solver::barnes_hut;
  if (const auto [least, most] = walks ? std::pair{1, 3} : std::pair{4, 6}; s.order < least || s.order > most)
    return fmt::format("order = {}: {} has the orders {}, {}, {}", s.order, name, least, least + 1, most);
  if (s.structure != Structure::octree)
    return fmt::format("structure '{}' is not available for {}, which uses an octree", name_of(s.structure),
                       name);
  if (s.wide)
    return fmt::format("wide=1 is not available for {}: its expansions are in single precision", name);
  if (s.rebuild_every > 1)
    return fmt::format("rebuild_every = {}: {} is built anew for every evaluation", s.rebuild_every, name);
  if (walks && s.group > most_on_gpu)
    return fmt::format("group = {}: {} has groups of at most {}", s.group, name, most_on_gpu);
  return {};
}

const tree::Compiled* compiled_or_null(Solver solver, int order) {
  for (const auto* m : tree::methods())
    if (m->solver == solver && m->order == order) return m;
  return nullptr;
}

std::string no_order(Solver solver, int order) {
  std::vector<int> orders;
  for (const auto* m : tree::methods())
    if (m->solver == solver) orders.push_back(m->order);
  if (orders.empty()) return fmt::format("'{}' is no tree", name_of(solver));
  return fmt::format("order = {}: {} has the orders {}", order, name_of(solver), fmt::join(orders, ", "));
}

}  // namespace

std::string_view name_of(const TreeSettings& s) {
  const bool on_gpu = s.device == Device::cuda;
  return s.solver == Solver::barnes_hut ? tree_names[on_gpu ? 2 : 0] : tree_names[on_gpu ? 3 : 1];
}

Reason fault_in(const TreeSettings& s) {
  if (s.device == Device::cuda)
    if (auto why = fault_on_gpu(s)) return why;
  if (compiled_or_null(s.solver, s.order) == nullptr) return no_order(s.solver, s.order);
  const bool by_error = s.mac == Mac::error;
  if (s.solver == Solver::fmm && (s.mac == Mac::sides || s.mac == Mac::classic))
    return fmt::format("criterion '{}' is for barnes-hut only; fmm has spheres and error", name_of(s.mac));
  if (!by_error && !(s.theta > 0 && s.theta <= (s.mac == Mac::classic ? 2 : 1)))
    return fmt::format("theta = {} must be above 0 and at most {}", s.theta, s.mac == Mac::classic ? 2 : 1);
  if (by_error && !(s.tolerance > 0 && s.tolerance < 1))
    return fmt::format("tolerance = {} must be between 0 and 1", s.tolerance);
  if (s.leaf_size < 1 || s.leaf_size > 4096)
    return fmt::format("leaf = {} must be from 1 to 4096", s.leaf_size);
  if (s.group < 1 || s.group > 4096) return fmt::format("group = {} must be from 1 to 4096", s.group);
  if (s.rebuild_every < 1) return fmt::format("rebuild_every = {} must be 1 or more", s.rebuild_every);
  if (s.rebuild_every > 1 && (s.mac == Mac::sides || s.mac == Mac::classic))
    return fmt::format(
        "rebuild_every = {}: the cubes of criterion '{}' no longer hold bodies that have moved; take "
        "spheres or error",
        s.rebuild_every, name_of(s.mac));
  return {};
}

Applicant applicant(const TreeSettings& s) {
  const bool walks = s.solver == Solver::barnes_hut, on_gpu = s.device == Device::cuda;
  return {.family = on_gpu ? (walks ? Family::gpu_barnes_hut : Family::gpu_fmm)
                           : (walks ? Family::cpu_barnes_hut : Family::cpu_fmm),
          .name = std::string(name_of(s)),
          .fault = fault_in(s),
          .structure = s.structure,
          .rebuild_every = s.rebuild_every};
}

void need_space(const TreeSettings& s, const Boundary& boundary) {
  const std::array parts{applicant(s)};
  if (const auto why = why_not(parts, name_of(s), {.gravity = {.boundary = boundary}, .resumes = false}))
    throw UsageError(*why);
}

void need_able(const TreeSettings& s) {
  if (const auto why = fault_in(s)) throw UsageError(*why);
}

std::string text_of(const TreeSettings& s) {
  std::string text(name_of(s));
  if (s.structure != Structure::octree) text += fmt::format(" structure={}", name_of(s.structure));
  text += fmt::format(" order={}", s.order);
  if (s.mac != Mac::spheres) text += fmt::format(" criterion={}", name_of(s.mac));
  text += s.mac == Mac::error ? fmt::format(" tolerance={}", s.tolerance) : fmt::format(" theta={}", s.theta);
  text += fmt::format(" leaf={}", s.leaf_size);
  if (s.solver == Solver::barnes_hut) text += fmt::format(" group={}", s.group);
  if (s.rebuild_every > 1) text += fmt::format(" rebuild_every={}", s.rebuild_every);
  if (s.wide) text += " wide=1";
  return text;
}

TreeSettings tree_settings_of(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (parts.empty())
    throw UsageError(
        "a tree's settings are empty; they begin with cpu/fmm, cpu/barnes-hut, cuda/fmm or cuda/barnes-hut");
  TreeSettings s;
  auto name = parts.front();
  for (const auto device : {Device::cpu, Device::cuda})
    if (const auto prefix = std::string(name_of(device)) + "/"; name.starts_with(prefix)) {
      s.device = device;
      name.remove_prefix(prefix.size());
      break;
    }
  s.solver = one_of<Solver>("solver", name, solver_names);
  std::vector<std::string_view> seen;
  for (const auto part : std::span(parts).subspan(1)) {
    const auto equals = part.find('=');
    if (equals == std::string_view::npos)
      throw UsageError(fmt::format("'{}' in a tree's settings: it should be word=value", part));
    const auto word = part.substr(0, equals);
    if (std::find(seen.begin(), seen.end(), word) != seen.end())
      throw UsageError(fmt::format("'{}' in a tree's settings: {} is set twice", part, word));
    seen.push_back(word);
    set(s, word, part.substr(equals + 1));
  }
  need_able(s);
  return s;
}

namespace tree {

const Compiled& compiled(Solver solver, int order) {
  if (const auto* found = compiled_or_null(solver, order)) return *found;
  throw UsageError(no_order(solver, order));
}

}  // namespace tree
}  // namespace pleiad
