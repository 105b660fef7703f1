#include "io/files/comoving.hpp"

#include "io/files/wanted.hpp"

#include <string>
#include <vector>

namespace pleiad::files {

FileContent read_comoving(const std::filesystem::path& file, const std::optional<Units>& units,
                          bool unless_stated) {
  Wanted wanted;
  wanted.comoving = true;
  auto content = read_snapshot(file, units, unless_stated, wanted);
  auto& boundary = content.snapshot.boundary;
  if (!content.universe) return content;
  if (!boundary.periodic && content.box) {
    boundary = {.periodic = true, .length = *content.box};
    std::erase_if(content.notes,
                  [](const std::string& note) { return note.starts_with(open_in_spite_of_box); });
  }
  if (boundary.periodic) boundary.images = Images::all;
  return content;
}

}  // namespace pleiad::files
