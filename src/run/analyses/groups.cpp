/// Catalogues of groups by friends of friends during the run, one file for each moment.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "ranks/agree.hpp"
#include "run/analyses/structure.hpp"
#include "structure/measures.hpp"

#include <pleiad/error.hpp>

#include <array>
#include <filesystem>
#include <string>

#include <fmt/format.h>

namespace pleiad::run {
namespace {

class GroupCatalogues : public Output {
 public:
  explicit GroupCatalogues(AnalysedRun& run) : Output(run) {
    if (on() && !run.simulation.snapshot().boundary.periodic)
      throw UsageError(
          "output.groups: the linking length is in mean distances of the bodies of a periodic box; leave it "
          "out, or "
          "set gravity.box");
  }
  void open(const Checkpoint*, std::vector<std::string>&) override {
    if (on()) run_.directory->make_folder("groups");
  }
  Task begin() override {
    std::filesystem::path file;
    AtomicWrite place;
    ranks::agree(run_.ranks, [&] {
      if (!run_.leads()) return;
      file = run_.directory->numbered("groups/groups_", 3, ".hdf5", run_.simulation.time());
      place = run_.directory->how(file);
    });
    return {.copy = Task::Copy::changed, .work = [=, this](Snapshot& s) {
              gather_structure(run_, s);
              ranks::agree(run_.ranks, [&] {
                if (run_.leads()) write(s, file, place);
              });
              last_ = file.string();
            }};
  }
  Files files() const override { return {{"last_groups", last_}}; }

 private:
  bool on() const { return run_.options.output.groups; }
  void write(const Snapshot& s, const std::filesystem::path& file, const AtomicWrite& place) const {
    const auto& o = run_.options.output;
    auto found = structure::find_groups(s, structure::bodies_of(s.bodies, {}),
                                        {.fraction = o.linking_length,
                                         .least = std::size_t(o.group_members),
                                         .comoving = comoving_in(run_.options, s)});
    structure::write_catalogue(file, found.groups, found.properties, s, found.facts, place);
  }

  std::string last_;
};

constexpr std::array<std::string_view, 6> groups_keys{"output.groups",         "output.linking_length",
                                                      "output.group_members",  "output.analysis_interval",
                                                      "output.analysis_times", "output.analysis_redshifts"};
constexpr std::array<std::string_view, 1> groups_files{"groups/groups_*"};

}  // namespace

extern const Analysis analysis_groups{
    .name = "groups",
    .keys = groups_keys,
    .files = groups_files,
    .times = [](const Options& o) { return structure_times(o, o.output.groups); },
    .make = make_output<GroupCatalogues>};

}  // namespace pleiad::run
