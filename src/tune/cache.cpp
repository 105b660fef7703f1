#include "tune/cache.hpp"

#include "core/json_text.hpp"
#include "core/json_whole.hpp"
#include "core/version.hpp"
#include "io/durable/descriptor.hpp"
#include "io/durable/durable.hpp"

#include <pleiad/error.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

namespace pleiad::tune {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
constexpr std::size_t largest_file = std::size_t{1} << 24;

/// Version of the file format: other versions are not read.
constexpr int format = 2;

Json json_of(const Entry& e) {
  Json j{{"backend", pleiad::name_of(e.what.where)},
         {"device", e.what.device},
         {"precision", pleiad::name_of(e.what.precision)},
         {"bodies", e.what.n},
         {"periodic", e.what.periodic},
         {"masses", pleiad::name_of(e.what.masses)},
         {"most_gpus", e.what.gpus},
         {"kernel", e.kernel},
         {"gpus", e.gpus},
         {"seconds", e.seconds},
         {"candidates", e.candidates}};
  if (!e.what.request.empty())
    j.update(Json{{"wish", e.what.request}, {"half", e.what.half}, {"deepest", e.what.deepest}});
  if (e.evaluations > 0) j["evaluations"] = e.evaluations;
  return j;
}

/// Throws a std::exception when anything is not as json_of writes it.
Entry entry_of(const Json& j) {
  const auto masses = j.at("masses").get<std::string>(), backend = j.at("backend").get<std::string>();
  // The case by itself: where a later member throws, GCC 12 destroys twice what a nested initialiser has
  // made.
  Case what{.where = backend == pleiad::name_of(Device::cuda) ? Device::cuda : Device::cpu,
            .device = j.at("device").get<std::string>(),
            .precision = precision_named(j.at("precision").get<std::string>()),
            .n = need_whole_number_in<std::size_t>(j.at("bodies")),
            .periodic = j.at("periodic").get<bool>(),
            .masses = masses == pleiad::name_of(Masses::equal) ? Masses::equal : Masses::any,
            .gpus = need_whole_number_in<int>(j.at("most_gpus"))};
  Entry e{.what = std::move(what),
          .kernel = j.at("kernel").get<std::string>(),
          .gpus = need_whole_number_in<int>(j.at("gpus")),
          .seconds = j.at("seconds").get<double>(),
          .candidates = need_whole_number_in<std::size_t>(j.at("candidates"))};
  if (j.contains("wish"))
    e.what.request = j["wish"].get<std::string>(), e.what.half = need_whole_number_in<unsigned>(j.at("half")),
    e.what.deepest = need_whole_number_in<unsigned>(j.at("deepest"));
  if (j.contains("evaluations")) e.evaluations = j["evaluations"].get<double>();
  const bool sound = masses == pleiad::name_of(e.what.masses) && backend == pleiad::name_of(e.what.where) &&
                     e.what.n > 0 && (!e.what.request.empty() || e.what.n <= most_bodies) && e.gpus > 0 &&
                     e.gpus <= e.what.gpus && e.seconds > 0 && !e.kernel.empty() && e.evaluations >= 0;
  if (!sound) throw std::out_of_range("an entry");
  return e;
}

/// Held while the file is read, changed and written. Without it (a file system that cannot lock) writers
/// replace each other's files whole, and at worst something is measured again.
Descriptor lock_beside(const fs::path& file, const Waiting& waiting) {
  using namespace std::chrono;
  constexpr seconds longest{5};
  const auto name = fs::path(file) += ".lock";
  auto lock = open_file(name, O_RDWR | O_CREAT);
  if (!lock) return lock;
  const auto start = steady_clock::now();
  for (bool told = false; ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0;) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) break;
    if (steady_clock::now() - start > longest)
      throw ResourceError(fmt::format(
          "the tuner's cache '{}' is not written: another process has held the lock '{}' for {} s",
          file.string(), name.string(), longest.count()));
    if (!std::exchange(told, true) && waiting)
      waiting(
          fmt::format("waiting for the lock '{}' of the tuner's cache, which another process holds, {} s "
                      "at most",
                      name.string(), longest.count()));
    std::this_thread::sleep_for(milliseconds(10));
  }
  return lock;
}

}  // namespace

fs::path cache_file(const char* cache_home, const char* home) {
  // The XDG rule: a relative path is no path.
  const auto folder = [](const char* value) {
    fs::path path = value == nullptr ? "" : value;
    return path.is_absolute() ? path : fs::path();
  };
  if (const auto cache = folder(cache_home); !cache.empty()) return cache / "pleiad" / "tune.json";
  if (const auto at_home = folder(home); !at_home.empty()) return at_home / ".cache" / "pleiad" / "tune.json";
  return {};
}

Cache read_cache(const fs::path& file) {
  std::error_code ignored;
  if (file.empty() || !fs::exists(file, ignored)) return {};
  const auto unused = [&](std::string_view why) {
    return Cache{
        {},
        fmt::format("the tuner's cache '{}' is not used and will be written anew: {}", file.string(), why)};
  };
  try {
    const auto j = Json::parse(read_file(file, largest_file));
    if (const auto written = j.at("pleiad").get<std::string>(); written != version())
      return unused(fmt::format("it is of version '{}', this is {}", written, version()));
    if (need_whole_number_in<int>(j.at("format")) != format) return unused("it is of another format");
    Cache cache;
    for (const auto& each : j.at("entries")) cache.entries.push_back(entry_of(each));
    return cache;
  } catch (const Error& e) {
    return unused(e.what());
  } catch (const std::exception&) {
    return unused("it is damaged");
  }
}

std::optional<Entry> find(const Cache& cache, const Case& what) {
  const auto found = std::ranges::find(cache.entries, what, &Entry::what);
  return found == cache.entries.end() ? std::nullopt : std::optional(*found);
}

std::vector<Entry> keep(const fs::path& file, std::vector<Entry> entries, Others others,
                        const Waiting& waiting) {
  if (file.empty())
    throw ResourceError("the tuner has no place for its cache: neither XDG_CACHE_HOME nor HOME is set");
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  if (failed)
    throw ResourceError(fmt::format("cannot make the folder '{}' of the tuner's cache: {}",
                                    file.parent_path().string(), failed.message()));
  const auto lock = lock_beside(file, waiting);
  Cache cache = read_cache(file);
  for (auto& entry : entries) {
    std::erase_if(cache.entries, [&](const Entry& e) {
      const bool shorter = e.evaluations > 0 && (entry.evaluations == 0 || entry.evaluations > e.evaluations);
      return e.what == entry.what && (others == Others::go || shorter);
    });
    const auto there = find(cache, entry.what);
    if (there && others == Others::stay) entry = *there;
    else cache.entries.push_back(entry);
  }
  Json j{{"pleiad", version()}, {"format", format}, {"entries", Json::array()}};
  for (const auto& entry : cache.entries) j["entries"].push_back(json_of(entry));
  write_file_atomically(file, json_text(j, 1) + "\n");
  return entries;
}

bool clear_cache(const fs::path& file) {
  std::error_code failed;
  const bool removed = fs::remove(file, failed);
  if (failed)
    throw ResourceError(
        fmt::format("cannot remove the tuner's cache '{}': {}", file.string(), failed.message()));
  return removed;
}

}  // namespace pleiad::tune
