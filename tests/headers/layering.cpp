/// The table of layers and its reader.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "headers/layering.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string_view>

namespace pleiad::layering {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string, std::less<>>;

/// A folder of src and the folders below it whose headers it may include; itself always. `rung` is no folder
/// but the types that a kernel is written in (pleiad/direct.hpp): the backends share them, and never each
/// other.
const std::map<std::string, Names, std::less<>> below{
    {"core", {}},
    {"rung", {"core"}},
    {"reference", {"core"}},
    {"cpu", {"core", "rung"}},
    {"cuda", {"core", "rung", "tree"}},
    {"tree", {"core", "rung", "cpu"}},
    {"direct", {"core", "rung", "cpu", "cuda", "tree"}},
    {"models", {"core"}},
    {"engine", {"core", "rung", "cpu", "cuda", "direct", "tree"}},
    {"sim", {"core", "rung", "direct", "engine"}},
    {"ensemble", {"core", "rung", "cuda", "direct", "engine", "sim"}},
    {"tune", {"core", "rung", "tree", "direct", "engine", "models", "io/durable"}},
    {"io/durable", {"core"}},
    {"io/files", {"core", "io/durable"}},
    {"io/config", {"core", "io/durable"}},
    {"io/checkpoint", {"core", "io/durable"}},
    {"render", {"core", "io/durable"}},
    {"run",
     {"core", "rung", "direct", "engine", "sim", "tune", "ensemble", "models", "render", "io/durable",
      "io/files", "io/config", "io/checkpoint"}},
    {"library",
     {"core", "rung", "cpu", "tree", "direct", "engine", "sim", "tune", "models", "io/files", "io/checkpoint",
      "ensemble"}},
    {"doctor",
     {"core", "rung", "cuda", "direct", "engine", "sim", "tune", "render", "io/durable", "io/files",
      "io/config", "run"}},
};

/// The lowest folder that may include a public header. The engine's plan names an integrator, so that header
/// lies below sim.
const std::map<std::string, std::string, std::less<>> lowest{
    {"bodies", "core"},
    {"error", "core"},
    {"gravity", "core"},
    {"precision", "core"},
    {"pull", "core"},
    {"radii", "core"},
    {"rng", "core"},
    {"snapshot", "core"},
    {"units", "core"},
    {"vec", "core"},
    {"vectors", "core"},
    {"context", "core"},
    {"direct", "rung"},
    {"steps", "rung"},
    {"tree", "rung"},
    {"ensemble_steps", "rung"},
    {"choice", "direct"},
    {"accuracy", "engine"},
    {"integrator", "engine"},
    {"engine", "engine"},
    {"diagnostics", "sim"},
    {"simulation", "sim"},
    {"ensemble", "ensemble"},
    {"models", "models"},
    {"render", "render"},
    {"durable", "io/durable"},
    {"files", "io/files"},
    {"options", "io/config"},
    {"config", "io/config"},
    {"checkpoint", "io/checkpoint"},
    {"appended_file", "io/checkpoint"},
    {"forces", "library"},
    {"save", "library"},
    {"pleiad", "library"},
};

/// The folder of the table that a path relative to the root belongs to: "io/files", "core", ...; of other
/// trees the tree: "apps".
std::string folder_of(const fs::path& relative) {
  auto part = relative.begin();
  const std::string tree = *part++;
  if (tree == "include") {
    const auto header = lowest.find(relative.stem().string());
    return header == lowest.end() ? "unknown" : header->second;
  }
  if (tree != "src") return tree;
  const std::string folder = *part++;
  return folder == "io" && part != relative.end() ? "io/" + part->string() : folder;
}

bool may_include(const std::string& from, const std::string& to) {
  if (from == to) return true;
  if (from == "apps") return to == "bench" || below.contains(to);
  if (from == "bench") return below.contains(to);
  const auto layer = below.find(from);
  return layer != below.end() && layer->second.contains(to);
}

struct Include {
  int line;
  bool quoted;
  std::string name;
};
std::vector<Include> includes_of(const fs::path& file) {
  static const std::regex pattern(R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"])re");
  std::vector<Include> found;
  std::ifstream in(file);
  std::string text;
  for (int line = 1; std::getline(in, text); ++line)
    if (std::smatch match; std::regex_search(text, match, pattern))
      found.push_back({line, match[1] == "\"", match[2]});
  return found;
}

/// The file of the tree that an #include names, relative to the root; empty for the standard library, other
/// libraries and generated files.
fs::path target_of(const Include& include, const fs::path& file, const fs::path& root) {
  if (include.name.starts_with("pleiad/")) return fs::path("include") / include.name;
  if (!include.quoted) return {};
  for (const auto& base : {file.parent_path(), root / "src", root / "tests", root})
    if (fs::exists(base / include.name)) return fs::relative(base / include.name, root);
  return {};
}

void check_file(const fs::path& file, const fs::path& root, std::vector<std::string>& found) {
  const fs::path relative = fs::relative(file, root);
  const std::string from = folder_of(relative);
  const bool is_public = relative.begin()->string() == "include";
  if (from == "unknown")
    found.push_back(relative.string() + ": a public header that the table of layers does not know");
  for (const auto& include : includes_of(file)) {
    const fs::path target = target_of(include, file, root);
    const std::string where = relative.string() + ":" + std::to_string(include.line) + ": ";
    if (!target.empty()) {
      const std::string to = folder_of(target);
      if (!may_include(from, to))
        found.push_back(where + from + " must not include " + target.string() + " (" + to + ")");
    } else if (include.name.find('@') != std::string::npos) {
      continue;  // filled in by CMake
    } else if (include.quoted && below.contains(from)) {
      found.push_back(where + "\"" + include.name + "\" is no file of the tree");
    } else if (is_public && include.name.find_first_of("./") != std::string::npos) {
      found.push_back(where + "a public header needs the standard library only, not <" + include.name + ">");
    }
  }
}

bool is_source(const fs::path& file) {
  static const Names endings{".cpp", ".hpp", ".h", ".ipp", ".cu", ".cuh", ".in"};
  return endings.contains(file.extension().string());
}

}  // namespace

std::vector<std::string> violations(const fs::path& root) {
  std::vector<std::string> found;
  for (const auto* tree : {"include", "src", "apps", "bench"})
    for (const auto& entry : fs::recursive_directory_iterator(root / tree)) {
      const fs::path relative = fs::relative(entry.path(), root);
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      const std::string folder = folder_of(relative);
      const bool known = tree != std::string_view("src") || below.contains(folder);
      if (!known)
        found.push_back(relative.string() + ": folder '" + folder + "' is not in the table of layers");
      check_file(entry.path(), root, found);
    }
  std::ranges::sort(found);
  return found;
}

}  // namespace pleiad::layering
