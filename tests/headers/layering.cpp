/// Reads the table of layers, and the #include lines.
// SPDX-FileCopyrightText: Pleiad contributors
// SPDX-License-Identifier: Apache-2.0
#include "headers/layering.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string_view>

namespace pleiad::layering {
namespace {

namespace fs = std::filesystem;

/// The folder of the table that a path relative to the root belongs to: "io/files", "core", ...; of other
/// trees the tree: "apps".
std::string folder_of(const fs::path& relative, const Layers& layers) {
  auto part = relative.begin();
  const std::string tree = *part++;
  if (tree == "include") {
    const auto header = layers.of_header.find(relative.stem().string());
    return header == layers.of_header.end() ? "unknown" : header->second;
  }
  if (tree != "src") return tree;
  const std::string folder = *part++;
  return folder == "io" && part != relative.end() ? "io/" + part->string() : folder;
}

bool may_include(const std::string& from, const std::string& to, const Layers& layers) {
  if (from == to) return true;
  if (from == "apps" || from == "python") return to == "bench" || layers.below.contains(to);
  if (from == "bench") return layers.below.contains(to);
  const auto layer = layers.below.find(from);
  return layer != layers.below.end() && layer->second.contains(to);
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
  for (const auto& base : {file.parent_path(), root / "src", root / "tests", root / "python", root})
    if (fs::exists(base / include.name)) return fs::relative(base / include.name, root);
  return {};
}

/// The standard library's headers that a public header for C may include.
const Names of_c{"stddef.h", "stdint.h"};

/// Calls see(include, target) for each #include of a file.
template <class See>
void each_include(const fs::path& file, const fs::path& root, const See& see) {
  for (const auto& include : includes_of(file)) see(include, target_of(include, file, root));
}

void check_file(const fs::path& file, const fs::path& root, const Layers& layers,
                std::vector<std::string>& found) {
  const fs::path relative = fs::relative(file, root);
  const std::string from = folder_of(relative, layers);
  const bool is_public = relative.begin()->string() == "include";
  if (from == "unknown")
    found.push_back(relative.string() + ": a public header that the table of layers does not know");
  each_include(file, root, [&](const Include& include, const fs::path& target) {
    const std::string where = relative.string() + ":" + std::to_string(include.line) + ": ";
    if (!target.empty()) {
      const std::string to = folder_of(target, layers);
      if (target == "src/core/print.hpp" && from != "core" && layers.below.contains(from))
        found.push_back(where + from + " must not print: only programs do, libraries tell");
      if (!may_include(from, to, layers))
        found.push_back(where + from + " must not include " + target.string() + " (" + to + ")");
    } else if (include.name.find('@') != std::string::npos) {
      return;  // filled in by CMake
    } else if (include.quoted && layers.below.contains(from)) {
      found.push_back(where + "\"" + include.name + "\" is no file of the tree");
    } else if (is_public && include.name.find_first_of("./") != std::string::npos &&
               !(relative.extension() == ".h" && of_c.contains(include.name))) {
      found.push_back(where + "a public header needs the standard library only, not <" + include.name + ">");
    }
  });
}

bool is_source(const fs::path& file) {
  static const Names endings{".cpp", ".hpp", ".h", ".ipp", ".cu", ".cuh", ".in"};
  return endings.contains(file.extension().string());
}

template <class See>
void each_source(const fs::path& root, const See& see) {
  for (const auto* tree : {"include", "src", "apps", "bench", "python"})
    for (const auto& entry : fs::recursive_directory_iterator(root / tree))
      if (entry.is_regular_file() && is_source(entry.path())) see(entry.path());
}

/// The words of a cell of a table, without the marks of code.
std::vector<std::string> words_of(std::string cell) {
  std::erase(cell, '`');
  std::istringstream in(cell);
  return {std::istream_iterator<std::string>(in), {}};
}

}  // namespace

Layers image_planes_of(const fs::path& document) {
  Layers layers;
  std::ifstream in(document);
  std::string line;
  const std::string head = "| folder | includes | public headers |";
  while (std::getline(in, line) && line != head) {
  }
  std::getline(in, line);  // the rule below the head
  while (std::getline(in, line) && line.starts_with('|')) {
    std::vector<std::string> cells;
    std::istringstream row(line.substr(1));
    for (std::string cell; std::getline(row, cell, '|');) cells.push_back(cell);
    cells.resize(3);
    const auto name = words_of(cells[0]).at(0);
    layers.in_order.push_back(name);
    const auto below = words_of(cells[1]);
    layers.below[name] = {below.begin(), below.end()};
    for (const auto& header : words_of(cells[2])) layers.of_header[header] = name;
  }
  return layers;
}

std::vector<std::string> violations(const fs::path& root, const Layers& layers) {
  std::vector<std::string> found;
  each_source(root, [&](const fs::path& file) {
    const fs::path relative = fs::relative(file, root);
    const std::string folder = folder_of(relative, layers);
    if (*relative.begin() == "src" && !layers.below.contains(folder))
      found.push_back(relative.string() + ": folder '" + folder + "' is not in the table of layers");
    check_file(file, root, layers, found);
  });
  std::ranges::sort(found);
  return found;
}

std::vector<std::string> defects(const Layers& layers) {
  std::vector<std::string> found;
  Names above;
  for (const auto& name : layers.in_order) {
    for (const auto& below : layers.below.at(name))
      if (!above.contains(below)) found.push_back(name + " includes " + below + ", which is not above it");
    above.insert(name);
  }
  return found;
}

std::vector<std::string> unused(const fs::path& root, const Layers& layers) {
  std::map<std::string, Names, std::less<>> used;
  each_source(root, [&](const fs::path& file) {
    const auto from = folder_of(fs::relative(file, root), layers);
    each_include(file, root, [&](const Include&, const fs::path& target) {
      if (!target.empty()) used[from].insert(folder_of(target, layers));
    });
  });
  std::vector<std::string> found;
  for (const auto& [name, below] : layers.below)
    for (const auto& each : below)
      if (!used[name].contains(each)) found.push_back(name + " includes nothing of " + each);
  return found;
}

}  // namespace pleiad::layering
