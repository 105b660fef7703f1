/// Ensembles: lines of ensemble.vary, then behind a NUL the records of a checkpoint, cut or repeated to the
/// length that the scan needs, so that their contents are reached.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/ensemble/record.hpp"
#include "run/ensemble/scan.hpp"
#include "target.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

using namespace pleiad;
using namespace pleiad::fuzz;

namespace {

constexpr std::size_t record_bytes = 8 * 43, most_systems = 8;

/// Scans of so many values are right, but would only take time here.
bool large(std::string_view line) {
  for (auto at = line.find(':'); at != line.npos; at = line.find(':', at + 1)) {
    const auto word = line.substr(std::min(line.find_first_not_of(" \t", at + 1), line.size()));
    double count = 0;
    std::from_chars(word.data(), word.data() + word.size(), count);
    if (count > 2000) return true;
  }
  return false;
}

std::optional<Options> options_of(std::string_view text) {
  Options o;
  o.ic.model = "two-body";
  o.time.dt = 0.125, o.time.t_end = 1;
  o.ensemble.count = 1;
  for (int k = 0; k < 6 && !text.empty(); ++k) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    if (large(line)) return std::nullopt;
    if (line == "zip") o.ensemble.scan = "zip";
    else if (line == "twice") o.ensemble.count = 2;
    else if (line == "file") o.ic.model.clear(), o.ic.file = "bodies.csv";
    else if (!line.empty()) o.ensemble.vary.emplace_back(line);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return o;
}

/// As many values as keys, every one of them what the options of the system say, for systems from all over
/// the scan.
void check_scan(const run::Scan& scan) {
  require(scan.size() >= scan.points() && scan.points() > 0, "a system at each point");
  for (const std::size_t k : {std::size_t{0}, scan.size() / 3, scan.size() / 2, scan.size() - 1}) {
    require(scan.values(k).size() == scan.varied().size(), "a value for each key");
    require(scan.values(k) == scan.values(k), "the same values when asked again");
    refused([&] { scan.options(k); });
  }
  std::set<std::string> keys;
  for (const auto& v : scan.varied()) require(keys.insert(v.key).second, "each key once");
}

void check_records(const run::Scan& scan, std::string_view records) {
  if (scan.size() > most_systems || records.empty()) return;
  Checkpoint c;
  for (int k = 0; k < int(records.front() & 15); ++k) c.snapshot.bodies.add(1, {double(k), 0, 0}, {});
  std::string bytes;
  while (bytes.size() < scan.size() * record_bytes) bytes += records.substr(1), bytes += '\0';
  bytes.resize(scan.size() * record_bytes);
  c.extra["ensemble"] = bytes;
  run::SavedEnsemble saved;
  if (refused([&] { saved = run::load_ensemble(c, scan); })) return;
  require(saved.members.size() == scan.size() && saved.statuses.size() == scan.size() &&
              saved.histories.size() == scan.size(),
          "a member, a status and a history for each system");
  std::size_t bodies = 0;
  for (const auto& m : saved.members) bodies += m.state.bodies.size();
  require(bodies == c.snapshot.bodies.size(), "each body in one system");
  for (const auto s : saved.statuses) require(s <= MemberStatus::step_too_small, "known standings");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto all = text_of(data, size);
  const auto nul = all.find('\0');
  const auto options = options_of(all.substr(0, nul));
  if (!options) return 0;
  std::optional<run::Scan> scan;
  if (refused([&] { scan.emplace(*options); })) return 0;
  check_scan(*scan);
  if (nul != all.npos) check_records(*scan, all.substr(nul + 1));
  return 0;
}
