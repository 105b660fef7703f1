/// Writing CSV: a few comment lines, a header, 17 digits, so that reading it back gives the same doubles.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "io/files/csv.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace pleiad::files {

namespace {

/// All lines up to the names of the columns.
std::string csv_head(const Snapshot& s, const WriteOptions& options, std::size_t bodies, bool softened) {
  const std::string_view provenance = options.provenance;
  std::string out;
  const auto to = std::back_inserter(out);
  // A reader takes the first word before a colon for a key, so this one is none of its own; a text of several
  // lines, a whole configuration, is kept by HDF5 alone.
  if (!provenance.empty() && provenance.find_first_of("\n\r") == provenance.npos)
    fmt::format_to(to, "# made by: {}\n", provenance);
  const Units& u = s.units;
  if (u.name == "custom")
    fmt::format_to(to, "# units: custom {} {} {}\n", u.length_cm, u.mass_g, u.velocity_cm_s);
  else fmt::format_to(to, "# units: {}\n", u.name);
  fmt::format_to(to, "# time: {:.17g}\n# step: {}\n", s.time, s.step);
  if (s.G != u.G()) fmt::format_to(to, "# G: {:.17g}\n", s.G);
  const auto& l = s.boundary.length;
  if (s.boundary.periodic) fmt::format_to(to, "# periodic: {:.17g} {:.17g} {:.17g}\n", l.x, l.y, l.z);
  if (s.boundary.all_images()) fmt::format_to(to, "# images: all\n");
  if (options.suggested_softening) fmt::format_to(to, "# softening: {:.17g}\n", *options.suggested_softening);
  if (options.suggested_step) fmt::format_to(to, "# time_step: {:.17g}\n", *options.suggested_step);
  fmt::format_to(to, "# bodies: {}\n", bodies);
  const bool pulls = !s.ax.empty(), potential = !s.potential.empty();
  fmt::format_to(to, "id,type,mass,x,y,z,vx,vy,vz{}{}{}\n", pulls ? ",ax,ay,az" : "",
                 potential ? ",potential" : "", softened ? ",softening" : "");
  return out;
}

/// Lines of the bodies [begin, end).
void append_rows(const Snapshot& s, std::size_t begin, std::size_t end, std::string& out) {
  const Bodies& b = s.bodies;
  const bool pulls = !s.ax.empty(), potential = !s.potential.empty();
  const auto to = std::back_inserter(out);
  for (std::size_t i = begin; i < end; ++i) {
    fmt::format_to(to, "{},{}", b.id[i], type_names[std::size_t(b.type[i])]);
    for (const auto* a : {&b.mass, &b.x, &b.y, &b.z, &b.vx, &b.vy, &b.vz})
      fmt::format_to(to, ",{:.17g}", (*a)[i]);
    if (pulls)
      for (const auto* a : {&s.ax, &s.ay, &s.az}) fmt::format_to(to, ",{:.17g}", (*a)[i]);
    if (potential) fmt::format_to(to, ",{:.17g}", s.potential[i]);
    if (!b.softening.empty()) fmt::format_to(to, ",{:.17g}", b.softening[i]);
    out += '\n';
  }
}

}  // namespace

void write_csv(const fs::path& file, const Snapshot& s, const WriteOptions& options, const Share& share) {
  constexpr std::size_t at_a_time = 32768;
  const std::size_t n = s.bodies.size();
  write_shared(file, share, [&](SharedFile& out) {
    out.append(csv_head(s, options, share.bodies(), share.any(!s.bodies.softening.empty())));
    std::string lines;
    out.append({(n + at_a_time - 1) / at_a_time, [&](std::size_t k) {
                  lines.clear();
                  append_rows(s, k * at_a_time, std::min(n, (k + 1) * at_a_time), lines);
                  return std::string_view(lines);
                }});
  });
}

}  // namespace pleiad::files
