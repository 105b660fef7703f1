/// See gnuplot.hpp.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "render/gnuplot.hpp"

#include "io/durable/descriptor.hpp"
#include "render/process.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace pleiad::render_detail {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds longest{60};

/// Files that go away, whatever happens.
struct Unfinished {
  std::vector<fs::path> files;
  ~Unfinished() {
    for (const auto& file : files) ::unlink(file.c_str());
  }
  fs::path of(const fs::path& file) {
    files.push_back(file.string() + unfinished());
    ::unlink(files.back().c_str());  // of an earlier process that had our id
    return files.back();
  }
};

}  // namespace

std::string unfinished() { return ".tmp." + std::to_string(::getpid()); }

void deliver(const fs::path& made, const fs::path& file, AtomicWrite how) {
  const Descriptor in = open_file(made, O_RDONLY | O_NOFOLLOW);
  if (!in) fail(made, "read");
  how.sync = false;  // it can be made again
  const auto fill = [&](NewFile& out) {
    std::string piece(std::size_t{1} << 20, '\0');
    for (ssize_t n = 0; (n = read_all(in.get(), piece.data(), piece.size())) != 0;) {
      if (n < 0) fail(made, "read");
      out.append(std::string_view(piece).substr(0, static_cast<std::size_t>(n)));
    }
  };
  if (how.folder || !replaceable(file).empty()) write_file_atomically(file, fill, how);
  else write_file_atomically(file, read_file(made));
  ::unlink(made.c_str());
}

namespace {

AtomicWrite unsynced(AtomicWrite how) {
  how.sync = false;
  return how;
}

bool draw(const fs::path& directory, const Drawing& drawing, const Making& how, std::string& why) {
  Unfinished drawn;
  const auto script = drawn.of(directory / (drawing.name + ".gp"));
  write_file_atomically(script, drawing.script(unfinished()), unsynced({}));
  std::vector<std::pair<fs::path, fs::path>> pictures;
  for (const auto& ending : drawing.endings) {
    const auto place = directory / (drawing.name + ending);
    pictures.emplace_back(drawn.of(place), place);
  }
  const auto gnuplot = run_program({"gnuplot", script.filename().string()}, directory, longest, how.stopped);
  why = gnuplot.good() ? "" : gnuplot.why("gnuplot");
  if (!gnuplot.good()) return false;
  for (const auto& [made, place] : pictures)
    if (std::error_code absent; fs::is_regular_file(fs::symlink_status(made, absent)))
      deliver(made, place, how.place(place));
  return true;
}

}  // namespace

bool draw(const fs::path& directory, const std::vector<Drawing>& drawings, const Making& how,
          std::string& why) {
  for (const auto& drawing : drawings) {
    const auto script = directory / (drawing.name + ".gp");
    write_file_atomically(script, drawing.script(""), unsynced(how.place(script)));
  }
  return std::ranges::all_of(drawings,
                             [&](const auto& drawing) { return draw(directory, drawing, how, why); });
}

}  // namespace pleiad::render_detail
