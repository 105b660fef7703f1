/// The figures of the five published benchmarks, with hardware and settings, as in
/// bench/published.csv.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pleiad::bench {

/// One figure of a publication, in the publication's own words.
struct Published {
  std::string source;      ///< "S1" to "S5"
  std::string hardware;    ///< "Tesla K20c"
  std::string experiment;  ///< which of its tables
  std::string kernel;
  std::size_t n = 0;  ///< bodies; 0: not told
  int block = 0;      ///< threads in a block, "16x16" being 256; 0: not told
  std::string other;  ///< further settings: "stride 4", "grid 128", or ""
  double value = 0;
  std::string unit;  ///< of `value`: "G interactions/s", "ms per force evaluation", "FPS", "s", "ratio"
  std::string note;  ///< what a reader must know of it, or ""
};

/// All of them, in the order of the file, which is compiled into the program.
std::span<const Published> published_values();

/// Which figures are meant; what is left out may be anything.
struct PublishedKey {
  std::string_view source;
  std::optional<std::string_view> experiment{}, kernel{};
  std::optional<std::size_t> n{};
  std::optional<int> block{};
  std::optional<std::string_view> other{};
};

/// Those that fit the key, in the order of the file.
std::vector<const Published*> published(const PublishedKey& key);

/// The one that fits; null when there is none. UsageError when several fit: the key is then too short.
const Published* one_published(const PublishedKey& key);

/// The values of a file of that form. UsageError with the line's number when a line is not of it.
std::vector<Published> published_of_csv(std::string_view csv);

}  // namespace pleiad::bench
