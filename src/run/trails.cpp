#include "run/trails.hpp"

#include <pleiad/error.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace pleiad::run {
namespace {

constexpr const char* trails_section = "trails";

using TrailPlace = Vec3<double>;

struct TrailHead {
  std::uint64_t id, places;
};

}  // namespace

bool on_trails(const Options& o, std::uint64_t step, bool due) {
  const bool followed = !o.output.trajectory_ids.empty() && step % o.output.trajectory_every == 0;
  return due || followed || step % o.limits.check_every == 0;
}

void save_trails(const Trails& trails, Checkpoint& c) {
  if (trails.paths.empty()) return;
  std::string bytes;
  for (const auto& [id, path] : trails.paths) {
    const TrailHead head{id, path.size()};
    bytes.append(reinterpret_cast<const char*>(&head), sizeof head);
    bytes.append(reinterpret_cast<const char*>(path.data()), path.size() * sizeof(TrailPlace));
  }
  c.extra[trails_section] = std::move(bytes);
}

void restore_trails(const Checkpoint& c, Trails& trails) {
  const auto found = c.extra.find(trails_section);
  if (found == c.extra.end()) return;
  std::string_view left = found->second;
  const auto take = [&](void* to, std::size_t bytes) {
    if (bytes > left.size()) throw InputError("the checkpoint's trails are not whole");
    if (bytes > 0) std::memcpy(to, left.data(), bytes);
    left.remove_prefix(bytes);
  };
  while (!left.empty()) {
    TrailHead head{};
    take(&head, sizeof head);
    if (head.places > left.size() / sizeof(TrailPlace))
      throw InputError("the checkpoint's trails are not whole");
    auto& path = trails.paths[head.id];
    path.resize(head.places);
    take(path.data(), path.size() * sizeof(TrailPlace));
  }
}

}  // namespace pleiad::run
