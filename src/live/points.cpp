#include "live/points.hpp"

#include "core/threads.hpp"
#include "live/nearest.hpp"
#include "live/order.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

namespace pleiad::live {
namespace {

std::size_t count_of(const Scene& scene, std::uint16_t stride) {
  return (scene.order->size() + stride - 1) / stride;
}

/// Calls place(k, three numbers) for all points.
template <class Place>
void each_point(const Scene& scene, std::uint16_t stride, const Place& place) {
  const auto& box = scene.box;
  const auto& bodies = scene.snapshot->bodies;
  // Bodies in key order are far apart in memory.
  constexpr std::size_t ahead = 24;
  const std::size_t count = count_of(scene, stride);
  for_each_index(count, [&](std::size_t k) {
    if (k + ahead < count) {
      const auto later = (*scene.order)[(k + ahead) * stride];
      for (const auto* axis : {&bodies.x, &bodies.y, &bodies.z}) __builtin_prefetch(axis->data() + later);
    }
    const auto at = drawn_at(*scene.snapshot, (*scene.order)[k * stride]);
    place(k,
          std::array{quantised(at.x, box.corner[0], box.size[0]), quantised(at.y, box.corner[1], box.size[1]),
                     quantised(at.z, box.corner[2], box.size[2])});
  });
}

template <class T>
void append_array(std::string& out, const std::vector<T>& values) {
  out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

std::vector<float> speeds(const Scene& scene, std::uint16_t stride) {
  const auto& bodies = scene.snapshot->bodies;
  std::vector<float> found(count_of(scene, stride));
  for_each_index(found.size(), [&](std::size_t k) {
    found[k] = static_cast<float>(norm(bodies.velocity((*scene.order)[k * stride])));
  });
  return found;
}

std::vector<float> densities_of(const Scene& scene, std::uint16_t stride) {
  std::vector<std::uint32_t> drawn(count_of(scene, stride));
  for (std::size_t k = 0; k < drawn.size(); ++k) drawn[k] = (*scene.order)[k * stride];
  auto found = densities(scene.snapshot->bodies, drawn);
  for (auto& density : found) density *= stride;
  return found;
}

}  // namespace

std::uint16_t quantised(double x, float corner, float size) {
  const double part = (x - double{corner}) / double{size};
  if (!(part >= 0)) return 0;
  if (part > 1) return 65535;
  return static_cast<std::uint16_t>(std::clamp(part * 65535 + 0.5, 1.0, 65534.0));
}

std::uint16_t stride_for(std::size_t bodies, std::size_t points) {
  const auto stride = (bodies + std::max<std::size_t>(points, 1) - 1) / std::max<std::size_t>(points, 1);
  return static_cast<std::uint16_t>(std::clamp<std::size_t>(stride, 1, 65535));
}

/// The steps from the client's state to the scene. Up to a few long ones are shortened, and completed in the
/// next frames; false if there are more.
bool PointCoder::changes(const Scene& scene, std::vector<std::int8_t>& deltas) {
  const std::size_t points = count_of(scene, stride_);
  deltas.resize(3 * points);
  constexpr std::size_t block = 8192;
  std::vector<std::size_t> cut((points + block - 1) / block);
  each_point(scene, stride_, [&](std::size_t k, const std::array<std::uint16_t, 3>& now) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      auto& before = sent_[3 * k + axis];
      const int step = int{now[axis]} - int{before}, short_step = std::clamp(step, -128, 127);
      if (step != short_step) ++cut[k / block];
      deltas[3 * k + axis] = static_cast<std::int8_t>(short_step);
      before = static_cast<std::uint16_t>(int{before} + short_step);
    }
  });
  std::size_t all = 0;
  for (const auto c : cut) all += c;
  return 200 * all <= points;
}

/// Values that the darkest and the brightest colour stand for: of almost all points.
void PointCoder::set_limits(const std::vector<float>& values) {
  std::vector<float> sample;
  const std::size_t step = std::max<std::size_t>(1, values.size() / 16384);
  for (std::size_t k = 0; k < values.size(); k += step)
    if (values[k] > 0 && std::isfinite(values[k])) sample.push_back(values[k]);
  if (sample.empty()) return void(low_ = high_ = 0);
  std::sort(sample.begin(), sample.end());
  low_ = sample[sample.size() / 50];
  high_ = std::max(sample[sample.size() - 1 - sample.size() / 50], 1.001F * low_);
}

void PointCoder::append_colours(const Scene& scene, Colour colour, bool key, std::string& out) {
  const auto values = colour == Colour::speed ? speeds(scene, stride_) : densities_of(scene, stride_);
  if (key) set_limits(values);
  std::vector<std::uint8_t> colours(values.size());
  const float zero = std::log10(low_), scale = 255 / (std::log10(high_) - zero);
  for_each_index(values.size(), [&](std::size_t k) {
    const float at = scale * (std::log10(values[k]) - zero);
    colours[k] = at >= 0 ? static_cast<std::uint8_t>(std::min(at + 0.5F, 255.0F)) : std::uint8_t{0};
  });
  append_array(out, colours);
}

std::string PointCoder::encode(const Scene& scene, std::uint32_t sequence, std::uint16_t stride,
                               Colour colour, bool key) {
  key = key || generation_ != scene.generation || stride_ != stride || colour_ != colour;
  generation_ = scene.generation, stride_ = stride, colour_ = colour;
  std::vector<std::int8_t> deltas;
  if (!key) key = !changes(scene, deltas);
  if (key) {
    sent_.resize(3 * count_of(scene, stride));
    each_point(scene, stride, [&](std::size_t k, const std::array<std::uint16_t, 3>& now) {
      std::memcpy(&sent_[3 * k], now.data(), sizeof now);
    });
  }
  std::string arrays;
  FrameHeader header;
  if (key) append_array(arrays, sent_);
  else append_array(arrays, deltas);
  // Densities are found from neighbours in the order, so they are good when that is new.
  if (colour == Colour::speed || (colour == Colour::density && key)) {
    append_colours(scene, colour, key, arrays);
    header.flags |= FrameHeader::has_colours;
  }
  if (colour != Colour::type) header.low = low_, header.high = high_;
  if (key) {
    header.flags |= FrameHeader::has_types;
    for (std::size_t k = 0; k < count_of(scene, stride); ++k)
      arrays.push_back(static_cast<char>(scene.snapshot->bodies.type[(*scene.order)[k * stride]]));
  }
  header.kind = key ? FrameKind::key : FrameKind::delta;
  header.stride = stride, header.sequence = sequence, header.base = key ? sequence : base_;
  header.time = scene.snapshot->time, header.step = scene.snapshot->step;
  header.bodies = scene.order->size();
  header.points = static_cast<std::uint32_t>(count_of(scene, stride));
  header.box = scene.box, header.centre = scene.centre;
  base_ = sequence;
  std::string frame;
  frame.reserve(FrameHeader::bytes + arrays.size());
  append(frame, header);
  return frame += arrays;
}

}  // namespace pleiad::live
