/// Checkpoints as snapshots, for reading alone: the bodies, the time, the units, G and the box. What a run
/// needs besides is left out, as the low parts of compensated sums.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/checkpoint.hpp"

#include "io/checkpoint/container.hpp"
#include "io/durable/durable.hpp"

#include <pleiad/checkpoint.hpp>
#include <pleiad/error.hpp>

#include <cctype>
#include <utility>

#include <fmt/format.h>

namespace pleiad {
namespace files {
namespace {

namespace fs = std::filesystem;

Likeness likeness(std::string_view start) {
  return start.starts_with(container::magic) ? Likeness::certain : Likeness::none;
}

/// checkpoint.a.0.pleiad, checkpoint.ranks.pleiad: several ranks have divided the bodies among such files.
bool is_of_ranks(const fs::path& file) {
  const auto name = file.filename().string();
  return name.starts_with("checkpoint.ranks.") ||
         (name.starts_with("checkpoint.") && name.size() > 13 && name[12] == '.' &&
          std::isdigit(static_cast<unsigned char>(name[13])) != 0);
}

FileContent read(const fs::path& file, bool, const Wanted&) {
  if (is_of_ranks(file))
    throw InputError(fmt::format(
        "'{}' is a part of a checkpoint of several ranks: give the directory of the run, '{}', to pleiad run",
        file.string(), file.has_parent_path() ? file.parent_path().string() : "."));
  auto checkpoint = decode(read_file(file), file.string());
  if (checkpoint.extra.contains(comoving_section))
    throw InputError(
        fmt::format("{}: the checkpoint of a run with [cosmology], whose momenta are not the velocities of a "
                    "snapshot; give the directory of the run to pleiad run, or a file of its snapshots",
                    file.string()));
  return content_of(std::move(checkpoint), file.string());
}

}  // namespace

FileContent content_of(Checkpoint checkpoint, const std::string& origin) {
  FileContent content{.format = &format_checkpoint,
                      .snapshot = std::move(checkpoint.snapshot),
                      .units_stated = true,
                      .files = {origin}};
  auto& bodies = content.snapshot.bodies;
  if (bodies.size() == 0)
    throw InputError(
        fmt::format("{}: this checkpoint has no bodies of its own: it is that of an ensemble, whose systems "
                    "are in its tables",
                    origin));
  bodies.low.clear(), bodies.series.clear();
  content.count = bodies.size();
  return content;
}

}  // namespace files

constinit const Format format_checkpoint{.name = "checkpoint",
                                         .family = "checkpoint",
                                         .ending = ".pleiad",
                                         .digits = Format::Digits::all,
                                         .kept = {.order = true,
                                                  .accelerations = true,
                                                  .potentials = true,
                                                  .box = true,
                                                  .G = true,
                                                  .softenings = true},
                                         .read_by_yt = false,
                                         .likeness = files::likeness,
                                         .read = files::read};

}  // namespace pleiad
