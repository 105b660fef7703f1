#include "io/files/foreign.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

namespace pleiad::files {
namespace {

using std::string_view;

struct Sign {
  string_view start, what;
};
constexpr std::array signs{
    Sign{"PLEIADREC1\n", "a recording of the live view; pleiad view shows it"},
    Sign{"\x1f\x8b", "compressed by gzip; unpack it first: gunzip"},
    Sign{"BZh", "compressed by bzip2; unpack it first: bunzip2"},
    Sign{{"\xfd"
          "7zXZ\0",
          6},
         "compressed by xz; unpack it first: unxz"},
    Sign{"\x28\xb5\x2f\xfd", "compressed by zstd; unpack it first: unzstd"},
    Sign{"PK\3\4", "a zip archive, as spreadsheets (.xlsx) and NumPy's .npz are; write CSV or HDF5"},
    Sign{"\x93NUMPY", "an array of NumPy's; give its columns to pleiad.Snapshot in Python, or write CSV"},
    Sign{"SIMPLE  =", "a FITS file; give its columns to pleiad.Snapshot in Python, or write CSV or HDF5"},
    Sign{"# vtk DataFile",
         "a VTK file; save it as CSV, with the positions and velocities in columns of their own"},
    Sign{"<VTKFile", "a VTK file; save it as CSV, with the positions and velocities in columns of their own"},
    Sign{"\x89PNG", "a picture"},
    Sign{"\xff\xfe", "text in UTF-16; save it as UTF-8"},
    Sign{"\xfe\xff", "text in UTF-16; save it as UTF-8"}};

/// Letters with a NUL before or after each of them.
bool is_wide_text(string_view start) {
  const std::size_t n = std::min<std::size_t>(start.size() / 2, 32);
  const auto all = [&](std::size_t odd) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto letter = static_cast<unsigned char>(start[2 * i + odd]);
      if (start[2 * i + 1 - odd] != 0 || !(std::isprint(letter) || std::isspace(letter))) return false;
    }
    return n >= 4;
  };
  return all(0) || all(1);
}

}  // namespace

std::string foreign(string_view start) {
  for (const auto& sign : signs)
    if (start.starts_with(sign.start)) return std::string(sign.what);
  if (start.starts_with("<?xml") && start.substr(0, 4096).find("<VTKFile") != start.npos)
    return std::string(
        "a VTK file; save it as CSV, with the positions and velocities in columns of their own");
  return is_wide_text(start) ? "text in UTF-16; save it as UTF-8" : "";
}

}  // namespace pleiad::files
