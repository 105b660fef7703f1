/// CSV as a format: everything is kept, with all digits.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/csv.hpp"

namespace pleiad {

extern constinit const Format format_csv{
    .name = "csv",
    .family = "a table with columns mass, x, y, z, vx, vy, vz",
    .ending = ".csv",
    .digits = Format::Digits::all,
    .kept = {true, true, true, true, true, true, true},
    .read_by_yt = false,
    .likeness =
        [](std::string_view start) {
          return files::csv::looks_like(start) ? Likeness::slight : Likeness::none;
        },
    .damage =
        [](std::string_view start) {
          return files::csv::begins_as_text(start) ? files::csv::no_text(start) : "";
        },
    .read = [](const files::fs::path& file, bool, const files::Wanted&) { return files::read_csv(file); },
    .write = [](const files::fs::path& file, const Snapshot& snapshot, const WriteOptions& options,
                const files::Share& share) { files::write_csv(file, snapshot, options, share); }};

}  // namespace pleiad
