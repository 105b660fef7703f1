/// The tuner's cache, which any program of the user's may have changed: never a failure, and what is read
/// from it is kept as it is.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/version.hpp"
#include "target.hpp"
#include "tune/cache.hpp"

#include <cmath>

using namespace pleiad;
using namespace pleiad::fuzz;

namespace {

/// The members of an entry, but its case, as one comparable text.
std::string text_of(const tune::Entry& e) {
  return e.kernel + "|" + std::to_string(e.gpus) + "|" + std::to_string(e.candidates);
}

void check_kept(const Folder& folder, const tune::Cache& cache) {
  const auto file = folder / "kept.json";
  std::filesystem::remove(file);
  if (!cache.entries.empty()) tune::keep(file, cache.entries, tune::Others::come_first);
  const auto back = tune::read_cache(file);
  require(back.note.empty(), "a cache of our own is used: " + back.note);
  for (const auto& e : cache.entries) {
    const auto first = tune::find(cache, e.what), kept = tune::find(back, e.what);
    require(first && kept && text_of(*first) == text_of(*kept) && first->seconds == kept->seconds,
            "an entry is kept as it is");
  }
  require(back.entries.size() == cache.entries.size(), "as many entries");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  // Of another version nothing is read: the seeds' own is replaced by the present one.
  std::string text(text_of(data, size));
  constexpr std::string_view of_seeds = "0.1.0";
  if (const auto at = text.find(of_seeds); at != text.npos) text.replace(at, of_seeds.size(), version());
  const auto cache = tune::read_cache(folder.write("tune.json", text));
  require(cache.note.find('\n') == cache.note.npos, "a note of one line");
  require(cache.note.empty() || cache.entries.empty(), "nothing of a cache that is not used");
  for (const auto& e : cache.entries) {
    require(e.what.n > 0 && (e.what.n <= tune::most_bodies || !e.what.request.empty()) && e.gpus > 0 &&
                e.gpus <= e.what.gpus,
            "a sound entry");
    require(e.seconds > 0 && std::isfinite(e.seconds), "a time that was measured");
  }
  // A few: each is written through a lock, a sync and a rename.
  if (cache.entries.size() <= 8) check_kept(folder, cache);
  return 0;
}
