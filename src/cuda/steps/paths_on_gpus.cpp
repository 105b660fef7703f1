#include "cuda/steps/paths_on_gpus.hpp"

#include "cuda/device/memory.hpp"
#include "cuda/device/peer.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/steps/path_sums.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace pleiad::cuda {
namespace {

/// More changes are sent as all paths.
constexpr std::size_t most_rows(std::size_t room) { return room / 4 + 256; }

/// What a call sends: rows, then the numbers of their bodies, then chosen bodies.
struct Sent {
  std::size_t changed_at, chosen_at, bytes;
  Sent(std::size_t changes, std::size_t count)
      : changed_at(changes * numbers_of_row * sizeof(double)),
        chosen_at(changed_at + (changes * sizeof(unsigned) + 7) / 8 * 8),
        bytes(chosen_at + count * sizeof(ChosenPath)) {}
};
/// What it brings back: whether sums did not fit, then sums, then their units; and behind it the shifts.
struct Found {
  static constexpr std::size_t sums_at = 16;
  std::size_t units_at, bytes;
  explicit Found(std::size_t count)
      : units_at(sums_at + count * 6 * sizeof(std::int64_t)), bytes(units_at + count * sizeof(SumUnits)) {}
};

template <class T>
T* at(unsigned char* memory, std::size_t offset) {
  return reinterpret_cast<T*>(memory + offset);
}

/// 2^exponent of a normal number.
double two_to(int exponent) { return std::bit_cast<double>(std::uint64_t(1023 + exponent) << 52); }

}  // namespace

std::size_t bytes_of_paths(std::size_t n) {
  return BodyPaths::padded(n) * numbers_of_row * sizeof(double) + Sent(most_rows(n), n).bytes +
         Found(n).bytes + n * 2 * sizeof(int) + bytes_of_active(n) + 3 * sizeof(double);
}

struct PathsOnGpus::OneGpu {
  OneGpu(int number, std::size_t room)
      : device(number),
        paths(BodyPaths::padded(room) * numbers_of_path, stream.get()),
        mass(BodyPaths::padded(room), stream.get()),
        mean_velocity(3, stream.get()),
        packet(Sent(most_rows(room), room).bytes, stream.get()),
        result(Found(room).bytes, stream.get()),
        active(bytes_of_active(room), stream.get()),
        shifts(2 * room, stream.get()),
        brought(Found(room).bytes),
        at_once{blocks_at_once(false), blocks_at_once(true)} {
    problem = {.room = BodyPaths::padded(room),
               .paths = paths.data(),
               .mass = mass.data(),
               .units = {},
               .mean_velocity = mean_velocity.data(),
               .active = reinterpret_cast<individual::Active*>(active.data()),
               .shifts = shifts.data(),
               .stream = stream.get()};
  }
  int device;
  Stream stream;
  Buffer<double> paths, mass, mean_velocity;
  Buffer<unsigned char> packet, result, active;
  Buffer<int> shifts;
  Staging<unsigned char> brought;
  std::array<unsigned, 2> at_once;  ///< in doubles and in floats
  PathSums problem;
};

PathsOnGpus::PathsOnGpus(std::size_t room, const Settings& settings)
    : settings_(settings), room_(room), sent_(Sent(most_rows(room), room).bytes), row_of_(room, 0) {
  const int first = settings.gpus > 1 ? 0 : present_device();
  for (int k = 0; k < settings.gpus; ++k) {
    const OnDevice here(first + k);
    gpus_.push_back(std::make_unique<OneGpu>(first + k, room));
    gpus_.back()->problem.eps2 = settings.eps * settings.eps;
    gpus_.back()->problem.grid = settings.grid;
  }
}

PathsOnGpus::~PathsOnGpus() {
  for (auto& gpu : gpus_) {
    const OnDevice here(gpu->device);
    gpu.reset();
  }
}

void PathsOnGpus::note(const BodyPaths& paths) {
  if (paths.all_changed) {
    all_changed_ = true;
    // Units and the mean velocity are those of a time for all: a run that goes on there has the same.
    double total = 0;
    std::array<double, 3> mean{};
    for (std::size_t k = 0; k < paths.pulling; ++k) {
      total += paths.mass[k];
      for (std::size_t c = 0; c < 3; ++c) mean[c] += paths.mass[k] * paths.v[c][k];
    }
    for (auto& m : mean) m = total > 0 ? m / total : 0;
    for (auto& gpu : gpus_) {
      const OnDevice here(gpu->device);
      gpu->problem.units = units_of(total, paths.unit);
      gpu->mean_velocity.copy_from_host(mean);
      wait(gpu->stream.get());  // the array ends here
    }
  }
  if (all_changed_) return;
  for (const auto k : paths.changed)
    if (row_of_[k] == 0) changed_.push_back(k), row_of_[k] = std::uint32_t(changed_.size());
  if (changed_.size() > most_rows(room_)) all_changed_ = true;
}

void PathsOnGpus::send_all(const BodyPaths& p) {
  const std::size_t n = p.mass.size();
  for (auto& gpu : gpus_) {
    const OnDevice here(gpu->device);
    void* const stream = gpu->stream.get();
    std::size_t component = 0;
    for (const auto* field : {&p.x, &p.v, &p.a, &p.j})
      for (const auto& numbers : *field)
        copy_to_device(gpu->paths.data() + gpu->problem.room * component++, numbers.data(),
                       n * sizeof(double), stream);
    copy_to_device(gpu->paths.data() + gpu->problem.room * component, p.from.data(), n * sizeof(double),
                   stream);
    copy_to_device(gpu->mass.data(), p.mass.data(), n * sizeof(double), stream);
  }
}

void PathsOnGpus::pack(const BodyPaths& p, std::span<const std::uint32_t> chosen) {
  const Sent where(changed_.size(), chosen.size());
  unsigned char* const packet = sent_.data();
  auto* row = at<double>(packet, 0);
  for (const auto k : changed_) {
    for (const auto* field : {&p.x, &p.v, &p.a, &p.j})
      for (const auto& numbers : *field) *row++ = numbers[k];
    *row++ = p.from[k], *row++ = p.mass[k];
  }
  std::ranges::copy(changed_, at<unsigned>(packet, where.changed_at));
  auto* one = at<ChosenPath>(packet, where.chosen_at);
  for (const auto k : chosen)
    *one++ = {.place = k, .row = row_of_[k] > 0 ? row_of_[k] - 1 : ChosenPath::unchanged};
}

void PathsOnGpus::begin(const BodyPaths& p, double now, std::span<const std::uint32_t> chosen) {
  if (all_changed_) {
    for (const auto k : changed_) row_of_[k] = 0;
    changed_.clear();
    send_all(p);
  }
  pack(p, chosen);
  // Without a last acceleration nothing says which pairs matter little.
  const bool floats = settings_.in_floats && std::ranges::none_of(chosen, [&](std::uint32_t k) {
                        return p.a[0][k] == 0 && p.a[1][k] == 0 && p.a[2][k] == 0;
                      });
  count_ = chosen.size();
  const Sent sent(changed_.size(), count_);
  const Found found(count_);
  constexpr std::size_t group = 16;
  const std::size_t groups = (p.pulling + group - 1) / group;
  for (std::size_t g = 0; g < gpus_.size(); ++g) {
    auto& gpu = *gpus_[g];
    const OnDevice here(gpu.device);
    auto& problem = gpu.problem;
    copy_from_pinned(gpu.packet.data(), sent_.data(), sent.bytes, problem.stream);
    problem.now = now, problem.unit = p.unit;
    problem.rows = at<const double>(gpu.packet.data(), 0);
    problem.changed = at<const unsigned>(gpu.packet.data(), sent.changed_at);
    problem.changes = changed_.size();
    problem.chosen = at<const ChosenPath>(gpu.packet.data(), sent.chosen_at);
    problem.count = count_;
    problem.first = groups * g / gpus_.size() * group;
    problem.last = std::min(p.pulling, groups * (g + 1) / gpus_.size() * group);
    problem.pulling = p.pulling, problem.in_floats = floats, problem.again = false;
    problem.at_once = gpu.at_once[floats ? 1 : 0];
    problem.misfit = at<unsigned>(gpu.result.data(), 0);
    problem.sums = at<unsigned long long>(gpu.result.data(), Found::sums_at);
    problem.sum_units = at<SumUnits>(gpu.result.data(), found.units_at);
    take_paths(problem);
    add_pulls_of_paths(problem);
    if (count_ > 0) copy_to_pinned(gpu.brought.data(), gpu.result.data(), found.bytes, problem.stream);
  }
  for (const auto k : changed_) row_of_[k] = 0;
  changed_.clear(), all_changed_ = false;
  ++work_.calls, work_.pairs += double(count_) * double(p.pulling);
}

/// In units of which the largest that any GPU needs are those of all.
void PathsOnGpus::launch_again() {
  const Found found(count_);
  std::vector<int> shifts(2 * count_, 0), own(2 * count_);
  for (auto& gpu : gpus_) {
    const OnDevice here(gpu->device);
    copy_to_host(own.data(), gpu->shifts.data(), own.size() * sizeof(int), gpu->problem.stream);
    for (std::size_t k = 0; k < own.size(); ++k) shifts[k] = std::max(shifts[k], own[k]);
  }
  for (auto& gpu : gpus_) {
    const OnDevice here(gpu->device);
    auto& problem = gpu->problem;
    copy_to_device(gpu->shifts.data(), shifts.data(), shifts.size() * sizeof(int), problem.stream);
    fill(problem.sums, 0, count_ * 6 * sizeof(*problem.sums), problem.stream);
    problem.again = true;
    add_pulls_of_paths(problem);
    copy_to_pinned(gpu->brought.data(), gpu->result.data(), found.bytes, problem.stream);
    wait(problem.stream);
  }
  auto* const units = at<SumUnits>(gpus_[0]->brought.data(), found.units_at);
  for (std::size_t t = 0; t < count_; ++t) units[t].a -= shifts[2 * t], units[t].j -= shifts[2 * t + 1];
  ++work_.redone;
}

void PathsOnGpus::finish(std::span<Vec4<double>> a, std::span<Vec4<double>> j) {
  if (count_ == 0) return;
  bool fits = true;
  for (auto& gpu : gpus_) {
    const OnDevice here(gpu->device);
    wait(gpu->stream.get());
    fits = fits && *at<unsigned>(gpu->brought.data(), 0) == 0;
  }
  if (!fits) launch_again();
  const Found found(count_);
  const auto* const units = at<const SumUnits>(gpus_[0]->brought.data(), found.units_at);
  for (std::size_t t = 0; t < count_; ++t) {
    std::array<std::uint64_t, 6> sums{};
    for (const auto& gpu : gpus_) {
      const auto* const own = at<const std::uint64_t>(gpu->brought.data(), Found::sums_at) + 6 * t;
      for (std::size_t c = 0; c < 6; ++c) sums[c] += own[c];
    }
    const auto number = [&](std::size_t c, int unit) {
      return double(std::int64_t(sums[c])) * two_to(-unit);
    };
    a[t] = {number(0, units[t].a), number(1, units[t].a), number(2, units[t].a), 0};
    j[t] = {number(3, units[t].j), number(4, units[t].j), number(5, units[t].j), 0};
  }
}

void PathsOnGpus::higher_derivatives(const BodyPaths& paths, std::span<Vec4<double>> snaps,
                                     std::span<Vec4<double>> crackles) {
  send_all(paths);
  auto& gpu = *gpus_[0];
  const OnDevice here(gpu.device);
  gpu.problem.pulling = paths.pulling;
  Buffer<double> there(6 * paths.bodies, gpu.stream.get());
  find_higher_derivatives(gpu.problem, paths.bodies, there.data());
  std::vector<double> found(there.size());
  there.copy_to_host(found);
  for (std::size_t i = 0; i < paths.bodies; ++i) {
    const double* const d = found.data() + 6 * i;
    snaps[i] = {d[0], d[1], d[2], 0}, crackles[i] = {d[3], d[4], d[5], 0};
  }
}

std::size_t PathsOnGpus::bytes() const { return bytes_of_paths(room_); }

}  // namespace pleiad::cuda
