/// Manifests of runs, which decide what --overwrite deletes: what is accepted stays inside the directory, and
/// is the same when it is written again.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "run/manifest.hpp"

#include "io/durable/open_folder.hpp"
#include "target.hpp"

#include <memory>

using namespace pleiad;
using run::Manifest;

namespace {

void check_names(const Manifest& manifest) {
  for (const auto& [name, time] : manifest.files()) {
    const std::filesystem::path path(name);
    fuzz::require(path.is_relative() && path.lexically_normal() == path && path.has_filename(),
                  "a plain name: " + name);
    for (const auto& part : path) fuzz::require(part != ".." && part != ".", "no detour: " + name);
    fuzz::require(name.find('\0') == name.npos && name.find('\n') == name.npos, "a name of one line");
    fuzz::require(*path.begin() != ".replaced" && *path.begin() != ".lock" && name != Manifest::name,
                  "a file of a run: " + name);
    const auto below = manifest.files().lower_bound(name + "/");
    fuzz::require(below == manifest.files().end() || !below->first.starts_with(name + "/"),
                  "a file or a folder: " + name);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  const auto text = fuzz::text_of(data, size);
  const auto file = folder.write("manifest.txt", text);
  const auto salvaged = Manifest::salvage(text);
  check_names(salvaged);
  fuzz::require(salvaged.empty() || Manifest::is_signed(text), "nothing of what is not signed");
  fuzz::refused([&] {
    auto manifest = Manifest::read(file.parent_path());
    check_names(manifest);
    fuzz::require(manifest.files() == salvaged.files(), "all that is accepted is salvaged");
    const auto opened = std::make_shared<const OpenFolder>(file.parent_path());
    manifest.open(opened);
    manifest.add("config.toml");
    manifest.sync();
    const auto again = Manifest::read(file.parent_path());
    fuzz::require(again.files() == manifest.files(), "the same when it is written again");
    fuzz::require(fuzz::bytes_of(file).starts_with(text.substr(0, text.rfind('\n') + 1)),
                  "what was there stays");
  });
  return 0;
}
