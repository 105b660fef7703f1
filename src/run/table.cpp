#include "run/table.hpp"

#include "io/durable/paths.hpp"

namespace pleiad::run {

AppendedFile open_table(RunDirectory& directory, std::string_view name, const Checkpoint* resumed,
                        double time, std::vector<std::string>* notes,
                        std::initializer_list<std::string_view> header) {
  const auto file = directory.file(std::string(name));
  const auto how = directory.how(file);
  if (resumed != nullptr) {
    const auto kept = resumed->appended_files.find(file.filename().string());
    const bool lost = !has_entry(file);
    if (kept != resumed->appended_files.end() && !lost) return AppendedFile::resume(file, kept->second, how);
    if (kept != resumed->appended_files.end() && notes != nullptr)
      notes->push_back(
          fmt::format("'{}' is missing: a new table begins at t = {:g}, and the earlier rows are lost",
                      file.string(), time));
  }
  auto made = AppendedFile::create(file, how);
  for (const auto line : header)
    if (!line.empty()) made.append(line);
  return made;
}

}  // namespace pleiad::run
