#include "run/analysis.hpp"

#include "io/durable/paths.hpp"
#include "run/stop.hpp"

#include <pleiad/error.hpp>

#include <fmt/format.h>

namespace pleiad::run {

Making making_in(RunDirectory& directory) {
  return {
      .place = [&](const std::filesystem::path& file) { return directory.how(file); },
      .stopped =
          [before = SignalWatch::received()] { return before.empty() && !SignalWatch::received().empty(); }};
}

bool Ending::made(const char* what, const std::function<bool(std::string& why)>& make) {
  std::string why;
  try {
    if (!how.stopped() && make(why)) return true;
  } catch (const ResourceError& e) {
    why = e.what();
  }
  if (how.stopped()) stopped_by = SignalWatch::received(), why = "stopped by " + stopped_by;
  notes.push_back(fmt::format("no {}: {}", what, why));
  return false;
}

void Output::open_table(std::string_view name, const Checkpoint* resumed, std::vector<std::string>& notes,
                        std::initializer_list<std::string_view> header) {
  const auto file = run_.directory->file(std::string(name));
  const auto how = run_.directory->how(file);
  if (resumed != nullptr) {
    const auto kept = resumed->appended_files.find(file.filename().string());
    const bool lost = !has_entry(file);
    if (kept != resumed->appended_files.end() && !lost) {
      table_ = AppendedFile::resume(file, kept->second, how);
      return;
    }
    if (kept != resumed->appended_files.end())
      notes.push_back(
          fmt::format("'{}' is missing: a new table begins at t = {:g}, and the earlier rows are lost",
                      file.string(), run_.simulation.time()));
  }
  table_ = AppendedFile::create(file, how);
  for (const auto line : header)
    if (!line.empty()) table_->append(line);
}

}  // namespace pleiad::run
