/// Arguments of programs that measure trees: MODEL N EPS f32|mixed, their own numbers, optionally words, and
/// after `--` the settings of trees.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pleiad/error.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::bench {

struct TreeProgram {
  std::string model;
  std::size_t n = 0;
  double eps = 0;
  std::string precision;
  std::vector<std::string> own;  ///< its own figures
  std::vector<std::string> words, settings;

  bool has(std::string_view word) const { return std::ranges::find(words, word) != words.end(); }
};

/// A number of at least `least`; UsageError with `what` it is.
template <class T>
T number_of(std::string_view what, std::string_view text, T least) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= least))
    throw UsageError(std::string(what) + " must be a number of at least " + std::to_string(least) +
                     ", not '" + std::string(text) + "'");
  return value;
}

/// UsageError with `usage` when there are not `own` figures and at most these words, each once.
inline TreeProgram told(int argc, char** argv, std::size_t own, std::vector<std::string_view> words,
                        std::string_view usage) {
  const std::vector<std::string> all(argv + 1, argv + argc);
  const auto dashes = std::ranges::find(all, "--");
  TreeProgram t;
  const auto before = std::size_t(dashes - all.begin());
  if (before < own + 4 || all.end() - dashes < 2) throw UsageError(std::string(usage));
  t.words.assign(all.begin() + std::ptrdiff_t(own + 4), dashes);
  for (const auto& word : t.words)
    if (std::erase(words, word) == 0) throw UsageError(std::string(usage));
  t.model = all[0], t.n = number_of<std::size_t>("N", all[1], 1);
  t.eps = number_of<double>("EPS", all[2], 0), t.precision = all[3];
  if (t.precision != "f32" && t.precision != "mixed")
    throw UsageError("the precision must be f32 or mixed, not '" + t.precision + "'");
  t.own.assign(all.begin() + 4, all.begin() + 4 + std::ptrdiff_t(own));
  t.settings.assign(dashes + 1, all.end());
  return t;
}

/// `run(argc, argv)`, and errors as one line: 2 for those of its use, 1 for others.
template <class Run>
int program(const char* name, int argc, char** argv, const Run& run) {
  try {
    run(argc, argv);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", name, e.what());
    return dynamic_cast<const UsageError*>(&e) != nullptr ? 2 : 1;
  }
}

}  // namespace pleiad::bench
